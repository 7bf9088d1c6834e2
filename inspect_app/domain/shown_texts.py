"""Every text that forms and rules show to a person: what a translation must say."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

# Keys of a form, its sections, groups, fields, photos and signatures whose value a person reads.
ON_FORMS = ("title", "label", "hint", "add", "row_title", "in_view", "says", "role", "why")
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
LETTER = re.compile(r"[^\W\d_]")


def of_form(part: Any) -> list[str]:
    """The texts of a form, or of a part of one, in its order, each once."""
    return list(dict.fromkeys(_of_form(part)))


def _of_form(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for inner in part:
            yield from _of_form(inner)
    elif isinstance(part, Mapping):
        yield from (part[key] for key in ON_FORMS if isinstance(part.get(key), str))
        yield from part.get("choice_labels", {}).values()
        for inner in part.values():
            yield from _of_form(inner)


def of_rule(rule: Mapping[str, Any]) -> list[str]:
    """What a rule says of a visit and of itself, in its order, each once; never its quotation.

    A sentence that is nothing but a value of the rule has no words to translate.
    """
    said = [rule.get(name) for name in ("title", "passes", "reading", "cannot")]
    said.append(rule.get("carried_out_by", {}).get("how"))
    said += [one.get("reason") for part in ("unless", "when") for one in rule.get(part, ())]
    said += [check.get("message") for check in rule.get("checks", ())]
    said += [one.get("note") for one in rule.get("soften", ())]
    said += [one.get("text") for one in rule.get("notes", ())]
    return list(dict.fromkeys(text for text in said if text and LETTER.search(PLACEHOLDER.sub("", text))))
