# SPDX-License-Identifier: GPL-2.0-only
"""Descriptors drawn from a seed: small runs over everything that a descriptor can say."""

import random


def make_descriptor(seed, fails):
    """Draws a descriptor; one that contradicts itself is refused by the program, so draw another.

    seed -- everything follows from it
    fails -- whether cables, switches or NICs fail in it
    returns the descriptor, as the structure that YAML (or JSON) has
    """
    draw = random.Random(f"{seed} {fails}")
    topology, names = _draw_topology(draw)
    descriptor = {
        "name": f"generated-{seed}",
        "seed": draw.randint(1, 1000),
        "topology": topology,
        "switch": _draw_switch(draw),
        "transport": _draw_transport(draw),
        "nic": {"message_gap": draw.choice(["0ns", "0ns", "0ns", "200ns"])},
        "workload": _draw_workload(draw, topology),
        "balance": _draw_balance(draw, topology),
    }
    if fails:
        descriptor["failures"] = _draw_failures(draw, names)
    return descriptor


def _draw_topology(draw):
    topology = {
        "type": draw.choice(["rail", "rail", "rail", "fat-tree", "leaf-spine"]),
        "nic_rate": draw.choice(["100Gbps", "200Gbps", "400Gbps"]),
        "link_delay": draw.choice(["100ns", "500ns", "1us"]),
        "nvlink_rate": draw.choice(["900Gbps", "3600Gbps"]),
        "gpus_per_domain": draw.choice([1, 2, 4]),
    }
    if draw.random() < 0.15:
        topology["link_loss"] = draw.choice([0.0001, 0.001])
    rails = topology["gpus_per_domain"]
    domains = draw.randint(2, 6)
    if topology["type"] == "fat-tree":
        topology["k"] = 4
        topology["domains"] = min(domains, 16 // rails)
        names = [[f"pod{pod}-edge{edge}", f"pod{pod}-agg{agg}"]
                 for pod in range(4) for edge in range(2) for agg in range(2)]
        names += [[f"pod{pod}-agg{agg}", f"core{2 * agg + core}"]
                  for pod in range(4) for agg in range(2) for core in range(2)]
    elif topology["type"] == "leaf-spine":
        topology["domains"] = domains
        topology["leaf_ports"] = draw.choice([2, 4])
        topology["spines"] = draw.randint(1, 3)
        leaves = -(-domains * rails // topology["leaf_ports"])
        names = [[f"leaf{leaf}", f"spine{spine}"]
                 for leaf in range(leaves) for spine in range(topology["spines"])]
    else:
        topology["domains"] = domains
        topology["leaf_ports"] = draw.choice([2, 3, 64])
        leaves = -(-domains // topology["leaf_ports"])
        topology["rail_spines"] = draw.randint(1, 2) if leaves > 1 else 0
        topology["spines"] = draw.choice([0, 1, 2])
        names = [[f"rail{rail}-leaf{leaf}", f"rail{rail}-spine{spine}"]
                 for rail in range(rails) for leaf in range(leaves)
                 for spine in range(topology["rail_spines"])]
        names += [[f"rail{rail}-leaf{leaf}", f"spine{spine}"]
                  for rail in range(rails) for leaf in range(leaves)
                  for spine in range(topology["spines"])]
    nics = [f"server{domain}-nic{rail}"
            for domain in range(topology["domains"]) for rail in range(rails)]
    return topology, {"links": names, "nics": nics}


def _draw_switch(draw):
    switch = {"buffer": draw.choice(["1MB", "4MiB", "64MiB"])}
    if draw.random() < 0.15:
        switch["pfc"] = False
    if draw.random() < 0.2:
        switch["pause_response"] = "300ns"
    if draw.random() < 0.3:
        switch["ecn"] = {"kmin": "20KB", "kmax": "80KB", "pmax": 0.5}
    return switch


def _draw_transport(draw):
    control = draw.choice(["dcqcn", "dcqcn", "none", "none", "swift", "fixed-rate"])
    if control == "dcqcn":
        control = {"type": "dcqcn", "preset": draw.choice(["mellanox", "paper"])}
    recovery = draw.choice(["go-back-n", "selective-repeat", "selective-repeat", "ideal"])
    transport = {
        "mtu": draw.choice(["1024B", "4096B"]),
        "congestion_control": control,
        "loss_recovery": {"type": recovery, "timeout": draw.choice(["30us", "100us", "1ms"])},
        "qp_per": "message" if recovery == "ideal" else draw.choice(["nic-pair", "gpu-pair"]),
    }
    if draw.random() < 0.15:
        transport["ack_class"] = "data"
    return transport


def make_connections(descriptor):
    """The file of a workload of connections: GPUs, bytes and starts, a few of them at once."""
    draw = random.Random(descriptor["name"])
    gpus = descriptor["topology"]["domains"] * descriptor["topology"]["gpus_per_domain"]
    lines = []
    start = draw.choice([0, 0, 700])
    for _ in range(draw.randint(5, 40)):
        source, destination = draw.sample(range(gpus), 2)
        lines.append(f"{source},{destination},{draw.randint(1, 300000)},{start}ns")
        start += draw.choice([0, 0, 500, 3000])
    return "".join(f"{line}\n" for line in lines)


def _draw_workload(draw, topology):
    gpus = topology["domains"] * topology["gpus_per_domain"]
    size = draw.choice(["3000B", "40KB", "200KB"])
    if draw.random() < 0.15:
        return {"type": "connections", "path": "connections.csv"}
    if draw.random() < 0.3:
        return draw.choice([
            {"type": "permutation", "bytes": size},
            {"type": "incast", "senders": draw.randint(1, max(1, gpus - 1)), "bytes": size},
            {"type": "ring", "bytes": "256KiB",
             "operation": draw.choice(["all-gather", "all-reduce", "reduce-scatter"])},
        ])
    matrix = draw.choice([
        {"type": "uniform", "bytes_per_pair": size},
        {"type": "sparse", "density": 0.3, "mean": size},
        {"type": "zipf", "exponent": 1.0, "bytes_per_gpu": "400KB"},
        {"type": "moe", "tokens_per_gpu": 64, "top_k": 2, "hidden": 512, "experts": gpus},
    ])
    if matrix["type"] != "moe" and draw.random() < 0.4:
        matrix["intra"] = True
    phases = draw.choice([["dispatch"], ["dispatch"], ["dispatch", "combine"],
                          ["dispatch", {"compute": "20us"}, "combine"],
                          [{"gap": "5us"}, "dispatch", {"gap": "1us"}]])
    return {"type": "all-to-all", "matrix": matrix, "phases": phases,
            "iterations": draw.choice([1, 1, 2])}


def _draw_balance(draw, topology):
    balance = {"type": draw.choice(["ecmp", "rail-source", "rail-destination", "round-robin",
                                    "random", "least-outstanding", "rails", "even-split"])}
    if topology["type"] == "rail" and topology["spines"] == 0 and balance["type"] == "ecmp":
        balance["type"] = "rails"
    if balance["type"] in ("rails", "random", "round-robin", "least-outstanding"):
        balance["chunk"] = draw.choice(["16KB", "64KB", "4MB"])
    if draw.random() < 0.4:
        balance["host"] = draw.choice(["destination-rotation", "min-rtt", "plb", "reps", "spray",
                                       "subflow", "uec-bitmap", "uec-mixed", "uec-oblivious"])
    if draw.random() < 0.3:
        balance["switch"] = draw.choice(["adaptive", "drill", "flowlet", "jsq", "ofan", "random",
                                         "round-robin", "conga"])
    return balance


def _draw_failures(draw, names):
    schedule = []
    for _ in range(draw.randint(1, 3)):
        target = draw.choice(["link", "link", "switch", "nic"])
        if target == "link" and names["links"]:
            entry = {"link": draw.choice(names["links"])}
        elif target == "switch" and names["links"]:
            entry = {"switch": draw.choice(draw.choice(names["links"]))}
        else:
            entry = {"nic": draw.choice(names["nics"])}
        at = draw.randint(0, 40000)
        kind = draw.random()
        if kind < 0.3:
            schedule.append({"at": f"{at}ns", **entry, "rate": "50Gbps"})
            if draw.random() < 0.5:
                schedule.append({"at": f"{at + draw.randint(1000, 30000)}ns", **entry,
                                 "rate": "100Gbps"})
        elif kind < 0.45:
            schedule.append({"from": f"{at}ns", "every": "20us", "down_for": "3us", "times": 3,
                             **entry})
        else:
            schedule.append({"at": f"{at}ns", **entry, "state": "down"})
            if draw.random() < 0.7:
                schedule.append({"at": f"{at + draw.randint(500, 60000)}ns", **entry,
                                 "state": "up"})
    return {
        "convergence": draw.choice(["never", "0s", "5us", "20us", "20us"]),
        "queued": draw.choice(["dropped", "dropped", "held"]),
        "in_flight": draw.choice(["delivered", "lost"]),
        "schedule": schedule,
    }
