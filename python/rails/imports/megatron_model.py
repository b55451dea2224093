# SPDX-License-Identifier: GPL-2.0-only
"""The model of a training of Megatron."""

import re

from .errors import BLANK, ImportRefused, shown
from .layer_pattern import read_pattern
from .model import MOST_EXPERTS, MOST_LAYERS, TIED, Model, lay_dense, set_dense
from .values import as_count, as_number, as_switch, as_words, is_off, name_of, ours, refuse


# Models that rails has, by their name on the Hub: for recipes, which name a model and say nothing of its dimensions.
KNOWN = {
    "DeepSeek-V3": (
        "deepseek-v3",
        {"layers": 61, "dense_layers": 3, "experts": 256, "shared_ffn": 2048, "kv_rank": 512},
    ),
    "Kimi-K2": (
        "kimi-k2",
        {"layers": 61, "dense_layers": 1, "experts": 384, "shared_ffn": 2048, "kv_rank": 512},
    ),
    "Mixtral-8x7B": ("mixtral-8x7b", {"layers": 32, "experts": 8}),
    "Mixtral-8x22B": ("mixtral-8x22b", {"layers": 56, "experts": 8}),
    "Qwen1.5-MoE-A2.7B": ("qwen1.5-moe-a2.7b", {"layers": 24, "experts": 60, "shared_ffn": 5632}),
    "Qwen2-57B-A14B": ("qwen2-57b", {"layers": 28, "experts": 64, "shared_ffn": 20480}),
    "Qwen3-235B-A22B": ("qwen3-235b", {"layers": 94, "experts": 128}),
    "Qwen3-30B-A3B": ("qwen3-30b", {"layers": 48, "experts": 128}),
    "gpt-oss-120b": ("gpt-oss-120b", {"layers": 36, "experts": 128}),
}


# vocab_size of the configurations of models, for command lines that name a tokenizer instead.
_VOCABULARIES = {
    "DeepSeek-R1": 129_280,
    "DeepSeek-V2": 102_400,
    "DeepSeek-V3": 129_280,
    "GLM-4.5": 151_552,
    "Kimi-K2": 163_840,
    "Llama-2": 32_000,
    "Llama-3": 128_256,
    "Meta-Llama-3": 128_256,
    "Minitron": 256_000,
    "Mistral-7B-Instruct-v0.3": 32_768,
    "Mistral-Nemo": 131_072,
    "Mixtral-8x22B": 32_000,
    "Mixtral-8x7B": 32_000,
    "Nemotron-Mini": 256_000,
    "OLMoE": 50_304,
    "Qwen1.5-0.5B": 151_936,
    "Qwen1.5-1.8B": 151_936,
    "Qwen1.5-MoE": 151_936,
    "Qwen2-0.5B": 151_936,
    "Qwen2-1.5B": 151_936,
    "Qwen2-57B": 151_936,
    "Qwen2-7": 152_064,
    "Qwen2.5-0.5B": 151_936,
    "Qwen2.5-1.5B": 151_936,
    "Qwen2.5-14B": 152_064,
    "Qwen2.5-32B": 152_064,
    "Qwen2.5-3B": 151_936,
    "Qwen2.5-7": 152_064,
    "Qwen2.5-Math-7": 152_064,
    "Qwen3": 151_936,
    "dbrx": 100_352,
    "gpt-oss": 201_088,
    "gpt2-vocab": 50_257,
}


_HAS_SHARED = "enable_shared_expert"
_GATES = ("swiglu", "quick_geglu", "geglu", "reglu")
_BALANCES = ("none", "sinkhorn", "aux_loss", "seq_aux_loss", "global_aux_loss")
_NAMES_OF_TOKENS = ("tokenizer_model", "vocab_file", "tokenizer_type")
_TOKENIZERS = {"GPT2BPETokenizer": 50_257, "Llama2Tokenizer": 32_000}

_HYBRID = re.compile(r"hybrid_(layer|override)_pattern|hybrid_\w+_ratio|mamba_(?!inference)\w+|is_hybrid_model|spec")


