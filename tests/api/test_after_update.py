"""What an earlier version could not read is applied by the one that can, in order, without anybody asking."""

import json
from datetime import UTC, datetime

import pytest

from inspect_app.domain import envelopes
from inspect_app.services import again, devices, people
from inspect_app.store import forms
from inspect_app.store.inspections import Inspection
from inspect_app.store.sync import OpLog
from tests.api.tablet import sha256


def journal_newer(tablet, record_id, said):
    """An op of the next schema, in which a group's values are called `answers`."""
    content = tablet.content("group.set", record_id, group="tap_geometry", replaces="", was={})
    if tablet.current.get((record_id, "tap_geometry")):
        content["replaces"] = tablet.current[record_id, "tap_geometry"]
    newer = {**content, "schema": envelopes.SCHEMA + 1, "answers": said}
    tablet.current[record_id, "tap_geometry"] = tablet.add(tablet.seal(newer))


@pytest.fixture
def updated(monkeypatch):
    """`updated()`: from now on the server reads the next schema; older ones through one more step."""

    def renamed(content):
        return {**content, "schema": 1} | ({"values": content.pop("answers")} if "answers" in content else {})

    def plant():
        # The present schema is reached from the newer one here, so that its kinds need not change with it.
        read = envelopes.upgraded

        def upgraded(content):
            return read(renamed(dict(content)) if content.get("schema") == 2 else content)

        monkeypatch.setattr(envelopes, "upgraded", upgraded)

    return plant


def run(app):
    with app.app_context():
        return again.after_update(datetime.now(UTC))


def test_ops_of_a_newer_app_are_applied_in_order_once_the_server_reads_them(app, tablet_a, updated, rows):
    record_id = tablet_a.begin()
    journal_newer(tablet_a, record_id, {"clock": "10:00"})
    journal_newer(tablet_a, record_id, {"clock": "11:00"})
    assert [result.get("reason") for result in tablet_a.push()] == [None, "schema_unknown", "schema_unknown"]
    assert run(app) == {"applied": 0, "wait": 2}
    updated()
    assert run(app) == {"applied": 2, "wait": 0}
    assert run(app) == {"applied": 0, "wait": 0}
    doc = tablet_a.doc(record_id)
    assert doc["groups"]["tap_geometry"]["values"] == {"clock": "11:00"}
    assert doc["groups"]["tap_geometry"]["by"] == tablet_a.person["id"]
    again_ops = [row for row in rows(OpLog) if row["reapplies"]]
    assert len(again_ops) == 2
    assert json.loads(json.loads(again_ops[0]["body"])["content"])["reapplied_by"] is None
    assert [row["status"] for row in rows(OpLog, reason="schema_unknown")] == ["quarantined"] * 2


def test_a_form_that_is_installed_later_brings_its_record_and_all_that_was_set_aside_with_it(
    app, tablet_a, monkeypatch, rows
):
    record_id = tablet_a.begin(version="99")
    tablet_a.set(record_id, "tap_geometry", {"clock": "11:00"})
    tablet_a.note(record_id, "kept")
    tablet_a.op("list.add", "no-such-record", list="notes", row_id="n", row={"note": "of nothing"})
    reasons = [result["reason"] for result in tablet_a.push()]
    assert reasons == ["protocol_unknown", "record_unknown", "record_unknown", "record_unknown"]
    assert run(app) == {"applied": 0, "wait": 1}
    installed = forms.protocol("tap")
    monkeypatch.setattr(forms, "protocol", lambda kind, version=None: installed)
    assert run(app) == {"applied": 3, "wait": 0}
    record = rows(Inspection, id=record_id)[0]
    assert record["doc"]["groups"]["tap_geometry"]["values"] == {"clock": "11:00"}
    assert [row["row"]["note"] for row in record["doc"]["lists"]["notes"]] == ["kept"]


def test_a_kind_that_is_new_is_applied_by_the_version_that_knows_it(app, tablet_a, monkeypatch):
    from inspect_app.services import ops, records

    tablet_a.op("device.greeting", None)
    assert tablet_a.push()[0]["reason"] == "kind_unknown"
    assert run(app) == {"applied": 0, "wait": 1}
    monkeypatch.setitem(envelopes.KINDS, "device.greeting", {})
    monkeypatch.setattr(envelopes, "WITHOUT_RECORD", envelopes.WITHOUT_RECORD | {"device.greeting"})
    monkeypatch.setitem(ops.EFFECTS, "device.greeting", records.device_note)
    assert run(app) == {"applied": 1, "wait": 0}


def test_what_no_person_would_have_let_in_waits_for_one(
    app, tablet_a, tablet_b, tablet_of, inspector_b, updated, rows
):
    record_id = tablet_a.begin()
    tablet_a.push()
    forged = tablet_of(inspector_b)
    for tablet in (tablet_b, forged):
        journal_newer(tablet, record_id, {"clock": "9:00"})
    forged.queue[0] = {**forged.queue[0], "sig": tablet_a.sign("something else")}
    assert forged.push()[0]["reason"] == "signature_wrong"
    tablet_b.push()
    journal_newer(tablet_a, record_id, {"clock": "8:00"})
    tablet_a.push()
    tablet_a.op("record.approve", record_id)
    assert tablet_a.push()[0]["reason"] == "office_only"
    with app.app_context():
        devices.revoke("barneveld", tablet_b.device_id, None, datetime.now(UTC))
        people.set_active("barneveld", tablet_a.person["id"], False)
    updated()
    assert run(app) == {"applied": 0, "wait": 2}
    assert rows(Inspection)[0]["doc"]["groups"] == {}


def test_starting_the_server_does_it(live_server, tablet_a, rows):
    """With `serve` and with `db upgrade`; nothing to read yet is no reason not to start."""
    tablet_a.add(tablet_a.seal(tablet_a.content("device.note", None, text="x", data=None) | {"schema": 99}))
    assert tablet_a.push()[0]["reason"] == "schema_unknown"
    assert "1 entry that an earlier version set aside waits" in live_server.command("db", "upgrade").stdout
    live_server.restart()
    assert rows(OpLog)[0]["body_sha256"] == sha256(rows(OpLog)[0]["body"])


def test_what_was_applied_again_before_the_log_said_so_is_not_applied_twice(app, tablet_a, updated, rows):
    """The migration reads it from the ops themselves."""
    from flask_migrate import downgrade, upgrade

    record_id = tablet_a.begin()
    journal_newer(tablet_a, record_id, {"clock": "10:00"})
    tablet_a.push()
    updated()
    assert run(app) == {"applied": 1, "wait": 0}
    with app.app_context():
        downgrade(revision="0001")
        upgrade()
    assert [row["reapplies"] for row in rows(OpLog, reason="schema_unknown")] == [None]
    assert len([row for row in rows(OpLog) if row["reapplies"]]) == 1
    assert run(app) == {"applied": 0, "wait": 0}
