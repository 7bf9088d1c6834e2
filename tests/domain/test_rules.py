"""Findings: what a rule says about an inspection."""

from datetime import date

import pytest

from inspect_app.domain import packs, rules
from tests.domain.pack_source import one_check, plain_rule, source, tap_rule


def inches(value, unit="in"):
    return {"value": value, "unit": unit}


def tap(**answers):
    return {
        "location_type": "street",
        "joint_distance_up": inches("20"),
        "joint_distance_down": inches("8"),
        "basis": "edge",
        **answers,
    }


def judge(rule, answers, kind="tap", on="2026-06-18", others=(), **more):
    pack = packs.publish(source(rule, *others))
    return rules.evaluate(pack, kind, answers, on=on, **more)[0]


def test_a_tap_far_from_the_joint_passes_and_says_so():
    finding = judge(tap_rule(), tap())
    assert finding.outcome == "pass"
    assert finding.message == "More than 6 in from the nearest joint."
    assert finding.figure == "8 in > 6 in"
    assert not finding.boundary
    assert finding.reads == [
        "basis",
        "joint_distance_down",
        "joint_distance_up",
        "location_type",
        "within_is_inclusive",
    ]


def test_a_tap_too_near_is_a_violation_with_its_figure():
    finding = judge(tap_rule(), tap(joint_distance_down=inches("5 1/2")))
    assert finding.outcome == "violation"
    assert finding.figure == "5.5 in ≤ 6 in"
    assert finding.message == "The tap is 5.5 in from the joint. It must be more than 6 in."
    assert [(failed.check, failed.row, failed.outcome) for failed in finding.failed] == [
        (0, None, "violation")
    ]
    assert "joint_distance_down" in finding.failed[0].fields


def test_exactly_six_inches_is_within_and_lies_on_the_limit():
    finding = judge(tap_rule(), tap(joint_distance_down=inches("15.24", "cm")))
    assert (finding.outcome, finding.boundary) == ("violation", True)
    assert finding.figure == "15.24 cm = 6 in ≤ 6 in"


def test_a_centre_measure_is_exact_where_binary_fractions_are_not():
    answers = tap(joint_distance_down=inches("8.3"), basis="centre", opening_dia=inches("4.6"))
    finding = judge(tap_rule(), answers)
    assert (finding.outcome, finding.boundary) == ("violation", True)
    assert finding.figure == "6 in ≤ 6 in"


def test_the_village_may_read_within_as_less_than():
    answers = tap(joint_distance_down=inches("6"))
    finding = judge(tap_rule(), answers, settings={"within_is_inclusive": False})
    assert (finding.outcome, finding.boundary) == ("pass", True)


def test_a_value_typed_in_another_unit_is_shown_as_typed():
    assert (
        judge(tap_rule(), tap(joint_distance_down=inches("15.0", "cm"))).figure == "15.0 cm = 5.906 in ≤ 6 in"
    )
    assert judge(tap_rule(), tap(joint_distance_down=inches(15, "cm"))).figure == "15 cm = 5.906 in ≤ 6 in"


def test_a_missing_reading_is_not_evaluated_and_named():
    finding = judge(
        tap_rule(), {"location_type": "street", "basis": "centre", "joint_distance_up": inches("1,5")}
    )
    assert finding.outcome == "not_evaluated"
    assert finding.missing == ["joint_distance_down", "joint_distance_up", "opening_dia"]
    assert (finding.message, finding.figure, finding.reason) == (None, None, None)


@pytest.mark.parametrize(
    "raw", [None, "", [], {}, "not_checked", {"value": "", "unit": "in"}, inches("7", "psi")]
)
def test_whatever_cannot_be_read_is_not_answered(raw):
    assert judge(tap_rule(), tap(joint_distance_down=raw)).missing == ["joint_distance_down"]


def test_a_when_that_is_false_makes_it_not_applicable_with_the_reason():
    finding = judge(tap_rule(), {"location_type": "private"})
    assert (finding.outcome, finding.reason) == ("not_applicable", "This clause is about streets.")
    assert finding.missing == []


def test_a_when_that_is_unknown_is_not_evaluated():
    finding = judge(tap_rule(), tap(location_type="steet"))
    assert (finding.outcome, finding.missing) == ("not_evaluated", ["location_type"])


def test_an_unless_counts_only_when_it_is_known_to_be_true():
    rule = tap_rule(unless=[{"expr": "lit", "reason": "It is lit."}])
    assert judge(rule, tap(lit="yes")).reason == "It is lit."
    assert judge(rule, tap(lit="not_checked")).outcome == "pass"


