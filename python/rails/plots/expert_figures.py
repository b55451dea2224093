# SPDX-License-Identifier: GPL-2.0-only
"""
Figures of studies of policies for experts, of one case. Each function takes results and a title and
returns a figure, or raises Skip with the reason why there is none to draw.
"""

import textwrap

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ..reader.units import best_unit, with_unit
from . import expert_data, figure_table, labels, layout, style
from .layout import Skip, read

_TITLE_WIDTH = 30  # letters above a small panel
_LEAST = 0.5  # of loads over their mean that are to be seen
_FEW_LOADS = (1, 1.1, 1.3, 2, 5, 20, 100)  # ticks of a small panel
_FEWER_LOADS = (1, 1.2, 3, 20)  # and of one in a paper
_BEFORE = {"color": "#d9d9d9", "linewidth": 0}
_EVEN = {"color": "#333333", "linestyle": (0, (5, 2)), "linewidth": 0.9, "zorder": 1.5}
_BEYOND = {"facecolor": "#f4f4f4", "edgecolor": "#dddddd", "hatch": "///", "linewidth": 0, "zorder": 0}
_FRONT = {"color": "#bbbbbb", "linewidth": 4, "solid_capstyle": "round", "zorder": 1}


def gpu_loads(results, title):
    """Load of each GPU, the most loaded first, without the policy and with it."""
    loads = {s: read(expert_data.gpu_loads, results.of(s)) for s in results.schemes}
    figure, panels = layout.small_panels(len(loads))
    layout.headline(figure, title, expert_data.describe(results.points[0]))
    by_load = sorted(loads.items(), key=lambda item: item[1][1][0])
    for axes, (scheme, pair) in zip(panels, by_load):
        before, after = (np.maximum(values, _LEAST) for values in pair)
        places = np.arange(len(before) + 1)
        axes.fill_between(places, np.append(before, before[-1:]), step="post", **_BEFORE)
        look = style.line(scheme, results.schemes)
        axes.stairs(after, places, color=look["color"], linewidth=1.8, baseline=None)
        _panel(axes, scheme, before[0], after[0])
        axes.set_xlim(0, len(before))
    highest = max(values[0] for pair in loads.values() for values in pair)
    panels[0].set_ylim(0.94 * _LEAST, 1.15 * highest)
    style.plain_log(panels[0].yaxis, most=6)
    for axes in panels:
        axes.axhline(1, **_EVEN)
    figure.supylabel("load of a GPU\nover the mean of all", fontsize=style.points(9))
    columns = {"before": next(iter(loads.values()))[0], **{s: pair[1] for s, pair in loads.items()}}
    figure_table.keep(figure, ["place", *columns], enumerate_rows(columns.values()))
    text = f"GPUs, the most loaded first (below {_LEAST}: at the border)"
    _legend(figure, "with the policy, in its colour", text)
    return figure


def balance_over_time(results, title):
    """Load of the busiest GPU over the mean, from micro-batch to micro-batch."""
    found = {s: read(expert_data.over_time, results.of(s)) for s in results.schemes}
    if max(len(over.times) for over in found.values()) < 2:
        raise Skip("there is a single micro-batch")
    figure, panels = layout.small_panels(len(found))
    layout.headline(figure, title, expert_data.describe(results.points[0]))
    place = expert_data.stretched
    for axes, (scheme, over) in zip(panels, sorted(found.items(), key=_mean_load)):
        colour = style.line(scheme, results.schemes)["color"]
        axes.fill_between(over.times, place(over.before), place(1), **_BEFORE)
        ends = place(over.lowest), place(over.highest)
        axes.fill_between(over.times, *ends, color=colour, alpha=0.25, linewidth=0)
        axes.plot(over.times, place(over.after), color=colour)
        _panel(axes, scheme, over.before.mean(), over.after.mean())
        axes.axhline(place(1), **_EVEN)
        axes.set_xlim(over.times[0], over.times[-1])
    highest = max(values.max() for over in found.values() for values in (over.before, over.highest))
    _stretched_axis(panels[0], highest, _FEWER_LOADS if style.for_paper() else _FEW_LOADS)
    count = max(over.microbatches for over in found.values())
    _keep_over_time(figure, found)
    each = f", each of {count} micro-batches" if count > 1 else ""
    panels[0].xaxis.set_major_locator(MaxNLocator(4, integer=True))
    figure.supylabel("load of the busiest GPU\nover the mean (max/mean)", fontsize=style.points(9))
    seeds = " and seeds" if len(results.seeds) > 1 else ""
    text = f"with the policy, in its colour: mean over layers{seeds}; band: lowest to highest"
    _legend(figure, text, f"iteration{each}")
    return figure


