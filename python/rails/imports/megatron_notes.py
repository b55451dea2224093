# SPDX-License-Identifier: GPL-2.0-only
"""Settings of Megatron that a descriptor has no key for, and what follows from that."""

import re

from .values import as_words, is_off


_NO_OFFLOADING = "activations stay on the GPU: memory is larger, and nothing crosses PCIe for them"

# Flags whose being on is not in a descriptor, and what follows.
_BEYOND_ON = {
    "overlap_dispatch_backward_with_experts_wgrad": "experts' gradients hide no exchange",
    "tp_comm_overlap": "all-gathers and reduce-scatters of tp are exposed",
    "optimizer_cpu_offload": "the optimizer is on the GPU: memory is larger, and nothing crosses PCIe for it",
    "cpu_offloading": _NO_OFFLOADING,
    "fine_grained_activation_offloading": _NO_OFFLOADING,
    "hybrid_context_parallel": "context parallelism is the same for all sequences",
    "heterogeneous_layers_config_path": "all layers with experts are alike",
    "moe_router_force_biased": "loads are those of load",
    "mtp_use_repeated_layer": "layers of multi-token prediction have parameters of their own",
    "attention_output_gate": "attention has no gate: its parameters and its time are smaller",
    "use_dynamic_batch_size": "micro-batches are as many sequences as --micro-batch-size says, not as many tokens",
    "use_precision_aware_optimizer": "the optimizer has 12 bytes for each parameter: memory and its step are larger",
}


_BEYOND_ANY = {
    "attention_head_type": "heads of keys and values are those of --num-query-groups",
    "decoder_seq_length": "sequences are as long as --seq-length says",
    "spec": "layers are those of Megatron, whatever these are: linear attention counts as full",
    "cp_comm_type": "keys and values go round a ring",
    "hierarchical_context_parallel_sizes": "keys and values go round one ring",
    "window_size": "attention counts as if it saw the whole sequence: its time is too long",
    "experimental_attention_variant": "attention counts as full: its time is too long",
    "linear_attention_type": "layers of linear attention count as full ones: their time is too long",
    "rampup_batch_size": "the batch is the full one",
    "microbatch_group_size_per_vp_stage": "micro-batches go in groups of as many as there are stages",
    "num_distributed_optimizer_instances": "one optimizer is divided over all replicas",
    "outer_dp_sharding_strategy": "one optimizer is divided over all replicas",
    "quant_recipe": "computing and what is sent are in BF16",
    "moe_expert_rank_capacity_factor": "GPUs take all tokens that come",
    "moe_router_topk_limited_devices": "tokens go to any GPU",
}


# Names that may change what is sent or how long it takes: of these, nothing is left out without a word.
_RELEVANT = re.compile(
    r"parallel|pipeline|expert|moe_|recompute|overlap|offload|^mtp_|hybrid|window|linear_attention|fsdp|shard|mamba|"
    r"cp_comm|batch_size|gtp_|standalone_embedding|multimodal|retro|vision|encoder_|heterogeneous|engram|mhc"
)


_HARMLESS = re.compile(
    r"moe_(grouped_gemm|permute_\w+|router_(dtype|fusion|score_function|pre_softmax|topk_scaling_factor|"
    r"bias_update_rate|padding_for\w*)|z_loss_coeff|input_jitter_eps|per_layer_logging|token_drop\w*|apply_probs\w*|"
    r"shared_expert_gate|use_legacy\w*|single_grouped\w*|paged\w*|mlp_glu\w*|hybridep_(num_blocks|num_sms_pre|pad)\w*|"
    r"a2a_overlap|pad_experts_for\w*)|(\w+_)?eval_\w+|fully_parallel\w*|ckpt\w*|mtp_loss\w*|mtp_detach\w*|"
    r"tp_comm_overlap_\w+|(no_)?overlap_p2p\w*|overlap_param_gather_with\w*|offload_modules|inference\w*|"
    r"linear_\w+|data_sharding|pipeline_dtype|ddp_\w*|use_mp_args\w*|dist_ckpt\w*|make_vocab\w*|fsdp_double\w*|"
    r"(sglang|rollout|ref|target|export)_\w+|no_offload\w*|over_sampling\w*|log_batch_size\w*|enable_shared_expert|"
    r"use_gated_attention|defer_embedding\w*|account_for_\w+|pipeline_model_parallel_comm_backend|"
    r"num_layers_at_\w+|_\w*"
)


def list_beyond(settings, training):
    told = training.unmapped
    _list_precision(settings, training)
    for name, consequence in _BEYOND_ON.items():
        found = settings.get(name)
        if found and not is_off(found):
            told.append(f"{found.origin}: {consequence}")
    for name, consequence in _BEYOND_ANY.items():
        found = settings.get(name)
        if not found or is_off(found) or str(found.value) == "1":
            continue
        if name == "cp_comm_type" and (found.value == "p2p" or training.parallel["cp"].value == 1):
            continue
        if name == "microbatch_group_size_per_vp_stage" and str(found.value) == str(training.parallel["pp"].value):
            continue
        told.append(f"{found.origin} {' '.join(map(str, as_words(found)))}: {consequence}")
    tensor = training.parallel["tp"]
    sequence = settings.flag("sequence_parallel")
    if tensor.value > 1 and not (sequence and sequence.value):
        told.append(
            "no --sequence-parallel: sums over tp are a reduce-scatter and an all-gather: as many bytes, less memory"
        )
    left = [value.origin for name, value in settings.unasked().items() if _may_matter(name, value)]
    if left:
        told.append(f"nothing is taken of {', '.join(left)}")


def _may_matter(name, value):
    return not is_off(value) and bool(_RELEVANT.search(name)) and not _HARMLESS.fullmatch(name)


def _list_precision(settings, training):
    told = training.unmapped
    named = settings.get("mixed_precision")
    low = settings.get("fp4")
    if named and isinstance(named.value, str) and "fp4" in named.value:
        low = named
    settings.ask(("fp8", "fp8_recipe", "fp8_param_gather", "fp8_param"))
    if low and not is_off(low):
        told.append(f"{low.origin} {low.value}: no products are in FP4: set bytes, and precision to mxfp8 at least")
    graphs = settings.get("cuda_graph_impl")
    if graphs and not is_off(graphs) and not training.compute:
        told.append(
            f"{graphs.origin} {graphs.value}: launches of kernels take no time, with graphs or without, unless "
            "compute: profile"
        )