def read_model(settings, model, label):
    """
    The model of a training.

    :param model: one that was read from elsewhere, or none; settings that say the same count more
    """
    _refuse_others(settings)
    if model is None:
        latent = settings.is_on("multi_latent_attention")
        model = Model("deepseek-v3" if latent else "mixtral-8x7b", label.value if label else "megatron")
        _need_model(settings)
    keys = model.keys
    if model.is_dense and "num_experts" in settings:
        for key in ("dense_layers", "top_k", "expert_ffn", "balancing"):  # its layers get experts
            keys.pop(key, None)
    count, idle = settings.count("num_layers", "decoder_num_layers", most=MOST_LAYERS), idle_layers(settings)
    model.set("layers", count.but(count.value - len(idle), f", {len(idle)} of which do nothing") if idle else count)
    model.set("hidden", settings.count("hidden_size"))
    model.set("heads", settings.count("num_attention_heads"))
    model.set("experts", settings.count("num_experts", most=MOST_EXPERTS))
    _read_attention(settings, model)
    _read_experts(settings, model)
    if not model.is_named:
        model.set("vocabulary", _vocabulary(settings, keys.get("vocabulary"), label))
        model.complete()
        model.check()
    if _ties(settings):
        model.unmapped.append(TIED)
    return model


def _refuse_others(settings):
    file = settings.get("yaml_cfg")
    if file and not is_off(file):
        told = f"Megatron takes its settings from {shown(file.value)} alone: give that file in place of the arguments"
        raise ImportRefused(file.spot, f"{name_of(file)}{told}")
    is_linear = "full_attention_interval" in settings  # names of Mamba are those of its linear attention
    for name in filter(_HYBRID.fullmatch, settings.names()):
        hybrid = None if is_linear and name.startswith("mamba_") else settings.get(name)
        if hybrid and not is_off(hybrid) and (name != "spec" or "mamba" in " ".join(map(str, as_words(hybrid)))):
            raise ImportRefused(hybrid.spot, "its layers are not all of attention, which rails does not have")
    retrieves = settings.get("retro_add_retriever")
    if retrieves and not is_off(retrieves):
        told = "its layers attend to texts that it looks up, which rails does not have"
        raise ImportRefused(retrieves.spot, f"{name_of(retrieves)}{told}")
    decoder, layers = settings.get("decoder_num_layers"), settings.get("num_layers")
    if decoder and layers and not is_off(decoder) and not is_off(layers):
        told = "a model with encoder and decoder: expected a decoder alone"
        raise ImportRefused(decoder.spot, f"{name_of(decoder)}{told}")


def _need_model(settings):
    for name in ("num_layers", "hidden_size", "num_attention_heads"):
        if name not in settings:
            raise ImportRefused(
                "./rails import megatron",
                f"--{name.replace('_', '-')} is missing: give it, or --hf CONFIG with config.json of the model",
            )


def _ties(settings):
    shared = settings.flag("share_embeddings_and_output_weights")
    untied = settings.flag("untie_embeddings_and_output_weights")
    return bool(shared and shared.value) or bool(untied and not untied.value)


