"""Ops as they travel: what can be numbered, what can be read, and what each kind must say."""

import json

import pytest

from inspect_app.domain import envelopes
from inspect_app.domain.envelopes import NewerSchema, Unreadable, faults, read_body, read_content


def test_hashes_are_over_the_exact_texts():
    content = '{"schema": 1}'
    text = json.dumps({"v": 1, "device_id": "d", "seq": 7, "prev": "p", "op_id": "o", "content": content})
    body = read_body(text)
    assert (body.seq, body.sha256, body.content_sha256) == (
        7,
        envelopes.sha256(text),
        envelopes.sha256(content),
    )


@pytest.mark.parametrize(
    "text",
    ["[]", "{", "{}", '{"schema": "1"}', '{"schema": true}', '{"schema": 1, "x": NaN}',
     '{"schema": 1, "x": "\\u0000"}', '{"schema": 1, "x": 1e400}', '{"schema": 1, "x": [-1e999]}',
     '{"schema": 1, "x": {"\\ud800": 1}}', '{"schema": 1, "x": ' + "[" * 60 + "]" * 60 + "}"],
)  # fmt: skip
def test_a_content_that_cannot_be_kept_whole_is_unreadable(text):
    with pytest.raises(Unreadable):
        read_content(text)


def test_a_newer_schema_is_told_apart():
    with pytest.raises(NewerSchema):
        read_content(json.dumps({"schema": envelopes.SCHEMA + 1}))


def test_older_contents_go_through_every_upgrade(monkeypatch):
    monkeypatch.setattr(envelopes, "SCHEMA", 3)
    monkeypatch.setattr(
        envelopes,
        "UPGRADES",
        {1: lambda content: {**content, "one": True}, 2: lambda content: {**content, "two": content["one"]}},
    )
    assert read_content('{"schema": 1}') == {"schema": 1, "one": True, "two": True}
    assert read_content('{"schema": 3}') == {"schema": 3}


def test_every_kind_names_what_it_lacks():
    for kind, members in envelopes.KINDS.items():
        said = faults({"kind": kind})
        assert {
            name
            for name in members
            if name not in ("assignment_id", "parent_record", "permit_no", "was", "data")
        } <= set(said)


def test_a_whole_op_has_no_fault_and_more_members_than_known_are_no_fault():
    content = {
        "user_id": "u",
        "kind": "list.add",
        "record_id": "r",
        "list": "notes",
        "row_id": "x",
        "row": {},
        "new": 1,
    }
    assert faults(content) == {}
