# SPDX-License-Identifier: GPL-2.0-only
"""The table of means of a report: one row for each scheme in each case, over its seeds."""

import numpy as np

from .html_table import MISSING, Cell, axis_cells, html_table, note, section, word
from .results import left_out
from .shortened_runs import shortened


def means(part):
    """The section as HTML; empty where no scheme has more than one point in a case."""
    groups = part.groups
    absent = groups.absent_by(groups.axes)
    places = {*groups.of, *absent}
    if all(len(groups.of.get(p, [])) + len(absent.get(p, [])) < 2 for p in places):
        return ""
    kind, shown = groups.results.kind, {}
    head = [(kind.word, False)] + [(axis.key, True) for axis in groups.axes]
    head.append(("Points in the mean", True))
    for column in filter(lambda column: column.is_wanted(groups.results.points), groups.results.means):
        title, factor = column.heading(point.result.get(column.key) for point in groups.results.points)
        shown[column.key] = (factor, column.form)
        head += [(title, True), ("±", True)]
    head += [("Left out", False)] * bool(absent)
    cells = axis_cells(groups.axes)
    rows = []
    for scheme, place in groups.in_order(places):
        points = groups.of.get((scheme, place), [])
        missing = len(absent.get((scheme, place), []))
        row = [word(scheme), *cells(groups.config_of(place)), Cell(str(len(points)), len(points))]
        for key, (factor, form) in shown.items():
            row += _mean_and_spread(points, key, factor, form)
        rows.append([*row, *[word(left_out(missing, len(points)) or MISSING)] * bool(absent)])
    text = (
        "Means over seeds; ±: standard deviation over seeds."
        + " Points that did not finish have no numbers and are in no mean; the last column says how "
        "many." * bool(absent)
    )
    remark = shortened(groups.results.points)
    found = html_table(f"{part.id}means", "Means over seeds", head, rows, remark)
    return section(f"{part.id}means", part.heading("Means over seeds"), note(text), found)


def _mean_and_spread(points, key, factor, form):
    values = [point.result.get(key) for point in points]
    values = np.array([value for value in values if value is not None], dtype=float) / factor
    if not len(values):
        return [Cell(MISSING, ""), Cell(MISSING, "")]
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    mean = float(values.mean())
    shown = Cell(MISSING, "") if spread is None else Cell(format(spread, form), repr(spread))
    return [Cell(format(mean, form), repr(mean)), shown]
