# SPDX-License-Identifier: GPL-2.0-only
"""Parts that several figures share: panels, legends outside of the data, the spread over seeds."""

import textwrap

from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.transforms import ScaledTranslation

from . import style
from .errors import MissingFile, NotWritten

_HALO = [withStroke(linewidth=3, foreground="white")]
_SEEDS = {
    "color": "black",
    "linewidth": 1,
    "marker": "o",
    "markersize": 3.6,
    "markerfacecolor": "white",
    "markeredgewidth": 0.8,
}


class Skip(Exception):
    """A figure does not apply; the text says why."""


def read(numbers, points):
    """What a function finds in the files of points, be it that they have them."""
    try:
        return numbers(points)
    except NotWritten as error:
        raise Skip(error.reason) from None
    except MissingFile as error:
        raise Skip(f"{error.place} is absent") from None


def scheme_bars(schemes, beside=0):
    """A figure with a row for the bar of each scheme, the first on top.

    :param beside: width in inches for a legend that is wider than usual
    """
    figure, [[axes]] = style.new_figure(6.8 + beside, 1.3 + 0.36 * len(schemes))
    axes.set_yticks(range(len(schemes)), schemes)
    axes.set_ylim(len(schemes) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    return figure, axes


def bar_panels(labels, columns=1):
    """
    Panels with rows for bars, the first on top, that share their axes in a column.

    :param labels: of the rows of each panel, one panel below the other
    :param columns: how many panels stand side by side, each with the same rows
    """
    heights = [0.36 * len(names) + 0.3 for names in labels]
    width = 6.8 if columns == 1 else 2.9 * columns + 1.2
    figure, grid = style.new_figure(
        width,
        sum(heights) + 0.9,
        len(labels),
        columns,
        sharex="col",
        sharey="row",
        gridspec_kw={"height_ratios": heights},
    )
    for panels, names in zip(grid, labels):
        for axes in panels:
            axes.tick_params(axis="y", length=0)
            axes.grid(False, axis="y")
        panels[0].set_yticks(range(len(names)), names)
        panels[0].set_ylim(len(names) - 0.4, -0.6)
    return figure, grid


def legend_beside(figure, column, handles):
    """A legend to the right of a column of panels and of the texts beside them."""
    figure.draw_without_rendering()  # from here on it is known how wide they are
    texts = [text for axes in column for text in axes.texts]
    right = max(thing.get_window_extent().x1 for thing in (*column, *texts))
    across = (right - column[0].get_window_extent().x1) / figure.dpi + 0.15
    place = column[0].transAxes + ScaledTranslation(across, 0, figure.dpi_scale_trans)
    style.legend(column[0], beside=1, handles=handles, bbox_transform=place, fontsize="small")
    figure.draw_without_rendering()
    panels = column[0].get_gridspec().ncols
    missing = 1 + 1.6 / panels - column[0].get_window_extent().width / figure.dpi
    if missing > 0:  # long texts take room from the bars
        figure.set_size_inches(figure.get_figwidth() + panels * missing, figure.get_figheight())


def bar_text(axes, row, end, text):
    """Text behind the end of a bar."""
    axes.annotate(text, (end, row), (6, 0), textcoords="offset points", va="center")


def mean_text(axes, row, text):
    """Text on the mean of a row, in a column of its own: beside no mark that it could be of."""
    place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    axes.annotate(text, (1, row), (8, 0), va="center", annotation_clip=False, **place)


def mean_heading(axes, text):
    """What the column of mean_text() has, at its head."""
    place = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 8}
    axes.annotate(text, (1, 1), (8, 2), color="#555555", annotation_clip=False, **place)


def spread(axes, row, values):
    """The single seeds and their range on a bar."""
    if len(values) < 2:
        return
    ends = [values.min(), values.max()]
    axes.plot(ends, [row, row], color="black", linewidth=1, zorder=5, path_effects=_HALO)
    axes.plot(values, [row] * len(values), zorder=6, **{**_SEEDS, "linestyle": "none"})


def bound_line(axes, bounds):
    """The lower bound across bars: its mean as a line, its range over seeds as a band behind."""
    axes.axvspan(bounds.min(), bounds.max(), color="#cccccc", linewidth=0, zorder=0)
    axes.axvline(bounds.mean(), zorder=4, path_effects=_HALO, **style.BOUND)


def bound_handle(text="lower bound"):
    return Line2D([], [], **style.BOUND, label=text)


def event_handle():
    return Line2D([], [], **style.EVENT, label="failed or came back")


def seeds_handle():
    return Line2D([], [], **_SEEDS, label="single seeds")


def title_and_legend(axes, title, handles):
    """Title at the top, the legend in one line below it, above the data."""
    axes.set_title(title, loc="left", pad=24)
    axes.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncol=len(handles),
        borderaxespad=0.2,
        columnspacing=1.5,
        handletextpad=0.6,
    )


def panels(count, title):
    """Panels in one row, or two when there are more than three, that share their axes."""
    columns = count if count <= 3 else -(-count // 2)
    rows = -(-count // columns)
    size = (1.8 + 2.7 * max(columns, 1.4), 0.8 + 2.3 * rows)
    figure, grid = style.new_figure(*size, rows, columns, sharex=True, sharey=True)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    figure.suptitle(title, fontsize=9.5)
    return figure, list(grid.flat[:count]), grid[0, -1]


def small_panels(count):
    """Small panels in rows of four or five that share their axes, with ticks at each outer one."""
    columns = min(count, 4 if -count % 4 <= -count % 5 else 5)
    rows = -(-count // columns)
    size = (1.0 + 1.8 * max(columns, 3), 1.6 + 1.55 * rows)
    figure, grid = style.new_figure(*size, rows, columns, sharex=True, sharey=True)
    for number, axes in enumerate(grid.flat):
        axes.set_visible(number < count)
        axes.tick_params(labelbottom=number + columns >= count, labelsize=8)
    return figure, list(grid.flat[:count])


def legend_below(figure, handles, x=""):
    """
    A legend below all panels, an entry in each line.
    :param x: label for the axis that all panels share
    """
    part = (0.1 + 0.19 * len(handles)) / figure.get_figheight()
    rest = part + (0.22 / figure.get_figheight() if x else 0)
    figure.set_layout_engine("constrained", rect=(0, rest, 1, 1 - rest))
    figure.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 0.0))
    if x:
        figure.text(0.5, part, x, ha="center", va="bottom", fontsize=9)


def headline(figure, *lines):
    """Lines above all panels, broken where they are longer than the figure is wide."""
    width = int(figure.get_figwidth() * 14.5)
    figure.suptitle("\n".join(textwrap.fill(line, width) for line in lines), fontsize=9.5)


def label(figure, x, y):
    """Labels for the axes that all panels share."""
    figure.supxlabel(x, fontsize=9)
    figure.supylabel(y, fontsize=9)


def scheme_handles(axes_list):
    """One legend entry per scheme over all panels, in the order of schemes."""
    found = {}
    for axes in axes_list:
        for handle, text in zip(*axes.get_legend_handles_labels()):
            found.setdefault(text, handle)
    return [found[text] for text in sorted(found, key=style.scheme_order)]
