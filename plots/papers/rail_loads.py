# SPDX-License-Identifier: GPL-2.0-only
"""
What NICs carry by load arithmetic alone, apart from the program: the least possible largest load of a
matrix by SciPy's linear programs, and plans of RailS written a second time.
"""

from heapq import heapify, heapreplace

import numpy as np


def has_solver():
    """Whether there is a SciPy to solve linear programs."""
    try:
        import scipy.optimize  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        return False
    return True


def least_load(servers, rails):
    """
    The least possible load of the busiest NIC in either direction, with any split of what each server
    has for each other one over equally fast rails: min t over shares P, where for every pair P adds up
    to 1 and no NIC sends or receives more than t.

    :param servers: square of bytes by source and destination server; the diagonal does not count
    """
    from scipy.optimize import linprog  # pylint: disable=import-outside-toplevel
    from scipy.sparse import lil_matrix  # pylint: disable=import-outside-toplevel

    count = len(servers)
    pairs = [(k, f) for k in range(count) for f in range(count) if k != f and servers[k][f] > 0]
    if not pairs:
        return 0.0
    unit = max(servers[k][f] for k, f in pairs)  # numbers near 1 suit the solver
    last = len(pairs) * rails  # the variable t
    limits = lil_matrix((2 * count * rails, last + 1))
    sums = lil_matrix((len(pairs), last + 1))
    for number, (k, f) in enumerate(pairs):
        for rail in range(rails):
            share = number * rails + rail
            limits[k * rails + rail, share] = servers[k][f] / unit
            limits[(count + f) * rails + rail, share] = servers[k][f] / unit
            sums[number, share] = 1
    limits[:, last] = -1
    found = linprog(
        np.append(np.zeros(last), 1),
        A_ub=limits.tocsr(),
        b_ub=np.zeros(2 * count * rails),
        A_eq=sums.tocsr(),
        b_eq=np.ones(len(pairs)),
        method="highs",
    )
    if not found.success:
        raise ArithmeticError(f"no solution of a linear program: {found.message}")
    return found.fun * unit


def closed_form(servers, rails):
    """The same by the theorem: the largest row or column sum over the number of rails."""
    sums = between(servers)
    return max(sums.sum(axis=0).max(), sums.sum(axis=1).max()) / rails


def between(servers):
    """The matrix without what stays in a server."""
    servers = np.array(servers, dtype=np.int64)
    np.fill_diagonal(servers, 0)
    return servers


def longest_first(gpus, rails, chunk=None):
    """
    Loads of NICs by RailS: each server cuts what its GPUs send to those of others, takes the longest
    piece first, and gives it to its least loaded rail; of several to the first one from its own number
    on. Pieces of one size go by source, then destination.

    :param gpus: square of bytes by source and destination GPU; servers have as many GPUs as rails
    :param chunk: most bytes of a piece; None for whole messages
    :returns: bytes that are sent and received, by server and rail
    """
    count = len(gpus) // rails
    sent = np.zeros((count, rails), dtype=np.int64)
    received = np.zeros((count, rails), dtype=np.int64)
    for server in range(count):
        pieces = []
        for source in range(server * rails, (server + 1) * rails):
            for destination in np.flatnonzero(gpus[source]):
                if destination // rails == server:
                    continue
                size = int(gpus[source][destination])
                whole, rest = divmod(size, chunk or size)
                pieces += [(chunk or size, destination // rails)] * whole
                pieces += [(rest, destination // rails)] * (rest > 0)
        pieces.sort(key=lambda piece: -piece[0])
        heap = [(0, turn, (server + turn) % rails) for turn in range(rails)]
        heapify(heap)
        for size, to in pieces:
            load, turn, rail = heap[0]
            heapreplace(heap, (load + size, turn, rail))
            sent[server, rail] += size
            received[to, rail] += size
    return sent, received
