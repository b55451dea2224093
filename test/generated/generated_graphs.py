# SPDX-License-Identifier: GPL-2.0-only
"""Descriptors of what runs as a graph, drawn from a seed: graphs, trainings, jobs and phases.

Nothing in them is what flows leave out: no rate control, no loss, and buffers that never pause.
"""

import random

from generated_fabrics import draw_fabric, draw_other_interior
from generated_stages import SIZES, draw_graph, draw_matrix
from generated_trainings import draw_training

KINDS = ("graph", "training", "jobs", "phases")


def get_kind(seed):
    """What the workload of a seed is: one of KINDS."""
    return KINDS[seed % len(KINDS)]


def make_graph(seed):
    """Draws a descriptor; the program refuses one that contradicts itself, so draw another then.

    seed -- everything follows from it
    returns the descriptor, as the structure that YAML (or JSON) has
    """
    draw = random.Random(f"graph {seed}")
    topology = draw_fabric(draw, gpus=(2, 4) if get_kind(seed) == "jobs" else (1, 2, 4))
    if draw.random() < 0.25:
        draw_other_interior(draw, topology)
    balance = _draw_balance(draw, topology, has_other=get_kind(seed) in ("graph", "training"))
    transport = {"mtu": draw.choice(["1024B", "4096B"]), "congestion_control": "none",
                 "qp_per": draw.choice(["nic-pair", "nic-pair", "gpu-pair", "message"])}
    if "host" in balance:
        transport["loss_recovery"] = {"type": "selective-repeat", "loss_threshold": 1000000}
    return {
        "name": f"generated-graph-{seed}",
        "seed": draw.randint(1, 1000),
        "topology": topology,
        "switch": {"buffer": "1GB"},
        "transport": transport,
        "workload": _DRAW[get_kind(seed)](draw, topology),
        "balance": balance,
    }


def _draw_balance(draw, topology, has_other):
    kinds = ["rail-source", "rail-destination", "round-robin", "random", "rails", "even-split"]
    if topology["type"] != "rail" or topology["spines"] > 0:
        kinds += ["ecmp", "ecmp"]
    balance = {"type": draw.choice(kinds)}
    if balance["type"] in ("rails", "random", "round-robin"):
        balance["chunk"] = draw.choice(["64KB", "4MB"])
    if draw.random() < 0.15:
        balance["host"] = "spray"
    if has_other and draw.random() < 0.2:
        balance["other"] = draw.choice(kinds)
    return balance


def _draw_phases(draw, gpus):
    kind = draw.choice(["all-to-all", "all-to-all", "permutation", "incast", "ring"])
    if kind == "all-to-all":
        phases = draw.choice([["dispatch"], ["dispatch", "combine"],
                              ["dispatch", {"compute": "20us"}, "combine"]])
        return {"type": kind, "matrix": draw_matrix(draw, gpus), "phases": phases,
                "iterations": draw.randint(1, 2)}
    size = draw.choice(SIZES)
    if kind == "permutation":
        return {"type": kind, "bytes": size}
    if kind == "incast":
        return {"type": kind, "bytes": size, "senders": max(1, gpus // 2)}
    return {"type": kind, "bytes": size, "rings": draw.choice([1, 2]),
            "operation": draw.choice(["all-gather", "all-reduce", "reduce-scatter"]),
            "algorithm": draw.choice(["ring", "hierarchical", "tree"])}


def _draw_jobs(draw, topology):
    domains = topology["domains"]
    first = draw.randint(1, domains - 1)
    servers = draw.sample(range(domains), domains)
    strides = [{"type": "strided", "first": 0, "stride": 2, "servers": (domains + 1) // 2},
               {"type": "strided", "first": 1, "stride": 2, "servers": domains // 2}]
    placements = draw.choice([
        [{"type": "contiguous", "servers": first},
         {"type": "contiguous", "servers": domains - first}],
        [{"type": "given", "servers": servers[:first]},
         {"type": "given", "servers": servers[first:]}],
        strides,
    ])
    jobs = {}
    for name, placement in zip(("one", "two"), placements):
        servers = placement["servers"]
        gpus = topology["gpus_per_domain"] * (
            len(servers) if isinstance(servers, list) else servers)
        workload = draw.choice([draw_graph, draw_graph, draw_training, _draw_phases])(draw, gpus)
        jobs[name] = {"placement": placement, "workload": workload,
                      "start": draw.choice(["0us", "0us", "7us"])}
    if draw.random() < 0.15:
        jobs["two"]["runs"] = False
    return {"type": "jobs", "jobs": jobs}


def _on_all(draw_workload):
    return lambda draw, topology: draw_workload(
        draw, topology["domains"] * topology["gpus_per_domain"])


_DRAW = {"graph": _on_all(draw_graph), "training": _on_all(draw_training), "jobs": _draw_jobs,
         "phases": _on_all(_draw_phases)}
