"""Two people measured the same tap: both versions stand side by side, a person settles it with a reason."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from inspect_app.store import inspections
from inspect_app.store.base import transaction
from inspect_app.store.people import Membership
from tests.office.field_work import CLEAN, m

BASE = CLEAN["tap_geometry"] | {"joint_distance_down": m("7.0"), "clock": "11:00"}
A = BASE | {"joint_distance_down": m("5 1/2")}
B = BASE | {"joint_distance_down": m("6.5"), "clock": "10:30"}
REASON = "Read on both photos of the tape."


class Clash:
    """A record on which inspectors A and B changed the same group without having seen each other's values."""

    def __init__(self, app, record_id):
        self.app, self.record_id = app, record_id
        with app.app_context():
            conflict = inspections.conflicts_of(record_id)[0]
            self.id, self.candidates = conflict.id, [one["op"] for one in conflict.candidates]
        self.address = f"/barneveld/conflicts/{self.id}"

    def values(self):
        with self.app.app_context():
            return inspections.inspection(self.record_id).doc["groups"]["tap_geometry"]["values"]

    def state(self):
        with self.app.app_context():
            return inspections.conflict(self.id).state

    def settle(self, desk, take, reason=REASON, saw=None, **fields):
        return desk.post(
            self.address, take=take, reason=reason, saw=self.candidates if saw is None else saw, **fields
        )


@pytest.fixture
def clash(app, tablet_a, tablet_b):
    record_id = tablet_a.tap(BASE, shots=[])
    tablet_b.pull()
    seen = tablet_a.current[record_id, "tap_geometry"]
    tablet_a.set(record_id, "tap_geometry", A)
    tablet_a.note(record_id, "measured to bell lip")
    tablet_a.shoot(record_id, "tape_at_joint", "joint_distance_down")
    tablet_b.set(record_id, "tap_geometry", B, replaces=seen)
    tablet_b.note(record_id, "measured to gasket line")
    tablet_b.push()
    return Clash(app, record_id)


def again(**other):
    """The group as a person types it in the office."""
    fields = {}
    for name, answer in (BASE | {"joint_distance_down": m("5.9")} | other).items():
        if isinstance(answer, dict):
            fields |= {f"f-{name}": answer["value"], f"u-{name}": answer["unit"]}
        else:
            fields[f"f-{name}"] = answer
    return fields


def test_both_versions_stand_side_by_side_with_their_findings(clash, desk, reviewer_1):
    page = desk(reviewer_1).get(clash.address).text
    for words in (
        "Version A, in force",
        "Version B, waiting",
        "7.0 in",
        "5.5 in",
        "typed “5 1/2 in”",
        "6.5 in",
        "10:30",
        "Violation: 5.5 in ≤ 6 in",
        "Pass: 6.5 in &gt; 6 in",
        "measured to bell lip",
        "measured to gasket line",
        "47 min slow. It plays no part in who wins.",
    ):
        assert words in page


def test_who_measured_when_stands_in_corrected_time_beside_what_the_tablet_said(
    app, clash, desk, reviewer_1, tablet_b
):
    with app.app_context():
        change = next(one for one in inspections.history(clash.record_id) if one.op_id == clash.candidates[0])
        said = datetime.fromisoformat(change.wall)
    page = desk(reviewer_1).get(clash.address).text
    zone = ZoneInfo("America/Chicago")
    assert f"the tablet said {said.astimezone(zone):%-d %b %Y %H:%M:%S}" in page
    assert f"{(said + timedelta(minutes=47)).astimezone(zone):%-d %b %Y %H:%M:%S}" in page
    assert "Inspector A, sent" in page
    assert "Inspector B, sent" in page


def test_the_photos_of_each_stand_under_their_version(clash, desk, reviewer_1, tablet_a, tablet_b):
    of_b = tablet_b.shoot(clash.record_id, "tape_at_joint", "joint_distance_down")
    of_site = tablet_b.shoot(clash.record_id, "barricade_side", "barricades_sides.north")
    page = desk(reviewer_1).get(clash.address).text
    row = page[page.index('<th scope="row">Photos</th>') :]
    first, _, second = row[: row.index("</tr>")].partition('<td class="B">')
    of_a = next(one["sha256"] for one in tablet_a.doc(clash.record_id)["photos"] if one["sha256"] in first)
    assert of_a not in second
    assert of_b in second
    assert of_b not in first
    assert of_site not in row[: row.index("</tr>")]


def test_the_list_and_the_record_lead_to_it(clash, desk, reviewer_1):
    browser = desk(reviewer_1)
    listed = browser.get("/barneveld/conflicts").text
    assert "1 conflict to settle" in listed
    assert clash.address in listed
    page = browser.get(f"/barneveld/records/{clash.record_id}").text
    assert clash.address in page
    assert "The other version says: pass (6.5 in &gt; 6 in)" in page


def test_an_empty_list_says_so(desk, reviewer_1):
    assert "Nothing is in conflict" in desk(reviewer_1).get("/barneveld/conflicts").text


def test_the_version_in_force_is_kept(clash, desk, reviewer_1):
    assert clash.settle(desk(reviewer_1), "current").status_code == 302
    assert (clash.state(), clash.values()) == ("resolved", A)


