"""What an inspector does on a tablet, as steps that several tests and measurements share."""

# The screens that are no visit, and by what one sees that they are shown.
HOME_SCREENS = {
    "": 'nav a[href="#/"][aria-current="page"]',
    "outbox": 'nav a[href="#/outbox"][aria-current="page"]',
    "map": "#map-k",
    "search": "#found",
    "book": 'nav a[href="#/book"][aria-current="page"]',
    "book/ST-02": "main .lines",  # a state rule, which both villages have
    "blank/tap": "main .sheet",
    "settings": 'nav a[href="#/settings"][aria-current="page"]',
    "practice": "main [data-practise]",
    "welcome": "ol.steps3",
}
HREFS = "() => [...document.querySelectorAll('nav.rail a')].map((a) => a.getAttribute('href'))"


def enrol(tablet, code: str, name: str = "Tablet 1"):
    """Open the address of the enrolment code and go through the first minutes, to the list of assignments."""
    page = tablet.open(f"/field/#enrol={code}")
    page.locator("#field-name").fill(name)
    page.locator("form button[type=submit]").click()
    page.locator("ol.steps3 li.now:nth-child(2)").wait_for()
    page.goto(tablet.origin + "/field/#/")
    page.locator("[data-assignment]").first.wait_for()
    tablet.ready_offline()
    return page


def speak(page, origin: str, language: str) -> None:
    """Choose another language in the settings."""
    page.goto(f"{origin}/field/#/settings")
    page.locator(f"#set-language input[value='{language}']").check(force=True)
    page.locator(f"html[lang='{language}']").wait_for()


def begin(page, origin: str, place: str) -> str:
    """Begin the assignment at this place; returns the id of the visit."""
    page.goto(f"{origin}/field/#/")
    page.locator("[data-assignment]", has_text=place).get_by_role("button").click()
    page.wait_for_url("**/#/visit/**")
    page.locator("main [data-section]").wait_for()
    return page.url.split("#/visit/")[1].split("/")[0]


# Who inspects what in the demonstration: one visit of each of the four forms.
VISITS = {
    "inspector-a": ("barneveld", {"lateral": "Lot 14 Example Court", "tap": "MH-112"}),
    "inspector-c": ("howards_grove", {"downspout": "12 Example Lane"}),
    "sampler-d": ("howards_grove", {"manhole": "CM-03"}),
}


def screens(page, origin: str, visits: dict[str, str]):
    """Go to each screen of an enrolled tablet in turn; yields its name while it is shown."""
    for name, sign in HOME_SCREENS.items():
        page.goto(f"{origin}/field/#/{name}")
        page.locator(sign).first.wait_for(state="attached")
        yield name.replace("/", "-") or "today"
    page.goto(f"{origin}/field/#/practice")
    page.locator(f"[data-practise='{next(iter(visits))}']").click()
    page.locator(".practice").wait_for()
    yield "practice-visit"
    page.goto(f"{origin}/field/#/practice")
    page.locator("main [data-discard]").wait_for()
    yield "practice-begun"
    for kind, place in visits.items():
        visit = begin(page, origin, place)
        hrefs = page.evaluate(HREFS)
        for href in hrefs:
            section = href.rsplit("/", 1)[1]
            page.goto(f"{origin}/field/{href}")
            page.locator(f'nav.rail a[href="{href}"][aria-current]').wait_for(state="attached")
            yield f"{kind}-{section}"
            if section == "custody":
                page.goto(f"{origin}/field/#/visit/{visit}/custody/chain")
                page.locator("main h1, main h2").first.wait_for()
                yield f"{kind}-custody-chain"
