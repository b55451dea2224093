# SPDX-License-Identifier: GPL-2.0-only
"""Two samples of one configuration over seeds: how they differ, and whether by more than chance."""

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import ResultError
from ..reader.kinds import IN_TIME, OWN_BOUND, SIMULATION, WITHOUT_ROUTES
from ..reader.units import parse_number, readable, shortened
from . import significance
from .results import bounds_differ

# Keys in which points may differ that belong together.
NOT_COMPARED = {"name", "seed"}

NOTABLE = 0.005  # of a time: less is not worth a word

DIFFERS = "differs"
WITHIN_SPREAD = "differs within its spread"
BEYOND_SPREAD = "beyond its spread, not significant"
NO_DIFFERENCE = "no difference found"
IDENTICAL = "identical"
NO_TEST = "no test"
NOTHING = "nothing to compare"
_ORDER = (DIFFERS, BEYOND_SPREAD, WITHIN_SPREAD, NO_TEST, NO_DIFFERENCE, IDENTICAL, NOTHING)


@dataclass
class Pair:
    """A configuration that both sides, A and B, have results of."""

    label: str
    scheme_rank: int  # its place among all schemes
    seeds_a: list
    seeds_b: list
    a: np.ndarray  # the metric, by seed; empty where the engine does not know it
    b: np.ndarray
    same_fingerprints: bool
    test: significance.Test = None
    p_corrected: float = None
    alpha: float = 0.05
    left_out_a: int = 0  # points that did not finish
    left_out_b: int = 0
    value: str = ""  # of B, where a sweep is compared along a key
    places: tuple = ()  # configurations of A and B, as place_of() has them
    lacking: tuple = ()  # names of engines that do not know the metric
    own_bounds: bool = False  # A and B have lower bounds that differ
    beside: dict = field(default_factory=dict)  # means of A and B, by columns of other numbers

    @property
    def same_seeds(self):
        return self.seeds_a == self.seeds_b

    @property
    def difference(self):
        """Mean of B less mean of A; None where one of them is not known."""
        return None if self.lacking else float(self.b.mean() - self.a.mean())

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
        mean = float(self.a.mean()) if len(self.a) else 0
        return None if value is None or mean == 0 else 100 * value / abs(mean)

    @property
    def verdict(self):
        if self.lacking:
            return NOTHING
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


def make_pair(label, a, b, metric, alpha):
    """:param a: points of a configuration by seed; b: those of the other side"""
    seeds_a, seeds_b = sorted(a), sorted(b)
    values = [_values(group, metric) for group in (a, b)]
    same = seeds_a == seeds_b and all(_fingerprint(a[s]) == _fingerprint(b[s]) != "" for s in a)
    same = same and np.array_equal(*values)  # times of the computer itself are in no fingerprint
    first_a, first_b = a[seeds_a[0]], b[seeds_b[0]]
    pair = Pair(label, first_b.scheme_rank, seeds_a, seeds_b, *values, same, alpha=alpha)
    pair.own_bounds = bounds_differ([a.values(), b.values()])
    pair.places = tuple(place_of(point, NOT_COMPARED) for point in (first_a, first_b))
    pair.lacking = tuple(
        next(iter(group.values())).engine for group, found in zip((a, b), values) if not len(found)
    )
    for column in first_b.kind.beside:
        means = tuple(_mean(group.values(), column.key) for group in (a, b))
        if means != (None, None):
            pair.beside[column] = means
    if metric in IN_TIME:
        means = tuple(_mean_without_routes(group.values(), metric) for group in (a, b))
        if None not in means:
            pair.beside[replace(WITHOUT_ROUTES, title=f"{metric} without routes")] = means
    if not (same or pair.lacking):
        pair.test = (significance.paired if pair.same_seeds else significance.welch)(*values)
    return pair


def what_is_lacking(pairs, metric):
    """A line for each engine that does not know the metric; ResultError when no pair has it."""
    engines = sorted({engine for pair in pairs for engine in pair.lacking})
    if engines and not any(len(pair.a) or len(pair.b) for pair in pairs):
        reason = f"the engine {' and '.join(engines)} does not know it; see `doc/results.rst`"
        raise ResultError(f"--metric {metric}", reason)
    return [f"the engine {engine} does not know {metric}: - stands for that" for engine in engines]


def metric_of(kind, points):
    """What points are compared by unless something else is asked for: a time, of a study a load."""
    return kind.time_of([point for point in points if point.finished]).key


def what_does_not_compare(pairs, metric):
    """A line where multiples of bounds that differ are compared."""
    apart = [pair for pair in pairs if pair.own_bounds]
    if metric != SIMULATION.ratio.key or not apart:
        return []
    count = f"{len(apart)} of {len(pairs)}"
    return [f"{metric} of {count} is {OWN_BOUND}; --metric {SIMULATION.metric} compares times"]


