"""Which pack is in force, and villages that a deployment adds."""

import shutil
from datetime import date

import pytest
import yaml

from inspect_app.domain.errors import NotFound, PackRefused
from inspect_app.store import villages


@pytest.fixture
def own_village(tmp_path):
    """A folder with one more village, made from Barneveld's."""

    def make(**changes):
        folder = tmp_path / "villages" / "example"
        shutil.copytree(villages.OWN_VILLAGES / "barneveld", folder)
        path = folder / "village.yaml"
        source = yaml.safe_load(path.read_text("utf-8")) | {"slug": "example", "name": "Village of Example"}
        path.write_text(yaml.safe_dump(source | changes), "utf-8")
        return folder.parent

    return make


def test_both_villages_are_there_by_slug_and_by_their_name_in_addresses():
    assert [village.slug for village in villages.villages()] == ["barneveld", "howards_grove"]
    assert villages.village("howards-grove") == villages.village("howards_grove")
    assert villages.village("howards_grove").web_name == "howards-grove"


def test_a_village_that_is_not_here_is_not_found():
    with pytest.raises(NotFound):
        villages.village("elsewhere")


def test_a_deployment_adds_its_own_village(own_village):
    extra = own_village()
    assert [village.slug for village in villages.villages(extra)] == ["barneveld", "example", "howards_grove"]
    pack = villages.pack_of("example", date(2026, 6, 18), extra)
    assert pack.village == "example"
    assert any(rule["id"] == "ST-01" for rule in pack.rules)  # the State's rules are lent to it


@pytest.mark.parametrize(("written", "allowed"), [({}, False), ({"allow_unprotected_storage": True}, True)])
def test_a_village_may_let_tablets_record_without_protected_storage(own_village, written, allowed):
    village = villages.village("example", own_village(**written))
    assert village.allow_unprotected_storage is allowed


def test_a_village_may_have_previews_stamped_and_photos_made_smaller(own_village):
    village = villages.village("example", own_village(stamp_previews=True, shrink_photos_px=2400))
    assert (village.stamp_previews, village.shrink_photos_px) == (True, 2400)
    assert villages.village("barneveld").shrink_photos_px == 0  # as captured, unless it says otherwise


def test_no_village_makes_photos_so_small_that_nobody_can_read_a_tape(own_village):
    with pytest.raises(PackRefused, match="shrink_photos_px"):
        villages.pack_of("example", date(2026, 6, 18), own_village(shrink_photos_px=200))


def test_the_pack_of_a_day_is_the_one_effective_by_then(own_village):
    extra = own_village()
    earlier = villages.pack_of("example", date(2026, 6, 18), extra)
    published = extra / "example" / "published"
    published.mkdir()
    (published / f"{earlier.hash}.json").write_bytes(earlier.canonical)
    path = extra / "example" / "village.yaml"
    source = yaml.safe_load(path.read_text("utf-8")) | {"version": "2", "effective": "2026-07-01"}
    path.write_text(yaml.safe_dump(source), "utf-8")
    villages.forget()
    assert villages.pack_of("example", date(2026, 6, 30), extra).hash == earlier.hash
    later = villages.pack_of("example", date(2026, 7, 1), extra)
    assert (later.version, later.hash == earlier.hash) == ("2", False)


def test_there_is_no_pack_before_the_first_one():
    with pytest.raises(NotFound):
        villages.pack_of("barneveld", date(1999, 1, 1))


def test_a_village_with_a_setting_nobody_knows_is_refused(own_village):
    extra = own_village(settings=[{"from": "2026-01-01", "values": {"springline_result": "perhaps"}}])
    with pytest.raises(PackRefused):
        villages.pack_of("example", date(2026, 6, 18), extra)
