"""Pushing ops: each once, in order, whatever the line does to the answers."""

import json

import pytest

from inspect_app.services import devices
from inspect_app.store.inspections import Inspection, InspectionHistory
from inspect_app.store.sync import ChangeLog, OpAlias, OpLog, RawItem
from tests.api.tablet import sha256

GEOMETRY = {"joint_distance_down": {"value": "5.5", "unit": "in"}, "clock": "11:00", "basis": "edge"}


def test_a_record_made_offline_arrives_with_a_number(tablet_a, rows):
    record_id = tablet_a.begin()
    tablet_a.set(record_id, "tap_geometry", GEOMETRY)
    results = tablet_a.push()
    assert [result["status"] for result in results] == ["applied", "applied"]
    assert results[0]["number"] == "T-0001"
    assert [result["rev"] for result in results] == [1, 2]
    assert tablet_a.queue == []
    record = rows(Inspection)[0]
    assert record["doc"]["groups"]["tap_geometry"]["values"] == GEOMETRY
    assert tablet_a.doc(record_id)["groups"]["tap_geometry"]["by"] == tablet_a.person["id"]


def test_numbers_run_by_village_and_kind(tablet_a, tablet_b, outside):
    for one in (tablet_a, tablet_b, outside):
        one.begin("tap")
        one.begin("lateral")
    numbers = [[result["number"] for result in one.push()] for one in (tablet_a, tablet_b, outside)]
    assert numbers == [["T-0001", "L-0001"], ["T-0002", "L-0002"], ["T-0001", "L-0001"]]


def test_replaying_a_batch_alters_nothing(tablet_a, rows):
    record_id = tablet_a.begin()
    tablet_a.note(record_id, "measured to the bell lip")
    first = tablet_a.push(lose_answer=True)
    again = tablet_a.push()
    assert again == first
    assert len(rows(OpLog)) == 2
    assert rows(Inspection)[0]["rev"] == 2
    assert len(rows(ChangeLog)) == 2


def test_change_numbers_are_gapless_and_the_log_is_chained(tablet_a, tablet_b, rows):
    for one in (tablet_a, tablet_b):
        one.begin()
        one.op("no.such.kind", None)
        one.push()
    log = sorted(rows(OpLog), key=lambda row: row["chg"])
    assert [row["chg"] for row in log] == list(range(1, len(log) + 1))
    head = ""
    for row in log:
        head = sha256(head + row["body_sha256"])
        assert row["log_hash"] == head
        assert row["body_sha256"] == sha256(row["body"])


def test_a_hole_in_the_numbers_stops_the_batch_and_names_the_missing_one(tablet_a, rows):
    first = tablet_a.seal(tablet_a.content("device.note", None, text="one", data=None))
    tablet_a.add(first)
    second = tablet_a.seal(tablet_a.content("device.note", None, text="two", data=None))
    answer = tablet_a.post_ops([second, first])
    assert answer.json["results"] == [
        {"op_id": json.loads(second["body"])["op_id"], "seq": 2, "status": "gap", "expect": 1}
    ]
    assert answer.json["accepted_through"] == 0
    assert rows(OpLog) == []


def test_another_op_under_a_used_number_is_a_fork(tablet_a, rows):
    tablet_a.op("device.note", None, text="one", data=None)
    tablet_a.push()
    other = tablet_a.seal(tablet_a.content("device.note", None, text="other", data=None), seq=1, prev="")
    assert tablet_a.post_ops([other]).json["results"][0]["status"] == "fork"
    wrong_chain = tablet_a.seal(tablet_a.content("device.note", None, text="x", data=None), prev="0" * 64)
    assert tablet_a.post_ops([wrong_chain]).json["results"][0]["status"] == "fork"
    assert len(rows(OpLog)) == 1


