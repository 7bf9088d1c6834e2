"""Where the two villages differ: one set of answers, judged in both, line by line of the table."""

from datetime import date

import pytest

from inspect_app.domain import rules
from inspect_app.domain.rule_checks import KINDS
from inspect_app.store import villages
from tests.villages.shared_answers import ANSWERS, CONTEXT, DAY, measured, reading, result


def judged(slug, **changes):
    """What each rule finds: on the form that decides it, where it is judged on several."""
    pack = villages.pack_of(slug, date.fromisoformat(DAY))
    found = {}
    for kind in KINDS:
        context = {**CONTEXT, "village": slug}
        for finding in rules.evaluate(pack, kind, {**ANSWERS, **changes}, context, None, DAY, beside=True):
            if finding.rule not in found or found[finding.rule].outcome in (
                "not_applicable",
                "not_evaluated",
            ):
                found[finding.rule] = finding
    return found


# Topic, what is changed in the answers, what Barneveld finds and what Howards Grove: outcome, or with value.
LINES = [
    (
        "BOD over 400",
        {},
        {"BV-PRH-02": "violation"},
        {"HG-PRH-17": "discretion", "HG-CAT-02": ("information", "B")},
    ),
    (
        "BOD of 250",
        {
            "strength_bod": measured(250, "mg/l"),
            "strength_tss": measured(1, "mg/l"),
            "strength_tp": measured(1, "mg/l"),
            "strength_tkn": measured(1, "mg/l"),
            "lab_results": [result("bod5", 250, sample_type="composite", composite_hours="24")],
        },
        {"BV-PRH-02": "pass"},
        {"HG-PRH-17": "pass", "HG-CAT-02": ("information", "B")},
    ),
    ("Suspended solids over 250", {}, {"BV-PRH-03": "violation"}, {"HG-CAT-02": ("information", "B")}),
    ("Fat, oil and grease", {}, {"BV-PRH-12": "violation"}, {"HG-PRH-08": "discretion"}),
    ("Temperature", {}, {"BV-PRH-11": "violation"}, {"HG-PRH-07": "discretion"}),
    ("pH", {}, {"BV-PRH-13": "discretion"}, {"HG-PRH-03": "violation"}),
    (
        "pH over 9.0",
        {"readings": [reading("ph", "9.1", "ph")]},
        {"BV-PRH-13": "discretion"},
        {"HG-PRH-03": "pass", "HG-PRH-04": "violation"},
    ),
    (
        "Shock and slug",
        {},
        {"BV-DEF-03": ("information", "candidate")},
        {"HG-PRH-15": ("discretion", "candidate")},
    ),
    ("Garbage", {}, {"BV-PRH-10": "discretion"}, {"HG-GRB-01": "discretion", "HG-PRH-10": "discretion"}),
    (
        "Garbage of half an inch",
        {"largest_particle": measured("0.5", "in"), "unshredded_garbage_seen": "no"},
        {"BV-PRH-10": "pass"},
        {"HG-GRB-01": "pass"},
    ),
    (
        "Roof water in the 60 days",
        {},
        {"BV-PRH-06": "violation"},
        {"HG-STM-01": "violation", "HG-DSP-02": "pass"},
    ),
    (
        "Roof water after the 60 days",
        {"notice_date": "2026-04-01"},
        {"BV-PRH-06": "violation"},
        {"HG-STM-01": "violation", "HG-DSP-02": "violation"},
    ),
    ("Tap geometry", {}, {"BV-TAP-03": "violation", "BV-TAP-04": "violation", "BV-TAP-05": "violation"}, {}),
    ("Backfill lifts", {}, {"BV-EXC-04": "violation"}, {}),
    ("Frozen ground", {}, {"BV-EXC-07": "violation"}, {}),
    ("Lights by day", {}, {"BV-EXC-02": "pass", "BV-EXC-03": "pass"}, {"HG-EXC-01": "warning"}),
    (
        "Owner of the lateral",
        {},
        {"BV-MNT-01": ("information", "utility")},
        {"HG-MNT-01": ("information", "owner")},
    ),
    ("Start at the inner wall", {}, {"BV-DEF-02": "pass"}, {"HG-DEF-02": "warning"}),
    ("Start five feet out", {"station0_ref": "five_ft_out"}, {"BV-DEF-02": "warning"}, {"HG-DEF-02": "pass"}),
    ("Entry", {}, {"BV-ACC-02": "warning"}, {"HG-ACC-01": "violation"}),
    ("Where to sample", {}, {}, {"HG-SMP-06": "violation"}),
    ("Water not sewered", {}, {"BV-BIL-03": "information"}, {"HG-FLW-02": "discretion"}),
    ("Billing unit", {}, {}, {"HG-EHU-01": ("information", "4"), "HG-EHU-02": ("information", "3")}),
    ("Billing cycle", {}, {"BV-BIL-07": "information"}, {"HG-BIL-02": "information"}),
    (
        "Mandatory hookup",
        {"notice_kind": "hookup", "notice_body": "public_works_committee", "served_on": "2026-03-02"},
        {"BV-HKP-01": "violation"},
        {},
    ),
    ("Capacity for a new connection", {}, {}, {"HG-CAP-01": "discretion"}),
    ("Septage", {}, {"BV-SEP-01": "violation"}, {}),
    ("Enforcement", {"notice_kind": "abatement"}, {"BV-ENF-03": "discretion"}, {"HG-ENF-03": "violation"}),
    ("Appeal", {}, {}, {"HG-APL-01": "discretion"}),
]


