# SPDX-License-Identifier: GPL-2.0-only
"""
The figures of a report, for plotly.js. Each has the traces of all cases of a sweep. Colours of text
and paper are up to the page, which knows whether it is dark.
"""

from collections import Counter

import numpy as np

from ..reader.kinds import SIMULATION, STUDY, TRAINING
from ..reader.units import best_unit
from . import figure_data, report_expert_figures
from .cdf import empirical_cdf, histogram_ccdf, thin
from .report_bars import WHOLE_HEIGHT
from .report_groups import (
    BOUND,
    Figure,
    Groups,
    curve,
    escape,
    read,
    scale,
    seeds_range,
    short,
    subplot,
)
from .report_iteration_figures import balance_and_cost, critical_path

def figures(groups):
    """
    All figures that apply.
    :return: figures, and a line for each that was left out
    """
    if not groups.of:
        return [], ["No figures: no point has a result."]
    found, notes = [], []
    first, others = _MAKERS[groups.results.kind]
    along = [
        lambda groups, axis=axis: along_axis(groups, axis)
        for axis in groups.axes
        if len(axis.values) > 1
    ]
    for make in (*first, *along, *others):
        figure = make(groups)
        if figure.traces:
            found.append(figure)
        elif figure.notes:
            notes.append(f"{figure.title}: left out. " + " ".join(figure.notes))
    return found, notes


def along_axis(groups, across):
    """What points along one axis are compared by, such as completion time over the bound."""
    measure = groups.results.measure_along(across)
    unit, factor = measure.unit(figure_data.values_of(groups.results.points, measure))
    others = [axis for axis in groups.axes if axis.key != across.key]
    traces = []
    places = across.places
    ticks = dict(zip(places, (escape(tick) for tick in across.ticks)))
    for (scheme, place), points in groups.by(others).items():
        points = [point for point in points if point.number(measure.key)]
        if not points:
            continue
        found = figure_data.values_along(points, across, measure)
        level = groups.is_fixed(scheme, across)
        if level:
            values = figure_data.values_of(points, measure)
            found = dict.fromkeys((places[0], places[-1]), values)
        if not found:
            continue  # what lacks the key stands nowhere on its axis
        found = {x: values / factor for x, values in found.items()}
        mean = np.array([values.mean() for values in found.values()])
        hover = [
            f"{'any value' if level else ticks[x]}: {values.mean():.4g} {unit or measure.times}"
            + seeds_range(values)
            for x, values in found.items()
        ]
        traces.append(
            groups.trace(
                scheme,
                place,
                type="scatter",
                mode="lines" if level else "markers" if across.nominal else "lines+markers",
                x=list(found),
                y=short(mean),
                error_y={
                    "type": "data",
                    "array": short([v.max() - v.mean() for v in found.values()]),
                    "arrayminus": short([v.mean() - v.min() for v in found.values()]),
                    "thickness": 1.2,
                    "width": 3,
                    "visible": any(np.ptp(values) > 0 for values in found.values()),
                },
                line=groups.line(scheme),
                marker={"symbol": groups.symbol(scheme), "size": 8},
                text=hover,
                hovertemplate="%{text}<extra>%{fullData.name}</extra>",
            )
        )
    if traces:
        traces += _failures_along(groups, across, others, ticks)
    if traces and measure.one:
        ends = [places[0], places[-1]]
        best = {**BOUND, "name": measure.one, "legendgroup": measure.one}
        traces.append({**best, "meta": groups.meta((), role="bound"), "x": ends, "y": [1, 1]})
    xaxis = {
        "title": {"text": escape(across.key)},
        "tickvals": list(ticks),
        "ticktext": list(ticks.values()),
    }
    if across.numeric and min(places) > 0 and max(places) >= 8 * min(places):
        xaxis["type"] = "log"
    elif not across.numeric:
        xaxis["range"] = [-0.4, len(places) - 0.6]
    kind, words = scale(y for trace in traces for y in trace["y"] if trace.get("yaxis") != "y2")
    layout = {
        "xaxis": xaxis,
        "yaxis": {"title": {"text": measure.label + f" [{unit}]" * bool(unit)}, **kind},
        "yaxis2": WHOLE_HEIGHT,
    }
    text = "Mean over seeds; bars: lowest and highest seed." + words
    notes = [] if traces else [f"{measure.none.capitalize()}."]
    title = f"{measure.title} along {across.key}"
    return Figure(f"by-{across.key}", title, traces, layout, 420, text=text, notes=notes)


