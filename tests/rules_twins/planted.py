"""Faults to plant in a copy of the evaluator: each says what goes wrong, and the slip in either language.

The first thirteen concern the language itself, the others its functions and how answers are read. A fault has
one language only where the other cannot make it.
"""

from dataclasses import dataclass

Slip = tuple[str, str, str]  # file, what is written there, what is written instead


@dataclass(frozen=True)
class Fault:
    what: str
    python: Slip | None
    javascript: Slip | None


def _both(what: str, file: str, python: tuple[str, str], javascript: tuple[str, str]) -> Fault:
    return Fault(what, (f"{file}.py", *python), (f"{file}.js", *javascript))


IN_EXPRESSIONS = [
    _both(
        "at most is read as less than",
        "operators",
        ('return (order > 0) is (sign == ">")', 'return order >= 0 if sign == ">" else order < 0'),
        ('if (sign === "<=") return order <= 0;', 'if (sign === "<=") return order < 0;'),
    ),
    _both(
        "less than holds on the limit",
        "operators",
        ('return (order < 0) is (sign == "<")', 'return order <= 0 if sign == "<" else order >= 0'),
        ('if (sign === "<") return order < 0;', 'if (sign === "<") return order <= 0;'),
    ),
    Fault(
        "one unknown part hides a deciding one",
        ("writer.py", "if {whole} is not {decides}:", "if {whole} is {otherwise}:"),
        (
            "expression.js",
            "      if (truth(part, scope, reads) === decides) return decides;\n    } catch (thrown) {\n",
            "      if (truth(part, scope, reads) === decides) return decides;\n    } catch (thrown) {\n"
            "      throw thrown;\n",
        ),
    ),
    Fault(
        "or decides like and",
        ("writer.py", 'node.sign == "||"', 'node.sign == "&&"'),
        (
            "expression.js",
            'const decides = node.sign === "||";',
            'const decides = node.sign === "&&";',
        ),
    ),
    Fault(
        "only the first of two missing answers is named",
        ("values.py", "return Missing(*first.paths, *second.paths)", "return first"),
        ("values.js", "new Missing([...first.paths, ...second.paths])", "first"),
    ),
    Fault(
        "unknown outranks a broken rule",
        (
            "values.py",
            "return first if isinstance(first, CannotCompute) else second",
            "return first or second",
        ),
        (
            "values.js",
            "return first instanceof CannotCompute ? first : second;",
            "return first ?? second;",
        ),
    ),
    Fault(
        "an answer that was read is not noted",
        ("writer.py", "reads.add({record}.path + {'.' + field!r})", "pass"),
        ("expression.js", "if (!(value instanceof Row)) reads.add(path);", ""),
    ),
    Fault(
        "exactly one is read as at least one",
        ("writer.py", "len({whole}) == 1", "len({whole}) >= 1"),
        ("expression.js", "kept.length === 1", "kept.length >= 1"),
    ),
    Fault(
        "an unfinished row hides a violation in a later one",
        (
            "writer.py",
            "{not decides}: {failure} = unsure({failure}, {part})",
            "{not decides}: {failure} = unsure({failure}, {part}); break",
        ),
        (
            "expression.js",
            "      failure = worse(failure, failureOf(thrown));\n      continue;",
            "      throw thrown;",
        ),
    ),
    Fault(
        "rounding cuts off",
        (
            "quantities.py",
            "(2 * abs(number.numerator) + number.denominator) // (2 * number.denominator)",
            "abs(number.numerator) // number.denominator",
        ),
        ("fraction.js", "(2n * magnitude(this.top) + this.bottom)", "(2n * magnitude(this.top))"),
    ),
    Fault(
        "a half below zero is rounded up",
        (
            "quantities.py",
            "return doubled if number >= 0 else -doubled",
            "return doubled",
        ),
        ("fraction.js", "return this.top < 0n ? -doubled : doubled;", "return doubled;"),
    ),
    Fault(
        "a whole number is rounded up to the next",
        ("functions.py", "math.ceil(number)", "math.floor(number) + 1"),
        ("fraction.js", "return -this.negated().floor();", "return this.floor() + 1n;"),
    ),
    Fault(
        "the zero point of a temperature is forgotten",
        ("quantities.py", "number * scale + offset if offset else number * scale", "number * scale"),
        ("quantities.js", ".plus(start[1]).minus(end[1])", ".plus(start[1])"),
    ),
    Fault(
        "of a fallback the last reason is told",
        (
            "writer.py",
            "if type({value}) is not Missing: {known} = {value}",
            "{known} = {value}",
        ),
        ("expression.js", "unknown ??= thrown;", "unknown = thrown;"),
    ),
    Fault(
        "not checked counts as no",
        ("answers.py", 'return raw == "yes" if raw in ("yes", "no")', 'return raw == "yes" if raw'),
        ("answers.js", 'return raw === "yes" || raw === "no" ?', "return raw ?"),
    ),
    Fault(
        "an empty list counts as answered",
        (
            "answers.py",
            "if not isinstance(raw, list) or not raw:\n                return None\n            return [_row",
            "if not isinstance(raw, list):\n                return None\n            return [_row",
        ),
        (
            "answers.js",
            "if (!Array.isArray(raw) || !raw.length) return undefined;",
            "if (!Array.isArray(raw)) return undefined;",
        ),
    ),
    Fault(
        "twelve o'clock lies twelve hours from the crown",
        ("calendar.py", "60 * (int(found[1]) % 12)", "60 * int(found[1])"),
        ("calendar.js", "60 * (Number(found[1]) % 12)", "60 * Number(found[1])"),
    ),
    Fault(
        "a Saturday is a business day",
        ("calendar.py", "(day + 3) % 7 < 5", "(day + 3) % 7 < 6"),
        ("calendar.js", "weekday(day) < 5n", "weekday(day) < 6n"),
    ),
    Fault(
        "the minute of sunset is not night",
        ("sun_functions.py", "time >= sunset + shift", "time > sunset + shift"),
        ("sun_functions.js", "time.compare(sunset.plus(shift)) >= 0", "time.compare(sunset.plus(shift)) > 0"),
    ),
    Fault(
        "a text is counted in halves of letters",
        ("functions.py", "Fraction(len(text))", 'Fraction(len(text.encode("utf-16-le")) // 2)'),
        ("functions.js", "[...text].length", "text.length"),
    ),
    Fault(
        "texts are ordered by halves of letters",
        None,
        (
            "operators.js",
            "order = compareTexts(left, right);",
            "order = left < right ? -1 : left > right ? 1 : 0;",
        ),
    ),
]

