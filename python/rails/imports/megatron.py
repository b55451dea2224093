# SPDX-License-Identifier: GPL-2.0-only
"""Settings of Megatron, by the names of its arguments: the model, how it is divided, and what a step does."""

import re
from math import lcm

from . import layers
from .errors import ImportRefused, shown
from .model import Model, lay_dense
from .training import USUAL_SERVER, Training, fewest_gpus, fit_server
from .values import Settings, as_count, as_number, ours, refuse

# Other names of an argument: of configurations, of older versions, of Megatron-Bridge.
ALIASES = {
    "num_moe_experts": "num_experts",
    "decoder_first_pipeline_num_layers": "num_layers_in_first_pipeline_stage",
    "decoder_last_pipeline_num_layers": "num_layers_in_last_pipeline_stage",
    "virtual_pipeline_model_parallel_size": "num_virtual_stages_per_pipeline_rank",
    "gated_linear_unit": "swiglu",
    "fp8_format": "fp8",
    "fp4_format": "fp4",
    "encoder_num_layers": "num_layers",
    "encoder_seq_length": "seq_length",
    "nproc_per_node": "gpus_per_node",
    "world_size": "num_gpus",
}

# Models that rails has, by their name on the Hub: for recipes, which name a model and say nothing of its dimensions.
KNOWN = {
    "DeepSeek-V3": ("deepseek-v3", {"layers": 61, "dense_layers": 3, "experts": 256, "shared_ffn": 2048, "kv_rank": 512}),
    "Mixtral-8x7B": ("mixtral-8x7b", {"layers": 32, "experts": 8}),
    "Mixtral-8x22B": ("mixtral-8x22b", {"layers": 56, "experts": 8}),
    "Qwen1.5-MoE-A2.7B": ("qwen1.5-moe-a2.7b", {"layers": 24, "experts": 60, "shared_ffn": 5632}),
    "Qwen3-235B-A22B": ("qwen3-235b", {"layers": 94, "experts": 128}),
}

# vocab_size of the configurations of models, for command lines that name a tokenizer instead.
_VOCABULARIES = {
    "DeepSeek-R1": 129_280,
    "DeepSeek-V2": 102_400,
    "DeepSeek-V3": 129_280,
    "GLM-4.5": 151_552,
    "Kimi-K2": 163_840,
    "Mixtral-8x22B": 32_000,
    "Mixtral-8x7B": 32_000,
    "OLMoE": 50_304,
    "Qwen1.5-MoE": 151_936,
    "Qwen2-57B": 151_936,
    "Qwen3": 151_936,
    "dbrx": 100_352,
    "gpt-oss": 201_088,
}
_TOKENIZERS = {"GPT2BPETokenizer": 50_257, "Llama2Tokenizer": 32_000}

