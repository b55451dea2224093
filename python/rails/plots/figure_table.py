# SPDX-License-Identifier: GPL-2.0-only
"""
The numbers of a figure as a table, for pgfplots and the like. A function that draws a figure keeps
its table with it; CSV files are written from that. Columns: doc/paper.rst.
"""

import csv
import io

import numpy as np

from . import intervals

_ATTRIBUTE = "_rails_table"
MISSING = "nan"  # which pgfplots leaves out
OF_A_MEAN = ("mean", "error", "least", "most", "points")


def keep(figure, columns, rows):
    """Remembers the table of a figure."""
    setattr(figure, _ATTRIBUTE, (list(columns), [list(row) for row in rows]))


def as_csv(figure):
    """The table of a figure as CSV; None where it has none."""
    table = getattr(figure, _ATTRIBUTE, None)
    if table is None:
        return None
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table[0])
    writer.writerows([_cell(value) for value in row] for row in table[1])
    return text.getvalue()


def of_mean(values):
    """Cells of OF_A_MEAN."""
    values = np.asarray(values, dtype=float)
    if not len(values):
        return [None] * (len(OF_A_MEAN) - 1) + [0]
    half = intervals.half_width(values)
    return [values.mean(), half, values.min(), values.max(), len(values)]


def keep_curves(figure, curves, x="x", y=""):
    """
    The table of curves, side by side: two columns each, the shorter ones filled up.

    :param curves: pairs of x and y by name, which is a text or several
    """
    columns, sides = [], []
    for name, pair in curves.items():
        name = "/".join(name) if isinstance(name, tuple) else name
        columns += [f"{name}:{x}", f"{name}:{y}" if y else name]
        sides += [list(values) for values in pair]
    longest = max(map(len, sides), default=0)
    sides = [own + [None] * (longest - len(own)) for own in sides]
    keep(figure, columns, zip(*sides))


def _cell(value):
    if value is None:
        return MISSING
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    return value
