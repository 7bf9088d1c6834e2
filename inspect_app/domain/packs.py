"""Rule packs: published once, named by the SHA-256 of their canonical JSON, never changed.

Judging an inspection by one is in rules.py; what makes a pack acceptable is in pack_checks.py.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from inspect_app.domain.errors import PackChanged, PackRefused
from inspect_app.domain.pack_checks import check_pack
from inspect_app.domain.pack_shape import MOST_BYTES
from inspect_app.domain.prepared import Prepared
from inspect_app.domain.quantities import Units

_PLACE = {"latitude": "village_latitude", "longitude": "village_longitude", "timezone": "timezone"}


@dataclass(frozen=True)
class Pack:
    """A published pack: `data` as the tablet gets it, `canonical` its bytes, `hash` its name."""

    data: dict[str, Any]
    canonical: bytes
    hash: str

    @property
    def village(self) -> str:
        return str(self.data["village"])

    @property
    def version(self) -> str:
        return str(self.data["version"])

    @property
    def rules(self) -> list[dict[str, Any]]:
        rules: list[dict[str, Any]] = self.data["rules"]
        return rules

    @cached_property
    def units(self) -> Units:
        return Units(self.data["units"])

    @cached_property
    def prepared(self) -> list[Prepared]:
        return [Prepared(rule) for rule in self.rules]

    @cached_property
    def by_kind(self) -> dict[str, list[Prepared]]:
        """The rules of each form, in the order of the pack."""
        kinds = {kind for rule in self.rules for kind in rule["kinds"]}
        return {kind: [one for one in self.prepared if kind in one.rule["kinds"]] for kind in kinds}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {name: spec["default"] for name, spec in self.data["fields"].items() if "default" in spec}

    def known_on(self, day: str | None) -> dict[str, Any]:
        """What is known without being told: the day that is judged by, and where the village lies."""
        place = {_PLACE[name]: value for name, value in self.data.get("place", {}).items()}
        return place if day is None else {**place, "today": day}

    def settings_on(self, day: str | None) -> dict[str, Any]:
        """The village's settings in force on a day (`YYYY-MM-DD`); without a day, the latest.

        Each entry changes the values it names and leaves the earlier ones standing; the first ones are the
        defaults of the field dictionary.
        """
        values = dict(self._defaults)
        for entry in sorted(self.data["settings"], key=lambda entry: str(entry["from"])):
            if day is None or entry["from"] <= day:
                values.update(entry["values"])
        return values


def publish(source: Mapping[str, Any]) -> Pack:
    """Check a pack and give it its name; PackRefused lists every fault.

    The source has the members of a published pack: pack, village, version, language, effective, units (the
    table of the field dictionary), fields (flat name -> spec), settings ([{"from", "values"}]) and rules.
    """
    checked, faults = check_pack(source)
    if not faults and len(canonical := canonical_json(checked)) <= MOST_BYTES:
        return Pack(json.loads(canonical), canonical, hashlib.sha256(canonical).hexdigest())
    if not faults:
        faults = [("pack", "size", f"{len(canonical)} bytes are more than {MOST_BYTES}")]
    raise PackRefused(faults, str(source.get("pack") or ""))


def read(canonical: bytes | str, name: str | None = None) -> Pack:
    """A published pack from its bytes; PackChanged if they are not canonical or not those of `name`."""
    raw = canonical.encode(errors="surrogatepass") if isinstance(canonical, str) else canonical
    found = hashlib.sha256(raw).hexdigest()
    try:
        data = json.loads(raw)
        is_canonical = isinstance(data, dict) and canonical_json(data) == raw
    except (ValueError, RecursionError):
        is_canonical = False
    if not is_canonical or (name is not None and name != found):
        raise PackChanged(
            f"The rule pack {name or found} is not what was published. Fetch it again; nothing was judged"
            " by it yet."
        )
    return Pack(data, raw, found)


def canonical_json(data: object) -> bytes:
    """Sorted keys, no spaces, UTF-8: the same bytes wherever it is written."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def day_text_of(on: date | str | None) -> str | None:
    return on.isoformat() if isinstance(on, date) else on
