"""What the server set aside: each entry as it was sent, why it was not used, and a way to apply it again."""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask import Response, flash, g, redirect, render_template, request, url_for

from inspect_app.domain.errors import NotFound, Refused, TradeError
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.filters import size
from inspect_app.office.readings import moment, words
from inspect_app.services import again
from inspect_app.services import sync as sync_service
from inspect_app.store import inspections, people, queue, sync
from inspect_app.store.sync import RawItem

bp = village_blueprint("quarantine", __name__)

REASONS = {
    "op_id_reused": "Its id was used before, with another content.",
    "signature_wrong": "Its signature does not fit the tablet's key.",
    "device_revoked": "The tablet had been revoked.",
    "kind_unknown": "This server does not know this kind of entry.",
    "schema_unknown": "It was made by a newer app than this server knows.",
    "content_invalid": "Something in it is absent or of the wrong type.",
    "content_unreadable": "It cannot be read.",
    "office_only": "Only the office may do this.",
    "not_a_member": "Its author has no role in this village.",
    "person_inactive": "Its author is no longer active.",
    "not_an_inspector": "Its author is not an inspector here.",
    "record_unknown": "Its record is not known here.",
    "record_exists": "A record of this id is there already.",
    "wrong_village": "It was made for another village.",
    "protocol_unknown": "Its form is not installed here.",
    "list_unknown": "Its list is not on this form.",
    "group_unknown": "Its group is not on this form.",
    "field_unknown": "A field in it is not on this form.",
    "photo_id_taken": "A photo of this id is there already.",
    "row_id_taken": "A row of this id is there already.",
    "event_unreadable": "Its custody event cannot be read.",
    "conflict_unknown": "Its conflict is not known here.",
    "illegal_transition": "The record's state did not allow it.",
    "not_allowed": "Its author may not do this.",
}
RAW_SHOWN = 20_000  # letters of a last resort on the page; all of it is in the file to save
KINDS = {
    "record.create": "A new record",
    "group.set": "A group of readings",
    "list.add": "A row of a list",
    "photo.attach": "A photo",
    "custody.append": "A custody event",
    "record.submit": "A submission",
    "record.delete": "A deletion",
    "conflict.resolve": "A settled conflict",
    "device.note": "A note of the tablet",
}


@bp.get("/quarantine")
@roles_required("reviewer", "administrator")
def index() -> Any:
    """Everything that is set aside, newest first."""
    rows = queue.quarantined(g.village.slug)
    applied = sync.applied_again(g.village.slug, [row.OpLog.op_id for row in rows])
    items = [_item(row, applied.get(row.OpLog.op_id)) for row in rows]
    raw = [_raw_item(row) for row in queue.raw_items(g.village.slug)]
    count = sum(not item["applied"] for item in items + raw)
    return render_template(
        "quarantine.html",
        heading=f"{count} entr{'y is' if count == 1 else 'ies are'} set aside"
        if count
        else "Nothing is set aside",
        queue_href=url_for("queue.index"),
        items=items + raw,
    )


@bp.post("/quarantine/<op_id>")
@roles_required("reviewer", "administrator")
def reapply(op_id: str) -> Any:
    """Apply one entry again, as a new op in its author's name."""
    try:
        result = again.reapply(op_id, g.village.slug, g.person, datetime.now(UTC))
    except TradeError as refusal:
        flash(f"It still cannot be applied. {refusal} It stays here.", "warning")
    else:
        ending = (
            "It is in conflict with what is there." if result["status"] == "conflict" else "It is applied."
        )
        flash(f"{ending} The entry as it was sent is kept.", "pass")
    return redirect(url_for(".index"))


@bp.get("/quarantine/raw/<item_id>")
@roles_required("reviewer", "administrator")
def raw(item_id: str) -> Any:
    """The bytes of a last resort as they came, to keep: never shown as what they say they are."""
    item = sync.raw_item(item_id)
    if item is None or item.village != g.village.slug:
        raise NotFound("There is no such item in this village. Open the list again.")
    answer = Response(item.body, mimetype="application/octet-stream")
    answer.headers["Content-Disposition"] = f"attachment; filename=raw-{item.sha256[:12]}.bin"
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


