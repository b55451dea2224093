# SPDX-License-Identifier: GPL-2.0-only
"""
Figures of studies of policies for experts, of one case. Each function takes results and a title and
returns a figure, or raises Skip with the reason why there is none to draw.
"""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from . import expert_data, labels, layout, style
from .layout import Skip, read
from .units import best_unit

_BEFORE = {"color": "#d9d9d9", "linewidth": 0}
_FRONT = {"color": "#bbbbbb", "linewidth": 4, "solid_capstyle": "round", "zorder": 1}


def gpu_loads(results, title):
    """Load of each GPU, the most loaded first, without the policy and with it."""
    loads = {s: read(expert_data.gpu_loads, results.of(s)) for s in results.schemes}
    figure, panels = layout.small_panels(len(loads), _title(results, title))
    for axes, (scheme, (before, after)) in zip(panels, loads.items()):
        places = np.arange(len(before) + 1)
        axes.fill_between(places, np.append(before, before[-1:]), step="post", **_BEFORE)
        look = style.line(scheme, results.schemes)
        axes.stairs(after, places, color=look["color"], linewidth=1.8, baseline=None)
        _panel(axes, scheme, f"{before[0]:.3g} → {after[0]:.3g}")
        axes.set_xlim(0, len(before))
    _scale_of_loads(panels, [values for pair in loads.values() for values in pair])
    layout.label(figure, "GPUs, the most loaded first", "load of a GPU over the mean of all")
    _legend(figure, results, "with the policy")
    return figure


def balance_over_time(results, title):
    """Load of the busiest GPU over the mean, from micro-batch to micro-batch."""
    found = {s: read(expert_data.over_time, results.of(s)) for s in results.schemes}
    if max(len(over.times) for over in found.values()) < 2:
        raise Skip("there is a single micro-batch")
    figure, panels = layout.small_panels(len(found), _title(results, title))
    for axes, (scheme, over) in zip(panels, found.items()):
        colour = style.line(scheme, results.schemes)["color"]
        axes.fill_between(over.times, over.before, **_BEFORE)
        axes.fill_between(
            over.times, over.lowest, over.highest, color=colour, alpha=0.25, linewidth=0
        )
        axes.plot(over.times, over.after, color=colour)
        _panel(axes, scheme, f"{over.before.mean():.3g} → {over.after.mean():.3g}")
        axes.set_xlim(over.times[0], over.times[-1])
    _scale_of_loads(panels, [v for over in found.values() for v in (over.before, over.highest)])
    count = max(over.microbatches for over in found.values())
    each = f", each of {count} micro-batches" if count > 1 else ""
    layout.label(figure, f"iteration{each}", "load of the busiest GPU over the mean")
    seeds = " and seeds" if len(results.seeds) > 1 else ""
    _legend(figure, results, f"with the policy (band: lowest to highest of layers{seeds})")
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
    figure, [panels] = style.new_figure(2.2 + 4.2 * len(sides), 4.9, 1, len(sides), sharey=True)
    highest = max(place.load[2] for places in sides.values() for place in places)
    for axes, (side, places) in zip(panels, sides.items()):
        _scatter(axes, places, results.schemes)
        axes.set_title(expert_data.SIDES[side], fontsize=9)
        axes.set_ylim(expert_data.stretched(1) - 0.12, expert_data.stretched(highest) + 0.18)
    ticks = expert_data.load_ticks(highest)
    panels[0].set_yticks(expert_data.stretched(np.array(ticks)), [f"{tick:g}" for tick in ticks])
    panels[0].set_ylabel("load of the busiest GPU over the mean\n(1: all GPUs have the same load)")
    figure.suptitle(_title(results, title), fontsize=9.5)
    layout.legend_below(figure, _handles_of_places(sides))
    for axes in panels:
        labels.place(figure, axes)
    return figure