def what_hashing_decides(sides):
    """
    A line where flows of points share cables by their hash, which may be all that a comparison sees.
    :param sides: by name, the points that are compared
    """
    hashed = {
        name: sum(any(map(_is_of_hash, point.result.get("notes") or [])) for point in points)
        for name, points in sides.items()
    }
    found = [f"{count} of {len(sides[name])} of {name}" for name, count in hashed.items() if count]
    if not found:
        return []
    remedy = "balance.host: spray, by frames with transport.loss_recovery: selective-repeat"
    return [f"a hash has put flows on the same cables in {'; '.join(found)} and may decide: {remedy}"]


def _is_of_hash(note):
    return str(note).startswith("warning: balance.host: a hash ")


def judge(pairs):
    """
    Corrects the probabilities for the number of pairs; the pairs, the most important first, and by
    their schemes where they are alike.
    """
    tested = [pair for pair in pairs if pair.test is not None]
    for pair, p in zip(tested, significance.holm([pair.test.p for pair in tested])):
        pair.p_corrected = p
    return sorted(pairs, key=_by_importance)


def normal(value):
    """A value such that 16MiB and 16384KiB are the same."""
    number = parse_number(value)
    return str(value) if number is None else number


def differing_keys(a, b):
    """Keys of which two groups of points have no value in common, with the values of both."""
    sides = [[point.identity for point in points] for points in (a, b)]
    found = {}
    for key in sorted(set().union(*sides[0], *sides[1]) - NOT_COMPARED):
        values = [{normal(config.get(key)): config.get(key) for config in side} for side in sides]
        if values[0].keys().isdisjoint(values[1]):
            found[key] = tuple(sorted(map(_text, side.values())) for side in values)
    return found


def place_of(point, ignored):
    """What points have in common that belong together: the configuration but for some keys."""
    return frozenset((k, normal(v)) for k, v in point.identity.items() if k not in ignored)


def label_of(point, axes, with_scheme=True):
    """What tells the configuration of a point from others."""
    parts = [point.scheme] if with_scheme else []
    for axis in axes:
        if point.config.get(axis.key) is not None:
            parts.append(f"{axis.name} {axis.label(point.config[axis.key])}")
    return ", ".join(parts)


def seeds_text(seeds):
    return f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, sorted(seeds)))}"


def count_unfinished(pairs, points_a, points_b):
    """Tells each pair how many points of its configurations did not finish, on either side."""
    counts = [
        Counter(place_of(point, NOT_COMPARED) for point in points if not point.finished)
        for points in (points_a, points_b)
    ]
    for pair in pairs:
        pair.left_out_a, pair.left_out_b = (c[place] for c, place in zip(counts, pair.places))


def unfinished(folder, axes):
    """A line for each point of a folder that has no metrics."""
    points = (point for point in folder.points if not point.finished)
    lines = [f"{label_of(p, axes)}, seed {p.seed}: {p.reason}" for p in points]
    return lines + [str(entry) for entry in folder.unreadable]


def _text(value):
    return "(none)" if value is None else shortened(readable(value))


def _values(group, metric):
    """The metric of points by seed, in order of the seed; empty where their engine has no such."""
    if any(point.lacks(metric) for point in group.values()):
        return np.array([])
    return np.array([_metric(group[seed], metric) for seed in sorted(group)])


def _mean(points, key):
    """Of a number that points may lack; None where one does."""
    values = [point.number(key) for point in points]
    return None if None in values else float(np.mean(values))


def _mean_without_routes(points, metric):
    """
    The mean of a time, of each point without what a hash has put on its cables; None where a point
    does not know that.
    """
    numbers = []
    for point in points:
        time, routes = point.number(metric), _cost_of_hash(point)
        if not time or not routes:
            return None
        numbers.append(time / routes)
    return float(np.mean(numbers))


def _lacks_cables(note):
    what, _, ratio = note.partition(": ")
    return what == "largest oversubscription of a switch" and float(ratio) > 1


def _cost_of_hash(point):
    """
    The factor of routes where it is that of a hash, or nothing to speak of; None where it is not known,
    or has other causes: what a fabric lacks in cables or circuits it would lack under spraying too.
    """
    routes = ((point.result.get("explain") or {}).get("factors") or {}).get("routes")
    notes = [str(note) for note in point.result.get("notes") or []]
    is_of_hash = any(map(_is_of_hash, notes)) and not any(map(_lacks_cables, notes))
    return routes if routes and (routes < 1 + NOTABLE or is_of_hash) else None


def _metric(point, metric):
    value = point.result.get(metric)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        known = sorted(
            key
            for key, value in point.result.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        )
        lack = "has null there, as what it ran has no such number" if metric in point.result else "has no such number"
        raise ResultError(f"--metric {metric}", f"{point.folder} {lack}; expected one of {', '.join(known)}")
    return float(value)


def _fingerprint(point):
    return point.result.get("fingerprint") or ""


def _by_importance(pair):
    change = abs(pair.percent(pair.difference) or pair.difference or 0)
    return (_ORDER.index(pair.verdict), -change, pair.scheme_rank)
