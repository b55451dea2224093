# SPDX-License-Identifier: GPL-2.0-only
"""Descriptors that exchange messages between servers of every inside, drawn from a seed."""

import random

KINDS = ("nvswitch", "nvswitch and pcie", "pools", "pairs", "pcie", "bought")
SERVERS = ["dgx-a100", "dgx-b200", "dgx-h100", "h20-4nic", "h800-deepep", "micro-moe",
           "pro-prophet-hpnv", "pro-prophet-hpwnv", "pro-prophet-lpwnv"]
SIZES = {"1KB": 1e3, "8KB": 8e3, "64KB": 64e3, "300KB": 3e5, "1MB": 1e6, "4MB": 4e6}


def get_kind(seed):
    """What servers of a seed are like inside: one of KINDS."""
    return KINDS[seed % len(KINDS)]


def make_interior(seed):
    """Draws a descriptor; the program refuses one that contradicts itself, so draw another then.

    seed -- everything follows from it
    returns the descriptor, as the structure that YAML (or JSON) has
    """
    draw = random.Random(f"interior {seed}")
    topology = _draw_topology(draw, get_kind(seed))
    balance = {"type": draw.choice(["ecmp", "rail-source", "rail-destination", "rails",
                                    "even-split", "round-robin", "affine"])}
    if balance["type"] in ("rails", "round-robin"):
        balance["chunk"] = draw.choice(["1MB", "4MB"])
    return {
        "name": f"generated-interior-{seed}",
        "seed": draw.randint(1, 1000),
        "topology": topology,
        "switch": {"buffer": "100GB"},
        "transport": {"congestion_control": "none",
                      "qp_per": draw.choice(["nic-pair", "gpu-pair", "message"])},
        "nic": {"reads": draw.choice([1, 4, 8, 8, 32])},
        "workload": _draw_workload(draw),
        "balance": balance,
    }


def _draw_topology(draw, kind):
    topology = {"type": "rail", "domains": draw.randint(2, 3), "spines": 8}
    if kind == "bought":
        topology["server"] = draw.choice(SERVERS)
        return topology
    gpus = draw.choice([2, 4, 8])
    topology.update(gpus_per_domain=gpus, nic_rate=draw.choice(["100Gbps", "200Gbps", "400Gbps"]),
                    nvlink_latency=draw.choice(["25ns", "300ns"]),
                    nics_per_domain=draw.choice([gpus, gpus, gpus // 2, 2 * gpus]),
                    nvlink_rate=draw.choice(["200Gbps", "400Gbps", "900Gbps", "3600Gbps"]))
    pcie_rate = draw.choice(["64Gbps", "126Gbps", "252Gbps", "504Gbps"])
    if kind == "pcie":
        switches = draw.choice([part for part in (1, 2, 4) if part <= gpus])
        topology["intra"] = {"type": kind, "pcie_rate": pcie_rate, "pcie_switches": switches,
                             "sockets": draw.choice([1, min(2, switches)]),
                             "pcie_uplink_rate": draw.choice(["0bps", "252Gbps"])}
        del topology["nvlink_rate"], topology["nvlink_latency"]
    elif kind == "pairs":
        topology["intra"] = {"type": kind, "pcie_rate": pcie_rate}
    elif kind == "nvswitch and pcie":
        topology["intra"] = {"type": "nvswitch", "pcie_rate": pcie_rate}
    elif kind == "pools":
        topology["intra"] = {"type": "nvswitch", "pools_nics": True}
    return topology


def _draw_workload(draw):
    size = draw.choice(list(SIZES))
    if draw.random() < 0.15:
        return {"type": "permutation", "bytes": size}
    matrix = draw.choice([
        {"type": "uniform", "bytes_per_pair": size},
        {"type": "uniform", "bytes_per_pair": size},
        {"type": "sparse", "density": 0.4, "mean": size},
        {"type": "zipf", "exponent": 0.8, "bytes_per_gpu": f"{round(SIZES[size] * 16)}B"},
    ])
    if draw.random() < 0.4:
        matrix["intra"] = True
    return {"type": "all-to-all", "matrix": matrix}
