# SPDX-License-Identifier: GPL-2.0-only
"""
Runs of the engine of flows beside runs of the same configuration by the engine of frames: by how
much completion times and the ends of messages differ.
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from ..errors import MissingFile, ResultError
from .folder_comparison import describe_nearest
from .pairs import NOT_COMPARED, differing_keys, label_of, place_of
from .results import find_axes, tell_schemes_apart

ENGINES = ("frames", "flow")
# Schemes that frames separate by more than this part must be ordered alike by flows.
SEPARATED = 0.06
# Strategies that spread the frames of a queue pair, of those that flows can do.
_SPREADING = {
    "balance.host.type": {"spray", "destination-rotation"},
    "balance.switch.type": {"random", "round-robin", "ofan"},
}
# Which pieces are the same message; several may be, and then go in their order.
_IDENTITY = ("phase", "source", "destination", "rail", "bytes")


class Twins:
    """
    One configuration with one seed, by both engines.

    :param frames: the point by frames; flow: the one by flows
    """

    def __init__(self, frames, flow):
        self.frames = frames
        self.flow = flow

    @property
    def seed(self):
        return self.frames.seed

    @property
    def error(self):
        """Signed error of the completion time by flows, a part of that by frames."""
        return self.flow.get("cct_s") / self.frames.get("cct_s") - 1

    @property
    def pauses(self):
        return self.frames.get("pfc_pauses")

    @property
    def paused_s(self):
        """Paused time by frames, added up over all ports."""
        return self.frames.get("pfc_paused_s")

    @property
    def has_equal_payload(self):
        """Whether every NIC sent and received the same bytes of payload."""
        keys = ("nic_tx_bytes", "nic_rx_bytes")
        return all(self.frames.get(key) == self.flow.get(key) for key in keys)

    @cached_property
    def message_errors(self):
        """
        Errors of the time from posting a message to its last byte, each a part of that by frames;
        without messages that did not end, or that only one engine sent. None where a run did not
        write its messages down.
        """
        try:
            tables = [point.messages() for point in (self.frames, self.flow)]
        except MissingFile:
            return None
        frames, flow = _times_of_same(*tables)
        known = ~np.isnan(frames) & ~np.isnan(flow) & (frames > 0)
        return flow[known] / frames[known] - 1

    @cached_property
    def port_error(self):
        """
        Largest difference of the bytes of a port, as a part of those of the busiest port; None
        where a run did not write its ports down.
        """
        try:
            frames, flow = (
                point.links("node", "port", "bytes") for point in (self.frames, self.flow)
            )
        except MissingFile:
            return None
        for key in ("node", "port"):
            if not np.array_equal(frames[key], flow[key]):
                raise ResultError(self.flow.folder, f"has other ports than {self.frames.folder}")
        busiest = frames["bytes"].max(initial=0)
        return float(np.abs(flow["bytes"] - frames["bytes"]).max() / busiest) if busiest else 0.0


@dataclass
class Cell:
    """A configuration with all of its seeds."""

    label: str
    twins: list  # by seed

    @property
    def scheme(self):
        return self.twins[0].frames.scheme

    @property
    def is_spread(self):
        """Whether frames of a queue pair take several ways."""
        config = self.twins[0].frames.config
        return any(config.get(key) in words for key, words in _SPREADING.items())

    @property
    def errors(self):
        return np.array([twins.error for twins in self.twins])

    @property
    def mean_error(self):
        return float(self.errors.mean())

    @property
    def worst_error(self):
        """The largest of a single run, with its sign."""
        return float(self.errors[np.abs(self.errors).argmax()])

    @property
    def message_errors(self):
        """Those of all its runs together; None where a run has none."""
        found = [twins.message_errors for twins in self.twins]
        return None if any(errors is None for errors in found) else np.concatenate(found)

    @property
    def pauses(self):
        return sum(twins.pauses for twins in self.twins)

    @property
    def paused_s(self):
        """Mean over runs."""
        return float(np.mean([twins.paused_s for twins in self.twins]))

    @property
    def port_error(self):
        found = [twins.port_error for twins in self.twins]
        return None if None in found else max(found)

    def mean_cct_s(self, engine):
        """:param engine: one of ENGINES"""
        return float(np.mean([getattr(twins, engine).cct_s for twins in self.twins]))


@dataclass
class Disorder:
    """Two schemes that flows put into another order than frames."""

    first: Cell  # the quicker one by frames
    second: Cell
    by_frames: float  # by which part the second takes longer
    by_flow: float


@dataclass
class EngineComparison:
    """What compare_engines() found."""

    cells: list
    alone: dict  # by engine: labels of points that the other engine has not run
    keys: dict  # keys in which the engines' points differ everywhere, with their values
    disorders: list = field(default_factory=list)
    separated: int = 0  # pairs of schemes that frames separate

    @property
    def twins(self):
        return [twins for cell in self.cells for twins in cell.twins]


def compare_engines(folders):
    """
    Compares all points by frames with all by flows, wherever they are.

    :param folders: ResultFolders
    raises ResultError when no configuration was run by both engines
    """
    points = [point for folder in folders for point in folder.points]
    tell_schemes_apart(points)
    frames, flow = sides = [[p for p in points if p.finished and _engine(p) == e] for e in ENGINES]
    for engine, side in zip(ENGINES, sides):
        if not side:
            place = ", ".join(str(folder.path) for folder in folders)
            reason = f"has no whole result of the engine {engine}; expected the same points by both engines"
            raise ResultError(place, reason)
    keys = {**differing_keys(*sides), **_keys_of_one_side(*sides)}
    axes = [axis for axis in find_axes(points) if not _is_ignored(axis.key, keys)]
    name = _namer(points, axes)
    found = [_by_place(side, keys) for side in sides]
    cells = {}
    for (place, seed), one in sorted(found[0].items(), key=lambda item: item[0][1]):
        if (place, seed) in found[1]:
            cells.setdefault(place, []).append(Twins(one, found[1][place, seed]))
    if not cells:
        place = ", ".join(str(folder.path) for folder in folders)
        nearest = describe_nearest(frames, flow)
        raise ResultError(place, f"no configuration was run by both engines{nearest}")
    alone = {
        engine: sorted(
            f"{name(point)}, seed {point.seed}"
            for place, point in mine.items()
            if place not in others
        )
        for engine, mine, others in zip(ENGINES, found, found[::-1])
    }
    ordered = [Cell(name(twins[0].frames), twins) for twins in cells.values()]
    ordered.sort(key=lambda cell: (cell.twins[0].frames.scheme_rank, cell.label))
    comparison = EngineComparison(ordered, alone, keys)
    _compare_orders(comparison)
    return comparison


@dataclass
class Change:
    """What a change of the configuration does to the completion time, by both engines."""

    label: str
    cells: tuple  # before, and after
    by_frames: float  # by which part the run becomes longer, the mean over seeds
    by_flow: float

    @property
    def difference(self):
        return self.by_flow - self.by_frames


def compare_changes(comparison):
    """
    Effects of changes: of each scheme, what differs from the configuration that has on every axis
    the value which most have.
    """
    axes = find_axes([twins.frames for twins in comparison.twins])
    axes = [axis for axis in axes if not _is_ignored(axis.key, comparison.keys)]
    changes = []
    for scheme in dict.fromkeys(cell.scheme for cell in comparison.cells):
        cells = [cell for cell in comparison.cells if cell.scheme == scheme]
        usual = {axis: _most_common(cells, axis.key) for axis in axes}
        base = [cell for cell in cells if not _apart(cell, usual)]
        if not base:
            raise ResultError(scheme, "has no run with the usual value of every key")
        for cell in cells:
            apart = _apart(cell, usual)
            if apart:
                values = (f"{axis.name} {axis.label(_value(cell, axis.key))}" for axis in apart)
                changes.append(_make_change(", ".join([scheme, *values]), base[0], cell))
    return changes


def _make_change(label, before, after):
    seeds = {twins.seed: twins for twins in before.twins}
    pairs = [(seeds[twins.seed], twins) for twins in after.twins if twins.seed in seeds]
    if not pairs:
        raise ResultError(label, "has no seed in common with the run without the change")
    effects = [
        np.mean([getattr(b, engine).cct_s / getattr(a, engine).cct_s - 1 for a, b in pairs])
        for engine in ENGINES
    ]
    return Change(label, (before, after), *map(float, effects))


def _value(cell, key):
    return cell.twins[0].frames.config.get(key)


def _most_common(cells, key):
    values = [_value(cell, key) for cell in cells]
    return max(values, key=values.count)


def _apart(cell, usual):
    return [axis for axis, value in usual.items() if _value(cell, axis.key) != value]


def _compare_orders(comparison):
    """Looks at all pairs of schemes that differ in nothing else."""
    groups = {}
    for cell in comparison.cells:
        config = cell.twins[0].frames.config
        balance = {key for key in config if key.startswith("balance.")}
        seeds = tuple(twins.seed for twins in cell.twins)
        place = place_of(cell.twins[0].frames, NOT_COMPARED | balance)
        groups.setdefault((place, seeds), []).append(cell)
    for cells in groups.values():
        cells.sort(key=lambda cell: cell.mean_cct_s("frames"))
        for first, second in combinations(cells, 2):
            frames, flow = (
                second.mean_cct_s(engine) / first.mean_cct_s(engine) - 1 for engine in ENGINES
            )
            if frames > SEPARATED:
                comparison.separated += 1
                if flow <= 0:
                    comparison.disorders.append(Disorder(first, second, frames, flow))


def _engine(point):
    return point.result.get("engine") or point.config.get("engine.type", ENGINES[0])


def _keys_of_one_side(*sides):
    """
    Keys that only one side knows, with one value, as those that came with a newer version, and the
    values. Those with several values tell points from each other.
    """
    values = []
    for side in sides:
        known = {}
        for point in side:
            for key, value in point.config.items():
                known.setdefault(key, set()).add(str(value))
        values.append(known)
    return {
        key: tuple(sorted(known.get(key, {"(unknown)"})) for known in values)
        for key in sorted(values[0].keys() ^ values[1].keys())
        if sum(len(known.get(key, ())) for known in values) == 1
    }


def _namer(points, axes):
    """What tells a point from others; a workload that has no matrix is named too."""
    of_workload = "workload.type"
    several = len({point.config.get(of_workload) for point in points}) > 1
    several = several and of_workload not in (axis.key for axis in axes)

    def name(point):
        extra = [str(point.config.get(of_workload))] if several else []
        parts = [point.scheme, *extra, label_of(point, axes, with_scheme=False)]
        return ", ".join(filter(None, parts))

    return name


def _is_ignored(key, keys):
    """Whether points that differ in a key can be the same run by two engines."""
    return key in keys or key in NOT_COMPARED or key.startswith(("engine.", "record."))


def _by_place(points, keys):
    found = {}
    for point in points:
        ignored = {key for key in point.config if _is_ignored(key, keys)}
        other = found.setdefault((place_of(point, ignored), point.seed), point)
        if other is not point:
            reason = f"is the same run by the same engine as {other.folder}; expected one of them"
            raise ResultError(point.folder, reason)
    return found


def _times_of_same(*tables):
    """Times from post to end of the messages that are in both tables, in one order."""
    identities = [_number_repeats(np.column_stack([t[k] for k in _IDENTITY])) for t in tables]
    numbers = np.unique(np.vstack(identities), axis=0, return_inverse=True)[1].reshape(-1)
    split = np.split(numbers, [len(identities[0])])
    _, *rows = np.intersect1d(*split, assume_unique=True, return_indices=True)
    return [(table["end_s"] - table["start_s"])[row] for table, row in zip(tables, rows)]


def _number_repeats(rows):
    """Rows with one more column, which tells equal rows apart: 0 for the first, 1 for the next."""
    if not len(rows):
        return np.zeros((0, rows.shape[1] + 1))
    order = np.lexsort(rows.T[::-1])  # equal rows keep their order
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    places = np.arange(len(rows))
    firsts = np.maximum.accumulate(np.where(is_new, places, 0))
    repeats = np.empty(len(rows))
    repeats[order] = places - firsts
    return np.column_stack([rows, repeats])
