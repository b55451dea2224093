# SPDX-License-Identifier: GPL-2.0-only
"""
What the chunks of RailS are worth: results of experiments/rails/chunks, and of experiments/rails/turns, where chunks
that are placed longest first stand beside chunks that are dealt in turn.
"""

import json
from dataclasses import replace

from matplotlib.lines import Line2D

from . import rails_grid as grid
from rails.plots import style
from rails.reader.units import parse_number

ENGINES = {"flow": "flow-level", "frames": "packet-level"}
_SCHEMES = (grid.RAILS, "rails 4 MB", "round-robin", "random", "least-outstanding", grid.OPTIMUM)
_SMALL = 16  # MB of a GPU, below which RailS is held against an even split
_UP, _RAIL, _NICS, _HALF, _QUARTER = (
    "equal NICs",
    "a rail dead",
    "four NICs dead",
    "4 x 400G, 4 x 200G",
    "7 x 400G, 1 x 100G",
)
_STATES = (_UP, _RAIL, _NICS, _HALF, _QUARTER)
_CUTS = ("automatic", "1 MB", "whole")
_COLOURS = {
    "uniform": "#000000",
    "sparse 5 %": "#D55E00",
    "sparse 10 %": "#E69F00",
    "zipf 0.8": "#0072B2",
    "moe": "#009E73",
}


def chunk(config):
    """Where a point of the grids of chunks stands: load and engine."""
    load, experts = grid.load_of(config), config.get("workload.matrix.experts")
    gpus = config["topology.domains"] * config["topology.gpus_per_domain"]
    return replace(load, detail=str(experts)) if load.kind == "moe" and experts != gpus else load, config["engine.type"]


def over_bound(points):
    """Mean over the seeds of a cell."""
    return grid.mean(point.ratio for point in points.values())


def _loads(found, at=1):
    loads = sorted({key[at] for key in found}, key=lambda load: load.order)
    return list(dict.fromkeys(load.name for load in loads)), sorted({load.size for load in loads})


def law_table(found):
    """RailS over the bound, and below 16 MB of a GPU behind it an even split: rows by engine and size."""
    names, sizes = _loads(found)
    rows = [["Simulation", "A GPU sends", *names]]
    for engine in ENGINES:
        for size in sizes:
            row = [ENGINES[engine], f"{size} MB"]
            for name in names:
                own = {key[0]: over_bound(points) for key, points in found.items() if _is(key, name, size, engine)}
                beside = f" / {own[grid.OPTIMUM]:.3f}" if size < _SMALL and grid.OPTIMUM in own else ""
                row.append(f"{own[grid.RAILS]:.3f}{beside}" if grid.RAILS in own else "")
            if any(row[2:]):
                rows.append(row)
    return rows


def _is(key, name, size, engine):
    return (key[1].name, key[1].size, key[2]) == (name, size, engine)


def scheme_table(found, size):
    """All schemes over the bound, packet-level, at one size."""
    names, _ = _loads(found)
    rows = [["Scheme", *names]]
    for scheme in _SCHEMES:
        row = [scheme]
        for name in names:
            own = [points for key, points in found.items() if key[0] == scheme and _is(key, name, size, "frames")]
            row.append(f"{over_bound(own[0]):.3f}" if own else "")
        if any(row[1:]):
            rows.append(row)
    return rows


def describe(found):
    """Lines: how many cells keep to the law, and the worst of each half."""
    for engine, text in ENGINES.items():
        own = {key[:2]: over_bound(points) for key, points in found.items() if key[2] == engine}
        large = [value for (scheme, load), value in own.items() if scheme == grid.RAILS and load.size >= _SMALL]
        small = [
            own[grid.RAILS, load] / value
            for (scheme, load), value in own.items()
            if scheme == grid.OPTIMUM and load.size < _SMALL and (grid.RAILS, load) in own
        ]
        if large:
            yield f"{text}, from {_SMALL} MB: at most {max(large):.3f} of the bound, {len(large)} cells"
        if small:
            yield f"{text}, below: at most {100 * (max(small) - 1):.1f} % behind an even split, {len(small)} cells"


