#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Searches for the flows for which longest-first placement on N rails (LPT) is furthest from the best
placement, beside Graham's bound 4/3 - 1/(3N). Random sizes and small changes of the worst so far; the
best placement is found exactly. The same seed gives the same lpt-gap.csv.
"""

import argparse
import csv
import random
import sys
from fractions import Fraction
from pathlib import Path

_MOST_STEPS = 20_000  # of a packing; sizes that take more are passed over, and counted


class TooLong(Exception):
    """A best placement was not found in time."""


def place_longest_first(sizes, rails):
    """The largest load; the lowest of equally loaded rails gets the next."""
    loads = [0] * rails
    for size in sorted(sizes, reverse=True):
        loads[loads.index(min(loads))] += size
    return max(loads)


def find_least(sizes, rails, most):
    """The smallest possible largest load, known to be at most `most`."""
    sizes = sorted(sizes, reverse=True)
    least = max(sizes[0], -(-sum(sizes) // rails))
    if len(sizes) > rails:
        least = max(least, sizes[rails - 1] + sizes[rails])
    while least < most and not _fits(sizes, rails, least):
        least += 1
    return least


def _fits(sizes, rails, room):
    """Whether all sizes, longest first, go into rails of so much room."""
    left = [room] * rails
    spare = room * rails - sum(sizes)
    steps = 0

    def place(number):
        nonlocal steps
        steps += 1
        if steps > _MOST_STEPS:
            raise TooLong
        if number == len(sizes):
            return True
        size = sizes[number]
        # Room that even the shortest does not fill is lost for good.
        if sum(space for space in left if space < sizes[-1]) > spare:
            return False
        tried = set()
        for rail in range(rails):
            if left[rail] >= size and left[rail] not in tried:
                tried.add(left[rail])
                left[rail] -= size
                if place(number + 1):
                    return True
                left[rail] += size
        return False

    return place(0)


class Search:
    """Random sizes, each followed by small changes as long as they do not improve LPT."""

    def __init__(self, rails, seed):
        self._rails = rails
        self._random = random.Random(f"{seed}-{rails}")
        self.tried = 0
        self.passed_over = 0
        self.worst = (Fraction(1), [1])

    def run(self, starts, changes):
        for _ in range(starts):
            sizes = self._draw()
            ratio = self._measure(sizes)
            for _ in range(changes):
                other = self._change(sizes)
                found = self._measure(other)
                if found >= ratio:
                    sizes, ratio = other, found
            found = (ratio, sorted(sizes, reverse=True))
            self.worst = max(self.worst, found, key=lambda worst: (worst[0], -sum(worst[1])))

    def _measure(self, sizes):
        self.tried += 1
        longest_first = place_longest_first(sizes, self._rails)
        try:
            return Fraction(longest_first, find_least(sizes, self._rails, longest_first))
        except TooLong:
            self.passed_over += 1
            return Fraction(0)

    def _draw(self):
        count = self._random.randint(self._rails + 1, 2 * self._rails + 3)
        most = self._random.randint(3, 3 * self._rails)
        return [self._random.randint(1, most) for _ in range(count)]

    def _change(self, sizes):
        other = list(sizes)
        for _ in range(self._random.choice((1, 1, 2, 3))):
            place = self._random.randrange(len(other))
            kind = self._random.random()
            if kind < 0.6:
                other[place] = max(1, other[place] + self._random.choice((-1, 1)))
            elif kind < 0.8:
                other[place] = self._random.choice(other)
            elif kind < 0.9 and len(other) < 2 * self._rails + 3:
                other.append(self._random.choice(other))
            elif len(other) > self._rails + 1:
                other.pop(place)
        return other


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("lpt-gap.csv"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--starts", type=int, default=200, help="for each number of rails")
    parser.add_argument("--changes", type=int, default=1500, help="of each start")
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["rails", "bound", "worst", "lpt", "optimum", "tried", "passed_over", "sizes"])
        for rails in range(2, 9):
            search = Search(rails, options.seed)
            search.run(options.starts, options.changes)
            ratio, sizes = search.worst
            bound = Fraction(4, 3) - Fraction(1, 3 * rails)
            if ratio > bound:
                sys.exit(f"{sizes} on {rails} rails: {ratio} is above the bound {bound}")
            longest_first = place_longest_first(sizes, rails)
            table.writerow([rails, f"{float(bound):.4f}", f"{float(ratio):.4f}", longest_first,
                            longest_first / ratio, search.tried, search.passed_over,
                            " ".join(map(str, sizes))])
            file.flush()


main()