# Flags whose being on is not in a descriptor, and what follows.
_BEYOND_ON = {
    "overlap_moe_expert_parallel_comm": "exchanges are not hidden by another micro-batch: more of them is exposed",
    "delay_wgrad_compute": "gradients of parameters are computed with the way back: they hide no exchange",
    "overlap_dispatch_backward_with_experts_wgrad": "experts' gradients hide no exchange",
    "tp_comm_overlap": "all-gathers and reduce-scatters of tp are exposed",
    "overlap_param_gather": "parameters are gathered before the next iteration, not under it",
    "optimizer_cpu_offload": "the optimizer is on the GPU: memory is larger, and nothing crosses PCIe for it",
    "cpu_offloading": "activations stay on the GPU: memory is larger, and nothing crosses PCIe for them",
    "fine_grained_activation_offloading": "activations stay on the GPU: memory is larger, and nothing crosses PCIe for them",
    "moe_layer_recompute": "experts are not computed again: memory is larger, a step shorter",
    "use_tp_pp_dp_mapping": "stages lie outside of replicas, since attention and experts have other numbers of GPUs here",
    "account_for_embedding_in_pipeline_split": "",  # part of the layout
    "account_for_loss_in_pipeline_split": "",
    "hybrid_context_parallel": "context parallelism is the same for all sequences",
    "heterogeneous_layers_config_path": "all layers with experts are alike",
    "moe_router_force_biased": "loads are those of load",
    "mtp_use_repeated_layer": "layers of multi-token prediction have parameters of their own",
    "use_precision_aware_optimizer": "the optimizer has 12 bytes for each parameter: memory and its step are larger",
}
_BEYOND_OFF = {
    "use_distributed_optimizer": "the optimizer is divided over replicas: less memory, and as many bytes (reduce-scatter, all-gather)",
    "overlap_grad_reduce": "gradients travel while others are computed: less of them is exposed",
}
_BEYOND_ANY = {
    "cp_comm_type": "keys and values go round a ring",
    "hierarchical_context_parallel_sizes": "keys and values go round one ring",
    "window_size": "attention counts as if it saw the whole sequence: its time is too long",
    "experimental_attention_variant": "attention counts as full: its time is too long",
    "linear_attention_type": "layers of linear attention count as full ones: their time is too long",
    "rampup_batch_size": "the batch is the full one",
    "microbatch_group_size_per_vp_stage": "micro-batches go in groups of as many as there are stages",
    "pipeline_model_parallel_comm_backend": "",
    "num_distributed_optimizer_instances": "one optimizer is divided over all replicas",
    "outer_dp_sharding_strategy": "one optimizer is divided over all replicas",
    "cuda_graph_impl": "launches of kernels take no time, with graphs or without",
    "quant_recipe": "computing and what is sent are in BF16",
    "num_layers_at_start_in_bf16": "",
    "num_layers_at_end_in_bf16": "",
    "moe_flex_dispatcher_num_sms": "kernels that communicate take no SMs from computing",
    "moe_deepep_num_sms": "kernels that communicate take no SMs from computing",
    "moe_hybridep_num_sms": "kernels that communicate take no SMs from computing",
    "moe_expert_rank_capacity_factor": "GPUs take all tokens that come",
    "moe_router_topk_limited_devices": "tokens go to any GPU",
}

# Names that may change what is sent or how long it takes: of these, nothing is left out without a word.
_RELEVANT = re.compile(
    r"parallel|pipeline|expert|moe_|recompute|overlap|offload|^mtp_|hybrid|window|linear_attention|fsdp|shard|mamba|"
    r"cp_comm|batch_size|gtp_|standalone_embedding|multimodal|retro|vision|encoder_|heterogeneous|engram|mhc"
)
_HARMLESS = re.compile(
    r"moe_(grouped_gemm|permute_\w+|router_(dtype|fusion|score_function|pre_softmax|topk_scaling_factor|bias_update_rate|"
    r"padding_for\w*)|z_loss_coeff|input_jitter_eps|per_layer_logging|token_drop\w*|apply_probs\w*|shared_expert_gate|"
    r"use_legacy\w*|single_grouped\w*|paged\w*|mlp_glu\w*|hybridep_(num_blocks|num_sms_pre|pad)\w*|a2a_overlap|"
    r"pad_experts_for\w*)|(\w+_)?eval_\w+|fully_parallel\w*|ckpt\w*|mtp_loss\w*|mtp_detach\w*|tp_comm_overlap_\w+|"
    r"(no_)?overlap_p2p\w*|overlap_param_gather_with\w*|offload_modules|inference\w*|keep_\w+|init_model\w*|"
    r"linear_\w+|data_sharding|pipeline_dtype|ddp_\w*|use_mp_args\w*|dist_ckpt\w*|make_vocab\w*|fsdp_double\w*|defer_embedding\w*|_\w*"
)


def settings_of(pairs):
    """Settings by the names that are read here; of two names of the same thing the later one counts."""
    settings = Settings()
    for name, value in pairs:
        settings.set(ALIASES.get(name, name), value)
    return settings


def read_training(settings, source, model=None, gpus=None, label=None):
    """
    A training by settings.

    :param model: one that was read from elsewhere; settings that say the same count more
    :param gpus: how many, where the user says so
    :param label: what the model is called, where another file or a recipe says so
    """
    _refuse_others(settings)
    model = _read_model(settings, model, label)
    parallel, others = _read_parallel(settings, model)
    unmapped = list(model.unmapped) + others
    server = _server(settings)
    gpus = gpus or _gpus(settings, server, parallel)
    batch = _read_batch(settings, gpus, parallel)
    training = Training(source, model, gpus, fit_server(gpus, server), parallel, batch, unmapped=unmapped)
    _read_order(settings, training)
    _read_exchange(settings, training)
    _read_recompute(settings, training)
    _read_load(settings, training)
    _read_bytes(settings, training)
    _list_beyond(settings, training)
    return training


