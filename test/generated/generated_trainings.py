# SPDX-License-Identifier: GPL-2.0-only
"""Trainings of small models, drawn at random: layouts, schedules and policies of experts."""

import math

POLICIES = ["deepspeed-moe", "echo", "epic", "eplb", "faster-moe", "flex-moe", "llep", "lplb",
            "micro-moe", "moon-ep", "pro-prophet", "rail-aware", "smart-moe", "ultra-ep"]


def draw_training(draw, gpus):
    """Draws a workload training for so many GPUs."""
    parallel = _draw_layout(draw, gpus)
    chunks = parallel["pp"] * parallel.get("vpp", 1)
    replicas = gpus // (parallel["tp"] * parallel["cp"] * parallel["pp"])
    microbatches = parallel["pp"] * draw.randint(1, 2)
    micro = draw.randint(1, 2)
    workload = {
        "type": "training",
        "model": _draw_model(draw, chunks * draw.randint(1, 2), parallel["ep"]),
        "parallel": parallel,
        "batch": {"micro": micro, "global": micro * replicas * microbatches,
                  "sequence": draw.choice([64, 256])},
        "schedule": "interleaved" if "vpp" in parallel else "1f1b",
        "iterations": draw.randint(1, 2),
        "communicators": draw.choice(["separate", "shared"]),
        "exchange": draw.choice(["pairs", "pairs", "deduplicated"]),
        "collectives": {"algorithm": draw.choice(["automatic", "ring", "hierarchical", "tree"]),
                        "rings": draw.choice(["automatic", 1, 2])},
        "load": draw.choice([{"type": "synthetic", "preset": "no-aux"},
                             {"type": "synthetic", "preset": "uniform"},
                             {"type": "imbalance", "workload": "w1"}]),
    }
    if workload["model"]["type"] == "deepseek-v3" and draw.random() < 0.4:
        workload["recompute"] = ["mla_up_proj"]
    elif draw.random() < 0.3:
        workload["recompute"] = "full"
    if draw.random() < 0.25:
        workload["compute"] = {"type": "flops", "efficiency": 0.01}
    elif draw.random() < 0.2:
        workload["compute"] = {"type": "given", "attention": "20us", "expert_token": "50ns"}
    if parallel["ep"] > 1 and draw.random() < 0.3:
        workload["experts"] = draw.choice(POLICIES)
        workload["parallel"]["etp"] = 1
        workload["expert_transfers"] = draw.choice(["published", "blocking", "overlapped"])
    if draw.random() < 0.2:
        workload["ring_steps"] = 2
    return workload


def _draw_layout(draw, gpus):
    order = ["tp", "cp", "ep", "dp"]
    if draw.random() < 0.3:
        draw.shuffle(order)
    parallel = {"pp": _draw_divisor(draw, gpus, 4)}
    left = gpus // parallel["pp"]
    parallel["tp"] = _draw_divisor(draw, left, 4)
    parallel["cp"] = _draw_divisor(draw, left // parallel["tp"], 2)
    parallel["etp"] = _draw_divisor(draw, left, 2)
    parallel["ep"] = _draw_divisor(draw, left // parallel["etp"], 16)
    parallel["order"] = "-".join(order + ["pp"])
    if parallel["pp"] > 1 and draw.random() < 0.3:
        parallel["vpp"] = 2
    return parallel


def _draw_divisor(draw, number, most):
    return draw.choice([part for part in range(1, most + 1) if number % part == 0])


def _draw_model(draw, layers, ep):
    model = {
        "type": draw.choice(["mixtral-8x7b", "mixtral-8x7b", "deepseek-v3", "qwen3-235b"]),
        "layers": layers,
        "hidden": draw.choice([128, 512]),
        "heads": 8,
        "kv_heads": 8,
        "head_width": 32,
        "experts": math.lcm(ep, 8),
        "top_k": draw.randint(1, 3),
        "expert_ffn": draw.choice([128, 512]),
        "vocabulary": 500,
    }
    if model["type"] == "deepseek-v3":
        model.update(dense_layers=draw.randint(0, 1), ffn=512, query_rank=64, kv_rank=32,
                     rope_width=16, shared_ffn=draw.choice([0, 256]), expert_groups=4,
                     top_groups=draw.choice([2, 4]))
    return model
