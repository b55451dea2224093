# SPDX-License-Identifier: GPL-2.0-only
"""config.json of Hugging Face: the dimensions of a model, whose names differ from family to family."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from .errors import ImportRefused, shown
from .model import MOST_EXPERTS, MOST_LAYERS, TIED, Model, lay_dense, set_dense
from .values import Settings, Value, as_count, ours, refuse


@dataclass(frozen=True)
class Family:
    """What does not follow from the keys of a configuration."""

    type: str  # the model of rails that is most like it
    balancing: str = ""  # where its code does it and no key says so
    shared: int = 0  # shared experts of every layer where no key says so


# By model_type. Others are read by the names of their keys alone, which is said.
FAMILIES = {
    "deepseek": Family("deepseek-v3"),
    "deepseek_v2": Family("deepseek-v3"),
    "deepseek_v3": Family("deepseek-v3"),
    "deepseek_v32": Family("deepseek-v3"),
    "kimi_k2": Family("deepseek-v3"),
    "glm4_moe": Family("qwen3-235b", "loss-free"),
    "qwen2_moe": Family("qwen1.5-moe-a2.7b"),
    "qwen3_moe": Family("qwen3-235b"),
    "qwen3_next": Family("qwen3-235b"),
    "mixtral": Family("mixtral-8x7b"),
    "gpt_oss": Family("qwen3-235b"),
    "granitemoe": Family("mixtral-8x7b"),
    "granitemoeshared": Family("mixtral-8x7b"),
    "olmoe": Family("mixtral-8x7b"),
    "dbrx": Family("mixtral-8x7b"),
    "phimoe": Family("mixtral-8x7b"),
    "llama4_text": Family("mixtral-8x7b", shared=1),
    "llama": Family("mixtral-8x7b"),
    "mistral": Family("mixtral-8x7b"),
    "qwen2": Family("mixtral-8x7b"),
    "qwen3": Family("mixtral-8x7b"),
}
_UNKNOWN = Family("mixtral-8x7b")

_EXPERTS = ("n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts", "ffn_config.moe_num_experts")
_TOP_K = (
    "num_experts_per_tok",
    "num_experts_per_token",
    "experts_per_token",
    "moe_topk",
    "moe_top_k",
    "moe_k",
    "ffn_config.moe_top_k",
)
_EXPERT_FFN = ("moe_intermediate_size", "ffn_config.ffn_hidden_size")
_SHARED_COUNT = ("n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts")
_AUX_LOSS = ("router_aux_loss_coef", "aux_loss_alpha", "ffn_config.moe_loss_weight", "router_aux_loss_coefficient")
_LAYERS = ("num_hidden_layers", "n_layers", "num_layers")

# What changes neither what is sent nor how long it takes as far as a descriptor says it.
_WITHOUT_EFFECT = re.compile(
    r"architectures|model_type|auto_map|_name_or_path|_commit_hash|transformers_version|torch_dtype|dtype|use_cache|"
    r".*token_id|.*dropout.*|.*_pdrop|hidden_act|initializer_.*|.*_eps|.*norm.*|rope_.*|.*rope|max_position_embeddings|"
    r"initial_context_length|max_seq_len|max_window_layers|use_sliding_window|attention_bias|.*bias|swiglu_limit|"
    r"routed_scaling_factor|scoring_func|topk_method|seq_aux|pretraining_tp|ep_size|output_router_logits|"
    r"router_jitter_noise|input_jitter_noise|router_z_loss_coef|rotary_.*|partial_rotary_factor|qk_nope_.*|"
    r"sampler.*|return_dict|chunk_size.*|num_key_value_groups|.*multiplier|logits_scaling|tokenizer_class|"
    r"attn_config\.(clip_qkv|model_type|attn_pdrop|rope_theta)|ffn_config\.(ffn_act_fn\..*|moe_jitter_eps|model_type|"
    r"moe_normalize_expert_weights|uniform_expert_assignment)|rope_scaling.*|for_llm_.*|problem_.*"
)

# Keys that say of a model what a descriptor cannot, by how they are told.
_BEYOND = {
    "sliding_window": "attention counts as if it saw the whole sequence: its time is too long",
    "full_attention_interval": "layers of linear attention count as full ones: their time is too long",
    "index_topk": "sparse attention counts as full: its time is too long, and what chooses is left out",
    "attention_chunk_size": "attention counts as if it saw the whole sequence: its time is too long",
    "quantization_config": "times and bytes are those of BF16, which is what a training of it has but for its products",
}
_HYBRID = ("hybrid_override_pattern", "mamba_d_state", "attn_layer_period", "ssm_cfg", "mamba_num_heads")


def read_config(path):
    """The settings of a config.json: nested ones by their path, such as attn_config.kv_n_heads."""
    text = read_text(path)
    name = Path(path).name
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ImportRefused(
            f"{path}:{error.lineno}:{error.colno}", f"{error.msg}: expected config.json as Hugging Face has it"
        ) from error
    except RecursionError as error:
        raise ImportRefused(path, "it is nested too deeply: expected config.json as Hugging Face has it") from error
    if not isinstance(data, dict):
        raise ImportRefused(f"{path}:1:1", "expected config.json as Hugging Face has it, an object in braces")
    inside = next(
        (key for key in ("text_config", "language_config", "llm_config") if isinstance(data.get(key), dict)), ""
    )
    settings = Settings()
    lines = text.split("\n")
    for key, value in _flat(data[inside] if inside else data):
        origin = f"{name}: {inside + '.' if inside else ''}{key}"
        settings.set(key, Value(value, origin, f"{path}:{_line_of(lines, key, inside)}"))
    return settings, inside


def read_text(path):
    try:
        return Path(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ImportRefused(path, f"it is no text: byte {error.start} is not UTF-8") from error


def _flat(data, before=""):
    for key, value in data.items():
        if isinstance(value, dict) and key in ("attn_config", "ffn_config"):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def _line_of(lines, key, inside):
    """Where a key stands, behind the one that it is inside of."""
    start = 0
    for part in [*filter(None, [inside]), *key.split(".")]:
        pattern = re.compile(re.escape(json.dumps(part)) + r"\s*:")
        start = next((number for number in range(start, len(lines)) if pattern.search(lines[number])), start)
    return start + 1


def read_model(path):
    """The model of a config.json, or of a folder that has one."""
    path = path if not Path(path).is_dir() else str(Path(path) / "config.json")
    config, inside = read_config(path)
    kind = config.text("model_type")
    name = kind.value if kind else ""
    family = FAMILIES.get(name, _UNKNOWN)
    model = Model(family.type, _label(config, path))
    _refuse_others(config, path)
    if name not in FAMILIES:
        model.unmapped.append(
            f"{Path(path).name}: model_type {shown(name)} is not known here: keys are read by their names, compare them"
        )
    if inside:
        model.unmapped.append(f"{Path(path).name}: what is outside of {inside} (vision, speech) is left out")
    _read_attention(config, model, path)
    _read_experts(config, model, family, path)
    model.complete()
    model.check()
    _list_beyond(config, model, path)
    return model


def _label(config, path):
    """What the model is called, by its name on the Hub or else by its folder."""
    found = config.text("_name_or_path")
    name = found.value if found and found.value else Path(path).absolute().parent.name
    name = name.rstrip("/").rsplit("/", 1)[-1]
    return name if re.fullmatch(r"[\w.+-]+", name) else "imported"


def _refuse_others(config, path):
    hybrid = config.first(*_HYBRID)
    if hybrid:
        raise ImportRefused(
            hybrid.place, f"{hybrid.origin}: its layers are not all of attention, which rails does not have"
        )
    if config.is_on("is_encoder_decoder"):
        raise ImportRefused(path, "a model with encoder and decoder: expected a decoder alone")


def _need(value, path, what, names):
    if value is None:
        raise ImportRefused(path, f"{what} is missing: expected {' or '.join(names)}")
    return value


def _read_attention(config, model, path):
    model.set("layers", _need(config.count(*_LAYERS, most=MOST_LAYERS), path, "the number of layers", _LAYERS))
    names = ("hidden_size", "d_model")
    hidden = _need(config.count(*names), path, "the width of the model", names)
    model.set("hidden", hidden)
    names = ("num_attention_heads", "n_heads")
    heads = _need(config.count(*names), path, "the number of heads", names)
    model.set("heads", heads)
    model.set("kv_heads", config.count("num_key_value_heads", "attn_config.kv_n_heads") or heads)
    model.set("vocabulary", _need(config.count("vocab_size"), path, "the vocabulary", ("vocab_size",)))
    rank = config.count("kv_lora_rank", least=0)
    if rank and rank.value:
        _read_latent_attention(config, model, rank, path)
    else:
        model.set("head_width", config.count("head_dim", "attention_head_dim") or _even_heads(hidden, heads))


def _even_heads(hidden, heads):
    if hidden.value % heads.value:
        refuse(heads, f"a divisor of {hidden.origin}: {hidden.value}, or head_dim beside it")
    return hidden.but(hidden.value // heads.value, f" / {heads.origin.rsplit(': ', 1)[-1]}")


def _read_latent_attention(config, model, rank, path):
    config.ask(("head_dim",))  # of latent attention it is that of the part with the position
    model.set("kv_rank", rank)
    model.set("query_rank", config.count("q_lora_rank", least=0) or ours(0, "q_lora_rank: none"))
    width = _need(config.count("qk_nope_head_dim"), path, "the width of a head", ("qk_nope_head_dim",))
    model.set("head_width", width)
    model.set("rope_width", config.count("qk_rope_head_dim", least=0))
    values = config.count("v_head_dim")
    if values and values.value != width.value:
        model.unmapped.append(f"{values.origin} {values.value}: values are as wide as keys here, {width.value}")


def _read_experts(config, model, family, path):
    experts = config.count(*_EXPERTS, least=0, most=MOST_EXPERTS)
    width = config.count("intermediate_size", "ffn_hidden_size")
    model.set("gated", ours(True, "as all families of Hugging Face with these keys"))
    if experts is None or experts.value == 0:
        ffn = _need(width, path, "the width of a layer", ("intermediate_size",))
        set_dense(model, ffn, "the model has no experts")
        return
    model.set("experts", experts)
    model.set("top_k", _need(config.count(*_TOP_K), path, "how many experts a token goes to", _TOP_K))
    expert_ffn = config.count(*_EXPERT_FFN) or width
    model.set("expert_ffn", _need(expert_ffn, path, "the width of an expert", (*_EXPERT_FFN, "intermediate_size")))
    _lay_dense(config, model)
    if model.number("dense_layers"):
        dense = config.count("intermediate_size_mlp") or width
        model.set("ffn", _need(dense, path, "the width of a dense layer", ("intermediate_size",)))
    else:
        model.set("ffn", ours(0, "no dense layers"))
    _read_shared(config, model, family)
    _read_groups(config, model)
    _read_balancing(config, model, family)


def _lay_dense(config, model):
    layers = model.number("layers")
    listed = config.first("mlp_layer_types")
    kept = config.first("moe_layers")
    only = config.first("mlp_only_layers")
    first = config.count("first_k_dense_replace", "moe_layer_start_index", least=0)
    frequency = config.first("moe_layer_freq", "moe_layer_interval")
    if listed:
        _check_list(listed, layers)
        lay_dense(model, [word == "dense" for word in listed.value], listed)
    elif frequency and isinstance(frequency.value, list):
        _check_list(frequency, layers)
        lay_dense(model, [not number for number in frequency.value], frequency)
    elif kept:
        numbers = _numbers(kept, layers)
        lay_dense(model, [layer not in numbers for layer in range(layers)], kept)
    elif config.get("interleave_moe_layer_step"):
        step = config.count("interleave_moe_layer_step")
        lay_dense(model, [(layer + 1) % step.value != 0 for layer in range(layers)], step)
    elif first or (frequency and as_count(frequency) > 1):
        skipped, every = first.value if first else 0, as_count(frequency) if frequency else 1
        lay_dense(model, [layer < skipped or layer % every != 0 for layer in range(layers)], first or frequency)
    else:
        _lay_dense_of_qwen(config, model, only, layers)


def _lay_dense_of_qwen(config, model, only, layers):
    step = config.count("decoder_sparse_step")
    every = step.value if step else 1
    numbers = _numbers(only, layers) if only else ()
    is_dense = [layer in numbers or (layer + 1) % every != 0 for layer in range(layers)]
    origin = only if only and only.value else step if every > 1 else None
    lay_dense(model, is_dense, origin or only or ours(0, "all layers have experts"))


def _raw(config, name):
    found = config.get(name)
    return found.value if found else None


def _check_list(found, layers):
    if not isinstance(found.value, list) or len(found.value) != layers:
        refuse(found, f"a list with a word for each of the {layers} layers")


def _numbers(found, layers):
    if not isinstance(found.value, list):
        refuse(found, "a list of numbers of layers")
    numbers = {as_count(found.but(number), 0) for number in found.value}
    if numbers and max(numbers) >= layers:
        refuse(found, f"numbers of layers below {layers}")
    return numbers


def _read_shared(config, model, family):
    width = config.count("shared_expert_intermediate_size", "shared_intermediate_size", least=0)
    count = config.count(*_SHARED_COUNT, least=0)
    expert = model.keys["expert_ffn"]
    if width:
        model.set("shared_ffn", width)
    elif count and count.value:
        name = expert.origin.rsplit(": ", 1)[-1]
        model.set("shared_ffn", count.but(count.value * expert.value, f" x {name}"))
    elif family.shared:
        model.set(
            "shared_ffn", expert.but(family.shared * expert.value, f", {family.shared} shared as its code has it")
        )


def _read_groups(config, model):
    """Groups of experts count where tokens are kept to some of them."""
    method = config.text("topk_method")
    groups, top = config.count("n_group"), config.count("topk_group")
    if groups and top and top.value < groups.value and not (method and method.value == "greedy"):
        model.set("expert_groups", groups)
        model.set("top_groups", top)


def _read_balancing(config, model, family):
    method = config.text("topk_method")
    loss = config.number(*_AUX_LOSS)
    if method and method.value == "noaux_tc":
        model.set("balancing", method.but("loss-free", f" {method.value}"))
    elif family.balancing:
        model.set("balancing", ours(family.balancing, "as the code of its family does it"))
    elif loss:
        model.set("balancing", loss.but("aux-loss" if loss.value > 0 else "no-aux", f" {loss.value:g}"))
    else:
        model.set("balancing", ours("aux-loss", "nothing says it: our choice"))


def _list_beyond(config, model, path):
    for name, consequence in _BEYOND.items():
        found = config.get(name)
        is_unused = name == "sliding_window" and _raw(config, "use_sliding_window") is False
        if found and found.value is not False and not is_unused:
            value = f" {found.value}" if isinstance(found.value, (int, str)) else ""
            model.unmapped.append(f"{found.origin}{value}: {consequence}")
    ahead = config.count("num_nextn_predict_layers", least=0)
    if ahead and ahead.value:
        told = "multi-token prediction is left out, model.mtp_layers adds it"
        model.ahead = f"{ahead.origin} {ahead.value}: {told}"
    tied = config.flag("tie_word_embeddings")
    if tied and tied.value:
        model.unmapped.append(f"{tied.origin}: {TIED}")
    left = [name for name in config.unasked() if not _WITHOUT_EFFECT.fullmatch(name)]
    if left:
        model.unmapped.append(f"{Path(path).name}: nothing is taken of {', '.join(left)}")
