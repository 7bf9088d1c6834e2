"""Merging: every value ends as current, replaced by somebody who saw it, or waiting as a candidate."""

from hypothesis import given
from hypothesis import strategies as st

from inspect_app.domain import merge
from inspect_app.domain.merge import Change

INCH = {"value": "5.5", "unit": "in"}


def change(op, replaces="", values=None, device="d-1"):
    return Change(op, replaces, values or {"clock": op}, "somebody", "2026-05-14T10:00:00-05:00", device, {})


def entry(op="o-1", values=None, also=()):
    return {
        "op": op,
        "values": values or {"clock": op},
        "by": "a",
        "at": "",
        "device": "d-0",
        "also": list(also),
    }


def test_the_first_value_of_a_group_is_applied():
    merged = merge.set_group("tap_geometry", change("o-1"), None, [])
    assert (merged.status, merged.entry["op"]) == ("applied", "o-1")


def test_a_change_that_names_the_current_one_is_applied():
    assert merge.set_group("g", change("o-2", "o-1"), entry(), []).status == "applied"


def test_a_change_that_names_another_name_of_the_current_one_is_applied():
    assert merge.set_group("g", change("o-3", "o-2"), entry(also=["o-2"]), []).status == "applied"


def test_a_change_that_names_nothing_where_something_stands_is_a_conflict():
    merged = merge.set_group("g", change("o-2"), entry(), [])
    assert (merged.status, merged.kind, merged.entry) == ("conflict", "group", None)
    assert [candidate["op"] for candidate in merged.candidates] == ["o-2"]


def test_equal_values_are_no_conflict_and_give_the_current_one_another_name():
    merged = merge.set_group(
        "g", change("o-2", values={"d": {"value": "5 1/2", "unit": "in"}}), entry(values={"d": INCH}), []
    )
    assert merged.status == "noop"
    assert merged.entry["also"] == ["o-2"]
    assert merged.entry["values"] == {"d": INCH}


def test_an_author_may_write_the_same_number_another_way():
    seen = merge.set_group(
        "g", change("o-2", "o-1", {"d": {"value": "5.50", "unit": "in"}}), entry(values={"d": INCH}), []
    )
    assert (seen.status, seen.entry["values"]["d"]["value"]) == ("applied", "5.50")


def test_only_the_same_devices_candidate_makes_room():
    theirs = merge.parked(change("o-2", device="d-2"), [])
    assert len(merge.parked(change("o-3", "o-2", device="d-3"), theirs)) == 2
    assert [c["op"] for c in merge.parked(change("o-3", "o-2", device="d-2"), theirs)] == ["o-3"]


def test_after_approval_and_after_deletion_nothing_is_applied():
    for condition, kind in (({"approved": True}, "amendment"), ({"deleted": True}, "edit_after_delete")):
        merged = merge.set_group("g", change("o-2", "o-1"), entry(), [], **condition)
        assert (merged.status, merged.kind, merged.entry) == ("conflict", kind, None)


def test_signatures_of_two_people_stand_side_by_side():
    there = entry(values={"signature_inspector": "s-1"})
    merged = merge.set_group("signatures", change("o-2", values={"signature_installer": "s-2"}), there, [])
    assert merged.entry["values"] == {"signature_inspector": "s-1", "signature_installer": "s-2"}


def test_equal_as_measured():
    same = [
        ({"a": INCH}, {"a": {"value": " 5½ ", "unit": "in"}}),
        ({"a": "  x "}, {"a": "x"}),
        ({"a": None, "b": "", "c": []}, {}),
        ({"a": 2}, {"a": 2.0}),
    ]
    other = [
        ({"a": {"value": "6.0", "unit": "in"}}, {"a": {"value": "6.01", "unit": "in"}}),
        ({"a": INCH}, {"a": {"value": "5.5", "unit": "ft"}}),
        ({"a": "007"}, {"a": "7"}),
        ({"a": True}, {"a": 1}),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}),
    ]
    assert [merge.same_values(*pair) for pair in same] == [True] * len(same)
    assert [merge.same_values(*pair) for pair in other] == [False] * len(other)


@st.composite
def histories(draw):
    """What three devices do: each edits on top of what its screen shows, and pulls when it likes."""
    return draw(
        st.lists(
            st.tuples(st.integers(0, 2), st.sampled_from(["edit", "pull"]), st.integers(0, 3)), max_size=25
        )
    )


@given(histories())
def test_no_value_is_overwritten_by_somebody_who_had_not_seen_it(history):
    current, candidates = None, []
    screens = [""] * 3  # the op each device shows as current
    unsent = [[] for _ in range(3)]
    names = iter(f"o-{n}" for n in range(1000))

    def send(device):
        nonlocal current, candidates
        for one in unsent[device]:
            before = current
            merged = merge.set_group("g", one, current, candidates)
            again = merge.set_group("g", one, merged.entry or current, merged.candidates or candidates)
            if merged.status == "applied":
                if before:
                    assert one.replaces in {before["op"], *before["also"]}
                assert again.status == "noop"
                current = merged.entry
            elif merged.status == "noop":
                current = merged.entry
            else:
                assert one.op in {candidate["op"] for candidate in merged.candidates}
                lost = {c["op"] for c in candidates} - {c["op"] for c in merged.candidates}
                assert lost <= {one.replaces}
                candidates = merged.candidates
        unsent[device] = []

    for device, act, value in history:
        if act == "edit":
            op = next(names)
            unsent[device].append(change(op, screens[device], {"clock": str(value)}, f"d-{device}"))
            screens[device] = op
        else:
            send(device)
            screens[device] = current["op"] if current else ""


def test_a_settled_conflict_answers_to_the_name_of_the_value_that_was_taken():
    candidates = merge.parked(change("o-2", device="d-2"), [])
    taken = {"by": "r", "at": "", "device": "office", "value": None, "chosen": None}
    current = merge.resolve(entry(), candidates, take="current", op="o-9", **taken)
    assert (current["op"], current["also"]) == ("o-9", ["o-1"])
    theirs = merge.resolve(entry(), candidates, take="candidate", op="o-9", **taken)
    assert (theirs["values"], theirs["also"]) == ({"clock": "o-2"}, ["o-2"])
    measured = merge.resolve(
        entry(), candidates, take="value", op="o-9", **{**taken, "value": {"clock": "12:00"}}
    )
    assert (measured["values"], measured["also"]) == ({"clock": "12:00"}, [])
