# SPDX-License-Identifier: GPL-2.0-only
"""Small trainings drawn from a seed, which the program and the re-computation both know.

Usage: random_trainings.py SEED FOLDER    # writes training-SEED.yaml and its trace
"""

import json
import math
import random
import sys
from pathlib import Path

USUAL_ORDER = "tp-cp-ep-dp-pp"
ORDERS = ["tp-pp-cp-ep-dp", "tp-pp-cp-dp-ep", "ep-pp-dp-tp-cp", "pp-tp-cp-ep-dp",
          "dp-tp-cp-ep-pp", "cp-tp-dp-ep-pp"]
MOST_GPUS = 16


def write_training(seed, folder):
    """Draws a training; one whose parts do not fit is refused by the program, so draw another.

    folder -- where its trace is written, if it has one
    returns the descriptor, as the structure that YAML (or JSON) has
    """
    descriptor, trace = _draw_training(seed)
    if trace is not None:
        path = Path(folder).resolve() / f"{descriptor['name']}.csv"
        path.write_text(trace, encoding="utf-8")
        descriptor["workload"]["load"]["path"] = str(path)
    return descriptor


def _draw_training(seed):
    draw = random.Random(seed)
    domains = draw.choice([1, 2, 2, 2, 3, 4, 4, 5, 8])
    per_domain = draw.choice([size for size in (1, 2, 2, 3, 4, 4, 8)
                              if 1 < size * domains <= MOST_GPUS])
    parallel = _draw_parallel(draw, domains * per_domain)
    model = _draw_model(draw, parallel)
    batch = _draw_batch(draw, parallel, domains * per_domain)
    workload = {
        "type": "training",
        "model": model,
        "parallel": parallel,
        "batch": batch,
        "schedule": "interleaved" if parallel["vpp"] > 1 else "1f1b",
        "recompute": _draw_recompute(draw, model),
        "compute": _draw_compute(draw, domains * per_domain),
        "load": {"type": "imbalance", "workload": "w0"},
        "collectives": _draw_collectives(draw),
        "communicators": draw.choice(["separate", "separate", "separate", "shared"]),
        "iterations": draw.choice([1, 1, 1, 2]),
    }
    _draw_pipeline(random.Random(f"pipeline {seed}"), workload)
    _draw_merging(random.Random(f"merging {seed}"), workload)
    rate = draw.choice([25, 50, 100, 200, 400])
    descriptor = {
        "name": f"training-{seed}",
        "topology": {
            "type": "rail",
            "domains": domains,
            "gpus_per_domain": per_domain,
            "nic_rate": f"{rate}Gbps",
            "nvlink_rate": f"{max(draw.choice([900, 1800, 3600]), rate * per_domain)}Gbps",
            "link_delay": draw.choice(["100ns", "500ns", "2us"]),
            "spines": 0,
        },
        "transport": {"congestion_control": "none", "mtu": draw.choice(["1024B", "4096B"])},
        "workload": workload,
        "engine": {"type": "flow"},
        "balance": draw.choice(["rail-source", "rail-source", "rail-destination"]),
    }
    trace = None
    has_experts = model["dense_layers"] < model["layers"]
    is_even = _count_tokens(workload) * model["top_k"] % model["experts"] == 0
    if has_experts and (not is_even or draw.random() < 0.6):
        workload["load"] = {"type": "trace"}
        trace = _draw_trace(draw, workload)
    return descriptor, trace


def _draw_pipeline(draw, workload):
    """Of some trainings with stages, another schedule, and a list of layers."""
    parallel = workload["parallel"]
    parts = parallel["pp"] * parallel["vpp"]
    if parallel["pp"] == 1:
        return
    if parallel["vpp"] == 1 and draw.random() < 0.6:
        workload["schedule"] = "zero-bubble"
        workload["recompute"] = "none"
    if draw.random() < 0.4:
        layers = workload["model"]["layers"]
        bars = sorted(draw.choices(range(layers + 1), k=parts - 1))
        parallel["layout"] = [end - begin for begin, end in zip([0, *bars], [*bars, layers])]


def _draw_merging(draw, workload):
    """Of some trainings passes are merged."""
    if workload["schedule"] != "zero-bubble" and draw.random() < 0.4:
        workload["schedule"] = {"type": workload["schedule"], "overlap": "exchange",
                                "delayed_weights": draw.random() < 0.5}


def _count_tokens(workload):
    """Of a GPU and micro-batch."""
    parallel, batch = workload["parallel"], workload["batch"]
    return batch["micro"] * batch["sequence"] // (parallel["cp"] * parallel["tp"])


