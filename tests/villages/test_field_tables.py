"""Each line of the trade's field tables stands on its form: type, unit, choices, when it is asked, why."""

from functools import cache

import pytest

from inspect_app.store import forms, villages
from tests.villages.field_tables import evidence, lines


@cache
def fields_of(kind):
    """What a form's fields and columns are, as the tablet draws them, by `name` and `list.column`."""
    form = next(form for form in villages.forms_for_tablets() if form["protocol"] == kind)
    found = {}
    for section in form["sections"]:
        for group in section.get("groups", ()):
            for field in group["fields"]:
                found[field["field"]] = field
                found |= {f"{field['field']}.{column['field']}": column for column in field.get("row", ())}
    return found


def insists(field):
    """When a form insists on a field: always, when something else is answered, or never."""
    required, condition = field.get("required", False), field.get("shown_when")
    if required is False:
        return "no"
    return "always" if required is True and condition is None else "when"


@pytest.mark.parametrize(
    ("table", "form", "name", "kind", "unit", "when", "choices"),
    list(lines()),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_form_asks_what_its_table_names(table, form, name, kind, unit, when, choices):
    field = fields_of(form).get(name)
    assert field is not None, f"Table {table}: no field {name} on the form {form}"
    assert field["type"] == kind
    assert field.get("unit") == unit
    assert set(choices) <= set(field.get("choices", ()))
    if when is not None:
        assert insists(field) == when
    assert "." in name or field["why"], "an inspector may ask why; a list says it for its columns"


@pytest.mark.parametrize(("form", "shows", "proves"), evidence())
def test_a_form_has_a_photo_for_each_piece_of_evidence(form, shows, proves):
    assert (shows, proves) in {(slot.shows, slot.proves) for slot in villages.protocol(form).photos}


def test_every_field_of_every_form_says_why_it_is_asked():
    for kind in villages.KINDS:
        silent = [name for name, field in fields_of(kind).items() if "." not in name and not field["why"]]
        assert silent == []


def test_both_forms_with_a_trench_draw_the_same_safety_block():
    part = forms.read_yaml(forms.PARTS / "open_excavation-1.yaml")
    names = [group["group"] for group in part["groups"]]
    blocks = []
    for kind in ("lateral", "tap"):
        form = next(form for form in villages.forms_for_tablets() if form["protocol"] == kind)
        groups = [group for section in form["sections"] for group in section.get("groups", ())]
        blocks.append([group for group in groups if group["group"] in names])
    assert [group["group"] for group in blocks[0]] == names
    assert blocks[0] == blocks[1]


def test_a_field_has_one_number_on_every_form_and_in_every_version():
    assert len(set(forms.numbers().values())) == len(forms.numbers())
    drawn = {name for kind in villages.KINDS for name in fields_of(kind) if "." not in name}
    earlier = {("lateral", "1"), ("tap", "1"), ("manhole", "1")}
    for form in forms.earlier_forms_for_tablets(earlier):
        for section in form["sections"]:
            for group in section.get("groups", ()):
                drawn |= {field["field"] for field in group["fields"]}
    assert drawn <= set(forms.numbers())
    assert fields_of("tap")["permit_no"]["no"] == fields_of("lateral")["permit_no"]["no"] == "301"
    assert fields_of("lateral")["segments.diameter"]["no"] == fields_of("lateral")["segments"]["no"] + "c"


def test_a_form_whose_field_has_no_number_is_refused(monkeypatch):
    known = {name: number for name, number in forms.numbers().items() if name != "clock"}
    monkeypatch.setattr(forms, "numbers", lambda: known)
    with pytest.raises(forms.ProtocolRefused, match="clock: has no number"):
        forms._checked(forms.with_parts(forms.read_yaml(forms.FORMS / "tap.yaml"), forms._parts()))
