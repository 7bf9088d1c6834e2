"""What the record page carries for the drawings of the tablet: readings, and the rules that judge them."""

import html
import json
import re

from tests.office.field_work import BAD_TAP


def carried(page: str) -> dict | None:
    found = re.search(r'data-readings="([^"]*)"', page)
    return json.loads(html.unescape(found[1])) if found else None


def test_the_page_carries_the_readings_of_the_excavation_and_what_judged_them(tablet_a, desk, reviewer_1):
    page = desk(reviewer_1).get(f"/barneveld/records/{tablet_a.tap(BAD_TAP)}").text
    readings = carried(page)
    assert readings["kind"] == "tap"
    assert readings["answers"]["barricades_type"] == "type_iii"
    assert {body["rule"] for body in readings["findings"]} >= {"BV-EXC-02"}
    assert 'data-drawn="excavation"' in page
    assert "The values stand below, under “Site safety”." in page
    # Only what judges drawn rows travels with the page; a tap has no list that is drawn.
    assert readings["pack"]["rules"] == []
    assert len(json.dumps(readings)) < 40_000


def test_a_record_without_such_readings_carries_nothing(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(leave_out=("barricades", "lights"))
    page = desk(reviewer_1).get(f"/barneveld/records/{record_id}").text
    assert carried(page) is None
    assert "office-drawings.js" not in page
