"""Finds every page of the office by following its links, and says which were not reached."""

from collections import Counter, deque
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Page
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

# Answers that are not pages: files, programs' answers, and what a browser is sent on from.
NOT_PAGES = ("static", "health.", "field.", "field_files.", "api", "openapi", "sign_in.home", "village.home")
NOT_PAGES += (
    "blank.page_marks",
    "photos.preview",
    "photos.original",
    "quarantine.raw",
    "devices.held_photo",
    "evidence.package",
    "samples.custody",
    "samples.bottle_labels",
    "laboratory.raw",
    "laboratory.template",
)
MOST_OF_A_VIEW = 4
MOST_PAGES = 120


def sign_in(page: Page, origin: str, name: str, password: str) -> None:
    """Sign in through the form."""
    page.goto(f"{origin}/sign-in")
    page.get_by_label("Sign-in name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "/sign-in" not in address)


def endpoint_of(app, path: str) -> str | None:
    """Which view answers GET for this path."""
    parts = urlsplit(path)
    adapter = app.url_map.bind("127.0.0.1")
    try:
        return adapter.match(parts.path, method="GET", query_args=parts.query)[0]
    except RequestRedirect as redirect:
        return endpoint_of(app, urlsplit(redirect.new_url).path)
    except HTTPException:
        return None


def page_endpoints(app) -> set[str]:
    """Every view of the office that answers GET with a page."""
    return {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in rule.methods and not rule.endpoint.startswith(NOT_PAGES)
    }


def office_pages(app, page: Page, origin: str, start: str = "/") -> dict[str, str]:
    """One path for each view that is reached by links from `start`, for the person signed in on `page`."""
    found: dict[str, str] = {}
    tried: Counter[str] = Counter()
    waiting, seen = deque([start]), {start}
    while waiting and len(seen) < MOST_PAGES:
        path = waiting.popleft()
        answer = page.request.get(origin + path)
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        arrived = answer.url.removeprefix(origin)
        endpoint = endpoint_of(app, arrived)
        if endpoint and not endpoint.startswith(NOT_PAGES):
            found.setdefault(endpoint, arrived)
        for link in _links(answer.text()):
            target = urlsplit(urljoin(answer.url, link))
            if f"{target.scheme}://{target.netloc}" != origin:
                continue
            path = target.path + (f"?{target.query}" if target.query else "")
            known = endpoint_of(app, path)
            if known is None or path in seen or known.startswith(("static", "field.")):
                continue
            # Not every record has a photo or a conflict: a few of each view are looked at, not all.
            tried[known] += 1
            if tried[known] > MOST_OF_A_VIEW:
                continue
            seen.add(path)
            waiting.append(path)
    return found


def _links(html: str) -> list[str]:
    """Where the links of a page lead, as written; no browser has to draw it for that."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            href = dict(attributes).get("href")
            if tag == "a" and href is not None:
                found.append(href)

    Reader().feed(html)
    return found
