# SPDX-License-Identifier: GPL-2.0-only
"""Whether two samples differ by more than chance, by Student's and Welch's t-tests of SciPy."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
from scipy import stats

PAIRED, WELCH = "paired t-test", "Welch's t-test"


@dataclass(frozen=True)
class Test:
    """A test, and how likely so large a difference is between equals."""

    name: str
    p: float


def paired(a, b):
    """Of the same seeds in the same order; None with fewer than two."""
    if len(a) < 2:
        return None
    return _test(PAIRED, stats.ttest_rel, a, b, np.subtract(b, a))


def welch(a, b):
    """Of different seeds; None with fewer than two on a side."""
    if min(len(a), len(b)) < 2:
        return None
    between_means = [np.mean(b) - np.mean(a)]
    return _test(WELCH, lambda a, b: stats.ttest_ind(a, b, equal_var=False), a, b, between_means)


def holm(probabilities):
    """
    Holm's correction: probabilities to compare with a level that then holds for all tests
    together.
    """
    count, least = len(probabilities), 0.0
    corrected = [0.0] * count
    for rank, place in enumerate(np.argsort(probabilities, kind="stable")):
        least = max(least, min(1.0, (count - rank) * probabilities[place]))
        corrected[place] = least
    return corrected


def _test(name, test, a, b, differences):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # on samples without any spread
        p = float(test(a, b)[1])
    if math.isnan(p):  # no spread at all: equal, or different for certain
        p = 0.0 if np.any(differences) else 1.0
    return Test(name, p)
