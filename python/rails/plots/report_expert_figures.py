# SPDX-License-Identifier: GPL-2.0-only
"""The figures of a report on studies of policies for experts."""

import numpy as np

from ..reader.units import best_unit, with_unit
from . import expert_data
from .cdf import thin
from .report_groups import (
    BOUND,
    Figure,
    curve,
    escape,
    read,
    scale,
    short,
    subplot,
)

_EVEN = {**BOUND, "name": "even load", "legendgroup": "even load"}
_BEFORE = {
    **BOUND,
    "name": "without a policy",
    "legendgroup": "without a policy",
    "line": {"dash": "solid", "width": 3},
}


def bytes_and_balance(groups):
    """Bytes that each policy moves against the balance that it reaches, with the Pareto front."""
    cases = {
        (side, place): [expert_data.place_of(s, points, side) for s, points in own.items()]
        for place, own in groups.cases().items()
        for side in expert_data.SIDES
    }
    sides = [
        side
        for side in expert_data.SIDES
        if any(p.bytes[0] for (of, _), places in cases.items() if of == side for p in places)
    ]
    everywhere = [place for places in cases.values() for place in places]
    # In one unit for all cases; those of a case that are far beyond the others stand at its edge.
    ends = {key: expert_data.common_range([p.bytes[0] for p in v]) for key, v in cases.items()}
    unit, factor = best_unit(ends.values(), "B")
    highest = max((place.load[2] for place in everywhere), default=1)
    traces = []
    for (side, at), places in cases.items():
        if side in sides:
            end = ends[side, at]
            traces += _case(groups, at, places, end, factor, subplot(sides.index(side)))
    ticks = expert_data.load_ticks(highest)
    xaxis = {"title": {"text": f"bytes moved for a layer and a micro-batch [{unit}]"}}
    yaxis = {
        "title": {"text": "load of the busiest GPU over the mean"},
        "tickvals": short(expert_data.stretched(np.array(ticks))),
        "ticktext": [f"{tick:g}" for tick in ticks],
    }
    text = (
        "Tokens there and back, weights, gradients and moved experts, mean over plans and seeds. "
        "The scale of loads shows how far they are from 1, an even load. Filled, with a name: on "
        "the Pareto front, where less load costs more bytes; hollow: another policy has no more "
        "load and no more bytes. An oracle, which does what no real system can, and a policy "
        "that drops tokens are not on the front. An arrow: many times the bytes of the others."
    )
    titles = [expert_data.SIDES[side] for side in sides]
    notes = [] if traces else ["No policy moves any byte."]
    title = "Bytes moved and balance"
    layout = {"xaxis": xaxis, "yaxis": yaxis}
    return Figure(
        "bytes-and-balance", title, traces, layout, text=text, notes=notes, panels=titles
    )


def gpu_loads(groups):
    """Load of each GPU, the most loaded first, without the policy and with it."""
    found, notes = read(groups, expert_data.gpu_loads, "gpu_loads.csv")
    traces, without = [], {}
    for (scheme, place), (before, after) in found.items():
        number = np.arange(1, len(after) + 1)
        hover = "GPU %{x:.0f} of " + str(len(after)) + ": %{y:.4g} × mean"
        x, y = thin(number, after, groups.limit)
        traces.append(_stairs(curve(groups, scheme, place, x, y, hover)))
        without.setdefault(groups.without_schemes(place), (number, before))
    for place, (number, before) in without.items():
        line = _line(groups, place, _BEFORE, *thin(number, before, groups.limit))
        traces.append(_stairs(line))
        traces.append(_line(groups, place, _EVEN, number[[0, -1]], np.ones(2)))
    kind, words = scale(loads.max() for pair in found.values() for loads in pair)
    layout = {
        "xaxis": {"title": {"text": "GPUs, the most loaded first"}},
        "yaxis": {"title": {"text": "load over the mean of all"}, "rangemode": "tozero", **kind},
    }
    text = "Sorted for each plan, then the mean over plans and seeds." + words
    notes += groups.notes if traces else []
    return Figure("gpu-loads", "Load of each GPU", traces, layout, 440, text=text, notes=notes)


