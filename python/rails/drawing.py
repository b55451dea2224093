# SPDX-License-Identifier: GPL-2.0-only
"""Figures of `plot` as Axes. Only what draws imports this: it needs matplotlib."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from . import arguments
from .errors import Error
from .plots import draw, intervals, style
from .plots.layout import Skip
from .plots.results import Results
from .reader.nearest_name import suggest
from .reader.result_folder import ResultFolder

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_one_at_a_time = threading.Lock()  # the settings of matplotlib are those of the process


def names_of(folder: ResultFolder) -> tuple[str, ...]:
    """The figures that apply."""
    return tuple(draw.figures_of(_results(folder)))


def axes_of(
    folder: ResultFolder,
    name: str | None = None,
    title: str | None = None,
    width: float | None = None,
    ci: float | None = None,
) -> Axes | list[Axes]:
    """The panels of a figure, as rails.plot() has them."""
    if name is not None:
        arguments.text("figure", name, "'cct'")
    if title is not None:
        arguments.utf8("title", arguments.text("title", title, "'All-to-all'"))
    if width is not None:
        width = arguments.number("width", width, arguments.INCHES)
    if ci is not None:
        ci = arguments.number("ci", ci, arguments.CONFIDENCE)
    results = _results(folder)
    figures = draw.figures_of(results)
    chosen = name or next(iter(figures))
    if chosen not in figures:
        case = "; for the others take points that differ in schemes and seeds alone, by where()" if results.axes else ""
        raise Error("figure", f"'{chosen}' does not apply here{suggest(chosen, list(figures))}{case}")
    shown = title if title is not None else str(results.points[0].result.get("name", folder.name))
    with _one_at_a_time, style.by_pyplot(), style.house_style(width), intervals.shown(ci):
        try:
            figure = figures[chosen](results, shown)
        except Skip as reason:
            raise Error(folder.path, f"there is no figure {chosen}: {reason}") from None
    panels = [axes for axes in figure.axes if axes.get_visible() and axes.get_label() != "<colorbar>"]
    return panels[0] if len(panels) == 1 else panels


def _results(folder: ResultFolder) -> Results:
    """The points of a folder as figures need them; they are renamed and divided for it, so they are copies."""
    results = Results(folder.copied(), grid=False)
    if not results.points:
        raise folder.nothing()
    return results
