# SPDX-License-Identifier: GPL-2.0-only
"""Trainings drawn from a seed, over all that a workload training can say.

What contradicts itself is left in now and then: the program has to refuse it, and to say why.
"""

import math
import random

import folded_trainings
from generated_fabrics import draw_fabric, draw_other_interior
from generated_trainings import draw_training

FOLDS, LONG, FREE = "replicas that do the same", "many equal micro-batches", "anything"
KINDS = (FREE, FOLDS, FREE, LONG)

NEWER_DEVICES = ["b200", "b300", "gb200", "gb300", "mi355x"]
DEVICES = ["h100", "h200", "h800", "h20", "mi300x", *NEWER_DEVICES]
LATENT = ("deepseek-v3", "kimi-k2", "kimi-k3")
MODELS = [*LATENT, "gpt-16x3.2b", "gpt-oss-120b", "llama-moe-6.7b", "mixtral-8x7b",
          "mixtral-8x22b-g8t8", "pro-prophet-m", "qwen1.5-moe-a2.7b", "qwen2-57b", "qwen3-30b"]
PARTS_AGAIN = ["core_attn", "layernorm", "mla_up_proj", "mlp", "moe", "moe_act", "shared_experts"]
SENT = ["dispatch", "combine", "tensor", "pipeline", "context", "gradients", "parameters"]
DROPPING = [{"type": "plain-ep", "capacity_factor": 1.0},
            {"type": "plain-ep", "capacity_factor": 1.5, "padding": "capacity"},
            {"type": "plain-ep", "padding": "max"},
            {"type": "deepspeed-moe", "capacity_factor": 1.2}]
TIMES = {"attention": 20e-6, "gate": 2e-6, "experts": 30e-6, "shared": 5e-6, "dense": 15e-6,
         "head": 9e-6, "optimizer": 20e-6}


def get_kind(seed):
    """What is looked at in a training besides all else: one of KINDS."""
    return KINDS[seed % len(KINDS)]


def make_iteration(seed):
    """Draws a descriptor.

    seed -- everything follows from it
    returns the descriptor, as the structure that YAML (or JSON) has; its table of times is
    make_table()
    """
    draw = random.Random(f"iteration {seed}")
    kind = get_kind(seed)
    topology, workload = (_draw_replicas if kind == FOLDS else _draw_small)(draw, kind)
    gpus = topology["domains"] * topology["gpus_per_domain"]
    if kind == FREE and draw.random() < 0.4:
        _draw_dropping(draw, workload)
    _draw_schedule(draw, workload, gpus)
    _draw_layers(draw, workload)
    _draw_model(draw, workload["model"])
    _draw_numbers(draw, workload)
    workload["compute"] = _draw_compute(draw, workload["precision"], gpus)
    workload["data"] = _draw_data(draw, workload)
    _draw_exchange(draw, workload)
    _draw_recomputing(draw, workload)
    if kind != FREE and draw.random() < 0.9:
        for key in ("jitter", "slow_gpu", "slow_factor"):
            workload["compute"].pop(key, None)
    if kind == LONG:
        _lengthen(draw, workload, gpus)
    balances = ["rails", "rail-source", "rail-destination", "even-split"]
    if topology["type"] != "rail" or topology["spines"] > 0:
        balances.append("ecmp")
    return {
        "name": f"generated-iteration-{seed}",
        "seed": draw.randint(1, 1000),
        "topology": topology,
        "switch": {"buffer": "1GiB"},
        "transport": {"congestion_control": "none", "mtu": draw.choice(["1024B", "4096B"])},
        "workload": workload,
        "balance": {"type": draw.choice(balances)},
    }


def make_table():
    """Measured times of all parts, as CSV; of experts the way back as well."""
    rows = [f"{part},forward,{tokens},{seconds * tokens / 64}"
            for part, seconds in TIMES.items() for tokens in (16, 64, 512)]
    rows += [f"experts,backward,{tokens},{tokens * 1e-6}" for tokens in (16, 512)]
    return "\n".join(["part,pass,tokens,seconds", *rows, ""])


def _draw_small(draw, kind):
    if kind == LONG:
        topology = {"type": "rail", "domains": draw.choice([4, 6, 8]), "spines": 0,
                    "gpus_per_domain": draw.choice([1, 2]), "link_delay": "500ns",
                    "nic_rate": draw.choice(["100Gbps", "400Gbps"])}
    else:
        topology = draw_fabric(draw, gpus=(1, 2, 4), largest=5)
        if draw.random() < 0.15:
            draw_other_interior(draw, topology)
    if draw.random() < 0.2:
        topology["nic_latency"] = draw.choice(["300ns", "1us"])
    if draw.random() < 0.2:
        topology["switch_latency"] = draw.choice(["200ns", "700ns"])
    workload = draw_training(draw, topology["domains"] * topology["gpus_per_domain"])
    if kind == LONG:
        _make_regular(draw, workload)
    return topology, workload


