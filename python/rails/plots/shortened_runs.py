# SPDX-License-Identifier: GPL-2.0-only
"""Trainings of which only some layers or micro-batches are run: what tables say of them."""

import re
from collections import Counter

# As a training notes it; one of several jobs puts its name before.
_NOTE = re.compile(r"(?:job (?P<job>.+?): )?shortened: (?P<part>.+)")


def parts_of(point):
    """What is run of an iteration, in words; empty where it is the whole."""
    found = (_NOTE.fullmatch(str(note)) for note in point.result.get("notes") or [])
    parts = (f"{m['job']}: {m['part']}" if m["job"] else m["part"] for m in found if m)
    return ", ".join(parts)


def shortened(points):
    """
    A line for a table of points, on those that do not stand for a whole iteration; empty where
    all do.
    """
    points = list(points)
    counts = Counter(filter(None, map(parts_of, points)))
    if not counts:
        return ""
    if len(counts) == 1 and sum(counts.values()) == len(points):
        return f"Shortened runs, not a whole iteration: {next(iter(counts))}."
    texts = "; ".join(f"{count} with {parts}" for parts, count in counts.most_common())
    return f"{sum(counts.values())} of {len(points)} runs are shortened, not a whole iteration: {texts}."