def test_an_op_sent_again_after_a_new_enrolment_is_taken_once(app, tablet_a, inspector_a, rows):
    record_id = tablet_a.begin()
    tablet_a.note(record_id, "kept")
    first = tablet_a.push(lose_answer=True)
    sent = [json.loads(envelope["body"]) for envelope in tablet_a.queue]
    with app.app_context():
        from datetime import UTC, datetime

        code = devices.make_code("barneveld", inspector_a.id, None, datetime.now(UTC))
    tablet_a.enrol(code)
    for body in sent:
        tablet_a.add(tablet_a.seal(body["content"], op_id=body["op_id"]))
    tablet_a.note(record_id, "new")
    results = tablet_a.push(lose_answer=True)
    assert [result["status"] for result in results] == ["applied"] * 3
    assert [result["chg"] for result in results[:2]] == [result["chg"] for result in first]
    assert tablet_a.push() == results
    assert len(rows(OpAlias)) == 2
    assert len(rows(OpLog)) == 3
    assert [row["row"]["note"] for row in tablet_a.doc(record_id)["lists"]["notes"]] == ["kept", "new"]


def test_an_op_id_used_for_something_else_is_set_aside(tablet_a, rows):
    op_id = tablet_a.op("device.note", None, text="one", data=None)
    tablet_a.add(tablet_a.seal(tablet_a.content("device.note", None, text="two", data=None), op_id=op_id))
    results = tablet_a.push(lose_answer=True)
    assert [result["status"] for result in results] == ["applied", "quarantined"]
    assert results[1]["reason"] == "op_id_reused"
    assert tablet_a.push() == results
    assert [row["claimed_op_id"] for row in rows(OpLog, status="quarantined")] == [op_id]


def test_a_bad_op_is_kept_and_does_not_hold_up_the_queue(tablet_a, rows):
    record_id = tablet_a.begin()
    tablet_a.op("group.set", record_id, group="tap_geometry", replaces="", values=["no", "object"])
    tablet_a.op("record.approve", record_id)
    tablet_a.op("made.up", record_id)
    tablet_a.add(tablet_a.seal(tablet_a.content("device.note", None, text="x", data=None) | {"schema": 99}))
    tablet_a.add(tablet_a.seal("not json"))
    tablet_a.op("group.set", record_id, group="tap_geometry", replaces="", values={"cover_depth": "1"})
    tablet_a.op("group.set", record_id, group="no_such_group", replaces="", values={})
    tablet_a.note(record_id, "after all that")
    results = tablet_a.push()
    assert [result.get("reason") for result in results] == [
        None,
        "content_invalid",
        "office_only",
        "kind_unknown",
        "schema_unknown",
        "content_unreadable",
        "field_unknown",
        "group_unknown",
        None,
    ]
    assert results[-1]["status"] == "applied"
    assert len(rows(OpLog, status="quarantined")) == 7
    assert rows(InspectionHistory, record_id=record_id)[-1]["what"] == "list:notes"


def test_a_wrong_signature_sets_the_op_aside(tablet_a, rows):
    record_id = tablet_a.begin()
    envelope = tablet_a.queue[0]
    tablet_a.queue[0] = {**envelope, "sig": tablet_a.sign("something else")}
    assert tablet_a.push()[0]["reason"] == "signature_wrong"
    assert rows(Inspection, id=record_id) == []
    assert rows(OpLog)[0]["sig_ok"] is False


def test_text_with_a_broken_character_is_set_aside_on_every_database(tablet_a):
    record_id = tablet_a.begin()
    tablet_a.note(record_id, "nul \x00 inside")
    tablet_a.note(record_id, "half \ud800 character")
    tablet_a.note(record_id, "Żółwą ß 箸 🚧")
    assert [result["status"] for result in tablet_a.push()] == [
        "applied",
        "quarantined",
        "quarantined",
        "applied",
    ]
    assert [row["row"]["note"] for row in tablet_a.doc(record_id)["lists"]["notes"]] == ["Żółwą ß 箸 🚧"]


def test_a_bug_in_one_op_keeps_the_op_and_the_queue_moves_on(tablet_a, monkeypatch, rows):
    from inspect_app.services import ops

    def broken(_op):
        raise RuntimeError("a fault of ours")

    record_id = tablet_a.begin()
    tablet_a.note(record_id, "unlucky")
    tablet_a.set(record_id, "tap_geometry", GEOMETRY)
    monkeypatch.setitem(ops.EFFECTS, "list.add", broken)
    assert [result.get("reason") for result in tablet_a.push()] == [None, "bug:RuntimeError", None]
    assert rows(Inspection)[0]["rev"] == 2


