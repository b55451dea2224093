# SPDX-License-Identifier: GPL-2.0-only
"""
Families of models on Hugging Face: for the dimensions of any model, config.json as the family writes it, and
arguments of Megatron for the same model. Numbers of published models are facts of their configurations.
"""

import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Family:
    """
    How a family writes a model.

    :param write: the configuration for dimensions by key of workload.model
    :param fixed: what all its models have
    """

    write: object
    fixed: dict = field(default_factory=dict)
    is_latent: bool = False
    has_groups: bool = False
    has_shared: bool = False
    has_dense: bool = False
    has_narrow: bool = False  # experts get narrower vectors
    is_halved: bool = False  # its layers are two of rails each


def _usual(model, kind, **others):
    """Keys that nearly all families share."""
    return {
        "model_type": kind,
        "hidden_size": model["hidden"],
        "num_hidden_layers": model["layers"],
        "num_attention_heads": model["heads"],
        "num_key_value_heads": model["kv_heads"],
        "vocab_size": model["vocabulary"],
        "num_experts_per_tok": model["top_k"],
        "rope_theta": 10000,
        "torch_dtype": "bfloat16",
        **others,
    }


def _deepseek(model, kind, **others):
    return _usual(
        model,
        kind,
        intermediate_size=model["ffn"] or 64,
        moe_intermediate_size=model["expert_ffn"],
        n_routed_experts=model["experts"],
        n_shared_experts=model["shared_ffn"] // model["expert_ffn"],
        first_k_dense_replace=model["dense_layers"],
        moe_layer_freq=1,
        n_group=model["expert_groups"],
        topk_group=model["top_groups"],
        q_lora_rank=model["query_rank"] or None,
        kv_lora_rank=model["kv_rank"],
        qk_nope_head_dim=model["head_width"],
        qk_rope_head_dim=model["rope_width"],
        v_head_dim=model["head_width"],
        **others,
    )


def _glm(model):
    return _usual(
        model,
        "glm4_moe",
        head_dim=model["head_width"],
        intermediate_size=model["ffn"] or 64,
        moe_intermediate_size=model["expert_ffn"],
        n_routed_experts=model["experts"],
        n_shared_experts=model["shared_ffn"] // model["expert_ffn"],
        first_k_dense_replace=model["dense_layers"],
        n_group=1,
        topk_group=1,
    )


def _qwen(model, kind, **others):
    return _usual(
        model,
        kind,
        head_dim=model["head_width"],
        intermediate_size=model["ffn"] or 64,
        moe_intermediate_size=model["expert_ffn"],
        num_experts=model["experts"],
        decoder_sparse_step=1,
        mlp_only_layers=list(range(model["dense_layers"])),
        router_aux_loss_coef=0.001,
        use_sliding_window=False,
        sliding_window=4096,
        **others,
    )


def _dbrx(model):
    return {
        "model_type": "dbrx",
        "d_model": model["hidden"],
        "n_layers": model["layers"],
        "n_heads": model["heads"],
        "vocab_size": model["vocabulary"],
        "max_seq_len": 32768,
        "attn_config": {"kv_n_heads": model["kv_heads"], "clip_qkv": 8, "rope_theta": 500000},
        "ffn_config": {
            "ffn_act_fn": {"name": "silu"},
            "ffn_hidden_size": model["expert_ffn"],
            "moe_num_experts": model["experts"],
            "moe_top_k": model["top_k"],
            "moe_loss_weight": 0.05,
        },
    }


def _local(model, kind, **others):
    """Mixtral and others whose only width is that of an expert."""
    return _usual(
        model, kind, head_dim=model[
            "head_width"
        ], intermediate_size=model["expert_ffn"], num_local_experts=model["experts"], **others
    )


def _olmoe(model):
    config = _local(model, "olmoe", router_aux_loss_coef=0.01)
    config["num_experts"] = config.pop("num_local_experts")
    return config


def _llama4(model):
    config = _local(model, "llama4_text", intermediate_size_mlp=model["ffn"] or 64, router_aux_loss_coef=0.001)
    config["moe_layers"] = list(range(model["dense_layers"], model["layers"]))
    return {"model_type": "llama4", "text_config": config, "vision_config": {"hidden_size": 1408}}


def _renamed(config, **names):
    """The same configuration with other names of some keys; without those that have none."""
    renamed = {names.get(key, key): value for key, value in config.items()}
    return {key: value for key, value in renamed.items() if key}


