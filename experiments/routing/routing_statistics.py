#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Statistics of traces of token counts, a column for each: ./routing_statistics.py TRACE...

Largest share: tokens of the most popular expert over the mean of experts; of the busiest rank likewise. Elsewhere: the part
of the tokens between ranks that is not where one popularity, common to all ranks, puts it; by sampling: the same of counts
that are drawn from such a popularity. Changed: the part of the tokens that goes to other experts.
"""

import sys

import numpy as np


def read(path):
    """Counts by iteration, layer, micro-batch, rank and expert, and the iterations."""
    rows = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    places = [np.unique(rows[:, column], return_inverse=True) for column in range(4)]
    counts = np.zeros([len(values) for values, _ in places] + [rows.shape[1] - 4])
    counts[tuple(at for _, at in places)] = rows[:, 4:]
    return counts, places[0][0]


def elsewhere(matrix):
    expected = np.outer(matrix.sum(1), matrix.sum(0)) / matrix.sum()
    return np.abs(matrix - expected).sum() / 2 / matrix.sum()


def sampled(matrix, random):
    popularity = matrix.sum(0) / matrix.sum()
    return np.array([random.multinomial(int(row.sum()), popularity) for row in matrix])


def changed(one, other):
    return np.abs(one / one.sum(-1, keepdims=True) - other / other.sum(-1, keepdims=True)).sum(-1) / 2


def statistics(path):
    """Values by name."""
    counts, iterations = read(path)
    ranks, experts = counts.shape[3:]
    by_rank = counts.reshape(*counts.shape[:4], ranks, experts // ranks).sum(-1)
    total, received = counts.sum(3), by_rank.sum(3)
    matrices = by_rank.reshape(-1, ranks, ranks)
    random = np.random.RandomState(1)
    own = {"matrices of ranks": f"{len(matrices)}"}
    for at, iteration in enumerate(iterations):
        peaks = total[at].max(-1) / total[at].mean(-1)
        own[f"largest share of an expert, iteration {iteration}"] = f"{np.median(peaks):.1f} ({peaks.min():.1f}-{peaks.max():.1f})"
    busiest = received[1:].max(-1) / received[1:].mean(-1)
    own[f"busiest rank over the mean, from iteration {iterations[1]} on"] = f"{np.median(busiest):.1f}"
    largest = np.sort(total[-1].reshape(-1, experts), axis=1)[:, ::-1]
    part = np.median(largest[:, : experts * 5 // 32].sum(1) / largest.sum(1))
    own[f"tokens of 5 in 32 experts, iteration {iterations[-1]}"] = f"{100 * part:.0f} %"
    for name, values in (
        ("elsewhere", [elsewhere(matrix) for matrix in matrices]),
        ("elsewhere by sampling", [elsewhere(sampled(matrix, random)) for matrix in matrices]),
    ):
        quantiles = " / ".join(f"{100 * value:.1f}" for value in np.quantile(values, [0.5, 0.9, 1]))
        own[f"{name}, median / ninth decile / most"] = f"{quantiles} %"
    for at in range(1, len(iterations)):
        name = f"changed from iteration {iterations[at - 1]} to {iterations[at]}"
        own[name] = f"{100 * np.median(changed(total[at - 1], total[at])):.0f} %"
    if total.shape[2] > 1:
        own["changed from micro-batch to micro-batch"] = f"{100 * np.median(changed(total[:, :, 0], total[:, :, 1])):.1f} %"
    return own


def main(paths):
    if not paths or paths[0].startswith("-"):
        print(__doc__.strip())
        return 2 if not paths else 0
    found = [statistics(path) for path in paths]
    for name in found[0]:
        print(f"{name:52}", *(f"{own.get(name, ''):>20}" for own in found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
