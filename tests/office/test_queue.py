"""The queue: what it holds, what each search and filter leaves, in which order, what a large one costs."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, insert

from inspect_app.domain.ids import new_id
from inspect_app.store import queue
from inspect_app.store.base import db, transaction
from inspect_app.store.inspections import Inspection
from inspect_app.store.people import Device
from inspect_app.store.queue import Filters
from tests.office.field_work import BAD_TAP, SHOTS

NOON = datetime(2026, 6, 18, 17, 0, tzinfo=UTC)


@pytest.fixture
def shelf(app, inspector_a, inspector_b):
    """Put rows into the queue: `shelf(number="T-0001", state="approved", ...)` returns the record's id."""
    device = new_id(NOON)
    with app.app_context(), transaction() as session:
        for village in ("barneveld", "howards_grove"):
            session.add(
                Device(
                    id=device if village == "barneveld" else new_id(NOON),
                    village=village,
                    name="Tablet",
                    kid=village,
                    public_key={},
                    person_id=inspector_a.id,
                    app="test",
                    enrolled_at=NOON,
                )
            )

    def row(at=NOON, **columns):
        return {
            "id": new_id(at),
            "village": "barneveld",
            "protocol": "tap",
            "protocol_version": "1",
            "pack_hash": "0" * 64,
            "number": "T-0001",
            "place": "MH-112 + 147.3 ft",
            "permit_no": "BV-2026-0044",
            "inspector_id": inspector_a.id,
            "device_id": device,
            "state": "submitted",
            "rev": 3,
            "doc": {"groups": {}, "lists": {}, "submitted": None},
            "context": {},
            "deleted": False,
            "chg": 1,
            "begun_at": at,
            "submitted_at": at,
            "received_at": at,
            "worst": "pass",
            "counts": {"pass": 3},
            **columns,
        }

    def put(*rows):
        with app.app_context(), transaction() as session:
            session.execute(insert(Inspection), list(rows))
        return [one["id"] for one in rows]

    put.row = row
    return put


def numbers(app, **filters):
    with app.app_context():
        return [row.number for row in queue.page("barneveld", Filters(**filters)).rows]


@pytest.fixture
def five(shelf, inspector_b):
    row, hour = shelf.row, timedelta(hours=1)
    shelf(
        row(number="T-0058", worst="violation", counts={"violation": 2, "discretion": 1}),
        row(NOON + hour, number="L-0053", protocol="lateral", place="Lot 15 Example Court", worst="warning"),
        row(NOON + 2 * hour, number="T-0044", permit_no="BV-2026-0041", inspector_id=inspector_b.id),
        row(NOON + 3 * hour, number="T-0031", state="approved", worst="pass"),
        row(NOON + 4 * hour, number="T-0029", state="returned", worst="violation"),
        row(NOON + 5 * hour, number="T-0001", village="howards_grove", worst="violation"),
        row(NOON + 6 * hour, number="T-0002", deleted=True),
    )


def test_the_queue_holds_what_waits_worst_first_then_longest(app, five):
    assert numbers(app) == ["T-0058", "L-0053", "T-0044"]


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({"text": "t-0058"}, ["T-0058"]),
        ({"text": "0041"}, ["T-0044"]),
        ({"text": "example court"}, ["L-0053"]),
        ({"text": "court lot"}, ["L-0053"]),
        ({"text": "Inspector B"}, ["T-0044"]),
        ({"text": "100%"}, []),
        ({"text": "T_0058"}, []),
        ({"protocol": "lateral"}, ["L-0053"]),
        ({"outcome": "violation"}, ["T-0058"]),
        ({"view": "violations"}, ["T-0058"]),
        ({"view": "decision"}, ["T-0058"]),
        ({"view": "returned"}, ["T-0029"]),
        ({"view": "approved"}, ["T-0031"]),
        ({"view": "all", "state": "approved"}, ["T-0031"]),
        ({"view": "all", "sort": "newest"}, ["T-0029", "T-0031", "T-0044", "L-0053", "T-0058"]),
        ({"view": "all", "sort": "oldest"}, ["T-0058", "L-0053", "T-0044", "T-0031", "T-0029"]),
        ({"view": "all", "since": NOON + timedelta(hours=3)}, ["T-0029", "T-0031"]),
        ({"view": "all", "until": NOON + timedelta(hours=1)}, ["T-0058"]),
    ],
)
def test_each_search_and_filter_leaves_what_it_says(app, five, filters, left):
    assert sorted(numbers(app, **filters)) == sorted(left)
    if "sort" in filters:
        assert numbers(app, **filters) == left


def test_the_inspector_is_a_filter(app, five, inspector_b):
    assert numbers(app, inspector_id=inspector_b.id) == ["T-0044"]


def test_each_view_counts_what_it_shows(app, five):
    with app.app_context():
        counts = queue.counts("barneveld")
        for view, count in counts.items():
            assert len(queue.page("barneveld", Filters(view=view)).rows) == count
    assert (counts["review"], counts["violations"], counts["returned"]) == (3, 1, 1)


