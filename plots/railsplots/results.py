# SPDX-License-Identifier: GPL-2.0-only
"""Loads a result folder: one run, or a sweep with one folder per point at any depth."""

import csv
import itertools
import json
import os
from pathlib import Path

import numpy as np

from .style import scheme_order
from .units import parse_number, readable, same

# Parts of a scheme beside its type, and what they are unless the descriptor says otherwise.
_PARTS = {"balance.host": "flow", "balance.switch": "ecmp"}
# Keys of the effective descriptor that never are an axis: labels, and the repetition itself.
_NOT_AN_AXIS = {"name", "seed", "balance.type", *_PARTS, *(f"{part}.type" for part in _PARTS)}


# What makes a folder a point: its result, or why there is none.
_POINT_FILES = ("result.json", "failure.json")
_NO_TIMES = {"cct_s": None, "lower_bound_s": None, "cct_over_bound": None}


class ResultError(Exception):
    """A folder that cannot be drawn, with the reason."""


class Point:
    """One run that ended, well or with a status."""

    def __init__(self, folder, result):
        self.folder = folder
        self.result = result
        self.config = dict(_flatten(result["config"]))
        self.scheme = _scheme(self.config)
        self.seed = result["seed"]
        self.status = result["status"]
        self.cct_s = result["cct_s"]
        self.bound_s = result["lower_bound_s"]
        self.over_bound = result["cct_over_bound"]

    @property
    def reason(self):
        """Why it failed, in one line."""
        report = str(self.result.get("report", "")).partition("\n")[0]
        text = f"status {self.status}" + (f": {report}" if report else "")
        return str(self.result.get("reason") or text)

    def place(self, axes):
        """Where it stands in a sweep: scheme, seed, and its values on the axes."""
        return (self.scheme, self.seed, *(self.config.get(axis.key) for axis in axes))

    def message_times(self):
        """Completion times of all messages between servers, in seconds."""
        path = self.folder / "messages.csv"
        with open(path, newline="", encoding="utf-8") as file:
            columns = next(csv.reader(file), [])
            wanted = [columns.index(name) for name in ("rail", "start_s", "end_s")]
            rows = np.loadtxt(file, delimiter=",", usecols=wanted, ndmin=2)
        rows = rows.reshape(-1, 3)
        rows = rows[rows[:, 0] >= 0]
        return rows[:, 2] - rows[:, 1]

    def queue_bins(self):
        """Rows of queues.csv."""
        return self._rows("queues.csv")

    def links(self):
        """Rows of links.csv."""
        return self._rows("links.csv")

    def _rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Axis:
    """A key of the descriptor, other than scheme and seed, whose value differs between points."""

    def __init__(self, key, values):
        self.key = key
        self.values = sorted(values, key=_by_size)
        self.numbers = [parse_number(value) for value in self.values]
        self.ticks = [readable(value) for value in self.values]

    @property
    def numeric(self):
        return None not in self.numbers

    @property
    def places(self):
        """Where the values stand in a figure: at their numbers, or one behind the other."""
        return self.numbers if self.numeric else list(range(len(self.values)))

    @property
    def nominal(self):
        """True for words only, which have no order."""
        return not any(number is not None for number in self.numbers)

    @property
    def of_scheme(self):
        """True for a key of the schemes themselves."""
        return self.key.startswith("balance.")

    @property
    def name(self):
        """What people call it: the last part of the key, or the component whose type it is."""
        parts = self.key.split(".")
        return parts[-2] if parts[-1] == "type" else parts[-1]


