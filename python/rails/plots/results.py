# SPDX-License-Identifier: GPL-2.0-only
"""
The points of a result folder as figures and tables need them: schemes, seeds, axes, and what is
missing.
"""

import itertools
import math
from dataclasses import replace
from functools import cached_property

from ..reader.kinds import kind_of_all, renamed, settle_kind
from ..reader.result_folder import load_folder, sweep_file
from ..reader.units import labels, parse_number, readable, shortened
from .style import in_order

# Lower bounds that differ by no more count as one.
_SAME_BOUND = 1.01
# Keys of the effective descriptor that never are an axis: labels, and the repetition itself.
_NOT_AN_AXIS = {"name", "seed"}
_LARGEST_GRID = 100_000  # places of a scheme; points that vary in more keys were not meant as a grid


class Axis:
    """
    A key of the descriptor, other than scheme and seed, whose value differs between points.

    :param values: with the number of the first point that has it, for each
    :param of_scheme: it is a key of the schemes themselves
    :param given: what the user calls values
    """

    def __init__(self, key, values, of_scheme=False, given=None):
        self.key = key
        self.of_scheme = of_scheme
        self.values = in_order(values)
        self.numbers = [parse_number(value) for value in self.values]
        self.ticks = labels((given or {}).get(value, value) for value in self.values)
        self._labels = dict(zip(self.values, self.ticks))

    def label(self, value):
        """A value for people, short and unlike those of the others."""
        return self._labels.get(value) or shortened(readable(value))

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
    def name(self):
        """What people call it: the last part of the key, or the component whose type it is."""
        parts = self.key.split(".")
        return parts[-2] if parts[-1] == "type" else parts[-1]


class Results:
    """
    The points of a folder, and what is missing from it.

    :param folder: a ResultFolder
    :param grid: every combination of schemes, seeds and values should be there
    """

    def __init__(self, folder, grid=True):
        tell_schemes_apart(folder.points)
        everything = sorted(
            folder.points, key=lambda p: (p.scheme_rank, p.seed, str(p.folder))
        )
        self.folder = folder
        self.kind = kind_of_all(everything)
        self.points = [point for point in everything if point.finished]
        self.axes = find_axes(everything)
        self.time = self.kind.time_of(self.points)
        self.ratio = self.kind.ratio
        if self.ratio.of_baseline:
            self._divide_by_baseline()
            texts = {text: getattr(self.time, text) + getattr(self.ratio, text) for text in ("title", "label")}
            self.ratio = self._name_baseline(replace(self.ratio, **texts), "title", "label", "times")
        self.measure = self._measure_of(self.points)  # what all points are compared by
        # Places in the sweep without a good result.
        self.absent = _absent(everything, self.axes) if grid else _failed(everything, self.axes)
        self._everything = everything

    def _divide_by_baseline(self):
        """Gives points the ratio to the baseline that is equal in everything else."""
        partners = {self._case_of(p): p for p in self.points if p.scheme == self.baseline}
        for point in self.points:
            partner, value = partners.get(self._case_of(point)), point.result.get(self.time.key)
            base = partner.result.get(self.time.key) if partner else None
            point.ratio = value / base if base and value is not None else None
        if all(point.ratio is not None for point in self.points):
            for point in self.points:
                point.result[self.ratio.key] = point.ratio

    def measure_along(self, axis):
        """What points are compared by that differ in their schemes and along one axis alone."""
        cases = _by_place(self.points, [other for other in self.axes if other.key != axis.key])
        # One measure for all cases: a figure shows them one after the other on the same scale.
        measures = [self._measure_of(points) for points in cases]
        return self.time if self.time in measures else self.ratio

    def _measure_of(self, points):
        """The ratio of the kind where it compares these points, else their time."""
        ratio = self.ratio
        if ratio.of_baseline:
            if any(point.ratio is None for point in points):
                return self.time
            # Schemes of this kind have bounds of their own: those of the baseline are compared.
            points = [point for point in points if point.scheme == self.baseline]
        return self.time if self._differ(points) else ratio

    def _differ(self, points):
        return bounds_differ(_by_place(points, [axis for axis in self.axes if not axis.of_scheme]))

    @property
    def own_bounds(self):
        """True where multiples of the bound do not compare: not all points have the same one."""
        return self._differ(self.points)

    @property
    def columns(self):
        """Columns of a table of the points."""
        return self._named(self.kind.columns)

    @property
    def means(self):
        """Columns of a table of their means over seeds."""
        return self._named(self.kind.means)

    def _named(self, columns):
        named = renamed(columns, self.own_bounds)
        return tuple(self._name_baseline(column, "title") for column in named)

    def _name_baseline(self, what, *texts):
        """A ratio, or a column of it, whose texts name the baseline that there is."""
        usual = self.kind.baseline
        if self.baseline in (None, usual) or what.key != self.kind.ratio.key or not self.kind.ratio.of_baseline:
            return what
        changes = {text: getattr(what, text).replace(usual, self.baseline) for text in texts}
        return replace(what, **changes)

    def _case_of(self, point):
        """What points of different schemes have in common that are to be compared."""
        _, *place = point.place([axis for axis in self.axes if not axis.of_scheme])
        return tuple(place)

    @cached_property
    def baseline(self):
        """
        The scheme that the others are held against: the one that the sweep names, else the usual one
        of the kind, whatever it is called; None where it is not there, or sweeps name several.
        """
        component = self.kind.component
        wanted = {baseline.get(component) for baseline in self.folder.baselines} - {None}
        named = {p.scheme for p in self.points if p.text(component) in wanted}
        usual = {p.scheme for p in self.points if p.config[self.kind.type_key] == self.kind.baseline}
        if self.kind.baseline in usual:
            usual = {self.kind.baseline}
        found = named or usual
        return found.pop() if len(found) == 1 else None

    @property
    def failed(self):
        """Points that ended badly."""
        return [point for point in self._everything if not point.finished]

    @property
    def unreadable(self):
        """Folders of which nothing but their name is known."""
        return self.folder.unreadable

    @property
    def failures(self):
        """What failed, in one line each; files that are damaged are told with their place."""
        lines = [str(entry) for entry in self.unreadable if not entry.damaged]
        lines += [f"{describe(p.place(self.axes), self.axes)}: {p.reason}" for p in self.failed]
        known = {point.place(self.axes) for point in self.failed}
        others = [place for place in self.absent if place not in known]
        # A folder that cannot be read is one of these points; which one, is not known.
        if len(others) > len(self.unreadable):
            lines += [f"{describe(place, self.axes)}: no result" for place in others]
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

    def left_out_of(self, scheme):
        """How many points of a scheme its mean leaves out, in words; empty where it is of all."""
        return left_out(self.absent_of(scheme), len(self.of(scheme)))

    def absent_of(self, scheme):
        """How many points of a scheme have no good result."""
        return sum(1 for place in self.absent if place[0] == scheme)


