"""The chain-of-custody form of a sampling visit: what the record says, and nothing of when it is printed.

After EPA Region V's custody manual and the forms of Wisconsin laboratories: each container, each hand it went
through, each signature. The same record gives the same bytes, so the form's own hash may be written down.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from xml.sax.saxutils import quoteattr
from zoneinfo import ZoneInfo

import segno

from inspect_app.domain.containers import instant, labelled, rows_of, sample_id
from inspect_app.domain.custody import check, read_event
from inspect_app.domain.errors import Refused
from inspect_app.domain.inspections import answers_of
from inspect_app.reports.typeset import typeset
from inspect_app.services import documents
from inspect_app.store import custody as custody_store
from inspect_app.store import forms, people, villages
from inspect_app.store.custody import CustodyEvent
from inspect_app.store.inspections import Inspection

Values = Mapping[str, Any]
SAMPLE_COLUMNS = (
    ("Sample", "sample_id"),
    ("Filled", "filled_at"),
    ("For", "analyte_group"),
    ("Taken as", ""),
    ("Bottle", "container_material"),
    ("Volume", "volume"),
    ("Preservative", "preservative"),
    ("pH after", "ph_after"),
    ("Sample is", "qc_type"),
    ("Seal", "seal_no"),
)
EVENT_COLUMNS = ("No.", "What", "When", "From and to", "Seal", "As received", "Signed")
GRABS = frozenset({"oil_grease", "cyanide", "phenols", "chromium_vi"})
COMPOSITES = frozenset({"flow_composite_24h", "time_composite_24h"})


def has_samples(record: Inspection) -> bool:
    """Whether the record holds a container with a sample id, so that there is a form to print."""
    return bool(labelled(answers_of(record.doc)))


def custody_pdf(record: Inspection) -> bytes:
    """The form as tagged PDF/A-2a and PDF/UA-1; raises Refused where the record holds no container."""
    return typeset("custody", json.dumps(form_data(record), ensure_ascii=False).encode())


def form_data(record: Inspection) -> dict[str, Any]:
    """All that stands on the form, as texts; raises Refused where the record holds no container."""
    doc = documents.pulled(record)
    answers = answers_of(doc)
    containers = labelled(answers)
    if not containers:
        raise Refused(
            f"Record {record.number} has no container with a sample id, so there is no form to print."
        )
    village = villages.village(record.village)
    words = Words(record)
    rows = custody_store.events_of([record.id])
    last = rows[-1].event_hash if rows else "0" * 64
    form_no = str(answers.get("coc_no") or "without a number")
    says = f"{record.number} {form_no} {last}"
    changed = max([row.received_at for row in rows] + [record.submitted_at or record.begun_at])
    return {
        "timestamp": int(changed.timestamp()),
        "village": village.name,
        "record": record.number,
        "rev": record.rev,
        "form_no": form_no,
        "parent": str(answers.get("coc_parent") or ""),
        "zone": f"{village.timezone} ({changed.astimezone(words.zone):%Z})",
        "last_hash": last,
        "qr": segno.make(says, error="m", micro=False).svg_inline(scale=4, border=2),
        "qr_says": says,
        "facts": [fact for fact in _facts(record, answers) if fact[1]],
        "sample_columns": [name for name, _ in SAMPLE_COLUMNS],
        "samples": [_sample(row, answers, words) for row in containers],
        "event_columns": EVENT_COLUMNS,
        "events": _events(rows, words),
    }


def _facts(record: Inspection, answers: Values) -> list[tuple[str, str]]:
    sampler = people.person(record.inspector_id)
    return [
        ("User sampled", str(answers.get("facility") or "")),
        ("Point", str(answers.get("point_id") or answers.get("manhole_id") or record.place)),
        ("Event", str(answers.get("event_id") or record.permit_no or "")),
        ("Sampler", sampler.name if sampler else ""),
        ("Waybill", str(answers.get("waybill_no") or "")),
        ("Version", str(answers.get("coc_version") or "")),
    ]


def _sample(row: Values, answers: Values, words: "Words") -> list[str]:
    def cell(name: str) -> str:
        return words.said("containers", name, row.get(name)) if name else taken_as(row, answers)

    return [cell(name) for _, name in SAMPLE_COLUMNS]


def taken_as(row: Values, answers: Values) -> str:
    """Composite or grab: some analytes are never composited, whatever the event's mode."""
    analysis = str(row.get("analyte_group"))
    if analysis == "temp_blank":
        return ""
    is_composite = str(answers.get("mode")) in COMPOSITES and analysis not in GRABS
    return "composite" if is_composite else "grab"


