"""The same lateral typed with fractions and in metric units: findings follow the length alone."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest

from inspect_app.services.findings import evaluate
from inspect_app.store import inspections
from inspect_app.store.villages import protocol
from tests.e2e.office import server_findings, tablet_findings

METRIC = {"in": ("cm", Decimal("2.54")), "ft": ("m", Decimal("0.3048"))}


def with_fractions(value: str, unit: str) -> dict[str, str]:
    """3.5 is typed `3 1/2`, and 1096.42 `1096 21/50`: the same number, exactly."""
    number = Fraction(value)
    whole, part = divmod(number, 1)
    if part == 0:
        return {"value": value, "unit": unit}
    return {"value": f"{whole} {part}" if whole else str(part), "unit": unit}


def in_metric(value: str, unit: str) -> dict[str, str]:
    """Inches are typed in centimetres and feet in metres, with every digit of the exact conversion."""
    if unit not in METRIC:
        return {"value": value, "unit": unit}
    metric, factor = METRIC[unit]
    return {"value": format(Decimal(value) * factor, "f"), "unit": metric}


@pytest.mark.parametrize("written", [with_fractions, in_metric])
def test_the_same_lateral_gives_the_same_findings(enrolled, office_app, walkthrough, written):
    visit = walkthrough(1)
    typed = rewritten(visit["answers"], written)
    assert typed != visit["answers"]
    tablet = enrolled("inspector-a", "barneveld")
    inspector = tablet.inspector
    tablet.go_offline()
    record_id = inspector.start("Lot 14 Example Court")
    inspector.fill_in(typed)
    seen = inspector.findings()
    assert {rule: seen.get(rule) for rule in visit["expect"]} == visit["expect"]
    inspector.submit()
    tablet.go_online()
    inspector.wait_until_sent()

    assert server_findings(office_app, record_id) == seen == tablet_findings(office_app, record_id)
    with office_app.app_context():
        record = inspections.inspection(record_id)
        plain = evaluate(record, instead=by_group(visit["answers"]))
        metric = evaluate(record)
    told = ("rule", "outcome", "boundary", "value", "missing")
    assert [[body[name] for name in told] for body in metric] == [
        [body[name] for name in told] for body in plain
    ]


def rewritten(answers, written: Callable[[str, str], dict[str, str]]):
    """The same answers with every length written another way, at whatever depth it stands."""
    if isinstance(answers, dict) and answers.keys() == {"value", "unit"}:
        return written(answers["value"], answers["unit"])
    if isinstance(answers, dict):
        return {name: rewritten(value, written) for name, value in answers.items()}
    if isinstance(answers, list):
        return [rewritten(value, written) for value in answers]
    return answers


def by_group(answers: dict) -> dict[str, dict]:
    """The answers of a lateral as the groups of its form hold them."""
    group_of = {field.name: group.name for group, field in protocol("lateral", "1").fields()}
    groups: dict[str, dict] = {}
    for name, value in answers.items():
        groups.setdefault(group_of[name], {})[name] = value
    return groups
