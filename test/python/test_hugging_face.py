# SPDX-License-Identifier: GPL-2.0-only
"""Models from config.json: the families, layers that are dense, what a descriptor cannot say, and what is refused."""

import csv
import json
import random
import re
import unittest
from pathlib import Path

from called import ImportTest, notes_of, origins_of, workload_of
from families import FAMILIES, PUBLISHED, draw
from paths import ROOT
from rails.imports import hugging_face, parameters
from rails.imports.megatron_model import KNOWN
from rails.imports.model import KEYS


def rails_models():
    """The dimensions of rails' own models, by the page that is written from them."""
    text = (ROOT / "doc/descriptor/training.rst").read_text("utf-8")
    table = re.search(r"^ +Type, (``layers``.*?)\n\n", text, re.MULTILINE | re.DOTALL).group(1)
    rows = list(csv.reader(re.sub(r"[` ]", "", table).split("\n")))
    return {row[0]: dict(zip(rows[0], row[1:])) for row in rows[1:]}


def as_words(model):
    return {key: str(value).lower() for key, value in model.items() if key in KEYS}


class Families(ImportTest):
    def test_every_family_says_the_model_that_it_was_written_from(self):
        for name, family in FAMILIES.items():
            for seed in range(8):
                model = draw(name, seed)
                path = self.write("config.json", family.write(model))
                text = self.made("hf", path)
                got = workload_of(text)["model"]
                self.assertEqual({key: got[key] for key in KEYS}, model, f"{name} {seed}")
                self.assertNotIn("not known", text, name)
            self.assert_valid(text)

    def test_published_models_are_those_that_rails_has(self):
        known = rails_models()
        for name, config in PUBLISHED.items():
            got = self.workload("hf", self.write("config.json", config))["model"]
            self.assertEqual({"mtp_layers": "0", **as_words(got)}, known[name], name)

    def test_what_recipes_take_for_known_is_in_rails(self):
        known = rails_models()
        for name, (kind, facts) in KNOWN.items():
            self.assertEqual({key: known[kind][key] for key in facts}, as_words(facts), name)

    def test_each_value_says_its_file_and_its_key(self):
        path = self.write("config.json", FAMILIES["qwen2_moe"].write(draw("qwen2_moe", 1)))
        origins = origins_of(self.made("hf", path))
        self.assertEqual(origins["layers"], "config.json: num_hidden_layers")
        self.assertEqual(origins["shared_ffn"], "config.json: shared_expert_intermediate_size")
        self.assertEqual(origins["balancing"], "config.json: router_aux_loss_coef 0.001")
        self.assertEqual(origins["sequence"], "nothing says it: our choice")
        self.assertEqual({key for key in KEYS if key not in origins}, set())

    def test_a_nested_configuration_is_found_and_what_is_outside_told(self):
        text = self.made("hf", self.write("config.json", FAMILIES["kimi_k2"].write(draw("kimi_k2", 3))))
        self.assertEqual(origins_of(text)["experts"], "config.json: text_config.n_routed_experts")
        self.assertIn("what is outside of text_config", " ".join(notes_of(text)))

    def test_a_folder_is_its_config_json(self):
        self.write("Mixtral-8x7B/config.json", PUBLISHED["mixtral-8x7b"])
        self.assertIn("name: Mixtral-8x7B\n", self.made("hf", self.folder / "Mixtral-8x7B"))
        self.write("models--x--Mixtral-8x22B/snapshots/0f1e/config.json", PUBLISHED["mixtral-8x22b"])
        made = self.made("hf", self.folder / "models--x--Mixtral-8x22B/snapshots/0f1e")
        self.assertIn("name: Mixtral-8x22B\n", made)

    def test_groups_count_where_tokens_are_kept_to_some_of_them(self):
        config = FAMILIES["deepseek_v2"].write(draw("deepseek_v2", 1))
        for method, groups in (("group_limited_greedy", draw("deepseek_v2", 1)["expert_groups"]), ("greedy", 1)):
            path = self.write("config.json", {**config, "topk_method": method, "num_experts_per_tok": 1})
            self.assertEqual(self.workload("hf", path)["model"]["expert_groups"], groups)

    def test_a_dense_model_has_dense_layers_alone(self):
        config = PUBLISHED["mixtral-8x7b"] | {"model_type": "llama"}
        config = {key: value for key, value in config.items() if "expert" not in key}
        text = self.made("hf", self.write("config.json", config))
        model = self.workload("hf", self.folder / "config.json")["model"]
        self.assertEqual((model["dense_layers"], model["ffn"], model["experts"]), (32, 14336, 1))
        self.assert_valid(text)


# Keys of a configuration of experts that others have for the same, and one that is the same by another law.
USUAL = {
    "model_type": "another",
    "hidden_size": 64,
    "num_hidden_layers": 8,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "vocab_size": 1000,
    "num_experts": 16,
    "num_experts_per_tok": 4,
    "moe_intermediate_size": 96,
    "intermediate_size": 640,
    "router_aux_loss_coef": 0.01,
}


EXPERTS = ("num_experts", "num_experts_per_tok", "moe_intermediate_size")


class Usual(ImportTest):
    """Tests that change some keys of a configuration."""

    def config(self, **others):
        """The usual configuration with others; those that are None are left out."""
        return {key: value for key, value in {**USUAL, **others}.items() if value is not None}

    def model(self, **others):
        return workload_of(self.text(**others))["model"]

    def text(self, **others):
        return self.made("hf", self.write("config.json", self.config(**others)), "--gpus", 16)

    def notes(self, **others):
        return " | ".join(notes_of(self.text(**others)))

    def refused(self, *parts, **others):
        self.assert_refused(["hf", self.write("config.json", self.config(**others)), "--gpus", 16], *parts)