def _draw_replicas(draw, _):
    """Many replicas, with parts of equal size, of a cluster that is small enough for frames."""
    while True:
        drawn = folded_trainings.draw_training(draw.randrange(10**6))
        topology, model = drawn["topology"], drawn["workload"]["model"]
        parallel = drawn["workload"]["parallel"]
        if (0 < topology["domains"] * topology["gpus_per_domain"] <= 24
                and parallel["ep"] * parallel["etp"] % topology["gpus_per_domain"] == 0
                and parallel["ep"] * parallel["etp"] % (parallel["tp"] * parallel["cp"]) == 0
                and model["hidden"] <= 800 and model["vocabulary"] <= 10000):
            return topology, drawn["workload"]


def _make_regular(draw, workload):
    """Equal loads, and nothing that decides anew: what may be told from a part of it."""
    for key in ("experts", "expert_transfers"):
        workload.pop(key, None)
    workload["load"] = {"type": "imbalance",
                        "workload": draw.choice(["w0", "w0", "w0", "w1", "w3", "w5"])}


def _count_replicas(parallel, gpus):
    return gpus // (parallel["tp"] * parallel["cp"] * parallel["pp"])


def _draw_dropping(draw, workload):
    """A capacity of experts, in layouts that mostly have something to drop."""
    parallel = workload["parallel"]
    if (parallel["ep"] == 1 or parallel["etp"] > 1) and draw.random() < 0.9:
        return
    workload.pop("expert_transfers", None)
    workload["experts"] = draw.choice(DROPPING)


def _draw_schedule(draw, workload, gpus):
    parallel, batch = workload["parallel"], workload["batch"]
    kind = draw.choice(["1f1b", "1f1b", "zero-bubble"])
    if parallel.get("vpp", 1) > 1:
        kind = "interleaved"
    if parallel["pp"] % 2 == 0 and draw.random() < 0.4:
        kind = "dualpipe"
        parallel.pop("vpp", None)
        batch["global"] = (batch["micro"] * _count_replicas(parallel, gpus)
                           * 2 * (parallel["pp"] + draw.randint(0, 1)))
    has_policy = isinstance(workload.get("experts"), str)
    if (kind == "dualpipe" or kind == "zero-bubble" and has_policy) and draw.random() < 0.9:
        workload.pop("experts", None)
        workload.pop("expert_transfers", None)
    schedule = {"type": kind}
    if kind != "zero-bubble" and draw.random() < 0.6:
        schedule["overlap"] = draw.choice(["exchange", "exchange", "none"])
        if schedule["overlap"] == "exchange" or draw.random() < 0.1:
            schedule["delayed_weights"] = draw.random() < (0.05 if has_policy else 0.5)
    if workload.get("expert_transfers") == "published" and schedule.get("overlap") == "exchange":
        workload["expert_transfers"] = draw.choice(["blocking", "overlapped"])
    workload["schedule"] = schedule


def _draw_layers(draw, workload):
    """Layers of multi-token prediction, and which layers each chunk has."""
    parallel, model = workload["parallel"], workload["model"]
    if draw.random() < 0.25:
        model["mtp_layers"] = draw.randint(1, 2)
    # A GPU has two parts of the model with DualPipe, but as many as stages are dealt.
    chunks = parallel["pp"] * parallel.get("vpp", 1)
    kind = draw.choice(["even", "even", "even+embedding", "even+loss", "even+embedding+loss",
                        "numbers", "letters"])
    if kind not in ("numbers", "letters"):
        parallel["layout"] = kind
        return
    bars = sorted(draw.choices(range(model["layers"] + 1), k=chunks - 1))
    dealt = [end - begin for begin, end in zip([0, *bars], [*bars, model["layers"]])]
    if kind == "numbers":
        parallel["layout"] = dealt
        return
    parts = [f"t*{count}" if count > 1 else "t" * count for count in dealt]
    predicted = model.pop("mtp_layers", 0)
    place = len(parts) - 1 if draw.random() < 0.5 else max(
        number for number, count in enumerate([1, *dealt[1:]]) if count > 0)
    parts[place] += "m" * predicted
    parts[0] = "E" + parts[0]
    parts[-1] += "L"
    parallel["layout"] = "|".join(parts)


