# SPDX-License-Identifier: GPL-2.0-only
"""
The points of a sweep by case, that is by their values on the axes that are none of the schemes
themselves, and in each case by scheme: a row for a bar.
"""

from dataclasses import dataclass, field

from .results import left_out


@dataclass
class Row:
    """A scheme in a case, at one value of each of its own keys that are axes."""

    scheme: str
    label: str
    points: list = field(default_factory=list)
    absent: int = 0  # points without a good result

    @property
    def left_out(self):
        """What its mean leaves out, in words; empty where it is of all."""
        return left_out(self.absent, len(self.points))


@dataclass
class Case:
    """All rows at one place on the axes."""

    heading: str  # empty where there are no axes
    rows: list

    def row_of(self, scheme):
        """The row of a scheme; None where there is none, or more than one."""
        found = [row for row in self.rows if row.scheme == scheme and row.points]
        return found[0] if len(found) == 1 else None


def cases_of(results):
    """The cases in the order of the values on the axes, and their rows in that of schemes."""
    axes = results.axes
    outside = [axis for axis in axes if not axis.of_scheme]
    rows = {}
    for point in results.points:
        row = _row(rows, point.scheme, point.config, results, outside)
        row.points.append(point)
    for scheme, _, *values in results.absent:
        config = dict(zip((axis.key for axis in axes), values))
        _row(rows, scheme, config, results, outside).absent += 1
    cases = {}
    order = results.all_schemes
    for case, own in sorted(rows, key=lambda item: (item[0], order.index(item[1][0]), item[1])):
        cases.setdefault(case, []).append(rows[case, own])
    return [Case(_words(outside, case), found) for case, found in cases.items()]


def _row(rows, scheme, config, results, outside):
    """The row of a configuration, a new one where there is none."""
    own = [axis for axis in results.axes if axis.of_scheme]
    places = tuple(_place(axis, config) for axis in own)
    label = ", ".join(filter(None, (scheme, _words(own, places))))
    key = (tuple(_place(axis, config) for axis in outside), (scheme, places))
    return rows.setdefault(key, Row(scheme, label))


def _place(axis, config):
    """The number of a value on an axis; -1 where there is none."""
    value = config.get(axis.key)
    return -1 if value is None else axis.values.index(value)


def _words(axes, places):
    return ", ".join(f"{a.name} {a.ticks[place]}" for a, place in zip(axes, places) if place >= 0)
