# SPDX-License-Identifier: GPL-2.0-only
"""Data files of figures (doc/figures/PAPER-FIGURE.csv): the last outcome beside what was published."""

import csv

import numpy as np

from rails.errors import ResultError
from .comparison import Row
from .published import Published, number_or_word

_COLUMNS = {"scheme", "paper", "paper kind", "ours", "lowest", "highest", "seeds"}
_EXPONENT = "exponent of the mean"  # of queues, which theory knows


def read_recorded(path, case=""):
    """
    The rows of a data file.

    :param case: of files with a single one
    """
    with open(path, newline="", encoding="utf-8") as file:
        return rows_of(list(csv.reader(file)), case, path)


def rows_of(table, case="", place="table"):
    """
    Rows of a table, whose first line are the names of the columns: those before the scheme are the case and what x is, if
    there are any.
    """
    head, *lines = table
    found = [dict(zip(head, line)) for line in lines]
    if _EXPONENT in head:
        return [_exponent_row(cells) for cells in found]
    if not _COLUMNS <= set(head):
        raise ResultError(place, f"expected the columns {', '.join(sorted(_COLUMNS))}")
    across = [name for name in head[: head.index("scheme")] if name != "case"]
    return [_row(cells, cells.get("case", case), across) for cells in found]


def _row(cells, case, across):
    text = cells[across[0]] if across else ""
    x = float("inf") if text == "never" else number_or_word(text)
    paper = Published.parse(cells["paper"], cells["paper kind"]) if cells["paper"] else None
    names = ("ours", "lowest", "highest")
    recorded = (*(float(cells[name]) for name in names), int(cells["seeds"])) if cells["ours"] else None
    return Row(case, cells["scheme"], x, np.array([]), paper, recorded)


def _exponent_row(cells):
    paper = Published(float(cells["paper"]), "theory") if cells["paper"] else None
    ends = [float(cells[_EXPONENT + end] or "nan") for end in ("", " low", " high")]
    return Row("exponent of the mean queue", cells["scheme"], "", np.array([]), paper, (*ends, int(cells["seeds"])))
