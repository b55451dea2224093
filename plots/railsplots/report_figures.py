# SPDX-License-Identifier: GPL-2.0-only
"""
The figures of a report, for plotly.js. Each has the traces of all cases of a sweep; a trace's
`meta.place` says to which values of the axes it belongs, and the page shows those that agree with
what is chosen. Colours of text and paper are up to the page, which knows whether it is dark.
"""

import itertools
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from html import escape as escape_html

import numpy as np

from . import figure_data, style
from .cdf import empirical_cdf, histogram_ccdf, thin
from .errors import ResultError
from .results import left_out
from .units import best_unit

# plotly.js shows an escaped quotation mark as it is written.
escape = partial(escape_html, quote=False)
_POINTS_OF_A_CURVE = 200
_FEWEST_POINTS_OF_A_CURVE = 15
_POINTS_OF_A_PAGE = 200_000  # about 4 MB
_CURVES_OF_A_GROUP = 9  # messages, and queues and links of four port classes

_DASHES = {"-": "solid", "--": "dash", "-.": "dashdot", ":": "dot"}
_SYMBOLS = {
    "s": "square",
    "^": "triangle-up",
    "v": "triangle-down",
    "<": "triangle-left",
    ">": "triangle-right",
    "D": "diamond",
    "o": "circle",
    "P": "cross",
    "X": "x",
    "h": "hexagon",
    "*": "star",
    "d": "diamond-tall",
}
# Colours too dark for a dark page, and what they become there.
_ON_DARK = {
    "#000000": "#F4F4F4",
    "#0072B2": "#4FA8E0",
    "#7F7F7F": "#A6A6A6",
    "#882255": "#B3446C",
    "#332288": "#9C93E6",
}


@dataclass
class Figure:
    """What one figure shows, and what is to be said about it."""

    key: str
    title: str
    traces: list
    layout: dict
    height: int = 400
    narrow: dict = field(default_factory=dict)  # layout and height where the page is narrow
    text: str = ""
    notes: list = field(default_factory=list)


class Groups:
    """The points of each scheme in each case, that is at each place on the axes of a sweep."""

    def __init__(self, results):
        self.results = results
        self.schemes = results.all_schemes
        self.axes = results.axes
        self._places = {
            axis.key: {value: number for number, value in enumerate(axis.values)}
            for axis in results.axes
        }
        self._values = {}  # by scheme and key of schemes: those that there are
        for point in results.points + results.failed:
            for axis in results.axes:
                if axis.of_scheme:
                    values = self._values.setdefault((point.scheme, axis.key), set())
                    values.add(point.config.get(axis.key))
        self.of = self.by(results.axes)
        self.limit = _POINTS_OF_A_PAGE // max(1, len(self.of) * _CURVES_OF_A_GROUP)
        self.limit = min(self.limit, _POINTS_OF_A_CURVE)
        self.notes = []
        self.damaged = []  # files that cannot be read, a line each
        self.with_curves = self.of
        if self.limit < _FEWEST_POINTS_OF_A_CURVE:
            self.limit = _FEWEST_POINTS_OF_A_CURVE
            kept = _POINTS_OF_A_PAGE // (_FEWEST_POINTS_OF_A_CURVE * _CURVES_OF_A_GROUP)
            self.with_curves = dict(itertools.islice(self.of.items(), kept))
            self.notes.append(
                f"Only for {kept} of {len(self.of)} combinations of scheme and values, so that the "
                "page stays small; --where KEY=VALUE shows others."
            )
        elif self.limit < _POINTS_OF_A_CURVE:
            self.notes.append(f"Curves are thinned to {self.limit} points, both ends kept.")

    def by(self, axes):
        """The good points by scheme and place on some of the axes."""
        groups = {}
        for point in self.results.points:
            place = self._place(point.scheme, point.config, axes)
            groups.setdefault((point.scheme, place), []).append(point)
        return groups

    def absent_by(self, axes):
        """What is missing, as mappings of keys to values, by scheme and place on some axes."""
        groups = {}
        for scheme, _, *values in self.results.absent:
            config = dict(zip((axis.key for axis in self.axes), values))
            groups.setdefault((scheme, self._place(scheme, config, axes)), []).append(config)
        return groups

    def in_order(self, groups):
        """Groups, a scheme and a place each, in the order in which people expect them."""
        return sorted(groups, key=lambda group: (style.scheme_order(group[0]), group))

    def config_of(self, place):
        """The values of a place, by their keys."""
        values = {axis.key: axis.values for axis in self.axes}
        return {key: values[key][number] for key, number in place}

    def first_choice(self):
        """By axis the value that is shown at first: of the case with most points."""
        places = Counter(
            tuple((axis.key, dict(place).get(axis.key, 0)) for axis in self.axes)
            for (_, place), points in self.of.items()
            for _ in points
        )
        return dict(places.most_common(1)[0][0]) if places else {axis.key: 0 for axis in self.axes}

    def is_fixed(self, scheme, axis):
        """True when the axis is a key of schemes that this one lacks or has at one value only."""
        return axis.of_scheme and len(self._values[scheme, axis.key]) == 1

    def _place(self, scheme, config, axes):
        """Keys and numbers of values, of those axes that there are for this configuration."""
        return tuple(
            (axis.key, self._places[axis.key][config[axis.key]])
            for axis in axes
            if config.get(axis.key) is not None and not self.is_fixed(scheme, axis)
        )

    def meta(self, place, scheme=None, role="line"):
        meta = {"place": dict(place), "role": role}
        if scheme is not None:
            colour = style.look(scheme, self.schemes)[0]
            meta.update(scheme=scheme, light=colour, dark=_ON_DARK.get(colour, colour))
        return meta

    def trace(self, scheme, place, role="line", **more):
        """What all traces of a scheme have in common."""
        name = escape(scheme)
        return {
            "name": name,
            "legendgroup": name,
            "meta": self.meta(place, scheme, role),
            **more,
        }

    def line(self, scheme):
        _, dashes, _, _ = style.look(scheme, self.schemes)
        return {"width": style.line(scheme, self.schemes)["linewidth"] + 0.3, "dash": _dash(dashes)}

    def symbol(self, scheme):
        return _SYMBOLS.get(style.look(scheme, self.schemes)[2], "circle")


