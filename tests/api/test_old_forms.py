"""Every version of a form is kept: a record stays with the one it was begun with."""

import pytest

from inspect_app.domain.protocols import ProtocolRefused
from inspect_app.services import forms as form_service
from inspect_app.store import forms
from inspect_app.store.inspections import Inspection
from tests.office.conftest import Desk

CACHES = (forms._archive, forms._archived, form_service.form_of, form_service.specs_of)


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """`archive(version)`: the present tap form is kept as this earlier version too."""

    def keep(version, name=None, **changes):
        text = (forms.FORMS / "tap.yaml").read_text(encoding="utf-8")
        for old, new in {'version: "2"': f'version: "{version}"', **changes}.items():
            assert old in text
            text = text.replace(old, new)
        (tmp_path / (name or f"tap-{version}.yaml")).write_text(text, encoding="utf-8")

    monkeypatch.setattr(forms, "ARCHIVE", tmp_path)
    for cached in CACHES:
        cached.cache_clear()
    yield keep
    for cached in CACHES:
        cached.cache_clear()


@pytest.fixture
def desk(app, reviewer_1):
    desk = Desk(app)
    desk.sign_in(reviewer_1.sign_in_name, reviewer_1.password)
    return desk


def test_the_newest_is_meant_unless_a_version_is_named(archive):
    archive("0", **{"title: Tap check": "title: Tap check of old"})
    assert forms.protocol("tap").version == "2"
    assert forms.protocol("tap", "2").title == "Tap check"
    assert forms.protocol("tap", "0").title == "Tap check of old"
    assert forms.protocol("tap", "3") is None
    assert [form.version for form in forms.protocols() if form.kind == "tap"] == ["2"]
    assert [form["version"] for form in forms.forms_for_tablets() if form["protocol"] == "tap"] == ["2"]


def test_ops_that_name_an_older_form_are_accepted_and_the_office_shows_its_words(
    archive, tablet_a, rows, desk
):
    archive("0", **{"title: Tap check": "title: Tap check of old"})
    record_id = tablet_a.begin(version="0")
    tablet_a.set(record_id, "tap_geometry", {"clock": "11:00"})
    assert [result["status"] for result in tablet_a.push()] == ["applied", "applied"]
    assert rows(Inspection)[0]["protocol_version"] == "0"
    assert "Tap check of old" in desk.get(f"/barneveld/records/{record_id}").text


@pytest.mark.parametrize(
    ("version", "name", "changes"),
    [
        ("2", "tap-2.yaml", {}),
        ("0", "tap-9.yaml", {}),
        ("0", "tap-0.yaml", {"field: joint_distance_up": "field: no_such_field"}),
        ("0", "tap-0.yaml", {"include: open_excavation-1": "include: open_excavation-7"}),
    ],
)
def test_an_archive_that_is_not_what_it_says_is_refused(archive, version, name, changes):
    archive(version, name, **changes)
    with pytest.raises(ProtocolRefused):
        forms.protocol("tap", "7")


def test_a_draft_is_moved_to_the_newer_form_on_purpose_and_the_move_is_in_its_history(
    tablet_a, rows, app, reviewer_1
):
    record_id = tablet_a.begin(version="1")
    tablet_a.set(record_id, "tap_geometry", {"clock": "11:00"})
    move = {"protocol": "tap", "protocol_version": "2", "reason": "Version 1 asks what nobody can answer."}
    tablet_a.op("record.move_form", record_id, **move)
    tablet_a.op("record.move_form", record_id, **move)
    assert [result["status"] for result in tablet_a.push()] == ["applied", "applied", "applied", "noop"]
    [record] = rows(Inspection)
    assert record["protocol_version"] == "2"
    assert record["doc"]["groups"]["tap_geometry"]["values"] == {"clock": "11:00"}
    assert tablet_a.pull() is None or tablet_a.records[record_id]["doc"]["protocol_version"] == "2"
    desk = Desk(app)
    desk.sign_in(reviewer_1.sign_in_name, reviewer_1.password)
    page = desk.get(f"/barneveld/records/{record_id}").text
    assert "Moved to another version of the form" in page
    assert "From version 1 to 2. Version 1 asks what nobody can answer." in page


def test_no_record_moves_to_a_form_that_is_not_there_or_of_another_kind(tablet_a, rows):
    record_id = tablet_a.begin(version="1")
    for protocol, version in (("tap", "9"), ("lateral", "2")):
        tablet_a.op("record.move_form", record_id, protocol=protocol, protocol_version=version, reason="")
    results = tablet_a.push()
    assert [result["status"] for result in results] == ["applied", "quarantined", "quarantined"]
    assert {result["reason"] for result in results[1:]} == {"protocol_unknown"}
    assert rows(Inspection)[0]["protocol_version"] == "1"


def test_a_record_that_was_handed_in_stays_on_its_form(tablet_a, rows):
    record_id = tablet_a.begin(version="1")
    tablet_a.submit(record_id, [], {})
    tablet_a.op("record.move_form", record_id, protocol="tap", protocol_version="2", reason="")
    assert [result["status"] for result in tablet_a.push()][-1] == "noop"
    assert rows(Inspection)[0]["protocol_version"] == "1"
