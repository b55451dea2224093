# SPDX-License-Identifier: GPL-2.0-only
"""Parts that several figures share: panels, legends outside of the data, the spread over seeds."""

import textwrap

from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.transforms import ScaledTranslation

from ..errors import MissingFile, NotWritten
from . import intervals, style

LEAST_OF_A_DISTRIBUTION = 10  # values; fewer are shown one by one
_FAR = 3  # times what all others end at: such a bar is cut, so that the others can be told apart
_HALO = [withStroke(linewidth=3, foreground="white")]
_HEADING = "heading of a column"
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
    names = row_names(schemes)
    lines = sum(max(1, 0.6 * (1 + name.count("\n"))) for name in names)
    figure, [[axes]] = style.new_figure(6.8 + beside, 1.3 + 0.36 * lines)
    axes.set_yticks(range(len(schemes)), names)
    axes.set_ylim(len(schemes) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    return figure, axes


def row_names(names):
    """Names beside rows, the long ones in several lines, so that they leave room for bars."""
    return [textwrap.fill(name, style.letters(30), break_on_hyphens=True) for name in names]


def bar_end(values):
    """
    Where bars should end at most: the largest value; or the largest of the others, where some few
    are many times as long and would leave no room for differences between those.
    """
    ordered = sorted(values)
    for count in range(1, (len(ordered) - 1) // 3 + 1):
        if ordered[-count] > _FAR * ordered[-count - 1] > 0:
            return ordered[-count - 1]
    return ordered[-1]


class Bars:
    """
    Bars of a panel, some few of which may be many times as long as the others: those are torn at
    the border, so that the others can be told apart.

    :param values: where bars end
    """

    def __init__(self, axes, values):
        self.axes = axes
        end = bar_end(values)
        self._border = 1.15 * end if max(values) > end else None

    @property
    def note(self):
        """What the label of the axis says of it."""
        return "" if self._border is None else "\n(torn bars are longer: their numbers are right)"

    def is_cut(self, value):
        return self._border is not None and value > self._border

    def draw(self, row, width, left=0, height=0.72, **look):
        """A bar; True where it is torn."""
        is_cut = self.is_cut(left + width)
        if is_cut and left >= self._border:
            return True
        shown = self._border - left if is_cut else width
        self.axes.barh(row, shown, height=height, left=left, **look)
        if is_cut:
            for at in (0.955, 0.973):
                x = [self._border * at, self._border * (at + 0.012)]
                y = [row + 0.6 * height, row - 0.6 * height]
                self.axes.plot(x, y, color="white", linewidth=2, zorder=8)
        return is_cut

    def limit(self, values):
        """Sets the end of the panel. :param values: those of each row, whose spread is to be seen"""
        self.axes.set_xlim(0, self._border or 1.04 * max(max(*own, *intervals.ends(own)) for own in values))


def strip(values, schemes, what):
    """
    A row with single values for each scheme: there are too few of them for a distribution.

    :param values: by scheme
    """
    figure, axes = scheme_bars(list(values))
    for row, (scheme, own) in enumerate(values.items()):
        colour, _, marker, _ = style.look(scheme, schemes)
        look = {"marker": marker, "color": colour, "markersize": 6, "linestyle": "none"}
        axes.plot(own, [row] * len(own), label=scheme, **look)
    text = f"single {what}: a distribution needs {LEAST_OF_A_DISTRIBUTION}"
    place = {"xycoords": "axes fraction", "textcoords": "offset points", "ha": "right"}
    axes.annotate(text, (1, 1), (0, 2), color="#555555", fontsize=style.points(8), **place)
    axes.grid(True, axis="x")
    return figure, axes


def title(axes, text):
    """A title above a single panel, clear of what stands on its upper border; papers have captions."""
    if style.for_paper():
        return
    axes.set_title(_broken(axes.figure, text), loc="left", pad=16 if axes.texts else None)


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
        panels[0].set_yticks(range(len(names)), row_names(names))
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
    if style.for_paper():
        return
    if len(column) > 1:  # it may be taller than the panel that it belongs to
        _take_out(figure, column[0].get_legend())
    needed = column[0].get_legend().get_window_extent().height / figure.dpi + 0.9
    figure.set_size_inches(figure.get_figwidth(), max(figure.get_figheight(), needed))
    figure.draw_without_rendering()
    panels = column[0].get_gridspec().ncols
    missing = 1 + 1.6 / panels - column[0].get_window_extent().width / figure.dpi
    if missing > 0:  # long texts take room from the bars
        figure.set_size_inches(figure.get_figwidth() + panels * missing, figure.get_figheight())


def _take_out(figure, legend):
    """Keeps a legend from moving panels apart: room to the right of them all is its own."""
    width = legend.get_window_extent().width / figure.dpi + 0.2
    legend.set_in_layout(False)
    figure.get_layout_engine().set(rect=(0, 0, 1 - width / figure.get_figwidth(), 1))


def bar_text(axes, row, end, text):
    """Text behind the end of a bar."""
    axes.annotate(text, (end, row), (6, 0), textcoords="offset points", va="center")


def mean_text(axes, row, text):
    """Text on the mean of a row, in a column of its own: beside no mark that it could be of."""
    place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    axes.annotate(text, (1, row), (8, 0), va="center", annotation_clip=False, **place)


def mean_heading(axes, text):
    """What the column of mean_text() has, at its head."""
    place = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": style.points(8)}
    axes.annotate(text, (1, 1), (8, 2), color="#555555", annotation_clip=False, gid=_HEADING, **place)


def spread(axes, row, values):
    """The single seeds and their range on a bar; or the interval of the mean."""
    if len(values) < 2:
        return
    if intervals.are_shown():
        look = {"color": "black", "linewidth": 1, "marker": "|", "markersize": 6, "zorder": 6, "clip_on": False}
        low, high = intervals.ends(values)
        axes.plot([max(0, low), high], [row, row], path_effects=_HALO, **look)
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
    if intervals.are_shown():
        return Line2D([], [], color="black", linewidth=1, marker="|", label=intervals.name())
    return Line2D([], [], **_SEEDS, label="single seeds")


def title_and_legend(axes, title, handles):
    """Title at the top; below it the legend, above the data, in one line where that is wide enough."""
    if style.for_paper():
        style.legend(axes, handles=handles)
        return
    figure = axes.figure
    look = {"loc": "lower left", "borderaxespad": 0.2, "columnspacing": 1.5, "handletextpad": 0.6}
    heading = next((text for text in axes.texts if text.get_gid() == _HEADING), None)
    for columns in range(len(handles), 0, -1):
        legend = axes.legend(handles=handles, bbox_to_anchor=(0, 1), ncol=columns, **look)
        pad = 10 + 14 * style.points(9) / 9 * -(-len(handles) // columns)
        axes.set_title(_broken(figure, title), loc="left", pad=pad)
        figure.draw_without_rendering()
        right = axes.get_window_extent().x1 if heading is None else heading.get_window_extent().x0
        if legend.get_window_extent().x1 < max(right, axes.get_window_extent().x1):
            break


def _broken(figure, line):
    """A title in as many lines as it takes."""
    return textwrap.fill(line, int(figure.get_figwidth() * 12.5 * 9 / style.points(9)))


def panels(count, title):
    """Panels in one row, or two when there are more than three, that share their axes."""
    columns = count if count <= style.panels_across(3) else -(-count // 2)
    columns = min(columns, style.panels_across(columns))
    rows = -(-count // columns)
    size = (1.8 + 2.7 * max(columns, 1.4), 0.8 + 2.3 * rows)
    figure, grid = style.new_figure(*size, rows, columns, sharex=True, sharey=True)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    headline(figure, title)
    return figure, list(grid.flat[:count]), grid[0, -1]


def small_panels(count):
    """Small panels in rows of four or five that share their axes, with ticks at each outer one."""
    columns = min(count, style.panels_across(4 if -count % 4 <= -count % 5 else 5))
    rows = -(-count // columns)
    size = (1.0 + 1.8 * max(columns, 3), 1.6 + 1.55 * rows)
    figure, grid = style.new_figure(*size, rows, columns, sharex=True, sharey=True)
    for number, axes in enumerate(grid.flat):
        axes.set_visible(number < count)
        axes.tick_params(labelbottom=number + columns >= count, labelsize=style.points(8))
    return figure, list(grid.flat[:count])


def legend_below(figure, handles, x=""):
    """
    A legend below all panels, an entry in each line.
    :param x: label for the axis that all panels share
    """
    if style.for_paper():
        style.below(figure, handles, style.wrapped(x, 48))
        return
    part = (0.1 + 0.19 * len(handles)) / figure.get_figheight()
    rest = part + (0.22 / figure.get_figheight() if x else 0)
    figure.set_layout_engine("constrained", rect=(0, rest, 1, 1 - rest))
    figure.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 0.0))
    if x:
        figure.text(0.5, part, x, ha="center", va="bottom", fontsize=style.points(9))


def headline(figure, *lines):
    """
    Lines above all panels, broken where they are longer than the figure is wide; papers have
    captions instead.
    """
    if style.for_paper():
        return
    width = int(figure.get_figwidth() * 14 * 9.5 / style.points(9.5))
    text = "\n".join(textwrap.fill(line, width) for line in lines)
    figure.suptitle(text, fontsize=style.points(9.5))


def label(figure, x, y):
    """Labels for the axes that all panels share."""
    figure.supxlabel(style.wrapped(x, 48), fontsize=style.points(9))
    figure.supylabel(style.wrapped(y), fontsize=style.points(9))


def scheme_handles(axes_list, schemes):
    """One legend entry per scheme over all panels, in the order of schemes, and then what else there is."""
    found = {}
    for axes in axes_list:
        for handle, text in zip(*axes.get_legend_handles_labels()):
            found.setdefault(text, handle)
    own = [scheme for scheme in schemes if scheme in found]
    return [found[text] for text in dict.fromkeys([*own, *found])]


def fit_ticks(panels, across):
    """
    Labels of ticks that stand in the way of each other, in one panel or in two side by side: of
    numbers every other tick goes until they fit; words are broken, and turned where that is no help.

    :param across: the axis of a sweep that the ticks are of
    """
    figure = panels[0].figure
    ticks = list(zip(across.places, across.ticks))
    while True:
        figure.draw_without_rendering()
        boxes = [text.get_window_extent() for axes in panels for text in axes.get_xticklabels()]
        boxes = sorted((box for box in boxes if box.width > 1), key=lambda box: box.x0)
        if all(box.x1 + 0.06 * figure.dpi < other.x0 for box, other in zip(boxes, boxes[1:])):
            return
        if not across.numeric and not any("\n" in text for _, text in ticks):
            width = int(13 * panels[0].get_window_extent().width / figure.dpi / len(ticks))
            ticks = [(at, textwrap.fill(text, max(width, 10))) for at, text in ticks]
            panels[0].set_xticks(*zip(*ticks))
            if any("\n" in text for _, text in ticks):
                continue
        if not across.numeric or len(ticks) < 4:
            break
        ticks = ticks[::-1][::2][::-1]  # the last one stays
        panels[0].set_xticks(*zip(*ticks))
    panels[0].set_xticks(across.places, across.ticks)
    for axes in panels:
        axes.tick_params(axis="x", rotation=35)
        for tick in axes.get_xticklabels():
            tick.set(ha="right", rotation_mode="anchor")
