#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Solves LP 1 and LP 4 of MicroMoE with SciPy (HiGHS), formulated as the paper prints them: for tests.

Reads cases from a file, each "gpus experts weight", a line of hosts by expert, and a line of tokens
by GPU with a number for each expert; prints the least cost of each. Ends with 77 without SciPy.
"""

import sys

try:
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix
except ImportError:
    sys.exit(77)


def least_cost(gpus, experts, weight, hosts, tokens):
    """Of the largest load and, weighted, the largest number of tokens sent or got."""
    pairs = [(expert, host) for expert in range(experts) for host in hosts[expert]]
    many = len(pairs)
    computed, sent = 2 * many, 2 * many + 1  # behind x and l of each pair
    upper, equal = [], []
    right, load = [], tokens.sum(axis=0)
    for row, (expert, host) in enumerate(pairs):  # l <= x
        upper += [(row, many + row, 1), (row, row, -1)]
        right.append(0)
        equal.append((expert, row, 1))
    for gpu in range(gpus):
        here = [at for at, (_, host) in enumerate(pairs) if host == gpu]
        row = len(right)  # load, got, sent
        for at in here:
            upper += [(row, at, 1), (row + 1, at, 1), (row + 1, many + at, -1), (row + 2, many + at, -1)]
        upper += [(row, computed, -1), (row + 1, sent, -1), (row + 2, sent, -1)]
        right += [0, 0, -tokens[gpu].sum()]
    bounds = [(0, None)] * many + [(0, tokens[host, expert]) for expert, host in pairs]
    bounds += [(0, None)] * 2
    cost = np.zeros(2 * many + 2)
    cost[computed], cost[sent] = 1, weight
    result = linprog(
        cost,
        A_ub=_matrix(upper, (len(right), len(cost))),
        b_ub=right,
        A_eq=_matrix(equal, (experts, len(cost))),
        b_eq=load,
        bounds=bounds,
        method="highs",
    )
    assert result.status == 0, result.message
    return result.fun


def _matrix(entries, shape):
    rows, columns, values = zip(*entries)
    return coo_matrix((values, (rows, columns)), shape=shape).tocsr()


def main():
    with open(sys.argv[1]) as file:
        for line in file:
            gpus, experts, weight = line.split()
            hosts = [[int(host) for host in one.split(",")] for one in next(file).split()]
            tokens = np.array([float(count) for count in next(file).split()])
            shape = (int(gpus), int(experts))
            print(repr(float(least_cost(*shape, float(weight), hosts, tokens.reshape(shape)))))


if __name__ == "__main__":
    main()
