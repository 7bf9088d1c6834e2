"""One row of a laboratory's report, read exactly: what it says, and what keeps it from being used.

Nothing is rounded, converted or guessed. What was reported stays beside what was read from it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from inspect_app.domain import lab_words

TEXTS = ("lab_sample_id", "cas", "method_edition", "lab_name", "lab_cert_no", "lab_comment")
NUMBERS = ("composite_hours", "mdl", "rl", "dilution", "incubation_days", "receipt_temp_c")
IN_ORDER = ("collected_at", "received_at", "analyzed_at", "reported_at")
ORDER_WORDS = {
    "collected_at": "collected",
    "received_at": "received",
    "analyzed_at": "analyzed",
    "reported_at": "reported",
}
LIST = "lab_results"  # the list of a record's document that holds them
CLOCK_SKEW = timedelta(minutes=15)  # a laboratory's clock may be ahead of ours by so much
LONGEST = 500

_NUMBER = r"[0-9]{1,30}(?:\.[0-9]{1,30})?|\.[0-9]{1,30}"
_RESULT = re.compile(rf"([<>]?)\s*({_NUMBER})(?:\s*([A-Za-z]{{1,2}}))?")
_POWER = re.compile(r"([0-9])(?:\.([0-9]+))?[eE]([+-]?)([0-9]{1,2})")
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})/(\d{1,2})/(\d{4})")
_TIME = re.compile(
    r"(?:[T ]\s*)?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(?:([AaPp])\.?[Mm]\.?)?\s*(Z|[+-]\d{2}:?\d{2})?"
)
UNDETECTED = frozenset({"nd", "not_detected", "n_d", "u"})
UNCOUNTABLE = frozenset({"tntc", "too_numerous_to_count"})
# Letters that laboratories put beside a result. R (rejected) is none of them: such a row waits for a person.
QUALIFIERS = frozenset({"U", "J", "UJ", "B", "D", "E", "H", "K", "L", "M", "N", "P", "Q"})


@dataclass
class Row:
    """What a row says; `state`: ready, tray (a person decides), refused (wrong in itself), quality (QC)."""

    values: dict[str, Any]
    said: str  # the result as the laboratory wrote it
    state: str = "ready"
    reasons: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def stop(self, state: str, reason: str) -> None:
        """Keep the row from being used; refused outweighs tray."""
        self.reasons.append(reason)
        if self.state != "refused":
            self.state = state

    @property
    def key(self) -> str:
        """What a later report of the same thing has in common with this one."""
        named = ("coc_no", "sample_id", "analyte", "fraction", "qc_type")
        return "|".join(str(self.values.get(name) or "") for name in named)


def read_row(cells: Mapping[str, str], zone: ZoneInfo, now: datetime) -> Row:
    """Read one row by the columns of the simple CSV; times without an offset are the village's."""
    row = Row({}, cells.get("result", "").strip())
    for name, text in cells.items():
        if len(text) > LONGEST:
            row.stop("refused", f"{name} is longer than {LONGEST} letters.")
            return row
    _identity(row, cells)
    _kind_of_sample(row, cells)
    _choices(row, cells)
    _analyte(row, cells)
    _result(row, cells)
    _times(row, cells, zone, now)
    for name in TEXTS:
        if text := cells.get(name, "").strip():
            row.values[name] = text
    if method := cells.get("method", "").strip():
        row.values["lab_method"] = method
    for name in NUMBERS:
        if text := cells.get(name, "").strip():
            if not re.fullmatch(rf"-?(?:{_NUMBER})", text):
                row.stop("tray", f"{name} “{text}” is no number.")
            else:
                row.values[name] = text
    return row


def _identity(row: Row, cells: Mapping[str, str]) -> None:
    for name, word in (("coc_no", "chain-of-custody form"), ("sample_id", "sample")):
        text = cells.get(name, "").strip()
        if text:
            row.values[name] = text  # exactly as it stands: 0012 is not 12
        else:
            row.stop("tray", f"The row names no {word}.")
    if parent := cells.get("parent_sample_id", "").strip():
        row.values["parent_sample_id"] = parent


