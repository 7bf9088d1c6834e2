"""The chain of custody: hashes, forks, and hand-overs that do not meet."""

import json

import pytest

from inspect_app.domain import custody


def event(prev="", action="seal", **says):
    return custody.read_event(json.dumps({"sample_set": "S-1", "prev": prev, "action": action, **says}))


def chain(*steps):
    events, prev = [], ""
    for action, says in steps:
        events.append(event(prev, action, **says))
        prev = events[-1].hash
    return events


def kinds(events):
    return [remark.kind for remark in custody.check(events)]


def test_the_hash_is_over_the_exact_text():
    assert custody.event_hash('{"a": 1}') != custody.event_hash('{"a":1}')


def test_a_chain_that_alternates_has_no_remark():
    assert (
        kinds(
            chain(
                ("seal", {"to_role": "sampler"}),
                ("relinquish", {"from_role": "sampler", "to_role": "courier"}),
                ("receive", {"from_role": "sampler", "to_role": "courier"}),
                ("relinquish", {"from_role": "courier", "to_role": "laboratory"}),
                ("lab_receipt", {"from_role": "courier", "to_role": "laboratory", "seal_state": "intact"}),
            )
        )
        == []
    )


def test_two_events_after_one_are_a_fork_until_both_are_named():
    first = event()
    left, right = event(first.hash, "relinquish", to_role="a"), event(first.hash, "relinquish", to_role="b")
    assert custody.forks([first, left, right]) == {left.hash, right.hash}
    closing = event(left.hash, "reconcile", reconciles=[left.hash, right.hash])
    assert custody.forks([first, left, right, closing]) == set()


def test_two_first_events_of_one_set_are_a_fork():
    assert len(custody.forks([event(action="seal"), event(action="open")])) == 2


def test_what_does_not_fit_is_said_and_not_refused():
    given_twice = chain(
        ("seal", {"to_role": "sampler"}),
        ("relinquish", {"from_role": "sampler", "to_role": "courier"}),
        ("relinquish", {"from_role": "sampler", "to_role": "laboratory"}),
    )
    assert "not_alternating" in kinds(given_twice)
    taken = chain(("seal", {"to_role": "sampler"}), ("receive", {"to_role": "laboratory"}))
    assert "two_holders" in kinds(taken)
    broken = chain(("lab_receipt", {"to_role": "laboratory", "seal_state": "broken"}))
    assert "seal" in kinds(broken)
    assert kinds([event("0" * 64)]) == ["unknown_previous"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sample_set": "", "prev": "", "action": "x"}', "{"])
def test_what_is_no_event_is_refused(text):
    with pytest.raises(ValueError):
        custody.read_event(text)