def figures(groups):
    """
    All figures that apply.
    :return: figures, and a line for each that was left out
    """
    if not groups.of:
        return [], ["No figures: no point has a result."]
    found, notes = [], []
    makers = [completion]
    makers += [lambda groups, axis=axis: over_bound(groups, axis) for axis in groups.axes]
    for make in (*makers, message_cdf, throughput, queue_ccdf, link_utilisation):
        figure = make(groups)
        if figure.traces:
            found.append(figure)
        elif figure.notes:
            notes.append(f"{figure.title}: left out. " + " ".join(figure.notes))
    return found, notes


def completion(groups):
    """Completion time by scheme: the mean as a bar, single seeds on it, and the lower bound."""
    unit, factor = best_unit([point.cct_s for point in groups.results.points], "s")
    absent = groups.absent_by(groups.axes)
    traces = []
    for scheme, place in groups.in_order({*groups.of, *absent}):
        points = groups.of.get((scheme, place), [])
        missing = left_out(len(absent.get((scheme, place), [])), len(points))
        traces += _bar(groups, scheme, place, points, missing, (unit, factor))
    traces += _bounds(groups, unit, factor)
    layout = {
        "xaxis": {
            "title": {"text": f"completion time [{unit}]"},
            "rangemode": "tozero",
            "domain": [0, _BARS],
        },
        # A column beside the bars for what is said of them.
        "xaxis2": {
            "domain": [_BARS, 1],
            "range": [0, 1],
            "visible": False,
            "fixedrange": True,
        },
        "yaxis": {
            "type": "category",
            "categoryorder": "array",
            "categoryarray": [escape(scheme) for scheme in groups.schemes],
            "autorange": "reversed",
            "automargin": True,
            "showgrid": False,
        },
        "yaxis2": {"overlaying": "y", "range": [0, 1], "visible": False, "fixedrange": True},
        "annotations": [
            {
                "text": "mean",
                "xref": "x2 domain",
                "yref": "paper",
                "x": 0,
                "y": 1,
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
            }
        ],
        "legend": {"y": 1 + 20 / (90 + 40 * len(groups.schemes))},  # above that
        "bargap": 0.3,
        "barmode": "overlay",
    }
    text = (
        "Bars, and the column beside them: mean over seeds. Circles: single seeds. Dashed: the "
        "lower bound, which no scheme can beat, mean over seeds; each seed draws its own traffic, "
        "and the grey band goes from the lowest to the highest bound of a seed."
    )
    height = 170 + 40 * len(groups.schemes)
    return Figure("cct", "Completion time by scheme", traces, layout, height, text=text)