def _kind_of_sample(row: Row, cells: Mapping[str, str]) -> None:
    text = cells.get("qc_type", "").strip()
    word = lab_words.plain(text)
    if word in lab_words.LABORATORY_QC:
        row.values["qc_type"] = word
        row.stop("quality", "Quality control of the laboratory: kept, never judged.")
    elif word in lab_words.FIELD_SAMPLES:
        row.values["qc_type"] = lab_words.FIELD_SAMPLES[word]
    else:
        row.stop("tray", f"“{text}” is no kind of sample that is known here.")


def _choices(row: Row, cells: Mapping[str, str]) -> None:
    for name, known in lab_words.CHOICES.items():
        text = cells.get(name, "").strip()
        if not text:
            continue
        choice = known.get(lab_words.plain(text))
        if choice:
            row.values[name] = choice
        else:
            row.stop("tray", f"{name} “{text}” is not known here.")


def _analyte(row: Row, cells: Mapping[str, str]) -> None:
    text, cas = cells.get("analyte", "").strip(), cells.get("cas", "").strip()
    named = lab_words.ANALYTES.get(lab_words.plain(text))
    numbered = lab_words.ANALYTE_OF_CAS.get(cas)
    if named and numbered and named != numbered:
        row.stop("tray", f"The analyte is {text}, but CAS {cas} is another.")
    elif found := named or numbered:
        row.values["analyte"] = found
    else:
        row.stop("tray", f"The analyte “{text}” is not known here." if text else "The row names no analyte.")
    unit_text = cells.get("unit", "").strip()
    unit = lab_words.unit_of(unit_text)
    is_ph = row.values.get("analyte") == "ph"
    if unit is None or (unit == "su") != is_ph:
        row.stop(
            "tray",
            f"The unit “{unit_text}” is not one of {row.values.get('analyte') or 'this analyte'} here."
            if unit_text
            else "The row gives no unit.",
        )
    else:
        row.values["unit"] = unit


def _result(row: Row, cells: Mapping[str, str]) -> None:
    """Value, bound and flag of a result: 250.1, <5, >2420, 5 U, 0.02 J, ND, TNTC; anything else waits."""
    text, word = row.said, lab_words.plain(row.said)
    found, power = _RESULT.fullmatch(text), _POWER.fullmatch(text)
    letters = cells.get("qualifier", "").upper().replace(",", " ").replace(";", " ").split()
    bound, number = "", ""
    if found:
        bound, number = found[1], found[2]
        letters += (found[3] or "").upper().split()
    elif power:
        number = _written_out(power)
    elif word not in UNDETECTED | UNCOUNTABLE:
        row.stop("tray", _why_no_result(text))
        return
    for letter in letters:
        if letter not in QUALIFIERS:
            row.stop("tray", f"The qualifier “{letter}” is not known here.")
    flagged = row.values.get("detect_flag") in ("not_detected", "below_reporting_limit")
    undetected = word in UNDETECTED or flagged or any("U" in letter for letter in letters)
    if undetected and bound == ">":
        row.stop("tray", f"“{text}” is said to be undetected, and yet above a bound.")
        return
    if word in UNDETECTED:
        letters = letters or ["U"]
        number = next((cells[name].strip() for name in ("rl", "mdl") if cells.get(name, "").strip()), "")
        if not re.fullmatch(_NUMBER, number):
            number = ""
        row.remarks.append(
            f"Not detected, so below the limit that the report gives: {number}."
            if number
            else "Not detected, and the report gives no limit: no rule can use it."
        )
    if word in UNCOUNTABLE:
        row.remarks.append("Too numerous to count: there is no number that a rule could use.")
        row.values["lab_result"] = "TNTC"
    else:
        # 5 U is not five: it is less than five.
        row.values["lab_result"] = ("<" if undetected else bound) + number if number else "ND"
    if letters:
        row.values["qualifier"] = " ".join(dict.fromkeys(letters))
    if undetected:
        row.values.setdefault("detect_flag", "not_detected")