class Results:
    """
    The points of a folder, and what is missing from it.

    :param everything: points, the failed ones as well
    :param unreadable: texts on folders of which nothing else is known
    :param grid: every combination of schemes, seeds and values should be there
    """

    def __init__(self, everything, unreadable=(), grid=True):
        everything = sorted(
            everything, key=lambda p: (scheme_order(p.scheme), p.seed, str(p.folder))
        )
        self.points = [point for point in everything if point.status == 0]
        self.axes = find_axes(everything)
        # Places in the sweep without a good result.
        self.absent = _absent(everything, self.axes) if grid else _failed(everything, self.axes)
        self._everything = everything
        self._unreadable = unreadable
        self._grid = grid

    @property
    def failed(self):
        """Points that ended badly."""
        return [point for point in self._everything if point.status != 0]

    @property
    def unreadable(self):
        """A line for each folder of which nothing but its name is known."""
        return list(self._unreadable)

    @property
    def failures(self):
        """What failed, in one line each."""
        lines = list(self._unreadable)
        lines += [f"{_describe(p.place(self.axes), self.axes)}: {p.reason}" for p in self.failed]
        known = {point.place(self.axes) for point in self.failed}
        others = [place for place in self.absent if place not in known]
        # A folder that cannot be read is one of these points; which one, is not known.
        if len(others) > len(self._unreadable):
            lines += [f"{_describe(place, self.axes)}: no result" for place in others]
        return lines

    @property
    def schemes(self):
        """Schemes with a good result."""
        return _schemes(self.points)

    @property
    def all_schemes(self):
        return _schemes(self._everything)

    @property
    def failed_schemes(self):
        """Schemes without any good result."""
        good = set(self.schemes)
        return [scheme for scheme in self.all_schemes if scheme not in good]

    @property
    def seeds(self):
        return sorted({point.seed for point in self.points})

    def of(self, scheme):
        """Points of a scheme, by seed."""
        return [point for point in self.points if point.scheme == scheme]

    def absent_of(self, scheme):
        """How many points of a scheme have no good result."""
        return sum(1 for place in self.absent if place[0] == scheme)

    def where(self, key, value):
        """Only the points with this value (those whose scheme has no such key stay)."""
        kept = [
            point
            for point in self._everything
            if key not in point.config or same(point.config[key], value)
        ]
        if not any(key in point.config and point.status == 0 for point in kept):
            raise ResultError(f"no result with {key} = {value}")
        return Results(kept, self._unreadable, self._grid)

    def where_text(self, condition):
        """The same for a condition as users write it, KEY=VALUE."""
        key, equals, value = condition.partition("=")
        if not equals:
            raise ResultError(f"--where {condition}: expected KEY=VALUE")
        return self.where(key, value)


def load(folder):
    """Everything below a folder; ResultError when there is nothing to draw."""
    # A sweep that says what it was made from says what failed as well, and need not be a grid.
    results = Results(*load_points(folder), grid=not sweep_file(folder).exists())
    if not results.points:
        reasons = "".join(f"\n  {line}" for line in results.failures)
        raise ResultError(f"{folder}: no whole result in it{reasons}")
    return results


def sweep_file(folder):
    """Where a sweep says what it was made from."""
    return Path(folder) / ".rails" / "sweep.json"


