# SPDX-License-Identifier: GPL-2.0-only
"""
The numbers that figures of studies of policies for experts show, from the points that belong
together, that is the seeds of a policy in one case.
"""

from dataclasses import dataclass

import numpy as np

from ..errors import ResultError
from ..reader.units import parse_number

SIDES = {"inside": "inside servers (NVLink)", "across": "across servers (NICs)"}
_NEAR = 0.03  # what a load differs by from the mean where its scale begins to be logarithmic
LOADS = (1, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500)
_SHOWN = ("load.workload", "load.preset", "load.path")  # what tells loads of one type apart


def gpu_loads(points):
    """Loads over their mean, the largest first: without the policy and with it; mean of points."""
    tables = [point.gpu_loads() for point in points]
    for point, table in zip(points, tables):
        rows, expected = len(table["after"]), len(tables[0]["after"])
        if rows != expected:
            raise ResultError(point.folder / "gpu_loads.csv", f"has {rows} rows; other seeds have {expected}")
    return [np.mean([table[name] for table in tables], axis=0) for name in ("before", "after")]


@dataclass
class OverTime:
    """Max/mean of the plans of each micro-batch: over layers and seeds."""

    times: np.ndarray  # in iterations
    before: np.ndarray  # means
    after: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    microbatches: int


def over_time(points):
    """How max/mean goes over time, over all layers of all points."""
    tables = [point.plans() for point in points]
    plans = {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}
    count = int(plans["microbatch"].max()) + 1 if len(plans["microbatch"]) else 1
    times, place = np.unique(
        plans["iteration"] + plans["microbatch"] / count, return_inverse=True
    )
    before, after = plans["max_over_mean_before"], plans["max_over_mean"]
    often = np.bincount(place, minlength=len(times))
    lowest, highest = np.full(len(times), np.inf), np.zeros(len(times))
    np.minimum.at(lowest, place, after)
    np.maximum.at(highest, place, after)
    means = [np.bincount(place, values, len(times)) / often for values in (before, after)]
    return OverTime(times, *means, lowest, highest, count)


@dataclass
class Place:
    """Where a policy stands between bytes and balance: means, and the ends over seeds."""

    scheme: str
    bytes: tuple  # mean, lowest, highest
    load: tuple
    is_oracle: bool
    dropped: float  # share of the tokens

    @property
    def is_fair(self):
        """False for what no system can do, or does to fewer tokens than the others."""
        return not self.is_oracle and self.dropped == 0


def place_of(scheme, points, side):
    """:param side: one of SIDES, which bytes count"""
    ends = [
        (values.mean(), values.min(), values.max())
        for values in (
            np.array([point.get(key) for point in points], dtype=float)
            for key in (f"bytes_{side}", "max_over_mean")
        )
    ]
    dropped = float(np.mean([point.result.get("dropped_share") or 0 for point in points]))
    return Place(scheme, *ends, any(point.result.get("oracle") for point in points), dropped)


def front(places):
    """
    The Pareto front: those of the places, fewest bytes first, that no other one surpasses, that is
    has neither more bytes nor more load and less of one.
    """
    found = []
    fair = (place for place in places if place.is_fair)
    for place in sorted(fair, key=lambda place: (place.bytes[0], place.load[0])):
        if not found or place.load[0] < found[-1].load[0]:
            found.append(place)
    return found


def common_range(values):
    """
    The largest of some positive values that a linear scale should reach: those that are many times
    the others would leave no room for them.
    """
    return max((v for v in values if v <= 2.5 * np.median(values)), default=max(values))


def stretched(load):
    """Where a load stands on a scale that shows how far from 1 it is: logarithmic, but for 1."""
    return np.log10(np.maximum(load, 1) - 1 + _NEAR)


def unstretched(place):
    """The inverse of stretched()."""
    return 10.0**place - _NEAR + 1


def load_ticks(highest, loads=LOADS):
    """Loads that ticks stand at on such a scale."""
    return [load for load in loads if load <= highest * 1.02] or [1]


def describe(point):
    """What was studied, in a line for people."""
    config = {key.removeprefix("experts."): value for key, value in point.config.items()}
    load = [str(config.get("load.type", ""))]
    shown = (str(config[key]) for key in _SHOWN if key in config)
    load += [text.rpartition("/")[2] for text in shown]
    parts = [f"load {' '.join(load)}"]
    if "model.experts" in config:
        top = f", top {config['model.top_k']}" if "model.top_k" in config else ""
        parts.append(f"{config['model.experts']} experts{top}")
    if "gpus" in config:
        inside = f", {config['gpus_per_domain']} per server" if "gpus_per_domain" in config else ""
        parts.append(f"{config['gpus']} GPUs{inside}")
    names = {"iterations": "iteration", "layers": "layer", "microbatches": "micro-batch"}
    counts = {key: parse_number(config.get(key)) for key in names}
    found = [
        f"{count:g} {names[key]}{'es' * (key == 'microbatches' and count > 1) or 's' * (count > 1)}"
        for key, count in counts.items()
        if count
    ]
    return "; ".join(parts + [" × ".join(found)] * bool(found))
