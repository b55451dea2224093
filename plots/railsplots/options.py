# SPDX-License-Identifier: GPL-2.0-only
"""
What a sweep lets one choose between: the options, that is schemes and values of its axes, compared
where they do the same work. Seeds repeat an option.
"""

from dataclasses import dataclass, field

import numpy as np

from .growth import difference
from .results import left_out
from .style import scheme_order

# Keys that say what is to be done, and under which circumstances. All others are ways to do it.
_WORK = ("workload", "failures", "engine", "experts", "topology.domains", "topology.gpus_per_domain")
_WAYS = (
    "workload.experts",
    "workload.parallel",
    "workload.exchange",
    "workload.expert_transfers",
    "workload.copy_pieces",
    "workload.merged_groups",
    "workload.schedule",
    "workload.recompute",
    "workload.collectives",
    "workload.communicators",
    "workload.ring_steps",
    "workload.algorithm",
    "experts.policy",
    "experts.slots",
    "experts.merged_groups",
)
# What seeds tell of a difference: it is within its spread; beyond it, but a t-test does not exclude
# that there is none; neither; a single run leaves it unknown.
LEVEL, OPEN, DIFFERS, UNKNOWN = "level", "more seeds would tell", "", "single runs"
_LEVEL = 1.001  # means that differ by no more are level, whatever a test says


@dataclass
class Option:
    """A way to do some work, and the runs that tried it."""

    scheme: str
    name: str
    config: dict  # its values on the axes that tell options of a case apart
    points: list  # with a result
    failed: list  # that ended without one
    absent: int  # how many of these no other run makes up for
    values: dict = field(default_factory=dict)  # by seed

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

    @property
    def rivals(self):
        """Those that are compared: all that a real system can do, or all there are."""
        return [option for option in self.options if not option.no_rival] or self.options

    @property
    def points(self):
        return [point for option in self.options for point in option.points]

    @property
    def count(self):
        return len(self.options) + len(self.without)


def cases_of(groups):
    """The cases of a report, in the order of its axes."""
    work = [axis for axis in groups.axes if _is_work(axis.key)]
    ways = [axis for axis in groups.axes if axis not in work]
    absent, failed = groups.absent_by(groups.axes), groups.failed_by(groups.axes)
    found = {}
    for scheme, place in sorted({*groups.of, *failed}, key=lambda g: (g[1], scheme_order(g[0]))):
        config = groups.config_of(place)
        points = groups.of.get((scheme, place), [])
        case = tuple(config.get(axis.key) for axis in work)
        name = _option_name(groups, scheme, ways, config)
        own = {axis.key: config[axis.key] for axis in ways if axis.key in config}
        missing = len(absent.get((scheme, place), []))
        option = Option(scheme, name, own, points, failed.get((scheme, place), []), missing)
        found.setdefault(case, []).append(option)
    order = [{value: number for number, value in enumerate(axis.values)} for axis in work]
    return [
        _case(groups, _name(work, dict(zip((axis.key for axis in work), case))), options)
        for case, options in sorted(
            found.items(), key=lambda item: [o.get(v, -1) for o, v in zip(order, item[0])]
        )
    ]


def _case(groups, name, options):
    kind = groups.results.kind
    points = [point for option in options for point in option.points]
    known = (m for m in kind.in_time if points and all(p.number(m.key) is not None for p in points))
    measure = next(known, kind.ratio)
    for option in options:
        numbers = {point.seed: point.number(measure.key) for point in option.points}
        option.values = {seed: value for seed, value in numbers.items() if value is not None}
    there = sorted((option for option in options if option.values), key=lambda option: option.mean)
    has_rate = there and all(option.mean_of("tokens_per_s") for option in there)
    without = [option for option in options if not option.values]
    return Case(name, measure, there, without, "tokens_per_s" if has_rate else "")


def _is_work(key):
    def is_in(parts):
        return any(key == part or key.startswith(f"{part}.") for part in parts)

    return is_in(_WORK) and not is_in(_WAYS)


def _option_name(groups, scheme, ways, config):
    """Its values and its scheme, which has those of its own behind it."""
    name = _name([axis for axis in ways if not axis.of_scheme], config)
    own = _name([axis for axis in ways if axis.of_scheme], config)
    is_told = len(groups.schemes) > 1 or own or not name
    whole = f"{scheme} ({own})" if own else scheme
    return ", ".join(filter(None, (name, whole if is_told else "")))


def _name(axes, config):
    """Values in words: a component's type says what it is, others need their key."""
    texts = []
    for axis in axes:
        if config.get(axis.key) is not None:
            label = axis.label(config[axis.key])
            texts.append(label if axis.key.endswith(".type") else f"{axis.name} {label}")
    return ", ".join(texts)
