"""A photo as the pages show it: its picture, what it proves in words, when and where it was taken."""

from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from flask import g, url_for

from inspect_app.domain.protocols import PhotoSlot, Protocol
from inspect_app.office.readings import Shown, instant, moment, words
from inspect_app.store.photos import HERE, Photo

NOT_HERE = {
    "missing": "Promised, not here yet. The tablet still holds it.",
    "partial": "On its way: part of it is here.",
    "bad": "What arrived does not have the hash the tablet signed. The tablet sends it again.",
}


def slot_of(photo: Photo, form: Protocol | None) -> PhotoSlot | None:
    """The slot of the form that this photo fills: by what it shows, then by what it proves."""
    slots = [slot for slot in form.photos if slot.shows == photo.row.get("shows")] if form else []
    exact = [slot for slot in slots if slot.proves == photo.row.get("proves")]
    return next(iter(exact or slots), None)


def name_of(photo: Photo, form: Protocol | None) -> str:
    slot = slot_of(photo, form)
    return slot.label if slot else words(str(photo.row.get("shows") or "photo"))


def names_of(photos: Iterable[Photo], form: Protocol | None) -> dict[str, str]:
    """The name of each photo by its id; where a slot holds several they are numbered as they were taken."""
    together: dict[str, list[str]] = {}
    for photo in photos:
        together.setdefault(name_of(photo, form), []).append(photo.id)
    return {
        photo_id: f"{name} {number}" if len(ids) > 1 else name
        for name, ids in together.items()
        for number, photo_id in enumerate(ids, 1)
    }


def picture(photo: Photo, form: Protocol | None, shown: Shown | None) -> dict[str, Any]:
    """Addresses and text of one photo; `shown` is the value it proves, for the text of the picture."""
    name = name_of(photo, form)
    slot = slot_of(photo, form)
    address: dict[str, Any] = {"record_id": photo.record_id, "sha256": photo.sha256}
    is_here = photo.state in HERE
    can_show = is_here and (not photo.problem or photo.preview_sha256)
    reads = f", reads {shown.line}" if shown and shown.text != "Not answered" else ""
    view = slot.in_view[:1].lower() + slot.in_view[1:] if slot else ""
    return {
        "name": name.lower(),
        "alt": f"{name}{reads}{': ' + view if view else ''}",
        "sha256": photo.sha256,
        "src": url_for("photos.preview", **address) if can_show else None,
        "href": url_for("photos.show", **address),
        "turned": url_for("photos.show", turn=90, **address),
        "compared": url_for("photos.show", **address) + "#cmp",
        "original": url_for("photos.original", **address),
        "why": photo.problem if is_here else NOT_HERE.get(photo.state, "Not here."),
    }


def meta(photo: Photo) -> str:
    """When, how exactly where, and whether the bytes are those of the shutter."""
    parts = []
    taken = instant(photo.row.get("taken_at"))
    if taken:
        parts.append(f"Photo {moment(taken, ZoneInfo(g.village.timezone), seconds=True)}")
    place = photo.row.get("taken_place")
    accuracy = place.get("accuracy_m") if isinstance(place, dict) else None
    parts.append(f"±\u00a0{accuracy:g}\u00a0m" if isinstance(accuracy, int | float) else "no position")
    if photo.row.get("from_library") in ("yes", True):
        parts.append("chosen from the tablet's library, not taken in the app")
    if photo.state in HERE:
        parts.append("unchanged since the shutter")
    elif photo.state == "bad":
        parts.append("the bytes here are not those of the shutter")
    else:
        parts.append("not here yet")
    return ", ".join(parts) + "."