def load_points(folder):
    """The points below a folder as they are, and for each unreadable one a line that says why."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ResultError(f"{folder}: no such folder")
    points, unreadable = [], []
    for place in _point_folders(folder):
        try:
            points.append(_load_point(place))
        except ResultError as error:
            unreadable.append(f"{os.path.relpath(place, folder)}: {error}")
    tell_schemes_apart(points)
    return points, unreadable


def tell_schemes_apart(points):
    """
    Names the scheme of each point by its type, its strategies at hosts and switches, and those of
    their keys that differ between points of the same type and are not swept on their own.
    """
    swept = {key for point in points for key in point.result.get("axes") or {}}
    values = {}
    for point in points:
        own = values.setdefault(_scheme(point.config), {})
        for key, value in point.config.items():
            if key.startswith(tuple(f"{part}." for part in _PARTS)) and key not in swept:
                own.setdefault(key, set()).add(value)
    for point in points:
        differing = {k for k, found in values[_scheme(point.config)].items() if len(found) > 1}
        point.scheme = _scheme(point.config, differing)


def find_axes(points):
    """
    Axes of a sweep, found in the effective descriptors. A key of `balance` is one when it differs
    between points of the same scheme; a key that follows from the axes found before it is not.
    """
    values = {}
    for point in points:
        for key, value in point.config.items():
            values.setdefault(key, set()).add(value)
    # Types come before their keys, so that a swept component is known by its type; keys of schemes
    # come last, so that they do not hide that points differ in what they carry, and where.
    keys = sorted(
        values.keys() - _NOT_AN_AXIS,
        key=lambda key: (key.startswith("balance."), not key.endswith(".type"), key),
    )
    axes = []
    for key in keys:
        seen, follows = {}, True
        for point in points:
            known = tuple(point.config.get(axis.key) for axis in axes)
            known += (point.scheme,) if key.startswith("balance.") else ()
            value = point.config.get(key)
            follows = follows and seen.setdefault(known, value) == value
        if not follows:
            axes.append(Axis(key, values[key]))
    return axes


def _scheme(config, shown=()):
    """Type and strategies of a scheme, with the values of some of their keys."""
    name = str(config["balance.type"])
    for part, usual in _PARTS.items():
        strategy = config.get(f"{part}.type", config.get(part, usual))
        keys = sorted(key for key in config if key in shown and key.startswith(f"{part}."))
        if strategy != usual or keys:
            name += f" + {part.split('.')[1]} {strategy}"
        if keys:
            values = (f"{key.split('.', 2)[2]} {readable(config[key])}" for key in keys)
            name += f" ({', '.join(values)})"
    return name


def _schemes(points):
    return sorted({point.scheme for point in points}, key=scheme_order)


def _absent(points, axes):
    """Places of the full grid of schemes, seeds and axis values that have no good result."""
    good = {point.place(axes) for point in points if point.status == 0}
    seeds = sorted({point.seed for point in points})
    absent = []
    for scheme in _schemes(points):
        values = []
        for axis in axes:
            own = {point.config.get(axis.key) for point in points if point.scheme == scheme}
            # Another scheme's key, or one that stays the same for this scheme.
            fixed = own == {None} or (axis.of_scheme and len(own) == 1)
            values.append(own if fixed else axis.values)
        grid = itertools.product([scheme], seeds, *values)
        absent += [place for place in grid if place not in good]
    return absent


def _failed(points, axes):
    """Places of failed points that no other point makes up for."""
    good = {point.place(axes) for point in points if point.status == 0}
    return list(dict.fromkeys(p.place(axes) for p in points if p.place(axes) not in good))


def _describe(place, axes):
    scheme, seed, *values = place
    text = f"{scheme}, seed {seed}"
    for axis, value in zip(axes, values):
        if value is not None:
            text += f", {axis.name} {readable(value)}"
    return text


def _point_folders(folder):
    """Folders that are, or should be, a point: with its file, or without anything below."""
    if any((folder / name).exists() for name in _POINT_FILES):
        return [folder]
    found = []
    for place, below, names in os.walk(folder):
        files = set(names)
        below[:] = sorted(name for name in below if name != "figures" and not name.startswith("."))
        if not files.isdisjoint(_POINT_FILES):
            below.clear()
            found.append(Path(place))
        elif not below:
            found.append(Path(place))
    return [place for place in found if place != folder]


def _load_point(folder):
    failed = not (folder / "result.json").exists() and (folder / "failure.json").exists()
    name = "failure.json" if failed else "result.json"
    try:
        with open(folder / name, encoding="utf-8") as file:
            result = json.load(file)
    except FileNotFoundError:
        raise ResultError(f"no {name}") from None
    except ValueError as error:
        raise ResultError(f"{name} is not JSON ({error})") from None
    try:
        return Point(folder, {**_NO_TIMES, **result} if failed else result)
    except KeyError as error:
        raise ResultError(f"{name} lacks {error.args[0]}") from None
    except (AttributeError, TypeError):
        raise ResultError(f"{name} does not have the form of a result") from None


def _flatten(value, prefix=""):
    """Leaves of nested mappings by their dotted key."""
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _flatten(item, f"{prefix}{key}.")
        else:
            yield prefix + key, json.dumps(item) if isinstance(item, list) else item


def _by_size(value):
    """Numbers by size, then words by alphabet."""
    number = parse_number(value)
    return (number is None, number or 0.0, str(value))