def over_bound(groups, across):
    """Completion time over the bound along one axis, all other axes as chosen."""
    others = [axis for axis in groups.axes if axis.key != across.key]
    traces = []
    places = across.places
    ticks = dict(zip(places, (escape(tick) for tick in across.ticks)))
    for (scheme, place), points in groups.by(others).items():
        points = [point for point in points if point.over_bound]
        if not points:
            continue
        ratios = figure_data.over_bound_along(points, across)
        level = groups.is_fixed(scheme, across)
        if level:
            ratios = {x: np.array([p.over_bound for p in points]) for x in (places[0], places[-1])}
        mean = np.array([values.mean() for values in ratios.values()])
        hover = [
            f"{'any value' if level else ticks[x]}: {values.mean():.4g} × bound{_range(values)}"
            for x, values in ratios.items()
        ]
        traces.append(
            groups.trace(
                scheme,
                place,
                type="scatter",
                mode="lines" if level else "markers" if across.nominal else "lines+markers",
                x=list(ratios),
                y=_short(mean),
                error_y={
                    "type": "data",
                    "array": _short([v.max() - v.mean() for v in ratios.values()]),
                    "arrayminus": _short([v.mean() - v.min() for v in ratios.values()]),
                    "thickness": 1.2,
                    "width": 3,
                    "visible": any(np.ptp(values) > 0 for values in ratios.values()),
                },
                line=groups.line(scheme),
                marker={"symbol": groups.symbol(scheme), "size": 8},
                text=hover,
                hovertemplate="%{text}<extra>%{fullData.name}</extra>",
            )
        )
    if traces:
        traces += _failures_along(groups, across, others, ticks)
        ends = [places[0], places[-1]]
        traces.append({**_BOUND, "meta": groups.meta((), role="bound"), "x": ends, "y": [1, 1]})
    xaxis = {
        "title": {"text": escape(across.key)},
        "tickvals": list(ticks),
        "ticktext": list(ticks.values()),
    }
    if across.numeric and min(places) > 0 and max(places) >= 8 * min(places):
        xaxis["type"] = "log"
    elif not across.numeric:
        xaxis["range"] = [-0.4, len(places) - 0.6]
    layout = {
        "xaxis": xaxis,
        "yaxis": {"title": {"text": "completion time over lower bound"}},
        "yaxis2": {"overlaying": "y", "range": [0, 1], "visible": False, "fixedrange": True},
    }
    text = "Mean over seeds; bars: lowest and highest seed."
    notes = [] if traces else ["There is no lower bound."]
    title = f"Completion time over bound along {across.key}"
    return Figure(f"by-{across.key}", title, traces, layout, 420, text=text, notes=notes)


def message_cdf(groups):
    """Distribution of the completion times of messages between servers, all seeds together."""
    times, notes = _read(groups, figure_data.message_times, "messages.csv")
    times = {group: values for group, values in times.items() if len(values)}
    unit, factor = best_unit([np.median(values) for values in times.values()], "s")
    traces = []
    for (scheme, place), values in times.items():
        x, y = thin(*empirical_cdf(values / factor), groups.limit)
        traces.append(_curve(groups, scheme, place, x, y, f"%{{y:.1%}} within %{{x:.4g}} {unit}"))
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
    found, notes = _read(groups, figure_data.queue_histograms, "queues.csv")
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
        x, y = thin(np.maximum(x, smallest) / factor, np.maximum(y, least / 10), groups.limit)
        hover = f"%{{y:.2~p}} of the time longer than %{{x:.4g}} {unit}"
        curve = _curve(groups, scheme, place, x, y, hover, _subplot(classes.index(name)))
        curve["line"]["shape"] = "hv"
        traces.append(curve)
    span = [float(np.log10(x / factor)) for x in (smallest, largest * 1.1)]
    xaxis = {"title": {"text": f"queue length [{unit}]"}, "type": "log", "dtick": "D2"}
    xaxis["range"] = span
    yaxis = {"title": {"text": "share of time that it is longer"}, "type": "log", "dtick": 1}
    yaxis.update(tickformat="~p", range=[float(np.log10(least)), 0.1])
    notes += groups.notes if traces else ["There are no queues."] * (not notes)
    text = "Share of the time that a queue is longer than this; all seeds together."
    title = "Queue lengths by port class"
    return Figure("queue-ccdf", title, traces, *_panels(classes, xaxis, yaxis), text, notes)