def _others(model, kind, **names):
    """Families that differ from GLM-4.5 in names alone."""
    config = {key: value for key, value in _glm(model).items() if "group" not in key}
    return {**_renamed(config, **names), "model_type": kind}


def _step(model):
    config = _others(
        model,
        "step3p5",
        num_key_value_heads="num_attention_groups",
        n_routed_experts="moe_num_experts",
        num_experts_per_tok="moe_top_k",
        n_shared_experts="",
        first_k_dense_replace="",
    )
    listed = ",".join(map(str, range(model["dense_layers"], model["layers"])))
    return {
        **config,
        "moe_layers_enum": listed,
        "moe_every_n_layer": 1,
        "share_expert_dim": model["shared_ffn"],
        "use_moe_router_bias": True,
        "use_moe": True,
    }


def _minimax_m3(model):
    config = _others(
        model,
        "minimax_m3",
        n_routed_experts="num_local_experts",
        intermediate_size="dense_intermediate_size",
        first_k_dense_replace="",
        moe_intermediate_size="",
    )
    flags = [0] * model["dense_layers"] + [1] * (model["layers"] - model["dense_layers"])
    return {**config, "intermediate_size": model["expert_ffn"], "moe_layer_freq": flags, "use_routing_bias": True}


def _longcat(model):
    """Layers are halves of its own, the second ones of which have no experts."""
    config = _deepseek(model, "longcat_flash", zero_expert_num=4)
    names = {
        "num_hidden_layers": "num_layers",
        "intermediate_size": "ffn_hidden_size",
        "moe_intermediate_size": "expert_ffn_hidden_size",
        "num_experts_per_tok": "moe_topk",
        **dict.fromkeys(("n_shared_experts", "first_k_dense_replace", "moe_layer_freq", "n_group", "topk_group"), ""),
    }
    return {**_renamed(config, **names), "num_layers": model["layers"] // 2, "num_hidden_layers": model["layers"]}


def _params(model):
    """params.json of Mistral."""
    inside = {
        "first_k_dense_replace": model["dense_layers"],
        "num_experts": model["experts"],
        "num_experts_per_tok": model["top_k"],
        "expert_hidden_dim": model["expert_ffn"],
        "num_shared_experts": model["shared_ffn"] // model["expert_ffn"],
        "route_every_n": 1,
    }
    return {
        "dim": model["hidden"],
        "n_layers": model["layers"],
        "head_dim": model["head_width"],
        "hidden_dim": model["ffn"] or 64,
        "n_heads": model["heads"],
        "n_kv_heads": model["kv_heads"],
        "vocab_size": model["vocabulary"],
        "norm_eps": 1e-5,
        "moe": inside,
    }


def _hunyuan(model):
    """Some of its numbers are lists with one for each layer."""
    config = _others(
        model, "hunyuan_v1_moe", n_routed_experts="num_experts", num_experts_per_tok="moe_topk",
        n_shared_experts="num_shared_expert", first_k_dense_replace="moe_layer_num_skipped",
    )
    listed = ("moe_topk", "num_shared_expert", "moe_intermediate_size")
    return {key: [value] * model["layers"] if key in listed else value for key, value in config.items()}


_AUX, _FREE = {"balancing": "aux-loss"}, {"balancing": "loss-free"}
_SHARED_TOO = {"has_shared": True, "has_dense": True}
FAMILIES = {
    "deepseek_v2": Family(
        lambda model: _deepseek(model, "deepseek_v2", topk_method="group_limited_greedy", aux_loss_alpha=0.001),
        _AUX,
        is_latent=True,
        has_groups=True,
        has_shared=True,
        has_dense=True,
    ),
    "deepseek_v3": Family(
        lambda model: _deepseek(model, "deepseek_v3", topk_method="noaux_tc", aux_loss_alpha=0.001),
        _FREE,
        is_latent=True,
        has_groups=True,
        has_shared=True,
        has_dense=True,
    ),
    "kimi_k2": Family(
        lambda model: {"model_type": "kimi_k25", "text_config": _deepseek(model, "kimi_k2", topk_method="noaux_tc")},
        _FREE,
        is_latent=True,
        has_shared=True,
        has_dense=True,
    ),
    "glm4_moe": Family(_glm, _FREE, has_shared=True, has_dense=True),
    "qwen2_moe": Family(
        lambda model: _qwen(model, "qwen2_moe", shared_expert_intermediate_size=model["shared_ffn"]),
        _AUX,
        has_shared=True,
        has_dense=True,
    ),
    "qwen3_moe": Family(lambda model: _qwen(model, "qwen3_moe"), _AUX, has_dense=True),
    "mixtral": Family(lambda model: _local(model, "mixtral", router_aux_loss_coef=0.02, sliding_window=None), _AUX),
    "gpt_oss": Family(lambda model: _local(model, "gpt_oss", router_aux_loss_coef=0.9, sliding_window=128), _AUX),
    "granitemoe": Family(
        lambda model: _local(model, "granitemoe", router_aux_loss_coef=0.001, logits_scaling=6.0), _AUX
    ),
    "granitemoeshared": Family(
        lambda model: _local(
            model, "granitemoeshared", router_aux_loss_coef=0.001, shared_intermediate_size=model["shared_ffn"]
        ),
        _AUX,
        has_shared=True,
    ),
    "olmoe": Family(_olmoe, _AUX),
    "dbrx": Family(_dbrx, _AUX),
    "phimoe": Family(lambda model: _local(model, "phimoe", router_aux_loss_coef=0.0), {"balancing": "no-aux"}),
    "llama4": Family(_llama4, _AUX, has_dense=True, has_shared=True),
    "kimi_k3": Family(
        lambda model: {
            **_others(model, "kimi_k3", n_routed_experts="num_experts", num_experts_per_tok="num_experts_per_token"),
            "routed_expert_hidden_size": model["expert_hidden"],
        },
        _FREE,
        has_narrow=True,
        **_SHARED_TOO,
    ),
    "afmoe": Family(
        lambda model: _others(
            model, "afmoe", n_routed_experts="num_experts", n_shared_experts="num_shared_experts",
            first_k_dense_replace="num_dense_layers",
        ),
        _FREE,
        **_SHARED_TOO,
    ),
    "exaone_moe": Family(
        lambda model: {
            **_others(model, "exaone_moe", n_routed_experts="num_experts", n_shared_experts="num_shared_experts"),
            "is_moe_layer": [layer >= model["dense_layers"] for layer in range(model["layers"])],
        },
        _FREE,
        **_SHARED_TOO,
    ),
    "ernie4_5_moe": Family(
        lambda model: {
            **_others(
                model, "ernie4_5_moe", n_routed_experts="moe_num_experts", num_experts_per_tok="moe_k",
                n_shared_experts="moe_num_shared_experts", first_k_dense_replace="moe_layer_start_index",
            ),
            "moe_layer_end_index": -1,
            "moe_layer_interval": 1,
        },
        _FREE,
        **_SHARED_TOO,
    ),
    "bailing_moe": Family(
        lambda model: {
            **_others(model, "bailing_moe", n_routed_experts="num_experts", n_shared_experts="num_shared_experts"),
            "moe_shared_expert_intermediate_size": model["expert_ffn"],
            "moe_router_enable_expert_bias": True,
        },
        _FREE,
        **_SHARED_TOO,
    ),
    "dots1": Family(lambda model: _others(model, "dots1"), _FREE, **_SHARED_TOO),
    "step3p5": Family(_step, _FREE, **_SHARED_TOO),
    "minimax_m3": Family(_minimax_m3, _FREE, **_SHARED_TOO),
    "hunyuan_v1_moe": Family(_hunyuan, _AUX, **_SHARED_TOO),
    "params": Family(_params, _AUX, **_SHARED_TOO),
    "longcat_flash": Family(_longcat, _FREE, is_latent=True, is_halved=True, **_SHARED_TOO),
}


def draw(name, seed):
    """Dimensions of a model of a family."""
    family, rng = FAMILIES[name], random.Random(f"{name} {seed}")
    groups = rng.choice([2, 4]) if family.has_groups else 1
    kv_heads, width, experts = rng.choice([1, 2, 4]), rng.choice([64, 96, 128]), groups * rng.choice([4, 6, 8])
    heads = kv_heads * rng.choice([1, 2, 3])
    # DBRX has no key of its own for the width of a head.
    hidden = heads * width if name == "dbrx" else 64 * rng.randint(4, 40)
    layers, expert_ffn = rng.randint(4, 12), 32 * rng.randint(2, 40)
    dense = rng.randint(0, 2) if family.has_dense else 0
    top_groups = rng.randint(1, groups - 1) if groups > 1 else 1
    shared = rng.randint(1, 2) if family.has_shared else 0
    model = {
        "layers": layers,
        "dense_layers": dense,
        "hidden": hidden,
        "heads": heads,
        "kv_heads": heads if family.is_latent else kv_heads,
        "head_width": width,
        "ffn": 64 * rng.randint(4, 60) if dense else 0,
        "experts": experts,
        "top_k": rng.randint(1, top_groups * (experts // groups)),
        "expert_groups": groups,
        "top_groups": top_groups,
        "expert_hidden": 32 * rng.randint(1, 8) if family.has_narrow else 0,
        "expert_ffn": expert_ffn,
        "shared_ffn": expert_ffn if name == "llama4" else shared * expert_ffn,
        "vocabulary": 128 * rng.randint(10, 1000),
        "query_rank": rng.choice([0, 192]) if family.is_latent else 0,
        "kv_rank": 128 if family.is_latent else 0,
        "rope_width": 32 if family.is_latent else 0,
        "gated": True,
    }
    if family.is_halved:
        ffn = 64 * rng.randint(4, 60)
        model |= {"layers": 2 * layers, "dense_layers": layers, "ffn": ffn, "shared_ffn": ffn}
    return {**model, **family.fixed}


def arguments_of(model):
    """Arguments of Megatron-LM for the same model, one by one."""
    pairs = {
        "--num-layers": model["layers"],
        "--hidden-size": model["hidden"],
        "--num-attention-heads": model["heads"],
        "--ffn-hidden-size": model["ffn"] or 4096,
        "--num-experts": model["experts"],
        "--moe-router-topk": model["top_k"],
        "--moe-ffn-hidden-size": model["expert_ffn"],
        "--moe-layer-freq": f"([0]*{model['dense_layers']}+[1]*{model['layers'] - model['dense_layers']})",
        "--vocab-size": model["vocabulary"],
    }
    words = [word for pair in pairs.items() for word in map(str, pair)]
    words += ["--swiglu"] if model["gated"] else []
    if model["shared_ffn"]:
        words += ["--moe-shared-expert-intermediate-size", str(model["shared_ffn"])]
    if model.get("expert_hidden"):
        words += ["--moe-latent-size", str(model["expert_hidden"])]
    if model["expert_groups"] > 1:
        words += [
            "--moe-router-num-groups", str(model["expert_groups"]), "--moe-router-group-topk", str(model["top_groups"])
        ]
    words += {
        "loss-free": ["--moe-router-enable-expert-bias"],
        "aux-loss": ["--moe-aux-loss-coeff", "0.001"],
        "no-aux": [],
    }[model["balancing"]]
    if not model["kv_rank"]:
        return words + [
            "--group-query-attention",
            "--num-query-groups",
            str(model["kv_heads"]),
            "--kv-channels",
            str(model["head_width"]),
        ]
    words += [
        "--multi-latent-attention", "--kv-lora-rank", str(model["kv_rank"]), "--qk-head-dim", str(model["head_width"])
    ]
    words += ["--qk-pos-emb-head-dim", str(model["rope_width"]), "--v-head-dim", str(model["head_width"])]
    return words + (["--q-lora-rank", str(model["query_rank"])] if model["query_rank"] else [])


# Published models whose dimensions rails has too: their configurations, as far as they say dimensions.
_NAMES = "layers dense_layers hidden heads kv_heads head_width ffn experts top_k expert_ffn shared_ffn vocabulary"


def _published(name, numbers, **others):
    model = dict(zip(_NAMES.split(), numbers))
    usual = {"expert_groups": 1, "top_groups": 1, "query_rank": 0, "kv_rank": 0, "rope_width": 0}
    return FAMILIES[name].write({**usual, **model, **others})


PUBLISHED = {
    "deepseek-v3": _published(
        "deepseek_v3",
        (61, 3, 7168, 128, 128, 128, 18432, 256, 8, 2048, 2048, 129280),
        expert_groups=8,
        top_groups=4,
        query_rank=1536,
        kv_rank=512,
        rope_width=64,
    ),
    "mixtral-8x7b": _published("mixtral", (32, 0, 4096, 32, 8, 128, 0, 8, 2, 14336, 0, 32000)),
    "mixtral-8x22b": _published("mixtral", (56, 0, 6144, 48, 8, 128, 0, 8, 2, 16384, 0, 32000)),
    "qwen1.5-moe-a2.7b": _published("qwen2_moe", (24, 0, 2048, 16, 16, 128, 0, 60, 4, 1408, 5632, 151936)),
    "qwen3-235b": _published("qwen3_moe", (94, 0, 4096, 64, 4, 128, 0, 128, 8, 1536, 0, 151936)),
}
