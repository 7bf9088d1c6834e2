"""A pack is published once, named by its bytes, and read back unchanged."""

import hashlib
import json
from datetime import date

import pytest

from inspect_app.domain import packs
from inspect_app.domain.errors import PackChanged, PackRefused
from tests.domain.pack_source import source, tap_rule


def test_a_pack_is_named_by_the_hash_of_its_canonical_bytes():
    pack = packs.publish(source(tap_rule()))
    assert pack.hash == hashlib.sha256(pack.canonical).hexdigest()
    assert packs.canonical_json(json.loads(pack.canonical)) == pack.canonical
    assert b": " not in pack.canonical.replace(b'": ', b"")[:200]


def test_publishing_the_same_source_again_gives_the_same_name():
    shuffled = dict(reversed(source(tap_rule()).items()))
    assert packs.publish(source(tap_rule())).hash == packs.publish(shuffled).hash


def test_a_published_pack_reads_back_and_publishes_again_unchanged():
    pack = packs.publish(source(tap_rule(let={"due": "notice_on + 60"}, checks=[_check("done_on <= due")])))
    again = packs.read(pack.canonical, pack.hash)
    assert again == pack
    assert packs.publish(pack.data).hash == pack.hash


def _check(expr):
    return {"expr": expr, "message": "Due on {due}."}


def test_publishing_does_not_touch_the_source():
    given = source(tap_rule(let={"due": "notice_on + 60"}, checks=[_check("done_on <= due")]))
    before = json.dumps(given)
    packs.publish(given)
    assert json.dumps(given) == before


@pytest.mark.parametrize(
    "change", [lambda raw: raw[:-1], lambda raw: raw + b" ", lambda raw: b"[]", lambda raw: b""]
)
def test_bytes_that_are_not_what_was_published_are_refused(change):
    pack = packs.publish(source(tap_rule()))
    with pytest.raises(PackChanged, match="Fetch it again"):
        packs.read(change(pack.canonical), pack.hash)


def test_another_pack_under_this_name_is_refused():
    one, other = packs.publish(source(tap_rule())), packs.publish(source(tap_rule(title="Another")))
    with pytest.raises(PackChanged):
        packs.read(other.canonical, one.hash)


def test_a_pack_too_large_for_a_weak_signal_is_refused(monkeypatch):
    monkeypatch.setattr(packs, "MOST_BYTES", 1000)
    with pytest.raises(PackRefused, match="bytes are more than 1000"):
        packs.publish(source(tap_rule()))


def test_settings_hold_from_their_day_and_keep_what_they_do_not_name():
    settings = [
        {"from": "2025-01-01", "values": {"within_is_inclusive": False}},
        {"from": "2020-01-01", "values": {"least_ft": "8"}},
    ]
    pack = packs.publish(source(tap_rule(), settings=settings))
    assert pack.settings_on("2019-12-31") == {"within_is_inclusive": True, "least_ft": None}
    assert pack.settings_on("2020-01-01") == {"within_is_inclusive": True, "least_ft": "8"}
    assert pack.settings_on("2026-01-01") == {"within_is_inclusive": False, "least_ft": "8"}
    assert pack.settings_on(None) == pack.settings_on("2026-01-01")
    assert packs.day_text_of(date(2026, 1, 1)) == "2026-01-01"
