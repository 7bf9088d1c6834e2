"""An inspector with a tablet: opens assignments and types answers through the real components of the form."""

from contextlib import suppress
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, TimeoutError, expect

from inspect_app.store import villages

ZONE = ZoneInfo("America/Chicago")
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
APPEND_ONLY_BY_HAND = {"gas", "readings", "notes"}


@cache
def fields() -> dict[str, dict]:
    """What each field of any form is, by its name; rows of lists under `of`."""
    known = {}
    for form in villages.forms_for_tablets():
        for section in form["sections"]:
            for group in section.get("groups", ()):
                known.update({field["field"]: field for field in group["fields"]})
    return known


@cache
def places_of_fields(kind: str) -> dict[str, str]:
    """The section of each field of a form, in the order of the form."""
    form = next(form for form in villages.forms_for_tablets() if form["protocol"] == kind)
    return {
        field["field"]: section["id"]
        for section in form["sections"]
        for group in section.get("groups", ())
        for field in group["fields"]
    }


class Inspector:
    """Works on the page of one tablet; every method leaves the page as a person would see it."""

    def __init__(self, page: Page):
        self.page = page
        self.fix = None  # what the receiver gave last
        self.by_key = True  # numbers are typed key by key; False: as pasted or dictated, at once

    def start(self, place: str) -> str:
        """Open the assignment of a place; returns the id of the inspection that it began."""
        card = self.page.locator("[data-assignment]", has_text=place)
        card.get_by_role("button").first.click()
        self.page.wait_for_selector("[data-section]")
        return self.record_id()

    def record_id(self) -> str:
        return self.page.url.split("#/visit/")[1].split("/")[0]

    def sections(self) -> list[str]:
        links = self.page.locator("nav.rail a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        return [link.rsplit("/", 1)[1] for link in links]

    def go_to(self, section: str) -> None:
        """Press the section in the rail, or on a phone in the list of all sections."""
        if self.page.locator("nav.rail").is_visible():
            self.page.locator(f"nav.rail a[href$='/{section}']").click()
        else:
            self.page.get_by_role("button", name="All sections").click()
            self.page.locator(f"nav.all a[href$='/{section}']").click()
        self.page.wait_for_selector(f"[data-section='{section}']")

    def fill_in(self, answers: dict) -> None:
        """Walk through every section in order and answer what is asked; answers call up further fields.

        Raises AssertionError naming the answers that no section asked for: a form that forgets a field would
        otherwise look like a rule that does not apply.
        """
        left = dict(answers)
        sections = self.sections()
        where = next(
            places
            for places in map(places_of_fields, ("lateral", "tap", "downspout", "manhole"))
            if set(places.values()) <= set(sections)
        )
        for section in sections:
            if section in ("photos", "signatures", "review"):
                continue
            self.go_to(section)
            here = {name for name, place in where.items() if place == section}
            while names := self._asked_of(left, here):
                self.answer(names[0], left.pop(names[0]))
        assert not left, f"No section asked for {sorted(left)}; {self._seen(where[next(iter(left))])}"

    def _seen(self, section: str) -> str:
        """What a section asks and what is chosen in it, for the message of a test that fails."""
        self.go_to(section)
        checked = self.page.locator("[data-section] input:checked")
        chosen = checked.evaluate_all("all => all.map(one => one.id)")
        return f"{section} asks for {self.asked()}, chosen are {chosen}"

    def _asked_of(self, left: dict, here: set[str]) -> list[str]:
        """Which of these the section asks for; what the last answer calls up may not be drawn yet."""
        names: list[str] = []
        for _ in range(20):
            names = [name for name in self.asked() if name in left]
            if names or not left.keys() & here:
                break
            self.page.wait_for_timeout(100)
        return names

    def asked(self) -> list[str]:
        """Names of the fields that the open section shows, without those inside rows."""
        return self.page.locator("[data-section] [data-field]:not([data-row])").evaluate_all(
            "all => all.map(field => field.dataset.field)"
        )

    def answer(self, name: str, value) -> None:
        """Answer one field, whatever its kind."""
        field = fields()[name]
        if field["type"] != "list":
            self._type(field["type"], f"field-{name}", self._open(name), value)
        elif name in APPEND_ONLY_BY_HAND:
            self._keep_rows(name, field, value)
        else:
            self._add_rows(name, field, value)

    def _open(self, name: str) -> Locator:
        """The field on the page, unfolded."""
        place = self.page.locator(f"[data-field='{name}']:not([data-row])")
        if place.get_attribute("data-folded") is not None:
            place.get_by_role("button").first.click()
            self.page.wait_for_selector(f"[data-field='{name}']:not([data-folded])")
        return place

    def _add_rows(self, name: str, field: dict, rows: list[dict]) -> None:
        place = self._open(name)
        for number, row in enumerate(rows, 1):
            place.get_by_role("button", name=field["add"]).click()
            self._type_row(place, name, number, field, row)
            place.get_by_role("button", name="Done with this one").click()

    def _keep_rows(self, name: str, field: dict, rows: list[dict]) -> None:
        place = self._open(name)
        for number, row in enumerate(rows, 1):
            self._type_row(place, name, number, field, row)
            place.get_by_role("button", name="Keep").click()
            place.locator(f"li[data-row='{number}']").wait_for()

    def _type_row(self, place: Locator, name: str, number: int, field: dict, row: dict) -> None:
        left = dict(row)
        while left:
            shown = place.locator(f"[data-field][data-row='{number}']").evaluate_all(
                "all => all.map(cell => cell.dataset.field)"
            )
            cells = [cell for cell in shown if cell in left]
            assert cells, f"{name}, row {number}: nothing asks for {sorted(left)}"
            cell = cells[0]
            where = place.locator(f"[data-field='{cell}'][data-row='{number}']")
            kind = next(spec["type"] for spec in field["row"] if spec["field"] == cell)
            self._type(kind, f"field-{name}-{number}-{cell}", where, left.pop(cell))

    def _type(self, kind: str, box: str, place: Locator, value) -> None:
        page = self.page
        if kind == "measure":
            self._unit(box, place, value["unit"])
            self._write(box, value["value"])
        elif kind in ("choice", "bool3", "bool"):
            self._press(
                place.locator(f"label:has([id='{box}-{value}'])"), page.locator(f"[id='{box}-{value}']")
            )
        elif kind == "choices":
            for one in value:
                place.locator(f"label:has([id='{box}-{one}'])").click()
        elif kind == "date":
            page.locator(f"[id='{box}']").fill(value)
        elif kind == "time":
            at = datetime.fromisoformat(value).astimezone(ZONE)
            page.locator(f"[id='{box}-day']").fill(at.strftime("%Y-%m-%d"))
            page.locator(f"[id='{box}']").fill(at.strftime("%H:%M:%S" if at.second else "%H:%M"))
        elif kind == "place":
            self._find_place(box, place, value)
        elif kind == "signature":
            self._sign(place, value)
        elif kind == "text":
            page.locator(f"[id='{box}']").fill(value)
        elif kind == "list":
            page.locator(f"[id='{box}-names']").fill(
                ", ".join(name for row in value for name in row.values())
            )
        else:
            self._write(box, str(value))

    def _press(self, label: Locator, button: Locator) -> None:
        """Press one of several, once, and see that it took."""
        label.click()
        expect(button).to_be_checked()

    def _find_place(self, box: str, place: Locator, value: dict) -> None:
        """Ask for the position; the receiver gives one fix after the other, as a real one does."""
        self.page.locator(f"[id='{box}']").click()
        self.fix = {"latitude": value["lat"], "longitude": value["lon"], "accuracy": value["accuracy_m"]}
        found = place.locator(".read")
        for _ in range(40):
            if found.count():
                break
            self.page.context.set_geolocation(self.fix)
            with suppress(TimeoutError):
                found.wait_for(timeout=150)
        found.wait_for()

    def _unit(self, box: str, place: Locator, unit: str) -> None:
        """Choose the unit of a number where another one is chosen; a box with one unit has no switch."""
        switch = place.locator(f"input[name='{box}-unit'][value='{unit}']")
        if switch.count() and not switch.is_checked():
            place.locator(f"label:has(input[name='{box}-unit'][value='{unit}'])").click()

    def _write(self, box: str, text: str) -> None:
        """Key by key, as numbers are typed, so that every half of a number passes through the rules."""
        place = self.page.locator(f"[id='{box}']")
        place.fill("" if self.by_key else text)
        if self.by_key:
            place.press_sequentially(text)
        place.press("Tab")

    def clear(self, name: str, before) -> None:
        """Take an answer back: empty its box, or press once more what was ticked."""
        place, box = self._open(name), f"field-{name}"
        self._clear(fields()[name]["type"], box, place, before)

    def _clear(self, kind: str, box: str, place: Locator, before) -> None:
        if kind in ("measure", "number", "integer", "clock", "text", "date"):
            self.page.locator(f"[id='{box}']").fill("")
        elif kind == "time":
            for part in (box, f"{box}-day"):
                self.page.locator(f"[id='{part}']").fill("")
        elif kind == "choices":
            self._type(kind, box, place, before)
        # One of several is changed and never taken back; a rule reads it only where it is asked.

    def change_row(self, name: str, number: int, cells: dict) -> None:
        """Open a row that was recorded before and type over some of its cells; None empties one."""
        place, field = self._open(name), fields()[name]
        kinds = {spec["field"]: spec["type"] for spec in field["row"]}
        if not place.locator(f"[data-field][data-row='{number}']").count():
            self.page.locator(f"[id='row-{name}-{number}']").click()
        for cell, value in cells.items():
            box, where = (
                f"field-{name}-{number}-{cell}",
                place.locator(f"[data-field='{cell}'][data-row='{number}']"),
            )
            if value is None:
                self._clear(kinds[cell], box, where, None)
            else:
                self._type(kinds[cell], box, where, value)
        place.get_by_role("button", name="Done with this one").click()

    def remove_row(self, name: str, number: int) -> None:
        """Take a row off a list."""
        self.page.locator(f"[id='row-{name}-{number}']").click()
        place = self._open(name)
        place.get_by_role("button", name="Remove").click()
        place.locator(f"li[data-row='{number}'] .editor").wait_for(state="detached")

    def start_unplanned(self, kind: str, place: str) -> str:
        """Begin a visit that nobody assigned; returns the id of the inspection."""
        self.page.locator("#unplanned").click()
        self.page.locator(f"#new-protocol label:has(input[value='{kind}'])").click()
        self.page.locator("#new-place").fill(place)
        self.page.get_by_role("button", name="Begin").click()
        self.page.wait_for_selector("[data-section]")
        return self.record_id()

    def inspect_again(self) -> str:
        """Begin the next visit of a place that was handed in; returns the id of the child."""
        self.go_to_review()
        before = self.record_id()
        self.page.locator("#again").click()
        self.page.wait_for_url(lambda url: "#/visit/" in url and before not in url)
        # The address comes first, the screen after it.
        self.page.locator(f"nav.rail a[href*='{self.record_id()}']").first.wait_for(state="attached")
        return self.record_id()

    def shown(self, name: str, kind: str = "tap") -> str:
        """All that stands at a field, on whatever section of the form it is."""
        section = places_of_fields(kind)[name]
        if not self.page.locator(f"[data-section='{section}']").count():
            self.go_to(section)
        return self.page.locator(f"[data-field='{name}']:not([data-row])").inner_text().replace("\u00a0", " ")

    def shown_value(self, name: str) -> str:
        """What is typed into a field's box."""
        self.shown(name)
        return self.page.locator(f"[id='field-{name}']").input_value()

    def change_measure(self, name: str, typed: str, unit: str | None = None) -> None:
        """Type another number into a measure that was answered before; its unit stays unless one is given."""
        place = self._open(name)
        if unit:
            self._unit(f"field-{name}", place, unit)
        self._write(f"field-{name}", typed)

    def change_clock(self, name: str, typed: str) -> None:
        """Type another position on the pipe."""
        self._open(name)
        self._write(f"field-{name}", typed)

    def change_cell(self, name: str, row: int, cell: str, typed: str) -> None:
        """Open a row that was recorded before and type another number into one of its cells."""
        place = self._open(name)
        box = f"field-{name}-{row}-{cell}"
        if not self.page.locator(f"[id='{box}']").count():
            self.page.locator(f"[id='row-{name}-{row}']").click()
        self._write(box, typed)
        place.get_by_role("button", name="Done with this one").click()

    def outcome_of(self, rule: str) -> str | None:
        """What the open section says of a rule, once the screen has settled."""
        return self._said(rule).first.get_attribute("data-outcome")

    def text_of(self, rule: str) -> str:
        return self._said(rule).first.inner_text().replace("\u00a0", " ")

    def _said(self, rule: str) -> Locator:
        # Findings follow each keystroke in the same turn of the browser; two frames later they are painted.
        self.page.evaluate(TWO_FRAMES)
        return self.page.locator(f"[data-section] [data-rule='{rule}']")

    def take_photos(self) -> int:
        """Take every photo that is still needed, with the camera in the app; returns how many."""
        self.go_to("photos")
        taken = 0
        camera = self.page.locator("[data-camera]")
        while (slot := self.page.locator(".slot.now")).count():
            slot.get_by_role("button", name="Take photo").click()
            camera.wait_for()
            while camera.count():  # it stays open for the next of a row, such as the four sides
                key = camera.get_attribute("data-camera")
                if self.fix:  # a receiver goes on; without a fresh fix each photo waits a moment for one
                    self.page.context.set_geolocation(self.fix)
                self.page.get_by_role("button", name="Take the picture").click()
                self.page.locator(f"li[data-slot='{key}'] img").wait_for()
                taken += 1
        return taken

    def take(self, key: str) -> set[str]:
        """Take the photo of one place, and of those that the camera goes on to; returns all of them."""
        self.go_to("photos")
        self.page.locator(f"[data-slot='{key}']").get_by_role("button", name="Take photo").click()
        camera, taken = self.page.locator("[data-camera]"), set()
        camera.wait_for()
        while camera.count():
            key = camera.get_attribute("data-camera")
            self.page.get_by_role("button", name="Take the picture").click()
            self.page.locator(f"li[data-slot='{key}'] img").wait_for()
            taken.add(key)
        return taken

    def take_another(self, key: str) -> None:
        """Take one more photo for a place that already has one, as where every outlet is shown."""
        slot = self.page.locator(f"li[data-slot='{key}']")
        before = slot.locator("img").count()
        slot.get_by_role("button", name="Take another").click()
        self.page.get_by_role("button", name="Take the picture").click()
        expect(slot.locator("img")).to_have_count(before + 1)

    def sign(self, field: str, name: str) -> None:
        """Sign by hand: a name typed and a stroke drawn."""
        if not self.page.locator("[data-section='signatures']").count():
            self.go_to("signatures")
        self._sign(self.page.locator(f"[data-field='{field}']"), name)

    def _sign(self, place: Locator, name: str) -> None:
        self.draw_signature(place, name)
        place.locator("button.sign").click()
        place.locator(".signed").wait_for()

    def draw_signature(self, place: Locator, name: str) -> None:
        """Type the name and draw a stroke; the button that signs is not pressed yet."""
        place.get_by_label("Name of the person who signs").fill(name)
        canvas = place.locator("canvas")
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        self.page.mouse.move(box["x"] + 30, box["y"] + 100)
        self.page.mouse.down()
        for step in range(1, 12):
            self.page.mouse.move(box["x"] + 30 + 14 * step, box["y"] + 100 - (step % 3) * 25)
        self.page.mouse.up()

    def findings(self) -> dict[str, str]:
        """Rule and outcome of everything that the review screen lists."""
        self.go_to_review()
        rows = self.page.locator("[data-section='review'] [data-rule]").evaluate_all(
            "all => all.map(f => [f.dataset.rule, f.dataset.outcome])"
        )
        return dict(rows)

    def go_to_review(self) -> None:
        self.go_to("review")

    def submit(self) -> None:
        self.go_to_review()
        self.page.locator("#submit").click()
        self.page.locator("#submitted").wait_for()

    def wait_until_sent(self, seconds: float = 60) -> None:
        """Wait on the outbox screen until the office has everything."""
        self.page.evaluate("location.hash = '#/outbox'")
        self.page.get_by_text("Nothing waits. The office has everything.").wait_for(timeout=seconds * 1000)
