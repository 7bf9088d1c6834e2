"""An inspector's tablet for the tests of the review: signed ops of a tap check, and photos that arrive."""

import io
from datetime import UTC, date, datetime, timedelta

from PIL import Image, ImageDraw

from inspect_app.domain import inspections as inspection
from inspect_app.domain import rules
from inspect_app.domain.ids import new_id
from inspect_app.services import devices, documents, findings
from inspect_app.store import inspections, villages
from inspect_app.store.base import transaction
from inspect_app.store.blobs import BlobStore
from inspect_app.store.places import TapPermission
from tests.api.tablet import Tablet, sha256

VISIT = datetime(2026, 6, 18, 18, 10, tzinfo=UTC)  # 13:10 in Wisconsin
IN, FT = "in", "ft"


def m(value, unit=IN):
    return {"value": str(value), "unit": unit}


# A tap check with which every rule is content; a test changes one group and expects one thing.
CLEAN = {
    "arrival": {"arrived_at": "2026-06-18T12:40:00-05:00"},
    "place": {"gps": {"lat": 43.01562, "lon": -89.89531, "accuracy_m": 3}},
    "excavation": {
        "location_type": "street",
        "purpose": "tap",
        "opened_at": "2026-06-18T07:30:00-05:00",
        "open_now": "yes",
        "observed_at": "2026-06-18T13:10:00-05:00",
        "stays_open_overnight": "no",
    },
    "barricades": {
        "barricades_type": "type_iii",
        "barricades_count": 4,
        "barricades_sides": ["north", "east", "south", "west"],
    },
    "lights": {"lights_type": "none"},
    "frost": {"frost_depth": m(0), "frost_method": "probe"},
    "trench": {
        "depth_max": m("9.5", FT),
        "width": m("4", FT),
        "length": m("8", FT),
        "protective_system": "shield",
        "soil_type": "b",
        "shield_above_face": m(18),
        "dig_below_shield": m(0, FT),
    },
    "egress": {"egress": "ladder", "travel_max": m(12, FT), "ladder_above_edge": m(36)},
    "edge": {
        "spoil_setback": m("3.0", FT),
        "encumbrances": "no",
        "standing_water": "no",
        "loads_overhead": "no",
    },
    "competent_person": {
        "competent_person_role": "Contractor supervisor",
        "checked_at": "2026-06-18T07:15:00-05:00",
        "rain_since_check": "no",
        "atmosphere_hazard_possible": "no",
    },
    "locate": {"locate_ticket": "2026-TEST-90", "start_legal": "2026-06-17T07:00:00-05:00"},
    "street_access": {"spoil_access_ok": "yes", "walk_open": "yes"},
    "crew_entry": {"entry_made": "no"},
    "permit": {
        "permit_no": "BV-2026-0044",
        "permit_exhibited": "yes",
        "permit_seen_at": "2026-06-18T12:45:00-05:00",
        "permitted_kind": "saddle",
        "permitted_size": m(4),
    },
    "tapper": {
        "tapper": "Plumber 2",
        "permission_ref": "PWC 2026-03",
        "tapped_at": "2026-06-18T12:55:00-05:00",
    },
    "licence": {
        "installer_license": "MP-TEST-002",
        "license_class": "master",
        "license_expiry": "2027-03-31",
    },
    "application": {
        "application_no": "A-2026-031",
        "application_filed_on": "2026-05-20",
        "applicant_is_owner": "yes",
    },
    "work": {
        "work_type": "first_connection",
        "work_start": "2026-06-18T07:30:00-05:00",
        "last_work_on": "2026-06-18",
        "connection_on": "2026-06-18",
        "lateral_in_visit": "no",
    },
    "main": {"main_material": "pvc", "main_diameter": m(8)},
    "position": {"mh_ref": "MH-112", "direction": "downstream", "distance_mh": m("147.3", FT)},
    "tap_geometry": {
        "clock": "10:30",
        "view_direction": "downstream",
        "joint_distance_up": m("96.0"),
        "joint_distance_down": m("40.0"),
        "basis": "edge",
        "opening_dia": m("4.5"),
        "none_exposed": "no",
        "other_lateral_distance": m("31.0"),
    },
    "as_built": {"installed_kind": "saddle", "installed_size": m(4), "as_built_matches": "yes"},
    "fitting": {
        "protrusion": m(0),
        "coupon_recovered": "yes",
        "gasket_boot": "gasket",
        "straps": "two_stainless",
        "connection_leak_test": "pass",
    },
    "decision": {"decision": "accepted", "decision_at": "2026-06-18T13:30:00-05:00"},
}
BAD_TAP = CLEAN["tap_geometry"] | {"clock": "4:00", "joint_distance_down": m("5 1/2")}
SHOTS = [
    ("main_cleaned", "main_material"),
    ("inside_edge", "opening_dia"),
    ("tape_at_joint", "joint_distance_down"),
    ("tape_at_lateral", "other_lateral_distance"),
    ("clock_card", "clock"),
    ("saddle_on", "installed_kind"),
    ("barricade_side", "barricades_sides.north"),
    ("barricade_side", "barricades_sides.east"),
    ("barricade_side", "barricades_sides.south"),
    ("barricade_side", "barricades_sides.west"),
]
CONTEXT = {
    "today": "2026-06-18",
    "timezone": "America/Chicago",
    "sunset_calc": "2026-06-18T20:42:00-05:00",
    "sunrise_calc": "2026-06-18T05:19:00-05:00",
    "sunset_definition": "sunset",
    "clock_offset_s": 4,
    "person_role": "inspector",
    "permit_required": True,
}


