# SPDX-License-Identifier: GPL-2.0-only
"""The table of a report: one row for each point, those that failed first."""

import os
from dataclasses import dataclass
from html import escape

from .html_table import MISSING, breakable
from .report_outages import count_of
from .units import best_unit
from .versions import version_text

# Columns that are there only when some point has something else than 0 in them.
_COUNTS = {
    "iteration_s": "Iteration",
    "pfc_pauses": "PFC pauses",
    "ecn_marks": "ECN marks",
    "drops": "Drops",
    "link_losses": "Lost on links",
    "retransmitted_frames": "Retransmitted frames",
    "abandoned_messages": "Messages given up",
}


@dataclass(frozen=True)
class Column:
    """A column, and how a point's cell is made."""

    title: str
    cell: object  # of a point: text, and what it is sorted by
    numeric: bool = True


def table(results, folder):
    """
    The table as HTML; sorting and opening rows are up to the page.
    :param folder: what the names of points are relative to
    """
    points = results.failed + results.points
    columns = _columns(results, points)
    kinds = {True: "number", False: "word"}
    head = "".join(
        f'<th scope="col" class="{kinds[column.numeric]}">{breakable(column.title)}</th>'
        for column in columns
    )
    rows = [_row(columns, point, os.path.relpath(point.folder, folder)) for point in points]
    rows[:0] = [_unreadable(columns, entry) for entry in results.unreadable]
    return (
        '<table id="points" class="sorted"><caption class="unseen">All points</caption>\n'
        f'<thead><tr><th scope="col" class="opener"><span class="unseen">Details</span></th>{head}'
        "</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
    )


def _columns(results, points):
    columns = [Column("Scheme", lambda point: (point.scheme, point.scheme), numeric=False)]
    columns += [_of_axis(axis) for axis in results.axes]
    columns += [
        Column("Seed", lambda point: (str(point.seed), point.seed)),
        Column("Status", _status, numeric=False),
        _completion(points),
        _quantity("Lower bound", "lower_bound_s", "s", points),
        _plain("Over bound", "cct_over_bound", ".3f"),
        _plain("Bus bandwidth [GB/s]", "busbw_Bps", ".2f", 1e9),
    ]
    if any(_number(point, "queue_max_bytes") is not None for point in points):
        columns.append(_quantity("Longest queue", "queue_max_bytes", "B", points))
    for key, title in _COUNTS.items():
        if any(_number(point, key) for point in points):
            is_time = key.endswith("_s")
            columns.append(
                _quantity(title, key, "s", points) if is_time else _plain(title, key, ",.0f")
            )
    columns.append(_plain("Took [s]", "wall_s", ".2f"))
    return columns


def _of_axis(axis):
    places = {value: place for place, value in enumerate(axis.values)}

    def cell(point):
        value = point.config.get(axis.key)
        return (MISSING, -1) if value is None else (axis.label(value), places[value])

    return Column(axis.key, cell)


def _quantity(title, key, base, points):
    """A column in the unit that suits all points."""
    unit, factor = best_unit([_number(point, key) or 0 for point in points], base)
    return _plain(f"{title} [{unit}]", key, ".3f", factor)


def _completion(points):
    """The completion time, with words where there is none."""
    known = _quantity("Completion", "cct_s", "s", points)

    def cell(point):
        return known.cell(point) if point.finished else ("did not finish", "")

    return Column(known.title, cell)


def _plain(title, key, form, factor=1):
    def cell(point):
        value = _number(point, key)
        return (MISSING, "") if value is None else (format(value / factor, form), repr(value))

    return Column(title, cell)


def _number(point, key):
    value = count_of(point, key)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _status(point):
    return (point.outcome, "done" if point.finished else "failed")


def _row(columns, point, name):
    cells = [_cell(column, *column.cell(point)) for column in columns]
    kind = ' class="failed"' if not point.finished else ""
    return f"<tr{kind}>{_opener(name, _details(point, name))}{''.join(cells)}</tr>"


def _unreadable(columns, entry):
    name, reason = entry.name, entry.reason
    known = {"Scheme": name, "Status": f"unreadable: {reason}"}
    texts = (known.get(column.title, MISSING) for column in columns)
    cells = [_cell(c, text, "" if c.numeric else text) for c, text in zip(columns, texts)]
    details = _opener(name, _list([("Folder", name), ("Reason", reason)]))
    return f'<tr class="failed">{details}{"".join(cells)}</tr>'


def _cell(column, text, order):
    kind = "number" if column.numeric else column.title.lower()
    return f'<td class="{kind}" data-order="{escape(str(order))}">{escape(text)}</td>'


def _opener(name, details):
    label = escape(f"Details of {name}")
    return (
        f'<td class="opener"><button type="button" aria-expanded="false" aria-label="{label}">'
        f"</button><template>{details}</template></td>"
    )


def _details(point, name):
    """What is known of a point beside its numbers."""
    result = point.result
    lines = result.get("last_lines") or []
    found = [
        ("Folder", name),
        ("Reason", point.reason if not point.finished else ""),
        ("Exit status", str(point.status) if not point.finished else ""),
        ("Attempts", str(result.get("attempts", ""))),
        ("Report", str(result.get("report", ""))),
        ("Last lines", "\n".join(map(str, lines)) if isinstance(lines, list) else str(lines)),
        ("To repeat it", str(result.get("command", ""))),
        ("Notes", "\n".join(map(str, result.get("notes") or []))),
        ("Version", version_text(point.version)),
        ("Fingerprint", str(result.get("fingerprint", ""))),
    ]
    return _list(found)


def _list(found):
    rows = "".join(
        f"<dt>{escape(title)}</dt><dd><pre>{escape(text)}</pre></dd>"
        for title, text in found
        if text
    )
    return f'<dl class="details">{rows}</dl>'
