"""What a later visit takes over: the same as on the tablet (tests/pwa/store/carrying.test.js)."""

import pytest

from inspect_app.domain.carrying import carried, check
from inspect_app.domain.protocols import ProtocolRefused, read


def form(*carries):
    return read(
        {
            "protocol": "downspout",
            "version": "1",
            "title": "Downspout check",
            "prefix": "D",
            "carries": carries,
            "sections": [
                {
                    "id": "permit",
                    "title": "Permit",
                    "groups": [group("permit", "permit_no", "permit_seen_at")],
                },
                {"id": "outlets", "title": "Outlets", "groups": [outlets()]},
            ],
            "photos": [],
            "signatures": [],
        }
    )


def group(name, *fields):
    return {"group": name, "title": name, "fields": [{"field": field, "label": field} for field in fields]}


def outlets():
    columns = [{"field": name, "label": name} for name in ("id", "side", "result")]
    return {
        "group": "outlets",
        "title": "Outlets",
        "fields": [{"field": "outlets", "label": "Outlets", "row": columns}],
    }


GROUPS = {
    "permit": {"values": {"permit_no": "BV-1", "permit_seen_at": "2026-06-18T10:00:00-05:00"}},
    "outlets": {
        "values": {"outlets": [{"id": "D1", "side": "NE", "result": "connected"}, {"result": "connected"}]}
    },
    "place": {"values": {"gps": {"lat": 43, "lon": -89}}},
}


def test_a_later_visit_begins_with_what_its_form_carries_over_and_with_no_reading():
    assert carried(form("permit_no", "outlets.id", "outlets.side"), GROUPS) == {
        "permit": {"permit_no": "BV-1"},
        "outlets": {"outlets": [{"id": "D1", "side": "NE"}]},
    }


def test_a_form_that_carries_nothing_begins_with_nothing():
    assert carried(form(), GROUPS) == {}


@pytest.mark.parametrize("path", ["gps", "outlets", "outlets.colour", "permit_no.id"])
def test_a_form_that_carries_over_what_it_does_not_draw_is_refused(path):
    with pytest.raises(ProtocolRefused, match=path):
        check(form(path))
    check(form("permit_no", "outlets.id"))
