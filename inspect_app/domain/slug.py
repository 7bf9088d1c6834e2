"""Shocks and slugs: does a record of one constituent or flow stay above five times its average?

The JavaScript twin is static/pwa/rules/slug.js; change both together.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

TIMES_THE_AVERAGE = 5
LONGER_THAN = 15 * 60
Point = tuple[Fraction, Fraction]


def slug(points: Sequence[Point], interval_min: Fraction, average: Fraction) -> str:
    """`candidate`, `open`, `indeterminate` or `none` for points of (seconds, value).

    A point covers the time to the next one; after a gap only its interval, and its run ends there. The last
    covers nothing: a run that would be long enough with it is open. A run ends at the average times five.
    ValueError for an average or an interval that is not above zero.
    """
    if average <= 0 or interval_min <= 0:
        raise ValueError("the average and the interval must be above zero")
    limit, interval = TIMES_THE_AVERAGE * average, interval_min * 60
    rows = sorted(points)
    if len(rows) < 2 or (interval > LONGER_THAN and any(value > limit for _, value in rows)):
        return "indeterminate"
    run = Fraction(0)
    for (at, value), (following, _) in pairwise(rows):
        gap = following - at > 2 * interval
        run = run + (interval if gap else following - at) if value > limit else Fraction(0)
        if run > LONGER_THAN:
            return "candidate"
        if gap:
            run = Fraction(0)
    return "open" if rows[-1][1] > limit and run + interval > LONGER_THAN else "none"


def slug_gap(times: Sequence[Fraction], interval_min: Fraction) -> bool:
    """Whether two neighbouring points are more than two intervals apart, so that a run is cut there."""
    return any(after - before > 2 * interval_min * 60 for before, after in pairwise(sorted(times)))