def bytes_and_balance(results, title):
    """Bytes that each policy moves against the balance that it reaches, with the Pareto front."""
    sides = {
        side: [expert_data.place_of(s, results.of(s), side) for s in results.schemes]
        for side in expert_data.SIDES
    }
    sides = {side: places for side, places in sides.items() if any(p.bytes[0] for p in places)}
    if not sides:
        raise Skip("no policy moves any byte")
    across = 1 if style.narrower_than(6) else len(sides)
    down = len(sides) // across
    figure, grid = style.new_figure(2.2 + 4.2 * across, 4.9 * down, down, across, sharey=True)
    panels = list(grid.flat)
    highest = max(place.load[2] for places in sides.values() for place in places)
    for axes, (side, places) in zip(panels, sides.items()):
        _scatter(axes, places, results.schemes)
        axes.set_title(expert_data.SIDES[side], fontsize=style.points(9))
    _stretched_axis(panels[0], highest, expert_data.LOADS)
    for axes in grid[:, 0]:
        axes.set_ylabel("load of the busiest GPU over the mean\n(1: all GPUs have the same load)")
    layout.headline(figure, title, expert_data.describe(results.points[0]))
    _keep_places(figure, results, sides)
    layout.legend_below(figure, _handles_of_places(sides))
    for axes in panels:
        labels.place(figure, axes)
    return figure


def enumerate_rows(columns):
    """Rows of columns, each behind its number."""
    return [[number, *row] for number, row in enumerate(zip(*columns))]


def _keep_over_time(figure, found):
    """A row for each micro-batch, with what is drawn of each policy."""
    columns, sides = ["iteration"], [next(iter(found.values())).times]
    for scheme, over in found.items():
        columns += [f"{scheme}:before", scheme, f"{scheme}:lowest", f"{scheme}:highest"]
        sides += [over.before, over.after, over.lowest, over.highest]
    figure_table.keep(figure, columns, zip(*sides))


def _keep_places(figure, results, sides):
    """A row for each policy on each side, with means over seeds and their intervals."""
    rows = []
    for side, places in sides.items():
        on_front = expert_data.front(places)
        for place in places:
            points = results.of(place.scheme)
            cells = [figure_table.of_mean([point.get(key) for point in points])[:2]
                     for key in (f"bytes_{side}", "max_over_mean")]
            rows.append([place.scheme, side, *cells[0], *cells[1], len(points), int(place in on_front)])
    columns = ["policy", "side", "bytes", "bytes:error", "load", "load:error", "points", "on front"]
    figure_table.keep(figure, columns, rows)


def _scatter(axes, places, schemes):
    """Marks of policies, those on the front filled, and what labels.place() is to write there."""
    found = expert_data.front(places)
    end = expert_data.common_range([place.bytes[0] for place in places])
    unit, factor = best_unit([end], "B")
    end /= factor
    start = min(place.bytes[1] for place in places) / factor
    margin = 0.06 * (end - start) or 0.06 * end
    beyond = any(place.bytes[0] / factor > end for place in places)
    right = end + (4.5 if beyond else 2) * margin
    steps = [(place.bytes[0] / factor, expert_data.stretched(place.load[0])) for place in found]
    if steps:
        x, y = zip(*steps)
        top = expert_data.stretched(1e9)
        axes.step([x[0], *x, right], [top, *y, y[-1]], where="post", **_FRONT)
    axes.set_xlim(start - margin, right)
    if beyond:
        axes.set_xticks([tick for tick in axes.get_xticks() if start - margin <= tick <= end + margin])
        axes.axvspan(end + 2 * margin, right, **_BEYOND)
    for place in places:
        _mark(axes, place, place in found, (unit, factor, end), right - 1.2 * margin, schemes)
    per = "per layer and micro-batch"
    text = f"{unit} {per}" + " (hatched: beyond the scale)" * beyond
    axes.set_xlabel(style.wrapped(text, 48))


