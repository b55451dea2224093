# SPDX-License-Identifier: GPL-2.0-only
"""
How near measured values come to published ones, by rules that are the same for every figure of every paper. Nothing of it
is written by hand.
"""

import itertools
import math
from dataclasses import dataclass

from .comparison_figures import number

REPRODUCED, NEAR, DIFFERS = "reproduced", "near", "differs"
UNKNOWN, NOT_RUN, NOT_BUILT = "value unknown", "not run", "not built"
WORDS = (REPRODUCED, NEAR, DIFFERS, UNKNOWN, NOT_RUN, NOT_BUILT)
SAME, CLOSE = 0.05, 0.25
RULES = f"""\
A published value is the same as ours within {100 * SAME:g} % of it, or within {100 * CLOSE:g} % and between our lowest and highest
seed; close within {100 * CLOSE:g} %, or between our seeds. Two values have an order where they are more than {100 * SAME:g} %
apart: of schemes at one place, or of one scheme at places that follow each other. It is inverted where ours have the opposite.
{REPRODUCED}: all values are the same, no order is inverted
{NEAR}: all values that have a result are close, no order is inverted
{DIFFERS}: anything else
{UNKNOWN}: what the paper has is a claim in words, or a figure without its values
{NOT_RUN}: it can be made, and no outcome is kept yet
{NOT_BUILT}: nothing here makes it"""
_SHOWN, _MOST = 2, 6  # inversions, and values of ours, that a reason names
_EXPONENTS = "theory"  # which are compared as they are, not in shares of 0


@dataclass(frozen=True)
class Inversion:
    """Two rows whose order is the opposite of the paper's."""

    lower: object  # in the paper
    higher: object

    @property
    def is_sure(self):
        """Whether all seeds have it."""
        return self.lower.low > self.higher.high

    def __str__(self):
        one, other = self.lower, self.higher
        if one.scheme != other.scheme:
            names = [row.scheme for row in (one, other)]
            place = [str(part) for part in (one.case, place_of(one.x)) if part]
        else:
            names = [f"at {place_of(row.x)}" for row in (one, other)]
            place = [part for part in (one.case, one.scheme) if part]
        end = "" if self.is_sure else ", within the spread over seeds"
        return (
            f"{', '.join(place)}: {names[0]} ({number(one.mean)}) above {names[1]} ({number(other.mean)}); "
            f"paper {one.paper}, {other.paper}{end}"
        )


@dataclass(frozen=True)
class Verdict:
    """What the rules say of a figure."""

    word: str
    inversions: tuple = ()
    orders: int = 0  # pairs with an order in the paper and a result
    near: tuple = ()  # numbers of values that are the same, close, neither
    missing: int = 0  # published values without a result
    furthest: object = None  # row
    own: tuple = ()  # rows, where nothing is published

    @property
    def values(self):
        return sum(self.near)

    def describe(self):
        """In a line, inversions first."""
        parts = []
        if self.inversions:
            shown = [str(inversion) for inversion in self.inversions[:_SHOWN]]
            more = len(self.inversions) - len(shown)
            parts.append("inverted: " + "; ".join(shown) + (f"; and {more} more" if more else ""))
        if self.values:
            parts.append(f"{self.near[0]} of {self.values} values the same, {self.near[1]} close")
        if self.furthest is not None:
            row = self.furthest
            where = ", ".join(part for part in (row.case, row.scheme, str(place_of(row.x))) if part)
            parts.append(f"furthest {where}: {number(row.mean)} for {row.paper}")
        if self.own and isinstance(self.own[0].x, str):
            first = self.own[0].x
            shown = [f"{row.scheme} {number(row.mean)}" for row in self.own if row.x == first]
            parts.append(f"ours {place_of(first)}: " + ", ".join(shown[:_MOST]) + ", ..." * (len(shown) > _MOST))
        if self.missing:
            parts.append(f"{self.missing} published {'value has' if self.missing == 1 else 'values have'} no result")
        return "; ".join(parts)


def deviation(row):
    """How far a mean is from what the paper has, as a share of it; 0 inside of a range or bound."""
    low, high = row.paper.ends
    if low <= row.mean <= high:
        return 0.0
    end = low if row.mean < low else high
    away = abs(row.mean - end)
    if row.paper.kind == _EXPONENTS:
        return away
    return away / abs(end) if end else math.inf


def is_same(row):
    """Whether a published value is ours."""
    away = deviation(row)
    return away <= SAME or (away <= CLOSE and _is_spanned(row))


def is_close(row):
    return deviation(row) <= CLOSE or _is_spanned(row)


def _is_spanned(row):
    """Whether a published value lies between our seeds."""
    return row.paper.is_value and row.count > 1 and row.low <= row.paper.value <= row.high


def inverted(rows):
    """
    :return: how many pairs have an order in the paper and a result, and those that are inverted, sure ones first
    """
    known = [row for row in rows if row.deviation is not None]
    orders, wrong = 0, []
    for one, other in [*_beside(known), *_after(known)]:
        if _differ(one.paper.value, other.paper.value):
            orders += 1
            lower, higher = sorted((one, other), key=lambda row: row.paper.value)
            if lower.mean > higher.mean and _differ(lower.mean, higher.mean):
                wrong.append(Inversion(lower, higher))
    wrong.sort(key=lambda inversion: not inversion.is_sure)
    return orders, wrong


def _beside(rows):
    """Pairs of schemes at one place."""
    for one, other in itertools.combinations(rows, 2):
        if (one.case, one.x) == (other.case, other.x) and one.scheme != other.scheme:
            yield one, other


def _after(rows):
    """Pairs of places of one scheme that follow each other."""
    lines = {}
    for row in rows:
        if isinstance(row.x, float):
            lines.setdefault((row.case, row.scheme), []).append(row)
    for line in lines.values():
        line.sort(key=lambda row: row.x)
        yield from zip(line, line[1:])


def _differ(one, other):
    return abs(one - other) > SAME * max(abs(one), abs(other))


def judge(rows):
    """The verdict on a figure, of rows with published values."""
    published = [row for row in rows if row.paper is not None]
    found = [row for row in published if row.count]
    missing = len(published) - len(found)
    if not found:
        own = () if published else tuple(row for row in rows if row.count)
        return Verdict(NOT_RUN if published else UNKNOWN, missing=missing, own=own)
    orders, wrong = inverted(found)
    same = [row for row in found if is_same(row)]
    rest = [row for row in found if not is_same(row)]
    close = [row for row in rest if is_close(row)]
    word = DIFFERS
    if not wrong and len(close) == len(rest):
        word = NEAR if rest or missing else REPRODUCED
    counts = len(same), len(close), len(rest) - len(close)
    furthest = max(rest, key=deviation) if rest else None
    return Verdict(word, tuple(wrong), orders, counts, missing, furthest)


def place_of(x):
    """A value of x in words."""
    if isinstance(x, float):
        return "never" if math.isinf(x) else f"{x:g}"
    return x