class Names(Usual):
    """The same meaning under other names, whatever the family."""

    def test_a_width_of_experts_is_not_that_of_dense_layers(self):
        for name in (
            "expert_ffn_hidden_size",
            "expert_hidden_dim",
            "moe_ffn_hidden_size",
            "expert_intermediate_size",
            "moe_ffn_dim",
            "routed_expert_intermediate_size",
        ):
            model = self.model(moe_intermediate_size=None, **{name: 96})
            self.assertEqual((model["expert_ffn"], model["ffn"]), (96, 0), name)
            model = self.model(moe_intermediate_size=None, first_k_dense_replace=2, **{name: 96})
            self.assertEqual((model["expert_ffn"], model["ffn"]), (96, 640), name)

    def test_a_width_of_dense_layers_is_not_that_of_experts(self):
        for name in ("dense_intermediate_size", "prefix_dense_intermediate_size", "intermediate_size_mlp"):
            given = {"moe_intermediate_size": None, "intermediate_size": 96, "num_dense_layers": 2, name: 640}
            model = self.model(**given)
            self.assertEqual((model["expert_ffn"], model["ffn"]), (96, 640), name)

    def test_how_many_experts_a_token_goes_to(self):
        for name in ("top_k_experts", "experts_top_k", "moe_topk", "moe_k", "num_experts_per_token", "moe_router_topk"):
            self.assertEqual(self.model(num_experts_per_tok=None, **{name: 3})["top_k"], 3, name)

    def test_experts_get_narrower_vectors(self):
        for name in ("routed_expert_hidden_size", "moe_latent_size"):
            self.assertEqual(self.model(**{name: 48})["expert_hidden"], 48, name)

    def test_shared_experts_by_width_or_by_number(self):
        for given, width in (
            ({"share_expert_dim": 80}, 80),
            ({"share_expert_dim": 80, "n_shared_experts": 2}, 160),
            ({"shared_intermediate_size": 80, "n_shared_experts": 0}, 0),
            ({"num_shared_experts": 2}, 192),
            ({"num_shared_experts": 2, "moe_shared_expert_intermediate_size": 80}, 160),
            ({"moe_shared_expert_intermediate_size": 80}, 80),
            ({"shared_intermediate_size": [0]}, 0),
            ({"n_shared_experts": 0}, 0),
            ({"num_experts_per_tok": None, "top_k_experts": 4}, 640),  # a dense network beside all experts
            ({"residual_moe": True}, 640),
            ({"use_mixed_mlp_moe": True}, 640),
            ({"use_mixed_mlp_moe": False, "num_shared_expert": 1}, 0),
            ({"parallel_attn_mlp_res": True}, 64),
        ):
            self.assertEqual(self.model(**given)["shared_ffn"], width, given)

    def test_heads_of_keys_and_values(self):
        for name in ("num_attention_groups", "num_query_groups", "multi_query_group_num", "num_kv_heads", "n_kv_heads"):
            self.assertEqual(self.model(num_key_value_heads=None, **{name: 2})["kv_heads"], 2, name)
        self.assertEqual(self.model(num_key_value_heads=None, multi_query=True)["kv_heads"], 1)

    def test_groups_of_experts(self):
        for groups, top in (("num_expert_group", "topk_group"), ("num_expert_groups", "num_expert_groups_per_tok")):
            model = self.model(**{groups: 4, top: 2})
            self.assertEqual((model["expert_groups"], model["top_groups"]), (4, 2), groups)
        self.refused("config.json: num_limited_groups 3: how many groups of experts there are", num_limited_groups=3)
        self.assertIn("n_group 4: tokens go to experts of any group", self.notes(n_group=4))
        self.assertIn("topk_group 1: tokens go to experts of any group", self.notes(topk_group=1))
        self.assertNotIn("group", self.notes(n_group=1, topk_group=1) + self.notes(n_group=1))

    def test_the_width_of_heads_by_that_of_queries(self):
        self.assertEqual(self.model(head_dim=None, qk_head_dim=256)["head_width"], 256)

    def test_biases_of_routers_balance(self):
        for name in (
            "use_routing_bias",
            "moe_router_enable_expert_bias",
            "use_moe_router_bias",
            "use_expert_bias",
            "moe_use_aux_free",
        ):
            self.assertEqual(self.model(**{name: True})["balancing"], "loss-free", name)
            self.assertEqual(self.model(**{name: False})["balancing"], "aux-loss", name)
        self.assertEqual(self.model(model_type="lfm2_moe", use_expert_bias=False)["balancing"], "aux-loss")

    def test_networks_without_a_gate(self):
        dense = {"num_experts": 0, "model_type": "another"}
        for given, gated in (
            ({"hidden_act": "silu"}, True),
            ({"hidden_act": "relu2"}, False),
            ({"hidden_act": "gelu_pytorch_tanh"}, False),
            ({"hidden_activation": "gelu_pytorch_tanh", "model_type": "gemma3_text"}, True),
            ({"hidden_act": "relu2", "model_type": "nemotron"}, False),
            ({"hidden_act": "gelu_new", "model_type": "phi"}, False),
            ({"hidden_act": "relu", "model_type": "llama"}, True),
            ({"mlp_hidden_act": "relu2"}, False),
            ({"hidden_act": "gelu", "use_gated_mlp": True}, True),
            ({"hidden_act": "silu", "gated_linear_unit": False}, False),
        ):
            self.assertEqual(self.model(**{**dense, **given})["gated"], gated, given)
        self.assertIn("hidden_act gelu: feed-forward networks are taken as two matrices", self.notes(hidden_act="gelu"))

    def test_experts_that_are_switched_off(self):
        model = self.model(enable_moe_block=False)
        self.assertEqual((model["experts"], model["dense_layers"], model["ffn"]), (1, 8, 640))

    def test_of_two_names_of_one_meaning_the_other_is_told(self):
        notes = self.notes(num_local_experts=8)
        self.assertIn("num_local_experts 8: config.json: num_experts counts, 16", notes)
        self.assertEqual(self.notes(num_local_experts=16), self.notes())

    def test_numbers_of_all_layers_in_a_list(self):
        self.assertEqual(self.model(num_experts_per_tok=[3] * 8)["top_k"], 3)
        self.refused("num_experts_per_tok: expected one value, or the same", num_experts_per_tok=[3, 4] * 4)

    def test_the_language_model_wherever_it_stands(self):
        for sections in (("llm_config",), ("thinker_config", "text_config"), ("language_model",), ("backbone",)):
            config = self.config()
            for name in reversed(sections):
                config = {"vision_config": {**USUAL, "hidden_size": 8}, name: config, "tie_word_embeddings": True}
            text = self.made("hf", self.write("config.json", config), "--gpus", 16)
            self.assertEqual(workload_of(text)["model"]["hidden"], 64, sections)
            self.assertIn(f"outside of {'.'.join(sections)}", " ".join(notes_of(text)))
            self.assertIn("tie_word_embeddings", " ".join(notes_of(text)))
        two = {"first": self.config(), "second": self.config()}
        self.assert_refused(["hf", self.write("config.json", two)], "'first and second': expected one, or text_config")

    def test_params_json_of_mistral_in_its_folder(self):
        self.write("Large/params.json", FAMILIES["params"].write(draw("params", 1)))
        self.assertIn("# params.json: moe.num_experts", self.made("hf", self.folder / "Large"))


