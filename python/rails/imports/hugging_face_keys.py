# SPDX-License-Identifier: GPL-2.0-only
"""Facts about config.json of Hugging Face and params.json of Mistral: names of keys by their meaning, families."""

import re
from dataclasses import dataclass

# Names of each meaning, the most specific ones first: where several are given, the first one counts.
NAMES = {
    "layers": ("num_hidden_layers", "n_layers", "num_layers", "n_layer"),
    "hidden": ("hidden_size", "d_model", "dim", "n_embd", "n_embed", "model_dim", "embedding_dim"),
    "heads": ("num_attention_heads", "n_heads", "num_heads", "n_head", "attention_heads"),
    "kv_heads": (
        "num_key_value_heads", "n_kv_heads", "kv_n_heads", "num_kv_heads", "n_head_kv", "num_attention_groups",
        "num_query_groups", "multi_query_group_num", "kv_heads",
    ),
    "head_width": ("head_dim", "attention_head_dim", "kv_channels", "head_size", "d_head", "d_kv", "qk_head_dim"),
    "vocabulary": ("vocab_size", "padded_vocab_size", "n_vocab"),
    "query_rank": ("q_lora_rank", "q_lora_dim", "share_q_dim"),
    "kv_rank": ("kv_lora_rank", "kv_lora_dim"),
    "position_free": ("qk_nope_head_dim", "nope_head_dim", "qk_nope_dim"),
    "rope_width": ("qk_rope_head_dim", "rope_head_dim", "qk_rope_dim", "rope_dim", "rotary_dim", "rotary_emb_dim"),
    "value_width": ("v_head_dim", "value_head_dim"),
    "output_rank": ("o_lora_rank", "o_lora_dim"),
    "output_groups": ("o_groups", "output_groups"),
    # of a dense layer alone, and of any layer
    "dense_width": (
        "dense_intermediate_size", "prefix_dense_intermediate_size", "intermediate_size_mlp", "dense_ffn_hidden_size",
        "dense_ffn_dim", "mlp_intermediate_size",
    ),
    "width": ("intermediate_size", "ffn_hidden_size", "hidden_dim", "n_inner", "d_ff", "ffn_dim", "inner_dim"),
    "experts": (
        "n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts", "num_routed_experts", "n_experts",
        "num_moe_experts", "moe_n_routed_experts", "moe_num_primary_experts",
    ),
    "top_k": (
        "num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_top_k", "moe_k",
        "top_k_experts", "experts_top_k", "moe_router_topk", "num_activated_experts", "n_activated_experts",
        "num_selected_experts", "num_experts_chosen", "router_top_k", "expert_top_k", "n_experts_per_token",
        "experts_per_tok", "router_topk", "moe_num_active_primary_experts",
    ),
    "expert_ffn": (
        "moe_intermediate_size", "moe_ffn_hidden_size", "expert_ffn_hidden_size", "expert_intermediate_size",
        "expert_hidden_dim", "expert_dim", "moe_intermediate_dim", "expert_ffn_dim", "moe_ffn_dim", "moe_inter_dim",
        "routed_expert_intermediate_size", "moe_expert_intermediate_size", "moe_d_ff", "expert_ffn_size",
        "expert_inter_dim", "d_expert", "moe_hidden_dim",
    ),
    "expert_hidden": ("routed_expert_hidden_size", "moe_latent_size", "moe_latent_dim"),
    # of each shared expert where "shared" says how many there are, otherwise of all of a layer together
    "shared_ffn": (
        "shared_expert_intermediate_size", "shared_intermediate_size", "share_expert_dim", "share_expert_dims",
        "shared_expert_dim", "shared_expert_hidden_size", "shared_expert_ffn_hidden_size", "shared_ffn_hidden_size",
        "moe_shared_expert_intermediate_size", "moe_shared_intermediate_size",
    ),
    "shared": (
        "n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts", "num_share_experts",
        "n_share_experts", "shared_experts", "num_experts_shared", "moe_n_shared_experts",
    ),
    "groups": ("n_group", "num_expert_group", "num_expert_groups", "n_expert_groups", "moe_router_num_groups"),
    "top_groups": (
        "topk_group", "num_expert_groups_per_tok", "num_limited_groups", "n_limited_groups", "moe_router_group_topk",
    ),
    "aux_loss": (
        "router_aux_loss_coef", "aux_loss_alpha", "moe_loss_weight", "router_aux_loss_coefficient", "aux_loss_coef",
        "moe_aux_loss_coeff", "moe_aux_loss_coef", "moe_aux_loss_lambda", "router_aux_loss_factor", "aux_loss_coeff",
        "router_load_balancing_loss_coef",
    ),
    "activation": (
        "hidden_act", "hidden_activation", "activation_function", "mlp_hidden_act", "ffn_act_fn", "activation",
    ),
    "predictions": (
        "num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers", "num_mtp_layers", "mtp_num_layers",
        "n_mtp_layers", "mtp_depth", "num_mtp_heads", "num_nextn_layers",
    ),
    "capacity": (
        "capacity_factor", "moe_capacity_factor", "expert_capacity_factor", "moe_expert_capacity_factor",
        "router_capacity_factor", "moe_train_capacity_factor", "train_capacity_factor",
    ),
}

