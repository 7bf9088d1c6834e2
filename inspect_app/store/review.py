"""What a review asks of the database beside the nouns themselves: findings as they stood when decided."""

from collections.abc import Iterable, Sequence

from sqlalchemy import select

from inspect_app.store.base import db
from inspect_app.store.findings import Finding


def findings_of_rules(record_id: str, rules: Iterable[str]) -> Sequence[Finding]:
    """Every finding the server ever made of these rules on a record, oldest first."""
    return db.session.scalars(
        select(Finding)
        .where(Finding.record_id == record_id, Finding.source == "server", Finding.rule.in_(list(rules)))
        .order_by(Finding.id)
    ).all()