def test_what_was_set_aside_can_be_applied_by_the_office(app, tablet_a, monkeypatch, rows, reviewer_1):
    from datetime import UTC, datetime

    from inspect_app.services import again, ops
    from inspect_app.store.people import person

    def broken(_op):
        raise RuntimeError("a fault of ours")

    record_id = tablet_a.begin()
    tablet_a.note(record_id, "unlucky")
    with monkeypatch.context() as patched:
        patched.setitem(ops.EFFECTS, "list.add", broken)
        tablet_a.push()
    op_id = rows(OpLog, status="quarantined")[0]["op_id"]
    with app.app_context():
        result = again.reapply(op_id, "barneveld", person(reviewer_1.id), datetime.now(UTC))
    assert result["status"] == "applied"
    note = tablet_a.doc(record_id)["lists"]["notes"][0]
    assert (note["row"]["note"], note["by"]) == ("unlucky", tablet_a.person["id"])


def test_a_chain_of_changes_that_was_set_aside_is_applied_again_without_a_conflict(
    app, tablet_a, rows, reviewer_1
):
    from datetime import UTC, datetime

    from inspect_app.domain.errors import IllegalTransition
    from inspect_app.services import again
    from inspect_app.store.people import person

    record_id = tablet_a.begin()
    with app.app_context():
        devices.revoke("barneveld", tablet_a.device_id, None, datetime.now(UTC))
    tablet_a.set(record_id, "tap_geometry", GEOMETRY)
    tablet_a.set(record_id, "tap_geometry", {**GEOMETRY, "clock": "10:30"})
    tablet_a.push()
    aside = [row["op_id"] for row in sorted(rows(OpLog, status="quarantined"), key=lambda row: row["seq"])]
    with app.app_context():
        for op_id in aside:
            result = again.reapply(op_id, "barneveld", person(reviewer_1.id), datetime.now(UTC))
            assert result["status"] == "applied"
        with pytest.raises(IllegalTransition, match="already"):
            again.reapply(aside[0], "barneveld", person(reviewer_1.id), datetime.now(UTC))
    assert rows(Inspection)[0]["doc"]["groups"]["tap_geometry"]["values"]["clock"] == "10:30"


def test_a_revoked_tablet_loses_nothing_but_nothing_of_it_is_applied(app, tablet_a, rows):
    from datetime import UTC, datetime

    record_id = tablet_a.begin()
    tablet_a.push()
    tablet_a.note(record_id, "made before it was revoked")
    with app.app_context():
        devices.revoke("barneveld", tablet_a.device_id, None, datetime.now(UTC))
    tablet_a.device_token = None
    result = tablet_a.push()[0]
    assert (result["status"], result["reason"]) == ("quarantined", "device_revoked")
    assert rows(Inspection)[0]["rev"] == 1
    answer = tablet_a.client.get("/api/v1/changes", headers=tablet_a.as_person())
    assert answer.status_code in (401, 403)


def test_another_villages_record_is_as_unknown_as_none(tablet_a, outside, rows):
    record_id = tablet_a.begin()
    tablet_a.push()
    outside.note(record_id, "not mine")
    outside.set(record_id, "tap_geometry", GEOMETRY)
    outside.op("record.delete", record_id, reason="mine now")
    outside.begin(village="barneveld")
    assert [result["reason"] for result in outside.push()] == ["record_unknown"] * 3 + ["wrong_village"]
    outside.pull()
    assert outside.records == {}
    assert rows(Inspection)[0]["rev"] == 1


def test_a_person_without_a_role_here_cannot_be_named_as_the_author(tablet_a, outsider, reader):
    for author in (outsider, reader):
        tablet_a.person = {"id": author.id}
        tablet_a.op("device.note", None, text="x", data=None)
    assert [result["reason"] for result in tablet_a.push()] == ["not_a_member", "not_an_inspector"]