def draw(found):
    """A panel for each load: over what a GPU sends, each scheme's time over the bound, packet-level."""
    names, sizes = _loads(found)
    schemes = [name for name in _SCHEMES if any(key[0] == name for key in found)]
    figure, axes = style.new_figure(12, 3.3, 1, len(names), sharex=True, sharey=True)
    for axis, name in zip(axes[0], names):
        for scheme in schemes:
            own = {
                key[1].size: over_bound(points)
                for key, points in found.items()
                if (key[0], key[1].name, key[2]) == (scheme, name, "frames")
            }
            if own:
                marker = {"marker": style.look(scheme, schemes)[2], "markersize": 4}
                axis.plot(*zip(*sorted(own.items())), **style.line(scheme, schemes), **marker)
        axis.axhline(1, **style.BOUND)
        axis.set_title(name)
        axis.set_xscale("log")
        axis.set_xticks(sizes, [f"{size:g}" for size in sizes])
        axis.minorticks_off()
        axis.set_xlabel("a GPU sends [MB]")
    axes[0, 0].set_ylabel("completion time over the bound\n(lower is better)")
    style.legend(axes[0, -1])
    return figure


# Longest first, and in turn


def turn(config):
    """Where a point stands: load, how NICs are, and how messages are cut."""
    text = config.get("balance.chunk")
    cut = "" if config["balance.type"] == grid.OPTIMUM else grid.size_text(text)
    return grid.load_of(config), _state(config), cut


def _state(config):
    if config["topology.type"] == "nic-groups":
        names = [key for key in config if key.startswith("topology.fabrics.") and key.endswith(".nic_rate")]
        rates = [parse_number(config[name]) for name in names]
        return _HALF if 2 * min(rates) == max(rates) else _QUARTER
    schedule = json.loads(config["failures.schedule"])
    return _UP if not schedule else _RAIL if "switch" in schedule[0] else _NICS


def turn_name(config):
    return config["balance.type"]


def ratio(found, place):
    """Longest first over in turn, and its range over seeds; None without both."""
    own, other = (found.get((scheme, *place)) for scheme in (grid.RAILS, "round-robin"))
    seeds = sorted(set(own or ()) & set(other or ()))
    if not seeds:
        return None
    each = [own[seed].cct_s / other[seed].cct_s for seed in seeds]
    both = (grid.seconds({seed: points[seed] for seed in seeds}) for points in (own, other))
    own_s, other_s = both
    return own_s / other_s, min(each), max(each)


def turn_table(found):
    """Longest first over in turn: rows by NICs and cut, columns by load; 64 and 4 MB of a GPU in a cell."""
    names, sizes = _loads(found)
    rows = [["NICs", "Chunks", *names]]
    for state in _STATES:
        for cut in _CUTS:
            row = [state, cut]
            for name in names:
                values = [ratio(found, place) for place in _places(found, name, state, cut, sizes)]
                row.append(" / ".join(f"{value[0]:.2f}" for value in values if value))
            if any(row[2:]):
                rows.append(row)
    return rows


def _places(found, name, state, cut, sizes):
    """Largest size first."""
    places = {key[1:] for key in found if (key[1].name, *key[2:]) == (name, state, cut)}
    return sorted(places, key=lambda place: -place[0].size)


def draw_turns(found):
    """A panel for each size: rows by NICs and cut, a dot for each load with its range over seeds."""
    names, sizes = _loads(found)
    rows = [(state, cut) for state in _STATES for cut in _CUTS if any(key[2:] == (state, cut) for key in found)]
    figure, axes = style.new_figure(9.5, 0.33 * len(rows) + 1.3, 1, len(sizes), sharey=True, sharex=True)
    for axis, size in zip(axes[0], reversed(sizes)):
        axis.axvline(1, **style.BOUND)
        for at, (state, cut) in enumerate(rows):
            if at and rows[at - 1][0] != state:
                axis.axhline(at - 0.5, color="#bbbbbb", linewidth=0.7)
            for place in {key[1:] for key in found if key[1].size == size and key[2:] == (state, cut)}:
                value = ratio(found, place)
                if value:
                    height = at + 0.13 * (names.index(place[0].name) - (len(names) - 1) / 2)
                    look = {"color": _COLOURS.get(place[0].name, "#777777")}
                    axis.plot(value[1:], [height] * 2, linewidth=1, **look)
                    axis.plot(value[0], height, "o", markersize=3.8, **look)
        axis.set_title(f"{size} MB of a GPU")
        axis.set_xlabel("time of longest first over in turn\n(below 1: longest first is faster)")
    axes[0, 0].set_yticks(range(len(rows)), [f"{state}, {cut}" for state, cut in rows])
    axes[0, 0].invert_yaxis()
    handles = [
        Line2D([], [], marker="o", markersize=4, linewidth=1, color=_COLOURS.get(name, "#777777"), label=name)
        for name in names
    ]
    style.legend(axes[0, -1], handles=handles)
    return figure
