"""The page with which a reader of an evidence package begins: what was recorded, with the photos."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from inspect_app.domain.custody import check, read_event
from inspect_app.store.custody import CustodyEvent
from inspect_app.store.inspections import Inspection
from inspect_app.store.photos import Photo
from inspect_app.store.sync import OpLog

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #c9d1d9 }
.scroll { overflow-x: auto } code { overflow-wrap: anywhere } figure { margin: 0 }
.photos { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem }
img { max-width: 100%; height: auto } figcaption { font-size: .85rem }
"""


def index(
    record: Inspection,
    findings: Sequence[dict[str, Any]],
    events: Sequence[CustodyEvent],
    photos: Sequence[tuple[Photo, str | None]],
    ops: Sequence[OpLog],
) -> bytes:
    """The page, UTF-8; `photos` with the file of each in the package, None where its bytes are not here."""
    title = f"Evidence package of record {record.number}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(record.place)}. Begun {_at(record.begun_at)}; state: {escape(record.state)}.</p>",
        "<p>Check this package with <code>inspect-app verify</code>, or, on a machine without the product, "
        "with <code>python check_evidence.py</code> and the package's name; take the checker from the "
        "village or from the product's source rather than from a package you do not trust yet.</p>",
        "<h2>Findings</h2>",
        _table(
            ("rule", "outcome", "figure"), ((f["rule"], f["outcome"], f["value"] or "") for f in findings)
        ),
        *_custody(events),
        *_photos(photos),
        "<h2>Entries as they were signed</h2>",
        _table(
            ("file", "what", "received", "status"),
            (
                (f"ops/{n:06}.json", op.kind or "", _at(op.received_at), op.status)
                for n, op in enumerate(ops, 1)
            ),
        ),
        "<p>The record as the office holds it is in <code>record.json</code>.</p>",
    ]
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )
    return page.encode()


def _custody(events: Sequence[CustodyEvent]) -> list[str]:
    if not events:
        return []
    read = [read_event(row.event) for row in events]
    remarks: dict[str, list[str]] = {}
    for remark in check(read):
        remarks.setdefault(remark.event, []).append(remark.text)
    rows = (
        (
            event.action.replace("_", " "),
            str(event.says.get("at") or row.wall or ""),
            str(event.says.get("from_role") or ""),
            str(event.says.get("to_role") or ""),
            str(event.says.get("seal_no") or ""),
            " ".join(remarks.get(event.hash, [])),
            event.hash[:16],
        )
        for row, event in zip(events, read, strict=True)
    )
    return [
        "<h2>Chain of custody</h2>",
        _table(("event", "at", "from", "to", "seal", "remarks", "hash begins"), rows),
    ]


def _photos(photos: Sequence[tuple[Photo, str | None]]) -> list[str]:
    if not photos:
        return []
    figures = []
    for photo, file in photos:
        shows = str(photo.row.get("shows") or "photo").replace("_", " ")
        said = f"{escape(shows)}, {escape(str(photo.row.get('taken_at') or photo.wall or ''))}"
        picture = (
            f'<a href="{file}"><img src="{file}" alt="{escape(shows)}" loading="lazy"></a>'
            if file
            else "<p>Its bytes have not arrived.</p>"
        )
        figures.append(
            f"<figure>{picture}<figcaption>{said}<br><code>{photo.sha256}</code></figcaption></figure>"
        )
    return ["<h2>Photos</h2>", f'<div class="photos">{"".join(figures)}</div>']


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(_text(cell))}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>"
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)


def _at(instant: Any) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC"
