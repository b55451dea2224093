# SPDX-License-Identifier: GPL-2.0-only
"""
One rule makes a descriptor of every row of the table: what a row says, and nothing about the row itself, decides.
"""

from __future__ import annotations

from rails.imports.layers import deal

from .machines import MACHINES, topology_of
from .models import MODELS, as_keys

# SMs that kernels of a dispatcher take: HybridEP 32 (perf_recipes/_common.py of Megatron-Bridge 067f987df), DeepEP 20
# (its default); NCCL's take their part of the others' registers, which no source counts.
_SMS = {"deepep": 20, "hybridep": 32}
PIECE = "1MB"  # of an exchange that is passed on
_EXACT = ("forced", "capacity")  # all experts get as many tokens
# Parts of a layer that Megatron computes again, as the program calls them.
_RECOMPUTED = ("mla_up_proj", "moe_act", "layernorm", "core_attn", "mlp", "moe", "shared_experts")
_NEW_SCHEDULES = ("dualpipe",)


class Keys:
    """Which keys the program has, by its schema; what a row needs and it has not is remembered."""

    def __init__(self, schema):
        self._parts = schema["$defs"]

    def has(self, part, key):
        """:param part: as "workload=training", :param key: one of its keys"""
        return key in self._parts.get(part, {}).get("properties", {})

    def has_type(self, component, name):
        return f"{component}={name}" in self._parts

    def allows(self, part, key, word):
        """Whether a word stands among those that a key may have."""
        found = self._parts.get(part, {}).get("properties", {}).get(key, {})
        return word in str(found)


def descriptor_of(row, keys, efficiency):
    """
    What is run for a row.

    :param keys: Keys of the program
    :param efficiency: the number that is fitted
    :return: the descriptor, and the keys that it would have if the program had them
    """
    waits = []
    workload = {
        "type": "training",
        "model": as_keys(row.model),
        "parallel": _parallel(row),
        "batch": {"micro": row.micro, "global": row.batch, "sequence": row.sequence},
        "schedule": _schedule(row, keys, waits),
        "exchange": _exchange(row, keys, waits),
        "recompute": _recompute(row, keys, waits),
    }
    if row.loads in _EXACT:
        workload["load"] = {"type": "imbalance", "workload": "w0"}
        workload["fast_forward"] = True
    workload.update(_precision(row, keys, waits))
    workload.update(_data(row, keys, waits))
    workload["compute"] = _compute(row, keys, waits, efficiency)
    engine = {"type": "flow", "symmetry": "close"}
    return experiment(row.name, topology_of(row.gpu, row.gpus), workload, engine), waits


def experiment(name, topology, workload, engine):
    """What all rows have in common, trainings and exchanges."""
    return {
        "name": name,
        "topology": topology,
        "transport": {"congestion_control": "none"},
        "workload": workload,
        "balance": "rail-destination",
        "engine": engine,
        "record": {"messages": False, "links": False},
    }


def _parallel(row):
    keys = {name: getattr(row, name) for name in ("tp", "cp", "pp", "vpp", "ep", "etp")}
    if row.layout.startswith("E"):
        keys["layout"] = row.layout
    elif row.layout:
        layers = MODELS[row.model].layers
        keys["layout"] = deal(layers, row.pp, row.vpp, embedding=True, loss=True)
    return keys


def _schedule(row, keys, waits):
    kind = row.schedule
    if kind in _NEW_SCHEDULES and not keys.has_type("workload.schedule", kind):
        waits.append(f"schedule: {kind}")
        kind = "1f1b"
    said = {"type": kind}
    if "exchange" in row.overlap and row.schedule not in _NEW_SCHEDULES:
        if keys.has(f"workload.schedule={kind}", "overlap"):
            said["overlap"] = "exchange"
            if "delayed" in row.overlap:
                said["delayed_weights"] = True
        else:
            waits.append("schedule.overlap")
    return kind if len(said) == 1 else said


def _exchange(row, keys, waits):
    kind = "pairs" if row.dispatcher == "alltoall" else "deduplicated"
    if not keys.has_type("workload.exchange", kind):
        if kind == "deduplicated":
            waits.append("exchange.piece")
        return kind
    if kind == "pairs":
        return kind
    return {"type": kind, "piece": PIECE, "sms": _SMS[row.dispatcher]}


def _recompute(row, keys, waits):
    if row.recompute in ("none", "full"):
        return row.recompute
    words = row.recompute.split()
    known = [word for word in words if keys.allows("workload=training", "recompute", word)]
    waits += [f"recompute: {word}" for word in words if word not in known]
    return known or "none"


def _precision(row, keys, waits):
    """Bytes of an element: Megatron dispatches in BF16 whatever it computes in (fused_a2a.py of d98e8a64dd)."""
    eight = row.precision != "bf16"
    gradient = 2 if row.study.startswith("bridge") else 4
    if not keys.has("workload=training", "precision"):
        if eight:
            waits.append("precision")
        return {"bytes_per_gradient": f"{gradient}B"}
    said = {"bf16": "bf16", "mxfp8": "mxfp8"}.get(row.precision, "fp8-block")
    if row.study == "deepseek":  # FP8 dispatch, BF16 combine: what the precision has by itself
        return {"precision": said}
    # Parameters are gathered as they are computed with, but for MXFP8, whose gather goes through gradients' buffers.
    parameters = 1 if eight and row.precision != "mxfp8" else 2
    sent = {"dispatch": 2, "combine": 2, "gradients": gradient, "parameters": parameters}
    return {"precision": said, "bytes": sent}


def _data(row, keys, waits):
    if not keys.has("workload=training", "data"):
        if row.data == "fsdp":
            waits.append("data: fsdp")
        return {}
    if row.data == "fsdp":
        return {"data": {"type": "fsdp"}}
    return {"data": {"type": "distributed-optimizer", "overlap_parameters": True}}


def _compute(row, keys, waits, efficiency):
    machine = MACHINES[row.gpu]
    if keys.has_type("workload.compute", "profile"):
        said = {"type": "profile", "device": machine.device, "efficiency": efficiency}
        if keys.has("workload.compute=profile", "graphs"):
            said["graphs"] = row.graphs == "full"  # graphs of parts of a layer leave dispatch and experts to the host
        else:
            waits.append("compute.graphs")
        return said
    waits.append("compute: profile")
    peak = machine.peaks[16 if row.precision == "bf16" else 8]
    return {"type": "flops", "peak": peak, "efficiency": efficiency, "memory_rate": machine.memory_rate}
