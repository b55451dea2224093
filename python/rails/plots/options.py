# SPDX-License-Identifier: GPL-2.0-only
"""
What a sweep lets one choose between: the options, that is schemes and values of its axes, compared
where they do the same work. Seeds repeat an option.
"""

from dataclasses import dataclass, field

import numpy as np

from ..reader.work_keys import is_inside, is_work
from .growth import difference
from .results import left_out

# What seeds tell of a difference: it is within its spread; beyond it, but a t-test does not exclude
# that there is none; neither; a single run leaves it unknown.
LEVEL, OPEN, DIFFERS, UNKNOWN = "level", "more seeds would tell", "", "single runs"
_LEVEL = 1.001  # means that differ by no more are level, whatever a test says


@dataclass
class Option:
    """A way to do some work, and the runs that tried it."""

    scheme: str
    config: dict  # its values on the axes
    points: list  # with a result
    failed: list  # that ended without one
    absent: int  # how many of these no other run makes up for
    name: str = ""  # what tells it from the others
    values: dict = field(default_factory=dict)  # by seed

    @property
    def anywhere(self):
        """One of its points, be it good or bad."""
        return (self.points or self.failed)[0]

    @property
    def mean(self):
        return float(np.mean(list(self.values.values())))

    @property
    def sd(self):
        """None of a single run."""
        return float(np.std(list(self.values.values()), ddof=1)) if self.n > 1 else None

    @property
    def n(self):
        return len(self.values)

    @property
    def left_out(self):
        return left_out(self.absent, self.n)

    @property
    def no_rival(self):
        """Why it is beside the others and not among them; empty of nearly all."""
        is_oracle = any(point.result.get("oracle") for point in self.points)
        return "oracle: does what no real system can" if is_oracle else ""

    def mean_of(self, key):
        """The mean of another number of its points; None where one has none."""
        numbers = [point.number(key) for point in self.points]
        return None if not numbers or None in numbers else float(np.mean(numbers))

    def has(self, texts):
        """True where its points have some values, by keys, as the user or the sweep calls them."""
        return all(self.anywhere.text(key) == text for key, text in texts.items())

    def verdict_on(self, other):
        """What the seeds tell of the difference to another option."""
        low, high = sorted((self.mean, other.mean))
        if high <= low * _LEVEL:
            return LEVEL
        found = difference(self.values, other.values)
        if found is None:
            return UNKNOWN
        mean, spread = found
        if abs(mean.mean) <= spread:
            return LEVEL
        return OPEN if mean.low <= 0 <= mean.high else DIFFERS


@dataclass
class Case:
    """The options for one piece of work."""

    name: str  # empty where there is no other
    measure: object  # what they are compared by
    options: list  # with a result, the best first
    without: list  # options without any
    rate: str = ""  # key of what they achieve in a second, where they have that
    baselines: list = field(default_factory=list)  # by axis what a sweep compares others with

    @property
    def rivals(self):
        """Those that are compared: all that a real system can do, or all there are."""
        return [option for option in self.options if not option.no_rival] or self.options

    def base_of(self, option, baseline):
        """The option of a baseline that is equal to another one in all else; None where there is not one."""
        found = [other for other in self.options if other.has(baseline)]
        if len(found) > 1 or len(self.baselines) > 1:
            aside = _without(option, baseline)
            found = [other for other in found if _without(other, baseline) == aside]
        return found[0] if len(found) == 1 else None

    @property
    def points(self):
        return [point for option in self.options for point in option.points]

    @property
    def count(self):
        return len(self.options) + len(self.without)


def _without(option, baseline):
    """What an option is beside the components and keys that a baseline names."""
    kind = option.anywhere.kind
    scheme = "" if kind.component in baseline else option.scheme
    config = {key: value for key, value in option.config.items() if not any(is_inside(key, part) for part in baseline)}
    return scheme, config


def cases_of(groups):
    """The cases of a report, in the order of its axes and of their sizes."""
    work = [axis for axis in groups.axes if is_work(axis.key)]
    found = {}
    for option in _options_of(groups):
        key = (*(option.config.get(axis.key) for axis in work), option.anywhere.gpus)
        found.setdefault(key, []).append(option)
    order = [{value: number for number, value in enumerate(axis.values)} for axis in work]
    keys = sorted(found, key=lambda key: ([o.get(v, -1) for o, v in zip(order, key)], key[-1] or 0))
    names = _Names(groups)
    has_sizes = len({key[-1] for key in found}) > 1
    ways = [axis for axis in groups.axes if axis not in work and _varies(axis, found.values())]
    cases = []
    for key in keys:
        for option in found[key]:
            option.name = names.of_option(option, ways)
        size = f"{key[-1]:g} GPUs" if has_sizes and key[-1] else ""
        name = ", ".join(filter(None, (names.of_case(work, found[key][0].config), size)))
        cases.append(_case(groups.results, name, found[key]))
    return cases


def _options_of(groups):
    absent, failed = groups.absent_by(groups.axes), groups.failed_by(groups.axes)
    places = {*groups.of, *failed}
    for scheme, place in sorted(places, key=lambda found: (found[1], groups.schemes.index(found[0]))):
        good, bad = (of.get((scheme, place), []) for of in (groups.of, failed))
        missing = len(absent.get((scheme, place), []))
        yield Option(scheme, groups.config_of(place), good, bad, missing)


def _varies(axis, cases):
    """True where an axis tells options of the same work apart."""
    return any(len({option.config.get(axis.key) for option in case}) > 1 for case in cases)


def _case(results, name, options):
    kind = results.kind
    measure = kind.time_of([point for option in options for point in option.points])
    for option in options:
        numbers = {point.seed: point.number(measure.key) for point in option.points}
        option.values = {seed: value for seed, value in numbers.items() if value is not None}
    there = sorted((option for option in options if option.values), key=lambda option: option.mean)
    has_rate = there and all(option.mean_of("tokens_per_s") for option in there)
    without = [option for option in options if not option.values]
    rate = "tokens_per_s" if has_rate else ""
    return Case(name, measure, there, without, rate, results.folder.baselines)


class _Names:
    """What options and cases are called."""

    def __init__(self, groups):
        points = groups.results.points + groups.results.failed
        self._has_schemes = len(groups.schemes) > 1
        self._labelled = {key for point in points for key in point.labels}

    def of_option(self, option, ways):
        """Its values and its scheme, which has those of its own behind it."""
        config = option.config
        name = self._of({axis: axis.name for axis in ways if not axis.of_scheme}, config)
        own = self._of({axis: axis.name for axis in ways if axis.of_scheme}, config)
        is_told = self._has_schemes or own or not name
        scheme = f"{option.scheme} ({own})" if own else option.scheme
        return ", ".join(filter(None, (name, scheme if is_told else "")))

    def of_case(self, work, config):
        """Its values, with as much of their keys as says what they are of."""
        return self._of({axis: axis.key.removeprefix("workload.") for axis in work}, config)

    def _of(self, names, config):
        """Values behind names of their axes; labels and types of components stand for themselves."""
        texts = []
        for axis, name in names.items():
            if config.get(axis.key) is not None:
                label = axis.label(config[axis.key])
                is_clear = axis.key in self._labelled or axis.key.endswith(".type")
                texts.append(label if is_clear else f"{name} {label}")
        return ", ".join(texts)
