# SPDX-License-Identifier: GPL-2.0-only
"""Figures of RailS beside its baselines."""

from statistics import median

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from . import rails_grid as grid
from rails.plots import style
from .rails_ranges import inverse

COLOURS = {"uniform": "#000000", "sparse": "#D55E00", "zipf": "#0072B2", "moe": "#009E73"}
BANDS = {"time": "#bbbbbb", "busbw": "#F0E442"}
TICKS = (-0.9, -0.75, -0.5, 0, 1, 3)


def draw_gains(found, ranges):
    """A panel for each congestion control: all cells of each baseline by load, between published ranges."""
    controls, baselines, rails = grid.controls_of(found), grid.baselines_of(found), grid.rails_of(found)
    figure, axes = style.new_figure(10.5, 2.9 * len(controls), len(controls), sharex=True, sharey=True)
    for axis, control in zip(axes[:, 0], controls):
        _draw_bands(axis, ranges)
        for at, baseline in enumerate(baselines):
            for place in grid.places(found):
                value = grid.change(found, rails, baseline, place)
                if place[1] == control and value is not None:
                    axis.plot(_beside(at, place[0]), 1 + value, "o", **_mark(place[0], 4))
        _percent_axis(axis)
        axis.set_title(f"{grid.CONTROLS[control]}: rails, chunks: {grid.CUTS[rails]}, over each baseline")
    axes[-1, 0].set_xticks(range(len(baselines)), baselines, rotation=20, ha="right")
    handles = _load_handles(found)
    labels = {"time": "completion time", "busbw": "bus bandwidth"}
    for name, colour in BANDS.items():
        if name in ranges:
            text = f"published {labels[name]},\n{ranges[name].text}"
            handles.append(Patch(facecolor=colour, alpha=0.45, label=text))
    style.legend(axes[0, 0], handles=handles)
    return figure


def _draw_bands(axis, ranges):
    for name, colour in BANDS.items():
        if name in ranges:
            ends = [ranges[name].low, ranges[name].high]
            ends = map(inverse, ends) if name == "busbw" else ends
            axis.axhspan(*(1 + end for end in ends), color=colour, alpha=0.45, linewidth=0, zorder=0)
    axis.axhline(1, **style.BOUND)


def _beside(at, load):
    """Where a load stands around the place of its row or column: kinds beside each other."""
    kinds = list(COLOURS)
    return at + 0.19 * (kinds.index(load.kind) - (len(kinds) - 1) / 2)


def _mark(load, size):
    """The mark of a load: small loads are hollow."""
    look = {"color": COLOURS[load.kind], "markersize": size, "markeredgewidth": 0.85}
    if load.size < 10:
        look["markerfacecolor"] = "none"
    return look


def _percent_axis(axis):
    style.plain_log(axis.yaxis)
    axis.set_yticks([1 + tick for tick in TICKS], [f"{100 * tick:+g} %" if tick else "0" for tick in TICKS])
    axis.set_ylabel("completion time")


def _load_handles(found):
    loads = {place[0] for place in grid.places(found)}
    handles = [
        Line2D([], [], linestyle="none", marker="o", color=colour, label=kind)
        for kind, colour in COLOURS.items()
        if any(load.kind == kind for load in loads)
    ]
    for size in sorted({load.size for load in loads}, reverse=True):
        face = "none" if size < 10 else "#444444"
        look = {"markerfacecolor": face, "color": "#444444"}
        handles.append(Line2D([], [], linestyle="none", marker="o", label=f"{size} MB of a GPU", **look))
    return handles


def draw_bounds(found):
    """Completion time over the lower bound by scheme: all cells, a panel for each congestion control."""
    controls = grid.controls_of(found)
    schemes = [name for name in grid.SCHEMES if any(key[0] == name for key in found)]
    figure, axes = style.new_figure(10.5, 3.6, 1, len(controls), sharey=True, sharex=True)
    for axis, control in zip(axes[0], controls):
        for at, scheme in enumerate(schemes):
            own = []
            for place in grid.places(found):
                points = found.get((scheme, *place))
                if place[1] == control and points:
                    own.append(grid.mean(point.ratio for point in points.values()))
                    axis.plot(own[-1], _beside(at, place[0]), "o", **_mark(place[0], 3.2))
            if own:
                axis.plot([median(own)] * 2, [at - 0.42, at + 0.42], color="#777777", linewidth=1.2, zorder=1)
        axis.set_title(grid.CONTROLS[control])
        axis.set_xlabel("completion time over the bound")
        style.plain_log(axis.xaxis)
    axes[0, 0].set_yticks(range(len(schemes)), schemes)
    axes[0, 0].invert_yaxis()
    style.legend(axes[0, -1], handles=_load_handles(found))
    return figure
