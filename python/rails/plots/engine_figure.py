# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a comparison of two engines: errors of all cells and runs, by scheme."""

from matplotlib.lines import Line2D

from . import layout, style

_ROOM = 0.62  # of a row, for its cells


def errors_by_scheme(comparison, title, limits=None):
    """
    A row for each scheme: its cells from top to bottom in the order of the table, each with its
    mean and its single runs; the limits as lines.
    """
    schemes = list(dict.fromkeys(cell.scheme for cell in comparison.cells))
    figure, axes = layout.scheme_bars(schemes)
    for row, scheme in enumerate(schemes):
        cells = [cell for cell in comparison.cells if cell.scheme == scheme]
        colour = style.look(scheme.partition(" + ")[0], schemes)[0]
        for number, cell in enumerate(cells):
            place = row + _ROOM * ((number + 0.5) / len(cells) - 0.5)
            runs = 100 * cell.errors
            axes.plot(runs, [place] * len(runs), "o", color=colour, markersize=2, alpha=0.5)
            axes.plot(100 * cell.mean_error, place, "D", color=colour, markersize=4.5)
        if limits is not None:
            limit = 100 * limits.of(cells[0])
            for end in (-limit, limit):
                axes.plot([end, end], [row - 0.45, row + 0.45], **style.BOUND)
    axes.axvline(0, color="#777777", linewidth=0.8, zorder=0)
    axes.set_xlabel("error of the completion time by flows [% of frames]")
    handles = [
        Line2D([], [], color="#333333", marker="D", markersize=4.5, linestyle="none", label="cell"),
        Line2D([], [], color="#333333", marker="o", markersize=2, linestyle="none", label="run"),
    ]
    if limits is not None:
        handles.append(Line2D([], [], **style.BOUND, label="limit"))
    layout.title_and_legend(axes, title, handles)
    return figure
