# SPDX-License-Identifier: GPL-2.0-only
"""Settings of Megatron that a descriptor has no key for, and what follows from that."""

import difflib
import re

from .errors import ImportRefused
from .hugging_face_keys import GUARD
from .values import SIZES, as_words, is_off, name_of


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
    "use_checkpoint_args": "sizes of the model are those of the arguments, whatever the checkpoint has",
    "use_mp_args_from_checkpoint_args": "the model is divided as the arguments say, whatever the checkpoint says",
    "use_precision_aware_optimizer": "the optimizer has 12 bytes for each parameter: memory and its step are larger",
}


_BEYOND_ANY = {
    "attention_head_type": "heads of keys and values are those of --num-query-groups",
    "decoder_seq_length": "sequences are as long as --seq-length says",
    "spec": "layers are those of Megatron, whatever these are: linear attention counts as full",
    "cp_comm_type": "keys and values go round a ring",
    "context_parallel_algo": "keys and values go round a ring",
    "hierarchical_context_parallel_sizes": "keys and values go round one ring",
    "window_size": "attention counts as if it saw the whole sequence: its time is too long",
    "experimental_attention_variant": "attention counts as full: its time is too long",
    "full_attention_interval": "layers of linear attention count as full ones: their time is too long",
    "linear_attention_type": "layers of linear attention count as full ones: their time is too long",
    "rampup_batch_size": "the batch is the full one",
    "microbatch_group_size_per_vp_stage": "micro-batches go in groups of as many as there are stages",
    "num_distributed_optimizer_instances": "one optimizer is divided over all replicas",
    "outer_dp_sharding_strategy": "one optimizer is divided over all replicas",
    "quant_recipe": "computing and what is sent are in BF16",
    "moe_expert_rank_capacity_factor": "GPUs take all tokens that come",
    "moe_router_topk_limited_devices": "tokens go to any GPU",
    "optimizer": "the optimizer is Adam: its step and memory may be others",
}


WIDTHS = ("ffn_hidden_size", "moe_ffn_hidden_size", "kv_channels", "num_query_groups")

# What programs other than Megatron call its sizes.
_SHORT = {
    "tp": "tensor_model_parallel_size",
    "pp": "pipeline_model_parallel_size",
    "cp": "context_parallel_size",
    "ep": "expert_model_parallel_size",
    "etp": "expert_tensor_parallel_size",
    "mbs": "micro_batch_size",
    "gbs": "global_batch_size",
}

# Sizes of programs around Megatron that divide its model, other than those of checkpoints and of inference.
_DIVIDES = re.compile(r"(?!(target|data|sglang|vllm|rollout|rl_inference)_)\w*parallel_size")