def link_utilisation(groups):
    """Utilisation of every link over the run, sorted, per port class; all seeds together."""
    found, notes = _read(groups, figure_data.link_loads, "links.csv")
    classes = figure_data.in_order(
        {name for loads in found.values() for name, load in loads.items() if load.any()}
    )
    traces = []
    for (scheme, place), loads in found.items():
        for name, load in loads.items():
            if name in classes:
                x, y = thin(figure_data.link_places(load), load, groups.limit)
                hover = "%{x:.3g}% of the links above %{y:.3g}%"
                panel = _subplot(classes.index(name))
                traces.append(_curve(groups, scheme, place, x, y, hover, panel))
    xaxis = {"title": {"text": "links, busiest first [% of the class]"}, "range": [0, 100]}
    yaxis = {"title": {"text": "utilisation [%]"}, "range": [0, 102]}
    notes += groups.notes if traces else ["No link carried anything."] * (not notes)
    text = "Utilisation over the whole run; all seeds together."
    title = "Link utilisation by port class"
    return Figure("links", title, traces, *_panels(classes, xaxis, yaxis), text, notes)


def throughput(groups):
    """Payload that arrived over time, and when something failed; only where something did."""
    title, traces = "Throughput around failures", []
    failing = [point for point in groups.results.points if figure_data.events(point)]
    if not failing:
        return Figure("throughput", title, [], {})
    seen_s = figure_data.time_of_interest(failing)
    found, notes = _read(groups, lambda p: figure_data.throughput(p, seen_s), "messages.csv")
    highest = max((rate.max() for _, rate in found.values()), default=1)
    unit, factor = best_unit([highest], "B")
    time_unit, time_factor = best_unit([seen_s], "s")
    for (scheme, place), (times, rates) in found.items():
        hover = f"%{{y:.4g}} {unit}/s at %{{x:.4g}} {time_unit}"
        x, y = times / time_factor, rates / factor
        traces.append(_curve(groups, scheme, place, x, y, hover))
    if traces:
        traces += _events(groups, time_unit, time_factor)
    layout = {
        "xaxis": {
            "title": {"text": f"time since the first post [{time_unit}]"},
            "range": [0, seen_s / time_factor],
        },
        "yaxis": {"title": {"text": f"payload between servers [{unit}/s]"}, "rangemode": "tozero"},
        "yaxis2": {"overlaying": "y", "range": [0, 1], "visible": False, "fixedrange": True},
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
                    **_BOUND,
                    "name": "failures",
                    "legendgroup": "failures",
                    "meta": groups.meta(place, role="bound"),
                    "yaxis": "y2",
                    "x": _short([time / factor] * 3),
                    "y": [0, 0.5, 1],
                    "line": {"dash": "dot", "width": 1.5},
                    "hoverinfo": "text",
                    "text": [hover] * 3,
                }
            )
    return traces


_BARS = 0.72  # the part of a figure's width that bars have
_BOUND = {
    "type": "scatter",
    "mode": "lines",
    "name": "lower bound",
    "legendgroup": "lower bound",
    "line": {"dash": "dash", "width": 1.5},
    "hoverinfo": "skip",
}


def _bar(groups, scheme, place, points, missing, unit):
    """The bar of a scheme in a case, its single seeds, and what its mean is."""
    unit, factor = unit
    name, times = escape(scheme), np.array([point.cct_s for point in points]) / factor
    if not points:
        text = hover = missing
    else:
        over = figure_data.over_bounds(points)
        lines = [f"{over.mean():.2f} × bound"] * bool(np.any(over)) + [missing] * bool(missing)
        text = "<br>".join(lines)
        hover = f"mean {times.mean():.4g} {unit}{_range(times)}<br>{text}"
    bar = groups.trace(
        scheme,
        place,
        role="bar",
        type="bar",
        orientation="h",
        y=[name],
        x=_short([times.mean() if points else 0]),
        hovertext=[hover],
        hovertemplate="%{hovertext}<extra>%{fullData.name}</extra>",
        marker={},
    )
    # Beside all marks, so that it is taken for none of them.
    label = groups.trace(
        scheme,
        place,
        role="label",
        type="scatter",
        mode="text",
        showlegend=False,
        xaxis="x2",
        x=[0],
        y=[name],
        text=[text],
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
    )
    if len(points) < 2:
        return [bar, label]
    seeds = groups.trace(
        scheme,
        place,
        role="seeds",
        type="scatter",
        mode="markers",
        showlegend=False,
        x=_short(times),
        y=[name] * len(points),
        text=[
            f"seed {point.seed}: {time:.4g} {unit}"
            + (f", {point.over_bound:.3f} × bound" if point.over_bound else "")
            for point, time in zip(points, times)
        ],
        hovertemplate="%{text}<extra>%{fullData.name}</extra>",
        marker={"size": 7, "line": {"width": 1.3}},
    )
    return [bar, seeds, label]


