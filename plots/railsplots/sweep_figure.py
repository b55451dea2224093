# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a sweep: how good each scheme is along the axes of the sweep."""

import itertools
import textwrap

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from . import layout, style
from .figure_data import values_along, values_of

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
    columns = [{axis.key: value} for axis in others[:1] for value in axis.values] or [{}]
    rows = [
        dict(zip((axis.key for axis in others[1:]), values))
        for values in itertools.product(*(axis.values for axis in others[1:]))
    ]
    size = (2.0 + max(4.6, 2.9 * len(columns)), 0.8 + (2.6 if len(rows) < 3 else 2.1) * len(rows))
    figure, grid = style.new_figure(*size, len(rows), len(columns), sharex=True, sharey=True)
    for (row, column), axes in np.ndenumerate(grid):
        settings = {**columns[column], **rows[row]}
        for scheme in results.schemes:
            _draw_scheme(axes, results, scheme, across, settings, factor)
        _draw_failures(axes, results, across, settings)
        if measure.one:
            axes.axhline(1, **style.BOUND)
        axes.set_title(_heading(results.axes, settings), fontsize=8.5)
    _scale(grid, across, found / factor, lowest=1 if measure.one else 0)
    handles = layout.scheme_handles(grid.flat)
    if measure.one:
        handles.append(layout.bound_handle(measure.one))
    if across.of_scheme and not across.nominal:
        handles.append(Line2D([], [], color="#333333", label="lowest of a scheme", **_RING))
    if results.absent:
        handles.append(Line2D([], [], color="#333333", label="did not finish", **_CROSS))
    style.legend(grid[0, -1], handles=handles)
    layout.label(figure, across.key, measure.label + f" [{unit}]" * bool(unit))
    figure.suptitle(title, fontsize=9.5)
    return figure


def _draw_scheme(axes, results, scheme, across, settings, factor):
    """
    A line through the means and a band over the seeds; points beside each other when the values
    have no order; a level line when the scheme knows no such key.
    """
    look = style.line(scheme, results.schemes)
    marker = {"marker": style.look(scheme, results.schemes)[2], "markersize": 4.5}
    own = [p for p in results.of(scheme) if all(_has(p, *item) for item in settings.items())]
    found, values = values_along(own, across, results.measure), values_of(own, results.measure)
    if not len(values):
        return
    if not found or (across.of_scheme and len(found) < 2):
        axes.axhline(values.mean() / factor, **look)
        return
    places = np.array(list(found))
    low, mean, high = np.array([(v.min(), v.mean(), v.max()) for v in found.values()]).T / factor
    if across.nominal:
        count = len(results.schemes)
        places = places + 0.6 / count * (results.schemes.index(scheme) - (count - 1) / 2)
        look.update(linestyle="none", elinewidth=1)
        axes.errorbar(places, mean, (mean - low, high - mean), **marker, **look)
        return
    axes.fill_between(places, low, high, color=look["color"], alpha=0.13, linewidth=0)
    axes.plot(places, mean, **marker, **look)
    if across.of_scheme:
        best = mean.argmin()
        axes.plot(places[best], mean[best], color=look["color"], **_RING)


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
    for scheme, value in sorted(failed, key=lambda item: style.scheme_order(item[0])):
        if value is not None:
            colour = style.look(scheme, results.schemes)[0]
            where = axes.get_xaxis_transform()
            axes.plot(places[value], height[value], color=colour, transform=where, **_CROSS)
            height[value] -= 0.05


def _scale(grid, across, values, lowest):
    """
    Scales and ticks, for all panels at once.
    :param lowest: what no value is below, in sight unless the scale is logarithmic
    """
    axes = grid[0, 0]
    places = across.places
    if across.numeric and min(places) > 0 and max(places) >= 8 * min(places):
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(NullLocator())
    elif not across.numeric:
        axes.set_xlim(-0.35, len(places) - 0.65)
    axes.set_xticks(places, across.ticks)
    if sum(map(len, across.ticks)) * grid.shape[1] > 100 or max(map(len, across.ticks)) > 24:
        for bottom in grid[-1]:
            bottom.tick_params(axis="x", rotation=35)
            for tick in bottom.get_xticklabels():
                tick.set(ha="right", rotation_mode="anchor")
    if max(values) > 5 * min(values):
        axes.set_ylim(0.9 * (lowest or min(values)), max(values) * 1.1)
        style.plain_log(axes.yaxis)
    else:
        axes.set_ylim(bottom=lowest - 0.06 * (max(values) - lowest))


def _has(point, key, value):
    """True when the point has this value, or its scheme has no such key."""
    return key not in point.config or point.config[key] == value


def _heading(axes, settings):
    named = {axis.key: axis for axis in axes}
    parts = [
        f"{named[key].name} {named[key].ticks[named[key].values.index(value)]}"
        for key, value in settings.items()
    ]
    return textwrap.fill(", ".join(parts), 36)
