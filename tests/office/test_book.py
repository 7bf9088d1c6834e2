"""The ordinance book: every rule is found, says what it asks in plain words, and is linked from findings."""

import copy
import re
from datetime import UTC, date, datetime

import pytest

from inspect_app.domain import packs
from inspect_app.services.findings import keep_pack
from inspect_app.store import villages
from inspect_app.store.base import transaction
from tests.office.field_work import BAD_TAP

BOOK = "/barneveld/book"
TAP_04 = f"{BOOK}/BV-TAP-04"


@pytest.fixture
def older(app):
    """An earlier version of Barneveld: eight inches from a joint, and no rule about other laterals."""
    with app.app_context(), transaction():
        source = copy.deepcopy(villages.pack_of("barneveld", date(2026, 6, 18)).data)
        source |= {"effective": "1994-05-02", "version": "0"}
        source["rules"] = [rule for rule in source["rules"] if rule["id"] != "BV-TAP-05"]
        check = next(rule for rule in source["rules"] if rule["id"] == "BV-TAP-04")["checks"][0]
        check["expr"] = check["expr"].replace("6.0", "8.0")
        check["figure"]["limit"] = "8.0"
        pack = packs.publish(source)
        keep_pack(pack, "barneveld", datetime(2026, 1, 2, tzinfo=UTC))
    return pack.hash


