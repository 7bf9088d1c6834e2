"""Bad input: refused or not answered, the same in both languages; never a pass, never a crash."""

import copy
import json
import time
from datetime import date

import pytest

from inspect_app.domain import packs
from inspect_app.domain.errors import PackChanged, PackRefused
from inspect_app.domain.quantities import Units
from inspect_app.store import villages
from tests.rules_twins.documents import DIGITS, UNITS, line
from tests.rules_twins.test_inspections import VILLAGES, Visit, judged_here
from tests.rules_twins.test_inspections import differing as differing_visits
from tests.rules_twins.twins import answer_in_python, differing

NOT_NUMBERS = [
    "@1e400@",
    "@-1e400@",
    "@400 digits@",
    DIGITS,
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "1,5",
    "٦",
]
NOT_NUMBERS += [True, [6], ["6"], [], {}, {"value": "6"}, None, "", " ", "6 in", "0x6", "6.", "--6", "6" * 31]
ASKS = {
    "ratio": "ratio > 0.0 || ratio <= 0.0",
    "count_a": "count_a > 0 || count_a <= 0",
    "length_a": "length_a > 0.0 || length_a <= 0.0",
    "day_a": "day_a >= day_a",
    "time_a": "time_a >= time_a",
    "turn": "turn >= 0",
    "yes_a": "yes_a || !yes_a",
    "flag": "flag || !flag",
    "material": "material == 'clay' || material != 'clay'",
    "sides": "'north' in sides || !('north' in sides)",
    "text_a": "text_a == text_a",
    "gps": "gps.lat >= gps.lat",
    "rows": "rows.all(r, r.depth <= 9.0 || r.depth > 9.0)",
}
UNREADABLE = [
    *(("ratio", value) for value in NOT_NUMBERS),
    *(("count_a", value) for value in [*NOT_NUMBERS, 2.5, "1/2"]),
    *(("length_a", {"value": value, "unit": "in"}) for value in NOT_NUMBERS),
    *(("length_a", value) for value in [*NOT_NUMBERS, 6, {"value": "6", "unit": "IN"}, [{"value": "6"}]]),
    *(("length_a", {"value": "6", "unit": unit}) for unit in ("", None, ["in"], "degF", "__proto__")),
    *(
        ("day_a", day)
        for day in ("2026-02-30", "2023-02-29", "2026-13-01", "2026-2-3", 20260618, ["2026-06-18"])
    ),
    *(
        ("time_a", time)
        for time in ("2026-02-30T10:00:00Z", "2026-06-18T10:00:00", "2026-06-18T24:00:00Z", 1)
    ),
    *(("turn", clock) for clock in ("0:30", "13:00", "3:60", "3", 3, "3:00 ")),
    *(("yes_a", word) for word in ("Yes", "YES", "not_checked", True, 1, ["yes"])),
    *(("flag", word) for word in ("true", "yes", 1, 0, [True])),
    *(("material", word) for word in ("Clay", "CLAY", "clay ", ["clay"], 0, {"clay": True}, "constructor")),
    *(("sides", words) for words in (["North"], "north", [["north"]], ["north", "up"], [], {"0": "north"})),
    *(("text_a", text) for text in (7, "", " ", "\u00a0", ["text"], {"text": "x"})),
    *(
        ("gps", place)
        for place in ("43,-89", [43, -89], {"lat": 43}, {"lat": "@1e400@", "lon": 0}, {"lat": 91, "lon": 0})
    ),
    *(("rows", rows) for rows in ([], "rows", {"0": {"depth": 6}}, 7)),
]


def asked(name, **more):
    return line({"expr": ASKS[name], "lets": {}, "given": {}, **more})


def test_what_cannot_be_read_is_not_answered_in_either_language():
    questions = [asked(name, given={name: value}) for name, value in UNREADABLE]
    questions += [
        asked(name, doubles={name: text})
        for name in ASKS
        for text in (("NaN", "Infinity", "-Infinity") if name != "flag" else ("NaN",))
    ]
    assert differing(questions) == []
    for question in questions:
        found = answer_in_python(question, Units(UNITS))
        (name,) = json.loads(question)["given"].keys() | json.loads(question).get("doubles", {}).keys()
        assert found["value"] is None, question
        assert found["error"] is None, question
        assert found["missing"] == [name], question


