"""Variations of a walkthrough at the trench: what one changes is typed over, then every finding is read."""

from datetime import datetime

from tests.e2e.inspector import Inspector, fields, places_of_fields

PHONE, TABLET = {"width": 390, "height": 844}, {"width": 820, "height": 1180}


class Variations:
    """Types a vector over what stands on the form, field by field and cell by cell where they differ.

    The narrow and the wide layout take turns: each variation is typed and read at the next of the two.
    """

    def __init__(self, inspector: Inspector, answers: dict, kind: str):
        self.inspector, self.stands, self.kind = inspector, dict(answers), kind
        self.sizes = [PHONE, TABLET]

    def type_over(self, answers: dict) -> None:
        """Make the form say these answers, and nothing where one has none."""
        sections = places_of_fields(self.kind)
        names = [name for name in sections if self.stands.get(name) != answers.get(name)]
        while names:
            here = [name for name in names if sections[name] == sections[names[0]]]
            self.inspector.go_to(sections[names[0]])
            asked = set(self.inspector.asked())
            # What is asked for only once another field is answered comes after it.
            for name in sorted(here, key=lambda name: (name not in asked, name)):
                self._type_over(name, self.stands.get(name), answers.get(name))
            names = [name for name in names if name not in here]
        self.stands = dict(answers)

    def _type_over(self, name: str, before, after) -> None:
        kind = fields()[name]["type"]
        if kind == "list" and before is not None:
            self._type_over_rows(name, before, after)
        elif after is None:
            self.inspector.clear(name, before)
        elif kind == "choices":
            self.inspector.answer(name, sorted(set(before or ()) ^ set(after)))
        else:
            self.inspector.answer(name, after)

    def _type_over_rows(self, name: str, before: list, after: list) -> None:
        assert len(before) == len(after), f"{name}: rows are changed here, not added"
        for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
            changed = {cell: new.get(cell) for cell in {**old, **new} if old.get(cell) != new.get(cell)}
            if changed:
                self.inspector.change_row(name, number, changed)

    def findings(self, vector: dict) -> dict[str, str]:
        """Type a vector over and read what every rule says, at the next of the two widths."""
        self.inspector.page.set_viewport_size(self.sizes[0])
        self.sizes.reverse()
        self.type_over(vector["answers"])
        return self.inspector.findings()

    def come_out_as_written(self, vector: dict) -> dict[str, str]:
        """Every finding that the vector names is as it says, with its note; returns all findings."""
        seen = self.findings(vector)
        assert {rule: seen.get(rule) for rule in vector["expect"]} == vector["expect"], vector["name"]
        for rule, words in vector.get("notes", {}).items():
            assert words.lower() in self.inspector.text_of(rule).lower(), (vector["name"], rule)
        return seen


def on_the_day(page, vector: dict, time: str = "12:00") -> None:
    """Let the tablet's clock stand on the day of a vector: what runs out with days is judged by it."""
    offset = "-06:00" if vector["on"] > "2026-11-01" or vector["on"] < "2026-03-08" else "-05:00"
    page.clock.set_fixed_time(datetime.fromisoformat(f"{vector['on']}T{time}:00{offset}"))
