"""All rules of one form on a full set of answers, and reading and checking the packs of both villages.

Each round changes one answer and judges the whole form anew. What is told is the median of the processor's
time: what other programs took in between is no property of the rules. Budgets: 1 ms a form in Python and in
Node, 300 ms for both packs from their files, with all that a start does to them. The rules that rest on
records of the office are no form; they are told without a budget.
"""

import gc
import json
import statistics
import subprocess
import sys
import time
from datetime import date

from bench.places import ROOT
from bench.report import Figure, alone
from bench.rules_keystroke import longest_cases
from inspect_app.domain import rules
from inspect_app.store import villages
from tests.rules_twins.twins import node

FORM_BUDGET_MS = 1
PACKS_BUDGET_MS = 300
WARM, ROUNDS, OF_A_ROUND = 200, 60, 10
LOADS = 5

IN_NODE = """
const {readPack, evaluate} = await import(%(module)s);
const {pack: text, cases, warm, rounds, ofARound} = %(given)s;
const pack = readPack(JSON.stringify(text));
const results = {};
for (const one of cases) {
  const times = [];
  let lot = 0;
  const judge = () => evaluate(pack, {...one, answers: {...one.answers, place_label: `Lot ${lot += 1}`}});
  for (let n = 0; n < warm; n += 1) judge();
  for (let n = 0; n < rounds; n += 1) {
    const began = process.cpuUsage();
    for (let m = 0; m < ofARound; m += 1) judge();
    times.push(process.cpuUsage(began).user / 1000 / ofARound);
  }
  times.sort((a, b) => a - b);
  results[one.kind] = times[Math.floor(rounds / 2)];
}
console.log(JSON.stringify(results));
"""

LOAD = """
import time
from inspect_app.store import villages
began = time.process_time()
for slug in ("barneveld", "howards_grove"):
    villages.packs_of(slug)
print((time.process_time() - began) * 1000)
"""


def in_python(pack, case) -> float:
    """Milliseconds of one judgement."""
    lots = iter(range(10**6))

    def judge():
        answers = {**case["answers"], "place_label": f"Lot {next(lots)}"}
        rules.evaluate(pack, case["kind"], answers, case["context"], case["settings"], case["on"])

    for _ in range(WARM // 2):
        judge()
    gc.collect()
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(OF_A_ROUND):
            judge()
        times.append((time.process_time() - began) * 1000 / OF_A_ROUND)
    return statistics.median(times)


def in_node(pack, cases) -> dict[str, float]:
    given = {"pack": pack.data, "cases": cases, "warm": WARM, "rounds": ROUNDS, "ofARound": OF_A_ROUND}
    module = (ROOT / "inspect_app" / "static" / "pwa" / "rules" / "rules.js").as_uri()
    script = IN_NODE % {"module": json.dumps(module), "given": json.dumps(given)}
    command = [node(), "--input-type=module", "-"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def loading() -> float:
    """Milliseconds of the first reading in a process of its own, as at a start; the median of a few."""
    command = [sys.executable, "-c", LOAD]
    told = [
        subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT) for _ in range(LOADS)
    ]
    return statistics.median(float(one.stdout) for one in told)


def measure() -> list[Figure]:
    figures = []
    for village, cases in longest_cases().items():
        pack = villages.pack_of(village, date.fromisoformat(cases[0]["on"]))
        there = in_node(pack, cases)
        for case in sorted(cases, key=lambda case: case["kind"]):
            name = f"all rules of a form, {village} {case['kind']}"
            budget = FORM_BUDGET_MS if case["kind"] in villages.KINDS else None
            figures.append(Figure(f"{name}, Python", in_python(pack, case), "ms", budget))
            figures.append(Figure(f"{name}, Node", there[case["kind"]], "ms", budget))
    figures.append(Figure("reading and checking both villages' packs", loading(), "ms", PACKS_BUDGET_MS))
    return figures


if __name__ == "__main__":
    alone(measure)