def _why_no_result(text: str) -> str:
    if not text:
        return "The row gives no result."
    if "," in text:
        return f"“{text}” has a comma, which some read as thousands and others as decimals."
    return f"“{text}” is no result that can be read exactly."


def _written_out(power: re.Match[str]) -> str:
    """The digits of 1.4E-3, as 0.0014: the same number, with no digit more or less."""
    digits, decimals = power[1] + (power[2] or ""), len(power[2] or "")
    places = decimals - int((power[3] if power[3] == "-" else "") + power[4])
    if places <= 0:
        return (digits + "0" * -places).lstrip("0") or "0"
    digits = digits.rjust(places + 1, "0")
    return f"{digits[:-places].lstrip('0') or '0'}.{digits[-places:]}"


def _times(row: Row, cells: Mapping[str, str], zone: ZoneInfo, now: datetime) -> None:
    """Instants in the order in which they must be; a day alone counts for the order, and for no rule."""
    spans: list[tuple[str, datetime, datetime]] = []
    for name in IN_ORDER:
        text = cells.get(name, "").strip()
        if not text:
            continue
        span = _span(text, zone, row, name)
        if span is None:
            continue
        first, last = span
        if first > now + CLOCK_SKEW:
            row.stop("refused", f"{name} “{text}” lies in the future.")
        if first == last:
            row.values[name] = first.isoformat()
        else:
            row.remarks.append(f"{name} gives a day and no time: holding times cannot be judged by it.")
        spans.append((name, first, last))
    for (before, first, _), (after, _, last) in pairwise(spans):
        if last < first:
            row.stop(
                "refused",
                f"It was {ORDER_WORDS[after]} ({cells[after].strip()}) before it was "
                f"{ORDER_WORDS[before]} ({cells[before].strip()}).",
            )
    if "collected_at" not in {name for name, _, _ in spans} and row.state == "ready":
        row.stop("tray", "The row does not say when the sample was collected.")


def _span(text: str, zone: ZoneInfo, row: Row, name: str) -> tuple[datetime, datetime] | None:
    """The instant of a text, twice; of a day alone its first and last moment."""
    found = _DAY.match(text)
    rest = text[found.end() :].strip() if found else ""
    clock = _TIME.fullmatch(text[found.end() :]) if found and rest else None
    try:
        if found is None or (rest and clock is None):
            raise ValueError
        if found[1]:
            year, month, day = int(found[1]), int(found[2]), int(found[3])
        else:
            year, month, day = int(found[6]), int(found[4]), int(found[5])
        begin = datetime(year, month, day)  # noqa: DTZ001 (its zone is found below, with its hour)
        if clock is None:
            return (
                begin.replace(tzinfo=zone).astimezone(UTC),
                begin.replace(hour=23, minute=59, second=59, tzinfo=zone).astimezone(UTC),
            )
        hour = int(clock[1])
        if clock[4]:
            if not 1 <= hour <= 12:
                raise ValueError
            hour = hour % 12 + (12 if clock[4] in "Pp" else 0)
        at = begin.replace(hour=hour, minute=int(clock[2]), second=int(clock[3] or 0))
    except ValueError:
        row.stop("tray", f"{name} “{text}” is no time that can be read: write 2026-04-15 08:00.")
        return None
    if clock[5]:
        moment = datetime.fromisoformat(f"{at.isoformat()}{'+00:00' if clock[5] == 'Z' else clock[5]}")
        return moment.astimezone(zone), moment.astimezone(zone)
    earlier, later = at.replace(tzinfo=zone), at.replace(tzinfo=zone, fold=1)
    if earlier.utcoffset() != later.utcoffset():
        is_twice = earlier.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == at
        why = "comes twice on that night" if is_twice else "does not exist on that night"
        row.stop("tray", f"{name} “{text}” {why}, as clocks are changed: write it with its offset, -05:00.")
        return None
    return earlier, earlier
