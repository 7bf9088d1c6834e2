"""Who may not, and what is not taken: each a clear answer of the right status and type, and nothing lost."""

import json

import pytest

from inspect_app.store.inspections import Inspection
from inspect_app.store.sync import OpLog

CALLS = [
    ("POST", "/api/v1/ops"),
    ("POST", "/api/v1/ops/carried"),
    ("POST", "/api/v1/ops/have"),
    ("POST", "/api/v1/ops/raw"),
    ("GET", "/api/v1/changes"),
    ("GET", "/api/v1/snapshot"),
    ("GET", "/api/v1/reference"),
    ("POST", "/api/v1/files"),
    ("HEAD", "/api/v1/files/x"),
    ("PATCH", "/api/v1/files/x"),
    ("DELETE", "/api/v1/files/x"),
    ("GET", "/api/v1/photos/status?ids=x"),
    ("GET", "/api/v1/maps/barneveld/parcels"),
]


def is_problem(answer, status, slug=None):
    assert answer.status_code == status, answer.get_data(as_text=True)
    assert answer.content_type == "application/problem+json"
    assert answer.headers["X-Sync"] == "1"
    body = json.loads(answer.get_data())
    assert body["status"] == status
    assert body["type"].startswith("/problems/")
    assert body["detail"]
    if slug:
        assert body["type"] == f"/problems/{slug}"
    return body


def test_every_operation_is_in_the_list_above_or_needs_no_token(app):
    document = app.test_client().get("/api/v1/openapi.json").json
    listed = {
        (
            method.lower(),
            path.partition("?")[0]
            .replace("/x", "/{upload_id}")
            .replace("/barneveld/parcels", "/{village}/{layer}"),
        )
        for method, path in CALLS
    }
    open_ones = {
        (method, path)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method != "parameters" and operation.get("security") == []
    }
    every = {
        (method, path)
        for path, operations in document["paths"].items()
        for method in operations
        if method != "parameters"
    }
    assert every == listed | open_ones


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Basic eDp5", "Bearer ", "bearer\t"])
def test_without_a_good_token_nobody_may(client, header):
    headers = {"Authorization": header} if header else {}
    for method, path in CALLS:
        answer = client.open(path, method=method, headers=headers)
        assert answer.status_code == 401, (method, path)
        assert answer.headers["X-Sync"] == "1"
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        if method != "HEAD":
            is_problem(answer, 401)


def test_a_token_for_sending_does_not_read_and_one_for_reading_does_not_send(tablet_a):
    for path in ("/api/v1/changes", "/api/v1/snapshot", "/api/v1/reference"):
        is_problem(tablet_a.client.get(path, headers=tablet_a.as_device()), 403, "not-allowed")
    for path in ("/api/v1/ops", "/api/v1/ops/have", "/api/v1/ops/raw", "/api/v1/files"):
        is_problem(tablet_a.client.post(path, headers=tablet_a.as_person()), 403, "not-allowed")


def test_a_cookie_is_never_a_token(app, reviewer_1):
    client = app.test_client()
    with client.session_transaction() as session:
        session["_user_id"] = reviewer_1.id
    is_problem(client.get("/api/v1/changes"), 401)


def test_an_expired_token_costs_nothing_but_a_new_one(app, tablet_a):
    from datetime import UTC, datetime

    from sqlalchemy import update

    from inspect_app.store.base import db
    from inspect_app.store.people import DeviceToken

    tablet_a.begin()
    tablet_a.get_device_token()
    with app.app_context():
        db.session.execute(update(DeviceToken).values(expires_at=datetime(2026, 1, 1, tzinfo=UTC)))
        db.session.commit()
    is_problem(tablet_a.post_ops(tablet_a.queue), 401)
    tablet_a.device_token = None
    tablet_a.push()
    assert tablet_a.queue == []


@pytest.mark.parametrize(
    "path", ["/api/v1/ops", "/api/v1/ops/have", "/api/v1/devices", "/api/v1/auth/device"]
)
def test_malformed_json_and_other_types_are_told_apart(tablet_a, path):
    headers = tablet_a.as_device()
    for body in (b"", b"{", b"[1,", b'{"a": NaN}', b"[" * 15_000, b"\xff\xfe"):
        answer = tablet_a.client.post(path, data=body, content_type="application/json", headers=headers)
        is_problem(answer, 400, "bad-request")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None):
        answer = tablet_a.client.post(path, data=b"{}", content_type=kind, headers=headers)
        is_problem(answer, 415, "unsupported-media-type")


MISSHAPEN = (
    ({"unheard": 1}, "unheard"),
    ({"ops": []}, "ops"),
    ({"ops": "text"}, "ops"),
    ({"ops": [{"body": "{}", "sig": "x"}]}, "ops.0.kid"),
    ({"ops": [{"body": 5, "sig": "x", "kid": "y"}]}, "ops.0.body"),
    ({"ops": [{"body": "{}", "sig": "x", "kid": "y", "extra": 1}]}, "ops.0.extra"),
    ({"ops": [{"body": "{}", "sig": "x\x00", "kid": "y"}]}, "ops.0.sig"),
    ({"device_id": 7}, "device_id"),
    ({"epoch": None}, "epoch"),
    ({"batch": True}, "batch"),
)


