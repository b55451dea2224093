# SPDX-License-Identifier: GPL-2.0-only
"""Published values, from the paper.csv beside an experiment's descriptors."""

import csv
from dataclasses import dataclass

from rails.errors import ResultError

# How far a value can be trusted.
KINDS = {
    "exact": "a number printed in the figure",
    "read-off": "read off a curve",
    "below": "the paper says only that it is below this",
    "simulator": "measured with the authors' public simulator",
    "theory": "what the paper derives",
}
COLUMNS = ["case", "scheme", "x", "value", "kind"]


@dataclass(frozen=True)
class Published:
    """One value that somebody else found."""

    value: float
    kind: str

    def __str__(self):
        sign = {"read-off": "~", "below": "< "}.get(self.kind, "")
        return f"{sign}{self.value:g}"

    @property
    def is_value(self):
        """False for a bound, which has no place in an order."""
        return self.kind != "below"


def read_published(path):
    """
    The values of a paper.csv.
    :return: Published by (case, scheme, x), where x is a number if it looks like one
    """
    values = {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != COLUMNS:
            raise ResultError(path, f"expected the columns {','.join(COLUMNS)}")
        for row in rows:
            if row["kind"] not in KINDS:
                raise ResultError(f"{path}:{rows.line_num}", f"unknown kind {row['kind']}")
            place = (row["case"], row["scheme"], number_or_word(row["x"]))
            if place in values:
                raise ResultError(f"{path}:{rows.line_num}", f"{place} is there twice")
            values[place] = Published(float(row["value"]), row["kind"])
    return values


def number_or_word(text):
    """A number where the text is one ("inf" is), the text itself elsewhere."""
    try:
        return float(text)
    except ValueError:
        return text
