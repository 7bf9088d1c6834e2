"""An evidence package as it was written, and taken apart to be put together otherwise."""

import io
import json
import zipfile
from datetime import UTC, datetime

import pytest

from inspect_app.domain.envelopes import sha256
from inspect_app.reports import checker, evidence
from inspect_app.store import inspections
from tests.office.field_work import FieldTablet

SHOT = ("lid_closed", "manhole_id")


def packed(files):
    """A zip of these files as a forger would make it who knows the form: bytes."""
    out = io.BytesIO()
    evidence.zip_up(out, list(files.items()), {name: evidence.measure(data) for name, data in files.items()})
    return out.getvalue()


def taken_apart(package):
    """File -> bytes, in the order of the zip."""
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def verdict_on(package, fingerprint=""):
    return checker.check(io.BytesIO(package), fingerprint)


def packaged(app, record_id):
    """The evidence package of a record as it is now: bytes."""
    out = io.BytesIO()
    with app.app_context():
        evidence.write(inspections.inspection(record_id), out, datetime(2026, 6, 19, 12, 0, tzinfo=UTC))
    return out.getvalue()


@pytest.fixture
def sampler(app, inspector_a):
    return FieldTablet(app, inspector_a, "Tablet A")


@pytest.fixture
def sampled(sampler):
    """A visit with one photo and three events of custody, each after the last."""
    record_id = sampler.begin("manhole")
    sampler.shoot(record_id, *SHOT, send=False)
    said = {"sample_set": "S-1", "prev": "", "action": "seal", "to_role": "sampler", "at": "2026-06-18T10:05"}
    for number, more in enumerate(
        (
            {},
            {"action": "relinquish", "from_role": "sampler", "to_role": "courier"},
            {"action": "receive", "to_role": "courier"},
        ),
        1,
    ):
        text = json.dumps(said | more | {"event_no": number})
        sampler.op("custody.append", record_id, event=text)
        said["prev"] = sha256(text)
    sampler.sync()
    return record_id


@pytest.fixture
def package(app, sampled):
    """The evidence package of the visit: bytes."""
    return packaged(app, sampled)