# Flags that switch off what their names speak of, whatever its sizes are.
_SWITCH = r"(?P<begin>(use|has|have|is|enable|with)_)?({})(?P<end>_(enabled|on))?"
SWITCHES = {
    what: re.compile(_SWITCH.format(pattern))
    for what, pattern in {
        "experts": r"(sparse_)?(moe|experts|mixture_of_experts)(_(block|layers?|mlp|ffn))?",
        "shared": r"(moe_)?shared?_(experts?|mlp|ffn)|mixed_mlp_moe",
        "groups": r"group(ed|_limited|s)?_(routing|router|gating|topk|top_k|experts?)|expert_group(s|ing)?|"
        r"(node|device|group)_limited(_(routing|gating|topk|top_k))?",
        "latent_tokens": r"latent_(moe|experts?)|(moe|experts?)_latent",
        "latent": r"mla|(multi_?(head_)?)?latent_attention",
        "kv_groups": r"gqa|group(ed)?_query_attention|(multi_query|mqa)_attention",
        "predictions": r"mtp|nextn|multi_token_prediction",
    }.items()
}
# Whether tokens beyond the capacity of an expert are dropped.
DROPS = ("drop_tokens", "moe_drop_tokens", "moe_token_dropping", "use_token_dropping")
BIAS = (
    "use_routing_bias", "moe_router_enable_expert_bias", "use_moe_router_bias", "use_expert_bias", "use_router_bias",
    "moe_use_aux_free", "balance_via_topk_bias", "use_gate_bias", "moe_use_expert_bias", "aux_loss_free",
    "use_aux_loss_free", "moe_router_bias", "use_correction_bias",
)
GATED = (
    "use_gated_activation", "gated_linear_unit", "swiglu", "block_use_swiglu", "use_swiglu", "use_glu", "moe_gated",
    "is_gated_act", "gated_mlp", "use_gated_mlp", "mlp_gated", "glu",
)
TIES = ("tie_word_embeddings", "tied_embeddings", "tie_embedding", "tie_embeddings", "use_embedding_sharing")

# Activations that come with a gate by their name, and those that come without.
WITH_GATE = re.compile(r".*(glu|silu|swish|situ).*")
WITHOUT_GATE = re.compile(r".*(relu|gelu|xielu|squared|tanh).*")

# A dense network beside the experts of a layer: by what is given or on, and the meaning that has its width.
BESIDE = {
    "top_k_experts": "width",
    "enable_moe_block": "width",
    "residual_moe": "width",
    "use_mixed_mlp_moe": "width",
    "parallel_attn_mlp_res": "hidden",
}