def _draw_parallel(draw, gpus):
    def divisor(number, most):
        return draw.choice([size for size in range(1, min(number, most) + 1)
                            if number % size == 0])

    pp = divisor(gpus, 4) if draw.random() < 0.5 else 1
    stage = gpus // pp
    tp = divisor(stage, 8)
    cp = divisor(stage // tp, 4) if draw.random() < 0.3 else 1
    ep = divisor(stage, 8)
    etp = divisor(stage // ep, 4) if draw.random() < 0.4 else 1
    vpp = draw.choice([1, 2, 3]) if pp > 1 else 1
    parallel = {"tp": tp, "cp": cp, "pp": pp, "vpp": vpp, "ep": ep, "etp": etp}
    fitting = [order for order in ORDERS if _keeps_stages(order, parallel, gpus)]
    parallel["order"] = draw.choice(fitting + [USUAL_ORDER] * 4)
    return parallel


def _keeps_stages(order, parallel, gpus):
    """Whether attention and experts of a layer are on the same GPUs."""
    tp, cp, ep, etp, pp = (parallel[axis] for axis in ("tp", "cp", "ep", "etp", "pp"))
    before = order.split("-")[:order.split("-").index("pp")]
    attention = {"tp": tp, "cp": cp, "ep": 1, "dp": gpus // (tp * cp * pp)}
    experts = {"tp": etp, "cp": 1, "ep": ep, "dp": gpus // (etp * ep * pp)}
    return (math.prod(attention[axis] for axis in before)
            == math.prod(experts[axis] for axis in before))


def _draw_model(draw, parallel):
    parts = parallel["pp"] * parallel["vpp"]
    layers = parts + draw.randint(0, 2)
    model = {
        "type": "mixtral-8x7b",
        "layers": layers,
        "dense_layers": draw.randint(1, layers) if draw.random() < 0.25 else 0,
        "hidden": draw.choice([256, 512, 1000, 1024]),
        "heads": 8,
        "kv_heads": draw.choice([2, 4, 8]),
        "head_width": 64,
        "ffn": 1024,
        "experts": parallel["ep"] * draw.choice([1, 2, 4]),
        "expert_ffn": draw.choice([512, 1536, 4096]),
        "shared_ffn": draw.choice([0, 0, 0, 1024]),
        "vocabulary": draw.choice([1000, 8001, 32000]),
        "gated": draw.random() < 0.8,
    }
    if draw.random() < 0.15:
        model.update(query_rank=draw.choice([0, 128]), kv_rank=64, rope_width=32)
    model["top_k"] = draw.randint(1, min(4, model["experts"]))
    return model


def _draw_batch(draw, parallel, gpus):
    replicas = gpus // (parallel["tp"] * parallel["cp"] * parallel["pp"])
    micro = draw.choice([1, 1, 2])
    count = draw.randint(1, 4)
    if parallel["vpp"] > 1:
        count = parallel["pp"] * draw.randint(1, 2)
    tokens = 12 * parallel["tp"] * parallel["cp"] * draw.choice([5, 20, 40])
    return {"micro": micro, "global": micro * replicas * count, "sequence": tokens}


def _draw_recompute(draw, model):
    if draw.random() < 0.75:
        return "none"
    return draw.choice(["full", ["mla_up_proj"]]) if model.get("kv_rank") else "full"


def _draw_compute(draw, gpus):
    slow = {}
    if draw.random() < 0.3:
        slow = {"slow_gpu": draw.randrange(gpus), "slow_factor": draw.choice([1.5, 3])}
    if draw.random() < 0.2:
        return {"type": "given", "attention": "20us", "gate": "3us", "expert_token": "40ns",
                "shared": "7us", "dense": "15us", "head": "11us", "optimizer": "5us", **slow}
    return {"type": "flops", "efficiency": draw.choice([0.05, 0.5]), **slow}


def _draw_collectives(draw):
    algorithm = draw.choice(["hierarchical", "tree", "ring", "ring", "hierarchical", "tree"])
    rings = draw.choice(["automatic", "automatic", 1, 2, 3])
    if algorithm == "hierarchical" and rings != "automatic":
        rings = draw.choice(["automatic", 1])
    return {"algorithm": algorithm, "rings": rings}


def _draw_trace(draw, workload):
    """Counts of each micro-batch: some experts are more popular, some GPUs have fewer tokens."""
    model, parallel, batch = (workload[key] for key in ("model", "parallel", "batch"))
    experts = model["experts"]
    tokens = _count_tokens(workload)
    lines = ["iteration,layer,microbatch,rank," + ",".join(f"e{i}" for i in range(experts))]
    for iteration in range(workload["iterations"]):
        for layer in range(model["layers"] - model["dense_layers"]):
            for microbatch in range(batch["global"]):  # some of these
                weights = [draw.random() ** 2 + 0.01 for _ in range(experts)]
                for rank in range(parallel["ep"]):
                    counts = _draw_counts(draw, weights, tokens, model["top_k"])
                    lines.append(",".join(map(str, [iteration, layer, microbatch, rank, *counts])))
    return "".join(f"{line}\n" for line in lines)


def _draw_counts(draw, weights, tokens, top_k):
    """As many as the tokens have places, or fewer; at no expert more than there are tokens."""
    whole = tokens * top_k * draw.choice([1, 1, 0.7])
    scale = whole / sum(weights)
    return [min(tokens, int(weight * scale)) for weight in weights]


if __name__ == "__main__":
    drawn = write_training(int(sys.argv[1]), sys.argv[2])
    target = Path(sys.argv[2]) / f"{drawn['name']}.yaml"
    target.write_text(json.dumps(drawn, indent=2), encoding="utf-8")
