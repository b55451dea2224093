# SPDX-License-Identifier: GPL-2.0-only
"""Cumulative distributions."""

import numpy as np


def empirical_cdf(values):
    """Sorted values and, for each, the fraction of all values that are not larger."""
    ordered = np.sort(np.asarray(values, dtype=float))
    return ordered, np.arange(1, len(ordered) + 1) / len(ordered)


def histogram_ccdf(uppers, weights):
    """
    Complementary distribution of a histogram: for each upper edge of a bin the fraction of the
    weight above it. Bins may come in any order and more than once (the same class in several runs).
    """
    edges, where = np.unique(np.asarray(uppers, dtype=float), return_inverse=True)
    sums = np.bincount(where, weights=np.asarray(weights, dtype=float), minlength=len(edges))
    total = sums.sum()
    # Added up from the top, so that the smallest fractions are exact.
    above = np.append(np.cumsum(sums[::-1])[::-1][1:], 0)
    return edges, above / total if total > 0 else np.zeros(len(edges))


def thin(x, y, limit=400):
    """At most `limit` points of a curve, both ends kept: more cannot be told apart on paper."""
    if len(x) <= limit:
        return x, y
    keep = np.unique(np.linspace(0, len(x) - 1, limit).round().astype(int))
    return x[keep], y[keep]