class FieldTablet(Tablet):
    """An inspector's tablet at a trench on 18 June 2026: its clock runs a minute an op, `offset_ms` slow."""

    def __init__(self, app, member, name="Tablet 1", offset_ms=4000):
        self.app, self.offset_ms = app, offset_ms
        with app.app_context():
            code = devices.make_code(member.village, member.id, None, datetime.now(UTC))
        super().__init__(app, code, name)
        self.wall = VISIT - timedelta(milliseconds=offset_ms)

    def content(self, kind, record_id, **own):
        self.wall += timedelta(minutes=1)
        return {
            **super().content(kind, record_id, **own),
            "clock": {"offset_ms": self.offset_ms, "age_s": 60},
        }

    def shoot(self, record_id, shows, proves, arrives=True, send=True, colour=(60, 125, 90)):
        """Take a photo of what proves a field, and let its bytes arrive or not; returns its hash.

        The bytes are laid into the store before the op: how they travel is the business of other tests.
        """
        raw, photo_id = jpeg(f"{shows} {proves} {self.seq}", colour), new_id(datetime.now(UTC))
        row = {
            "shows": shows,
            "proves": proves,
            "taken_at": self.wall.isoformat(),
            "taken_place": {"lat": 43.01560 + self.seq / 1e6, "lon": -89.89528, "accuracy_m": 3},
            "from_library": "no",
        }
        self.op(
            "photo.attach",
            record_id,
            photo_id=photo_id,
            sha256=sha256(raw),
            bytes=len(raw),
            mime="image/jpeg",
            row=row,
        )
        if arrives:
            BlobStore(self.app.config["SETTINGS"].blobs).put(raw, sha256(raw))
        if send:
            self.push()
        return sha256(raw)

    def hand_in(self, record_id, spoil=None):
        """Submit with what the same rules say on the tablet; `spoil` changes it: {rule: {member: value}}."""
        self.sync()
        with self.app.app_context():
            record = inspections.inspection(record_id)
            pack = villages.pack_of(record.village, VISIT.date())
            context = {**findings.context_of(record), **CONTEXT, "record_state": "submitted"}
            answers = inspection.answers_of(documents.pulled(record))
            said = [
                finding.to_json()
                for finding in rules.evaluate(pack, record.protocol, answers, context, on=VISIT.date())
            ]
        for finding in said:
            finding.update((spoil or {}).get(finding["rule"], {}))
        self.submit(record_id, said, CONTEXT)
        results = self.sync()
        assert {result["status"] for result in results} == {"applied"}, results
        return record_id

    def tap(self, geometry=None, shots=SHOTS, leave_out=(), hand_in=True, spoil=None, **where):
        """A whole tap check, handed in; returns its id."""
        record_id = self.begin("tap", **{"place": "MH-112 + 147.3 ft", "permit_no": "BV-2026-0044", **where})
        for group, values in (CLEAN | ({"tap_geometry": geometry} if geometry else {})).items():
            if group not in leave_out:
                self.set(record_id, group, values)
        for shows, proves in shots:
            self.shoot(record_id, shows, proves, send=False)
        self.sync()
        return self.hand_in(record_id, spoil) if hand_in else record_id


def let_tap(app, tapper="Plumber 2"):
    """Put a tapper on the Committee's list."""
    with app.app_context(), transaction() as session:
        session.add(
            TapPermission(
                id=new_id(VISIT),
                village="barneveld",
                tapper=tapper,
                valid_from=date(2026, 1, 1),
                valid_until=None,
            )
        )


def jpeg(text, colour=(60, 125, 90), size=(640, 480)):
    """A small picture of a pipe in the ground, each with its own text and so its own hash."""
    image = Image.new("RGB", size, (110, 84, 58))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, size[1] * 0.35, size[0], size[1] * 0.75), fill=colour)
    draw.ellipse((60, 200, 200, 300), fill=(13, 20, 16), outline=(166, 220, 187), width=5)
    draw.rectangle((160, 210, 560, 250), fill=(255, 223, 98))
    draw.text((180, 222), text, fill=(20, 20, 20))
    kept = io.BytesIO()
    image.save(kept, "JPEG")
    return kept.getvalue()