def balance_over_time(groups):
    """Load of the busiest GPU over the mean, from micro-batch to micro-batch."""
    found, notes = read(groups, expert_data.over_time, "plans.csv")
    title = "Balance over time"
    if max((len(over.times) for over in found.values()), default=0) < 2:
        notes += ["There is a single micro-batch."] * bool(found)
        return Figure("balance-over-time", title, [], {}, notes=notes)
    traces, without = [], {}
    for (scheme, place), over in found.items():
        hover = "%{y:.4g} × mean in iteration %{x:.4g}"
        trace = curve(groups, scheme, place, *thin(over.times, over.after, groups.limit), hover)
        traces.append(trace)
        without.setdefault(groups.without_schemes(place), over)
    for place, over in without.items():
        traces.append(_line(groups, place, _BEFORE, *thin(over.times, over.before, groups.limit)))
        traces.append(_line(groups, place, _EVEN, over.times[[0, -1]], np.ones(2)))
    kind, words = scale(load for over in found.values() for load in over.after)
    layout = {
        "xaxis": {"title": {"text": "iteration"}},
        "yaxis": {"title": {"text": "load of the busiest GPU over the mean"}, **kind},
    }
    text = "Each micro-batch: mean over layers and seeds." + words
    notes += groups.notes
    return Figure("balance-over-time", title, traces, layout, 440, text=text, notes=notes)


def _case(groups, at, places, end, factor, panel):
    """
    The policies of a case on one side, and their front.
    :param end: where those stand that move many times the bytes of the others
    """
    front = expert_data.front(places)
    start = min(place.bytes[0] for place in places)
    edge = end + 0.05 * (end - start)
    traces = []
    if len(front) > 1:
        x = [place.bytes[0] / factor for place in front]
        y = [expert_data.stretched(place.load[0]) for place in front]
        line = {**BOUND, "name": "Pareto front", "legendgroup": "Pareto front", **panel}
        line["line"] = {"dash": "solid", "width": 3, "shape": "hv"}
        traces.append({**line, "meta": groups.meta(at, role="bound"), "x": short(x), "y": short(y)})
    for place in places:
        is_beyond, is_on_front = place.bytes[0] > edge, place in front
        text = [escape(place.scheme)] * is_on_front
        if is_beyond:
            text = [f"{escape(place.scheme)}: {with_unit(place.bytes[0], 'B')} →"]
        symbol = groups.symbol(place.scheme) + "-open" * (not is_on_front)
        traces.append(
            groups.trace(
                place.scheme,
                at,
                type="scatter",
                mode="markers+text",
                x=short([min(place.bytes[0], edge) / factor]),
                y=short([expert_data.stretched(place.load[0])]),
                text=text,
                textposition="middle left" if is_beyond else _beside(place.bytes[0], start, edge),
                hovertext=[_words(place)],
                hovertemplate="%{hovertext}<extra>%{fullData.name}</extra>",
                marker={"symbol": symbol, "size": 11, "line": {"width": 1.5}},
                **panel,
            )
        )
    return traces


def _beside(value, start, end):
    """Where the name of a mark is, so that it stays within the figure."""
    return "top left" if value > start + 0.6 * (end - start) else "top right"


def _words(place):
    """Where a policy stands, in words."""
    mean, low, high = place.load
    seeds = f" ({low:.4g} to {high:.4g})" if high > low else ""
    lines = [f"{mean:.4g} × mean{seeds}", with_unit(place.bytes[0], "B")]
    if place.dropped:
        lines.append(f"drops {100 * place.dropped:.2g} % of its tokens")
    if place.is_oracle:
        lines.append("oracle: does what no real system can")
    return "<br>".join(lines)


def _stairs(trace):
    return {**trace, "line": {**trace["line"], "shape": "hvh"}}


def _line(groups, place, look, x, y):
    """A line that is of no policy."""
    return {**look, "meta": groups.meta(place, role="bound"), "x": short(x), "y": short(y)}