def test_unknown_members_and_wrong_types_are_named_by_path(tablet_a, rows):
    tablet_a.begin()
    for change, where in MISSHAPEN:
        answer = tablet_a.post_ops(tablet_a.queue, **change)
        assert where in is_problem(answer, 422, "invalid")["errors"], change
    assert rows(OpLog) == []
    tablet_a.push()
    assert tablet_a.queue == []


UNREADABLE = (
    "not json",
    "[]",
    "{}",
    '{"v": 2, "device_id": "x", "seq": 1, "prev": "", "op_id": "x", "content": "{}"}',
    '{"v": 1, "device_id": "x", "seq": "1", "prev": "", "op_id": "x", "content": "{}"}',
    '{"v": 1, "device_id": "x", "seq": 1.0, "prev": "", "op_id": "x", "content": "{}"}',
    '{"v": 1, "device_id": "x", "seq": 0, "prev": "", "op_id": "x", "content": "{}"}',
    '{"v": 1, "device_id": "x", "seq": true, "prev": "", "op_id": "x", "content": "{}"}',
    '{"v": 1, "device_id": "another", "seq": 1, "prev": "", "op_id": "x", "content": "{}"}',
    '{"v": 1, "device_id": "x", "seq": 1, "prev": "", "op_id": "", "content": "{}"}',
    '{"v": 1, "device_id": "x", "seq": 1, "prev": "", "op_id": "x", "content": {}}',
    '{"v": 1, "device_id": "x", "seq": 1, "prev": "", "op_id": "\\ud800", "content": "{}"}',
    "\ud800",
)


def test_an_op_without_a_number_is_named_so_that_the_rest_can_be_sent(tablet_a, rows):
    tablet_a.begin()
    for body in UNREADABLE:
        bad = {"body": body, "sig": "x", "kid": tablet_a.kid}
        answer = tablet_a.post_ops([*tablet_a.queue, bad])
        assert list(is_problem(answer, 400, "unreadable-op")["errors"]) == ["ops.1.body"], body
    assert rows(OpLog) == []
    tablet_a.push()
    assert len(rows(Inspection)) == 1


def test_too_large_bodies_are_refused(tablet_a, rows):
    tablet_a.begin()
    tablet_a.push()
    for path, size in (
        ("/api/v1/ops", 400_000),
        ("/api/v1/ops/raw", 1_100_000),
        ("/api/v1/devices", 20_000),
        ("/api/v1/ops/have", 70_000),
    ):
        answer = tablet_a.client.post(
            path, data=b" " * size, content_type="application/json", headers=tablet_a.as_device()
        )
        is_problem(answer, 413, "too-large")
    assert len(rows(OpLog)) == 1


def test_more_than_a_hundred_ops_are_refused_whole(tablet_a, rows):
    for _ in range(101):
        tablet_a.op("device.note", None, text="x", data=None)
    assert "ops" in is_problem(tablet_a.post_ops(tablet_a.queue), 422)["errors"]
    assert rows(OpLog) == []


def test_a_batch_in_the_name_of_another_device_is_refused(tablet_a, tablet_b, rows):
    tablet_a.begin()
    answer = tablet_a.post_ops(tablet_a.queue, device_id=tablet_b.device_id)
    is_problem(answer, 404)
    is_problem(
        tablet_a.client.post(
            "/api/v1/ops/have",
            json={"device_id": tablet_b.device_id, "ops": []},
            headers=tablet_a.as_device(),
        ),
        404,
    )
    assert rows(OpLog) == []


def test_an_unreadable_cursor_asks_to_start_again(tablet_a):
    for cursor in ("x", "!!!", "bnVsbA", "WzEsMiwzXQ", "WyJlIiwtMSwicyJd"):
        answer = tablet_a.client.get(f"/api/v1/changes?cursor={cursor}", headers=tablet_a.as_person())
        is_problem(answer, 410, "resnapshot")


def test_a_wrong_query_is_refused(tablet_a):
    for query in ("limit=0", "limit=1001", "limit=x", "limit=7.2", "unheard=1"):
        answer = tablet_a.client.get(f"/api/v1/changes?{query}", headers=tablet_a.as_person())
        is_problem(answer, 422, "invalid")


def test_an_unknown_address_and_a_wrong_method_are_problems_too(client):
    is_problem(client.get("/api/v1/nothing"), 404)
    is_problem(client.delete("/api/v1/ops"), 405)


def test_outside_the_api_errors_are_pages(client):
    answer = client.get("/nothing/of/this/name/here")
    assert answer.status_code == 404
    assert answer.content_type.startswith("text/html")
