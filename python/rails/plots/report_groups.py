# SPDX-License-Identifier: GPL-2.0-only
"""
What all figures of a report are made of: the points by scheme and case, and traces for plotly.js. A
trace's `meta.place` says to which values of the axes it belongs, and the page shows those that
agree with what is chosen.
"""

import itertools
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from html import escape as escape_html

import numpy as np

from ..errors import ResultError
from . import style

# plotly.js shows an escaped quotation mark as it is written.
escape = partial(escape_html, quote=False)
_POINTS_OF_A_CURVE = 200
_FEWEST_POINTS_OF_A_CURVE = 15
_POINTS_OF_A_PAGE = 200_000  # about 4 MB
_CURVES_OF_A_GROUP = 9  # messages, and queues and links of four port classes

_FAR = 6  # times the median

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
    "p": "pentagon",
    "H": "hexagon2",
    (3, 1, 0): "star-triangle-up",
    (3, 1, 180): "star-triangle-down",
    (5, 1, 0): "diamond-wide",
    (8, 1, 0): "star-square",
    (4, 1, 0): "star-diamond",
    (6, 1, 0): "hexagram",
}
# Colours too dark for a dark page, and what they become there.
_ON_DARK = {
    "#000000": "#F4F4F4",
    "#0072B2": "#4FA8E0",
    "#7F7F7F": "#A6A6A6",
    "#882255": "#B3446C",
    "#332288": "#9C93E6",
    "#117733": "#4CB26F",
    "#AA4499": "#D27BC6",
    "#4D4D4D": "#C9C9C9",
    "#661100": "#C0705E",
    "#AA3377": "#D06FA5",
}


BOUND = {
    "type": "scatter",
    "mode": "lines",
    "name": "lower bound",
    "legendgroup": "lower bound",
    "line": {"dash": "dash", "width": 1.5},
    "hoverinfo": "skip",
}


@dataclass
class Figure:
    """What one figure shows, and what is to be said about it."""

    key: str
    title: str
    traces: list
    layout: dict
    height: int = 400
    text: str = ""
    notes: list = field(default_factory=list)
    panels: list = field(default_factory=list)  # titles; the page lays out those that have traces


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

    def failed_by(self, axes):
        """The points that ended badly by scheme and place on some of the axes."""
        groups = {}
        for point in self.results.failed:
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

    def cases(self):
        """
        The good points by the fullest places on the axes, and there by scheme: a scheme that lacks
        the key of an axis stands at all of its places.
        """
        places = list(dict.fromkeys(place for _, place in self.of))
        fullest = [p for p in places if not any(set(p) < set(other) for other in places)]
        return {
            place: {
                scheme: points
                for (scheme, own), points in sorted(
                    self.of.items(), key=lambda item: self.schemes.index(item[0][0])
                )
                if set(own) <= set(place)
            }
            for place in fullest
        }

    def without_schemes(self, place):
        """A place on those axes that are none of the schemes themselves."""
        keys = {axis.key for axis in self.axes if not axis.of_scheme}
        return tuple((key, number) for key, number in place if key in keys)

    def in_order(self, groups):
        """Groups, a scheme and a place each, in the order in which people expect them."""
        return sorted(groups, key=lambda group: (self.schemes.index(group[0]), group))

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
            meta.update(scheme=scheme, light=colour, dark=on_dark(colour))
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


def on_dark(colour):
    """What a colour becomes on a dark page."""
    return _ON_DARK.get(colour.upper(), colour)


def read(groups, numbers, name):
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


def seeds_range(values):
    """How far seeds differ, in words."""
    if len(values) < 2:
        return ""
    return f" ({values.min():.4g} to {values.max():.4g}, {len(values)} seeds)"


def scale(values):
    """
    What an axis is where a few large values would flatten all others, and what is to be said of
    it: logarithmic then, else linear.
    """
    values = np.array([value for value in values if value > 0])
    if not len(values) or values.max() <= _FAR * np.median(values):
        return {}, ""
    return {"type": "log", "dtick": "D2"}, " The scale is logarithmic."


def short(values):
    """Numbers with as many digits as can be told apart in a figure."""
    return [float(f"{value:.5g}") for value in values]


def _dash(dashes):
    """A line style of matplotlib for plotly.js."""
    if isinstance(dashes, str):
        return _DASHES[dashes]
    return ",".join(f"{2 * length}px" for length in dashes[1])


def curve(groups, scheme, place, x, y, hover, panel=None):
    return groups.trace(
        scheme,
        place,
        type="scatter",
        mode="lines",
        x=short(x),
        y=short(y),
        line=groups.line(scheme),
        hovertemplate=hover + "<extra>%{fullData.name}</extra>",
        **(panel or {}),
    )


def subplot(number):
    """The axes of a panel; the layout has those of all of them."""
    suffix = "" if number == 0 else str(number + 1)
    return {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