IN_JUDGING = [
    Fault(
        "a softened finding keeps its failed checks hard",
        ("one_rule.py", 'failed.outcome = entry["to"]', "pass"),
        ("one_rule.js", "if (isDecided(failed)) failed.outcome = entry.to;", ""),
    ),
    Fault(
        "a value on its limit is not told",
        ("one_rule.py", "self.finding.boundary = True", "pass"),
        ("one_rule.js", "this.finding.boundary = true;", ""),
    ),
    Fault(
        "a rule that does not apply is judged",
        (
            "one_rule.py",
            'if result.is_false:\n                return self._not_applicable(entry["reason"])',
            "pass",
        ),
        ("one_rule.js", "if (result.value === false) return this.notApplicable(entry.reason);", ""),
    ),
    Fault(
        "of two equally grave rows the later is told",
        (
            "one_rule.py",
            "min(self.finding.failed, key",
            "min(reversed(self.finding.failed), key",
        ),
        ("one_rule.js", "OUTCOMES.indexOf(other.outcome) <", "OUTCOMES.indexOf(other.outcome) <="),
    ),
    Fault(
        "a figure on its limit shows the wrong comparison",
        (
            "wording.py",
            'return (value > limit) is (sign == ">")',
            'return (value >= limit) is (sign == ">")',
        ),
        ("wording.js", 'order > 0 === (sign === ">")', 'order >= 0 === (sign === ">")'),
    ),
    Fault(
        "the village's settings are forgotten",
        (
            "rules.py",
            "{**answers, **context, **pack.settings_on(day), **(settings or {})}",
            "{**answers, **context}",
        ),
        ("rules.js", "[settings ?? {}, settingsOn(pack, day), context ?? {}, answers]", "[answers]"),
    ),
]
