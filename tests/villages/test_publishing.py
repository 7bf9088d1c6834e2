"""A published pack never changes; a new version is a new file; each day is judged by its own."""

import json
from datetime import date

import pytest

from inspect_app.domain import rules
from inspect_app.domain.errors import NotFound, PackChanged, PackRefused
from inspect_app.store import villages

RULES = "rules/sewers.yaml"
AT_TWELVE = {
    "joint_distance_up": {"value": "12", "unit": "in"},
    "joint_distance_down": {"value": "40", "unit": "in"},
}


@pytest.fixture
def two_versions(oakfield, rewrite):
    """The village's first pack, published, and a second in force from 1 August 2026."""
    first, _, _ = villages.publish("oakfield", oakfield.parent)
    rewrite(RULES, title="Tap away from joints", severity="warning")
    rewrite(version="2", effective="2026-08-01")
    second, _, _ = villages.publish("oakfield", oakfield.parent)
    return first, second


@pytest.mark.parametrize(
    ("day", "version"),
    [("2026-01-01", "1"), ("2026-07-31", "1"), ("2026-08-01", "2"), ("2026-08-02", "2"), ("2099-01-01", "2")],
)
def test_each_day_has_the_pack_that_is_in_force_on_it(oakfield, two_versions, day, version):
    pack = villages.pack_of("oakfield", date.fromisoformat(day), oakfield.parent)
    assert pack.version == version
    assert pack.hash == two_versions[int(version) - 1].hash


def test_there_is_no_pack_before_the_first(oakfield, two_versions):
    with pytest.raises(NotFound, match="has no rules in force on 31 December 2025"):
        villages.pack_of("oakfield", date(2025, 12, 31), oakfield.parent)


def test_a_visit_is_judged_by_the_rules_and_the_settings_of_its_day(oakfield, two_versions):
    def judged(day):
        pack = villages.pack_of("oakfield", date.fromisoformat(day), oakfield.parent)
        finding = rules.evaluate(pack, "tap", AT_TWELVE, on=day)[0]
        return finding.outcome, finding.boundary

    assert judged("2026-06-30") == ("violation", True)
    assert judged("2026-07-01") == ("pass", True)  # the setting reads within as less than from this day
    assert judged("2026-08-01") == ("pass", True)
    first, second = two_versions
    settings = {"within_is_inclusive": True}
    severities = [
        rules.evaluate(pack, "tap", AT_TWELVE, None, settings, "2026-08-01")[0].outcome
        for pack in (first, second)
    ]
    assert severities == ["violation", "warning"]


def test_a_new_version_is_a_new_file_beside_the_old_one(oakfield, two_versions):
    files = {path.stem: path.read_bytes() for path in (oakfield / "published").iterdir()}
    assert files == {pack.hash: pack.canonical for pack in two_versions}
    assert [pack.hash for pack in villages.packs_of("oakfield", oakfield.parent)][-1] == two_versions[1].hash


def test_publishing_again_changes_nothing(oakfield, two_versions):
    pack, path, is_new = villages.publish("oakfield", oakfield.parent)
    assert (pack.hash, is_new) == (two_versions[1].hash, False)
    assert path.read_bytes() == pack.canonical


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace(b"twelve inches", b"eleven inches"),
        lambda text: text + b"\n",
        lambda text: json.dumps(json.loads(text)).encode(),
        lambda text: b"",
        lambda text: b"\xff",
        lambda text: b"[" * 100_000,
    ],
)
def test_a_published_file_that_was_changed_is_refused(oakfield, two_versions, spoil):
    path = oakfield / "published" / f"{two_versions[0].hash}.json"
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(PackChanged, match=two_versions[0].hash):
        villages.pack_of("oakfield", date(2026, 6, 18), oakfield.parent)


def test_a_file_of_another_content_under_the_name_is_never_overwritten(oakfield):
    pack = villages.packs_of("oakfield", oakfield.parent)[-1]
    path = oakfield / "published" / f"{pack.hash}.json"
    path.parent.mkdir()
    path.write_bytes(b"{}")
    with pytest.raises(PackChanged):
        villages.publish("oakfield", oakfield.parent)
    assert path.read_bytes() == b"{}"


def test_rules_that_differ_from_those_published_for_the_same_day_are_refused(oakfield, rewrite):
    first, _, _ = villages.publish("oakfield", oakfield.parent)
    rewrite(RULES, severity="warning")
    with pytest.raises(PackRefused, match=f"differs from the pack published for this day, {first.hash}"):
        villages.check("oakfield", oakfield.parent)
    assert villages.pack_of("oakfield", date(2026, 6, 18), oakfield.parent).hash == first.hash


def test_what_changed_between_two_versions_is_told(oakfield, two_versions, run):
    first, second = two_versions
    told = run("changes", "--village", "oakfield", first.hash[:6], "present")
    assert told.exit_code == 0
    assert told.output.splitlines() == [
        "effective: 2026-01-01 → 2026-08-01",
        "version: 1 → 2",
        "OF-TAP-01 changed: Tap away from joints",
        "  severity: violation → warning",
        "  title: Tap not within twelve inches of a joint → Tap away from joints",
    ]
    path = oakfield / "published" / f"{second.hash}.json"
    assert run("changes", "--village", "oakfield", second.hash, path).output == "Nothing.\n"
    unknown = run("changes", "--village", "oakfield", "abcdef", "present")
    assert unknown.exit_code == 1
    assert f"{first.hash}, in force from 2026-01-01" in unknown.output
