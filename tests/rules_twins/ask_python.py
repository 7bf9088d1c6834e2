"""Python's answers as a program of its own, so that a copy of the evaluator with a fault in it can be asked.

`python ask_python.py evaluate` reads what evaluate.mjs reads, `python ask_python.py judge` what
run_vectors.mjs reads. The copy comes first in PYTHONPATH.
"""

import json
import sys

from inspect_app.domain import packs, rules
from inspect_app.domain.quantities import Units
from tests.rules_twins.twins import answer_in_python, compact


def main(what: str) -> None:
    head, *asked = sys.stdin.read().splitlines()
    known = json.loads(head)
    if what == "evaluate":
        units = Units(known["units"])
        answers = (answer_in_python(text, units) for text in asked)
    else:
        by_name = {name: packs.read(packs.canonical_json(data)) for name, data in known["packs"].items()}
        answers = (judged(by_name, json.loads(text)) for text in asked)
    sys.stdout.writelines(f"{compact(answer)}\n" for answer in answers)


def judged(by_name, visit):
    found = rules.evaluate(
        by_name[visit["pack"]],
        visit["kind"],
        visit["answers"],
        None,
        visit["settings"],
        visit["on"],
        beside=visit["beside"],
    )
    return [finding.to_json() for finding in found]


if __name__ == "__main__":
    main(sys.argv[1])
