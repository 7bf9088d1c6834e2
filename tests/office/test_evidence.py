"""The evidence package, saved from a record's page: for reviewers of the village and nobody else."""

import io

from inspect_app.reports import checker

SAVE = "/barneveld/records/{}/evidence"


def test_a_reviewer_saves_a_package_that_is_in_order(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    browser = desk(reviewer_1)
    assert SAVE.format(record_id) in browser.get(f"/barneveld/records/{record_id}").text
    with browser.get(SAVE.format(record_id)) as answer:
        assert answer.status_code == 200
        assert answer.mimetype == "application/zip"
        assert "barneveld-T-0001-evidence.zip" in answer.headers["Content-Disposition"]
        verdict = checker.check(io.BytesIO(answer.data))
    assert verdict.wrong == []
    assert any("tablet signed: 10." in sentence for sentence in verdict.proven)


def test_what_the_office_did_is_in_the_package_under_its_own_key(tablet_a, desk, reviewer_1):
    record_id = tablet_a.tap()
    browser = desk(reviewer_1)
    browser.post(f"/barneveld/records/{record_id}/take")
    with browser.get(SAVE.format(record_id)) as answer:
        verdict = checker.check(io.BytesIO(answer.data))
    assert verdict.wrong == []
    assert any("(Office, Tablet A)" in sentence for sentence in verdict.proven)


def test_nobody_else_gets_a_package(tablet_a, desk, inspector_a, reader, outsider):
    record_id = tablet_a.tap()
    for member in (inspector_a, reader):
        assert desk(member).get(SAVE.format(record_id)).status_code == 403
        assert SAVE.format(record_id) not in desk(member).get(f"/barneveld/records/{record_id}").text
    assert desk(outsider).get(SAVE.format(record_id)).status_code == 404
    assert desk(outsider).get(f"/howards-grove/records/{record_id}/evidence").status_code == 404
    sent = desk().get(SAVE.format(record_id))
    assert sent.status_code == 302
    assert "/sign-in" in sent.location
