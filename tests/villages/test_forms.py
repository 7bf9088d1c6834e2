"""The forms: they ask for what their rules read, and hold what the walkthroughs record."""

import json
from pathlib import Path

import pytest

from inspect_app.store import villages

VECTORS = Path(__file__).parents[1] / "vectors"
WALKS = (
    ("walkthrough1", "lateral"),
    ("walkthrough2", "tap"),
    ("walkthrough3", "downspout"),
    ("walkthrough4", "manhole"),
    ("walkthrough5", "tap"),
)
# Given by the laboratory or the office, or worked out: no inspector types them on a form.
NOT_TYPED = {
    *("lab_results", "workday_gallons", "system_gallons", "on_toxic_list", "significant_impact"),
    "significant_load_note",
    *("lateral_in_visit", "weather", "photos"),  # on a lateral: only where the visit is of another kind
}


def drawn(kind):
    return {field.name for _, field in villages.protocol(kind).fields()}


def specs(kind):
    return {name: spec for fields in villages.groups(kind).values() for name, spec in fields.items()}


@pytest.mark.parametrize("kind", villages.KINDS)
@pytest.mark.parametrize("slug", ["barneveld", "howards_grove"])
def test_a_form_draws_every_answer_its_rules_read(slug, kind):
    pack = villages.pack_source(villages.village(slug).folder)
    known = specs(kind)
    for rule in pack["rules"]:
        if kind in rule["kinds"]:
            read = {name for name in villages.names_read([rule]) if name in known}
            typed = {name for name in read if not known[name].get("computed")}
            assert typed - drawn(kind) - NOT_TYPED == set(), rule["id"]


@pytest.mark.parametrize(("file", "kind"), WALKS)
def test_a_form_draws_every_answer_of_its_walkthrough(file, kind):
    vector = json.loads((VECTORS / f"{file}.json").read_text("utf-8"))[0]
    assert vector["kind"] == kind
    assert set(vector["answers"]) - drawn(kind) - NOT_TYPED == set()


@pytest.mark.parametrize(("file", "kind"), WALKS)
def test_a_walkthroughs_rows_have_only_columns_of_the_form(file, kind):
    vector = json.loads((VECTORS / f"{file}.json").read_text("utf-8"))[0]
    forms = {form["protocol"]: form for form in villages.forms_for_tablets()}
    fields = {
        field["field"]: field
        for section in forms[kind]["sections"]
        for group in section.get("groups", ())
        for field in group["fields"]
    }
    for name, rows in vector["answers"].items():
        if name in fields and fields[name]["type"] == "list":
            columns = {column["field"] for column in fields[name]["row"]} | {"event_no"}
            for row in rows:
                assert set(row) <= columns, name


def test_a_lateral_asks_for_nine_photos_and_in_a_street_for_its_four_sides():
    required = [slot.shows for slot in villages.protocol("lateral").photos if slot.required]
    assert len(required) == 13
    assert required.count("barricade_side") == 4


def test_a_street_tap_asks_for_ten_photos():
    assert sum(slot.required for slot in villages.protocol("tap").photos) == 10


def test_the_sections_of_a_lateral_follow_the_work():
    assert [section.title for section in villages.protocol("lateral").sections] == [
        *("Permit and notice", "Trench and timing", "Pipe", "Slope and cover", "Connection"),
        *("Test", "Backfill", "Photos", "Decision", "Signatures"),
    ]


def test_a_manhole_visit_asks_entry_or_no_entry_before_anything_else():
    _, first = next(iter(villages.protocol("manhole").fields()))
    assert first.name == "entry"


def test_measures_offer_the_ordinances_unit_first():
    for form in villages.forms_for_tablets():
        for section in form["sections"]:
            for group in section.get("groups", ()):
                for field in group["fields"]:
                    if field["type"] == "measure":
                        assert field["units"][0] == field["unit"], field["field"]


def test_choices_keep_the_order_in_which_they_are_drawn():
    form = next(form for form in villages.forms_for_tablets() if form["protocol"] == "lateral")
    fields = {
        field["field"]: field
        for section in form["sections"]
        for group in section.get("groups", ())
        for field in group["fields"]
    }
    assert fields["location_type"]["choices"][0] == "street"
    assert fields["location_type"]["choice_labels"]["private"] == "Private yard"


def test_no_two_forms_number_their_records_alike():
    prefixes = [protocol.prefix for protocol in villages.protocols()]
    assert len(set(prefixes)) == len(prefixes) == 4


def test_an_unknown_form_or_version_is_none():
    assert villages.protocol("roof") is None
    assert villages.protocol("tap", "99") is None