def _bounds(groups, unit, factor):
    """The lower bound of each case: a line at its mean, a band over its range over seeds."""
    traces = []
    cases = {}
    axes = [axis for axis in groups.axes if not axis.of_scheme]
    for (_, place), points in groups.by(axes).items():
        bounds = (point.bound_s / factor for point in points if point.bound_s)
        cases.setdefault(place, []).extend(bounds)
    for place, bounds in cases.items():
        if not bounds:
            continue
        low, mean, high = min(bounds), float(np.mean(bounds)), max(bounds)
        hover = f"lower bound {mean:.4g} {unit}{_range(np.array(bounds))}"
        if high > low:
            band = {
                **_BOUND,
                "meta": groups.meta(place, role="band"),
                "yaxis": "y2",
                "x": _short([low, high, high, low]),
                "y": [0, 0, 1, 1],
                "fill": "toself",
                "showlegend": False,
                "line": {"width": 0},
            }
            traces.append(band)
        line = {**_BOUND, "yaxis": "y2", "x": _short([mean] * 3), "y": [0, 0.5, 1]}
        traces += [
            {
                **line,  # a seam, so that the line is seen on bars of any colour
                "meta": groups.meta(place, role="seam"),
                "line": {"width": 4},
                "showlegend": False,
            },
            {
                **line,
                "meta": groups.meta(place, role="bound"),
                "hoverinfo": "text",
                "text": [hover] * 3,
            },
        ]
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


def _curve(groups, scheme, place, x, y, hover, panel=None):
    return groups.trace(
        scheme,
        place,
        type="scatter",
        mode="lines",
        x=_short(x),
        y=_short(y),
        line=groups.line(scheme),
        hovertemplate=hover + "<extra>%{fullData.name}</extra>",
        **(panel or {}),
    )


def _panels(names, xaxis, yaxis):
    """
    The layout of one panel for each name and its height, two in a row, and then the same one below
    the other for a narrow page.
    """
    layout, height = _grid(names, xaxis, yaxis, min(2, max(1, len(names))))
    narrow, narrow_height = _grid(names, xaxis, yaxis, 1)
    return layout, height, {"layout": narrow, "height": narrow_height}


def _grid(names, xaxis, yaxis, columns):
    rows = max(1, -(-len(names) // columns))
    layout = {
        "grid": {"rows": rows, "columns": columns, "pattern": "independent", "ygap": 0.38},
        "legend": {"y": 1 + 0.11 / rows},  # above the titles of the panels
        "annotations": [],
    }
    for number, name in enumerate(names):
        axis = _subplot(number)
        x, y = (axis[key].replace(key[0], key[0] + "axis") for key in ("xaxis", "yaxis"))
        layout[x], layout[y] = dict(xaxis), dict(yaxis)
        layout["annotations"].append(
            {
                "text": escape(figure_data.class_name(name)),
                "xref": f"{axis['xaxis']} domain",
                "yref": f"{axis['yaxis']} domain",
                "x": 0,
                "y": 1.03,
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
            }
        )
    return layout, 130 + 270 * rows


def _subplot(number):
    suffix = "" if number == 0 else str(number + 1)
    return {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}


def _read(groups, numbers, name):
    """What a function of figure_data finds for each group, and a note where files are missing."""
    found, notes, missing, reasons = {}, [], 0, {}
    for group, points in groups.with_curves.items():
        there = [point for point in points if (point.folder / name).exists()]
        missing += len(points) - len(there)
        reasons.update((point.why_absent(name), None) for point in points if point not in there)
        try:
            if there:
                found[group] = numbers(there)
        except ResultError as error:
            notes.append(f"{name} of {group[0]} cannot be read ({error.reason}).")
            groups.damaged.append(str(error))
    total = sum(len(points) for points in groups.with_curves.values())
    what = "The only point has" if total == 1 else f"{missing} of {total} points have"
    why = "; ".join(filter(None, reasons))
    return found, notes + [f"{what} no {name}{': ' * bool(why)}{why}."] * bool(missing)


def _range(values):
    """How far seeds differ, in words."""
    if len(values) < 2:
        return ""
    return f" ({values.min():.4g} to {values.max():.4g}, {len(values)} seeds)"


def _log(values):
    """A logarithmic axis, with ticks at 1, 2 and 5 of each decade unless there is but one."""
    values = values[values > 0]
    wide = len(values) and np.quantile(values, 0.99) > 5 * np.quantile(values, 0.01)
    return {"type": "log", "dtick": "D2"} if wide else {"type": "log"}


def _short(values):
    """Numbers with as many digits as can be told apart in a figure."""
    return [float(f"{value:.5g}") for value in values]


def _dash(dashes):
    """A line style of matplotlib for plotly.js."""
    if isinstance(dashes, str):
        return _DASHES[dashes]
    return ",".join(f"{2 * length}px" for length in dashes[1])