def message_cdf(groups):
    """Distribution of the completion times of messages between servers, all seeds together."""
    times, notes = read(groups, figure_data.message_times, "messages.csv")
    times = {group: values for group, values in times.items() if len(values)}
    unit, factor = best_unit([np.median(values) for values in times.values()], "s")
    traces = []
    for (scheme, place), values in times.items():
        x, y = thin(*empirical_cdf(values / factor), groups.limit)
        traces.append(curve(groups, scheme, place, x, y, f"%{{y:.1%}} within %{{x:.4g}} {unit}"))
    layout = {
        "xaxis": {
            "title": {"text": f"from posting to the last byte in GPU memory [{unit}]"},
            **_log(np.concatenate(list(times.values()) or [np.ones(1)])),
        },
        "yaxis": {
            "title": {"text": "messages between servers"},
            "tickformat": ".0%",
            "range": [0, 1.02],
        },
    }
    notes += groups.notes if traces else ["There is no message between servers."] * (not notes)
    title = "Completion times of messages"
    text = "All seeds together."
    return Figure("message-cdf", title, traces, layout, 420, text=text, notes=notes)


def queue_ccdf(groups):
    """Share of time that a queue is longer than a length, per port class."""
    found, notes = read(groups, figure_data.queue_histograms, "queues.csv")
    curves = {
        (group, name): histogram_ccdf(*histogram)
        for group, histograms in found.items()
        for name, histogram in histograms.items()
        if histogram[0]
    }
    classes = figure_data.in_order({name for _, name in curves})
    largest, smallest, least = figure_data.queue_ranges(curves.values())
    unit, factor = best_unit([largest / 30], "B")
    traces = []
    for ((scheme, place), name), (x, y) in curves.items():
        # Bins below the smallest length that is shown fall into one.
        seen = np.searchsorted(x, smallest, side="right")
        x, y = x[max(0, seen - 1) :], y[max(0, seen - 1) :]
        if y.max() <= least:
            continue  # below what is shown
        x, y = thin(np.maximum(x, smallest) / factor, np.maximum(y, least / 10), groups.limit)
        hover = f"%{{y:.2~p}} of the time longer than %{{x:.4g}} {unit}"
        line = curve(groups, scheme, place, x, y, hover, subplot(classes.index(name)))
        line["line"]["shape"] = "hv"
        traces.append(line)
    span = [float(np.log10(x / factor)) for x in (smallest, largest * 1.1)]
    xaxis = {"title": {"text": f"queue length [{unit}]"}, "type": "log", "dtick": "D2"}
    xaxis["range"] = span
    yaxis = {"title": {"text": "share of time that it is longer"}, "type": "log", "dtick": 1}
    yaxis.update(tickformat="~p", range=[float(np.log10(least)), 0.1])
    notes += groups.notes if traces else ["There are no queues."] * (not notes)
    text = (
        "Share of the time that a queue is longer than this; all seeds together. A scheme without a "
        "curve has no queue there."
    )
    title, layout = "Queue lengths by port class", {"xaxis": xaxis, "yaxis": yaxis}
    names = list(map(figure_data.class_name, classes))
    return Figure("queue-ccdf", title, traces, layout, text=text, notes=notes, panels=names)


def link_utilisation(groups):
    """Utilisation of every link over the run, sorted, per port class; all seeds together."""
    found, notes = read(groups, figure_data.link_loads, "links.csv")
    classes = figure_data.in_order(
        {name for loads in found.values() for name, load in loads.items() if load.any()}
    )
    traces = []
    for (scheme, place), loads in found.items():
        for name, load in loads.items():
            if load.any():
                x, y = thin(figure_data.link_places(load), load, groups.limit)
                hover = "%{x:.3g}% of the links above %{y:.3g}%"
                panel = subplot(classes.index(name))
                traces.append(curve(groups, scheme, place, x, y, hover, panel))
    xaxis = {"title": {"text": "links, busiest first [% of the class]"}, "range": [0, 100]}
    yaxis = {"title": {"text": "utilisation [%]"}, "range": [0, 102]}
    notes += groups.notes if traces else ["No link carried anything."] * (not notes)
    text = (
        "Utilisation over the whole run; all seeds together. A scheme without a curve sends nothing "
        "there."
    )
    title, layout = "Link utilisation by port class", {"xaxis": xaxis, "yaxis": yaxis}
    names = list(map(figure_data.class_name, classes))
    return Figure("links", title, traces, layout, text=text, notes=notes, panels=names)


