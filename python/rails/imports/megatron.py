# SPDX-License-Identifier: GPL-2.0-only
"""
Settings of Megatron, by the names of its arguments, as a training: each kind of input is made into these first.
"""

from math import lcm

from .budget import PER_SETTING
from .errors import ImportRefused
from .megatron_layout import count_gpus, count_server, read_batch, read_parallel
from .megatron_model import read_model
from .megatron_notes import list_beyond
from .megatron_precision import read_precision
from .megatron_replicas import read_replicas
from .training import USUAL_SERVER, Training, fewest_gpus, fit_server, set_capacity
from .values import Settings, as_number, as_words, is_off, ours, refuse


# Parts of a layer that a descriptor has by the same names.
_MODULES = ("mla_up_proj", "core_attn", "mlp", "moe", "shared_experts", "moe_act", "layernorm")

# Other names of an argument: of configurations, of older versions, of Megatron-Bridge, of programs around Megatron.
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
    "worker_num": "num_gpus",
    "local_worker_num": "gpus_per_node",
    "intermediate_size": "ffn_hidden_size",
    "shared_moe_ffn_hidden_size": "moe_shared_expert_intermediate_size",
    "moe_num_experts": "num_experts",
    "moe_expert_parallel_size": "expert_model_parallel_size",
    "moe_top_k": "moe_router_topk",
    "n_head_kv": "num_query_groups",
    "qk_nope_head_dim": "qk_head_dim",
    "qk_rope_head_dim": "qk_pos_emb_head_dim",
    "fp8_hybrid": "fp8",
    "fp8_e4m3": "fp8",
    "actor_num_nodes": "nnodes",
    "actor_num_gpus_per_node": "gpus_per_node",
}

_USUAL_SMS = {"deepep": 20, "hybridep": 16}
_MOST_SMS = 131  # of a GPU with 132, of which one computes
_SMS = ("moe_flex_dispatcher_num_sms", "moe_deepep_num_sms", "moe_hybridep_num_sms")


def settings_of(pairs, budget):
    """
    Settings by the names that are read here; of two names of the same thing the later one counts, which is told where
    they are from one place. One that is off leaves the other as it is.
    """
    settings, given = Settings(), {}
    for name, value in pairs:
        budget.spend(PER_SETTING)
        known = ALIASES.get(name, name)
        before = settings.peek(known)
        if before is not None and given[known] != name and _place_of(before) == _place_of(value):
            if is_off(value) and not is_off(before):
                continue
            if type(before.value) is type(value.value) and before.value != value.value and not is_off(before):
                settings.doubles.append(f"{before.origin} {before.value}: {value.origin} counts, {value.value}")
        settings.set(known, value)
        given[known] = name
    return settings


def _place_of(value):
    """The file that a value is from; none of an argument."""
    return value.origin.rpartition(": ")[0]


def read_training(settings, source, model=None, gpus=None, label=None, gpu=""):
    """
    A training by settings.

    :param model: one that was read from elsewhere; settings that say the same count more
    :param gpus: how many, where the user says so
    :param label: what the model is called, where another file or a recipe says so
    :param gpu: the kind of GPU, where a recipe says so
    """
    model = read_model(settings, model, label)
    parallel, others = read_parallel(settings, model)
    unmapped = [*model.unmapped, *settings.doubles, *others]
    try:
        server = count_server(settings, gpus)
        gpus = gpus or count_gpus(settings, server, parallel)
    except ImportRefused as error:
        if error.reason.endswith("give --gpus"):
            error.give = ("--gpus", str(lcm(fewest_gpus(parallel), USUAL_SERVER)))
        raise
    settings.ask(("num_gpus", "nnodes"))
    batch = read_batch(settings, gpus, parallel)
    training = Training(source, model, gpus, fit_server(gpus, server), parallel, batch, unmapped=unmapped)
    _read_order(settings, training)
    _read_exchange(settings, training)
    _read_recompute(settings, training)
    _read_load(settings, training)
    _read_bytes(settings, training)
    read_precision(settings, training, gpu)
    read_replicas(settings, training)
    list_beyond(settings, training)
    return training


def _read_order(settings, training):
    found = settings.flag("use_tp_pp_dp_mapping")
    if not found or not found.value:
        return
    degrees = {name: training.parallel.get(name, ours(1, "")).value for name in ("tp", "cp", "etp", "ep")}
    if degrees["tp"] * degrees["cp"] == degrees["etp"] * degrees["ep"]:
        training.parallel["order"] = found.but("tp-cp-ep-pp-dp")
    else:
        told = "stages lie outside of replicas, since attention and experts are divided over other numbers of GPUs"
        training.unmapped.append(f"{found.origin}: {told}")


def _read_sms(settings, backend):
    """How many multiprocessors the kernels of a dispatcher take."""
    settings.ask(_SMS)
    found = settings.count("moe_flex_dispatcher_num_sms", f"moe_{backend}_num_sms", least=0, most=_MOST_SMS)
    if found and found.value > 0:  # otherwise it is left to the kernels
        return found
    return ours(_USUAL_SMS[backend], f"Megatron's default of moe_{backend}_num_sms")