class DenseLayers(ImportTest):
    """Which layers have no experts is said in many ways."""

    def dense(self, family, **others):
        config = {**FAMILIES[family].write({**draw(family, 0), "layers": 8, "dense_layers": 0, "ffn": 640}), **others}
        text = self.made("hf", self.write("config.json", config))
        self.assert_valid(text)
        model = self.workload("hf", self.folder / "config.json")["model"]
        moved = any("lie between those with experts" in note for note in notes_of(text))
        return model["dense_layers"], model["ffn"], moved

    def test_by_the_first_ones(self):
        self.assertEqual(self.dense("deepseek_v3", first_k_dense_replace=2), (2, 640, False))

    def test_by_a_frequency_behind_the_first_ones(self):
        self.assertEqual(self.dense("deepseek_v3", first_k_dense_replace=1, moe_layer_freq=2), (5, 640, True))

    def test_by_a_step(self):
        self.assertEqual(self.dense("qwen2_moe", intermediate_size=640, decoder_sparse_step=2), (4, 640, True))

    def test_by_numbers(self):
        self.assertEqual(self.dense("qwen3_moe", intermediate_size=640, mlp_only_layers=[0, 1, 2]), (3, 640, False))
        self.assertEqual(self.dense("qwen3_moe", intermediate_size=640, mlp_only_layers=[7]), (1, 640, True))

    def test_by_words(self):
        words = ["dense"] * 3 + ["sparse"] * 5
        self.assertEqual(self.dense("glm4_moe", intermediate_size=640, mlp_layer_types=words), (3, 640, False))

    def test_by_what_is_interleaved(self):
        inside = FAMILIES["llama4"].write(
            {**draw("llama4", 0), "layers": 8, "dense_layers": 0, "ffn": 640}
        )["text_config"]
        del inside["moe_layers"]
        inside |= {"interleave_moe_layer_step": 2}
        self.write("config.json", {"text_config": inside})
        self.assertEqual(self.workload("hf", self.folder / "config.json")["model"]["dense_layers"], 4)
        self.write("config.json", {"text_config": {**inside, "num_hidden_layers": 7}})
        self.assertEqual(self.workload("hf", self.folder / "config.json")["model"]["dense_layers"], 4)


class DenseLaws(Usual):
    def test_each_law(self):
        flags = [False, True, True, True] * 2
        for given, dense in (
            ({"num_dense_layers": 2}, 2),
            ({"n_dense_first_layers": 2}, 2),
            ({"moe_layer_start_index": 1, "moe_layer_end_index": 5, "moe_layer_interval": 1}, 3),
            ({"moe_layer_start_index": 1, "moe_layer_end_index": -1, "moe_layer_interval": 2}, 4),
            ({"moe_layers_enum": "2,3,4,5,6,7"}, 2),
            ({"moe_layers_enum": [2, 3]}, 6),
            ({"is_moe_layer": flags, "first_last_k_dense_replace": 1}, 2),
            ({"moe_layer_freq": [int(flag) for flag in flags]}, 2),
            ({"mlp_layer_types": ["dense"] + ["sparse"] * 8, "num_nextn_predict_layers": 1}, 1),
            ({"expert_layer_period": 2, "expert_layer_offset": 1}, 4),
            ({"moe_every_n_layer": 2, "moe_layer_offset": 2}, 5),
            ({"moe_layer_frequency": 4}, 6),
            ({"decoder_sparse_step": 2, "mlp_only_layers": [1]}, 5),
            ({"mlp_only_layers": [], "decoder_sparse_step": 1}, 0),
        ):
            model = self.model(**given)
            self.assertEqual((model["dense_layers"], model["ffn"]), (dense, 640 if dense else 0), given)

    def test_what_is_no_law(self):
        self.refused("moe_layers_enum: expected a list of numbers", moe_layers_enum="2-7")
        self.refused("is_moe_layer: expected dense, sparse or moe", is_moe_layer=[3] * 8)
        self.refused("is_moe_layer: expected a list with a word for each of the 8", is_moe_layer=[True] * 9)


class Attention(Usual):
    def test_kinds_of_layers(self):
        full = ["full_attention"] * 2
        for word, part in (
            ("linear_attention", "layer_types, 6 of 8 linear: layers of linear attention count as full ones"),
            ("sliding_attention", "layer_types, 6 of 8 window: attention counts as if it saw the whole"),
            ("minimax_m3_sparse", "layer_types, 6 of 8 sparse: sparse attention counts as full"),
        ):
            self.assertIn(part, self.notes(layer_types=[word] * 6 + full))
        for word in ("conv", "mamba", "recurrent"):
            self.refused(f"layer_types has {word}: its layers are not all of", layer_types=[word] * 6 + full)
        self.refused("layer_types: expected kinds of attention", layer_types=["other"] * 8)
        self.assertNotIn("layer_types", self.notes(layer_types=["full_attention"] * 8, mamba_n_heads=4))
        self.refused("conv_L_cache: its layers are not all of attention", conv_L_cache=3)

    def test_linear_layers_by_other_keys(self):
        for given in (
            {"linear_attn_config": {"kda_layers": [1, 2, 3], "full_attn_layers": [4], "num_heads": 4}},
            {"attn_type_list": [0, 1] * 4},
            {"layer_group_size": 4},
            {"linear_num_value_heads": 8},
        ):
            self.assertIn("layers of linear attention count as full ones: their time is too long", self.notes(**given))
        self.assertEqual(self.notes(attn_type_list=[1] * 8), self.notes())

    def test_compressed_queries_and_results_are_told_with_their_parameters(self):
        notes = self.notes(q_lora_rank=16, o_lora_rank=8, o_groups=2)
        # hidden 64, four heads of 32: 2 x 64 x 128 in full; 16 x (64 + 128) + 8 x (128 + 2 x 64) there
        self.assertIn("q_lora_rank 16, config.json: o_lora_rank 8: queries and results are projected in full", notes)
        self.assertIn("by 16384 parameters of a layer and not by 5120", notes)