def words(page):
    """What the page says, without its marks."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.text).split())


def entries(page):
    """The ids of the rules that the list shows, in its order."""
    return re.findall(r'<article class="entry" id="([^"]+)"', page.text)


def test_it_lists_every_rule_by_clause(app, desk, reader):
    page = desk(reader).get(BOOK)
    with app.app_context():
        rules = villages.pack_of("barneveld", date(2026, 6, 18)).rules
    assert page.status_code == 200
    assert sorted(entries(page)) == sorted({rule["id"] for rule in rules})
    listed = entries(page)
    assert (
        listed.index("BV-EXC-04") < listed.index("BV-TAP-04") < listed.index("ST-02") < listed.index("OS-02")
    )


def test_an_entry_says_the_limit_and_what_holds_exactly_on_it(desk, reader):
    page = words(desk(reader).get(f"{BOOK}?q=BV-TAP-04"))
    assert "Nearest joint: more than 6 in. Exactly 6 in is a violation" in page
    assert "“not within six inches (15 cm) of the joint” Barneveld 270-22* B , Tapping mains" in page
    assert "Section numbers with a star are inferred" in page


@pytest.mark.parametrize("role", ["inspector_a", "reviewer_1", "administrator", "reader"])
def test_every_role_may_read_it(desk, request, role):
    at = desk(request.getfixturevalue(role))
    assert [at.get(path).status_code for path in (BOOK, TAP_04, f"{BOOK}/changes")] == [200, 200, 200]


@pytest.mark.parametrize("path", [BOOK, TAP_04, f"{BOOK}/changes"])
def test_an_outsider_does_not_learn_that_it_is_there(desk, outsider, path):
    assert desk(outsider).get(path).status_code == 404


@pytest.mark.parametrize("path", [BOOK, TAP_04, f"{BOOK}/changes"])
def test_nobody_reads_it_without_signing_in(desk, path):
    answer = desk().get(path)
    assert answer.status_code == 302
    assert "/sign-in" in answer.headers["Location"]


@pytest.mark.parametrize(
    "typed", ["bv-tap-04", "Six Inches of a Joint", "270-22* joint", "270-22 (15 cm)", "tapping mains joint"]
)
def test_it_is_searched_by_id_title_clause_and_quotation(desk, reader, typed):
    assert entries(desk(reader).get(BOOK, query_string={"q": typed})) == ["BV-TAP-04"]


def test_a_form_leaves_the_rules_that_it_is_judged_by(desk, reader):
    found = entries(desk(reader).get(f"{BOOK}?kind=tap"))
    assert "BV-TAP-04" in found
    assert "ST-01" not in found
    assert len(entries(desk(reader).get(f"{BOOK}?kind=nonsense"))) > len(found)


def test_a_search_that_finds_nothing_says_what_to_do(desk, reader):
    page = desk(reader).get(f"{BOOK}?q=zeppelin")
    assert entries(page) == []
    assert "No rule has “zeppelin”" in words(page)
    assert f'href="{BOOK}">Show the whole book</a>' in page.text


def test_a_search_is_shown_as_text(desk, reader):
    page = desk(reader).get(BOOK, query_string={"q": "<b>joint</b>"})
    assert "<b>joint</b>" not in page.text


def test_a_rule_says_all_there_is_to_it(desk, reader):
    page = words(desk(reader).get(TAP_04))
    for said in (
        "5.9 in Violation 6 in Violation 6.1 in Pass",
        "The tap is nearest joint in from the joint upstream or downstream . It must be more than 6 in.",
        "Not applicable Existing wye: nothing is tapped.",
        "How an unclear clause was read",
        "Public Works Committee",
        "“should”: the office confirms a violation before it is used",
        "Lateral inspection, Tap check",
        "In force since 4 June 2001",
        "Photos that prove it Tape at joint",
        "Judged by the program",
    ):
        assert said in page


def test_a_rule_shows_the_cases_it_is_tried_with(desk, reader):
    page = words(desk(reader).get(TAP_04))
    assert re.search(r"Violation, at the limit (?:(?!Violation|Pass).)*Joint downstream: 6\.0 in", page)


def test_a_setting_decides_what_the_limit_is(desk, reader):
    page = words(desk(reader).get(f"{BOOK}/BV-TAP-03"))
    assert "89.9° Pass 90° Warning 90.1° Violation" in page


@pytest.mark.parametrize("name", ["BV-TAP-99", "HG-PRH-03", "x" * 300])
def test_a_rule_that_the_village_does_not_have_is_not_found(desk, reader, name):
    assert desk(reader).get(f"{BOOK}/{name}").status_code == 404


def test_a_version_of_another_village_is_not_found(app, desk, reader):
    with app.app_context():
        other = villages.pack_of("howards_grove", date(2026, 6, 18)).hash
    at = desk(reader)
    for name in (other, "0" * 64, "../../etc"):
        for path in (BOOK, TAP_04):
            assert at.get(path, query_string={"pack": name}).status_code == 404
        assert at.get(f"{BOOK}/changes", query_string={"old": name}).status_code == 404


def test_an_earlier_version_says_that_it_is_not_in_force(desk, reader, older):
    at = desk(reader)
    page = words(at.get(TAP_04, query_string={"pack": older}))
    assert "Nearest joint: more than 8 in" in page
    assert "not the one in force today" in page
    assert "version 0, which began on 2 May 1994" in words(at.get(BOOK, query_string={"pack": older}))
    assert "more than 6 in" in words(at.get(TAP_04))


def test_what_changed_is_told_rule_by_rule(desk, reader, older):
    page = words(desk(reader).get(f"{BOOK}/changes"))
    assert "Changed: 1 rule Tap not within six inches of a joint BV-TAP-04" in page
    assert (
        "In plain words Nearest joint: more than 8 in. Exactly 8 in is a violation. "
        "Nearest joint: more than 6 in." in page
    )
    assert "How it is computed as before otherwise" in page
    assert "New: 1 rule Tap not within 24 inches of another lateral BV-TAP-05" in page
    assert "Effective 1994-05-02 2001-06-04" in page


def test_what_changed_can_be_asked_the_other_way_round(app, desk, reader, older):
    with app.app_context():
        present = villages.pack_of("barneveld", date(2026, 6, 18)).hash
    at = desk(reader)
    page = words(at.get(f"{BOOK}/changes", query_string={"old": present, "new": older}))
    assert "before and now are exchanged" in page
    assert "No longer in the book: 1 rule" in page
    same = words(at.get(f"{BOOK}/changes", query_string={"old": older, "new": older}))
    assert "say the same, word for word" in same


def test_one_version_has_nothing_to_be_compared_with(desk, reader):
    page = words(desk(reader).get(f"{BOOK}/changes"))
    assert "has published one version of its rules" in page


def test_a_finding_leads_to_its_rule_and_says_how_the_clause_was_read(tablet_a, desk, reviewer_1):
    at = desk(reviewer_1)
    record = at.get(f"/barneveld/records/{tablet_a.tap(BAD_TAP)}")
    links = re.findall(r'href="(/barneveld/book/[^"]+)"', record.text)
    assert {"BV-TAP-03", "BV-TAP-04"} <= {link.split("/")[3].split("?")[0] for link in links}
    assert all("?pack=" in link for link in links)
    assert "How the clause was read." in words(record)
    assert at.get(next(link for link in links if "BV-TAP-04" in link)).status_code == 200
