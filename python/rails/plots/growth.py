# SPDX-License-Identifier: GPL-2.0-only
"""How queues grow with the length of a message: exponents with their confidence intervals."""

from dataclasses import dataclass

import numpy as np

# Quantile 0.975 of Student's t distribution for 1, 2, ... degrees of freedom.
_T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179)
_T_975 += (2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064)
_T_975 += (2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


@dataclass(frozen=True)
class Exponent:
    """Slope on log-log scales: mean over seeds and its 95 % confidence interval."""

    mean: float
    low: float
    high: float
    seeds: int

    def __str__(self):
        mean, low, high = (f"{round(end, 2) + 0.0:.2f}" for end in (self.mean, self.low, self.high))
        return f"{mean} ({low} to {high})" if self.seeds > 1 else mean

    def is_above(self, other):
        """True when the intervals are disjoint and this is the higher one."""
        return self.low > other.high


def interval(values):
    """Mean of independent values and its 95 % confidence interval (normal errors assumed)."""
    values = np.asarray(values, dtype=float)
    mean = float(values.mean())
    if len(values) < 2:
        return Exponent(mean, float("-inf"), float("inf"), len(values))
    half = _quantile(len(values) - 1) * float(values.std(ddof=1)) / len(values) ** 0.5
    return Exponent(mean, mean - half, mean + half, len(values))


def difference(a, b):
    """
    How much larger the mean of b is, with its 95 % confidence interval, and its standard deviation
    over seeds: of the differences where both have the same seeds, else of both samples together,
    and the interval by Welch's formula.
    :param a: values by seed
    :return: None where a single seed leaves it unknown
    """
    if min(len(a), len(b)) < 2:
        return None
    if a.keys() == b.keys():
        differences = [b[seed] - a[seed] for seed in a]
        return interval(differences), float(np.std(differences, ddof=1))
    samples = [np.array(list(values.values()), dtype=float) for values in (a, b)]
    mean = float(samples[1].mean() - samples[0].mean())
    variances = [float(values.var(ddof=1)) / len(values) for values in samples]
    total, half = sum(variances), 0.0
    if total > 0:
        parts = (v**2 / (len(values) - 1) for v, values in zip(variances, samples))
        half = _quantile(int(total**2 / sum(parts))) * total**0.5
    spread = sum(float(values.var(ddof=1)) for values in samples) ** 0.5
    return Exponent(mean, mean - half, mean + half, len(a) + len(b)), spread


def _quantile(degrees):
    return _T_975[degrees - 1] if degrees <= len(_T_975) else 1.96


def fit(queues):
    """
    :param queues: by seed, queue length by message length
    :return: the exponent, fitted for each seed by least squares; None with fewer than two lengths
    """
    slopes = []
    for lengths in queues.values():
        places = sorted(length for length, queue in lengths.items() if queue > 0)
        if len(places) > 1:
            logs = np.log([lengths[place] for place in places])
            slopes.append(np.polyfit(np.log(places), logs, 1)[0])
    return interval(slopes) if slopes else None