def _read_attention(settings, model):
    heads = model.keys.get("heads")
    if settings.is_on("multi_latent_attention"):
        model.set("kv_heads", heads)
        model.set("kv_rank", settings.count("kv_lora_rank") or ours(32, "Megatron's default"))
        model.set("query_rank", settings.count("q_lora_rank", least=0) or ours(0, "queries are not compressed"))
        model.set("head_width", settings.count("qk_head_dim") or ours(128, "Megatron's default"))
        model.set("rope_width", settings.count("qk_pos_emb_head_dim", least=0) or ours(64, "Megatron's default"))
        values = settings.count("v_head_dim")
        if values and values.value != model.number("head_width"):
            model.unmapped.append(
                f"{values.origin} {values.value}: values are as wide as keys here, {model.number('head_width')}"
            )
        settings.ask(("kv_channels", "num_query_groups"))
        return
    settings.ask(("q_lora_rank", "kv_lora_rank", "v_head_dim"))
    is_grouped = settings.flag("group_query_attention")
    groups = settings.count("num_query_groups")
    is_argument = groups is not None and groups.origin.endswith("--num-query-groups")
    if groups and (is_grouped.value if is_grouped else not is_argument):
        model.set("kv_heads", groups)
    elif groups and is_argument and groups.value != model.number("kv_heads"):
        model.set("kv_heads", heads or model.keys.get("kv_heads"))
        model.unmapped.append(f"{groups.origin}: it counts with --group-query-attention alone, as in Megatron")
    elif is_grouped and is_grouped.value and is_grouped.origin.endswith("--group-query-attention"):
        if "kv_heads" not in model.keys:
            model.set("kv_heads", is_grouped.but(1, ", Megatron's default of --num-query-groups"))
    elif "kv_heads" not in model.keys and heads:
        model.set("kv_heads", heads.but(heads.value, ", no groups of queries"))
    width = settings.count("kv_channels")
    if width is None and not model.has("head_width"):
        hidden = model.keys["hidden"]
        if hidden.value % heads.value:
            refuse(heads, f"a divisor of {hidden.origin} {hidden.value}, or --kv-channels beside it")
        width = hidden.but(hidden.value // heads.value, f" / {heads.origin}")
    model.set("head_width", width)


def _read_experts(settings, model):
    ffn = settings.count("ffn_hidden_size")
    gated = _gate(settings)
    if gated or ("gated" not in model.keys and not model.is_named):
        model.set("gated", gated or ours(False, "no --swiglu"))
    if ffn is None and not model.is_named and "ffn" not in model.keys:
        hidden = model.keys["hidden"]
        is_narrow = model.number("gated") and (gated is None or not gated.origin.endswith("-geglu"))
        width = int(8 * hidden.value / 3 / 64) * 64 if is_narrow else 4 * hidden.value
        ffn = hidden.but(width, ", by Megatron's default of --ffn-hidden-size")
    experts = model.keys.get("experts")
    is_single = experts and experts.value == 1 and not settings.first("moe_router_topk", "moe_ffn_hidden_size")
    if (not experts or is_single) and not model.is_named:
        set_dense(model, ffn, f"{experts.origin} 1" if experts else "no --num-experts")
        return
    top_k = settings.count("moe_router_topk")
    if top_k or not model.has("top_k"):
        model.set("top_k", top_k or ours(2, "Megatron's default"))
    expert_ffn = settings.count("moe_ffn_hidden_size")
    if expert_ffn or not model.has("expert_ffn"):
        model.set("expert_ffn", expert_ffn or ffn)
    frequency = settings.get("moe_layer_freq")
    if frequency is not None:
        _lay_dense(frequency, model, settings)
    elif not model.has("dense_layers"):
        model.set("dense_layers", ours(0, "all layers have experts, Megatron's default"))
    if not model.is_named or "dense_layers" in model.keys:
        if "dense_layers" in model.keys and not model.number("dense_layers"):
            model.set("ffn", ours(0, "no dense layers"))
        else:
            model.set("ffn", ffn)
    shared, has_shared = settings.count("moe_shared_expert_intermediate_size", least=0), settings.flag(_HAS_SHARED)
    number = settings.count("n_shared_experts", least=0)
    if number and not shared:
        width = model.number("expert_ffn")
        shared = number.but(number.value * width, f" {number.value} x {width}")
    model.set("shared_ffn", has_shared.but(0, " false") if has_shared and not has_shared.value else shared)
    latent = settings.count("moe_latent_size")
    model.set("expert_hidden", latent)
    groups = settings.count("moe_router_num_groups") or model.keys.get("expert_groups")
    top = settings.count("moe_router_group_topk") or model.keys.get("top_groups")
    if top and not groups:
        raise ImportRefused(top.spot, f"{name_of(top)}it needs --moe-router-num-groups beside it: give both")
    if groups and top and top.value < groups.value:
        model.set("expert_groups", groups)
        model.set("top_groups", top)
    _read_balancing(settings, model)


def _gate(settings):
    """The flag of a gate, of whatever activation; one that is on counts."""
    names = [name for name in _GATES if name in settings.names() and as_switch(settings.peek(name)) is not None]
    flags = [settings.flag(name) for name in names]
    return next((flag for flag in flags if flag.value), settings.flag("swiglu"))


def idle_layers(settings):
    """--noop-layers of MindSpeed: which ones of --num-layers do nothing."""
    found, count = settings.get("noop_layers"), settings.count("num_layers")
    if not found or not count or is_off(found):
        return ()
    return tuple(sorted({as_count(found.but(number), 0, count.value - 1) for number in as_words(found)}))


def _lay_dense(found, model, settings):
    """
    --moe-layer-freq: every n-th layer from the first has experts, or a list of 0 and 1 as Python writes it. With
    --first-k-dense-replace of MindSpeed, none of the first ones has them.
    """
    idle = idle_layers(settings)
    count = model.number("layers") + len(idle)
    value = found.value
    if isinstance(value, str):
        value = value.strip().strip("'\"")
    if isinstance(value, str) and "[" in value:
        value = read_pattern(found, value)
    if isinstance(value, list):
        numbers = [as_count(found.but(number), 0) for number in value]
        if len(numbers) != count:
            refuse(found, f"a pattern of {count} layers")
        is_dense = [not number for number in numbers]
    else:
        every = 1 if str(value) == "-1" else as_count(found.but(value))
        begin = settings.get("first_k_dense_replace")
        first = 0 if begin is None or str(begin.value) == "-1" else as_count(begin, 0, count)
        found = begin if first and every == 1 else found
        is_dense = [layer < first or layer % every != 0 for layer in range(count)]
    lay_dense(model, [dense for layer, dense in enumerate(is_dense) if layer not in idle], found)


def _read_balancing(settings, model):
    bias = settings.flag("moe_router_enable_expert_bias")
    kind = settings.get("moe_router_load_balancing_type")
    coefficient = settings.get("moe_aux_loss_coeff")
    words = as_words(kind) if kind else []
    unknown = [word for word in words if word not in _BALANCES]
    has_loss = kind is None or any(word not in ("none", "sinkhorn") for word in words)
    if unknown:
        told = f"not known, what it does to loads is not there: expected one of {', '.join(_BALANCES)}"
        model.unmapped.append(f"{kind.origin} {', '.join(map(str, unknown))}: {told}")
    if "sinkhorn" in words:
        model.set("balancing", kind.but("loss-free", " sinkhorn"))
        model.unmapped.append(f"{kind.origin} sinkhorn: loads are as even as those of biases, not as those of Sinkhorn")
    elif bias and bias.value:
        model.set("balancing", bias.but("loss-free"))
    elif coefficient is not None:
        is_on = has_loss and any(as_number(coefficient.but(number)) > 0 for number in as_words(coefficient))
        model.set("balancing", coefficient.but("aux-loss" if is_on else "no-aux", f" {coefficient.value}"))
    elif kind is not None and not _keeps_balancing(model, has_loss):
        model.set("balancing", kind.but("no-aux", f" {kind.value}, and no coefficient"))
    elif not model.has("balancing"):
        model.set("balancing", ours("no-aux", "no --moe-aux-loss-coeff, 0 by default"))


def _keeps_balancing(model, has_loss):
    """Whether what another file says stands beside a kind of loss without a coefficient: biases, or its coefficient."""
    known = model.keys.get("balancing")
    if known is None:
        return model.is_named and has_loss
    return known.value == "loss-free" or (has_loss and bool(known.place))


def _vocabulary(settings, known, label):
    padded = settings.count("padded_vocab_size")
    if padded:
        return padded
    size = settings.count("vocab_size") or known
    if size is None:
        size = _vocabulary_of_names(settings, label)
    if size is None:
        whys = filter(None, map(settings.why_unknown, _NAMES_OF_TOKENS))
        why = next((f", since {unknown.why}" for unknown in whys), "")
        told = f"how many different tokens there are is not said{why}: give --vocab-size, or --hf CONFIG"
        raise ImportRefused("./rails import megatron", told, ("--vocab-size", BLANK))
    multiple = settings.count("make_vocab_size_divisible_by")
    whole = (multiple.value if multiple else 128) * (settings.count("tensor_model_parallel_size") or ours(1, "")).value
    rounded = -(-size.value // whole) * whole
    if rounded == size.value:
        return size
    return size.but(rounded, f", {size.value} up to a multiple of {whole} as Megatron pads")


def _vocabulary_of_names(settings, label):
    """What the names of a tokenizer, its kind or the model say."""
    known = {name: settings.get(name) for name in _NAMES_OF_TOKENS if not settings.why_unknown(name)}
    kind = known.pop("tokenizer_type", None)
    loaded = None if settings.why_unknown("load") else settings.get("load")
    for name in [*known.values(), loaded, label]:
        if name is None or not isinstance(name.value, str):
            continue
        last = name.value.rstrip("/").rsplit("/", 1)[-1].lower()
        best = max((known for known in _VOCABULARIES if last.startswith(known.lower())), key=len, default=None)
        if best:
            return name.but(_VOCABULARIES[best], f" {name.value}: vocab_size of its configuration")
    size = kind and _TOKENIZERS.get(str(kind.value))
    return kind.but(size, f" {kind.value}") if size else None


def known_model(name):
    """A model that rails has, by a text that names it, such as deepseek-ai/DeepSeek-V3 or a recipe's name."""
    folded = _fold(name.value)
    # With more behind its name (DeepSeek-V3.2) it may be another model: only what is known to be the same.
    last = name.value.rstrip("/").rsplit("/", 1)[-1]
    for known, (kind, facts) in KNOWN.items():
        same = re.fullmatch(re.escape(known) + r"(-Base|-v0\.1|-Instruct.*|-Chat|-BF16|-0324)?", last, re.IGNORECASE)
        if same or (name.value.endswith("_config") and folded.startswith(_fold(known))):
            return Model(kind, known, facts)
    return None


def _fold(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())