class Guard(Usual):
    """A key that is not taken is told with what it may change where its name speaks of that."""

    def test_what_names_speak_of(self):
        for name, value, part in (
            ("moe_new_width", 512, "here experts 16, top_k 4, expert_ffn 96, shared_ffn 0, dense_layers 0"),
            ("shared_order", 2, "experts 16"),
            ("dense_kind", 3, "experts 16"),
            ("router_levels", 2, "experts 16"),
            ("use_new_router_bias", True, "experts 16"),
            ("new_head_count", 8, "here heads 4, kv_heads 2, head_width 32"),
            ("q_latent_rank", 8, "here heads 4"),
            ("new_ffn_multiplier", 1.5, "here hidden 64, ffn 0, expert_ffn 96, gated true"),
            ("hidden_inner", 128, "here hidden 64"),
            ("new_gated", False, "here hidden 64"),
            ("skipped_layers", [1, 2], "here layers 8"),
            ("num_recurrences", 2, "here layers 8"),
            ("capacity", 64, "experts 16"),
            ("gqa_ratio", 2, "here heads 4"),
        ):
            self.assertIn(f"{name}", self.notes(**{name: value}))
            self.assertIn(part, self.notes(**{name: value}), name)
        self.assertEqual(self.notes(moe_new_width=0, shared_order=None, dense_kind=False), self.notes())

    def test_no_default_is_taken_where_an_unknown_key_may_say_otherwise(self):
        for name, value, without, what in (
            ("moe_expert_total", 16, EXPERTS, "how many experts there are, where 1 would be"),
            ("mixture_of_experts", {"total": 16}, EXPERTS, "how many experts there are"),
            ("width_of_expert", 96, ("moe_intermediate_size",), "the width of an expert, where 640 would be"),
            ("gqa_ratio", 2, ("num_key_value_heads",), "the number of heads of keys and values, where 4 would be"),
            ("n_rep", 2, ("num_key_value_heads",), "the number of heads of keys and values"),
            ("queries_per_kv", 2, ("num_key_value_heads",), "the number of heads of keys and values"),
            ("kv_group_count", 2, ("num_key_value_heads",), "the number of heads of keys and values, where 4 would be"),
            ("dense_layers_at_front", 2, (), "which layers have experts, where 0 would be"),
            ("moe_every_other_layer", True, (), "which layers have experts"),
            ("first_last_k_dense_replace", 1, (), "which layers have experts"),
            ("share_expert_total_size", 64, (), "the width of shared experts, where 0 would be"),
        ):
            others = {**dict.fromkeys(without), name: value}
            self.refused(f"{name}", "not known, and its name speaks of", what, "our default: in a copy", **others)
            self.text(**{**others, name: 0})  # says that there is none
        self.text(num_experts=0, moe_expert_total=16)  # the number is known
        self.refused("the number of experts is missing: expected n_routed_experts or", num_experts=None)
        path = self.write("config.json", {**USUAL, "num_experts": None})  # that there is none is said as well
        self.assertEqual(self.workload("hf", path)["model"]["dense_layers"], 8)

    def test_settings_of_generation_are_silent(self):
        given = dict.fromkeys("temperature top_p top_k num_beams num_beam_groups max_length typical_p".split(), 2)
        given |= {"id2label": {"0": "A"}, "output_hidden_states": True, "forced_eos_token_id": 3, "bos_token_id": 1}
        self.assertEqual(self.notes(**given), self.notes())


class Sections(Usual):
    """Of one key in a section and outside of it, the one of the section that speaks of it counts."""

    def test_a_section_counts_more_than_what_is_outside_of_it(self):
        for section, key, values in (
            ("moe", {"intermediate_size": 48}, {"expert_ffn": 48}),
            ("moe", {"hidden_dim": 48}, {"expert_ffn": 48}),
            ("moe_args", {"num_experts": 32, "top_k": 2}, {"experts": 32, "top_k": 2}),
            ("moe_config", {"n_routed_experts": 32}, {"experts": 32}),  # outside under another name
            ("router_config", {"num_experts_per_tok": 2}, {"top_k": 2}),
            ("moe", {"router": {"num_experts_per_tok": 2}}, {"top_k": 2}),
            ("attn_config", {"num_key_value_heads": 4}, {"kv_heads": 4}),
            ("ffn_config", {"moe_intermediate_size": 48}, {"expert_ffn": 48}),
        ):
            model = self.model(**{section: key})
            self.assertEqual({key: model[key] for key in values}, values, section)
            if section != "moe":
                told = r"config.json: \w+ \d+: config.json: \w+\.\w+ counts, \d"
                self.assertRegex(self.notes(**{section: key}), told)
        self.assertEqual(self.notes(moe={"num_experts": 16, "num_experts_per_tok": 4}), self.notes())
        for name in ("first_k_dense_replace", "num_dense_layers"):
            given = {"first_k_dense_replace": 1, "moe": {name: 2}}
            self.assertEqual(self.model(**given)["dense_layers"], 2)
            self.assertIn(f"first_k_dense_replace 1: config.json: moe.{name} counts, 2", self.notes(**given))
        self.assertEqual(self.model(moe={"num_experts": None})["experts"], 16)

    def test_a_width_in_a_section_of_experts_is_that_of_experts(self):
        model = self.model(moe_intermediate_size=None, moe={"intermediate_size": 48}, first_k_dense_replace=1)
        self.assertEqual((model["expert_ffn"], model["ffn"]), (48, 640))

    def test_what_a_section_does_not_speak_of_counts_outside(self):
        self.assertEqual(self.model(attn_config={"model_type": "", "hidden_size": 64})["hidden"], 64)
        self.assertEqual(self.model(moe={"hidden_size": 48})["hidden"], 64)
        self.assertIn("moe.hidden_size 48: not known, its name speaks of experts", self.notes(moe={"hidden_size": 48}))
        given = {"moe": {"hidden_size": 48}, "moe_intermediate_size": None}
        self.refused("moe.hidden_size 48", "the width of an expert", **given)

    def test_a_key_of_a_section_speaks_of_what_the_section_speaks_of(self):
        self.assertIn("moe.new_width 3: not known, its name speaks of experts", self.notes(moe={"new_width": 3}))
        self.refused("moe.wide", "the width of an expert", moe={"wide_size": 48}, moe_intermediate_size=None)
        self.assertIn("arch", self.notes(arch={"num_experts": 64}))
        self.assertIn("speaks of experts", self.notes(arch={"num_experts": 64}))

    def test_sections_beside_the_language_model_count(self):
        inside = self.config(num_experts=None, moe_intermediate_size=None)
        config = {"llm_config": inside, "moe": {"num_experts": 32, "intermediate_size": 48}}
        model = self.workload("hf", self.write("config.json", config), "--gpus", 16)["model"]
        self.assertEqual((model["experts"], model["expert_ffn"]), (32, 48))

    def test_the_language_model_counts_more_than_what_is_outside(self):
        config = {"n_routed_experts": 64, "llm_config": self.config()}
        text = self.made("hf", self.write("config.json", config), "--gpus", 16)
        self.assertEqual(workload_of(text)["model"]["experts"], 16)
        self.assertIn("n_routed_experts 64: config.json: llm_config.num_experts counts, 16", " ".join(notes_of(text)))