def _scatter(axes, places, schemes):
    """Marks of policies, those on the front filled, and what labels.place() is to write there."""
    unit, factor = best_unit([place.bytes[0] for place in places], "B")
    found = expert_data.front(places)
    end = expert_data.common_range([place.bytes[0] for place in places]) / factor
    start = min(place.bytes[1] for place in places) / factor
    margin = 0.06 * (end - start) or 0.06 * end
    steps = [(place.bytes[0] / factor, expert_data.stretched(place.load[0])) for place in found]
    if steps:
        x, y = zip(*steps)
        top, right = expert_data.stretched(1e9), end + 9 * margin
        axes.step([x[0], *x, right], [top, *y, y[-1]], where="post", **_FRONT)
    axes.set_xlim(start - margin, end + 2 * margin)
    for place in places:
        _mark(axes, place, place in found, (unit, factor, end + margin), schemes)
    axes.set_xlabel(f"bytes moved for a layer and a micro-batch [{unit}]")


def _mark(axes, place, is_on_front, scale, schemes):
    """A policy; at the right edge, with its bytes, where it moves many times those of the others."""
    unit, factor, edge = scale
    colour, _, marker, _ = style.look(place.scheme, schemes)
    x, low, high = (value / factor for value in place.bytes)
    y, bottom, top = (expert_data.stretched(value) for value in place.load)
    text = place.scheme
    if place.is_oracle:
        text += " (oracle)" if "oracle" not in place.scheme else ""
    if place.dropped:
        text += f" (drops {100 * place.dropped:.2g} %)"
    if x > edge:
        text += f" ({x:,.4g} {unit} →)"
        x = edge
    elif high > low or top > bottom:
        error = {"xerr": [[x - low], [high - x]], "yerr": [[y - bottom], [top - y]]}
        axes.errorbar(x, y, **error, color=colour, elinewidth=0.8, linestyle="none", zorder=2)
    look = {"markerfacecolor": colour if is_on_front else "white", "markeredgecolor": colour}
    size = 11 if marker == "*" or isinstance(marker, tuple) else 7.5
    axes.plot(x, y, marker=marker, markersize=size, linestyle="none", zorder=3, **look)
    labels.ask(axes, (x, y), text, bold=is_on_front)


def _handles_of_places(sides):
    look = {"marker": "o", "markersize": 6.5, "linestyle": "none", "markeredgecolor": "#333333"}
    on_front = "Pareto front: no policy has less load for as many bytes"
    handles = [
        Line2D([], [], **{**_FRONT, **look}, markerfacecolor="#333333", label=on_front),
        Line2D([], [], **look, markerfacecolor="white", label="another policy is better in both"),
    ]
    everywhere = [place for places in sides.values() for place in places]
    if any(not place.is_fair for place in everywhere):
        text = "oracle, or drops tokens: not on the front"
        handles[1].set_label(f"{handles[1].get_label()}, or not comparable ({text})")
    return handles


def _title(results, title):
    return f"{title}\n{expert_data.describe(results.points[0])}"


def _panel(axes, scheme, text):
    """The policy and its numbers above a panel, and the load that cannot be beaten in it."""
    axes.set_title(f"{scheme}\n{text}", fontsize=8)
    axes.axhline(1, zorder=1.5, color="#333333", linestyle=(0, (5, 2)), linewidth=0.9)


def _scale_of_loads(panels, values):
    """From 0, or logarithmic where loads are many times the mean; the axes are shared."""
    highest = max(float(np.max(found)) for found in values)
    panels[0].set_ylim(0, 1.04 * highest)


def _legend(figure, results, text):
    handles = [
        Patch(**_BEFORE, label="without a policy: experts at home"),
        Line2D([], [], color="#D55E00", linewidth=1.8, label=text),
        Line2D([], [], color="#333333", linestyle=(0, (5, 2)), linewidth=0.9, label="even load"),
    ]
    layout.legend_below(figure, handles)
