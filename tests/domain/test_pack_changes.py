"""What the office sees of a new version: each member with what it was and what it is."""

from inspect_app.domain import packs
from inspect_app.domain.pack_changes import Member, changes_between
from tests.domain.pack_source import one_check, source, tap_rule


def published(*rules, **changes):
    return packs.publish(source(*rules, **changes))


def test_a_pack_does_not_differ_from_itself():
    assert not changes_between(published(tap_rule()), published(tap_rule()))


def test_rules_are_added_removed_and_changed_member_by_member():
    message = "The tap is {nearest} in away."
    check = tap_rule()["checks"][0]
    changed = tap_rule(title="Tap away from joints", checks=[{**check, "message": message}], passes=None)
    found = changes_between(
        published(tap_rule(), one_check("lit", id="T-02")), published(changed, one_check("lit", id="T-03"))
    )
    assert [(change.id, change.how) for change in found.rules] == [
        ("T-01", "changed"),
        ("T-02", "removed"),
        ("T-03", "added"),
    ]
    assert found.of("changed")[0].members == (
        Member("checks[0].message", check["message"], message),
        Member("passes", "More than 6 in from the nearest joint.", None),
        Member("title", "Tap not within six inches of a joint", "Tap away from joints"),
    )
    assert (found.settings, found.others) == ((), ())


def test_settings_are_told_with_their_day_and_the_head_beside_them():
    old = published(tap_rule(), settings=[{"from": "2001-06-04", "values": {"within_is_inclusive": True}}])
    new = published(
        tap_rule(),
        version="2",
        settings=[
            {"from": "2001-06-04", "values": {"within_is_inclusive": False}},
            {"from": "2027-01-01", "values": {"least_ft": "6"}},
        ],
    )
    found = changes_between(old, new)
    assert found.settings == (
        Member("2001-06-04 within_is_inclusive", True, False),
        Member("2027-01-01 least_ft", None, "6"),
    )
    assert found.others == (Member("version", "1", "2"),)
    assert found.rules == ()


def test_a_rule_that_stands_once_for_each_form_is_compared_with_that_of_the_same_forms():
    lateral, tap = one_check("lit", kinds=["lateral"]), one_check("!lit", kinds=["tap"])
    both = published(lateral, tap)
    assert not changes_between(both, published(tap, lateral))
    only = changes_between(both, published(tap))
    assert [(change.how, change.rule["kinds"]) for change in only.rules] == [("removed", ["lateral"])]
    moved = changes_between(published(lateral), published({**lateral, "kinds": ["lateral", "tap"]}))
    assert moved.rules[0].members == (Member("kinds", ["lateral"], ["lateral", "tap"]),)


def test_a_setting_that_changes_its_kind_is_a_change():
    def setting(value):
        return published(tap_rule(), settings=[{"from": "2001-06-04", "values": {"least_ft": value}}])

    assert changes_between(setting(1), setting("1")).settings == (Member("2001-06-04 least_ft", 1, "1"),)
