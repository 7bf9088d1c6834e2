"""What may not be published as a form."""

import copy

import pytest

from inspect_app.domain import protocols
from inspect_app.domain.protocols import ProtocolRefused

FIELDS = {
    "version": "1",
    "units": {"length": {"accept": ["in"], "factor": {"in": "1"}}},
    "visit": {
        "given_in": "answers",
        "groups": {
            "place": {"gps": {"type": "place"}},
            "photos": {"photos": {"type": "list", "of": {"shows": {"type": "choice", "choices": ["tape"]}}}},
            "signatures": {"signature_inspector": {"type": "signature"}},
        },
    },
    "tap": {
        "includes": ["visit"],
        "given_in": "answers",
        "groups": {
            "geometry": {
                "joint": {"type": "measure", "unit": "in", "accept": "length"},
                "basis": {"type": "choice", "choices": ["edge", "centre"]},
            },
            "lifts": {"lifts": {"type": "list", "of": {"depth": {"type": "number"}}}},
        },
    },
}
FORM = {
    "protocol": "tap",
    "version": "1",
    "title": "Tap check",
    "prefix": "T",
    "sections": [
        {
            "id": "geometry",
            "title": "Tap geometry",
            "groups": [
                {
                    "group": "geometry",
                    "title": "Distances",
                    "fields": [
                        {"field": "joint", "label": "Joint", "required": True},
                        {"field": "basis", "label": "Measured from", "shown_when": "joint > 0.0"},
                    ],
                },
                {
                    "group": "lifts",
                    "title": "Lifts",
                    "fields": [
                        {"field": "lifts", "label": "Lifts", "row": [{"field": "depth", "label": "Depth"}]}
                    ],
                },
            ],
        }
    ],
    "photos": [
        {"shows": "tape", "label": "Tape", "in_view": "Zero end", "proves": "joint", "required": True},
        {"shows": "tape", "label": "Edge", "in_view": "Edge", "proves": "basis.edge", "required": False},
    ],
    "signatures": [
        {"field": "signature_inspector", "role": "Inspector", "says": "I saw this.", "required": True}
    ],
}


def faults(change, type_check=lambda expression: None):
    form = copy.deepcopy(FORM)
    change(form)
    try:
        protocols.check(protocols.read(form), protocols.read_dictionary(FIELDS), type_check)
    except ProtocolRefused as refused:
        return refused.refusals
    return []


def first_field(form):
    return form["sections"][0]["groups"][0]["fields"][0]


def test_a_form_that_names_only_what_is_there_is_published():
    assert faults(lambda form: None) == []


def test_a_kind_has_the_groups_it_includes():
    groups = protocols.read_dictionary(FIELDS).groups("tap")
    assert list(groups) == ["place", "photos", "signatures", "geometry", "lifts"]


def test_a_field_is_known_by_its_flat_name():
    found = protocols.read_dictionary(FIELDS).flat()["joint"]
    assert (found["group"], found["given_in"], found["unit"]) == ("geometry", "answers", "in")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda form: first_field(form).update(field="joints"), "joints"),
        (lambda form: first_field(form).update(field="depth"), "depth"),
        (lambda form: form["sections"][0]["groups"][0].update(group="geography"), "geography"),
        (lambda form: first_field(form).update(shown_when="joint >"), "joint"),
        (lambda form: first_field(form).update(required="has(joint)"), "joint"),
        (lambda form: first_field(form).update(row=[{"field": "depth", "label": "Depth"}]), "joint"),
        (lambda form: form["sections"][0].update(kind="maps"), "geometry"),
        (lambda form: form["photos"][0].update(shows="moon"), "moon"),
        (lambda form: form["photos"][0].update(proves="moon"), "moon"),
        (lambda form: form["photos"][1].update(proves="basis.middle"), "basis.middle"),
        (lambda form: form["signatures"][0].update(field="gps"), "gps"),
    ],
)
def test_a_form_that_names_what_is_not_there_is_refused_by_name(change, place):
    assert [found for found, _ in faults(change)] == [place]


def test_a_group_is_drawn_in_one_place_only():
    def twice(form):
        form["sections"].append({**form["sections"][0], "id": "again"})

    assert ("geometry", "stands in two places; a group is measured and drawn once") in faults(twice)


def test_a_field_is_drawn_once():
    def twice(form):
        fields = form["sections"][0]["groups"][0]["fields"]
        fields.append(fields[0])

    assert faults(twice) == [("joint", "drawn twice")]


def test_labels_name_every_choice_and_no_other():
    def forgets_one(form):
        form["sections"][0]["groups"][0]["fields"][1]["choices"] = {"edge": "Edge"}

    assert [place for place, _ in faults(forgets_one)] == ["basis"]


def test_a_list_needs_its_columns_and_only_known_ones():
    def no_columns(form):
        form["sections"][0]["groups"][1]["fields"][0]["row"] = []

    def strange_column(form):
        form["sections"][0]["groups"][1]["fields"][0]["row"] = [{"field": "width", "label": "Width"}]

    assert [place for place, _ in faults(no_columns)] == ["lifts"]
    assert [place for place, _ in faults(strange_column)] == ["lifts.width"]


def test_what_the_type_check_says_is_passed_on():
    found = faults(lambda form: None, type_check=lambda expression: "gives a number")
    assert found == [("basis", "joint > 0.0: gives a number")]


def test_every_fault_is_named_at_once():
    def two(form):
        first_field(form).update(field="joints")
        form["photos"][0].update(proves="moon")

    with pytest.raises(ProtocolRefused, match=r"joints.*moon"):
        form = copy.deepcopy(FORM)
        two(form)
        protocols.check(protocols.read(form), protocols.read_dictionary(FIELDS), lambda expression: None)
