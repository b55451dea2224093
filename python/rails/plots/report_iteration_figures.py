# SPDX-License-Identifier: GPL-2.0-only
"""The figures of a report on an iteration of a graph, such as a training: bars made of its stages."""

import numpy as np

from ..reader.units import best_unit, with_unit
from . import style
from .report_bars import bar_height, bar_layout, bar_seeds, bar_text
from .report_groups import Figure, escape, short, on_dark
from .results import left_out
from .stage_data import (
    OF_EXPERTS,
    change,
    dropped,
    iteration_s,
    mean,
    stage_s,
    stage_types,
    waiting_s,
)


def critical_path(groups):
    """The critical path of an iteration of each scheme, by its stages."""
    title, results = "Critical path of an iteration", groups.results
    if not _have_stages(results.points):
        return Figure("iteration", title, [], {})
    unit, factor = best_unit([iteration_s(point) for point in results.points], "s")
    stages = stage_types(results.points)
    bases = {
        groups.without_schemes(place): points
        for (scheme, place), points in groups.of.items()
        if scheme == results.baseline
    }

    def text(scheme, place, points):
        base = bases.get(groups.without_schemes(place), []) if scheme != results.baseline else []
        time = f"{mean(points, iteration_s) / factor:.4g} {unit}"
        return [time, ", ".join(filter(None, (change(points, base), dropped(points))))]

    traces = _stacks(groups, stages, "critical_s", (unit, factor), text)
    for (scheme, place), points in groups.of.items():
        if len(points) > 1:
            times = np.array([iteration_s(point) for point in points]) / factor
            texts = [f"seed {p.seed}: {time:.4g} {unit}" for p, time in zip(points, times)]
            traces.append(bar_seeds(groups, scheme, place, times, texts))
    layout = bar_layout(groups, f"critical path of an iteration [{unit}]", barmode="stack")
    against = f", and how far it is from that of {results.baseline}" if results.baseline else ""
    words = (
        "What the time of an iteration went to, on the way through the graph that made it as long "
        "as it is: a GPU that waits for the slowest one has the computing of that in its bar. Mean "
        f"over seeds; circles: single seeds. Beside the bars: the mean{against}."
    )
    return Figure("iteration", title, traces, layout, _height(groups, stages), text=words)


def balance_and_cost(groups):
    """How long GPUs wait for what policies of experts do, with the balance that they reach."""
    title, points = "Balance, and what it costs", groups.results.points
    types = stage_types(points) if _have_stages(points) else {}
    stages = {name: types[name] for name in types if name in OF_EXPERTS}
    if not any(point.number("expert_max_over_mean") for point in points):
        return Figure("balance-and-cost", title, [], {})
    unit, factor = best_unit([waiting_s(point) for point in points], "s")

    def text(_, __, points):
        before, after, memory = (
            mean(points, lambda point, key=key: point.number(key))
            for key in ("expert_max_over_mean_before", "expert_max_over_mean", "memory_bytes")
        )
        known = () if None in (before, after) else (f"{before:.2f}", f"{after:.2f}")
        load = " → ".join(dict.fromkeys(known))
        return [load, with_unit(memory, "B") if memory else ""]

    traces = _stacks(groups, stages, "exposed_s", (unit, factor), text)
    layout = bar_layout(
        groups,
        f"waiting for plans and experts' parameters in an iteration [{unit}]",
        barmode="stack",
    )
    words = (
        "Bars: time of an iteration in which a GPU waits for planning, counts, copies of experts, "
        "their gradients and moves, mean over GPUs and seeds; beside them the load of the busiest "
        "GPU over the mean, without the policy and with it (1: all have the same), and the memory "
        "that the fullest GPU needs."
    )
    return Figure("balance-and-cost", title, traces, layout, _height(groups, stages), text=words)


def _have_stages(points):
    return all(point.result.get("graph") and point.number("iteration_s") for point in points)


def _height(groups, stages):
    """With room for the stages in the legend."""
    return bar_height(groups) + 8 * len(stages)


def _stacks(groups, stages, number, scale, text_of):
    """For each scheme and case the times of stages one behind the other, and a text beside them."""
    unit, factor = scale
    absent = groups.absent_by(groups.axes)
    traces, drawn = [], {}
    for scheme, place in groups.in_order({*groups.of, *absent}):
        points = groups.of.get((scheme, place), [])
        widths = {name: mean(points, lambda p, n=name: stage_s(p, n, number)) for name in stages}
        for name, seconds in widths.items():
            if seconds:
                drawn[name] = True
                share = seconds / sum(widths.values())
                hover = f"{escape(name)}: {seconds / factor:.4g} {unit} ({share:.1%})"
                traces.append(_part(groups, scheme, place, name, stages, seconds / factor, hover))
        lines = text_of(scheme, place, points) if points else []
        lines.append(left_out(len(absent.get((scheme, place), [])), len(points)))
        traces.append(bar_text(groups, scheme, place, "<br>".join(filter(None, lines))))
    return [_legend_entry(groups, name, stages) for name in stages if name in drawn] + traces


def _part(groups, scheme, place, name, stages, width, hover):
    """A stage in the bar of a scheme."""
    trace = groups.trace(
        scheme,
        place,
        role="part",
        type="bar",
        orientation="h",
        showlegend=False,
        y=[escape(scheme)],
        x=short([width]),
        hovertext=[hover],
        hovertemplate="%{hovertext}<extra>%{fullData.name}</extra>",
    )
    trace["meta"].update(_colours(name, stages))
    return trace


def _legend_entry(groups, name, stages):
    """What the colour of a stage means, whichever bars are shown."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": escape(name),
        "legendgroup": f"stage {escape(name)}",
        "meta": {**groups.meta((), role="part"), **_colours(name, stages)},
        "x": [None],
        "y": [escape(groups.schemes[0])],
        "hoverinfo": "skip",
    }


def _colours(name, stages):
    """On a dark page what GPUs compute is dark, too, so that it stands back."""
    light = style.stage_colour(name, stages)
    if stages[name] != "compute":
        return {"light": light, "dark": on_dark(light)}
    level = 0.28 + 0.6 * (0.92 - int(light[1:3], 16) / 255)
    return {"light": light, "dark": "#" + f"{round(255 * level):02x}" * 3}
