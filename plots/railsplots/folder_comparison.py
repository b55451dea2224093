# SPDX-License-Identifier: GPL-2.0-only
"""
Two result folders point by point. Points of the same effective configuration belong together,
seed and name aside, and aside from keys in which the folders have no value in common.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import significance
from .results import ResultError, find_axes, tell_schemes_apart
from .style import scheme_order
from .units import parse_number, readable

_NOT_COMPARED = {"name", "seed"}

DIFFERS = "differs"
WITHIN_SPREAD = "differs within its spread"
BEYOND_SPREAD = "beyond its spread, not significant"
NO_DIFFERENCE = "no difference found"
IDENTICAL = "identical"
NO_TEST = "no test"
_ORDER = (DIFFERS, BEYOND_SPREAD, WITHIN_SPREAD, NO_TEST, NO_DIFFERENCE, IDENTICAL)


@dataclass
class Pair:
    """A configuration that both folders have results of."""

    label: str
    scheme: str
    seeds_a: list
    seeds_b: list
    a: np.ndarray  # the metric, by seed
    b: np.ndarray
    same_fingerprints: bool
    test: significance.Test = None
    p_corrected: float = None
    alpha: float = 0.05

    @property
    def same_seeds(self):
        return self.seeds_a == self.seeds_b

    @property
    def difference(self):
        """Mean of B less mean of A."""
        return float(self.b.mean() - self.a.mean())

    @property
    def spread(self):
        """
        Standard deviation over seeds of the difference, None with one seed: of the differences of
        the same seeds, else of both samples together.
        """
        if min(len(self.a), len(self.b)) < 2:
            return None
        if self.same_seeds:
            return float(np.std(self.b - self.a, ddof=1))
        return float(np.hypot(np.std(self.a, ddof=1), np.std(self.b, ddof=1)))

    def percent(self, value):
        """In percent of the mean of A; None where that is 0."""
        mean = float(self.a.mean())
        return None if value is None or mean == 0 else 100 * value / abs(mean)

    @property
    def verdict(self):
        if self.same_fingerprints:
            return IDENTICAL
        if self.test is None:
            return NO_TEST
        beyond = abs(self.difference) > self.spread
        if self.p_corrected < self.alpha:
            return DIFFERS if beyond else WITHIN_SPREAD
        return BEYOND_SPREAD if beyond else NO_DIFFERENCE

    @property
    def why_no_test(self):
        return "one seed only" if len(self.a) == len(self.b) == 1 else "one seed only on a side"


@dataclass
class FolderComparison:
    """What compare_folders() found."""

    metric: str
    alpha: float
    pairs: list  # those that differ by more than their spread first
    only_in_a: list  # labels, with seeds
    only_in_b: list
    failed_a: list  # a line each
    failed_b: list
    keys: dict  # by key in which the folders differ everywhere: values in A, and in B
    versions: tuple  # of A and B: sets of texts


def compare_folders(loaded_a, loaded_b, metric="cct_s", alpha=0.05):
    """
    Compares what load_points() found in two folders; ResultError when nothing can be compared.
    """
    sides = [[point for point in points if point.status == 0] for points, _ in (loaded_a, loaded_b)]
    for name, good in zip("AB", sides):
        if not good:
            raise ResultError(f"{name}: no whole result in it; expected what `./rails run` wrote")
    everything = loaded_a[0] + loaded_b[0]
    tell_schemes_apart(everything)
    keys = _differing_keys(*sides)
    axes = [axis for axis in find_axes(everything) if axis.key not in keys]
    groups = [_group(name, points, keys) for name, points in zip("AB", sides)]
    shared = [place for place in groups[0] if place in groups[1]]
    if not shared:
        raise ResultError(
            "no point of A has the configuration of a point of B; expected results of the same "
            "experiment" + _nearest(*sides)
        )
    pairs = [_pair(groups[0][place], groups[1][place], axes, metric, alpha) for place in shared]
    tested = [pair for pair in pairs if pair.test is not None]
    for pair, p in zip(tested, significance.holm([pair.test.p for pair in tested])):
        pair.p_corrected = p
    pairs.sort(key=_by_importance)
    only = [
        sorted(
            f"{_label(next(iter(group.values())), axes)}, {_seeds(group)}"
            for place, group in mine.items()
            if place not in other
        )
        for mine, other in (groups, groups[::-1])
    ]
    failed = [
        [f"{_label(p, axes)}, seed {p.seed}: {p.reason}" for p in points if p.status != 0] + others
        for points, others in (loaded_a, loaded_b)
    ]
    versions = tuple({_version(point) for point in side} for side in sides)
    return FolderComparison(metric, alpha, pairs, *only, *failed, keys, versions)


def _normal(value):
    """A value such that 16MiB and 16384KiB are the same."""
    number = parse_number(value)
    return str(value) if number is None else number


def _differing_keys(a, b):
    """Keys of which the folders have no value in common, with the values of both."""
    sides = [[p.config for p in points] for points in (a, b)]
    keys = set().union(*sides[0], *sides[1]) - _NOT_COMPARED
    found = {}
    for key in sorted(keys):
        values = [{_normal(config.get(key)): config.get(key) for config in side} for side in sides]
        if values[0].keys().isdisjoint(values[1]):
            found[key] = tuple(sorted(map(_text, side.values())) for side in values)
    return found


def _text(value):
    return "(none)" if value is None else readable(value)


def _group(name, points, keys):
    """By configuration without the differing keys: the points by seed."""
    ignored, groups = _NOT_COMPARED | keys.keys(), {}
    for point in points:
        place = frozenset((k, _normal(v)) for k, v in point.config.items() if k not in ignored)
        group = groups.setdefault(place, {})
        other = group.setdefault(point.seed, point)
        if other is not point:
            apart = [key for key in keys if other.config.get(key) != point.config.get(key)]
            reason = f"differ only in {', '.join(apart)}, of which the other folder has no value"
            raise ResultError(
                f"{name}: {Path(other.folder).name} and {Path(point.folder).name} "
                + (reason if apart else "have the same configuration and seed")
                + "; expected one point for each; compare a folder with fewer points"
            )
    return groups


def _pair(a, b, axes, metric, alpha):
    seeds_a, seeds_b = sorted(a), sorted(b)
    values = [np.array([_metric(group[s], metric) for s in sorted(group)]) for group in (a, b)]
    same = seeds_a == seeds_b and all(_fingerprint(a[s]) == _fingerprint(b[s]) != "" for s in a)
    same = same and np.array_equal(*values)  # times of the computer itself are in no fingerprint
    first = a[seeds_a[0]]
    pair = Pair(_label(first, axes), first.scheme, seeds_a, seeds_b, *values, same, alpha=alpha)
    if not same:
        test = significance.paired if pair.same_seeds else significance.welch
        pair.test = test(*values)
    return pair


def _metric(point, metric):
    value = point.result.get(metric)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        known = sorted(
            key
            for key, value in point.result.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        )
        raise ResultError(
            f"--metric {metric}: {point.folder} has no such number; "
            f"expected one of {', '.join(known)}"
        )
    return float(value)


def _fingerprint(point):
    return point.result.get("fingerprint", "")


def _version(point):
    version = point.result.get("version") or {}
    return ", ".join(f"{key} {value}" for key, value in version.items())


def _label(point, axes):
    parts = [point.scheme]
    for axis in axes:
        if point.config.get(axis.key) is not None:
            parts.append(f"{axis.name} {readable(point.config[axis.key])}")
    return ", ".join(parts)


def _seeds(group):
    return f"seed{'s' if len(group) > 1 else ''} {', '.join(map(str, sorted(group)))}"


def _nearest(a, b):
    """What keeps the most similar points of two folders apart."""
    keys = min(
        (
            [
                key
                for key in sorted({*one.config, *other.config} - _NOT_COMPARED)
                if _normal(one.config.get(key)) != _normal(other.config.get(key))
            ]
            for one in a
            for other in b
        ),
        key=len,
    )
    named = ", ".join(keys[:6]) + (", ..." if len(keys) > 6 else "")
    return f"; the most similar points differ in {named}"


def _by_importance(pair):
    change = abs(pair.percent(pair.difference) or pair.difference)
    return (_ORDER.index(pair.verdict), -change, scheme_order(pair.scheme), pair.label)
