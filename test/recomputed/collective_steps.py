# SPDX-License-Identifier: GPL-2.0-only
"""All-gathers and reduce-scatters of a group of GPUs as steps (doc/graph.rst, "Collectives").

A collective has lanes that do not wait for each other; a GPU does the steps of a lane one after
the other, each when it has got what the one before brings it.
"""

from dataclasses import dataclass

ALL_GATHER = "all-gather"
REDUCE_SCATTER = "reduce-scatter"
TREE_CHUNK = 128 * 1024
TREE_LANES = 2  # of a tree, each with its chunks
MOST_CHUNKS = 256  # of a lane


@dataclass
class Step:
    """What a GPU does in a step of a lane."""

    sends: list  # (GPU, bytes)
    received: int = 0


@dataclass(frozen=True)
class Choice:
    """How a collective is done.

    rings -- of hierarchical, 1: the scheme places what crosses; 2: each GPU keeps to its own rail
    """

    algorithm: str
    rings: int


def cut(size, parts, part):
    """Bytes of a part; the first ones are a byte longer where that is needed."""
    return size // parts + (1 if part < size % parts else 0)


def divide_by_server(group, gpus_per_server):
    """Members of each server, in the order of the group."""
    servers = {}
    for gpu in group:
        servers.setdefault(gpu // gpus_per_server, []).append(gpu)
    return list(servers.values())


def choose(groups, gpus_per_server, algorithm, rings):
    """Replaces automatic rings.

    groups -- all that do the collective, alike
    algorithm -- as in a descriptor, but not automatic: that is an estimate's choice
    rings -- as in a descriptor
    """
    spreads = [divide_by_server(group, gpus_per_server) for group in groups]
    is_inside = all(len(servers) == 1 for servers in spreads)
    counts = {len(members) for servers in spreads for members in servers}
    has_levels = not is_inside and len(counts) == 1 and counts != {1}
    is_automatic = rings == "automatic"
    if is_automatic:
        rings = 1 if is_inside else max(counts)
    if algorithm == "hierarchical" and has_levels:
        return Choice(algorithm, 2 if is_automatic else 1)
    return Choice("ring" if algorithm == "hierarchical" else algorithm, rings)


class _Lane:
    """Steps of all GPUs of a group, filled in by sends."""

    def __init__(self, group, count):
        self.steps = {gpu: [Step([]) for _ in range(count)] for gpu in group}

    def send(self, step, source, destination, size):
        if size > 0:
            self.steps[source][step].sends.append((destination, size))
            self.steps[destination][step].received += size


def make_lanes(group, gpus_per_server, operation, size, choice):
    """The lanes of a collective.

    returns a list of (rail and queue pair by GPU, or None where the scheme decides, steps by GPU)
    """
    servers = divide_by_server(group, gpus_per_server)
    make = {"ring": _make_ring, "tree": _make_tree}
    if choice.algorithm == "hierarchical":
        own = {gpu: (gpu % gpus_per_server, gpu % gpus_per_server) for gpu in group}
        return [(own if choice.rings > 1 else None, _make_hierarchical(group, servers, operation, size))]
    lanes = []
    for ring in range(choice.rings):
        made = make[choice.algorithm](group, servers, operation, size, ring, choice.rings)
        for number, steps in enumerate(made):
            # Each ring has queue pairs of its own, and so has each of the two trees.
            queue = 2 * ring + number // TREE_LANES if choice.algorithm == "tree" else ring
            rails = {}
            for members in servers:
                near = sorted(gpu % gpus_per_server for gpu in members)
                rails.update((gpu, (near[ring % len(near)], queue)) for gpu in members)
            lanes.append((rails if choice.rings > 1 else None, steps))
    return lanes


def _make_ring(group, servers, _, size, ring, rings):
    """The ring comes to a server at its `ring`-th member, and to the others there in turn."""
    order = group
    if rings > 1:
        order = [members[(ring + i) % len(members)] for members in servers
                 for i in range(len(members))]
    share = cut(size, rings, ring)
    lane = _Lane(group, len(order) - 1)
    _go_round(lane, 0, order, share)
    return [lane.steps]


def _go_round(lane, first, order, size):
    """Each member passes on what it got last, beginning with the part of its own place."""
    count = len(order)
    for step in range(count - 1):
        for place, gpu in enumerate(order):
            lane.send(first + step, gpu, order[(place + 1) % count],
                      cut(size, count, (place - step) % count))


def _make_hierarchical(group, servers, operation, size):
    """All-gather: over servers, then inside; reduce-scatter: the same backwards."""
    per_server = len(servers[0])
    lane = _Lane(group, len(servers) - 1 + per_server - 1)
    for place in range(per_server):
        across = [members[place] for members in servers]
        _go_round(lane, 0, across, cut(size, per_server, place))
    for members in servers:
        _go_round(lane, len(servers) - 1, members, size)
    return lane.steps if operation == ALL_GATHER else _turn_back(lane).steps


def _turn_back(lane):
    """The same from the last step to the first, with senders and receivers exchanged."""
    group = list(lane.steps)
    count = len(lane.steps[group[0]])
    back = _Lane(group, count)
    for source, steps in lane.steps.items():
        for number, step in enumerate(steps):
            for destination, size in step.sends:
                back.send(count - 1 - number, destination, source, size)
    return back


def _find_parent(node, count):
    """NCCL's binary tree of servers: 0 is the root, odd ones are leaves."""
    bit = node & -node
    up = (node ^ bit) | (bit << 1)
    return up if up < count else node ^ bit


def _order_servers(count, is_second):
    """Servers by node of a tree; in the second the leaves of the first pass on."""
    if not is_second:
        return list(range(count))
    return list(range(count))[::-1] if count % 2 == 0 else [*range(1, count), 0]


def _find_parents(servers, channel, is_second):
    """The parent of each GPU of a tree, None of the root."""
    order = _order_servers(len(servers), is_second)
    chains = []
    for members in servers:
        turn = channel % len(members)
        chains.append(members[turn:] + members[:turn])
    parents = {}
    for node, server in enumerate(order):
        chain = chains[server]
        parents[chain[0]] = None
        if node > 0:
            parents[chain[0]] = chains[order[_find_parent(node, len(order))]][0]
        parents.update(zip(chain[1:], chain))
    return parents


def _measure(parents):
    """Depth, height and number of GPUs below (and itself) of each GPU of a tree."""
    depth, height, below = {}, dict.fromkeys(parents, 0), dict.fromkeys(parents, 0)
    for gpu in parents:
        above = gpu
        steps = 0
        while above is not None:
            height[above] = max(height[above], steps)
            below[above] += 1
            above = parents[above]
            steps += 1
        depth[gpu] = steps - 1
    return depth, height, below


def _make_tree(group, servers, operation, size, channel, channels):
    """All lanes of both trees of a channel: whole chunks go up, down goes what is for those below.

    Chunk c goes up from a GPU of height h in step c + h, and comes down to one of depth d in step
    H + c + d - 1 with the height H of the highest tree. An all-gather is the same backwards.
    """
    trees = [_find_parents(servers, number // 2, number % 2 == 1)
             for number in range(2 * channels)]
    highest = max(max(_measure(tree)[1].values()) for tree in trees)
    lanes = 2 * channels * TREE_LANES
    chunks = -(-cut(size, lanes, 0) // TREE_CHUNK)
    chunks = min(max(1, chunks), MOST_CHUNKS)
    made = []
    for number in range(2 * channel * TREE_LANES, (2 * channel + 2) * TREE_LANES):
        tree = trees[number // TREE_LANES]
        depth, height, below = _measure(tree)
        lane = _Lane(group, chunks + 2 * highest - 1)
        for chunk in range(chunks):
            part = cut(cut(size, lanes, number), chunks, chunk)
            for gpu, parent in tree.items():
                if parent is not None:
                    lane.send(chunk + height[gpu], gpu, parent, part)
                    lane.send(highest + chunk + depth[gpu] - 1, parent, gpu,
                              part * below[gpu] // len(group))
        made.append(lane.steps if operation == REDUCE_SCATTER else _turn_back(lane).steps)
    return made