class LanguageModels(Usual):
    """Which section is the language model."""

    SMALL = {"hidden_size": 32, "num_hidden_layers": 6, "num_attention_heads": 4, "vocab_size": 999}

    def hidden(self, config):
        text = self.made("hf", self.write("config.json", config), "--gpus", 16)
        return workload_of(text)["model"]["hidden"], " ".join(notes_of(text))

    def test_no_section_whose_name_has_the_letters_of_text_within_a_word(self):
        for name in ("context_config", "context", "texture_config", "pretext_model"):
            self.assertEqual(self.hidden({**self.config(), name: self.SMALL})[0], 64, name)

    def test_of_two_sections_the_one_that_is_called_a_language_model(self):
        for name in ("llm_config", "language_config", "language_model", "llm"):
            hidden, notes = self.hidden({"text_config": self.SMALL, name: self.config()})
            self.assertEqual(hidden, 64, name)
            self.assertIn(f"text_config has dimensions of a model too: {name} counts", notes)

    def test_of_two_sections_that_differ_none(self):
        path = self.write("config.json", {"llm_config": self.config(), "language_config": self.SMALL})
        told = "dimensions of a model are in 'llm_config and language_config': expected one, or text_config"
        self.assert_refused(["hf", path], told)
        path = self.write("config.json", {**self.config(), "text_config": self.SMALL})
        self.assert_refused(["hf", path], "are outside and in text_config, and differ", "in a copy of the file")
        self.assertEqual(self.hidden({**self.config(), "text_config": self.config()})[0], 64)


class Switches(Usual):
    """A flag that is off switches off what its name speaks of."""

    def test_what_is_switched_off(self):
        latent = {"kv_lora_rank": 16, "q_lora_rank": 16, "qk_nope_head_dim": 32, "qk_rope_head_dim": 16}
        for flags, given, keys in (
            ("use_shared_expert use_shared_experts has_shared_expert enable_shared_experts shared_expert_enabled",
             {"n_shared_experts": 1}, {"shared_ffn": 0}),
            ("use_shared_expert", {"model_type": "llama4_text"}, {"shared_ffn": 0}),
            ("has_moe use_experts has_experts with_moe moe_enabled use_moe_layers enable_moe_layer "
             "use_mixture_of_experts", {}, {"experts": 1, "dense_layers": 8, "ffn": 640}),
            ("use_group_routing use_grouped_topk use_grouped_routing group_routing_enabled use_group_limited_routing "
             "use_group_limited_topk enable_expert_groups", {"n_group": 4, "topk_group": 2},
             {"expert_groups": 1, "top_groups": 1}),
            ("use_latent_moe use_moe_latent", {"moe_latent_size": 48}, {"expert_hidden": 0}),
            ("use_mla enable_mla use_latent_attention use_multi_head_latent_attention multi_latent_attention", latent,
             {"kv_rank": 0, "query_rank": 0, "rope_width": 0, "kv_heads": 2, "head_width": 32}),
            ("use_gqa group_query_attention multi_query_attention", {}, {"kv_heads": 4}),
        ):
            for flag in flags.split():
                offs = (False, "false", 0) if re.match("use_|has_|with_|enable_|.*_enabled", flag) else (False, "false")
                for off in offs:
                    model = self.model(**given, **{flag: off})
                    self.assertEqual({key: model[key] for key in keys}, keys, flag)
                self.assertNotEqual({key: self.model(**given)[key] for key in keys}, keys)
                self.assertEqual(self.model(**given, **{flag: True}), self.model(**given), flag)
                self.assertEqual(self.notes(**given, **{flag: True}), self.notes(**given), flag)

    def test_predictions_that_are_switched_off(self):
        for flag in ("use_mtp", "enable_mtp", "mtp_enabled", "use_multi_token_prediction"):
            self.assertEqual(self.notes(num_nextn_predict_layers=1, **{flag: False}), self.notes(), flag)
            self.assertIn("model.mtp_layers adds it", self.notes(num_nextn_predict_layers=1, **{flag: True}))

    def test_what_is_on_and_has_no_size(self):
        self.refused("(config.json: use_mla true) is missing: expected kv_lora_rank or", use_mla=True)
        self.refused("use_shared_expert", "the width of shared experts", use_shared_expert=True)
        self.assertIn("use_group_routing", self.notes(use_group_routing=True))
        self.assertIn("use_latent_moe", self.notes(use_latent_moe=True))

    def test_flags_that_say_both_are_told(self):
        self.assertIn("has_moe false: config.json: use_moe counts, true", self.notes(use_moe=True, has_moe=False))

    def test_a_flag_that_is_off_and_not_known_is_told_where_it_speaks_of_what_a_model_has(self):
        self.assertIn("use_routed_mlp false: not known, its name speaks of", self.notes(use_routed_mlp=False))
        given = {"use_double_wide_mlp": False, "use_grouped_topk": True, "n_group": 1, "topk_group": 1}
        self.assertEqual(self.notes(**given), self.notes())


