"""Map files for tablets: whole, in parts, and only to the village they are of."""

import hashlib

import pytest

from inspect_app.services import maps
from inspect_app.store import demonstration

PATH = "/api/v1/maps/barneveld/parcels"


def get(tablet, path=PATH, **headers):
    """The answer to a tablet on which a person is signed in."""
    return tablet.client.get(path, headers=tablet.as_person() | headers, buffered=True)


def told(tablet):
    """The maps that the tablet's reference data names."""
    return get(tablet, "/api/v1/reference").json["maps"]


@pytest.fixture
def parcels(app):
    """The lots of Barneveld, as they were taken in."""
    with app.app_context():
        file = next(one for one in demonstration.map_layers("barneveld") if one.stem == "parcels")
        return maps.add("barneveld", file)


def test_a_tablet_gets_what_the_reference_names_with_the_hash_that_it_names(tablet_a, parcels):
    (named,) = told(tablet_a)
    answer = get(tablet_a)
    assert answer.status_code == 200
    assert hashlib.sha256(answer.data).hexdigest() == named["sha256"] == parcels.sha256
    assert len(answer.data) == named["bytes"]


def test_a_download_that_broke_off_goes_on_with_a_range(tablet_a, parcels):
    whole = get(tablet_a).data
    first = get(tablet_a, Range="bytes=0-99")
    rest = get(tablet_a, Range="bytes=100-")
    assert (first.status_code, rest.status_code) == (206, 206)
    assert first.headers["Content-Range"] == f"bytes 0-99/{len(whole)}"
    assert first.data + rest.data == whole
    assert get(tablet_a, Range="bytes=99999999-").status_code == 416


@pytest.mark.usefixtures("parcels")
def test_a_tablet_of_another_village_hears_of_no_map_here(outside):
    assert told(outside) == []
    assert get(outside).status_code == 404


@pytest.mark.usefixtures("parcels")
def test_without_a_token_there_is_no_map(client):
    assert client.get(PATH).status_code == 401


@pytest.mark.usefixtures("parcels")
@pytest.mark.parametrize("layer", ["mains", "..%2f..%2fsecret", "parcels.geojson", "basemap"])
def test_what_the_village_does_not_have_is_not_there(tablet_a, layer):
    assert get(tablet_a, f"/api/v1/maps/barneveld/{layer}").status_code == 404