def bounds_differ(cases):
    """
    True where lower bounds at one seed differ by more than 1 %: other seeds draw other traffic,
    which is no difference of the cases. A case that shares no seed with others is compared with all.
    :param cases: lists of points
    """
    bounds, places = {}, {}  # by seed
    for place, points in enumerate(cases):
        for point in filter(lambda point: point.bound_s, points):
            bounds.setdefault(point.seed, []).append(point.bound_s)
            places.setdefault(point.seed, set()).add(place)
    everything = set().union(*places.values())
    shared = set().union(*(found for found in places.values() if len(found) > 1))
    if len(everything) > 1 and everything != shared:
        bounds[None] = list(itertools.chain(*bounds.values()))
    return any(max(found) > _SAME_BOUND * min(found) for found in bounds.values())


def left_out(absent, good):
    """How many points a mean leaves out, in words; empty where there is none."""
    if not absent:
        return ""
    return f"{absent} of {absent + good} left out" if good else "did not finish"


def load(path, conditions=(), everything=False):
    """What there is to draw below a folder; ResultError when that is nothing."""
    # A sweep that says what it was made from says what failed as well, and need not be a grid.
    folder = load_folder(path, conditions, everything)
    results = Results(folder, grid=not sweep_file(path).exists())
    if not results.points:
        raise folder.nothing()
    return results


def tell_schemes_apart(points):
    """
    Names the scheme of each point by its type, its parts (strategies at hosts and switches), and
    those keys of the parts, or of a component without any, that differ between points of the same
    type and are not swept on their own.
    """
    settle_kind(points)
    settle_labels(points)
    swept = {key for point in points for key in point.result.get("axes") or {}}
    values = {}
    for point in points:
        own = values.setdefault(_scheme(point), {})
        inside = tuple(f"{name}." for name in point.kind.named_by)
        for key, value in point.config.items():
            is_type = key in {f"{part}.type" for part in point.kind.parts}
            if key.startswith(inside) and (is_type or key not in swept):
                own.setdefault(key, set()).add(value)
    first = {}
    for point in points:
        differing = {k for k, found in values[_scheme(point)].items() if len(found) > 1}
        point.scheme = _scheme(point, differing)
        first[point.scheme] = min(point.order, first.get(point.scheme, point.order))
    ranks = {scheme: rank for rank, scheme in enumerate(in_order(first))}
    for point in points:
        point.scheme_rank = ranks[point.scheme]


