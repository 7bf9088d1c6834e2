"""A small pack for the tests of packs, checker and rules."""

import copy

UNITS = {
    "length": {"accept": ["in", "ft", "cm"], "factor": {"in": "1", "ft": "12", "cm": "50/127"}},
    "concentration": {
        "accept": ["mg/l", "ppm"],
        "factor": {"mg/l": "1", "ppm": "1, only where the rule says so"},
    },
    "temperature": {"accept": ["degF", "degC"], "factor": {"degF": "1", "degC": "x * 9/5 + 32"}},
    "acidity": {"accept": ["ph"], "factor": {"ph": "1"}},
}
_LENGTH = {"type": "measure", "unit": "in", "accept": "length"}
FIELDS = {
    "location_type": {"type": "choice", "choices": ["street", "highway", "private"]},
    "joint_distance_up": _LENGTH,
    "joint_distance_down": _LENGTH,
    "basis": {"type": "choice", "choices": ["edge", "centre"]},
    "opening_dia": _LENGTH,
    "depth_max": {"type": "measure", "unit": "ft", "accept": "length"},
    "strength": {"type": "measure", "unit": "mg/l", "accept": "concentration"},
    "dfu": {"type": "number"},
    "sides_count": {"type": "integer"},
    "barricades": {"type": "choices", "choices": ["north", "east", "south", "west"]},
    "lit": {"type": "bool3"},
    "clock": {"type": "clock"},
    "gps": {"type": "place"},
    "note": {"type": "text"},
    "notice_on": {"type": "date"},
    "done_on": {"type": "date"},
    "seen_at": {"type": "time"},
    "lifts": {
        "type": "list",
        "of": {
            "depth": _LENGTH,
            "compacted": {"type": "bool3"},
            "seen_at": {"type": "time"},
            "material": {"type": "choice", "choices": ["clay", "sand"]},
        },
    },
    "readings": {
        "type": "list",
        "of": {
            "param": {"type": "choice", "choices": ["ph", "temperature", "chlorine_residual"]},
            "value": {
                "type": "measure",
                "unit": "by_param",
                "accept": ["acidity", "temperature", "concentration"],
            },
        },
    },
    "today": {"type": "date"},
    "timezone": {"type": "text"},
    "holidays": {"type": "list", "of": {"holiday": {"type": "date"}}},
    "calibration_ok": {"type": "bool"},
    "within_is_inclusive": {"type": "bool", "default": True},
    "least_ft": {"type": "number", "default": None},
}


def tap_rule(**changes):
    """BV-TAP-04 of the tests, changed as asked; None removes a member."""
    rule = {
        "id": "T-01",
        "title": "Tap not within six inches of a joint",
        "clause": {
            "section": "270-22",
            "starred": True,
            "quote": "not within six inches (15 cm) of the joint",
        },
        "in_force_from": "2001-06-04",
        "kinds": ["tap"],
        "body": "public_works_committee",
        "modal": "should",
        "severity": "violation",
        "when": [
            {"expr": "location_type in ['street', 'highway']", "reason": "This clause is about streets."}
        ],
        "let": {
            "nearest": "min([joint_distance_up, joint_distance_down])"
            " - (basis == 'centre' ? opening_dia / 2.0 : 0.0)"
        },
        "checks": [
            {
                "expr": "within_is_inclusive ? nearest > 6.0 : nearest >= 6.0",
                "at_limit": "nearest == 6.0",
                "figure": {
                    "value": "nearest",
                    "limit": "6.0",
                    "unit": "in",
                    "good": ">",
                    "of": ["joint_distance_up", "joint_distance_down"],
                },
                "message": "The tap is {nearest} in from the joint. It must be more than 6 in.",
            }
        ],
        "passes": "More than 6 in from the nearest joint.",
        "evidence": ["tape_at_joint"],
    }
    rule.update(changes)
    return {name: value for name, value in copy.deepcopy(rule).items() if value is not None}


def plain_rule(**changes):
    """A rule that only has what the test gives it."""
    members = {"when": None, "let": None, "checks": None, "passes": None, "evidence": None, **changes}
    return tap_rule(**members)


def one_check(expr, **changes):
    check = {"expr": expr, "message": "It is not so.", **changes.pop("check", {})}
    return plain_rule(checks=[check], **changes)


def source(*rules, **changes):
    """A pack source with these rules."""
    pack = {
        "pack": "test",
        "village": "barneveld",
        "version": "1",
        "language": "cel-subset/1",
        "effective": "2001-06-04",
        "units": UNITS,
        "fields": FIELDS,
        "settings": [],
        "rules": list(rules),
    }
    pack.update(changes)
    return copy.deepcopy(pack)