@bp.post("/quarantine/raw/<item_id>")
@roles_required("reviewer", "administrator")
def note_raw(item_id: str) -> Any:
    """Note what became of it: it is then dealt with, and kept."""
    try:
        sync_service.note_raw(
            g.village.slug, item_id, request.form.get("text", ""), g.person, datetime.now(UTC)
        )
    except Refused:
        flash(
            "Nothing was noted. Say what became of it, in words that somebody understands in a year.",
            "warning",
        )
    else:
        flash("It is noted. The bytes are kept.", "pass")
    return redirect(url_for(".index"))


def _zone() -> ZoneInfo:
    return ZoneInfo(g.village.timezone)


def _item(row: Any, applied_op: str | None) -> dict[str, Any]:
    op = row.OpLog
    record = inspections.inspection_in(g.village.slug, op.record_id) if op.record_id else None
    facts: list[tuple[str, str, str | None]] = [
        ("Tablet", f"{row.device}, entry {op.seq}", None),
        ("Author", row.person or "not known", None),
    ]
    if record:
        facts.append(("Record", record.number, url_for("record.show", record_id=record.id)))
    elif op.record_id:
        facts.append(("Record", op.record_id, None))
    if op.carried_by:
        carrier = people.device(op.carried_by)
        facts.append(("Brought by", carrier.name if carrier else op.carried_by, None))
    facts += [
        ("Signature", "fits" if op.sig_ok else "does not fit", None),
        ("Body SHA-256", op.body_sha256, None),
    ]
    errors = json.loads(op.result_json).get("errors") or {}
    detail = "; ".join(f"{name}: {', '.join(why)}" for name, why in errors.items())
    reason = REASONS.get(op.reason or "", words(op.reason or "reason not given"))
    if (op.reason or "").startswith("bug:"):
        reason = "A defect of this program stopped it."
    can = (op.reason not in again.FINAL) and not applied_op
    return {
        "what": KINDS.get(op.kind or "", "An entry that cannot be read"),
        "received": f"Received {moment(op.received_at, _zone())}",
        "reason": f"{reason} {detail}".strip(),
        "facts": facts,
        "raw": _pretty(op.body),
        "applied": f"Applied again as op {applied_op}." if applied_op else "",
        "action": url_for(".reapply", op_id=op.op_id) if can else None,
        "why_not": "It cannot be applied as it is. Enter what it says by hand, and keep this.",
    }


def _raw_item(row: Any) -> dict[str, Any]:
    item = row.RawItem
    seq = str(item.headers.get("X-Op-Seq") or "")
    entry = f", in the place of entry {seq}" if seq.isascii() and seq.isdigit() else ""
    facts: list[tuple[str, str, str | None]] = [
        ("Tablet", f"{row.device}{entry}", None),
        ("Person", row.person or "not known", None),
        ("Size", size(len(item.body)), url_for(".raw", item_id=item.id)),
        ("SHA-256", item.sha256, None),
    ]
    return {
        "what": "Bytes that a tablet could send in no other way",
        "received": f"Received {moment(item.received_at, _zone())}",
        "reason": "Its batch was refused again and again.",
        "facts": facts,
        "raw": _pretty_envelope(item.body[:RAW_SHOWN].decode("utf-8", "replace")),
        "applied": _noted(item),
        "action": None,
        "note_action": url_for(".note_raw", item_id=item.id),
    }


def _noted(item: RawItem) -> str:
    if not item.note:
        return ""
    who = people.person(item.noted_by or "")
    return f"{who.name if who else 'Somebody who left'}, {moment(item.noted_at, _zone())}: {item.note}"


def _pretty_envelope(text: str) -> str:
    """An envelope with its texts opened, if it is one; else the text as it is."""
    try:
        return _pretty(json.loads(text)["body"])
    except (ValueError, TypeError, KeyError):
        return text


def _pretty(body: str) -> str:
    """The op as it was sent, with the texts inside opened so that a person can read them."""
    try:
        says = json.loads(body)
        says["content"] = json.loads(says["content"])
        if isinstance(says["content"].get("event"), str):
            says["content"]["event"] = json.loads(says["content"]["event"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return body
    return json.dumps(says, indent=2, ensure_ascii=False)