def _read_schedule(settings, training):
    if training.parallel.get("vpp", ours(1, "")).value > 1:
        schedule = training.parallel["vpp"].but("interleaved")
    else:
        schedule = training.parallel["pp"].but("1f1b")
    overlap = settings.flag("overlap_moe_expert_parallel_comm")
    delays = settings.flag("delay_wgrad_compute")
    if training.model.is_dense or not (overlap and overlap.value):
        training.other["schedule"] = schedule
        return
    training.other["schedule"] = {"type": schedule, "overlap": overlap.but("exchange")}
    if delays and delays.value:
        training.other["schedule"]["delayed_weights"] = delays


def _read_exchange(settings, training):
    _read_schedule(settings, training)
    if training.model.is_dense:
        settings.ask(("moe_token_dispatcher_type", "moe_flex_dispatcher_backend", "moe_enable_deepep", *_SMS))
        return
    kind = settings.text("moe_token_dispatcher_type")
    backend = settings.text("moe_flex_dispatcher_backend")
    deepep = settings.flag("moe_enable_deepep")
    if kind and kind.value == "flex":
        name = f" {backend.value}" if backend else " deepep" if deepep and deepep.value else ""
        training.other["exchange"] = {
            "type": kind.but("deduplicated", f" {kind.value}{name}"),
            "piece": ours("1MB", "about what the channels of DeepEP pass on together: our choice"),
            "sms": _read_sms(settings, "hybridep" if backend and backend.value == "hybridep" else "deepep"),
        }
    elif kind and kind.value in ("alltoall", "alltoall_seq"):
        settings.ask(("moe_flex_dispatcher_backend", *_SMS))
        training.other["exchange"] = kind.but("pairs", f" {kind.value}")
    else:
        origin = kind or ours("allgather", "Megatron's default dispatcher")
        training.other["exchange"] = ours("pairs", f"{origin.origin}: {origin.value}, see below")
        training.unmapped.append(
            f"{origin.origin} {origin.value}: tokens go to their experts, not all tokens to all GPUs: fewer bytes"
        )
    overlap = settings.flag("moe_shared_expert_overlap")
    merges = settings.is_on("overlap_moe_expert_parallel_comm")
    if training.model.number("shared_ffn") and not (overlap and overlap.value) and not merges:
        training.unmapped.append(
            "shared experts are computed while tokens travel, and there before or behind: less is exposed"
        )


def _read_recompute(settings, training):
    granularity = settings.text("recompute_granularity")
    layer = settings.flag("moe_layer_recompute")
    if settings.is_on("recompute_activations"):
        granularity = settings.flag("recompute_activations").but("selective")
    if not granularity or is_off(granularity):
        settings.ask(("recompute_modules", "recompute_method", "recompute_num_layers"))
        none = ours("none", "no --recompute-granularity")
        training.other["recompute"] = granularity.but("none") if granularity else none
        if layer and layer.value:
            training.other["recompute"] = layer.but(["moe"])
        return
    if granularity.value == "full":
        training.other["recompute"] = granularity.but("full")
        method, number = settings.text("recompute_method"), settings.count("recompute_num_layers")
        if method and method.value == "block":
            several = number.value if number else 0
            told = "all layers are computed again: less memory, a longer step"
            training.unmapped.append(f"{method.origin} block, {several} layers of a stage: {told}")
        elif method and method.value == "uniform" and number and number.value > 1:
            told = "each layer has one here: more inputs of layers are kept, fewer layers are whole at a time"
            training.unmapped.append(f"{method.origin} uniform, a checkpoint for {number.value} layers: {told}")
        return
    if granularity.value != "selective":
        refuse(granularity, "full or selective")
    modules = settings.get("recompute_modules")
    words = list(dict.fromkeys(as_words(modules))) if modules else ["core_attn"]
    origin = modules or granularity.but(granularity.value, " selective: core_attn, Megatron's default")
    known = [word for word in words if word in _MODULES]
    if "mla_up_proj" in known and not training.model.number("kv_rank"):
        known.remove("mla_up_proj")
    left = [word for word in words if word not in known]
    training.other["recompute"] = origin.but(known) if known else origin.but("none", ", see below")
    if left:
        training.unmapped.append(
            f"{origin.origin} {', '.join(left)}: kept, not computed again: memory is larger, a step shorter than there"
        )


def _read_load(settings, training):
    forced = settings.flag("moe_router_force_load_balancing")
    if forced and forced.value and not training.model.is_dense:
        training.load = forced.but("uniform")
    factor = settings.get("moe_expert_capacity_factor") or training.model.capacity
    if factor is None or training.model.is_dense:
        return
    factor = factor.but(as_number(factor))
    if factor.value <= 0:
        return
    pads = settings.is_on("moe_pad_expert_input_to_capacity")
    set_capacity(training, factor)
    if not training.policy:
        return
    if pads and not isinstance(training.other["exchange"], dict):
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