class Two(Usual):
    """Two keys for one law are told where they differ."""

    def test_two_keys_for_the_first_dense_layers(self):
        notes = self.notes(first_k_dense_replace=0, num_dense_layers=3)
        self.assertIn("num_dense_layers 3: config.json: first_k_dense_replace counts, 0", notes)
        self.assertEqual(self.notes(first_k_dense_replace=3, num_dense_layers=3), self.notes(first_k_dense_replace=3))

    def test_a_list_and_another_law(self):
        flags = [0] + [1] * 7
        for given, told in (
            ({"moe_layer_freq": [1] * 8, "first_k_dense_replace": 3}, "first_k_dense_replace 3"),
            ({"moe_layer_freq": flags, "first_k_dense_replace": 0}, "first_k_dense_replace 0"),
            ({"moe_layer_freq": flags, "mlp_only_layers": [3]}, "mlp_only_layers"),
            ({"moe_layer_freq": flags, "decoder_sparse_step": 2}, "decoder_sparse_step 2"),
            ({"moe_layer_freq": flags, "is_moe_layer": [True] * 8}, "moe_layer_freq"),
            ({"moe_layer_freq": flags, "moe_layers": [3, 4]}, "moe_layers"),
            ({"moe_layers": [1, 2, 3, 4, 5, 6, 7], "moe_layer_end_index": 3}, "moe_layer_end_index 3"),
        ):
            self.assertRegex(self.notes(**given), rf"{told}: config.json: \w+ counts, which has other dense layers")
        for given in (
            {"moe_layer_freq": flags, "first_k_dense_replace": 1, "moe_layer_end_index": -1, "mlp_only_layers": []},
            {"moe_layer_freq": flags, "is_moe_layer": [False] + [True] * 7, "decoder_sparse_step": 1},
            {"moe_layers": [1, 3, 5, 7], "interleave_moe_layer_step": 2},
        ):
            self.assertNotIn("counts", self.notes(**given), given)

    def test_two_steps_and_two_lists_of_numbers(self):
        self.assertIn("decoder_sparse_step 2: ", self.notes(moe_layer_freq=4, decoder_sparse_step=2))
        self.assertIn("dense_layer_ids: ", self.notes(mlp_only_layers=[0], dense_layer_ids=[0, 1]))


class Taken(Usual):
    """Names that once counted as without effect."""

    def test_groups_of_heads(self):
        self.assertEqual(self.model(num_key_value_heads=None, num_key_value_groups=2)["kv_heads"], 2)
        self.assertEqual(self.notes(num_key_value_groups=2), self.notes())
        self.assertIn("num_key_value_groups 4: config.json: num_key_value_heads counts, 2",
                      self.notes(num_key_value_groups=4))
        self.refused("num_key_value_groups: expected a divisor", num_key_value_heads=None, num_key_value_groups=3)

    def test_capacity(self):
        for name in ("capacity_factor", "moe_capacity_factor", "expert_capacity_factor", "moe_train_capacity_factor"):
            workload = workload_of(self.text(**{name: 1.25}))
            self.assertEqual(workload["experts"], {"type": "plain-ep", "capacity_factor": 1.25}, name)
        self.assert_valid(self.text(capacity_factor=1.25))
        for off in ("drop_tokens", "moe_drop_tokens", "moe_token_dropping"):
            self.assertNotIn("experts", workload_of(self.text(capacity_factor=1.25, **{off: False})))
        self.assertIn("moe_capacity_factor 1: ", self.notes(capacity_factor=1.25, moe_capacity_factor=1))
        self.assertIn("tokens are dropped there", self.notes(drop_tokens=True))
        self.assertIn("moe_capacity", self.notes(moe_capacity=[64, 64]))
        path = self.write("config.json", self.config(capacity_factor=1.25))
        words = ["hf", path, "--gpus", 16, "--expert-model-parallel-size", 8]
        self.assertEqual(self.workload(*words)["experts"]["capacity_factor"], 1.25)
        words += ["--moe-expert-capacity-factor", 2]
        self.assertEqual(self.workload(*words)["experts"]["capacity_factor"], 2)

    def test_predictions(self):
        for name in ("mtp_depth", "num_mtp_heads", "num_mtp_modules"):
            self.assertIn(f"{name} 2: multi-token prediction is left out", self.notes(**{name: 2}))
        told = "mtp_new 3: layers of multi-token prediction are those of model.mtp_layers alone"
        self.assertIn(told, self.notes(mtp_new=3))
        self.assertEqual(self.notes(mtp_loss_weight=0.1, mtp_new=0), self.notes())

    def test_widths_of_rotated_parts(self):
        latent = {"kv_lora_rank": 16, "qk_nope_head_dim": 32}
        for name in ("rope_dim", "qk_rope_dim", "rope_head_dim"):
            self.assertEqual(self.model(**latent, **{name: 8})["rope_width"], 8, name)
            self.assertEqual(self.notes(**{name: 8}), self.notes(), name)  # of heads without latent keys
        self.refused("rope_part_size 8: not known", "the width of the rotated", **latent, rope_part_size=8)

    def test_multipliers_of_widths(self):
        for name in ("width_multiplier", "ffn_dim_multiplier", "hidden_factor", "expert_width_factor", "depth_factor",
                     "layer_multiplier"):
            self.assertIn(f"{name} 2: not known", self.notes(**{name: 2}), name)
        for name in ("embedding_multiplier", "routed_scaling_factor", "logits_scaling", "scale_depth", "rope_scaling",
                     "moe_router_scaling_factor", "partial_rotary_factor", "router_aux_loss_factor_x"):
            self.assertNotIn(name, self.notes(**{name: 2}))

    def test_a_wide_pattern_hides_no_size(self):
        for name in ("norm_num_groups", "num_parallel_experts", "output_dim", "_num_experts", "init_num_layers",
                     "parallel_dense", "parallel_head_x", "expert_alpha", "shared_alpha", "moe_factor", "group_factor"):
            self.assertIn(f"{name} 2", self.notes(**{name: 2}), name)
        for name in ("layer_norm_eps", "norm_topk_prob", "hidden_dropout_prob", "attention_dropout", "rotary_dim",
                     "output_hidden_states", "_attn_implementation", "tensor_parallel_size", "max_position_embeddings",
                     "parallel_attn", "use_parallel_residual", "aux_loss_alpha", "rope_alpha"):
            self.assertEqual(self.notes(**{name: 2}), self.notes(), name)


