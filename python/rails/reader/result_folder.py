# SPDX-License-Identifier: GPL-2.0-only
"""Finds the points of a result folder: one run, or a sweep with a folder per point at any depth."""

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from pathlib import Path

from ..errors import MissingFile, ResultError
from ..plain_text import escaped_name
from .foreign_files import read_json
from .kinds import kind_of_all
from .point import read_point
from .point_filter import choose
from .result_form import check_names, check_sweep
from .versions import mixture

# What makes a folder a point: its result, or why there is none.
_POINT_FILES = ("result.json", "failure.json")
# The names of the points of a sweep as it was last started; others are left over from before.
_POINTS_OF_SWEEP = "points.json"


@dataclass(frozen=True)
class Unreadable:
    """A folder of which nothing but its name is known."""

    name: str
    reason: str
    damaged: bool  # False when there is but nothing in it

    def __str__(self):
        return escaped_name(f"{self.name}: {self.reason}")


@dataclass
class ResultFolder:
    """What is in a result folder."""

    path: Path
    points: list  # those that ended badly as well
    unreadable: list = field(default_factory=list)
    left_over: list = field(default_factory=list)  # names of points of an earlier sweep

    @property
    def name(self):
        return os.fsencode(self.path.resolve().name).decode("utf-8", "replace")

    @property
    def text(self):
        """What people know it by."""
        return str(self.path)

    @cached_property
    def baselines(self):
        """By axis the label of the value that its sweep compares others with; none without one."""
        baseline = read_sweep(self.path).get("baseline")
        return [baseline] if baseline else []

    @property
    def kind(self):
        """The kind of experiment of its points."""
        return kind_of_all(self.points)

    @property
    def damaged(self):
        """A line with its place for each file that is there and cannot be read."""
        return [
            escaped_name(f"{self.path / entry.name}: error: {entry.reason}")
            for entry in self.unreadable
            if entry.damaged
        ]

    @property
    def notes(self):
        """Lines on what must be known before its points are counted together."""
        lines = [f"results of different versions: {line}" for line in mixture(self.points)]
        if self.left_over:
            count, shown = len(self.left_over), ", ".join(map(escaped_name, self.left_over[:8]))
            more = f" and {count - 8} more" if count > 8 else ""
            lines.append(
                f"{count} point{'s' * (count > 1)} left over from an earlier sweep, not counted "
                f"without --all: {shown}{more}"
            )
        return lines

    def copied(self):
        """The same with points that can be named and divided otherwise."""
        return replace(self, points=[point.copied() for point in self.points])

    def nothing(self):
        """The error that it holds no whole result, with what it holds instead."""
        bad = [point.outcome for point in self.points if not point.finished]
        bad += [str(entry) for entry in self.unreadable]
        if bad:
            more = f" (and {len(bad) - 1} more without one)" if len(bad) > 1 else ""
            reason = f"{bad[0]}{more}" + "; expected what `./rails run` wrote" * (not self.points)
        elif self.left_over:
            reason = self.notes[-1]
        else:
            reason = "expected what `./rails run` wrote"
        return ResultError(self.path, f"no whole result in it; {reason}")


def load_folder(path, conditions=(), everything=False):
    """
    Reads a folder.

    :param conditions: choose points, KEY=VALUE each
    :param everything: points that are left over from an earlier sweep count too
    """
    path = Path(path)
    if not path.exists():
        raise ResultError(path, "no such folder")
    if not path.is_dir():
        raise ResultError(path, "is not a folder; expected what `./rails run` wrote")
    folder = ResultFolder(path, [])
    for place, is_own, order in _point_folders(path):
        name = os.path.relpath(place, path)
        if not (is_own or everything):
            folder.left_over.append(name)
            continue
        try:
            point = read_point(place)
            point.order = order
            folder.points.append(point)
        except ResultError as error:
            file = Path(error.place).name
            damaged = not isinstance(error, MissingFile)
            folder.unreadable.append(Unreadable(name, f"{file} {error.reason}", damaged))
    folder.points.sort(key=lambda point: point.order)
    if conditions:
        folder.points = choose(folder.points, conditions)
    _check_kinds(folder)
    return folder


def load_filled(path, conditions=(), everything=False):
    """The same of a folder that has to hold a point, be it one that failed."""
    folder = load_folder(path, conditions, everything)
    if not folder.points:
        raise folder.nothing()
    return folder


def read_whole(path):
    """The points of a folder, for what needs all of them; ResultError names one without a result."""
    folder = load_folder(path)
    for entry in folder.unreadable:
        raise ResultError(folder.path / entry.name, entry.reason)
    for point in folder.points:
        if not point.finished:
            raise ResultError(point.folder, point.outcome)
    if not folder.points:
        raise folder.nothing()
    return folder.points


def _check_kinds(folder):
    """ResultError where points have no numbers in common."""
    found = {}
    for point in folder.points:
        found.setdefault(point.kind, []).append(os.path.relpath(point.folder, folder.path))
    if len(found) > 1:
        texts = (
            f"{len(names)} {kind.names if len(names) > 1 else kind.name} (as in {names[0]})"
            for kind, names in found.items()
        )
        reason = f"holds {' and '.join(texts)}, which have no numbers in common; "
        reason += "expected a folder of one kind, or --where KEY=VALUE with a key of one kind"
        raise ResultError(folder.path, reason)


def read_sweep(path):
    """What a sweep says of itself; empty for a single run."""
    place = sweep_file(path)
    if not place.exists():
        return {}
    sweep = read_json(place, path)
    try:
        check_sweep(sweep)
    except ValueError as error:
        raise ResultError(place, str(error)) from None
    return sweep


def sweep_file(path):
    """Where a sweep says what it was made from."""
    return Path(path) / ".rails" / "sweep.json"


def _point_folders(path):
    """
    Folders that are, or should be, a point, whether they belong to the sweep around them, and their
    numbers in it.
    """
    if any((path / name).exists() for name in _POINT_FILES):
        return [(path, True, inf)]
    found, count = [], 0
    own = {path: None}  # by folder: numbers of the points in it that belong, by name; None: all
    for place, below, names in os.walk(path):
        place, files = Path(place), {*names, *below}
        below[:] = sorted(name for name in below if name != "figures" and not name.startswith("."))
        is_point = not files.isdisjoint(_POINT_FILES)
        if is_point or not below:
            known = own[place.parent] if place != path else None
            order = (known or {}).get(place.name, inf)
            found.append((place, known is None or order != inf, order))
            below.clear()
        else:
            names = _names_of_points(place / _POINTS_OF_SWEEP)
            own[place] = names and {name: count + number for number, name in enumerate(names)}
            count += len(names or ())
    return [(place, is_own, order) for place, is_own, order in found if place != path]


def _names_of_points(path):
    if not path.exists():
        return None
    names = read_json(path)
    try:
        check_names(names)
    except ValueError as error:
        raise ResultError(path, str(error)) from None
    return names