# What says nothing about what is sent or how long it takes: names that begin with these words, and whole names. Every
# other name that is not read is listed.
_HARMLESS_BEGINS = (
    "adam adaptive_muon adlr agents aggregate app_tag apply_chat_template apply_layernorm apply_query_key "
    "apply_residual apply_rope apply_wd async_ckpt async_save async_strategy attention_backend attention_dropout "
    "attention_softmax auto_detect autocast barrier bert bias biencoder block_data calc_ft chat_template check_for "
    "check_weight ckpt clone_scatter config_logger create_attention_mask cross_entropy_fusion cross_entropy_loss "
    "custom dashboard data_args data_cache data_impl data_path data_per_class data_sharding dataloader_defer "
    "dataloader_fast dataloader_save dataloader_type dataset ddp deallocate debug decoupled deterministic dino "
    "disable_bias disable_jit disable_msc disable_straggler disable_usage dist_ckpt distributed_backend "
    "distributed_timeout embedding_init enable_experimental enable_ft enable_msc end_weight entropy eod eps_clip "
    "error_injection evidence exit exp_avg export extra_checkpoint fim finetune flight_recorder freeze ft_num "
    "full_validation fully_parallel grad_norm gradient_accumulation_fusion grpo head_lr hf hidden_dropout hysteresis "
    "ict inference init_method initial_loss inprocess input_key iterations_to_skip keep_last kl label_key layernorm "
    "lazy_mpu lion load local_rank log logging logits_load logits_save loss_mask loss_scale lr main_params manual_gc "
    "masked_softmax master max_position max_tokens_to_oom memory_efficient_layer memory_snapshot merge_file mid_level "
    "min_loss min_lr mock_data mscale mtp_detach mtp_loss muon no_bias no_check no_create no_load no_log no_masked "
    "no_mmap no_one no_persist no_position no_query_key no_rope no_save no_weight_decay node_ip node_rank "
    "non_persistent norm_epsilon normalization null_tokenizer num_dataset num_workers nvtx object_storage one_logger "
    "opd original_max otel override params_dtype per_dataset per_split perform_init persist_layer pipeline_dtype "
    "position_embedding pretrained profile prompt pytorch_profiler qk_clip qk_l2 qk_layernorm random_seed rdzv record "
    "ref replication rerun reset_attention reset_position retriever reward rl rm rollout rope rotary runtime_env "
    "sample_rate save scheduler seed sft sgd sglang short_seq skip_getting skip_train soap softmax special_tokens "
    "split start_weight straggler target te_rng tensorboard test_data throughput tiktoken timing tis titles tokenizer "
    "train_data train_iters train_samples train_sync transformer_impl trust_remote update_weight use_checkpoint "
    "use_cpu_init use_dist use_flash use_kl use_legacy use_llama2 use_mcore use_mp_args use_nsys use_one_sent "
    "use_persistent use_pytorch use_rollout use_rope use_rotary use_same_sampling use_te_rng use_tensorboard use_tis "
    "use_tokenizer use_wandb valid vocab_extra vocab_file wandb warmup wd weight_decay wgrad_deferral yarn"
).split()
_HARMLESS = re.compile(
    rf"(?!load_balanc)({'|'.join(_HARMLESS_BEGINS)})(_\w*)?|_\w*|"
    r"moe_(grouped_gemm|permute_\w+|router_(dtype|fusion|score_function|pre_softmax|topk_scaling_factor|"
    r"bias_update_rate|padding_for\w*)|z_loss_coeff|input_jitter_eps|per_layer_logging|token_drop\w*|"
    r"apply_probs\w*|shared_expert_gate|use_legacy\w*|single_grouped\w*|paged\w*|mlp_glu\w*|a2a_overlap|"
    r"hybridep_(num_blocks|num_sms_pre|pad)\w*|pad_experts_for\w*|routing_trace\w*|enable_routing_replay)|"
    r"(\w+_)?eval_\w+|tp_comm_\w+|(no_)?overlap_p2p\w*|overlap_param_gather_with\w*|offload_modules|linear_\w+|"
    r"make_vocab\w*|fsdp_double\w*|no_offload\w*|over_sampling\w*|log_batch_size\w*|enable_shared_expert|"
    r"use_gated_attention|defer_embedding\w*|account_for_\w+|pipeline_model_parallel_comm_backend|"
    r"num_layers_at_\w+|add_(bias_linear|qkv_bias)|bf16|fp16|fp16_lm\w*|fp32_residual\w*|"
    r"fp8_(amax|margin|interval)\w*|glu_linear_offset|balance_data|colocate|address|force|head|patch_tokenizer_type|"
    r"max_padding_length|advantage_estimator|num_rollout|finalize_\w+|\w+_func|variable_seq_lengths|"
    r"use_gloo_process_groups|disable_gloo_process_groups|DDP_impl|average_in_collective|group_query_attention|"
    r"gradient_reduce_div_fusion|no_gradient_accumulation_fusion|temperature|top_[pk]|epochs?|task|verbose|"
    r"version|image|container_\w+|job_name|account|partition|time|ntasks_per_node|gres|exclusive|mpi|no_\w*fusion|"
    r"sequence_parallel"
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
        if name == "optimizer" and found.value == "adam":
            continue
        if name in ("cp_comm_type", "context_parallel_algo"):
            if found.value in ("p2p", "megatron_cp_algo") or training.parallel["cp"].value == 1:
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
    left = {
        name: value
        for name, value in settings.unasked().items()
        if not is_off(value) and not _HARMLESS.fullmatch(name)
    }
    near = {name: _nearest(name, settings) for name in left}
    for name, value in left.items():
        divides = _DIVIDES.fullmatch(name)
        if divides and str(value.value) == "1":
            continue
        is_argument = value.origin.rpartition(": ")[2].startswith("--")
        if is_argument and near[name] in (*SIZES, *WIDTHS) and near[name] not in settings:
            told = f"it is no argument of Megatron: give {_argument(near[name])}, which may be meant"
            raise ImportRefused(value.spot, f"{name_of(value)}{told}")
        if divides:
            told = f"it divides the model in a way that rails does not know: give {_argument(name)} 1, and a size of"
            raise ImportRefused(value.spot, f"{name_of(value)}{told} Megatron such as --context-parallel-size")
    if left:
        names = (
            value.origin + (f" (did you mean {_argument(near[name])}?)" if near[name] else "")
            for name, value in left.items()
        )
        told.append(f"nothing is taken of {', '.join(names)}")
        told += _spoken_of(left, training.model)


def _spoken_of(left, model):
    """What names that are not known may change, with what the model has."""
    if model.is_named:
        return
    names = dict.fromkeys(left)
    for pattern, what, keys in GUARD:
        found = [name for name in names if re.search(pattern, f"_{name.lower()}_")]
        if found:
            here = ", ".join(f"{key} {str(model.number(key)).lower()}" for key in keys)
            told = ", ".join(left[name].origin for name in found)
            yield f"{told}: not known, speaking of {what}; here {here}"
        names = [name for name in names if name not in found]


def _argument(name):
    return f"--{name.replace('_', '-')}"


def _nearest(name, settings):
    """The name that may be meant by one that is not known; none where there is none of this kind."""
    known = settings.asked()
    begun = [other for other in known if other.startswith(name)]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
    return _SHORT.get(name) or (begun[0] if len(begun) == 1 else close[0] if close else None)


def _list_precision(settings, training):
    told = training.unmapped
    named = settings.get("mixed_precision")
    low = settings.get("fp4")
    if named and isinstance(named.value, str) and "fp4" in named.value:
        low = named
    settings.ask(("fp8", "fp8_recipe", "fp8_param_gather", "fp8_param"))
    settings.ask(("cuda_graph_modules", "cuda_graph_scope", "cuda_graph_warmup_steps"))
    if low and not is_off(low):
        told.append(f"{low.origin} {low.value}: no products are in FP4: set bytes, and precision to mxfp8 at least")
    graphs = settings.get("cuda_graph_impl")
    if graphs and not is_off(graphs) and not training.compute:
        told.append(
            f"{graphs.origin} {graphs.value}: launches of kernels take no time, with graphs or without, unless "
            "compute: profile"
        )
