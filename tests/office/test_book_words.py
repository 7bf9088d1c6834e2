"""Nothing in the ordinance book is written in the language of the rules: no expression, no name, no slug."""

import re

import pytest

from inspect_app.domain.plain_names import SPELLED

CODE = re.compile(r"\w*_\w*|\.filter|\.map|==|&&|\|\||[{}]|\bst\d+|\bitem\.|\b[a-z]{2,}\(", re.ASCII)
WORD = re.compile(r"\b[A-Za-z][A-Za-z0-9]*\b")


def words(page):
    """What the page says, without its marks."""
    main = page.text[page.text.index("<main") :]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split()).replace("&#39;", "'")


def told_in_code(text):
    """The pieces of a text that no inspector would write."""
    spelled = {name for name, shown in SPELLED.items() if shown.casefold() == name}
    return CODE.findall(text) + [word for word in WORD.findall(text) if word in spelled or word == "Ph"]


@pytest.mark.parametrize(("member", "village"), [("reader", "barneveld"), ("outsider", "howards-grove")])
def test_every_page_is_in_plain_words(desk, request, member, village):
    at = desk(request.getfixturevalue(member))
    address = f"/{village}/book"
    listed = at.get(address)
    assert told_in_code(words(listed)) == []
    found = {}
    for rule in re.findall(r'<article class="entry" id="([^"]+)"', listed.text):
        if code := told_in_code(words(at.get(f"{address}/{rule}"))):
            found[rule] = code
    assert found == {}
