# SPDX-License-Identifier: GPL-2.0-only
"""
One rule makes a descriptor of every row of the table: what a row says, and nothing about the row itself, decides.
"""

from __future__ import annotations

from .machines import MACHINES, topology_of
from .models import MODELS, as_keys, deal_with_ends

# SMs that kernels of a dispatcher take: HybridEP 32 (perf_recipes/_common.py of Megatron-Bridge 067f987df), DeepEP 20
# (its default); NCCL's take their part of the others' registers, which no source counts.
_SMS = {"deepep": 20, "hybridep": 32}
PIECE = "1MB"  # of an exchange that is passed on
_EXACT = ("forced", "capacity")  # all experts get as many tokens
COUNTS = "even.csv"  # beside the descriptor, where it asks for it
# Experts of a token follow each other: FakeBalancedGate of AutoModel (36044ad3d), Primus until July 2026 (a note in
# router.py of fd1eeabb).
_ROUND_ROBIN = ("automodel", "primus")


def descriptor_of(row, efficiency):
    """
    What is run for a row.

    :param efficiency: the number that is fitted
    """
    workload = {
        "type": "training",
        "model": as_keys(row.model),
        "parallel": _parallel(row),
        "batch": {"micro": row.micro, "global": row.batch // row.flushes, "sequence": row.sequence},
        "schedule": _schedule(row),
        "exchange": _exchange(row),
        "recompute": row.recompute if row.recompute in ("none", "full") else row.recompute.split(),
    }
    if row.loads in _EXACT:
        workload["load"] = _load(row)
        workload["fast_forward"] = True
    elif row.iteration:
        workload["load"] = {"type": "synthetic", "first_iteration": row.iteration}
    workload.update(_precision(row))
    workload["data"] = _data(row)
    workload["compute"] = {
        "type": "profile",
        "device": MACHINES[row.gpu].device,
        "efficiency": efficiency,
        "graphs": row.graphs == "full",  # graphs of parts of a layer leave dispatch and experts to the host
    }
    return experiment(row.name, topology_of(row.gpu, row.gpus), workload, {"type": "flow", "symmetry": "close"})


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
        keys["layout"] = deal_with_ends(row.model, row.pp, row.vpp)
    return keys


def _schedule(row):
    # DualPipe overlaps by itself.
    if row.overlap == "none" or row.schedule == "dualpipe":
        return row.schedule
    said = {"type": row.schedule, "overlap": "exchange"}
    return {**said, "delayed_weights": True} if "delayed" in row.overlap else said


def _load(row):
    """All experts alike."""
    return {"type": "trace", "path": COUNTS} if files_of(row) else {"type": "imbalance", "workload": "w0"}


def files_of(row):
    """
    Texts of files that stand beside the descriptor, by their names. Experts of a token follow each other in w0, on one
    server or two; Megatron draws them at random where it forces routing (RandomSTE, moe_utils.py of d98e8a64dd), and
    that decides how many copies are sent: even counts, as a record has them.
    """
    if row.loads not in _EXACT or row.dispatcher == "alltoall" or row.study in _ROUND_ROBIN:
        return {}
    experts = MODELS[row.model].experts
    tokens = row.micro * row.sequence // (row.tp * row.cp) * MODELS[row.model].top_k
    lines = ["iteration,layer,microbatch,rank," + ",".join(f"e{expert}" for expert in range(experts))]
    for rank in range(row.ep):
        # What does not divide goes to every other expert, as the rank has it.
        counts = [(tokens * (at + 1)) // experts - tokens * at // experts for at in range(experts)]
        counts = counts[-rank % experts :] + counts[: -rank % experts]
        lines.append(f"0,0,0,{rank}," + ",".join(map(str, counts)))
    return {COUNTS: "\n".join(lines) + "\n"}


def _exchange(row):
    if row.dispatcher == "alltoall":
        return "pairs"
    return {"type": "deduplicated", "piece": PIECE, "sms": _SMS[row.dispatcher]}


def _precision(row):
    """Bytes of an element: Megatron dispatches in BF16 whatever it computes in (fused_a2a.py of d98e8a64dd)."""
    said = {"bf16": "bf16", "mxfp8": "mxfp8"}.get(row.precision, "fp8-block")
    if row.study == "deepseek":  # FP8 dispatch, BF16 combine: what the precision has by itself
        return {"precision": said}
    gradient = 2 if row.study.startswith("bridge") else 4
    # Parameters are gathered as they are computed with, but for MXFP8, whose gather goes through gradients' buffers.
    parameters = 1 if said == "fp8-block" else 2
    return {
        "precision": said,
        "bytes": {"dispatch": 2, "combine": 2, "gradients": gradient, "parameters": parameters},
    }


def _data(row):
    if row.data == "fsdp":
        return {"type": "fsdp"}
    # Stages of DualPipe that have the same parts of the model gather behind the optimizer.
    return {"type": "distributed-optimizer", "overlap_parameters": row.schedule != "dualpipe"}
