"""What a tablet must hold to work without a signal."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import select

from inspect_app.domain.inspections import OPEN_STATES
from inspect_app.services import findings, maps
from inspect_app.store import demonstration, forms, people, translations, villages
from inspect_app.store.base import db, transaction
from inspect_app.store.findings import PackRow
from inspect_app.store.inspections import Inspection
from inspect_app.store.people import Device, Person


def whole(device: Device, person: Person, now: datetime) -> dict[str, Any]:
    """Village, person, forms, packs by hash, permitted tappers and colleagues, for one device.

    The pack in force is kept when it is handed out: a record made under it today may come in a month.
    Packs of the village's open records are there too, so that a record is judged by its own.
    """
    slug = device.village
    village = villages.village(slug)
    pack = villages.pack_of(slug, now.astimezone(ZoneInfo(village.timezone)).date())
    answer: dict[str, Any] = {
        "village": {
            "slug": village.slug,
            "name": village.name,
            "short_name": village.short_name,
            "latitude": village.latitude,
            "longitude": village.longitude,
            "timezone": village.timezone,
            "bodies": dict(village.bodies),
            "starred": village.starred,
            # Without the browser's promise to keep its storage a tablet records nothing, but to be tried out,
            # or where the village takes the risk.
            "allow_unprotected_storage": village.allow_unprotected_storage or demonstration.is_loaded(),
            "stamp_previews": village.stamp_previews,
            "shrink_photos_px": village.shrink_photos_px,
        },
        "person": {"id": person.id, "name": person.name, "roles": list(people.roles_of(person, slug))},
        "protocols": forms.forms_for_tablets(),
        "former_protocols": forms.earlier_forms_for_tablets(_forms_in_use(slug)),
        "pack": pack.hash,
        "translations": translations.translations(village),
        "maps": maps.listed(slug),
        "tap_permissions": findings.tap_permissions(slug),
        "people": [{"id": one.id, "name": one.name} for one in people.people_of(slug)],
    }
    packs = {row.hash: row.canonical for row in _packs_in_use(slug)}
    if pack.hash not in packs and db.session.get(PackRow, pack.hash) is None:
        with transaction():
            findings.keep_pack(pack, slug, now)
    in_use = {name: findings.read_pack(text, name).data for name, text in packs.items()}
    return {**answer, "packs": {**in_use, pack.hash: pack.data}}


def _forms_in_use(slug: str) -> set[tuple[str, str]]:
    """Kind and version of the forms that the village's open records were begun on."""
    used = select(Inspection.protocol, Inspection.protocol_version).where(
        Inspection.village == slug, Inspection.state.in_(OPEN_STATES), Inspection.deleted.is_(False)
    )
    return {(kind, version) for kind, version in db.session.execute(used.distinct())}


def _packs_in_use(slug: str) -> list[PackRow]:
    """The packs of the village's open records."""
    used = select(Inspection.pack_hash).where(
        Inspection.village == slug, Inspection.state.in_(OPEN_STATES), Inspection.deleted.is_(False)
    )
    return list(db.session.scalars(select(PackRow).where(PackRow.hash.in_(used))))