def _events(rows: Sequence[CustodyEvent], words: "Words") -> list[dict[str, Any]]:
    chain = [read_event(row.event) for row in rows]
    remarks: dict[str, list[str]] = {}
    for remark in check(chain):
        remarks.setdefault(remark.event, []).append(remark.text)
    shown = []
    for number, (row, event) in enumerate(zip(rows, chain, strict=True), 1):
        says = event.says
        moved = [sample_id(one) for one in rows_of(says, "containers_moved")]
        signed = says.get("signature")
        signature: Values = signed if isinstance(signed, Mapping) else {}
        shown.append(
            {
                "no": str(number),
                "action": words.said("custody_events", "action", event.action),
                "org": str(says.get("org") or ""),
                "at": words.said("custody_events", "at_device", says.get("at_device"))
                or words.time(row.wall),
                "reached": words.time(row.received_at),
                "who": " to ".join(str(says[name]) for name in ("from_role", "to_role") if says.get(name)),
                "moved": ", ".join(moved),
                "seal": _joined(words, says, "seal_no", "seal_state"),
                "condition": _joined(words, says, "temp", "ice_present", "frozen", "discrepancy"),
                "signed": _signed(signature, row),
                "picture": signature_svg(signature.get("points")),
                "hash": row.event_hash,
                "prev": row.prev_hash,
                "remarks": remarks.get(row.event_hash, []),
            }
        )
    return shown


def _joined(words: "Words", says: Values, *names: str) -> str:
    told = {
        "ice_present": {"yes": "ice present", "no": "no ice"},
        "frozen": {"yes": "frozen", "no": ""},
        "discrepancy": {},
    }
    parts = []
    for name in names:
        text = words.said("custody_events", name, says.get(name))
        parts.append(told.get(name, {}).get(str(says.get(name)), text))
    return ", ".join(part for part in parts if part and part != "None")


def _signed(signature: Values, row: CustodyEvent) -> str:
    name = str(signature.get("name") or "")
    if not name:
        person = people.person(row.person_id)
        return f"entered by {person.name}" if person else ""
    if signature.get("typed"):
        witness = signature.get("witness")
        return f"{name}, by typed name" + (f", witnessed by {witness}" if witness else "")
    return name


def signature_svg(strokes: Any) -> str:
    """A drawn signature as a picture, from the strokes of the tablet's pad; empty where there are none."""
    lines = []
    for stroke in strokes if isinstance(strokes, list) else ():
        points = stroke.get("points") if isinstance(stroke, Mapping) else None
        spots = [
            (float(point["x"]), float(point["y"]))
            for point in points or ()
            if isinstance(point, Mapping)
            and isinstance(point.get("x"), int | float)
            and isinstance(point.get("y"), int | float)
        ]
        if spots:
            lines.append(spots if len(spots) > 1 else [spots[0], spots[0]])
    if not lines:
        return ""
    left, right = min(x for line in lines for x, _ in line), max(x for line in lines for x, _ in line)
    top, bottom = min(y for line in lines for _, y in line), max(y for line in lines for _, y in line)
    paths = "".join(
        f"<path d={quoteattr('M' + ' L'.join(f'{x:.1f} {y:.1f}' for x, y in line))}/>" for line in lines
    )
    box = f"{left - 3:.1f} {top - 3:.1f} {right - left + 6:.1f} {bottom - top + 6:.1f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" fill="none" stroke="#14201c" '
        f'stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">{paths}</svg>'
    )


class Words:
    """Answers of one record as the form prints them: choices by the form's own words, times local."""

    def __init__(self, record: Inspection) -> None:
        self.zone = ZoneInfo(villages.village(record.village).timezone)
        form = forms.protocol(record.protocol, record.protocol_version)
        self.lists: dict[str, Values] = {
            field.name: {column.name: column for column in field.row}
            for _, field in (form.fields() if form else ())
            if field.row
        }

    def said(self, list_name: str, name: str, answer: Any) -> str:
        if answer is None or answer == "" or answer == []:
            return ""
        if isinstance(answer, Mapping):
            unit = {"degC": "°C", "degF": "°F", "ml": "mL"}.get(
                str(answer.get("unit")), str(answer.get("unit", ""))
            )
            return f"{answer.get('value', '')} {unit}".strip()
        column = self.lists.get(list_name, {}).get(name)
        choices = dict(column.choices) if column is not None and column.choices else {}
        if isinstance(answer, list):
            return ", ".join(choices.get(str(one), str(one)) for one in answer)
        if str(answer) in choices:
            return str(choices[str(answer)])
        if name.endswith("_at") or name == "at_device":
            return self.time(answer)
        return str(answer)

    def time(self, when: Any) -> str:
        """`2026-04-15 08:00:00` in the village's time; what is no instant stays as it is."""
        at = when if isinstance(when, datetime) else instant(when)
        if at is None:
            return str(when or "")
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M:%S}"
