"""One measured figure beside its budget, and the table they are printed in."""

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What was measured; `budget` is the most it may be, None where it is only told."""

    name: str
    value: float
    unit: str
    budget: float | None = None

    @property
    def is_kept(self) -> bool:
        return self.budget is None or self.value <= self.budget

    def line(self) -> str:
        if self.budget is None:
            return f"{self.name:<62} {self.value:>9,.2f} {self.unit}"
        word = "kept" if self.is_kept else "MISSED"
        share = self.value / self.budget
        return (
            f"{self.name:<62} {self.value:>9,.2f} {self.unit:<3} of {self.budget:>7,.2f}  "
            f"{share:>5.0%}  {word}"
        )


def tell(figures: list[Figure]) -> bool:
    """Print every figure; whether all budgets are kept."""
    for figure in figures:
        sys.stdout.write(figure.line() + "\n")
    sys.stdout.flush()
    return all(figure.is_kept for figure in figures)


def alone(measure) -> None:
    """Run one measurement as a program of its own; exits 1 when a budget is missed."""
    sys.exit(not tell(measure()))