def from_row(row):
    """The configuration that a row of published_models.csv has in words."""
    config = {}
    for pair in row["config"].split():
        *sections, key = pair.partition("=")[0].split(".")
        part = config
        for section in sections:
            part = part.setdefault(section, {})
        value = pair.partition("=")[2]
        part[key] = json.loads(value) if re.fullmatch(r"\d+|true|false", value) else value
    return config


class Parameters(Usual):
    def test_published_models_have_their_published_parameters(self):
        """
        Within 3 %, and half a unit of the last digit that is published; those that a token meets are published with the
        embedding or without.
        """
        rows = csv.DictReader((Path(__file__).parent / "published_models.csv").read_text("utf-8").split("\n"))
        for row in rows:
            path = self.write(f"{row['model']}/config.json", from_row(row))
            model = hugging_face.read_model(path)
            ours = parameters.count(model)
            embedding = model.number("vocabulary") * model.number("hidden")
            for name, numbers in (("total", [ours.total]), ("active", [ours.active, ours.active + embedding])):
                published = row[f"{name}_billion"]
                if published:
                    last = 10.0 ** -len(published.partition(".")[2]) / 2
                    apart = min(abs(number / 1e9 - float(published)) for number in numbers)
                    self.assertLessEqual(apart, last + 0.03 * float(published), f"{row['model']} {name} {numbers}")
            self.assertNotRegex(" ".join(model.unmapped), "apart|not known", row["model"])

    def test_a_name_that_promises_others_is_told_with_both(self):
        config = PUBLISHED["qwen3-235b"]
        for name, parts in (
            ("Qwen3-235B-A22B", []),
            ("Qwen3-397B-A22B", ["397 billion parameters, the model here has 235.1 billion, which is more than 10%"]),
            ("Qwen3-235B-A3B", ["3 billion parameters that a token meets, the model here has 21.57 billion"]),
            ("Qwen-8x30B", []),
            ("Qwen-8x7B", ["56 billion parameters, the model here has 235.1 billion"]),
            ("Qwen-22B-128E", []),
            ("Qwen-8x30B-235B-A22B", []),
            ("Qwen-8x7B-235B-A22B", []),
            ("Qwen-8x30B-141B", ["141 billion parameters, the model here has 235.1 billion"]),
            ("OLMoE-1B-7B", ["7 billion parameters, the model", "1 billion parameters that a token meets"]),
            ("v2.5-b12", []),
        ):
            path = self.write("config.json", {**config, "_name_or_path": f"somebody/{name}"})
            notes = [line for line in notes_of(self.made("hf", path)) if "apart" in line]
            self.assertEqual(len(notes), len(parts), notes)
            for part, line in zip(parts, notes):
                self.assertIn(part, line)

    def test_a_width_under_an_unknown_name_shows_in_the_name_of_the_model(self):
        config = {**PUBLISHED["qwen3-235b"], "intermediate_size": 12288, "_name_or_path": "Qwen3-235B-A22B"}
        config["width_of_each"] = config.pop("moe_intermediate_size")
        self.assertIn("billion parameters, the model here has", self.made("hf", self.write("config.json", config)))

    def test_the_index_of_the_files(self):
        total = 46_702_792_704  # of bfloat16 two bytes each
        for metadata, dtype, is_told in (
            ({"total_size": 2 * total}, "bfloat16", False),
            ({"total_size": 4 * total}, "bfloat16", True),
            ({"total_size": 4 * total}, "float32", False),
            ({"total_parameters": total, "total_size": 3}, "bfloat16", False),
            ({"total_parameters": total // 2}, "bfloat16", True),
            ({}, "bfloat16", False),
        ):
            path = self.write("config.json", {**PUBLISHED["mixtral-8x7b"], "torch_dtype": dtype})
            self.write("model.safetensors.index.json", {"metadata": metadata, "weight_map": {}})
            notes = " ".join(notes_of(self.made("hf", path)))
            self.assertEqual("model.safetensors.index.json:" in notes and "apart" in notes, is_told, metadata)
        self.write("model.safetensors.index.json", "version https://git-lfs.github.com/spec/v1")
        self.assertIn("parameters are not compared with it", self.made("hf", path))

    def test_what_the_user_says(self):
        path = self.write("config.json", PUBLISHED["mixtral-8x7b"])
        self.assertNotIn("apart", self.made("hf", path, "--parameters", "46.7B-A12.9B"))
        other = self.made("hf", path, "--parameters", "141B")
        self.assertIn("--parameters 141B: 141 billion parameters, the model", other)
        made = re.sub(r"\n# ", " ", self.made("hf", path))
        self.assertIn("The model has 46.7 billion parameters, and a token meets 12.75 billion of them.", made)
        self.assert_refused(["hf", path, "--parameters", "many"], "expected numbers such as 235B-A22B", "'many'")
        for digits in ("9" * 5000, "9" * 5000 + "B", f"1x{'9' * 5000}B", f"2B-A{'9' * 301}B"):
            self.assert_refused(["hf", path, "--parameters", digits], "of at most 300 digits, found '", "...'")
        self.assert_refused(["hf", path, "--name", "9" * 5000], "--name: error: expected letters", "...'")


class Beyond(ImportTest):
    def notes(self, family, **others):
        config = {**FAMILIES[family].write(draw(family, 0)), **others}
        return " | ".join(notes_of(self.made("hf", self.write("config.json", config))))

    def test_what_a_descriptor_cannot_say_is_listed_with_what_follows(self):
        for family, key, value, part in (
            ("gpt_oss", "sliding_window", 128, "sliding_window 128: attention counts as if it saw the whole sequence"),
            ("deepseek_v3", "num_nextn_predict_layers", 1, "multi-token prediction is left out"),
            ("granitemoe", "tie_word_embeddings", True, "one matrix, and two here"),
            ("deepseek_v3", "quantization_config", {"fmt": "e4m3"}, "those of BF16"),
            ("deepseek_v3", "index_topk", 2048, "sparse attention counts as full"),
            ("deepseek_v3", "v_head_dim", 48, "values are as wide as keys"),
            ("qwen3_moe", "full_attention_interval", 4, "linear attention count as full"),
            ("mixtral", "a_new_key", 3, "nothing is taken of a_new_key"),
            ("mixtral", "model_type", "mixtral9", "'mixtral9' is not known here"),
        ):
            self.assertIn(part, self.notes(family, **{key: value}))

    def test_notes_are_on_standard_error_too(self):
        path = self.write("config.json", FAMILIES["gpt_oss"].write(draw("gpt_oss", 0)))
        self.assertIn("note: not in the descriptor: config.json: sliding_window 128", self.call("hf", path)[2])

    def test_what_is_switched_off_is_no_note(self):
        self.assertEqual(self.notes("qwen2_moe", num_nextn_predict_layers=0, tie_word_embeddings=False), "")


class Refused(ImportTest):
    def refused(self, change, *parts, family="deepseek_v3"):
        config = FAMILIES[family].write(draw(family, 0))
        for key, value in change.items():
            if value is None:
                del config[key]
            else:
                config[key] = value
        self.assert_refused(["hf", self.write("config.json", config)], *parts)

    def test_a_key_of_the_wrong_kind_is_told_with_its_line(self):
        self.refused(
            {"num_hidden_layers": "many"}, "config.json:4: error: num_hidden_layers: expected a whole number", "'many'"
        )
        self.refused({"n_routed_experts": -4}, "config.json:13: error: n_routed_experts")
        self.refused({"q_lora_rank": 1.5}, "q_lora_rank: expected a whole number from 0")
        self.refused({"vocab_size": 1e12}, "vocab_size: expected a whole number")
        self.refused({"num_attention_heads": True}, "num_attention_heads: expected a whole number")

    def test_what_is_missing_is_told_by_its_names(self):
        self.refused(
            {"hidden_size": None},
            "config.json: error: the width of the model is missing: expected hidden_size or d_model",
        )
        self.refused({"num_experts_per_tok": None}, "how many experts a token goes to is missing")
        self.refused({"qk_nope_head_dim": None}, "the width of a head is missing: expected qk_nope_head_dim")

    def test_a_model_that_cannot_be(self):
        self.refused({"num_experts_per_tok": 10_000}, "num_experts_per_tok: 10000, but there are")
        self.refused({"n_group": 3, "topk_group": 1}, "n_group: 3 does not divide config.json: n_routed_experts")
        self.refused({"n_shared_experts": 10**8}, "n_shared_experts x moe_intermediate_size: ", "is the most")
        self.refused({"num_layers": 6000}, "num_layers x 2, halves with an attention", family="longcat_flash")
        self.refused({"num_key_value_heads": 7}, "num_key_value_heads: 7 does not divide", family="mixtral")
        self.refused({"mlp_only_layers": [99]}, "expected numbers of layers below", family="qwen3_moe")
        self.refused({"mlp_layer_types": ["dense"]}, "expected a list with a word for each", family="glm4_moe")

    def test_other_architectures(self):
        self.refused({"mamba_d_state": 128}, "mamba_d_state: its layers are not all of attention")
        self.refused({"is_encoder_decoder": True}, "expected a decoder alone")
        self.refused({"model_type": "jetmoe"}, "model_type jetmoe: heads of its attention are experts too")
        self.refused({"model_type": "doge", "is_moe": True}, "model_type doge: its experts are single neurons")

    def test_files_that_are_none(self):
        self.assert_refused(["hf", self.folder / "absent.json"], "absent.json: error: No such file or directory")
        self.assert_refused(
            ["hf", self.write("config.json", '{"a": 1,}')],
            "config.json:1:",
            "expected config.json as Hugging Face has it",
        )
        self.assert_refused(["hf", self.write("config.json", "[1]")], "an object in braces")
        self.assert_refused(["hf", self.write("config.json", "[" * 100_000)], "error: ")
        (self.folder / "config.json").write_bytes(b"\xff\xfe{}")
        self.assert_refused(["hf", self.folder / "config.json"], "it is no text: byte 0 is not UTF-8")
        self.assert_refused(["hf"], "./rails import hf: error: it needs config.json")

    def test_files_that_json_does_not_make_clear(self):
        for text, place in (
            ('{"hidden_size": ' + "9" * 5000 + "}", "config.json:1:17: error: a number of 5000 digits"),
            ('{\n"a": {"b": 1},\n"hidden_size": 1, "hidden_size": 2}', "config.json:3:19: error: 'hidden_size' stands"),
            ('{"a": ' * 100_000, "config.json: error: it is nested too deeply"),
            ('{"hidden_size": NaN}', "config.json: error: the number of layers is missing"),
            ('{"num_hidden_layers": NaN, "hidden_size": 1}', "config.json:1: error: num_hidden_layers: expected a"),
            ('{"num_hidden_layers": [Infinity], "hidden_size": 1}', "num_hidden_layers: expected a whole number"),
            ('{"a": "\x01"}', "config.json:1:8: error: Invalid control character"),
            ("", "config.json:1:1: error: Expecting value"),
            ("\ufeff{}", "config.json:1:1: error: "),
        ):
            self.assert_refused(["hf", self.write("config.json", text)], place)
        usual = {**USUAL, "router_aux_loss_coef": float("nan")}
        self.assert_refused(["hf", self.write("config.json", usual)], "router_aux_loss_coef: expected a number")

    def test_a_key_of_anything_ends_in_a_descriptor(self):
        path = self.write("config.json", json.dumps({**USUAL, "moe_\ud800\n\x07": 3, "_name_or_path": "\ud800"}))
        status, _, said = self.call("hf", path, "--out", self.folder / "made.yaml")
        self.assertEqual((status, said.count("\n")), (0, 2))
        self.assert_valid((self.folder / "made.yaml").read_text("utf-8"))

    def test_anything_in_place_of_any_value_ends_in_one_line_or_in_a_descriptor(self):
        values = (None, "x", [], {}, -1, 0, 3, 1.5, True, [1, "x"], {"a": 1}, 10**30, 10**299, 1e400, "\ud800\n", [[1]])
        for family in FAMILIES:
            config = FAMILIES[family].write(draw(family, 0))
            for key in config:
                for value in random.Random(f"{family} {key}").sample(values, 4):
                    path = self.write("config.json", json.dumps({**config, key: value}))
                    status, _, said = self.call("hf", path)
                    self.assertIn(status, (0, 2), f"{family} {key} {value}: {said}")
                    self.assertNotIn("defect", said, f"{family} {key} {value}")


if __name__ == "__main__":
    unittest.main()
