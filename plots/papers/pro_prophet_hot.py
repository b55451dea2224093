# SPDX-License-Identifier: GPL-2.0-only
"""
How much better than FasterMoE Pro-Prophet balances layers with few hot experts: points of
experiments/pro-prophet/pro-prophet-hot. A layer is a load, with one expert on each GPU.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rails.errors import ResultError
from rails.reader.result_files import read_table

PAPER = 11.01  # the largest ratio of Fig. 16
# FasterMoE, and the Pro-Prophet that it is held against.
RIVALS = {
    "published, B of 24 Gb/s for all links": "Pro-Prophet, B of 24 Gb/s",
    "published, links of the cluster": "Pro-Prophet, alpha 0",
    "artifact": "Pro-Prophet, alpha 0",
    "master": "Pro-Prophet, alpha 0",
}
RELEASED = "Pro-Prophet, alpha 3"
_RANK_COLUMNS = 4  # before the counts: iteration, layer, microbatch, rank


@dataclass(frozen=True)
class Layer:
    """A load, and how it is balanced."""

    hot: int
    share: float  # of the tokens, of all hot experts
    degrees: dict  # standard deviation of what GPUs compute, by policy

    def ratio(self, faster_moe, ours=None):
        """RB of Pro-Prophet over that of FasterMoE."""
        return self.degrees[faster_moe] / self.degrees[ours or RIVALS[faster_moe]]


def policy_of(config):
    bandwidth = config.get("experts.policy.bandwidth")
    if config["experts.policy.type"] == "pro-prophet":
        alpha = f"alpha {config.get('experts.policy.balance_tolerance', 0):g}"
        return f"Pro-Prophet, {'B of 24 Gb/s' if bandwidth else alpha}"
    variant = config["experts.policy.variant"]
    if variant != "published":
        return variant
    return "published, " + ("B of 24 Gb/s for all links" if bandwidth else "links of the cluster")


def read_loads(path):
    """Matrices of a trace: sources x experts, by iteration, layer and micro-batch."""
    rows = np.loadtxt(path, delimiter=",", skiprows=1, dtype=int, ndmin=2)
    _, places = np.unique(rows[:, : _RANK_COLUMNS - 1], axis=0, return_inverse=True)
    return [rows[places.ravel() == place, _RANK_COLUMNS:] for place in range(places.max() + 1)]


def split_in_two(loads):
    """How many of some loads are hot, and their share: two groups with the least variance inside."""
    loads = np.sort(loads)[::-1]
    inside = [np.var(loads[:i]) * i + np.var(loads[i:]) * (len(loads) - i) for i in range(1, len(loads))]
    hot = int(np.argmin(inside)) + 1
    return hot, loads[:hot].sum() / loads.sum()


def balance(counts, shadowed):
    """What GPUs compute when so many experts, the heaviest, are on all of them."""
    loads = counts.sum(axis=0)
    heaviest = np.argsort(-loads, kind="stable")[:shadowed]
    after = loads.copy()
    after[heaviest] = 0
    return after + counts[:, heaviest].sum(axis=1)


def read_layers(points):
    """Layers by (loads, model)."""
    degrees, loads = {}, {}
    for point in points:
        path = Path(point.config["experts.load.path"])
        case = path.stem, point.config["experts.model.type"].rpartition("-")[2].upper()
        loads[case] = read_loads(path)
        plans = read_table(
            point.folder / "plans.csv", dict.fromkeys(("layer", "copies", "max_over_mean"), float)
        )
        for layer, copies, largest in zip(plans["layer"], plans["copies"], plans["max_over_mean"]):
            counts = loads[case][int(layer)]
            computed = balance(counts, round(copies / (len(counts) - 1)))
            if abs(computed.max() / computed.mean() - largest) > 1e-6 * largest:
                raise ResultError(point.folder, f"layer {layer:g}: not the heaviest are on all GPUs")
            own = degrees.setdefault(case, {}).setdefault(int(layer), {})
            own[policy_of(point.config)] = computed.std()
    return {
        case: [
            Layer(*split_in_two(loads[case][i].sum(axis=0)), by_policy)
            for i, by_policy in sorted(layers.items())
        ]
        for case, layers in degrees.items()
    }


def read_recorded(path, gpus=16):
    """(hot, share) of each recorded layer and micro-batch, with experts of a GPU as one."""
    folded = [counts.sum(axis=0).reshape(gpus, -1).sum(axis=1) for counts in read_loads(path)]
    return [split_in_two(loads) for loads in folded]


def describe(layers, recorded):
    """Lines that say where the paper's ratio is reached."""
    for (name, model), own in sorted(layers.items()):
        for faster_moe in RIVALS:
            best = max(own, key=lambda layer: layer.ratio(faster_moe))
            least = min(layer.ratio(faster_moe) for layer in own)
            reach = [layer for layer in own if layer.ratio(faster_moe) >= PAPER]
            where = "".join(
                f"; {hot} hot from {100 * min(l.share for l in reach if l.hot == hot):.0f} %"
                for hot in sorted({layer.hot for layer in reach})
            )
            yield (
                f"{name}, {model}, over {faster_moe}: {least:.2f} to {best.ratio(faster_moe):.2f} "
                f"({best.hot} hot, {100 * best.share:.0f} %); {PAPER:g} in {len(reach)} of {len(own)}{where}"
            )
    if recorded:
        hot, shares = np.array(recorded).T
        yield (
            f"recorded: {len(recorded)} loads; {np.mean(hot == 1):.0%} with one hot, "
            f"{np.mean(hot == 2):.0%} with two, {np.mean(hot > 2):.0%} with more; share "
            f"{100 * np.quantile(shares, 0.05):.0f} to {100 * np.quantile(shares, 0.95):.0f} % (5 to 95 % of them)"
        )
