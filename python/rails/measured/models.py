# SPDX-License-Identifier: GPL-2.0-only
"""The models of the table, as the program has them or as keys on top of one it has, and their operations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rails.imports.layers import deal


@dataclass(frozen=True)
class Model:
    """Dimensions of a model; names are those of the keys of workload.model."""

    type: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    experts: int
    top_k: int
    expert_ffn: int
    vocabulary: int
    head_width: int = 128
    dense_layers: int = 0
    ffn: int = 0
    shared_ffn: int = 0
    query_rank: int = 0
    kv_rank: int = 0
    rope_width: int = 0
    expert_groups: int = 1
    top_groups: int = 1
    source: str = ""  # of a model that the program does not have


_DEEPSEEK = Model(
    "deepseek-v3", 61, 7168, 128, 128, 256, 8, 2048, 129280, 128, 3, 18432, 2048, 1536, 512, 64, 8, 4
)  # fmt: skip
_QWEN = Model("qwen3-235b", 94, 4096, 64, 4, 128, 8, 1536, 151936)
_MIXTRAL = Model("mixtral-8x22b", 56, 6144, 48, 8, 8, 2, 16384, 32000)

MODELS = {
    "deepseek-v3": _DEEPSEEK,
    "qwen3-235b": _QWEN,
    "mixtral-8x22b": _MIXTRAL,
    "mixtral-8x7b": Model("mixtral-8x7b", 32, 4096, 32, 8, 8, 2, 14336, 32000),
    "qwen3-30b-a3b": replace(_QWEN, type="qwen3-30b", layers=48, hidden=2048, heads=32, expert_ffn=768),
    "qwen2-57b": Model("qwen2-57b", 28, 3584, 28, 4, 64, 8, 2560, 151936, shared_ffn=20480),
    "mixtral-8x22b-g8t8": replace(_MIXTRAL, type="mixtral-8x22b-g8t8", experts=64, top_k=8, expert_ffn=2048),
    "llama3-8x70b": replace(
        _MIXTRAL,
        layers=80,
        hidden=8192,
        heads=64,
        expert_ffn=28672,
        vocabulary=128256,
        source="arXiv 2504.14960: Llama 3 70B with eight experts, top-2",
    ),
    "moonlight-16b-a3b": replace(
        _DEEPSEEK,
        layers=27,
        dense_layers=1,
        hidden=2048,
        heads=16,
        kv_heads=16,
        ffn=11264,
        experts=64,
        top_k=6,
        expert_groups=1,
        top_groups=1,
        expert_ffn=1408,
        shared_ffn=2816,
        vocabulary=163840,
        query_rank=0,
        source="moonshotai/Moonlight-16B-A3B, its configuration",
    ),
    "kimi-k2": replace(
        _DEEPSEEK,
        type="kimi-k2",
        dense_layers=1,
        heads=64,
        kv_heads=64,
        experts=384,
        expert_groups=1,
        top_groups=1,
        vocabulary=163840,
    ),
}


def as_keys(name):
    """What workload.model says: the type, and what differs from it."""
    model = MODELS[name]
    base = next(other for other in MODELS.values() if other.type == model.type)
    keys = {key: value for key, value in vars(model).items() if key != "source" and value != getattr(base, key)}
    return {"type": model.type, **({"label": name, **keys} if keys else {})}


def deal_with_ends(name, stages, chunks):
    """The number of layers of each chunk, embedding and loss among them; None where they do not divide."""
    return deal(MODELS[name].layers, stages, chunks, embedding=True, loss=True)


def operations_per_token(name, sequence, predictions=0):
    """
    Floating-point operations of the model for a token of a step, as Megatron-LM counts them (training.py of
    d98e8a64dd): forward once and back twice, attention over half of the sequence, nothing computed again.

    :param predictions: layers of multi-token prediction
    """
    model = MODELS[name]
    layers = model.layers - model.dense_layers
    attention = _attention(model, sequence)
    experts = 6 * model.hidden * (model.top_k * model.expert_ffn + model.shared_ffn) + 2 * model.hidden * model.experts
    dense = 6 * model.hidden * model.ffn
    head = 2 * model.hidden * model.vocabulary
    forward = model.layers * attention + layers * experts + model.dense_layers * dense + head
    # A projection of two vectors to one, a layer with experts, the head once more.
    forward += predictions * (4 * model.hidden**2 + attention + experts + head)
    return 3 * forward


def _attention(model, sequence):
    wide = model.heads * model.head_width
    if not model.kv_rank:
        projections = 2 * model.hidden * (2 * wide + 2 * model.kv_heads * model.head_width)
        return projections + 2 * sequence * wide
    keyed = model.heads * (model.head_width + model.rope_width)
    queries = (
        2 * model.query_rank * (model.hidden + keyed) if model.query_rank else 2 * model.hidden * keyed
    )
    compressed = 2 * model.hidden * (model.kv_rank + model.rope_width) + 2 * model.kv_rank * 2 * wide
    return queries + compressed + 2 * wide * model.hidden + sequence * (keyed + wide)
