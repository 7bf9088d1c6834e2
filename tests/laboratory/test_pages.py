"""The office's pages of laboratory reports: brought, looked at, entered, and the tray decided."""

import io

import pytest

from tests.laboratory import visit
from tests.office.conftest import Desk

PAGES = ("/laboratory", "/laboratory/tray", "/laboratory/template.csv")
BOD = visit.ROWS[0]


@pytest.fixture
def office(app, outsider):
    """A desk of Howards Grove's reviewer."""
    desk = Desk(app)
    assert desk.sign_in(outsider.sign_in_name, outsider.password).status_code == 302
    return desk


def bring_raw(desk, content):
    """The same as a browser sends it, without the test client's own copies on the disk."""
    head = (
        f'--edge\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{desk.token}\r\n'
        '--edge\r\nContent-Disposition: form-data; name="report"; filename="r.csv"\r\n\r\n'
    )
    return desk.client.post(
        "/howards-grove/laboratory",
        data=head.encode() + content + b"\r\n--edge--\r\n",
        content_type="multipart/form-data; boundary=edge",
    )


def bring(desk, content, name="report.csv"):
    return desk.post("/howards-grove/laboratory", report=(io.BytesIO(content), name))


def test_a_report_is_brought_looked_at_and_entered(office, visited):
    answer = bring(office, visit.csv_of(*visit.ROWS))
    assert answer.status_code == 302
    page = office.get(answer.location).text
    assert "6 ready to be entered" in page.lower()
    assert "Enter 6 rows" in page
    assert "M-0001" in page
    record = office.get(f"/howards-grove/records/{visited}").text
    assert "Laboratory results" not in record
    entered = office.post(answer.location)
    assert entered.status_code == 302
    assert "6 rows are entered." in office.get(entered.location).text
    record = office.get(f"/howards-grove/records/{visited}").text
    assert "Laboratory results" in record
    assert "412 mg/L" in record
    assert "HG-PRH-17" in record


def test_a_corrected_result_shows_what_it_replaced(office, visited):
    for content in (visit.csv_of(BOD), visit.csv_of(BOD.replace("412", "395"))):
        office.post(bring(office, content).location)
    record = office.get(f"/howards-grove/records/{visited}").text
    assert "395 mg/L" in record
    assert "Before: 412 mg/L until" in record


def test_the_tray_says_why_and_takes_a_decision_with_its_reason(office, visited):
    report = bring(office, visit.csv_of(BOD.replace("CM03-C1", "CM3-C1"))).location
    office.post(report)
    tray = office.get("/howards-grove/laboratory/tray").text
    assert "1 row waits in the tray" in tray
    assert "No record has a sample" in tray
    action = tray.split('action="/howards-grove/laboratory/tray/')[1].split('"')[0]
    path = f"/howards-grove/laboratory/tray/{action}"
    told = {"record": "M-0001", "sample_id": "HG-260415-CM03-C1", "decision": "assign"}
    refused = office.post(path, **told, reason="")
    assert refused.status_code == 422
    assert "Say why" in refused.text
    assert office.post(path, **told, reason="The laboratory left out a zero.").status_code == 302
    office.post(report)
    assert "The tray is empty" in office.get("/howards-grove/laboratory/tray").text
    assert "412 mg/L" in office.get(f"/howards-grove/records/{visited}").text


def test_a_row_left_unused_goes_out_of_the_tray_and_stays_in_its_report(office, visited):
    report = bring(office, visit.csv_of(BOD.replace("CM03-C1", "CM3-C1"))).location
    tray = office.get("/howards-grove/laboratory/tray").text
    action = tray.split('action="/howards-grove/laboratory/tray/')[1].split('"')[0]
    office.post(f"/howards-grove/laboratory/tray/{action}", decision="settle", reason="Not our sample.")
    assert "The tray is empty" in office.get("/howards-grove/laboratory/tray").text
    assert "Not our sample." in office.get(report).text


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (b"PK\x03\x04", "r.xlsx", "cut off or broken"),
        (b"a,b\n1,2\n", "r.csv", "names no coc_no"),
        (b"", "r.csv", "empty"),
    ],
)
def test_a_file_that_is_no_report_is_refused_on_the_page_with_what_to_do(office, content, name, sentence):
    answer = bring(office, content, name)
    assert answer.status_code == 422
    assert sentence in answer.text


def test_without_a_file_the_page_asks_for_one(office):
    answer = office.post("/howards-grove/laboratory")
    assert answer.status_code == 422
    assert "Choose the laboratory" in answer.text


def test_a_file_of_many_megabytes_is_taken_and_one_beyond_the_limit_is_refused(office):
    line = f"{BOD.replace('CM03', 'CM04')},\r\n".encode()
    assert bring_raw(office, visit.csv_of() + line * 40_000).status_code == 302
    assert "40000 rows" in office.get("/howards-grove/laboratory").text
    assert bring_raw(office, b"x" * (41 * 1024 * 1024)).status_code == 413


def test_what_stands_in_a_file_is_text_on_every_page(office, visited):
    row = BOD.replace("HG-260415-CM03-C1", "<script>alert(1)</script>")
    report = bring(office, visit.csv_of(row), "<b>r</b>.csv").location
    for path in (report, "/howards-grove/laboratory", "/howards-grove/laboratory/tray"):
        page = office.get(path).text
        assert "<script>alert" not in page
        assert "<b>r</b>" not in page
    with office.get(f"{report}/file") as saved:
        assert saved.headers["Content-Disposition"].startswith("attachment")
        assert saved.data == visit.csv_of(row)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("role", ["inspector_a", "reader"])
def test_only_the_office_reads_reports(request, app, path, role):
    member = request.getfixturevalue(role)
    desk = Desk(app)
    desk.sign_in(member.sign_in_name, member.password)
    assert desk.get(f"/barneveld{path}").status_code == 403


def test_a_report_of_another_village_is_not_there(app, office, reviewer_1, visited):
    report = bring(office, visit.csv_of(BOD)).location
    desk = Desk(app)
    desk.sign_in(reviewer_1.sign_in_name, reviewer_1.password)
    assert desk.get(report).status_code == 404
    assert desk.get(report.replace("howards-grove", "barneveld")).status_code == 404
    assert desk.post(report.replace("howards-grove", "barneveld")).status_code == 404