# Which layers are dense. A word or a flag of each layer; numbers of those with experts, and of those without.
LISTS = ("mlp_layer_types", "is_moe_layer", "ffn_layer_types", "moe_layer_layout")
WITH_EXPERTS = ("moe_layers_enum", "moe_layers", "moe_layer_ids", "moe_layer_indices", "sparse_layers")
WITHOUT_EXPERTS = ("mlp_only_layers", "dense_layers", "dense_layer_ids", "dense_layer_indices")
# How many first ones are dense; the last one with experts, -1 for none behind them.
FIRST = (
    "first_k_dense_replace", "num_dense_layers", "n_dense_first_layers", "moe_layer_start_index", "dense_mlp_idx",
    "moe_layer_num_skipped", "n_dense_layers", "num_first_dense_layers", "num_initial_dense_layers",
    "moe_start_layer", "moe_start_layer_index", "first_moe_layer", "first_dense_layers", "num_leading_dense_layers",
)
LAST = ("moe_layer_end_index",)
# Every how many layers one has experts: by name, what is added to a layer's number, and a key that is subtracted.
STEPS = {
    "moe_layer_freq": (0, ""),
    "moe_layer_interval": (1, ""),
    "moe_layer_frequency": (1, ""),
    "decoder_sparse_step": (1, ""),
    "interleave_moe_layer_step": (1, ""),
    "moe_every": (1, ""),
    "route_every_n": (0, ""),
    "expert_layer_period": (0, "expert_layer_offset"),
    "moe_every_n_layer": (0, "moe_layer_offset"),
    "moe_every_n_layers": (0, "moe_layer_offset"),
    "moe_layer_period": (0, "moe_layer_offset"),
}

# Sections whose keys count more than those outside, of the meanings that they speak of.
SECTIONS = re.compile(
    r"((?P<experts>moe|experts?|mixture_of_experts|router|routing)|ffn|mlp|feed_forward|(?P<attention>attn|attention))"
    r"(_(config|cfg|args|params|settings|kwargs))?"
)
OF_ATTENTION = (
    "heads", "kv_heads", "head_width", "query_rank", "kv_rank", "position_free", "rope_width", "value_width",
    "output_rank", "output_groups",
)
OF_NO_SECTION = ("layers", "hidden", "vocabulary")
# What short names mean in a section of experts; so do widths of any layer.
IN_EXPERTS = {
    **dict.fromkeys(("top_k", "topk", "k"), "moe_top_k"),
    **dict.fromkeys(("enabled", "enable", "use"), "moe_enabled"),
    **dict.fromkeys(NAMES["width"], "moe_intermediate_size"),
}


@dataclass(frozen=True)
class Family:
    """What no key of a configuration says but the code of its family."""

    balancing: str = ""
    shared: int = 0  # shared experts of every layer where no key says so
    gated: bool = None  # whatever the activation is
    halves: bool = False  # a layer is two of attention and two dense networks, experts beside the first
    refused: str = ""  # why


_FREE, _GATED = Family("loss-free", gated=True), Family(gated=True)

# By model_type without endings such as _text. Others are read by the names of their keys alone, which is said.
ENDINGS = re.compile(r"(_(text|vl|ngram|unified))+$")
FAMILIES = {
    **dict.fromkeys(
        "deepseek deepseek_v2 qwen2_moe qwen3_moe qwen3_next mixtral gpt_oss granitemoe granitemoeshared olmoe dbrx "
        "phimoe llama mistral qwen2 qwen3 minimax minimax_m2 minimax_m3 aria bailing_moe bailing_moe_v2 hunyuan "
        "hunyuan_v1_moe flex_olmo grok-1 arctic step3 step3p5 step3p7 qwen3_5_moe qwen3_vl_moe qwen3_omni_moe laguna "
        "cohere2_moe gemma gemma2 gemma3 gemma4 bitnet".split(),
        _GATED,
    ),
    **dict.fromkeys(
        "deepseek_v3 deepseek_v32 deepseek_v4 kimi_k2 kimi_k3 kimi_linear glm4_moe glm4_moe_lite glm_moe_dsa dots1 "
        "ernie4_5_moe ernie4_5_vl_moe exaone_moe afmoe lfm2_moe mistral4 hy_v3".split(),
        _FREE,
    ),
    **dict.fromkeys(
        "nemotron phi starcoder2 arcee persimmon falcon bloom mpt opt codegen gpt2 gpt_bigcode gpt_neo gpt_neox "
        "gptj".split(),
        Family(gated=False),
    ),
    "llama4": Family(shared=1, gated=True),
    "longcat_flash": Family("loss-free", gated=True, halves=True),
    "jetmoe": Family(refused="heads of its attention are experts too, which rails does not have"),
    "doge": Family(refused="its experts are single neurons, which rails does not have"),
}

