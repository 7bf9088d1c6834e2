"""Tablets two releases behind: a format of ops that changed twice, and a server that reads them all.

Today's format is the first one. So two changes are planted: the values of a group were called `answers` in
the first, and `was` could be left out until the third.
"""

from contextlib import contextmanager

from inspect_app.domain import envelopes

NEWEST = 3


def _values_by_their_name(content):
    if "answers" not in content:
        return content
    return {
        **{name: value for name, value in content.items() if name != "answers"},
        "values": content["answers"],
    }


def _was_is_always_there(content):
    return {"was": None, **content} if content.get("kind") == "group.set" else content


UPGRADES = {1: _values_by_their_name, 2: _was_is_always_there}


@contextmanager
def two_newer():
    """Let the server be two releases ahead of the format it reads today."""
    before = envelopes.SCHEMA
    envelopes.SCHEMA = NEWEST
    envelopes.UPGRADES.update(UPGRADES)
    try:
        yield
    finally:
        envelopes.SCHEMA = before
        for schema in UPGRADES:
            del envelopes.UPGRADES[schema]


def as_written(content, schema):
    """A content of today as a release of that schema would have written it."""
    content = {**content, "schema": schema}
    if content["kind"] == "group.set" and schema < 3:
        del content["was"]
    if content["kind"] == "group.set" and schema < 2:
        content["answers"] = content.pop("values")
    return content


def today(content):
    """A content as the newest release reads it."""
    schema = content.get("schema", NEWEST)
    for step in range(schema if isinstance(schema, int) else NEWEST, NEWEST):
        content = UPGRADES[step](content)
    return content
