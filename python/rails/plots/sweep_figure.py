# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a sweep: how good each scheme is along the axes of the sweep."""

import itertools
import math
import textwrap

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from . import figure_table, intervals, layout, style
from .figure_data import values_along, values_of

_MOST_PLACES = 10_000  # on all axes but one
_FAR = 3  # times the least value: beyond that a scale is logarithmic
_RING = {"marker": "o", "markersize": 10, "fillstyle": "none", "linestyle": "none"}
_CROSS = {"marker": "x", "linestyle": "none"}


def along_axes(results, title):
    """
    What the points are compared by: completion time over the bound, or where bounds differ the time
    itself. The axis with most values runs across, the next makes the columns of panels, all others
    their rows.
    """
    measure = results.measure
    found = values_of(results.points, measure)
    if not len(found):
        raise layout.Skip(measure.none)
    unit, factor = measure.unit(found)
    across, *others = sorted(results.axes, key=lambda axis: (-len(axis.values), not axis.numeric))
    figure, panels, lowest_panels = _panels(results, others)
    ends = []
    for settings, axes in panels:
        for scheme in results.schemes:
            ends += _draw_scheme(axes, results, scheme, across, settings, factor)
        _draw_failures(axes, results, across, settings)
        if measure.one:
            axes.axhline(1, **style.BOUND)
        axes.set_title(_heading(results.axes, settings), fontsize=style.points(8.5))
    grid = [axes for _, axes in panels]
    seen = [*(found / factor), *(end for end in ends if end > 0)]
    note = _scale(grid, across, seen, lowest=min(1, *seen) if measure.one else 0)
    handles = layout.scheme_handles(grid, results.schemes)
    if measure.one:
        handles.append(layout.bound_handle(measure.one))
    if across.of_scheme and not across.nominal:
        handles.append(Line2D([], [], color="#333333", label="lowest of a scheme", **_RING))
    if results.absent:
        handles.append(Line2D([], [], color="#333333", label="did not finish", **_CROSS))
    if note:
        handles.append(Line2D([], [], color="none", label=note))
    layout.label(figure, across.key, measure.label + f" [{unit}]" * bool(unit))
    layout.headline(figure, title)
    _keep(figure, results, [settings for settings, _ in panels], across, factor, unit)
    style.legend(figure.axes[lowest_panels.columns - 1], handles=handles)
    layout.fit_ticks(lowest_panels.of(grid), across)
    return figure


def _keep(figure, results, places, across, factor, unit):
    """A row for each place in each panel, and four columns for each scheme."""
    measure, others = results.measure, [axis for axis in results.axes if axis.key != across.key]
    columns = [*(axis.key for axis in others), across.key, "place"]
    for scheme in results.schemes:
        columns += [scheme, f"{scheme}:error", f"{scheme}:points"]
    rows = []
    for settings in places:
        for value, at, tick in zip(across.values, across.places, across.ticks):
            row = [axis.label(settings[axis.key]) for axis in others] + [tick, at]
            for scheme in results.schemes:
                own = [p for p in results.of(scheme) if _is_at(p, {**settings, across.key: value})]
                values = values_of(own, measure) / factor
                mean, error, *_, count = figure_table.of_mean(values)
                row += [mean, error, count]
            rows.append([*row, unit or measure.times])
    figure_table.keep(figure, [*columns, "unit"], rows)


class _Lowest:
    """Which panels have no other one below them."""

    def __init__(self, count, columns):
        self._count, self.columns = count, columns

    def of(self, grid):
        return [axes for number, axes in enumerate(grid) if number + self.columns >= self._count]


