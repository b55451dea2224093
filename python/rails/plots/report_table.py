# SPDX-License-Identifier: GPL-2.0-only
"""The table of a report: one row for each point, those that failed first."""

import os
from dataclasses import dataclass
from html import escape

from ..reader.versions import version_text
from .html_table import MISSING, Cell, breakable, caption_of
from .shortened_runs import shortened


@dataclass(frozen=True)
class _Column:
    """A column, and how a point's cell is made."""

    title: str
    cell: object  # of a point: text, and what it is sorted by
    words: str = ""  # what its words are; empty where it holds numbers

    @property
    def numeric(self):
        return not self.words

    def html(self, text, order):
        return Cell(text, order, kind=self.words).html(self.title)


def table(part):
    """The table as HTML; sorting and opening rows are up to the page."""
    results = part.results
    points = results.failed + results.points
    columns = _columns(part, points)
    kinds = {True: "number", False: "word"}
    head = "".join(
        f'<th scope="col" class="{kinds[column.numeric]}">{breakable(column.title)}</th>'
        for column in columns
    )
    rows = [_row(columns, point, os.path.relpath(point.folder, part.path)) for point in points]
    rows[:0] = [_unreadable(columns, entry) for entry in results.unreadable]
    return (
        f'<div class="table"><table id="{part.id}points" class="sorted points">'
        f"{caption_of('All points', shortened(results.points))}\n"
        f'<thead><tr><th scope="col" class="opener"><span class="unseen">Details</span></th>{head}'
        "</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table></div>"
    )


def _columns(part, points):
    results = part.results
    kind = results.kind
    columns = [_Column(kind.word, lambda point: (point.scheme, point.scheme), "scheme")]
    columns += [_of_axis(axis) for axis in results.axes]
    columns.append(_Column("Seed", lambda point: (str(point.seed), point.seed)))
    columns.append(_Column("Status", _status, "status"))
    return columns + [_number_column(c, points) for c in results.columns if c.is_wanted(points)]


def _of_axis(axis):
    places = {value: place for place, value in enumerate(axis.values)}

    def cell(point):
        value = point.config.get(axis.key)
        return (MISSING, -1) if value is None else (axis.label(value), places[value])

    return _Column(axis.key, cell)


def _number_column(column, points):
    """A column of numbers, in the unit that suits all points; words where a point has none."""
    title, factor = column.heading(point.number(column.key) for point in points)

    def cell(point):
        value = point.number(column.key)
        if column.is_main and not point.finished:
            return ("did not finish", "")
        if value is None:
            return (MISSING, "")
        return (format(value / factor, column.form), repr(value))

    return _Column(title, cell)


def _status(point):
    return (point.outcome, "done" if point.finished else "failed")


def _row(columns, point, name):
    cells = [column.html(*column.cell(point)) for column in columns]
    kind = ' class="failed"' if not point.finished else ""
    return f"<tr{kind}>{_opener(name, _details(point, name))}{''.join(cells)}</tr>"


def _unreadable(columns, entry):
    name, reason = entry.name, entry.reason
    known = {"scheme": name, "status": f"unreadable: {reason}"}
    texts = (known.get(column.words, MISSING) for column in columns)
    cells = [c.html(text, "" if c.numeric else text) for c, text in zip(columns, texts)]
    details = _opener(name, _list([("Folder", name), ("Reason", reason)]))
    return f'<tr class="failed">{details}{"".join(cells)}</tr>'


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