def test_a_changed_epoch_asks_the_tablet_to_send_again_what_is_missing(app, tablet_a):
    from inspect_app.services.sync import change_epoch

    record_id = tablet_a.begin()
    op_ids = [json.loads(envelope["body"])["op_id"] for envelope in tablet_a.queue]
    tablet_a.push()
    with app.app_context():
        epoch = change_epoch()
    answer = tablet_a.post_ops([tablet_a.seal(tablet_a.content("device.note", None, text="x", data=None))])
    assert answer.status_code == 409
    assert answer.json["type"] == "/problems/epoch"
    assert answer.json["epoch"] == epoch
    known = tablet_a.client.post(
        "/api/v1/ops/have",
        json={"device_id": tablet_a.device_id, "ops": [*op_ids, "unheard-of"]},
        headers=tablet_a.as_device(),
    )
    assert known.json == {"epoch": epoch, "known": op_ids}
    tablet_a.epoch, old_cursor = epoch, tablet_a.cursor
    tablet_a.pull()
    assert record_id in tablet_a.records
    assert old_cursor == ""


def test_raw_bytes_are_kept_once(tablet_a, rows):
    for _ in range(2):
        answer = tablet_a.client.post(
            "/api/v1/ops/raw",
            data=b"\x00\xff anything",
            content_type="application/octet-stream",
            headers=tablet_a.as_device(),
        )
        assert answer.status_code == 200
    assert [row["body"] for row in rows(RawItem)] == [b"\x00\xff anything"]


def test_raw_bytes_take_their_ops_place_so_that_those_behind_it_follow_on(tablet_a, rows):
    record_id = tablet_a.begin()
    tablet_a.push()
    tablet_a.note(record_id, "no batch takes this one")
    tablet_a.note(record_id, "this one follows")
    unreadable, behind = tablet_a.queue
    place = {"X-Op-Seq": str(json.loads(unreadable["body"])["seq"]), "X-Op-Hash": sha256(unreadable["body"])}
    for _ in range(2):  # the answer is lost once
        answer = tablet_a.client.post(
            "/api/v1/ops/raw",
            data=json.dumps(unreadable),
            content_type="application/octet-stream",
            headers={**tablet_a.as_device(), **place},
        )
        assert answer.status_code == 200
    result = tablet_a.post_ops([behind]).json["results"][0]
    assert (result["status"], len(rows(RawItem))) == ("applied", 1)


@pytest.mark.parametrize(
    ("seq", "op_hash"), [("9", "a" * 64), ("0", "a" * 64), ("x", "a" * 64), ("2", "short")]
)
def test_raw_bytes_in_no_place_of_the_chain_move_nothing(tablet_a, rows, seq, op_hash):
    record_id = tablet_a.begin()
    tablet_a.push()
    headers = {**tablet_a.as_device(), "X-Op-Seq": seq, "X-Op-Hash": op_hash}
    answer = tablet_a.client.post("/api/v1/ops/raw", data=b"anything", headers=headers)
    assert (answer.status_code, len(rows(RawItem))) == (200, 1)
    tablet_a.note(record_id, "still the next")
    assert [result["status"] for result in tablet_a.push()] == ["applied"]


def test_unsent_counts_are_noted(tablet_a, rows):
    from inspect_app.store.people import Device

    headers = {**tablet_a.as_device(), "X-Unsent-Ops": "20", "X-Unsent-Bytes": "4000000"}
    tablet_a.client.post(
        "/api/v1/ops/have", json={"device_id": tablet_a.device_id, "ops": []}, headers=headers
    )
    device = rows(Device, id=tablet_a.device_id)[0]
    assert (device["unsent_ops"], device["unsent_bytes"]) == (20, 4_000_000)


def test_an_op_that_only_the_last_resort_took_leaves_no_hole_in_the_numbers(tablet_a):
    record_id = tablet_a.begin()
    tablet_a.push()
    unreadable = {"body": "no op at all", "sig": "x", "kid": tablet_a.kid}
    tablet_a.seq, tablet_a.head = tablet_a.seq + 1, sha256(unreadable["body"])
    place = {"X-Op-Seq": str(tablet_a.seq), "X-Op-Hash": tablet_a.head}
    for _ in range(2):
        answer = tablet_a.client.post(
            "/api/v1/ops/raw", data=json.dumps(unreadable), headers={**tablet_a.as_device(), **place}
        )
        assert answer.status_code == 200
    tablet_a.note(record_id, "what comes behind it")
    assert [result["status"] for result in tablet_a.push()] == ["applied"]
