"""Invariants of values: none is overwritten, deleted or settled by one who had not seen it (I5, I8, I13)."""

from inspect_app.domain.merge import same_values
from tests.simulation.facts import must, said

# After one of these, an edit is a proposal, or comes too late, whatever its author had seen.
CLOSING = ("record.delete", "record.approve", "record.void")


def nothing_was_overwritten_unseen(world, server):
    """Replays the log by itself, without the server's own merge, from what each author's screen showed."""
    current = {}
    for row in server.log:
        content, author = said(row), world.authored.get(row.op_id)
        key = (content.get("record_id"), content.get("group"))
        if row.kind == "group.set" and row.status == "applied":
            there = current.get(key)
            if there and there[1] != author.device:
                seen = author.saw.get(content["group"], {})
                must(
                    "I5",
                    same_values(seen, there[2]) or same_values(content["values"], there[2]),
                    f"{row.op_id} replaced {there[0]}, which {author.device} had not seen",
                )
            current[key] = (row.op_id, author.device, content["values"], {row.op_id})
        elif row.kind == "group.set" and row.status == "noop":
            there = current.get(key)
            must("I5", there and same_values(there[2], content["values"]), f"{row.op_id} was no noop")
            there[3].add(row.op_id)
        elif row.kind == "group.set" and row.status == "conflict":
            not_about_nothing(server, row, content, current.get(key))
        elif row.kind == "conflict.resolve" and row.status == "applied":
            settled(server, current, row, content, author)
    for (record_id, group), (_, _, values, _) in current.items():
        there = server.records[record_id].doc["groups"][group]
        must(
            "I5",
            same_values(there["values"], values),
            f"{group} of {record_id} has another value than the log",
        )


def not_about_nothing(server, row, content, there):
    """Nobody is asked to settle a difference that is none, or to confirm what its author had seen."""
    if there is None:
        return
    # Whoever names the current value may write it otherwise: 8.0 ft in the place of 8 ft is a change then.
    same = same_values(there[2], content["values"], exactly=content["replaces"] in there[3])
    must("I5", not same, f"{row.op_id} says what was there, and conflicts")
    record = server.records[content["record_id"]]
    was_closed = any(h.record_id == record.id and h.op_kind in CLOSING for h in server.history)
    if not was_closed:
        must("I5", content["replaces"] not in there[3], f"{row.op_id} names the current value, and conflicts")


def settled(server, current, row, content, author):
    conflict = next(one for one in server.conflicts if one.id == content["conflict_id"])
    unseen = [c["op"] for c in conflict.candidates if c["op"] not in content["saw"]]
    must(
        "I13",
        conflict.resolved_op != row.op_id or not unseen,
        f"{conflict.id} was settled without seeing {unseen}",
    )
    if not conflict.what.startswith("group:"):
        return
    key = (conflict.record_id, conflict.what.removeprefix("group:"))
    if content["take"] == "current":
        if key in current:
            current[key][3].add(row.op_id)
        return
    values = content["value"]
    if content["take"] == "candidate":
        values = next(c["values"] for c in conflict.candidates if c["op"] == content["value"])
    names = {row.op_id, content["value"]} if content["take"] == "candidate" else {row.op_id}
    current[key] = (row.op_id, author.device if author else "office", values, names)


def conflicts_hold_what_waits(world, server):
    held = {c["op"] for conflict in server.conflicts for c in conflict.candidates}
    followed = {said(row).get("replaces"): row.op_id for row in server.log if row.kind == "group.set"}
    for row in server.log:
        if row.kind == "group.set" and row.status == "conflict":
            content = said(row)
            later = followed.get(row.op_id)
            same = later and world.authored[later].device == world.authored[row.op_id].device
            must("I5", row.op_id in held or same, f"{row.op_id} {content['group']} is in no conflict")


def deletions_had_seen(world, server):
    """A deletion that was applied had seen every value that others had put there."""
    current = {}
    for row in server.log:
        content, author = said(row), world.authored.get(row.op_id)
        if row.kind == "group.set" and row.status == "applied":
            current[content["record_id"], content["group"]] = (
                row.op_id,
                author.device,
                content["values"],
                set(),
            )
        elif row.kind == "conflict.resolve" and row.status == "applied":
            settled(server, current, row, content, author)
        elif row.kind == "record.delete" and row.status == "applied":
            for (record_id, group), (_, device, values, _) in current.items():
                if record_id == content["record_id"] and device != author.device:
                    seen = author.saw.get(group, {})
                    must("I8", same_values(seen, values), f"{row.op_id} deleted {group} of {device} unseen")


def deleted_stays_deleted(server):
    """A record is gone exactly when it was deleted, and nobody has since taken an edit of it back."""
    gone = set()
    conflicts = {conflict.id: conflict for conflict in server.conflicts}
    for row in server.log:
        content = said(row)
        if row.status != "applied":
            continue
        if row.kind == "record.delete":
            gone.add(content["record_id"])
        elif row.kind == "conflict.resolve" and content["take"] != "current":
            if conflicts[content["conflict_id"]].what == "record":
                gone.add(content["record_id"])
            else:
                gone.discard(content["record_id"])
    for record in server.records.values():
        must("I8", not record.deleted or record.id in gone, f"{record.id} vanished without a deletion")
        must("I8", record.deleted or record.id not in gone, f"{record.id} was deleted and is back")
