"""What a visit of the same place takes over from an earlier one: who, where, under which permit; no reading.

A form names it under `carries`: a field, or `list.column` for one column of every row. The twin on the tablet
is static/pwa/store/carrying.js; both give the same.
"""

from collections.abc import Mapping
from typing import Any

from inspect_app.domain.protocols import Protocol, ProtocolRefused

Values = dict[str, dict[str, Any]]


def check(protocol: Protocol) -> None:
    """Refuse a form that carries over what it does not draw; raises ProtocolRefused."""
    drawn = {field.name: {column.name for column in field.row} for _, field in protocol.fields()}
    refusals = [
        (path, "cannot be carried over: not a field of this form, or a list without a column of it")
        for path in protocol.carries
        for name, _, column in [path.partition(".")]
        if name not in drawn or bool(drawn[name]) != bool(column) or (column and column not in drawn[name])
    ]
    if refusals:
        raise ProtocolRefused(protocol.kind, refusals)


def carried(protocol: Protocol, groups: Mapping[str, Mapping[str, Any]]) -> Values:
    """The values, by group, that a new visit on this form begins with; `groups` as in a record's document."""
    taken: Values = {}
    for group, field in protocol.fields():
        values = groups.get(group.name, {}).get("values", {})
        if field.name not in values:
            continue
        if field.name in protocol.carries:
            taken.setdefault(group.name, {})[field.name] = values[field.name]
        columns = {column.name for column in field.row if f"{field.name}.{column.name}" in protocol.carries}
        if columns and isinstance(values[field.name], list):
            rows = [{name: row[name] for name in row if name in columns} for row in values[field.name]]
            if rows := [row for row in rows if row]:
                taken.setdefault(group.name, {})[field.name] = rows
    return taken