def _refuse_others(settings):
    hybrid = settings.first("hybrid_layer_pattern", "hybrid_override_pattern", "mamba_num_heads", "is_hybrid_model")
    if hybrid and not _is_off(hybrid):
        raise ImportRefused(hybrid.spot, "its layers are not all of attention, which rails does not have")


# The model


def _read_model(settings, model, label):
    if model is None:
        latent = settings.is_on("multi_latent_attention")
        model = Model("deepseek-v3" if latent else "mixtral-8x7b", label.value if label else "megatron")
        _need_model(settings)
    keys = model.keys
    if model.is_dense and "num_experts" in settings:
        for key in ("dense_layers", "top_k", "expert_ffn", "balancing"):  # its layers get experts
            keys.pop(key, None)
    for key, names in (
        ("layers", ("num_layers", "decoder_num_layers")),
        ("hidden", ("hidden_size",)),
        ("heads", ("num_attention_heads",)),
        ("experts", ("num_experts",)),
    ):
        model.set(key, settings.count(*names))
    _read_attention(settings, model)
    _read_experts(settings, model)
    if not model.is_named:
        model.set("vocabulary", _vocabulary(settings, keys.get("vocabulary"), label))
        model.complete()
        model.check()
    if settings.is_on("tie_word_embeddings") or _ties(settings):
        model.unmapped.append("embedding and head share a matrix, and are two here: memory and gradients have both")
    return model


def _need_model(settings):
    for name in ("num_layers", "hidden_size", "num_attention_heads"):
        if name not in settings:
            raise ImportRefused(
                "./rails import megatron",
                f"--{name.replace('_', '-')} is missing: give it, or --hf CONFIG with config.json of the model",
            )


def _ties(settings):
    shared, untied = settings.flag("share_embeddings_and_output_weights"), settings.flag("untie_embeddings_and_output_weights")
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
    if groups and (is_grouped is None or is_grouped.value):
        model.set("kv_heads", groups)
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
    gated = settings.flag("swiglu")
    if gated or ("gated" not in model.keys and not model.is_named):
        model.set("gated", gated or ours(False, "no --swiglu"))
    if ffn is None and not model.is_named and "ffn" not in model.keys:
        hidden = model.keys["hidden"]
        width = int(8 * hidden.value / 3 / 64) * 64 if model.number("gated") else 4 * hidden.value
        ffn = hidden.but(width, ", by Megatron's default of --ffn-hidden-size")
    if "experts" not in model.keys and not model.is_named:
        _read_dense(model, ffn)
        return
    model.set("top_k", settings.count("moe_router_topk") or (None if model.has("top_k") else ours(2, "Megatron's default")))
    expert_ffn = settings.count("moe_ffn_hidden_size")
    if expert_ffn or not model.has("expert_ffn"):
        model.set("expert_ffn", expert_ffn or ffn)
    frequency = settings.get("moe_layer_freq")
    if frequency is not None:
        _lay_dense(frequency, model)
    elif not model.has("dense_layers"):
        model.set("dense_layers", ours(0, "all layers have experts, Megatron's default"))
    if not model.is_named or "dense_layers" in model.keys:
        if "dense_layers" in model.keys and not model.number("dense_layers"):
            model.set("ffn", ours(0, "no dense layers"))
        else:
            model.set("ffn", ffn)
    model.set("shared_ffn", settings.count("moe_shared_expert_intermediate_size", least=0))
    latent = settings.count("moe_latent_size")
    model.set("expert_hidden", latent)
    groups, top = settings.count("moe_router_num_groups"), settings.count("moe_router_group_topk")
    if groups and top and top.value < groups.value:
        model.set("expert_groups", groups)
        model.set("top_groups", top)
    _read_balancing(settings, model)