def settle_labels(points):
    """
    Lets the label of a component stand in the configuration of points under the component's key, so
    that it is an axis of its own on which all that is inside follows. Schemes have theirs as names.
    """
    kind = kind_of_all(points)
    keys = {key for point in points for key in point.labels if not kind.is_scheme(key)}
    for point in points:
        for key in keys:
            value = point.text(key) if point.config.get(key) is None else None
            if value is not None:
                point.config[key] = value
                point.named.add(key)


def find_axes(points):
    """
    Axes of a sweep, found in the effective descriptors. A key of schemes is one when it differs
    between points of the same scheme; a key that follows from the axes found before it is not.
    """
    kind, values = kind_of_all(points), {}
    for point in points:
        for key, value in point.config.items():
            first = values.setdefault(key, {})
            first[value] = min(point.order, first.get(value, point.order))
    # Labels and types come before keys, so that a swept component is known by them; keys of schemes
    # come last, so that they do not hide that points differ in what they carry, and where.
    named = set().union(*(point.named for point in points))
    keys = sorted(
        (key for key in values.keys() - _NOT_AN_AXIS if not kind.is_scheme(key)),
        key=lambda key: (kind.is_of_scheme(key), key not in named, not key.endswith(".type"), key),
    )
    axes = []
    for key in keys:
        seen, follows = {}, True
        for point in points:
            known = tuple(point.config.get(axis.key) for axis in axes)
            known += (point.scheme,) if kind.is_of_scheme(key) else ()
            value = point.config.get(key)
            follows = follows and seen.setdefault(known, value) == value
        if not follows:
            axes.append(Axis(key, values[key], kind.is_of_scheme(key), _given(points, key)))
    return axes


def _given(points, key):
    """What the user calls the values of a key."""
    return {p.config.get(key): p.labels[key] for p in points if key in p.labels}


def _by_place(points, axes):
    """Lists of the points that have the same values on some axes."""
    found = {}
    for point in points:
        found.setdefault(tuple(point.config.get(axis.key) for axis in axes), []).append(point)
    return list(found.values())


def _scheme(point, shown=()):
    """
    Type and parts of a scheme, or its label, with the values of some of their keys. A label stands for
    the parts too, unless they differ between points that have it.
    """
    kind, config = point.kind, point.config
    label = point.labels.get(kind.component)
    name = label or str(config[kind.type_key])
    if not kind.parts:
        name += _values(config, kind.component, shown)
    for part, usual in kind.parts.items():
        strategy = config.get(f"{part}.type", config.get(part, usual))
        strategy = point.labels.get(part, strategy)
        values = _values(config, part, shown)
        is_told = strategy != usual if not label else f"{part}.type" in shown
        if is_told or values:
            name += f" + {part.split('.')[1]} {strategy}{values}"
    return name


def _values(config, component, shown):
    """The values of some keys of a component, in brackets; empty where it has none of them."""
    inside = f"{component}."
    keys = sorted(k for k in config if k in shown and k.startswith(inside) and k != inside + "type")
    values = (f"{key.removeprefix(inside)} {readable(config[key])}" for key in keys)
    return f" ({', '.join(values)})" if keys else ""


def _schemes(points):
    ranks = {point.scheme: point.scheme_rank for point in points}
    return sorted(ranks, key=ranks.get)


def _absent(points, axes):
    """Places of the full grid of schemes, seeds and axis values that have no good result."""
    good = {point.place(axes) for point in points if point.finished}
    seeds = sorted({point.seed for point in points})
    if math.prod([len(seeds), *(len(axis.values) for axis in axes)]) > _LARGEST_GRID:
        return _failed(points, axes)
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
    good = {point.place(axes) for point in points if point.finished}
    return list(dict.fromkeys(p.place(axes) for p in points if p.place(axes) not in good))


def describe(place, axes):
    """A place in a sweep in words."""
    scheme, seed, *values = place
    text = f"{scheme}, seed {seed}"
    for axis, value in zip(axes, values):
        if value is not None:
            text += f", {axis.name} {axis.label(value)}"
    return text