def test_a_row_that_is_none_keeps_its_place_and_is_unknown():
    rows = [{"depth": {"value": "6", "unit": "in"}}, None, 7, "row", [], {"depth": [6]}]
    question = asked("rows", given={"rows": rows})
    assert differing([question]) == []
    missing = answer_in_python(question, Units(UNITS))["missing"]
    assert missing == [f"rows[{index}].depth" for index in (1, 2, 3, 4, 5)]


def deep(levels):
    """Expressions of so many levels, one for each way to go deeper."""
    inner = levels - 1
    return [
        "(" * inner + "1.0" + ")" * inner + " > 0.0"
        if levels > 50
        else "(" * (levels - 2) + "true" + ")" * (levels - 2),
        "!" * inner + "true",
        "[" * inner + "1" + "]" * inner + " == []"
        if levels > 50
        else "[" * (levels - 2) + "1" + "]" * (levels - 2),
        "true ? true : " * inner + "true",
        "ceil(" * inner + "1.5" + ")" * inner,
        " + (1" * inner + ")" * inner if levels > 50 else "-(" * (inner // 2) + "1" + ")" * (inner // 2),
    ]


TOO_MUCH = [
    "true && " * 249 + "true     ",
    "'" + "x" * 1999 + "'",
    " " * 2001,
    "'" + "🚧" * 1999 + "'",
    *deep(51),
    *deep(400),
    "7" * 31 + " > 1",
    "1." + "7" * 31 + " > 1.0",
]
STILL_FINE = [
    "true && " * 249 + "true    ",
    "'" + "x" * 1998 + "'",
    "7" * 30 + " > 1",
    *deep(50),
]


def test_an_expression_beyond_the_limits_is_refused_in_the_same_words():
    questions = [line({"expr": source, "lets": {}, "given": {}}) for source in TOO_MUCH]
    assert differing(questions) == []
    for question in questions:
        assert "refused" in answer_in_python(question, Units(UNITS)), question[:90]


def test_an_expression_at_the_limits_is_computed():
    questions = [line({"expr": source, "lets": {}, "given": {}}) for source in STILL_FINE]
    assert differing(questions) == []
    for question in questions:
        assert answer_in_python(question, Units(UNITS)).get("value") is not None, question[:90]


@pytest.mark.parametrize("village", VILLAGES)
def test_answers_that_cannot_be_read_are_judged_like_none(village):
    pack = villages.pack_of(village, date(2026, 6, 18))
    fields = {name: spec for name, spec in pack.data["fields"].items() if name not in pack.settings_on(None)}
    for kind in (*villages.KINDS, "office"):
        empty = judged_here(Visit(village, kind, {}, {}).asked())
        for value in ([7, {}], {"value": "@1e400@", "unit": "parsec"}, "@400 digits@", "\u00a0"):
            answers = {name: {} if spec["type"] == "list" else value for name, spec in fields.items()}
            visit = Visit(village, kind, answers, {}).asked()
            assert differing_visits([visit]) == []
            assert judged_here(visit) == empty


def source_with(change):
    source = copy.deepcopy(villages.pack_source(villages.OWN_VILLAGES / "barneveld"))
    change(source)
    return source


def grown(source):
    rule = source["rules"][0]
    source["rules"] += [{**rule, "id": f"BV-X-{number}", "title": "x" * 9000} for number in range(1100)]


def holding_itself(source):
    source["rules"][0]["clause"]["heading"] = source["rules"]


def of_lets_in_lets(source):
    rule = next(rule for rule in source["rules"] if "let" not in rule and "each" not in rule)
    rule["let"] = {f"step_{n}": f"-(-(-({f'step_{n - 1}' if n else '1.0'})))" for n in range(400)}


def of_a_let_in_itself(source):
    source["rules"][0]["let"] = {"round_and": "about + 1.0", "about": "round_and"}


@pytest.mark.parametrize("change", [grown, holding_itself, of_lets_in_lets, of_a_let_in_itself])
def test_a_pack_that_is_too_much_is_refused_at_once(change):
    source = source_with(change)
    began = time.process_time()
    with pytest.raises(PackRefused):
        packs.publish(source)
    assert time.process_time() - began < 2


NO_PACKS = {
    "lists too deep": "[" * 10**5,
    "members too deep": '{"a":' * 10**5,
    "ten megabytes of nothing": "x" * 10**7,
    "no number": "NaN",
    "a list": "[]",
    "half a letter": '{"a":"\ud800"}',
}


@pytest.mark.parametrize("what", NO_PACKS)
def test_what_is_no_published_pack_is_not_read(what):
    with pytest.raises(PackChanged):
        packs.read(NO_PACKS[what])