def lifts_rule(**changes):
    check = {
        "figure": {"value": "item.depth", "limit": "9.0", "unit": "in", "good": "<=", "of": ["item.depth"]},
        "message": "Layer {row} of {item.material} is {item.depth} in.",
    }
    return one_check("item.depth <= 9.0", each="lifts", check=check, **changes)


def test_each_row_is_checked_and_the_finding_names_the_row():
    lifts = [{"depth": inches("9")}, {"material": "clay"}, {"depth": inches("23", "cm"), "material": "sand"}]
    finding = judge(lifts_rule(), {"lifts": lifts})
    assert finding.outcome == "violation"
    assert finding.message == "Layer 3 of sand is 9.055 in."
    assert finding.figure == "23 cm = 9.055 in > 9 in"
    assert [failed.row for failed in finding.failed] == [3]
    assert finding.missing == ["lifts[1].depth"]


def test_a_pass_shows_the_row_that_came_closest_to_its_limit():
    lifts = [{"depth": inches("6")}, {"depth": inches("8 1/2")}, {"depth": inches("7")}]
    assert judge(lifts_rule(), {"lifts": lifts}).figure == "8.5 in ≤ 9 in"


def test_a_row_nobody_filled_in_keeps_the_list_from_passing():
    assert judge(lifts_rule(), {"lifts": [{"depth": inches("8")}, "?"]}).outcome == "not_evaluated"


def test_an_empty_list_is_not_answered():
    finding = judge(lifts_rule(), {"lifts": []})
    assert (finding.outcome, finding.missing) == ("not_evaluated", ["lifts"])


def test_rows_that_do_not_concern_the_rule_are_left_out():
    rule = lifts_rule()
    rule["each"] = "lifts.filter(l, l.material == 'clay')"
    lifts = [{"depth": inches("12"), "material": "sand"}, {"depth": inches("12"), "material": "clay"}]
    assert judge(rule, {"lifts": lifts}).failed[0].row == 2
    assert judge(rule, {"lifts": lifts[:1]}).outcome == "not_applicable"


def test_checks_combine_to_the_worst_outcome():
    def with_checks(*fails):
        checks = [{"expr": "lit", "fails": outcome, "message": f"{outcome}."} for outcome in fails]
        return plain_rule(checks=[*checks, {"expr": "sides_count == 4", "message": "Sides."}])

    assert judge(with_checks("warning"), {"lit": "no"}).outcome == "not_evaluated"
    assert judge(with_checks("warning"), {"lit": "no"}).message == "warning."
    assert judge(with_checks("warning", "discretion"), {"lit": "no"}).outcome == "discretion"
    assert judge(with_checks("information", "warning"), {"lit": "no", "sides_count": 4}).outcome == "warning"
    assert judge(with_checks("discretion"), {"lit": "no", "sides_count": 3}).outcome == "violation"


def test_a_check_may_leave_the_rule_not_evaluated_and_then_names_what_it_read():
    finding = judge(one_check("lit", check={"fails": "not_evaluated"}), {"lit": "no"})
    assert (finding.outcome, finding.missing, finding.message) == ("not_evaluated", ["lit"], "It is not so.")


def test_a_warning_can_still_be_an_open_item():
    rule = one_check("lit", check={"fails": "warning", "open_item": True})
    assert judge(rule, {"lit": "no"}).open_item
    assert not judge(rule, {"lit": "yes"}).open_item


def test_a_classification_is_information_with_its_exact_value():
    rule = plain_rule(value="strength > 250.0 || dfu > 1.0 ? 'B' : 'A'", passes="Category {value}.")
    finding = judge(rule, {"strength": inches("251", "mg/l")})
    assert (finding.outcome, finding.value, finding.message) == ("information", "B", "Category B.")
    assert judge(rule, {"strength": inches("250", "mg/l")}).missing == ["dfu"]


@pytest.mark.parametrize(
    ("expr", "value"),
    [("dfu / 3.0", "17/3"), ("dfu / 128.0", "0.1328125"), ("lit", "true"), ("notice_on + 60", "2026-06-09")],
)
def test_a_classification_is_never_rounded(expr, value):
    answers = {"dfu": 17, "lit": "yes", "notice_on": "2026-04-10"}
    assert judge(plain_rule(value=expr), answers).value == value


def test_a_combined_rule_takes_the_worst_of_the_others():
    both = plain_rule(id="T-00", combine=["T-01", "T-02"], passes="All is well.")
    lit = one_check("lit", id="T-02", severity="warning")
    finding = judge(both, tap(lit="no"), others=[tap_rule(), lit])
    assert (finding.outcome, finding.message) == ("warning", "It is not so.")
    assert finding.reason == "T-02: Tap not within six inches of a joint"
    missing = judge(both, tap(), others=[tap_rule(), lit])
    assert (missing.outcome, missing.missing) == ("not_evaluated", ["lit"])
    assert judge(both, tap(lit="yes"), others=[tap_rule(), lit]).message == "All is well."


