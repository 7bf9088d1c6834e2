"""Blocks that forms share, and the includes that are refused."""

import pytest

from inspect_app.domain.form_parts import with_parts
from inspect_app.domain.protocols import ProtocolRefused

PARTS = {
    "trench-1": {"groups": [{"group": "depth"}, {"group": "lights"}], "photos": [{"shows": "opening"}]},
    "bare-1": {"groups": [{"group": "depth"}]},
    "nested-1": {"groups": [{"include": "trench-1"}]},
    "odd-1": {"groups": [{"group": "depth"}], "rules": []},
}


def form(*groups, photos=()):
    return {
        "protocol": "tap",
        "sections": [{"id": "site", "groups": list(groups)}, {"id": "photos"}],
        "photos": list(photos),
    }


def refusals(*groups, photos=()):
    with pytest.raises(ProtocolRefused) as refused:
        with_parts(form(*groups, photos=photos), PARTS)
    return refused.value.refusals


def test_a_block_stands_where_it_is_included():
    whole = with_parts(
        form(
            {"group": "place"}, {"include": "trench-1"}, {"group": "entry"}, photos=[{"include": "trench-1"}]
        ),
        PARTS,
    )
    assert [group["group"] for group in whole["sections"][0]["groups"]] == [
        "place",
        "depth",
        "lights",
        "entry",
    ]
    assert whole["photos"] == [{"shows": "opening"}]
    assert whole["sections"][1] == {"id": "photos"}


def test_a_form_without_includes_stays_as_it_is():
    assert with_parts(form({"group": "place"}), PARTS) == form({"group": "place"})


@pytest.mark.parametrize(
    ("include", "reason"),
    [
        ({"include": "trench-2"}, "no such block"),
        ({"include": "trench-1", "title": "Mine"}, "says nothing else"),
        ({"include": "nested-1"}, "includes no other block"),
        ({"include": "odd-1"}, "not rules"),
    ],
)
def test_an_include_that_cannot_be_followed_is_refused_by_name(include, reason):
    [(place, said)] = refusals(include)
    assert place == include["include"]
    assert reason in said


def test_photos_are_included_only_from_a_block_that_has_some():
    assert refusals(photos=[{"include": "bare-1"}]) == [("bare-1", "this block has no photos")]


def test_every_bad_include_is_named_at_once():
    assert [place for place, _ in refusals({"include": "a-1"}, photos=[{"include": "b-1"}])] == ["a-1", "b-1"]
