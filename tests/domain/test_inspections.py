"""A record as a document: its states, its answers, and one text for one content in both languages."""

import json
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_app.domain import inspections
from inspect_app.domain.errors import IllegalTransition, NotAllowed
from inspect_app.domain.inspections import MOVES, STATES, answers_of, canonical, move, revision_hash


@pytest.mark.parametrize("kind", sorted(MOVES))
@pytest.mark.parametrize("state", STATES)
def test_every_step_is_allowed_from_its_states_only(kind, state):
    from_states, to_state, _ = MOVES[kind]
    if state in from_states:
        assert move(kind, state, ["inspector", "reviewer"], False) == to_state
    else:
        with pytest.raises(IllegalTransition):
            move(kind, state, ["inspector", "reviewer"], False)


def test_roles_decide_who_may():
    assert move("record.submit", "draft", ["inspector"], True) == "submitted"
    for kind in ("record.approve", "record.return", "record.review", "record.void"):
        with pytest.raises(NotAllowed):
            move(kind, "submitted", ["inspector", "reader"], False)
    with pytest.raises(NotAllowed):
        move("record.approve", "submitted", ["reviewer"], True)


def test_what_stands_in_the_way_of_an_approval_is_named():
    finding = {
        "rule": "BV-TAP-04",
        "outcome": "not_evaluated",
        "missing": ["joint_distance_up"],
        "open_item": False,
    }
    given = {
        "open_conflicts": 2,
        "photos_missing": 1,
        "deleted": False,
        "decided": (),
        "severities": {"BV-TAP-04": "violation"},
    }
    said = " ".join(inspections.obstacles(findings=[finding], **given))
    assert "2 conflicts are open" in said
    assert "1 photo has not arrived" in said
    assert "joint_distance_up is missing" in said
    assert (
        inspections.obstacles(
            findings=[{**finding, "outcome": "pass"}],
            open_conflicts=0,
            photos_missing=0,
            deleted=False,
            decided=(),
            severities={},
        )
        == []
    )


def test_answers_are_flat():
    doc = {
        "groups": {"g": {"values": {"clock": "11:00"}}, "h": {"values": {"basis": "edge"}}},
        "lists": {"notes": [{"row": {"note": "x"}}], "gas": []},
        "photos": [{"photo_id": "p-1", "row": {"shows": "cover"}}],
        "custody": [{"says": {"action": "seal"}}],
    }
    assert answers_of(doc) == {
        "clock": "11:00",
        "basis": "edge",
        "notes": [{"note": "x"}],
        "photos": [{"shows": "cover", "photo": "p-1"}],
        "custody_events": [{"action": "seal"}],
    }


def test_the_signed_hash_leaves_the_signatures_out_and_the_order_of_photos():
    groups = {"g": {"values": {"a": 1}}, "signatures": {"values": {"s": "1"}}}
    assert revision_hash(groups, ["b", "a"]) == revision_hash({"g": {"values": {"a": 1}}}, ["a", "b"])


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(-1e15, 1e15)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcXYZ_09", max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_canonical_json_reads_back_as_the_same(value):
    assert json.loads(canonical(value)) == value


def test_canonical_json_is_the_same_text_in_javascript(request):
    node = shutil.which("node")
    assert node, "node is needed to compare both languages"
    values = [
        0.1, -0.0, 1e-7, 1.5e-7, 0.000001, 123456789012345680000.0, 1e21, 1.5e300, 5e-324, 45.0, -88.123456,
        {"b": [1, {"a": None}], "a": "ß🚧\u2028\"\\\n"}, [], {}, True, "7.10",
    ]  # fmt: skip
    hashes = request.config.rootpath / "inspect_app/static/pwa/store/hashes.js"
    script = (
        f"import {{canonical}} from {json.dumps(hashes.as_uri())};"
        "process.stdout.write(canonical(JSON.parse(process.argv[1])))"
    )
    made = subprocess.run(
        [node, "--input-type=module", "-e", script, json.dumps(values)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout == canonical(values)
