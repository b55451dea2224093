# SPDX-License-Identifier: GPL-2.0-only
"""Published values, from the paper.csv beside an experiment's descriptors."""

import csv
import math
from dataclasses import dataclass

from rails.errors import ResultError
from .csv_rows import read_rows

# How far a value can be trusted.
KINDS = {
    "exact": "a number printed in the figure",
    "read-off": "read off a curve",
    "below": "the paper says only that it is below this",
    "above": "the paper says only that it is above this",
    "range": "the paper gives a range",
    "simulator": "measured with the authors' public simulator",
    "theory": "what the paper derives",
}
COLUMNS = ["case", "scheme", "x", "value", "kind"]


@dataclass(frozen=True)
class Published:
    """One value that somebody else found, or the lower end of a range."""

    value: float
    kind: str
    high: float = None  # the upper end of a range

    def __str__(self):
        sign = {"read-off": "~", "below": "< ", "above": "> "}.get(self.kind, "")
        return f"{sign}{self.value:g}" + ("" if self.high is None else f" to {self.high:g}")

    @property
    def is_value(self):
        """False for a bound or a range, which have no place in an order."""
        return self.kind not in ("below", "above", "range")

    @property
    def ends(self):
        """The interval that the paper leaves."""
        low = -math.inf if self.kind == "below" else self.value
        return low, {"above": math.inf, "range": self.high}.get(self.kind, self.value)

    @classmethod
    def parse(cls, text, kind):
        """What a cell has, such as 1.5, or 1.2 to 1.5 for a range."""
        low, _, high = text.partition(" to ")
        return cls(float(low), kind, float(high) if high else None)


def read_published(path):
    """
    The values of a paper.csv.
    :return: Published by (case, scheme, x), where x is a number if it looks like one
    """
    values = {}
    for row, line in read_rows(path, COLUMNS):
        if row["kind"] not in KINDS:
            raise ResultError(line, f"unknown kind {row['kind']}")
        place = (row["case"], row["scheme"], number_or_word(row["x"]))
        if place in values:
            raise ResultError(line, f"{place} is there twice")
        values[place] = Published.parse(row["value"], row["kind"])
    return values


def number_or_word(text):
    """A number where the text is one ("inf" is), the text itself elsewhere."""
    try:
        return float(text)
    except ValueError:
        return text