def _mark(axes, place, is_on_front, scale, border, schemes):
    """
    A policy; at the border, with its bytes, where it moves many times those of the others.
    :param border: where that is
    """
    unit, factor, end = scale
    colour, _, marker, _ = style.look(place.scheme, schemes)
    x, low, high = (value / factor for value in place.bytes)
    y, bottom, top = (expert_data.stretched(value) for value in place.load)
    text = place.scheme
    if place.is_oracle:
        text += " (oracle: no real system)"
    if style.for_paper():
        text = text.replace(" (", "\n(")
    if place.dropped:
        text += f" (drops {100 * place.dropped:.2g} %)"
    if x > end:
        text += f", {with_unit(place.bytes[0], 'B')} →"
        x = border
    elif high > low or top > bottom:
        error = {"xerr": [[x - low], [high - x]], "yerr": [[y - bottom], [top - y]]}
        axes.errorbar(x, y, **error, color=colour, elinewidth=0.8, linestyle="none", zorder=2)
    look = {"markerfacecolor": colour if is_on_front else "white", "markeredgecolor": colour}
    size = 11 if marker == "*" or isinstance(marker, tuple) else 7.5
    axes.plot(x, y, marker=marker, markersize=size, linestyle="none", zorder=3, **look)
    labels.ask(axes, (x, y), text, bold=is_on_front)


def _handles_of_places(sides):
    look = {"marker": "o", "markersize": 6.5, "markeredgecolor": "#333333"}
    look["linestyle"] = "-"
    on_front = "on the Pareto front: no other policy reaches its load with fewer bytes"
    not_on_it = "not on it: another policy has no more load and no more bytes"
    everywhere = [place for places in sides.values() for place in places]
    unfair = ["it is an oracle"] * any(place.is_oracle for place in everywhere)
    unfair += ["it drops tokens"] * any(place.dropped for place in everywhere)
    handles = [
        Line2D([], [], **{**_FRONT, **look}, markerfacecolor="#333333", label=on_front),
        Line2D([], [], **{**look, "linestyle": "none"}, markerfacecolor="white"),
    ]
    handles[1].set_label(", or ".join([not_on_it, *unfair]))
    return handles


def _panel(axes, scheme, before, after):
    """The policy and what it changes above a panel, and the load that cannot be beaten in it."""
    name = textwrap.fill(scheme, _TITLE_WIDTH)
    axes.set_title(f"{name}\nmax/mean {before:.2f} → {after:.2f}", fontsize=style.points(8))


def _mean_load(item):
    """What panels of policies are sorted by."""
    return item[1].after.mean()


def _stretched_axis(axes, highest, loads):
    """An axis on which loads near 1 can be told apart, whatever the highest is; ticks at loads."""
    ticks = expert_data.load_ticks(highest, loads)
    axes.set_ylim(expert_data.stretched(1) - 0.12, expert_data.stretched(highest) + 0.18)
    axes.set_yticks(expert_data.stretched(np.array(ticks)), [f"{tick:g}" for tick in ticks])


def _legend(figure, text, x):
    handles = [
        Patch(**_BEFORE, label="without a policy: experts at home"),
        Line2D([], [], color="#D55E00", linewidth=1.8, label=text),
        Line2D([], [], **_EVEN, label="even load"),
    ]
    layout.legend_below(figure, handles, x)
