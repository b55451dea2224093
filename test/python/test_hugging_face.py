# SPDX-License-Identifier: GPL-2.0-only
"""Models from config.json: the families, layers that are dense, what a descriptor cannot say, and what is refused."""

import csv
import json
import re
import unittest

from called import ImportTest, notes_of, origins_of
from families import FAMILIES, PUBLISHED, draw
from paths import ROOT
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
            for seed in range(20):
                model = draw(name, seed)
                path = self.write("config.json", family.write(model))
                text = self.made("hf", path)
                got = self.workload("hf", path)["model"]
                self.assertEqual({key: got[key] for key in KEYS}, model, f"{name} {seed}")
                if seed < 2:
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


class DenseLayers(ImportTest):
    """Which layers have no experts is said in six ways."""

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
        self.refused({"num_key_value_heads": 7}, "num_key_value_heads: 7 does not divide", family="mixtral")
        self.refused({"mlp_only_layers": [99]}, "expected numbers of layers below", family="qwen3_moe")
        self.refused({"mlp_layer_types": ["dense"]}, "expected a list with a word for each", family="glm4_moe")

    def test_other_architectures(self):
        self.refused({"mamba_d_state": 128}, "mamba_d_state: its layers are not all of attention")
        self.refused({"is_encoder_decoder": True}, "expected a decoder alone")

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

    def test_anything_in_place_of_any_value_ends_in_one_line_or_in_a_descriptor(self):
        for family in FAMILIES:
            config = FAMILIES[family].write(draw(family, 0))
            for key in config:
                for value in (None, "x", [], {}, -1, 0, 3, 1.5, True, [1, "x"], {"a": 1}, 10**30):
                    path = self.write("config.json", json.dumps({**config, key: value}))
                    status, _, said = self.call("hf", path)
                    self.assertIn(status, (0, 2), f"{family} {key} {value}: {said}")
                    self.assertNotIn("defect", said, f"{family} {key} {value}")


if __name__ == "__main__":
    unittest.main()