# Keys of layers that are not of attention.
HYBRID = re.compile(
    r"mamba_.*|ssm_.*|hybrid_(override|layer)_pattern|attn_layer_period|layers_block_type|conv_L_cache|block_types|"
    r"block_configs|lru_width|rwkv.*|mlstm.*|time_mix.*|time_step_rank|recurrent_.*"
)

# Of each key of workload.model that may have a default: the names that may say it, of a number, a list or a flag.
DEFAULTS = {
    "experts": (r".*(expert|moe)", "how many experts there are"),
    "expert_ffn": (
        r"(?=.*(expert|moe))(?=.*(size|dim|width|wide|ffn|hidden|inter_|intermediate))",
        "the width of an expert",
    ),
    "kv_heads": (
        r"(?=.*(kv|key_value|query|group))(?=.*(num|head|count|\bn_|_n_))|.*(gqa|mqa|n_rep|per_kv)",
        "the number of heads of keys and values",
    ),
    "dense_layers": (
        r"(?!.*att)((?=.*dense)(?=.*(layer|first|num|replace|freq|every|\bn_|_n_))|"
        r"(?=.*(moe|expert|sparse))(?=.*(layer|step|freq|interval|every|period|start)))",
        "which layers have experts",
    ),
    "shared_ffn": (r"(?=.*share)(?=.*(expert|moe|ffn|mlp|dim|size|inter|wid))", "the width of shared experts"),
    "rope_width": (
        r"(?=.*(rope|rotary|rotated|(\b|_)(pos|pe)_))(?=.*(dim|width|size|head))",
        "the width of the rotated part of a head",
    ),
}

# Words of layer_types: what such a layer is taken for.
LAYER_WORDS = (
    (re.compile(r".*(mamba|ssm|conv|recurrent|rwkv|lstm|lru|mlp|moe).*"), None),
    (re.compile(r".*(linear|kda|delta|lightning|retention|gla).*"), "linear"),
    (re.compile(r".*(sliding|local|chunk|window).*"), "window"),
    (re.compile(r".*(sparse|compress|index).*"), "sparse"),
    (re.compile(r"(full|global|hybrid|self|causal)?_?(full_)?(attention|attn|mla|gqa)|full|global"), "full"),
)
KINDS = {
    "linear": "layers of linear attention count as full ones: their time is too long",
    "window": "attention counts as if it saw the whole sequence: its time is too long",
    "sparse": "sparse attention counts as full: its time is too long, and what chooses is left out",
}

