"""Blank forms on paper: the numbers of the tablet's fields, units, boxes; only what this village asks."""

import re

import pytest

from inspect_app.services import documents
from inspect_app.store import inspections, villages


@pytest.mark.parametrize("kind", villages.KINDS)
def test_a_blank_form_has_every_field_of_this_village_with_its_number(desk, reader, kind):
    page = desk(reader).get(f"/barneveld/forms/{kind}/print").text
    form = next(form for form in villages.forms_for_tablets() if form["protocol"] == kind)
    printed = re.findall(r'<span class="no">(\d+)</span>', page)
    wanted = [
        field["no"]
        for section in form["sections"]
        for group in section.get("groups", ())
        for field in group["fields"]
        if not field.get("shown_when", "").startswith("village == 'howards_grove'")
    ]
    assert printed == wanted
    for section in form["sections"]:
        assert f"<h2>{section['title']}</h2>" in page
    for slot in form["signatures"]:
        assert slot["says"] in page


def test_a_field_of_the_other_village_is_not_on_the_sheet(desk, reader, outsider):
    here = desk(reader).get("/barneveld/forms/lateral/print").text
    there = desk(outsider).get("/howards-grove/forms/lateral/print").text
    assert "Application number" in here
    assert "Application number" not in there
    assert "Indemnity on file" in there
    assert "Indemnity on file" not in here


def test_units_and_choices_stand_beside_the_boxes(desk, reader):
    page = desk(reader).get("/barneveld/forms/tap/print").text
    for words in (
        "Joint downstream",
        '<i class="bx"></i>in</span>',
        '<i class="bx"></i>cm</span>',
        "Cut-in wye",
    ):
        assert words in page
    assert "style=" not in page
    assert "<script" not in page


def test_each_printed_page_of_a_record_says_which_revision_it_is(app, tablet_a, desk, reader):
    record_id = tablet_a.tap()
    page = desk(reader).get(f"/barneveld/records/{record_id}").text
    assert f"/barneveld/records/{record_id}/print.css" in page
    marks = desk(reader).get(f"/barneveld/records/{record_id}/print.css")
    assert marks.mimetype == "text/css"
    with app.app_context():
        record = inspections.inspection(record_id)
        digest = documents.revision_hash(documents.pulled(record))[:16]
        assert f'"{record.number}, revision {record.rev}, {digest}"' in marks.text
    assert 'counter(page) " of " counter(pages)' in marks.text


def test_there_is_no_form_of_another_name_and_nothing_for_strangers(desk, reader, outsider):
    assert desk(reader).get("/barneveld/forms/roof/print").status_code == 404
    assert desk(outsider).get("/barneveld/forms/tap/print").status_code == 404
    assert desk().get("/barneveld/forms/tap/print").status_code == 302
