"""The ordinance book: every rule is found, says what it asks in plain words, and is linked from its findings."""


def test_the_book_lists_the_rules_by_clause(desk, reader):
    page = desk(reader).get("/barneveld/book")
    assert page.status_code == 200
    assert "Tap not within six inches of a joint" in page.text


def test_a_rule_has_a_page(desk, reader):
    page = desk(reader).get("/barneveld/book/BV-TAP-03")
    assert page.status_code == 200, page.text