def test_a_combined_rule_leaves_out_what_does_not_apply():
    both = plain_rule(id="T-00", combine=["T-01", "T-02"])
    lit = one_check("lit", id="T-02", in_force_from="2030-01-01")
    finding = judge(both, {"location_type": "private"}, others=[tap_rule(), lit])
    assert finding.outcome == "not_applicable"


def test_a_meter_out_of_tolerance_softens_a_violation_with_a_note():
    rule = tap_rule(
        soften=[{"expr": "calibration_ok == false", "to": "warning", "note": "Meter out of tolerance."}]
    )
    answers = tap(joint_distance_down=inches("5"))
    softened = judge(rule, answers, context={"calibration_ok": False})
    assert (softened.outcome, softened.failed[0].outcome) == ("warning", "warning")
    assert softened.notes == ["Meter out of tolerance."]
    assert judge(rule, answers).outcome == "violation"
    assert judge(rule, tap(), context={"calibration_ok": False}).notes == []


def test_notes_are_added_only_when_they_are_known_to_hold():
    rule = tap_rule(notes=[{"expr": "gps.accuracy_m > 5.0", "text": "Position good to {gps.accuracy_m} m."}])
    place = {"lat": 43.0, "lon": -89.9, "accuracy_m": 8.5}
    assert judge(rule, tap(gps=place)).notes == ["Position good to 8.5 m."]
    assert judge(rule, tap(gps={"lat": 430, "lon": 0, "accuracy_m": 8})).notes == []
    assert judge(rule, tap()).notes == []


def test_a_rule_that_cannot_be_computed_is_loud_and_never_a_pass():
    finding = judge(one_check("dfu / 0.0 > 1.0"), {"dfu": 1})
    assert (finding.outcome, finding.reason) == (
        "not_evaluated",
        "This rule cannot be computed: division by zero.",
    )


def test_sentences_show_days_local_times_clock_positions_and_words():
    message = "{due}: {seen_at}, {clock}, {location_type}, {barricades}, {lit}, {note}, {near}"
    rule = one_check("false", let={"due": "notice_on + 60", "near": "dfu / 3.0"}, check={"message": message})
    answers = {
        "notice_on": "2026-04-10",
        "seen_at": "2026-06-18T18:10:00Z",
        "clock": "1:30",
        "location_type": "street",
        "barricades": ["north", "east"],
        "lit": "no",
        "dfu": "1",
    }
    assert judge(rule, answers).message == "2026-06-09: 13:10, 1:30, street, north, east, no, –, 0.333"
    elsewhere = judge(rule, answers, context={"timezone": "America/Denver"})
    assert "12:10" in elsewhere.message


def test_a_figure_may_show_days():
    figure = {"value": "done_on", "limit": "notice_on + 60", "good": "<="}
    rule = one_check("done_on <= notice_on + 60", check={"figure": figure})
    late = judge(rule, {"notice_on": "2026-04-10", "done_on": "2026-06-10"})
    assert late.figure == "2026-06-10 > 2026-06-09"


def test_degrees_stand_close_to_their_number_and_a_figure_without_value_is_left_out():
    check = {"figure": {"value": "dfu", "limit": "90.0", "unit": "deg", "good": "<="}}
    assert judge(one_check("dfu <= 90.0", check=check), {"dfu": "120"}).figure == "120° > 90°"
    other = {"figure": {"value": "depth_max", "limit": "4.0", "unit": "ft", "good": "<"}}
    assert judge(one_check("lit", check=other), {"lit": "no"}).figure is None


def test_a_reading_is_compared_in_the_unit_of_its_parameter():
    rule = one_check("item.param != 'temperature' || item.value <= 150.0", each="readings")
    warm = [
        {"param": "temperature", "value": inches("66", "degC")},
        {"param": "ph", "value": inches("7", "ph")},
    ]
    assert judge(rule, {"readings": warm}).failed[0].row == 1
    wrong = [{"param": "temperature", "value": inches("66", "mg/l")}]
    assert judge(rule, {"readings": wrong}).missing == ["readings[0].value"]


def test_a_rule_holds_from_its_day_and_for_its_kinds():
    pack = packs.publish(source(tap_rule()))
    assert rules.evaluate(pack, "tap", tap(), on=date(2001, 6, 3)) == []
    assert len(rules.evaluate(pack, "tap", tap(), on=date(2001, 6, 4))) == 1
    assert rules.evaluate(pack, "manhole", tap(), on="2026-06-18") == []