def test_a_waiting_version_is_taken_whole(clash, desk, reviewer_1):
    assert clash.settle(desk(reviewer_1), clash.candidates[0]).status_code == 302
    assert (clash.state(), clash.values()) == ("resolved", B)
    page = desk(reviewer_1).get(clash.address).text
    assert "Reviewer 1 took a waiting version" in page
    assert REASON in page


def test_the_group_is_measured_again(clash, desk, reviewer_1, tablet_a):
    assert clash.settle(desk(reviewer_1), "value", **again()).status_code == 302
    assert clash.values() == BASE | {"joint_distance_down": m("5.9")}
    page = desk(reviewer_1).get(f"/barneveld/records/{clash.record_id}").text
    assert "5.9 in ≤ 6 in" in page
    assert "Settled: Around and along the main" in page
    assert tablet_a.doc(clash.record_id)["groups"]["tap_geometry"]["values"]["joint_distance_down"] == m(
        "5.9"
    )


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"f-joint_distance_down": "5,9"}, "5,9 can be read two ways. Type 5.9 or 59."),
        ({"f-clock": "25 o'clock"}, "25 o&#39;clock is not a clock position. Type it as 10:30."),
        ({"u-joint_distance_down": "furlong"}, "Choose one of the units."),
    ],
)
def test_what_cannot_be_read_is_said_at_the_field(clash, desk, reviewer_1, typed, sentence):
    answer = clash.settle(desk(reviewer_1), "value", **again() | typed)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert REASON in answer.text
    assert (clash.state(), clash.values()) == ("open", A)


@pytest.mark.parametrize("take", ["", "value", "somebody-elses-op"])
def test_without_a_choice_nothing_is_settled(clash, desk, reviewer_1, take):
    assert clash.settle(desk(reviewer_1), take).status_code == 422
    assert (clash.state(), clash.values()) == ("open", A)


def test_without_a_reason_nothing_is_settled(clash, desk, reviewer_1):
    answer = clash.settle(desk(reviewer_1), "current", reason="")
    assert answer.status_code == 422
    assert "Say why, in words that somebody understands in a year." in answer.text
    assert clash.state() == "open"


def test_a_version_that_came_meanwhile_keeps_the_conflict_open(clash, desk, reviewer_1):
    answer = clash.settle(desk(reviewer_1), "current", saw=[])
    assert answer.status_code == 409
    assert "Another version has come in meanwhile. Read it too, then settle." in answer.text
    assert clash.state() == "open"


def test_a_settled_conflict_is_not_settled_again(clash, desk, reviewer_1):
    browser = desk(reviewer_1)
    clash.settle(browser, "current")
    answer = clash.settle(browser, clash.candidates[0])
    assert answer.status_code == 409
    assert clash.values() == A


def test_no_author_of_a_version_settles_it(app, clash, desk, inspector_b):
    with app.app_context(), transaction() as session:
        session.add(Membership(person_id=inspector_b.id, village="barneveld", role="reviewer"))
    answer = clash.settle(desk(inspector_b), clash.candidates[0])
    assert answer.status_code == 409
    assert "One of the versions is yours. Another reviewer settles this." in answer.text
    assert clash.state() == "open"


def test_only_a_reviewer_of_the_village_settles_it(clash, desk, inspector_a, reader, outsider, reviewer_1):
    for member in (inspector_a, reader):
        browser = desk(member)
        assert browser.get(clash.address).status_code == 200
        assert clash.settle(browser, "current").status_code == 403
    assert clash.settle(desk(outsider), "current").status_code == 404
    assert desk(outsider).get(f"/howards-grove/conflicts/{clash.id}").status_code == 404
    assert clash.settle(desk(), "current").location.startswith("/sign-in")
    bare = desk(reviewer_1).client.post(clash.address, data={"take": "current", "reason": REASON})
    assert bare.status_code == 400
    assert clash.state() == "open"


def test_a_deletion_of_what_another_edited_is_settled_too(app, tablet_a, tablet_b, desk, reviewer_1):
    record_id = tablet_a.tap(shots=[])
    tablet_b.op("record.delete", record_id, reason="Wrong house.")
    assert [result["status"] for result in tablet_b.push()] == ["conflict"]
    clash = Clash(app, record_id)
    browser = desk(reviewer_1)
    page = browser.get(clash.address).text
    assert "Keep the record" in page
    assert "Delete the record" in page
    assert clash.settle(browser, "current").status_code == 302
    with app.app_context():
        assert inspections.inspection(record_id).deleted is False


def test_a_page_that_is_older_than_the_version_in_force_settles_nothing(
    app, clash, tablet_a, desk, reviewer_1
):
    import re

    browser = desk(reviewer_1)
    shown = re.findall(r'name="saw" value="([^"]+)"', browser.get(clash.address).text)
    tablet_a.pull()
    newer = A | {"clock": "11:15"}
    tablet_a.set(clash.record_id, "tap_geometry", newer)
    tablet_a.push()
    assert clash.settle(browser, clash.candidates[0], saw=shown).status_code == 409
    assert (clash.state(), clash.values()) == ("open", newer)
    shown = re.findall(r'name="saw" value="([^"]+)"', browser.get(clash.address).text)
    assert clash.settle(browser, clash.candidates[0], saw=shown).status_code == 302
    assert clash.values() == B
