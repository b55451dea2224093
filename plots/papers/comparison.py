# SPDX-License-Identifier: GPL-2.0-only
"""Measured values beside published ones: means over seeds, and tolerances."""

from dataclasses import dataclass, field

import numpy as np

from .balancers import order


@dataclass(frozen=True)
class Sample:
    """What one run found."""

    case: str  # panel of the figure
    scheme: str
    x: object  # number or word; "" where a figure has no such axis
    seed: int
    value: float


@dataclass
class Row:
    """All seeds of one place in a figure, and what the paper has there."""

    case: str
    scheme: str
    x: object
    values: np.ndarray
    paper: object = None  # Published or None
    recorded: tuple = None  # mean, lowest, highest and their number, where a data file has no more

    @property
    def count(self):
        """Of seeds; 0 where nothing was measured."""
        return self.recorded[3] if self.recorded else len(self.values)

    @property
    def mean(self):
        return self.recorded[0] if self.recorded else float(self.values.mean())

    @property
    def low(self):
        return self.recorded[1] if self.recorded else float(self.values.min())

    @property
    def high(self):
        return self.recorded[2] if self.recorded else float(self.values.max())

    @property
    def deviation(self):
        """Ours less theirs; None where there is nothing to compare with."""
        if self.paper is None or not self.count or not self.paper.is_value:
            return None
        return self.mean - self.paper.value


@dataclass(frozen=True)
class Tolerance:
    """What the mean of a scheme must fulfil in a case."""

    case: str
    schemes: tuple
    within: float = None  # of the paper's value, in points
    at_most: float = None
    above: float = None

    def __str__(self):
        if self.within is not None:
            return f"+-{self.within:g}"
        return f"<= {self.at_most:g}" if self.at_most is not None else f"> {self.above:g}"

    def holds(self, row):
        if self.within is not None:
            return abs(row.mean - row.paper.value) <= self.within
        return row.mean <= self.at_most if self.at_most is not None else row.mean > self.above


@dataclass
class Comparison:
    """Everything that a figure shows."""

    rows: list
    failures: list = field(default_factory=list)  # runs without a result, a line each

    @property
    def cases(self):
        return list(dict.fromkeys(row.case for row in self.rows))

    def of(self, case):
        return [row for row in self.rows if row.case == case]

    def row(self, case, scheme, x=""):
        """The row of a place, None where nothing was measured."""
        for row in self.rows:
            if (row.case, row.scheme, row.x) == (case, scheme, x) and row.count:
                return row
        return None


def compare(samples, published, cases, failures=(), words=()):
    """
    Puts samples and published values together.
    :param cases: their order
    :param words: the order of values of x that are words
    """
    values = {}
    for sample in samples:
        values.setdefault((sample.case, sample.scheme, sample.x), {})[sample.seed] = sample.value
    rows = []
    for place in set(values) | set(published):
        found = values.get(place, {})
        numbers = np.array([found[seed] for seed in sorted(found)], dtype=float)
        rows.append(Row(*place, numbers, published.get(place)))
    rows.sort(key=lambda row: (cases.index(row.case), order(row.scheme), _by_size(row.x, words)))
    return Comparison(rows, list(failures))


def _by_size(x, words):
    if isinstance(x, float):
        return (0, x, "")
    return (1, words.index(x) if x in words else len(words), x)