def test_without_a_day_the_day_of_the_context_counts():
    pack = packs.publish(source(tap_rule()))
    assert rules.evaluate(pack, "tap", tap(), context={"today": "2001-06-03"}) == []
    assert len(rules.evaluate(pack, "tap", tap())) == 1


def test_answers_cannot_change_a_setting_of_the_village():
    answers = tap(joint_distance_down=inches("6"), within_is_inclusive=False)
    assert judge(tap_rule(), answers).outcome == "violation"


def test_the_form_being_judged_is_known_to_the_rule():
    rule = one_check("kind == 'tap' || lit", kinds=["tap", "lateral"])
    assert judge(rule, {}).outcome == "pass"
    assert judge(rule, {}, kind="lateral").missing == ["lit"]


def test_a_finding_travels_as_plain_json():
    finding = judge(tap_rule(), tap(joint_distance_down=inches("5"))).to_json()
    assert finding["failed"][0]["outcome"] == "violation"
    assert set(finding) == {
        *("rule", "title", "outcome", "boundary", "value", "missing", "reads", "figure", "message", "reason"),
        *("notes", "open_item", "failed", "clause", "body", "modal", "evidence"),
    }


def test_a_rule_may_check_and_show_a_value_beside_it():
    rule = one_check(
        "dfu <= 28.0",
        value="dfu * 2.0",
        passes="{value} halves.",
        check={"message": "{value} halves are too many."},
    )
    assert (judge(rule, {"dfu": "28"}).outcome, judge(rule, {"dfu": "28"}).value) == ("pass", "56")
    assert judge(rule, {"dfu": "28"}).message == "56 halves."
    above = judge(rule, {"dfu": "28.5"})
    assert (above.outcome, above.value, above.message) == ("violation", "57", "57 halves are too many.")
    assert judge(rule, {}).outcome == "not_evaluated"


def test_a_value_that_is_unknown_keeps_a_check_from_passing_but_hides_no_violation():
    rule = one_check("dfu <= 28.0", value="strength * 2.0")
    assert judge(rule, {"dfu": "28"}).outcome == "not_evaluated"
    assert judge(rule, {"dfu": "28"}).missing == ["strength"]
    assert judge(rule, {"dfu": "29"}).outcome == "violation"
    assert judge(rule, {"dfu": "29"}).value is None


def test_a_value_beside_rows_is_not_shown_where_no_row_concerns_the_rule():
    rule = one_check("item.depth <= 9.0", each="lifts.filter(l, l.depth > 1.0)", value="size(lifts)")
    assert judge(rule, {"lifts": [{"depth": inches("9")}]}).value == "1"
    none = judge(rule, {"lifts": [{"depth": inches("1")}]})
    assert (none.outcome, none.value) == ("not_applicable", None)


@pytest.mark.parametrize(
    "status",
    [
        {"status": "workflow", "carried_out_by": {"function": "a.b", "test": "t::x", "how": "By a service."}},
        {"status": "reference", "cannot": "The list is missing from the copy of the text."},
    ],
)
def test_a_rule_that_is_carried_out_or_only_read_is_never_judged(status):
    pack = packs.publish(source(plain_rule(id="T-08", **status), tap_rule()))
    assert [finding.rule for finding in rules.evaluate(pack, "tap", tap(), on="2026-06-18")] == ["T-01"]
    assert pack.rules[0]["status"] == status["status"]


def test_office_rules_are_judged_only_when_they_are_asked_for_beside_the_visit():
    pack = packs.publish(source(tap_rule(kinds=["office"]), tap_rule(id="T-02", kinds=["lateral"])))

    def judged(kind, **more):
        return [finding.rule for finding in rules.evaluate(pack, kind, tap(), on="2026-06-18", **more)]

    assert judged("tap") == []
    assert judged("tap", beside=True) == ["T-01"]
    assert judged("lateral", beside=True) == ["T-01", "T-02"]
    assert judged("office") == ["T-01"]


def test_an_id_that_stands_twice_is_judged_by_the_entry_of_the_form():
    on_form, in_office = one_check("lit", kinds=["lateral"]), one_check("!lit", kinds=["office"])
    pack = packs.publish(source(on_form, in_office))
    for kind, outcome in (("lateral", "pass"), ("tap", "violation")):
        found = rules.evaluate(pack, kind, {"lit": "yes"}, on="2026-06-18", beside=True)
        assert [finding.outcome for finding in found] == [outcome]
