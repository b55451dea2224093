# SPDX-License-Identifier: GPL-2.0-only
"""Intervals of Student's t for means over seeds, and whether figures show them."""

import math
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

USUAL = 95.0  # percent


@dataclass
class _Wanted:
    percent: float = None  # None: figures show single seeds and their range


_wanted = _Wanted()


@contextmanager
def shown(percent):
    """Figures drawn in here show intervals in place of ranges; of None percent: ranges."""
    _wanted.percent = percent
    try:
        yield
    finally:
        _wanted.percent = None


def are_shown():
    return _wanted.percent is not None


def percent():
    """Of the intervals in figures and in their tables."""
    return USUAL if _wanted.percent is None else _wanted.percent


def name():
    """What a legend calls them."""
    return f"{percent():g} % interval of the mean"


def ends(values):
    """What a figure shows around the mean of values: an interval where wanted, or their range."""
    values = np.asarray(values, dtype=float)
    if not are_shown():
        return values.min(), values.max()
    half = half_width(values)
    return (values.mean() - half, values.mean() + half) if half is not None else (values.mean(),) * 2


def half_width(values):
    """
    How far the interval of the mean goes to either side; None of a single value. Seeds are taken as
    independent, and their values as normal.
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return None
    return quantile(percent(), len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))


def quantile(confidence, degrees):
    """
    What Student's t of some degrees of freedom is within, to either side, with so many percent.
    With t = sqrt(degrees) tan(angle) its density goes with cos(angle) to the power degrees - 1.
    """
    angles = np.linspace(0, math.pi / 2, 20_001)
    density = np.cos(angles) ** (degrees - 1)
    steps = (density[1:] + density[:-1]) / 2
    share = np.append(0, np.cumsum(steps)) / steps.sum()
    return math.sqrt(degrees) * math.tan(np.interp(confidence / 100, share, angles))