# What a descriptor cannot say of a model, and what follows: one line for all keys of one consequence.
BEYOND = (
    (
        r"\w*sliding_window\w*|attention_chunk_size|attn_window.*|window_size|keep_window_size|hybrid_layer_pattern|"
        r"local_layer_ids|global_attn_every_n\w*",
        KINDS["window"],
    ),
    (
        r"full_attention_interval|linear_attn_config|linear_(num|key|value|conv).*|kda_.*|layer_group_size|"
        r"attn_type_list|gqa_(layers|interval)|full_attn_idxs",
        KINDS["linear"],
    ),
    (r"index_.*|indexer_.*|sparse_attention_.*|compress_ratios|use_dsa|nsa_.*|sparse_.*block.*", KINDS["sparse"]),
    (
        r"quantization_config|compression_config|expert_dtype",
        "times and bytes are those of BF16, which is what a training of it has but for its products",
    ),
    (r"zero_expert_\w+", "tokens that choose an expert that does nothing are sent and computed: both take too long"),
    (r"(hc|mhc)_\w+", "a token has one residual stream: what stages send, and memory, are too small"),
    (
        r"hidden_size_per_layer_input|engram_\w+|ngram_\w+|ple_\w+|emb_(neighbor|split)_num",
        "embeddings of layers and of several tokens are left out: memory is too small",
    ),
    (
        r"num_kv_shared_layers|use_cla|kv_source_layer_ids|attention_k_eq_v",
        "each layer has projections of keys and of values of its own: parameters of attention are too many",
    ),
    (r"num_hash_layers|hash_moe_layers", "routing of all layers is learned: the loads are those of load"),
    ("|".join(DROPS), "tokens are dropped there, and none here, as no capacity factor says which"),
    (
        r"(?!\w*(loss|weight|coef|lambda|scal|eps|dropout|norm))\w*(mtp|nextn|multi_token)\w*",
        "layers of multi-token prediction are those of model.mtp_layers alone",
    ),
    (
        r"swa_\w+|attention_other_setting|global_head_dim|num_global_\w+|num_attention_heads_per_layer|"
        r"per_layer_config",
        "all layers have the same heads and widths: parameters and times of some are others there",
    ),
    (
        r"gating|attn_output_gate|attention_output_gate|output_gate_type|use_head_wise_attn_gate|mla_use_output_gate|"
        r"gated_mla|use_gqa_gate",
        "results of attention have no gate: its parameters and its time are too small",
    ),
)

# Keys that are left out where they are not taken, by what their name speaks of: the keys of workload.model to compare.
GUARD = (
    (
        r"expert|moe|rout|share|dense|sparse|top_?k|gate_|gating|capacity",
        "experts, which may be counted wrongly",
        ("experts", "top_k", "expert_ffn", "shared_ffn", "dense_layers"),
    ),
    (
        r"lora|rank|latent|head|group|attn|attention|gqa|mqa|_n_rep_|_(q|k|v|kv|qk|qkv)_",
        "attention, whose parameters and time may be others",
        ("heads", "kv_heads", "head_width", "query_rank", "kv_rank"),
    ),
    (
        r"width|wide|hidden|intermediate|ffn|mlp|feed|_dims?_|inner|glu|gated|expansion|multiple",
        "widths, so parameters and times may be others",
        ("hidden", "ffn", "expert_ffn", "gated"),
    ),
    (
        r"layer|depth|block|mixer|window|loop|recurr|repeat",
        "layers, some of which may be others",
        ("layers", "dense_layers"),
    ),
)

# A flag by its name, which is told where it is off too, as far as its name speaks of the above.
FLAG = re.compile(r"(use|has|have|is|enable|with)_.*|.*_enabled|.*gat.*")