@pytest.mark.parametrize("sort", queue.SORTS)
def test_pages_hold_every_row_once(app, shelf, sort):
    worst = ["violation", "warning", "pass", None]
    at = [NOON + timedelta(minutes=number // 3) for number in range(23)]
    shelf(*(shelf.row(at[n], number=f"T-{n:04d}", worst=worst[n % 4]) for n in range(23)))
    seen, after = [], None
    with app.app_context():
        for _ in range(9):
            page = queue.page("barneveld", Filters(sort=sort), after, limit=5)
            seen += [row.number for row in page.rows]
            after = page.after
            if after is None:
                break
    assert sorted(seen) == [f"T-{number:04d}" for number in range(23)]
    with app.app_context():
        whole = [row.number for row in queue.page("barneveld", Filters(sort=sort), limit=50).rows]
    assert seen == whole


@pytest.mark.parametrize("key", ["nonsense", "1~2", "1~not-a-time~x", "x~2026-06-18T17:00:00+00:00~y"])
def test_a_broken_page_key_gives_the_first_page(app, five, key):
    with app.app_context():
        assert len(queue.page("barneveld", Filters(), key).rows) == 3


def test_the_page_shows_numbers_findings_and_the_preview(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap(BAD_TAP)
    page = desk(reviewer_1).get("/barneveld/queue").text
    assert "1 inspection waits for review" in page
    assert "T-0001" in page
    assert "2 violations" in page
    assert "5.5 in ≤ 6 in" in page
    assert f"/barneveld/records/{record_id}/photos/" in page


def test_conflicts_and_missing_photos_have_their_views(app, tablet_a, tablet_b, desk, reviewer_1):
    record_id = tablet_a.tap(shots=SHOTS[:2])
    tablet_a.shoot(record_id, *SHOTS[2], arrives=False)
    tablet_b.set(record_id, "tap_geometry", BAD_TAP, replaces="")
    tablet_b.push()
    browser = desk(reviewer_1)
    for view in ("conflict", "photos"):
        page = browser.get(f"/barneveld/queue?view={view}").text
        assert "T-0001" in page
    assert "Conflict" in page
    assert "1 photo missing" in page


def test_the_search_of_the_header_looks_at_all_records(five, desk, reviewer_1):
    page = desk(reviewer_1).get("/barneveld/queue?q=T-0031").text
    assert "T-0031" in page
    assert "Approved" in page


def test_days_are_days_of_the_village(app, shelf, desk, reviewer_1):
    shelf(shelf.row(datetime(2026, 6, 19, 4, 30, tzinfo=UTC), number="T-0099"))  # 18 June, 23:30
    browser = desk(reviewer_1)
    assert "T-0099" in browser.get("/barneveld/queue?view=all&from=2026-06-18&to=2026-06-18").text
    assert "T-0099" not in browser.get("/barneveld/queue?view=all&from=2026-06-19").text


def test_a_day_that_is_none_is_said(five, desk, reviewer_1):
    page = desk(reviewer_1).get("/barneveld/queue?from=18.6.2026").text
    assert "18.6.2026 is not a day. Type it as 2026-06-18." in page


def test_an_address_that_no_database_can_hold_is_not_found(desk, reviewer_1):
    assert desk(reviewer_1).get("/barneveld/queue?after=%00").status_code == 404


@pytest.mark.parametrize(
    "asked", ["view=x&sort=y&state=z&kind=q&finding=f", "after=nonsense", "show=none", "q=%25"]
)
def test_what_the_page_does_not_know_it_leaves_out(five, desk, reviewer_1, asked):
    assert desk(reviewer_1).get(f"/barneveld/queue?{asked}").status_code == 200


def test_an_empty_queue_says_so(desk, reviewer_1):
    page = desk(reviewer_1).get("/barneveld/queue").text
    assert "Nothing waits for review" in page
    page = desk(reviewer_1).get("/barneveld/queue?finding=violation").text
    assert "No inspection fits these filters." in page


def test_names_are_written_as_text(shelf, desk, reviewer_1):
    shelf(shelf.row(place="<script>alert(1)</script>"))
    page = desk(reviewer_1).get("/barneveld/queue").text
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_every_member_reads_the_queue_and_nobody_else(five, desk, inspector_b, reader, outsider):
    for member in (inspector_b, reader):
        assert desk(member).get("/barneveld/queue").status_code == 200
    assert desk(outsider).get("/barneveld/queue").status_code == 404
    assert "T-0058" not in desk(outsider).get("/howards-grove/queue?view=all").text
    assert desk().get("/barneveld/queue").location == "/sign-in?next=/barneveld/queue"


def test_ten_thousand_rows_cost_as_few_queries_as_ten(app, shelf, desk, reviewer_1):
    def queries():
        asked = []

        def count(*given):
            asked.append(given[2])

        browser = desk(reviewer_1)
        with app.app_context():
            engine = db.engine
        event.listen(engine, "before_cursor_execute", count)
        assert browser.get("/barneveld/queue").status_code == 200
        event.remove(engine, "before_cursor_execute", count)
        return len(asked)

    def fill(start, stop):
        states = ("submitted", "approved", "approved", "approved")
        shelf(
            *(
                shelf.row(NOON + timedelta(minutes=n), number=f"T-{n:05d}", state=states[n % 4])
                for n in range(start, stop)
            )
        )

    fill(0, 200)
    few = queries()
    fill(200, 10_000)
    assert queries() == few
    assert few <= 16