def _draw_model(draw, model):
    """Another model, in the small dimensions that were drawn."""
    if draw.random() < 0.5:
        return
    kind = draw.choice(MODELS)
    for key in ("query_rank", "kv_rank", "rope_width", "expert_groups", "top_groups"):
        model.pop(key, None)
    model.update(type=kind, dense_layers=draw.choice([0, 0, 1]), ffn=512,
                 shared_ffn=draw.choice([0, 256]), kv_heads=draw.choice([4, 8]))
    if kind in LATENT:
        model.update(query_rank=draw.choice([0, 64]), kv_rank=32, rope_width=16,
                     expert_groups=1, top_groups=1, kv_heads=8)
    if kind == "kimi-k3":
        model["expert_hidden"] = model["hidden"] // 2
    if draw.random() < 0.2:
        model["gated"] = draw.random() < 0.5


def _draw_numbers(draw, workload):
    workload["precision"] = draw.choice(["bf16", "fp8-block", "mxfp8"])
    if draw.random() < 0.4:
        workload["bytes"] = {kind: draw.choice([0.5, 1, 1.03125, 2, 4])
                             for kind in draw.sample(SENT, draw.randint(1, len(SENT)))}
    if draw.random() < 0.15:
        workload["bytes_per_element"] = draw.choice(["1B", "4B"])
    if draw.random() < 0.15:
        workload["bytes_per_gradient"] = "2B"


def _draw_compute(draw, precision, gpus):
    compute = {"type": draw.choice(["profile", "profile", "profile", "table", "flops", "given"])}
    if compute["type"] == "profile":
        newer = precision == "mxfp8" and draw.random() < 0.9
        compute.update(device=draw.choice(NEWER_DEVICES if newer else DEVICES), efficiency=draw.choice([1, 0.6, 0.05]),
                       graphs=draw.random() < 0.5)
        if draw.random() < 0.4:
            compute["launch"] = draw.choice(["0us", "1us", "5us"])
    elif compute["type"] == "table":
        compute["path"] = "times.csv"
    elif compute["type"] == "flops":
        compute["efficiency"] = draw.choice([0.5, 0.01])
    else:
        compute.update(attention="20us", gate="2us", expert_token="100ns", shared="5us",
                       dense="15us", head="9us", optimizer="20us")
    if draw.random() < 0.25:
        compute["jitter"] = draw.choice([0.01, 0.1])
    if draw.random() < 0.2:
        compute["sms"] = draw.choice([16, 64, 132])
    if draw.random() < 0.15:
        compute.update(slow_gpu=draw.randrange(gpus), slow_factor=1.5)
    return compute


def _draw_data(draw, workload):
    kind = draw.choice(["distributed-optimizer", "plain", "fsdp", "fsdp"])
    if ((isinstance(workload.get("experts"), str) or workload["schedule"]["type"] == "dualpipe")
            and draw.random() < 0.95):
        return {"type": "distributed-optimizer", "bucket": draw.choice(["0B", "100KB", "whole"])}
    data = {"type": kind}
    if kind == "fsdp":
        data["prefetch"] = draw.choice([0, 1, 1, 2, 5])
    elif draw.random() < 0.6:
        data["bucket"] = draw.choice(["0B", "100KB", "1MB", "whole"])
    if kind == "distributed-optimizer" and draw.random() < 0.5:
        data["overlap_parameters"] = True
    if draw.random() < 0.3:
        data["norm"] = True
    return data


def _draw_exchange(draw, workload):
    exchange = {"type": draw.choice(["pairs", "deduplicated", "deduplicated"])}
    if workload.get("experts") in DROPPING[1:] and draw.random() < 0.9:
        exchange["type"] = "pairs"  # rows without a token
    if exchange["type"] == "deduplicated" and draw.random() < 0.6:
        exchange["piece"] = draw.choice(["2KB", "16KB", "64KB", "1MB"])
    if draw.random() < 0.5:
        exchange["sms"] = draw.choice([8, 20, 24])
    workload["exchange"] = exchange


def _draw_recomputing(draw, workload):
    workload.pop("recompute", None)
    kind = workload["schedule"]["type"]
    if kind == "zero-bubble" and draw.random() < 0.9:
        return
    if draw.random() < 0.5:
        workload["recompute"] = draw.sample(PARTS_AGAIN, draw.randint(1, 4))
    elif draw.random() < 0.3 and (kind != "dualpipe" or draw.random() < 0.1):
        workload["recompute"] = "full"


def _lengthen(draw, workload, gpus):
    """Micro-batches that are small, of which there are many."""
    parallel, model, batch = workload["parallel"], workload["model"], workload["batch"]
    model.update(hidden=128, expert_ffn=128)
    if "expert_hidden" in model:
        model["expert_hidden"] = 64
    pair = 2 * parallel["pp"]
    count = math.ceil((pair * draw.randint(1, 3) + 24) / pair) * pair
    batch.update(micro=1, sequence=64 * parallel["cp"] * parallel["tp"],
                 **{"global": _count_replicas(parallel, gpus) * count})
    workload["iterations"] = draw.choice([1, 1, 2])
