"""What each named function takes and gives, for the checker; the functions themselves are in functions.py."""

from dataclasses import replace

from inspect_app.domain.types import BOOL, DATE, INT, Type, list_of

SLUG_STATES = frozenset(["none", "candidate", "open", "indeterminate"])


def result_of(function: str, arguments: list[Type], is_method: bool) -> Type | None:
    """What a function gives for these types, or None if it does not take them."""
    kinds = [argument.kind for argument in arguments]
    first = arguments[0] if arguments else Type("nothing")
    match function, kinds:
        case "size", ["text" | "list"]:
            return INT
        case "startsWith" | "endsWith" | "contains", ["text", "text"]:
            return BOOL if is_method else None
        case _ if is_method:
            return None
        case "double", ["int" | "double"]:
            return replace(first, kind="double")
        case "ceil" | "floor" | "round", ["double"]:
            return first
        case "min" | "max" | "sum", ["list"]:
            item = first.item or Type("nothing")
            orders_days = function != "sum" and item.kind in ("date", "time")
            return item if item.kind in ("int", "double") or orders_days else None
        case "slopes", ["list"] if _has_rows(first, "station", "elevation"):
            return list_of(Type("double", unit="in/ft"))
        case "largest_gap", ["list", "double"] if _has_rows(first, "station"):
            return Type("double", unit="ft") if arguments[1].unit in (None, "ft") else None
        case "local_day", ["time"]:
            return DATE
        case "minute_of", ["time"]:
            return INT
        case "low_of" | "high_of", ["text"]:
            return Type("double")
        case "typed_in", ["double", "text"]:
            return BOOL
        case (
            "business_day_after" | "last_day" | "last_filing_day" | "months_after" | "years_after",
            ["date", "int"],
        ):
            return DATE
        case "year" | "month_day", ["date"]:
            return INT
        case "slug", ["list", "double", "double"] if _is_series(arguments):
            return Type("text", choices=SLUG_STATES)
        case "slug_gap", ["list", "double"] if _is_series(arguments):
            return BOOL
        case "cents", ["double"]:
            return first
        case "text", ["int" | "double"] | ["int" | "double", "int"]:
            return Type("text")
        case "is_night", ["time"]:
            return BOOL
        case "sunset_of", ["time"]:
            return first
        case "minutes_to_sunset", ["time"]:
            return Type("double", unit="min")
        case _:
            return None


def _is_series(arguments: list[Type]) -> bool:
    """A list of rows with time and reading, and an interval in minutes."""
    row = arguments[0].item.fields if arguments[0].item and arguments[0].item.fields else {}
    kinds = [row[name].kind if name in row else None for name in ("time", "reading")]
    return kinds == ["time", "double"] and arguments[1].unit in (None, "min")


def _has_rows(found: Type, *fields: str) -> bool:
    row = found.item.fields if found.item and found.item.fields else {}
    return all(field in row and row[field].kind == "double" and row[field].unit == "ft" for field in fields)
