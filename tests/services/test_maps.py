"""What may be brought in as a village's map, what is refused and with which words, and what of it is kept."""

import json

import pytest

from inspect_app.domain.errors import NotFound, Refused
from inspect_app.services import maps
from inspect_app.store import demonstration


def feature(kind="Point", coordinates=(-89.896, 43.015), **properties):
    place = {"type": kind, "coordinates": list(coordinates)}
    return {"type": "Feature", "properties": {"id": "MH-112", **properties}, "geometry": place}


def collection(*features, **more):
    return {"type": "FeatureCollection", "features": list(features), **more}


@pytest.fixture
def add(app, tmp_path):
    """`add("structures.geojson", content)`: brings a file in for Barneveld."""

    def bring(name, content):
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        with app.app_context():
            return maps.add("barneveld", file)

    return bring


def test_a_layer_is_kept_and_told_of_with_the_hash_of_the_whole_and_of_each_piece(app, add):
    kept = add("structures.geojson", collection(feature()))
    with app.app_context():
        (told,) = maps.listed("barneveld")
        assert maps.listed("howards_grove") == []
    assert told["name"] == "structures"
    assert (told["bytes"], told["sha256"]) == (kept.size, kept.sha256)
    assert told["pieces"] == [kept.sha256]


def test_of_a_file_only_shapes_and_names_of_things_reach_tablets(app, add):
    add(
        "structures.geojson",
        collection(feature(owner="Somebody", phone="555", coordinates=(-89.8960001234, 43.015, 290.5))),
    )
    with app.app_context():
        text = maps.layer("barneveld", "structures", "barneveld").path.read_text()
    (kept,) = json.loads(text)["features"]
    assert kept["properties"] == {"id": "MH-112"}
    assert kept["geometry"]["coordinates"] == [-89.8960001, 43.015]


REFUSED = {
    "not JSON": (b"\x00\x01", "is not JSON"),
    "one feature alone": (feature(), "not a GeoJSON FeatureCollection"),
    "a list": ([feature()], "not a GeoJSON FeatureCollection"),
    "no features": (collection(), "holds no features"),
    "a state plane file": (
        collection(feature(), crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::8193"}}),
        "Export it in EPSG:4326",
    ),
    "feet": (collection(feature(coordinates=(2_100_000.0, 480_000.0))), "no longitude and latitude"),
    "the wrong way round": (collection(feature(coordinates=(43.015, -89.896))), "the wrong way round"),
    "another village's": (collection(feature(coordinates=(-87.8201, 43.8339))), "another village's file"),
    "lines as structures": (collection(feature("LineString", [(-89.896, 43.015)])), "structures are Point"),
    "no shape": (collection({"type": "Feature", "geometry": None}), "without a shape"),
    "no name": (collection(feature(id="")), "no id, such as MH-112"),
    "half a position": (collection(feature(coordinates=(-89.896,))), "no pair of numbers"),
    "words for numbers": (collection(feature(coordinates=("-89.896", "43.015"))), "no pair of numbers"),
    "no number": (b'{"type": "FeatureCollection", "features": [{"properties": {"id": "1"}, "geometry": '
                  b'{"type": "Point", "coordinates": [NaN, 43.0]}}]}', "no pair of numbers"),
    "nested without end": (b"[" * 100_000, "is not JSON"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_map_of_this_village_is_refused_in_words_and_the_old_one_stays(app, add, case):
    content, words = REFUSED[case]
    before = add("structures.geojson", collection(feature()))
    with pytest.raises(Refused, match=words):
        add("structures.geojson", content)
    with app.app_context():
        assert [one["sha256"] for one in maps.listed("barneveld")] == [before.sha256]


def test_a_file_that_is_too_large_a_layer_nobody_knows_and_no_archive_are_refused(app, add, monkeypatch):
    monkeypatch.setattr(maps, "MOST_LAYER_BYTES", 100)
    with pytest.raises(Refused, match=r"at most\. Cut it to the village"):
        add("parcels.geojson", collection(*[feature()] * 50))
    with pytest.raises(Refused, match="There is no layer owners"):
        add("owners.geojson", collection(feature()))
    with pytest.raises(Refused, match="not a PMTiles archive"):
        add("basemap.pmtiles", b"PK\x03\x04")
    assert add("basemap.pmtiles", b"PMTiles\x03" + bytes(200)).size == 208


def test_a_layer_that_is_taken_away_is_no_longer_told_of(app, add):
    add("structures.geojson", collection(feature()))
    with app.app_context():
        maps.remove("barneveld", "structures")
        assert maps.listed("barneveld") == []
        with pytest.raises(NotFound):
            maps.remove("barneveld", "structures")


@pytest.mark.parametrize("village", ["barneveld", "howards_grove"])
def test_the_demonstration_brings_a_map_on_which_its_assignments_stand(app, village):
    with app.app_context():
        for layer in demonstration.map_layers(village):
            maps.add(village, layer)
        assert [one["name"] for one in maps.listed(village)] == ["parcels", "streets", "mains", "structures"]