# What changes neither what is sent nor how long it takes as far as a descriptor says it. The first ones are settings
# of generation and of the library, which configurations repeat.
_WITHOUT_EFFECT = re.compile(
    r"vocab_size_per_layer_input|use_bidirectional_attention|ignore_index|language_model_only|"
    r"add_cross_attention|bad_words_ids|(begin_)?suppress_tokens|diversity_penalty|do_sample|early_stopping|"
    r"(encoder_)?no_repeat_ngram_size|\w*length_penalty|finetuning_task|id2label|label2id|is_(decoder|composition)|"
    r"(max|min)(_new)?_(length|tokens)|num_beams|num_beam_groups|num_return_sequences|prefix|pruned_heads|"
    r"output_(attentions|hidden_states|scores|logits|router_logits|past)|"
    r"remove_invalid_values|repetition_penalty|return_dict\w*|task_specific_params|temperature|tf_legacy_loss|"
    r"tie_encoder_decoder|top_[kp]|torchscript|typical_p|use_bfloat16|forced_\w+|guidance_scale|epsilon_cutoff|"
    r"eta_cutoff|renormalize_logits|chunk_size_feed_forward|problem_type|architectures|model_type|model_name|auto_map|"
    r"transformers_version|torch_dtype|params_dtype|use_cache|use_return_dict|tokenizer_class|for_llm_.*|"
    r"max_position_embeddings?|position_embedding_type|initial_context_length|seq_length|n_positions|n_ctx|"
    r"model_max_length|max_window_layers|use_sliding_window|scoring_func|score_func\w*|scale_depth|topk_method|"
    r"moe_router_(activation\w*|use_sigmoid|dtype|score\w*)|moe_gate_act|route_norm|moe_renormalize|"
    r"seq_aux|pretraining_tp|[et]p_size|\w*parallel_(size|degree)|"
    r"moe_random_\w+|use_flash\w*|attn_implementation|"
    r"(attn_)?clip_qkv|attn_logit\w*|uniform_expert_assignment|shared_moe_mode|moe_group_orthogonal\w*|need_fp32_gate|"
    r"use_grouped_mm|enable_moe_fp32_combine|mup_enabled|shared_expert_combination_strategy|expert_selection_fn|"
    r"moe_apply_router_weight_on_input|(moe_)?eval_capacity\w*|(moe_)?min_capacity|attention_method|"
    r"enable_expert_tensor_parallelism|cla_share_factor|dense_list|class_num|num_media_embeds|org_vocab_size|"
    r"unpadded_vocab_size|pool_type|skip_cls_token|add_classification_head|att_impl_type|zero_centered|"
    r"mla_use_nope|no_rope_layers?\w*|use_rope_layers|fuse_\w+|gradient_checkpointing|router_dtype|"
    r"((.*_)?(vision|images?|img|videos?|audio|speech|mm|projector|patch|patches|pixels?)_\w*|"
    r".*_(vision|images?|videos?|audio|speech|projector|patch|patches|pixels?))"
)
# The same by wide patterns, of names that speak of no size.
_WIDE = re.compile(
    r"sampler.*|_.*|\w*dtype|.*token_(id|index)|.*_id|.*dropout.*|.*_pdrop|initializer_.*|init_.*|"
    r".*_(eps|epsilon|std)|.*norm.*|rope_.*|.*rope|.*_rope_.*|.*rotary.*|.*yarn.*|mrope.*|original_max\w*|"
    r"max_seq\w*|(?!\w*(rout|expert|moe|gat|correction))\w*bias|"
    r"swiglu_(limits?|alpha|beta)\w*|\w*clamp\w*|\w*softcap\w*|\w*logits?_cap\w*|"
    r"(?!\w*(ffn|mlp|dim|width|wide|depth|capacity|expansion|hidden|intermediate|expert|num_|layers?_mul|layers?_fac|"
    r"(moe|dense|shared?|heads?|groups?|gates?)_(mul|fac)))\w*(scale|scaling|multiplier|factor|temperature)(_\w+)?|"
    r"(?!\w*(experts?|moe|dense|shared?|heads?|groups?|gates?|layers?)_(alpha|beta))\w*(alpha|beta)(_factor)?|"
    r"(?!parallel_(expert|moe|dense|share|head|group|gate|layer|mlp|ffn))\w*parallel\w*|"
    r"\w*z_loss\w*|\w*jitter\w*|router_\w*loss\w*|nope_\w+|"
    r".*(vision|image|video|audio|speech|projector|patch|pixel)\w*|\w*mtp\w*|\w*nextn\w*"
)
_SIZE = re.compile(
    r"(^|_)(num|n|number|count|total|sizes?|dims?|widths?|depths?|layers|heads|groups|ranks?|experts|capacity|inner|"
    r"multiple)(_|$)"
)


def is_without_effect(name):
    return bool(_WITHOUT_EFFECT.fullmatch(name) or (_WIDE.fullmatch(name) and not _SIZE.search(name)))
