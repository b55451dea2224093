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

# Keys of the effective descriptor that never are an axis: labels, and the repetition itself.
_NOT_AN_AXIS = {"name", "seed", "balance.type"}


class ResultError(Exception):
    """A folder that cannot be drawn, with the reason."""


class Point:
    """One whole run."""

    def __init__(self, folder, result):
        self.folder = folder
        self.result = result
        config = result.get("config", {})
        self.config = dict(_flatten(config.get("effective", config)))
        self.scheme = str(self.config["balance.type"])
        self.seed = result["seed"]
        self.cct_s = float(result["cct_s"])
        self.bound_s = float(result["lower_bound_s"])

    @property
    def over_bound(self):
        return self.cct_s / self.bound_s

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
    def name(self):
        """Last part of the key, which is how people call it."""
        return self.key.rsplit(".", 1)[-1]


class Results:
    """The points of a folder, and what is missing from it."""

    def __init__(self, points, failures, axes, absent):
        self.points = points
        self.failures = failures  # text, one line each
        self.axes = axes
        self.absent = absent  # (scheme, seed, values of the axes) that the grid lacks

    @property
    def schemes(self):
        return _schemes(self.points)

    @property
    def seeds(self):
        return sorted({point.seed for point in self.points})

    def of(self, scheme):
        """Points of a scheme, by seed."""
        return [point for point in self.points if point.scheme == scheme]

    def absent_of(self, scheme):
        """How many points of a scheme have no result."""
        return sum(1 for missing in self.absent if missing[0] == scheme)

    def where(self, key, value):
        """Only the points with this value (those whose scheme has no such key stay)."""
        kept = [p for p in self.points if key not in p.config or same(p.config[key], value)]
        if not any(key in point.config for point in kept):
            raise ResultError(f"no result with {key} = {value}")
        axes = find_axes(kept)
        return Results(kept, self.failures, axes, _absent(kept, axes))


def load(folder):
    """Everything below a folder; ResultError when there is nothing to draw."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ResultError(f"{folder}: no such folder")
    points, failures = [], []
    for place in _point_folders(folder):
        try:
            points.append(_load_point(place))
        except ResultError as error:
            failures.append(f"{os.path.relpath(place, folder)}: {error}")
    if not points:
        reasons = "".join(f"\n  {line}" for line in failures)
        raise ResultError(f"{folder}: no whole result in it{reasons}")
    points.sort(key=lambda p: (scheme_order(p.scheme), p.seed, str(p.folder)))
    axes = find_axes(points)
    absent = _absent(points, axes)
    # A folder without a result says itself that its point failed; only points without a trace
    # are named by what they would have been.
    if len(absent) > len(failures):
        failures += [_describe(missing, axes) + ": no result" for missing in absent]
    return Results(points, failures, axes, absent)


def find_axes(points):
    """
    Axes of a sweep, found in the effective descriptors. A key of `balance` is one when it differs
    between points of the same scheme; a key that follows from the axes found before it is not.
    """
    candidates = {}
    for point in points:
        for key, value in point.config.items():
            if key in _NOT_AN_AXIS:
                continue
            group = point.scheme if key.startswith("balance.") else ""
            candidates.setdefault(key, {}).setdefault(group, set()).add(_hashable(value))
    varying = [
        key for key, groups in candidates.items() if any(len(values) > 1 for values in groups.values())
    ]
    # Types come before their keys, so that a swept component is known by its type.
    varying.sort(key=lambda key: (not key.endswith(".type"), key))
    axes = []
    for key in varying:
        seen, follows = {}, True
        for point in points:
            known = tuple(_hashable(point.config.get(axis.key)) for axis in axes)
            known += (point.scheme,) if key.startswith("balance.") else ()
            value = _hashable(point.config.get(key))
            follows = follows and seen.setdefault(known, value) == value
        if not follows:
            values = {_hashable(point.config[key]) for point in points if key in point.config}
            axes.append(Axis(key, values))
    return axes


def _schemes(points):
    return sorted({point.scheme for point in points}, key=scheme_order)


def _absent(points, axes):
    """Points that a full grid of the schemes, seeds and axis values seen would have and we do not."""
    have = {(p.scheme, p.seed, tuple(p.config.get(axis.key) for axis in axes)) for p in points}
    seeds = {point.seed for point in points}
    absent = []
    for scheme in _schemes(points):
        own = [point for point in points if point.scheme == scheme]
        values = []
        for axis in axes:
            with_key = any(axis.key in point.config for point in own)
            swept = not axis.key.startswith("balance.") or (
                len({_hashable(point.config.get(axis.key)) for point in own}) > 1
            )
            if not with_key:
                values.append([None])
            elif swept:
                values.append(axis.values)
            else:
                values.append([own[0].config[axis.key]])
        for seed, *rest in itertools.product(sorted(seeds), *values):
            if (scheme, seed, tuple(rest)) not in have:
                absent.append((scheme, seed, tuple(rest)))
    return absent


def _describe(missing, axes):
    scheme, seed, values = missing
    text = f"{scheme}, seed {seed}"
    for axis, value in zip(axes, values):
        if value is not None:
            text += f", {axis.name} {readable(value)}"
    return text


def _point_folders(folder):
    """Folders that are, or should be, a point: with a result, or without anything below."""
    if (folder / "result.json").exists():
        return [folder]
    found = []
    for place, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if name != "figures" and not name.startswith("."))
        if "result.json" in files:
            below.clear()
            found.append(Path(place))
        elif not below:
            found.append(Path(place))
    return [place for place in found if place != folder]


def _load_point(folder):
    try:
        with open(folder / "result.json", encoding="utf-8") as file:
            result = json.load(file)
    except FileNotFoundError:
        raise ResultError("no result.json") from None
    except ValueError as error:
        raise ResultError(f"result.json is not JSON ({error})") from None
    if result.get("status", 0) != 0:
        raise ResultError(f"status {result['status']}")
    try:
        return Point(folder, result)
    except KeyError as error:
        raise ResultError(f"result.json lacks {error.args[0]}") from None


def _flatten(value, prefix=""):
    """Leaves of nested mappings by their dotted key."""
    for key, item in value.items():
        if isinstance(item, dict):
            yield from _flatten(item, f"{prefix}{key}.")
        else:
            yield prefix + key, _hashable(item)


def _hashable(value):
    return json.dumps(value) if isinstance(value, (list, dict)) else value


def _by_size(value):
    """Numbers by size, then words by alphabet."""
    number = parse_number(value)
    return (number is None, number or 0.0, str(value))
