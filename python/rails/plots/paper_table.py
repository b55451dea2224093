# SPDX-License-Identifier: GPL-2.0-only
"""
A comparison along a key as a table for a paper, as CSV and as LaTeX: a row for each value, with the
mean of the metric, its interval over seeds, and what the value is bought with.
"""

import csv
import io
import re
from dataclasses import dataclass

import numpy as np

from ..reader.kinds import WITHOUT_ROUTES
from ..reader.units import best_unit, significant
from . import intervals

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: "\\" + character for character in "&%$#_{}"},
}


@dataclass
class Row:
    """A value of the key, where all other axes are as the label says."""

    label: str
    value: str
    times: np.ndarray  # the metric, by seed
    beside: dict  # means by columns of other numbers; None: unknown
    p: float = None  # of its difference from the baseline, after Holm


def rows_of(comparison):
    """Rows of a KeyComparison: by label, the baseline first."""
    labels = {}
    for pair in comparison.pairs:
        sides = [{c: means[side] for c, means in pair.beside.items()} for side in (0, 1)]
        own = labels.setdefault(pair.label, [])
        if not any(row.value == comparison.baseline for row in own):
            own.append(Row(pair.label, comparison.baseline, pair.a, sides[0]))
        own.append(Row(pair.label, pair.value, pair.b, sides[1], pair.p_corrected))
    order = [comparison.baseline, *comparison.values]
    return [row for own in labels.values() for row in sorted(own, key=lambda r: order.index(r.value))]


def as_csv(comparison):
    """The table as CSV: numbers in s and B, in full; cells of what is not known are empty."""
    rows = rows_of(comparison)
    columns = _columns(rows, comparison.metric)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = [comparison.key, comparison.metric, "interval", "seeds", "p"]
    writer.writerow(["point", *head, *(column.key for column in columns)])
    for row in rows:
        half = intervals.half_width(row.times)
        numbers = [_mean(row), half, len(row.times), row.p, *(row.beside.get(c) for c in columns)]
        writer.writerow([row.label, row.value, *("" if n is None else repr(n) for n in map(_plain, numbers))])
    return text.getvalue()


def as_latex(comparison):
    """The table as a tabular of LaTeX, which needs no packages; what to know of it stands above it."""
    rows = rows_of(comparison)
    columns = _columns(rows, comparison.metric)
    has_labels = any(row.label for row in rows)
    unit, factor = _unit(comparison, rows)
    shown = [column.heading(row.beside.get(column) for row in rows) for column in columns]
    metric = comparison.metric + (f" [{unit}]" if unit else "")
    head = [*(["point"] if has_labels else []), comparison.key, metric, *(title for title, _ in shown)]
    lines = [f"% {line}" for line in _notes(comparison, rows)]
    lines += [rf"\begin{{tabular}}{{{'l' * (1 + has_labels)}{'r' * (1 + len(shown))}}}", r"\hline"]
    lines += [_line(map(_escape, head)), r"\hline"]
    last = None
    for row in rows:
        cells = [_escape(row.label if row.label != last else "")] if has_labels else []
        cells += [_escape(row.value), _interval(row, factor)]
        for column, (_, own) in zip(columns, shown):
            value = row.beside.get(column)
            cells.append("--" if value is None else significant(value / own, 4))
        lines.append(_line(cells))
        last = row.label
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def _columns(rows, metric):
    """Columns of other numbers of which some row has one."""
    return [
        column
        for column in dict.fromkeys(column for row in rows for column in row.beside)
        if column.key not in (metric, WITHOUT_ROUTES.key)
        and column.has_any(row.beside.get(column) for row in rows)
    ]


def _mean(row):
    return float(row.times.mean()) if len(row.times) else None


def _plain(number):
    return None if number is None else (number if isinstance(number, int) else float(number))


def _unit(comparison, rows):
    means = [mean for row in rows if (mean := _mean(row)) is not None]
    return best_unit(means, "s") if comparison.metric.endswith("_s") else ("", 1)


def _interval(row, factor):
    """A mean with half of its interval, to as many places as the interval has two digits."""
    mean, half = _mean(row), intervals.half_width(row.times)
    if mean is None:
        return "--"
    if not half:
        return significant(mean / factor, 4)
    spread = significant(half / factor, 2)
    places = len(spread.partition(".")[2])
    return rf"${mean / factor:.{places}f} \pm {spread}$"


def _notes(comparison, rows):
    seeds = sorted({len(row.times) for row in rows})
    few = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    notes = [f"{comparison.folder}: {comparison.metric} by {comparison.key}; seeds: {few}"]
    if seeds[-1] > 1:
        notes.append(f"+-: half of the {intervals.name()} over seeds")
    return [re.sub(r"\s+", " ", note) for note in [*notes, *comparison.notes]]


def _line(cells):
    return r"\relax " + " & ".join(cells) + r" \\"  # or a bracket would belong to the line before


def _escape(text):
    return "".join(_SPECIAL.get(character, character) for character in text)
