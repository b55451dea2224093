# SPDX-License-Identifier: GPL-2.0-only
"""Where the time over the lower bound goes in each scheme: factors of `explain`."""

import math

from matplotlib.patches import Patch

from . import rails_grid as grid
from rails.plots import style

FACTORS = {  # as explained in doc/explain.rst: colour, hatch
    "plan": ("#D55E00", ""),
    "routes": ("#0072B2", "//"),
    "repeats": ("#009E73", ".."),
    "outages": ("#882255", "xx"),
    "waiting": ("#BBBBBB", ""),
}
SHOWN = ("plan", "routes", "repeats", "waiting")  # nothing fails in these grids
PLANNED = ("rail-source", "rail-destination", "ecmp", "round-robin", *grid.CUTS, grid.OPTIMUM)


def schemes_of(found):
    return [name for name in grid.SCHEMES if any(key[0] == name for key in found)]


def points_of(found, scheme, control, kind=None):
    """All points of a scheme, with those that have no explanation left out."""
    return [
        point
        for (name, load, own), points in sorted(found.items(), key=lambda item: (item[0][1].order, item[0]))
        if name == scheme and own == control and kind in (None, load.kind)
        for _, point in sorted(points.items())
        if point.result.get("explain") and None not in point.result["explain"]["factors"].values()
    ]


def factors(points):
    """Geometric means of the factors, whose product is that of the time over the bound."""
    own = [point.result["explain"]["factors"] for point in points]
    return {name: math.exp(grid.mean(math.log(one[name]) for one in own)) for name in FACTORS}


def factor_table(found):
    controls = grid.controls_of(found)
    rows = [["Scheme", *(name.capitalize() for name in SHOWN), "Over the bound"]]
    for control in controls[1:]:
        rows[0] += [f"{control}: waiting", "over the bound", "NIC held back"]
    for scheme in schemes_of(found):
        points = points_of(found, scheme, controls[0])
        if not points:
            continue
        own = factors(points)
        row = [scheme, *(f"{own[name]:.2f}" for name in SHOWN), f"{math.prod(own.values()):.2f}"]
        for control in controls[1:]:
            points = points_of(found, scheme, control)
            own = factors(points) if points else {}
            row += [f"{own['waiting']:.2f}", f"{math.prod(own.values()):.2f}", held_back(points)] if own else [""] * 3
        rows.append(row)
    return rows


def held_back(points):
    """Mean share of its time in which the NIC that sent data last had to keep to its rates."""
    shares = [(point.result["explain"].get("nic") or {}).get("rate_or_window") for point in points]
    shares = [share for share in shares if share is not None]
    return f"{100 * grid.mean(shares):.0f} %" if shares else ""


def plan_table(found):
    """What no fabric can make up for: the worst NIC load over the bound, by load."""
    control = grid.controls_of(found)[0]
    schemes = [name for name in PLANNED if name in schemes_of(found)]
    rows = [["Load", "A GPU sends", *schemes]]
    for load, own in grid.places(found):
        if own != control:
            continue
        row = [load.name, f"{load.size} MB"]
        for scheme in schemes:
            points = (found.get((scheme, load, own)) or {}).values()
            values = [((point.result.get("explain") or {}).get("factors") or {}).get("plan") for point in points]
            row.append(f"{grid.mean(values):.2f}" if values and None not in values else "")
        rows.append(row)
    return rows


def bound_table(found):
    """Completion time over the lower bound by load and scheme, without congestion control."""
    schemes = schemes_of(found)
    rows = [["Load", "A GPU sends", *schemes]]
    for load, own in grid.places(found):
        cells = [found.get((scheme, load, own)) for scheme in schemes]
        shown = [f"{grid.mean(point.ratio for point in points.values()):.3f}" if points else "" for points in cells]
        rows.append([load.name, f"{load.size} MB", *shown])
    return rows


def mark_table(found):
    """ECN marks for a thousand frames, and the longest queue, by scheme."""
    controls = grid.controls_of(found)
    rows = [["Scheme"]]
    for control in controls:
        rows[0] += [f"{control}: marks", "longest queue [MB]"]
    for scheme in schemes_of(found):
        row = [scheme]
        for control in controls:
            keys = [(scheme, *place) for place in grid.places(found) if place[1] == control]
            own = [p for key in keys for _, p in sorted(found.get(key, {}).items())]
            marks = grid.mean(1e3 * (p.number("ecn_marks") or 0) / p.number("frames") for p in own) if own else None
            longest = max((p.number("queue_max_bytes") or 0 for p in own), default=0)
            row += ["", ""] if marks is None else [f"{marks:.0f}", f"{longest / 1e6:.1f}"]
        rows.append(row)
    return rows


def draw(found):
    """Factors one behind the other on a logarithmic axis: a row for each control, a column for each kind of load."""
    controls = grid.controls_of(found)
    kinds = [kind for kind in grid.KINDS if any(key[1].kind == kind for key in found)]
    schemes = schemes_of(found)
    figure, axes = style.new_figure(11, 2.7 * len(controls), len(controls), len(kinds), sharey=True, sharex=True)
    for row, control in zip(axes, controls):
        for axis, kind in zip(row, kinds):
            for at, scheme in enumerate(schemes):
                points = points_of(found, scheme, control, kind)
                if points:
                    _draw_chain(axis, at, factors(points))
            axis.set_title(f"{kind}, {grid.CONTROLS[control]}")
            style.plain_log(axis.xaxis)
        row[0].set_yticks(range(len(schemes)), schemes)
    axes[0, 0].invert_yaxis()
    for axis in axes[-1]:
        axis.set_xlabel("over the lower bound")
    handles = [
        Patch(facecolor=FACTORS[name][0], hatch=FACTORS[name][1], edgecolor="white", label=name) for name in SHOWN
    ]
    style.legend(axes[0, -1], handles=handles)
    return figure


def _draw_chain(axis, at, own):
    left = 1.0
    for name, (colour, hatch) in FACTORS.items():
        right = left * own[name]
        axis.barh(at, right - left, left=left, height=0.75, color=colour, hatch=hatch, edgecolor="white", linewidth=0.3)
        left = right
