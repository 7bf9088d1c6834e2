"""Photos: the preview in the page, the original as an attachment, one photo large, turned or beside another.

An address holds the photo's hash and its record, and both are checked against the village: a hash of another
village's photo answers like one that never was.
"""

import re
from typing import Any

from flask import abort, current_app, g, render_template, request, send_file, url_for

from inspect_app.domain.errors import NotFound, Refused
from inspect_app.office import shots
from inspect_app.office.access import village_blueprint
from inspect_app.office.queue import title_of
from inspect_app.services import previews
from inspect_app.services.forms import form_of
from inspect_app.services.pictures import ENDINGS
from inspect_app.store import inspections, photos
from inspect_app.store.blobs import BlobStore
from inspect_app.store.photos import Photo

bp = village_blueprint("photos", __name__)
TURNS = (0, 90, 180, 270)


@bp.get("/records/<record_id>/photos/<sha256>/preview")
def preview(record_id: str, sha256: str) -> Any:
    """The picture for the screen; 404 with the reason where there is none."""
    photo = _photo(record_id, sha256)
    settings = current_app.config["SETTINGS"]
    try:
        path, kind = previews.preview(
            photo, BlobStore(settings.blobs), settings.data / "derived", settings.pixel_limit
        )
    except Refused as refusal:
        raise NotFound(str(refusal)) from None
    answer = send_file(path, mimetype=kind, conditional=True)
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@bp.get("/records/<record_id>/photos/<sha256>/original")
def original(record_id: str, sha256: str) -> Any:
    """The bytes as the tablet captured them, to keep: never shown in the page."""
    photo = _photo(record_id, sha256)
    blobs = BlobStore(current_app.config["SETTINGS"].blobs)
    if photo.state not in shots.HERE or not blobs.exists(photo.sha256):
        raise NotFound("This photo has not arrived yet. The tablet still holds it.")
    record = inspections.inspection_in(g.village.slug, record_id)
    number = record.number if record else "photo"
    shows = re.sub(r"[^a-z0-9_]", "", str(photo.row.get("shows") or "photo"))
    kind = photo.content_type or "application/octet-stream"
    answer = send_file(
        blobs.path(photo.sha256),
        mimetype=kind,
        as_attachment=True,
        download_name=f"{number}-{shows}-{photo.sha256[:12]}.{ENDINGS.get(kind, 'bin')}",
    )
    answer.headers["Cache-Control"] = "private, max-age=3600"
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


@bp.get("/records/<record_id>/photos/<sha256>")
def show(record_id: str, sha256: str) -> Any:
    """One photo large; `turn` turns it, `with` sets another photo of the record beside it."""
    photo = _photo(record_id, sha256)
    record = inspections.inspection_in(g.village.slug, record_id)
    if record is None:
        abort(404)
    form = form_of(record.protocol, record.protocol_version)
    turn = request.args.get("turn", 0, type=int)
    turn = turn if turn in TURNS else 0
    everything = photos.photos_of([record_id])
    names = shots.names_of(everything, form)
    other = next((item for item in everything if item.sha256 == request.args.get("with")), None)
    own = _proof(photo, form, names)
    shown: list[dict[str, Any]] = [{"proof": own, "turn": turn}]
    if other is not None:
        shown.append({"proof": _proof(other, form, names), "turn": 0})
    here: dict[str, Any] = {"record_id": record_id, "sha256": sha256}
    beside: dict[str, Any] = {"with": other.sha256} if other else {}
    return render_template(
        "photo.html",
        record=record,
        title=title_of(record.protocol, record.protocol_version),
        heading=own["label"],
        proof=own,
        shown=[item for item in shown if item["proof"]["photo"]["src"]],
        compared=other is not None,
        turn_href=url_for(".show", **here, **beside, turn=TURNS[(TURNS.index(turn) + 1) % 4]),
        alone_href=url_for(".show", **here),
        queue_href=url_for("queue.index"),
        record_href=url_for("record.show", record_id=record_id),
        others=[
            {
                "href": url_for(".show", **here | {"with": item.sha256}),
                "src": picture["src"],
                "alt": picture["alt"],
                "label": names[item.id],
            }
            for item in everything
            if item.sha256 != sha256 and (picture := shots.picture(item, form, None))["src"]
        ],
    )


def _proof(photo: Photo, form: Any, names: dict[str, str]) -> dict[str, Any]:
    return {
        "label": names[photo.id],
        "meta": shots.meta(photo),
        "photo": shots.picture(photo, form, None),
    }


def _photo(record_id: str, sha256: str) -> Photo:
    """The photo of this hash in this record of this village, or NotFound."""
    found = next((photo for photo in photos.photos_of([record_id]) if photo.sha256 == sha256), None)
    if found is None or found.village != g.village.slug:
        raise NotFound("There is no such photo in this record.")
    return found