def _panels(results, others):
    """
    A figure with a panel for each place on the other axes: the first of them makes columns, all
    others rows, unless places are missing or there is no room for so many columns.

    :return: the figure, pairs of settings by key and their panel, and which are the lowest
    """
    if math.prod(len(axis.values) for axis in others) > _MOST_PLACES:
        names = ", ".join(axis.name for axis in others[:4])
        raise layout.Skip(f"points differ in {len(others) + 1} keys ({names}, ...); choose some by --where KEY=VALUE")
    first, rest = others[:1], others[1:]
    columns = [{axis.key: value} for axis in first for value in axis.values] or [{}]
    rows = [
        dict(zip((axis.key for axis in rest), values))
        for values in itertools.product(*(axis.values for axis in rest))
    ]
    settings = [{**column, **row} for row in rows for column in columns]
    known = [own for own in settings if any(_is_at(point, own) for point in results.points)]
    across = style.panels_across(len(columns) if len(known) == len(settings) else 4)
    across = min(across, len(known))
    down = -(-len(known) // across)
    size = (2.0 + max(4.6, 2.9 * across), 0.8 + (2.6 if down < 3 else 2.1) * down)
    figure, grid = style.new_figure(*size, down, across, sharex=True, sharey=True)
    for number, axes in enumerate(grid.flat):
        axes.set_visible(number < len(known))
        axes.tick_params(labelbottom=number + across >= len(known))
    return figure, list(zip(known, grid.flat)), _Lowest(len(known), across)


def _is_at(point, settings):
    return all(_has(point, *item) for item in settings.items())


def _draw_scheme(axes, results, scheme, across, settings, factor):
    """
    A line through the means and a band over the seeds; points beside each other when the values
    have no order; a level line when the scheme knows no such key.

    :return: the ends of bands, which may be beyond all values
    """
    look = style.line(scheme, results.schemes)
    marker = {"marker": style.look(scheme, results.schemes)[2], "markersize": 4.5}
    own = [point for point in results.of(scheme) if _is_at(point, settings)]
    found, values = values_along(own, across, results.measure), values_of(own, results.measure)
    if not len(values):
        return []
    if not found or (across.of_scheme and len(found) < 2):
        axes.axhline(values.mean() / factor, **look)
        return []
    places = np.array(list(found))
    mean = np.array([v.mean() for v in found.values()]) / factor
    low, high = np.array([intervals.ends(v) for v in found.values()]).T / factor
    if across.nominal:
        count = len(results.schemes)
        places = places + 0.6 / count * (results.schemes.index(scheme) - (count - 1) / 2)
        look.update(linestyle="none", elinewidth=1)
        axes.errorbar(places, mean, (mean - low, high - mean), **marker, **look)
        return [*low, *high]
    axes.fill_between(places, low, high, color=look["color"], alpha=0.13, linewidth=0)
    axes.plot(places, mean, **marker, **look)
    if across.of_scheme:
        best = mean.argmin()
        axes.plot(places[best], mean[best], color=look["color"], **_RING)
    return [*low, *high]


def _draw_failures(axes, results, across, settings):
    """A cross in the scheme's colour at the top, above the value that it failed at."""
    keys = [axis.key for axis in results.axes]
    places = dict(zip(across.values, across.places))
    height = dict.fromkeys(places, 0.96)
    failed = set()
    for scheme, _, *values in results.absent:
        setting = dict(zip(keys, values))
        if all(setting[key] in (None, value) for key, value in settings.items()):
            failed.add((scheme, setting[across.key]))
    for scheme, value in sorted(failed, key=lambda item: results.all_schemes.index(item[0])):
        if value is not None:
            colour = style.look(scheme, results.schemes)[0]
            where = axes.get_xaxis_transform()
            axes.plot(places[value], height[value], color=colour, transform=where, **_CROSS)
            height[value] -= 0.05


def _scale(panels, across, values, lowest):
    """
    Scales and ticks, for all panels at once.

    :param lowest: what no value is below
    :return: what must be known of the scale
    """
    axes = panels[0]
    places = across.places
    if across.numeric and min(places) > 0 and max(places) >= 8 * min(places):
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    elif not across.numeric:
        axes.set_xlim(-0.35, len(places) - 0.65)
    axes.set_xticks(places, across.ticks)
    least, most = min(values), max(values)
    if most > _FAR * least > 0:
        # Differences between small values are to be seen, however large others are.
        axes.set_ylim(0.9 * (lowest or least), most * 1.13)
        style.plain_log(axes.yaxis)
        return ""
    if not lowest and least > 0.25 * most:
        margin = 0.08 * (most - least) or 0.1 * most
        axes.set_ylim(least - margin, most + margin)
        return "(scale not from 0)"
    axes.set_ylim(lowest - 0.06 * (most - lowest), most + 0.08 * (most - lowest or most))
    return ""


def _has(point, key, value):
    """True when the point has this value, or its scheme has no such key."""
    return key not in point.config or point.config[key] == value


def _heading(axes, settings):
    named = {axis.key: axis for axis in axes}
    parts = [
        f"{named[key].name} {named[key].ticks[named[key].values.index(value)]}"
        for key, value in settings.items()
    ]
    return textwrap.fill(", ".join(parts), style.letters(36))