def _read_dense(model, ffn):
    layers_ = model.keys["layers"]
    model.set("dense_layers", layers_.but(layers_.value, ", all of them: no --num-experts"))
    model.set("ffn", ffn)
    for key in ("experts", "top_k", "expert_ffn"):
        model.set(key, ours(1, "of no layer"))
    model.set("balancing", ours("no-aux", "of no layer"))


def _lay_dense(found, model):
    """--moe-layer-freq: every n-th layer from the first has experts, or a list of 0 and 1 as Python writes it."""
    count = model.number("layers")
    value = found.value
    if isinstance(value, str):
        value = value.strip().strip("'\"")
    if isinstance(value, str) and "[" in value:
        value = _pattern(found, value)
    if isinstance(value, list):
        numbers = [as_count(found.but(number), 0) for number in value]
        if len(numbers) != count:
            refuse(found, f"a pattern of {count} layers")
        lay_dense(model, [not number for number in numbers], found)
    else:
        every = as_count(found.but(value))
        lay_dense(model, [layer % every != 0 for layer in range(count)], found)


def _pattern(found, text):
    """A list by Python's + and * alone, such as ([0]*3+[1]*58)."""
    tokens = re.findall(r"\[[\s\d,]*\]|[()+*]|\d+|\S", text)
    if len(tokens) > 1000:
        refuse(found, "a shorter pattern")

    def factor(at):
        if at < len(tokens) and tokens[at] == "(":
            value, at = whole(at + 1)
            if at == len(tokens) or tokens[at] != ")":
                refuse(found, "a pattern such as ([0]*3+[1]*58)")
            return value, at + 1
        if at < len(tokens) and (tokens[at][0] == "[" or tokens[at].isdigit()):
            token = tokens[at]
            return ([int(number) for number in re.findall(r"\d+", token)] if token[0] == "[" else int(token)), at + 1
        refuse(found, "a pattern such as ([0]*3+[1]*58)")
        return None, at

    def product(at):
        value, at = factor(at)
        while at < len(tokens) and tokens[at] == "*":
            other, at = factor(at + 1)
            parts, times = (value, other) if isinstance(value, list) else (other, value)
            if not isinstance(parts, list) or not isinstance(times, int) or len(parts) * times > 100_000:
                refuse(found, "a pattern such as ([0]*3+[1]*58)")
            value = parts * times
        return value, at

    def whole(at):
        value, at = product(at)
        while at < len(tokens) and tokens[at] == "+":
            other, at = product(at + 1)
            if not isinstance(value, list) or not isinstance(other, list):
                refuse(found, "a pattern such as ([0]*3+[1]*58)")
            value = value + other
        return value, at

    value, at = whole(0)
    if at < len(tokens) or not isinstance(value, list):
        refuse(found, "a pattern such as ([0]*3+[1]*58)")
    return value


def _read_balancing(settings, model):
    bias = settings.flag("moe_router_enable_expert_bias")
    kind = settings.get("moe_router_load_balancing_type")
    coefficient = settings.get("moe_aux_loss_coeff")
    if bias and bias.value:
        model.set("balancing", bias.but("loss-free"))
    elif kind is not None or coefficient is not None:
        kinds = _words(kind) if kind else ["aux_loss"]
        numbers = _words(coefficient) if coefficient else [0]
        is_on = any(word not in ("none", "sinkhorn") for word in kinds) and any(
            as_number(coefficient.but(number)) > 0 for number in numbers if coefficient
        )
        origin = coefficient or kind
        model.set("balancing", origin.but("aux-loss" if is_on else "no-aux", f" {origin.value}"))
    elif not model.has("balancing"):
        model.set("balancing", ours("no-aux", "no --moe-aux-loss-coeff, 0 by default"))


def _words(found):
    """The words of a value with several."""
    value = found.value
    if isinstance(value, str):
        return value.strip("'\"[]() ").replace(",", " ").replace("'", " ").split()
    return [part for part in value] if isinstance(value, list) else [value]