def throughput(groups):
    """Payload that arrived over time, and when something failed; only where something did."""
    title, traces = "Throughput around failures", []
    failing = [point for point in groups.results.points if figure_data.events(point)]
    if not failing:
        return Figure("throughput", title, [], {})
    seen_s = figure_data.time_of_interest(failing)
    found, notes = read(groups, lambda p: figure_data.throughput(p, seen_s), "messages.csv")
    highest = max((rate.max() for _, rate in found.values()), default=1)
    unit, factor = best_unit([highest], "B")
    time_unit, time_factor = best_unit([seen_s], "s")
    for (scheme, place), (times, rates) in found.items():
        hover = f"%{{y:.4g}} {unit}/s at %{{x:.4g}} {time_unit}"
        x, y = times / time_factor, rates / factor
        traces.append(curve(groups, scheme, place, x, y, hover))
    if traces:
        traces += _events(groups, time_unit, time_factor)
    layout = {
        "xaxis": {
            "title": {"text": f"time since the first post [{time_unit}]"},
            "range": [0, seen_s / time_factor],
        },
        "yaxis": {"title": {"text": f"payload between servers [{unit}/s]"}, "rangemode": "tozero"},
        "yaxis2": WHOLE_HEIGHT,
    }
    text = (
        "Made from messages.csv: the payload of a message is spread evenly from when it was "
        "posted, or the message before it from the same GPU to the same GPU on the same rail had "
        "arrived, to when its last byte was in memory; mean over seeds. Messages that were given "
        "up count as what was posted in their place. Dotted: something failed or came back. A "
        "double click shows the whole run."
    )
    return Figure("throughput", title, traces, layout, 420, text=text, notes=notes)


def _events(groups, unit, factor):
    """A dotted line wherever something failed, came back or changed its rate, in each case."""
    traces = []
    axes = [axis for axis in groups.axes if not axis.of_scheme]
    for (_, place), points in groups.by(axes).items():
        at = {}
        for event in figure_data.events(points[0]):
            at.setdefault(event["at_s"], []).append(f"{event['what']} {event['state']}")
        for time, what in at.items():
            shown = what[:6] + [f"and {len(what) - 6} more"] * (len(what) > 6)
            hover = f"{time / factor:.4g} {unit}: " + "<br>".join(map(escape, shown))
            traces.append(
                {
                    **BOUND,
                    "name": "failures",
                    "legendgroup": "failures",
                    "meta": groups.meta(place, role="bound"),
                    "yaxis": "y2",
                    "x": short([time / factor] * 3),
                    "y": [0, 0.5, 1],
                    "line": {"dash": "dot", "width": 1.5},
                    "hoverinfo": "text",
                    "text": [hover] * 3,
                }
            )
    return traces


def _failures_along(groups, across, others, ticks):
    """A cross at the top, above the value that a scheme failed at."""
    traces = []
    where = dict(zip(across.values, across.places))
    failing = list(dict.fromkeys(scheme for scheme, *_ in groups.results.absent))
    for (scheme, place), configs in groups.absent_by(others).items():
        counts = Counter(where[c[across.key]] for c in configs if c.get(across.key) in where)
        if not counts:
            continue
        height = 0.985 - 0.03 * (failing.index(scheme) % 8)  # one below the other
        traces.append(
            groups.trace(
                scheme,
                place,
                role="failed",
                type="scatter",
                mode="markers",
                yaxis="y2",
                x=list(counts),
                y=[height] * len(counts),
                text=[f"{ticks[x]}: {count} did not finish" for x, count in counts.items()],
                hovertemplate="%{text}<extra>%{fullData.name}</extra>",
                marker={"symbol": "x-thin", "size": 9, "line": {"width": 2}},
                showlegend=False,
            )
        )
    return traces


def _log(values):
    """An axis of times: logarithmic, with ticks at 1, 2 and 5 of each decade, where they differ much."""
    values = values[values > 0]
    wide = len(values) and np.quantile(values, 0.99) > 5 * np.quantile(values, 0.01)
    return {"type": "log", "dtick": "D2"} if wide else {}


# By kind: those before the figures along axes, and those behind them.
_OF_THE_NETWORK = [message_cdf, throughput, queue_ccdf, link_utilisation]
_MAKERS = {
    SIMULATION: ([critical_path], _OF_THE_NETWORK),
    TRAINING: ([critical_path, balance_and_cost], _OF_THE_NETWORK),
    STUDY: (
        [report_expert_figures.bytes_and_balance],
        [report_expert_figures.gpu_loads, report_expert_figures.balance_over_time],
    ),
}
