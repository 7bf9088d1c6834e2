"""Office and tablet say the same of every rule of both villages: limits, names, sentences."""

import json
import subprocess
from dataclasses import asdict
from datetime import date
from pathlib import Path

import pytest

from inspect_app.domain import plain
from inspect_app.services import book
from inspect_app.store import villages

PWA = Path(__file__).parents[2] / "inspect_app" / "static" / "pwa"
DAY = date(2026, 6, 18)


@pytest.mark.parametrize("village", ["barneveld", "howards_grove"])
def test_both_languages_say_the_same_of_every_rule(village):
    pack = villages.pack_of(village, DAY)
    asked = ["node", str(Path(__file__).with_name("plain.mjs")), PWA.as_uri(), DAY.isoformat()]
    given = json.dumps({"pack": pack.data, "labels": book.labels()})
    answer = subprocess.run(asked, input=given, capture_output=True, check=True, text=True).stdout
    names = book.names(pack, DAY)
    ours = [said_of(rule, pack, names) for rule in pack.rules]
    assert json.loads(answer) == ours
    assert sum(len(limits) for _, limits, *_ in ours) > 20, "a pack without limits proves nothing"


def said_of(rule, pack, names):
    limits = plain.limits_of(rule, pack.data["fields"], pack.units, names.settings)
    about = [
        [limit.value and names.heading(limit.value, rule), [names.within(name, rule) for name in limit.by]]
        for limit in limits
    ]
    asks = plain.requirement_of(rule)
    sentences = [
        *(check["message"] for check in rule.get("checks", ())),
        rule.get("passes"),
        *(one["reason"] for one in (*rule.get("unless", ()), *rule.get("when", ()))),
        *(one["note"] for one in rule.get("soften", ())),
        *(one["text"] for one in rule.get("notes", ())),
    ]
    said = [names.said(text, rule) for text in sentences if text]
    return [
        rule["id"],
        [in_json(limit) for limit in limits],
        about,
        names.each(rule),
        asks and list(asks),
        [[{"text": piece.text, "isName": piece.is_name} for piece in pieces] for pieces in said],
    ]


def in_json(limit):
    body = asdict(limit) | {"limits": list(limit.limits), "by": list(limit.by)}
    body["examples"] = [
        {"value": one.value, "outcome": one.outcome, "onLimit": one.on_limit} for one in limit.examples
    ]
    return body