def _vocabulary(settings, known, label):
    padded = settings.count("padded_vocab_size")
    if padded:
        return padded
    size = settings.count("vocab_size") or known
    if size is None:
        size = _vocabulary_of_names(settings, label)
    if size is None:
        raise ImportRefused(
            "./rails import megatron", "how many different tokens there are is not said: give --vocab-size, or --hf CONFIG"
        )
    multiple = settings.count("make_vocab_size_divisible_by")
    whole = (multiple.value if multiple else 128) * (settings.count("tensor_model_parallel_size") or ours(1, "")).value
    rounded = -(-size.value // whole) * whole
    return size if rounded == size.value else size.but(rounded, f", {size.value} up to a multiple of {whole} as Megatron pads")


def _vocabulary_of_names(settings, label):
    """What the names of a tokenizer, its kind or the model say."""
    for name in filter(None, [settings.text("tokenizer_model"), label]):
        last = name.value.rstrip("/").rsplit("/", 1)[-1].lower()
        best = max((known for known in _VOCABULARIES if last.startswith(known.lower())), key=len, default=None)
        if best:
            return name.but(_VOCABULARIES[best], f" {name.value}: vocab_size of its configuration")
    kind = settings.text("tokenizer_type")
    return kind.but(_TOKENIZERS[kind.value], f" {kind.value}") if kind and kind.value in _TOKENIZERS else None


def known_model(name):
    """A model that rails has, by a text that names it, such as deepseek-ai/DeepSeek-V3 or a recipe's name."""
    folded = _fold(name.value)
    # A model with another behind its name (Qwen3-235B-A22B-FP8, DeepSeek-V3.2) may be another one: only what is said to be the same.
    last = name.value.rstrip("/").rsplit("/", 1)[-1]
    for known, (kind, facts) in KNOWN.items():
        same = re.fullmatch(re.escape(known) + r"(-Base|-v0\.1|-Instruct.*|-Chat|-BF16|-0324)?", last, re.IGNORECASE)
        if same or (name.value.endswith("_config") and folded.startswith(_fold(known))):
            return Model(kind, known, facts)
    return None


def _fold(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


# How it is divided


def _read_parallel(settings, model):
    """The keys of parallel, and what is not among them."""
    tensor = settings.count("tensor_model_parallel_size") or ours(1, "Megatron's default")
    stages = settings.count("pipeline_model_parallel_size") or ours(1, "Megatron's default")
    expert_tensor = settings.count("expert_tensor_parallel_size")
    parallel = {
        "tp": tensor,
        "cp": settings.count("context_parallel_size") or ours(1, "Megatron's default"),
        "pp": stages,
        "ep": settings.count("expert_model_parallel_size") or ours(1, "Megatron's default"),
        "etp": expert_tensor or ours(tensor.value, "as tp, Megatron's default"),
    }
    if model.is_dense:
        parallel.pop("ep")
        parallel.pop("etp")
    unmapped = []
    _read_layout(settings, model, parallel, unmapped)
    return parallel, unmapped


def _read_layout(settings, model, parallel, unmapped):
    count, stages = model.number("layers"), parallel["pp"].value
    predictions = settings.count("mtp_num_layers", least=0)
    ahead = predictions.value if predictions else 0
    first = settings.count("num_layers_in_first_pipeline_stage", least=0)
    last = settings.count("num_layers_in_last_pipeline_stage", least=0)
    embedding, loss = (settings.is_on(f"account_for_{name}_in_pipeline_split") for name in ("embedding", "loss"))
    layout = settings.get("pipeline_model_parallel_layout")
    if layout is not None:
        settings.ask(("num_virtual_stages_per_pipeline_rank",))
        _take_layout(layout, model, parallel, ahead)
        return
    chunks = _chunks(settings, count + embedding + loss, stages)
    if chunks and chunks.value > 1 and stages < 2:
        unmapped.append(f"{chunks.origin} {chunks.value}: a single stage interleaves nothing, as in Megatron")
        chunks = None
    several = chunks.value if chunks else 1
    counts = layers.deal(
        count, stages, several, first.value if first else None, last.value if last else None, embedding, loss
    )
    origin = first or last or (settings.get("account_for_embedding_in_pipeline_split") if embedding else None)
    origin = origin or (settings.get("account_for_loss_in_pipeline_split") if loss else None)
    if counts is None:
        found = origin or (chunks if several > 1 else None) or parallel["pp"]
        raise ImportRefused(
            found.spot,
            f"{count} layers cannot be dealt over {stages} stages of {several} chunks by {found.origin} as Megatron does it: "
            "give --pipeline-model-parallel-layout, or other numbers",
        )
    if several > 1:
        parallel["vpp"] = chunks
    if ahead:
        parallel["layout"] = predictions.but(
            layers.as_letters(counts, ahead), f" {ahead}, behind the last layer as Megatron has it"
        )
    elif len(set(counts)) > 1:
        name = ", ".join(value.origin for value in (first, last) if value)
        parallel["layout"] = origin.but(counts) if not name else ours(counts, name)


def _chunks(settings, count, stages):
    """How many chunks a stage has."""
    several = settings.count("num_virtual_stages_per_pipeline_rank")
    each = settings.count("num_layers_per_virtual_pipeline_stage")
    if several or not each:
        return several
    if count % stages or count // stages % each.value:
        raise ImportRefused(
            each.spot,
            f"{count} layers (embedding and loss included where they count) over {stages} stages are no whole chunks of "
            f"{each.value}: change one of them",
        )
    return each.but(count // stages // each.value, f" {each.value}")


def _take_layout(layout, model, parallel, ahead):
    place, stages = layout.spot, parallel["pp"].value
    try:
        text = layers.letters_of(layout.value) if isinstance(layout.value, list) else str(layout.value).strip("'\"")
        parts = layers.expand(text).split("|")
    except ValueError as error:
        raise ImportRefused(place, f"{error} in {shown(layout.value)}: expected a layout such as Et|(tt|)*30mL") from error
    count, layers_ahead = (sum(part.count(letter) for part in parts) for letter in "tm")
    if not parts[0].startswith("E") or not parts[-1].endswith("L"):
        raise ImportRefused(place, f"it does not begin with E and end with L: {shown(text)}")
    if count != model.number("layers"):
        raise ImportRefused(place, f"it has {count} layers, and the model {model.number('layers')}: change one of them")
    if layers_ahead != ahead:
        raise ImportRefused(
            place, f"it has {layers_ahead} layers of multi-token prediction, and --mtp-num-layers says {ahead}: change one of them"
        )
    if len(parts) % stages:
        raise ImportRefused(place, f"it has {len(parts)} parts, which {stages} stages do not divide: change one of them")
    if len(parts) > stages and stages > 1:
        parallel["vpp"] = layout.but(len(parts) // stages, f", {len(parts)} parts on {stages} stages")
    parallel["layout"] = layout.but(text)


def _server(settings):
    found = settings.count("gpus_per_node")
    return found or ours(USUAL_SERVER, "GPUs of a server, nothing says it: our choice")


def _gpus(settings, server, parallel):
    found = settings.count("num_gpus")
    if found:
        return found
    nodes = settings.count("nnodes")
    if nodes:
        return nodes.but(nodes.value * server.value, f" {nodes.value} x {server.value} GPUs")
    fewest = fewest_gpus(parallel)
    whole = lcm(fewest, server.value)
    batch = settings.count("global_batch_size")
    replica = parallel["tp"].value * parallel["cp"].value * parallel["pp"].value
    together = (settings.count("micro_batch_size") or ours(1, "")).value * (whole // replica)
    if fewest > 1 and batch and batch.value % together:
        return ours(fewest, "nothing says it: the fewest that the layout takes, see --gpus")
    return ours(whole, "nothing says it: the fewest servers that the layout takes, see --gpus")


def _read_batch(settings, gpus, parallel):
    micro = settings.count("micro_batch_size") or ours(1, "nothing says it: our choice")
    degrees = [parallel[name].value for name in ("tp", "cp", "pp")]
    product = degrees[0] * degrees[1] * degrees[2]
    together = micro.value * max(1, gpus.value // product)
    return {
        "micro": micro,
        "global": settings.count("global_batch_size") or ours(together, "Megatron's default: a micro-batch on each replica"),
        "sequence": settings.count("seq_length") or ours(4096, "nothing says it: our choice"),
    }


def _read_order(settings, training):
    found = settings.flag("use_tp_pp_dp_mapping")
    if not found or not found.value:
        return
    degrees = {name: training.parallel.get(name, ours(1, "")).value for name in ("tp", "cp", "etp", "ep")}
    if degrees["tp"] * degrees["cp"] == degrees["etp"] * degrees["ep"]:
        training.parallel["order"] = found.but("tp-cp-ep-pp-dp")
    else:
        training.unmapped.append(f"{found.origin}: {_BEYOND_ON['use_tp_pp_dp_mapping']}")


# What a step does


def _read_exchange(settings, training):
    if training.parallel.get("vpp", ours(1, "")).value > 1:
        training.other["schedule"] = training.parallel["vpp"].but("interleaved")
    else:
        training.other["schedule"] = training.parallel["pp"].but("1f1b")
    if training.model.is_dense:
        settings.ask(("moe_token_dispatcher_type", "moe_flex_dispatcher_backend", "moe_enable_deepep"))
        return
    kind = settings.text("moe_token_dispatcher_type")
    backend = settings.text("moe_flex_dispatcher_backend")
    deepep = settings.flag("moe_enable_deepep")
    if kind and kind.value == "flex":
        name = f" {backend.value}" if backend else " deepep" if deepep and deepep.value else ""
        training.other["exchange"] = kind.but("deduplicated", f" {kind.value}{name}")
        training.unmapped.append(
            f"{kind.origin} {kind.value}{name}: what comes off a NIC is passed on over NVLink when all of it is there, not piece by piece"
        )
    elif kind and kind.value in ("alltoall", "alltoall_seq"):
        training.other["exchange"] = kind.but("pairs", f" {kind.value}")
    else:
        origin = kind or ours("allgather", "Megatron's default dispatcher")
        training.other["exchange"] = ours("pairs", f"{origin.origin}: {origin.value}, see below")
        training.unmapped.append(
            f"{origin.origin} {origin.value}: tokens go to their experts, not all tokens to all GPUs: fewer bytes"
        )
    overlap = settings.flag("moe_shared_expert_overlap")
    if training.model.number("shared_ffn") and not (overlap and overlap.value):
        training.unmapped.append("shared experts are computed while tokens travel, and there before or behind: less is exposed")


def _read_recompute(settings, training):
    granularity = settings.text("recompute_granularity")
    if settings.is_on("recompute_activations"):
        granularity = settings.flag("recompute_activations").but("selective")
    if not granularity or _is_off(granularity):
        settings.ask(("recompute_modules", "recompute_method", "recompute_num_layers"))
        training.other["recompute"] = granularity.but("none") if granularity else ours("none", "no --recompute-granularity")
        return
    if granularity.value == "full":
        training.other["recompute"] = granularity.but("full")
        method, number = settings.text("recompute_method"), settings.count("recompute_num_layers")
        if method and method.value == "block":
            several = number.value if number else 0
            training.unmapped.append(
                f"{method.origin} block, {several} layers of a stage: all layers are computed again: less memory, a longer step"
            )
        return
    if granularity.value != "selective":
        refuse(granularity, "full or selective")
    modules = settings.get("recompute_modules")
    words = _words(modules) if modules else ["core_attn"]
    origin = modules or granularity
    if "mla_up_proj" in words and training.model.number("kv_rank"):
        training.other["recompute"] = origin.but(["mla_up_proj"])
    left = [word for word in words if word != "mla_up_proj" or "recompute" not in training.other]
    training.other.setdefault("recompute", origin.but("none", ", see below"))
    if left:
        training.unmapped.append(
            f"{origin.origin} {', '.join(left)}: kept, not computed again: memory is larger, a step shorter than there"
        )


def _read_load(settings, training):
    forced = settings.flag("moe_router_force_load_balancing")
    if forced and forced.value and not training.model.is_dense:
        training.load = forced.but("uniform")
    factor = settings.get("moe_expert_capacity_factor")
    if factor is None or training.model.is_dense:
        return
    factor = factor.but(as_number(factor))
    if factor.value <= 0:
        return
    pads = settings.is_on("moe_pad_expert_input_to_capacity")
    if training.parallel["ep"].value < 2 or training.parallel["etp"].value > 1:
        training.unmapped.append(
            f"{factor.origin} {factor.value:g}: no token is dropped, since rails does that only where ep divides experts and etp does not"
        )
        return
    training.policy = {"type": factor.but("plain-ep"), "capacity_factor": factor}
    if pads and training.other["exchange"].value != "deduplicated":
        training.policy["padding"] = settings.flag("moe_pad_expert_input_to_capacity").but("capacity")
    elif pads:
        training.unmapped.append("moe_pad_expert_input_to_capacity: rows without a token are not sent: fewer bytes")


def _read_bytes(settings, training):
    """Gradients are reduced in 4 bytes by default, there and here."""
    bf16 = settings.flag("grad_reduce_in_bf16")
    fp32 = settings.flag("grad_reduce_in_fp32")
    main = settings.text("main_grads_dtype")
    explicit = settings.flag("accumulate_allreduce_grads_in_fp32")
    if bf16 and bf16.value:
        training.other["bytes_per_gradient"] = bf16.but("2B")
    elif fp32 and not fp32.value:
        training.other["bytes_per_gradient"] = fp32.but("2B", " false")
    elif main and main.value.endswith("bf16") and not (explicit and explicit.value):
        training.other["bytes_per_gradient"] = main.but("2B", f" {main.value}")


def _list_beyond(settings, training):
    told = training.unmapped
    _list_precision(settings, told)
    for name, consequence in _BEYOND_ON.items():
        found = settings.get(name)
        if consequence and found and not _is_off(found) and name != "use_tp_pp_dp_mapping":
            told.append(f"{found.origin}: {consequence}")
    for name, consequence in _BEYOND_OFF.items():
        found = settings.flag(name)
        fsdp = settings.is_on("use_megatron_fsdp") or settings.is_on("use_torch_fsdp2")
        if not (found and found.value) and not fsdp and _replicas(training) > 1:
            origin = found.origin if found else f"no --{name.replace('_', '-')}"
            told.append(f"{origin}: {consequence}")
    for name in ("use_megatron_fsdp", "use_torch_fsdp2"):
        found = settings.flag(name)
        if found and found.value:
            told.append(f"{found.origin}: parameters are not gathered layer by layer: fewer bytes between replicas, more memory")
    settings.ask(("data_parallel_sharding_strategy",))
    for name, consequence in _BEYOND_ANY.items():
        found = settings.get(name)
        if not found or not consequence or _is_off(found) or str(found.value) == "1":
            continue
        if name == "cp_comm_type" and (found.value == "p2p" or training.parallel["cp"].value == 1):
            continue
        if name == "microbatch_group_size_per_vp_stage" and str(found.value) == str(training.parallel["pp"].value):
            continue
        told.append(f"{found.origin} {found.value}: {consequence}")
    tensor = training.parallel["tp"]
    sequence = settings.flag("sequence_parallel")
    if tensor.value > 1 and not (sequence and sequence.value):
        told.append("no --sequence-parallel: sums over tp are a reduce-scatter and an all-gather: as many bytes, less memory")
    left = [value.origin for name, value in settings.unasked().items() if _may_matter(name, value)]
    if left:
        told.append(f"nothing is taken of {', '.join(left)}")


def _is_off(found):
    return str(found.value).lower() in ("none", "false", "0", "", "[]", "{}")


def _may_matter(name, value):
    return not _is_off(value) and bool(_RELEVANT.search(name)) and not _HARMLESS.fullmatch(name)


def _replicas(training):
    degrees = [training.parallel[name].value for name in ("tp", "cp", "pp")]
    return training.gpus.value // (degrees[0] * degrees[1] * degrees[2])


def _list_precision(settings, told):
    precision = settings.get("mixed_precision")
    low = settings.first("fp8", "fp4")
    if precision and isinstance(precision.value, str) and re.search("fp8|fp4", precision.value):
        low = precision
    settings.ask(("fp8", "fp4", "fp8_recipe", "fp8_param_gather", "fp8_param"))
    if low and not _is_off(low):
        recipe = settings.get("fp8_recipe")
        recipe = f" {recipe.value}" if recipe and not _is_off(recipe) else ""
        told.append(
            f"{low.origin} {low.value}{recipe}: computing and what is sent are in BF16: set compute.peak and bytes_per_element "
            "for other numbers"
        )