@pytest.mark.parametrize(
    ("topic", "changes", "barneveld", "howards_grove"), LINES, ids=[one[0] for one in LINES]
)
def test_the_same_answers_do_not_give_the_same_findings(topic, changes, barneveld, howards_grove):
    for slug, expected in (("barneveld", barneveld), ("howards_grove", howards_grove)):
        found = judged(slug, **changes)
        seen = {
            rule: (found[rule].outcome, found[rule].value) if isinstance(want, tuple) else found[rule].outcome
            for rule, want in expected.items()
        }
        assert seen == expected, topic


# Fields that only one village asks about: nothing in the other one reads them.
SILENT = {
    "barneveld": {
        "strength_tp",
        "strength_tkn",
        "largest_particle",
        "living_units",
        "dfu_total",
        "capacity_segments",
        "manholes_sampled",
        "annual_not_sewered",
        "decision_date",
        "reconsideration_filed_on",
    },
    "howards_grove": {
        "joint_distance_up",
        "joint_distance_down",
        "other_lateral_distance",
        "frost_depth",
        "hauler_discharge_observed",
        "deduct_meter_exists",
        "reu_count",
    },
}


@pytest.mark.parametrize("slug", sorted(SILENT))
def test_a_village_that_says_nothing_of_a_topic_asks_nothing(slug):
    written = villages.pack_source(villages.village(slug).folder)["rules"]
    own = [rule for rule in written if not rule["id"].startswith(("ST-", "OS-"))]
    assert villages.names_read(own) & SILENT[slug] == set()


def test_barneveld_decides_in_one_committee_and_howards_grove_in_three_bodies():
    def bodies(slug):
        written = villages.pack_source(villages.village(slug).folder)["rules"]
        counted = [rule["body"] for rule in written if not rule["id"].startswith(("ST-", "OS-"))]
        return {body: counted.count(body) for body in set(counted)}

    barneveld, howards_grove = bodies("barneveld"), bodies("howards_grove")
    assert barneveld["public_works_committee"] > 0.6 * sum(barneveld.values())
    assert {"clerk", "treasurer"} <= barneveld.keys()
    assert len([body for body, count in howards_grove.items() if count >= 2]) >= 3
