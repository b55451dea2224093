# SPDX-License-Identifier: GPL-2.0-only
"""Trainings of Megatron: the same one in every form, how it is divided, what a step does, and what is refused."""

import random
import unittest

import forms
from called import ImportTest, notes_of, origins_of
from families import FAMILIES, arguments_of, draw
from rails.imports.model import KEYS

MODEL = {**draw("deepseek_v3", 2), "layers": 8, "dense_layers": 1, "ffn": 640, "vocabulary": 12800}


class Models(ImportTest):
    def test_arguments_say_the_model_of_every_family(self):
        for name in FAMILIES:
            for seed in range(5):
                model = draw(name, seed)
                words = ["megatron", *arguments_of(model), "--bf16", "--gpus", 8]
                got = self.workload(*words)["model"]
                self.assertEqual({key: got[key] for key in KEYS}, model, f"{name} {seed}")
                if seed == 0:
                    self.assert_valid(self.made(*words))

    def test_arguments_count_more_than_config_json(self):
        path = self.write("config.json", FAMILIES["qwen3_moe"].write(draw("qwen3_moe", 1)))
        model = self.workload("megatron", "--hf", path, "--num-layers", "5", "--moe-router-topk", 3)["model"]
        self.assertEqual({**draw("qwen3_moe", 1), "layers": 5, "top_k": 3}, {key: model[key] for key in KEYS})

    def test_a_kind_of_loss_leaves_the_coefficient_of_config_json(self):
        """And biases, which a kind of loss does not switch off; without any coefficient there is no loss."""
        for family, change, words, balancing in (
            ("qwen3_moe", {}, ["aux_loss"], "aux-loss"),
            ("qwen3_moe", {}, ["seq_aux_loss"], "aux-loss"),
            ("qwen3_moe", {}, ["none"], "no-aux"),
            ("qwen3_moe", {}, ["aux_loss", "--moe-aux-loss-coeff", "0"], "no-aux"),
            ("qwen3_moe", {"router_aux_loss_coef": None}, ["aux_loss"], "no-aux"),
            ("phimoe", {}, ["aux_loss"], "no-aux"),  # its coefficient is 0
            ("phimoe", {}, ["aux_loss", "--moe-aux-loss-coeff", "0.01"], "aux-loss"),
            ("deepseek_v3", {}, ["aux_loss"], "loss-free"),
            ("deepseek_v3", {}, ["none"], "loss-free"),
        ):
            path = self.write("config.json", {**FAMILIES[family].write(draw(family, 1)), **change})
            made = self.workload("megatron", "--hf", path, "--moe-router-load-balancing-type", *words)
            self.assertEqual(made["model"]["balancing"], balancing, f"{family} {words}")

    def test_numbers_that_are_too_long(self):
        words = arguments_of(draw("mixtral", 1))
        long = "9" * 5000
        frequency = "--moe-layer-freq"
        for name, value in ((frequency, f"[0]*{long}"), (frequency, f"[{long}]"), ("--num-layers", long)):
            self.assert_refused(["megatron", *words, name, value], f"{name}: error: ", "expected")

    def test_defaults_are_those_of_megatron(self):
        words = [
            "megatron", "--num-layers", 4, "--hidden-size", 1536, "--num-attention-heads", 12, "--vocab-size", 50257
        ]
        text = self.made(*words, "--num-experts", 8, "--tensor-model-parallel-size", 2)
        workload = self.workload(*words, "--num-experts", 8, "--tensor-model-parallel-size", 2)
        model, parallel = workload["model"], workload["parallel"]
        self.assertEqual((model["expert_ffn"], model["gated"], model["top_k"]), (4 * 1536, False, 2))
        self.assertEqual((model["head_width"], model["kv_heads"]), (128, 12))
        self.assertEqual((parallel["etp"], parallel["ep"]), (2, 1))
        self.assertEqual(model["vocabulary"], 50432)  # a multiple of 128 x tp
        self.assertEqual(model["balancing"], "no-aux")
        self.assertIn("all tokens to all GPUs", " ".join(notes_of(text)))
        gated = self.workload(*words, "--num-experts", 8, "--swiglu")["model"]
        self.assertEqual(gated["expert_ffn"], 4096)  # two thirds of four times, down to a multiple of 64

    def test_groups_of_queries_need_their_switch(self):
        model = draw("mixtral", 3) | {"heads": 8, "kv_heads": 2}
        words = [word for word in arguments_of(model) if word != "--group-query-attention"]
        self.assertEqual(self.workload("megatron", *words)["model"]["kv_heads"], 8)
        self.assertIn("with --group-query-attention alone", " ".join(notes_of(self.made("megatron", *words))))

    def test_one_group_of_queries_where_their_number_is_not_given(self):
        words = [*arguments_of(draw("mixtral", 3) | {"heads": 8, "kv_heads": 2})]
        at = words.index("--num-query-groups")
        text = self.made("megatron", *words[:at], *words[at + 2 :])
        self.assertIn("kv_heads: 1 ", text)
        self.assertIn("--group-query-attention, Megatron's default of --num-query-groups", text)

    def test_a_dense_model(self):
        words = [
            "--num-layers",
            4,
            "--hidden-size",
            1024,
            "--num-attention-heads",
            8,
            "--vocab-size",
            12800,
            "--swiglu",
            "--bf16",
        ]
        workload = self.workload("megatron", *words, "--ffn-hidden-size", 4096)
        self.assertEqual((workload["model"]["dense_layers"], workload["model"]["ffn"]), (4, 4096))
        single = ["--num-experts", 1, "--moe-expert-parallel-size", 1]
        self.assertEqual(self.workload("megatron", *words, "--ffn-hidden-size", 4096, *single), workload)
        self.assertNotIn("ep", workload["parallel"])
        self.assert_valid(self.made("megatron", *words))

    def test_patterns_of_layers(self):
        words = ["megatron", *arguments_of(MODEL), "--moe-layer-freq"]
        for pattern, dense in (
            ("2", 4), ("1", 0), ("([0]*3+[1]*5)", 3), ("[0]+[1]*7", 1), ("([0,0]+[1]*2)*2", 4), ("'([1]*8)'", 0)
        ):
            self.assertEqual(self.workload(*words, pattern)["model"]["dense_layers"], dense, pattern)
        for pattern in (
            "([0]*3+[1]*4)",
            "x",
            "[0",
            "(",
            "[1]*9999999999",
            "__import__('os')",
            "[1]**8",
            "[1]*8+",
            "(" * 900,
            "[1]*8" * 500,
        ):
            self.assert_refused([*words, pattern], "--moe-layer-freq: error: expected a")

    def test_layers_and_experts_as_mindspeed_says_them(self):
        words = ["megatron", *arguments_of(MODEL), "--moe-layer-freq"]
        for more, dense in (
            (["-1"], 0),
            (["1", "--first-k-dense-replace", 3], 3),
            (["-1", "--first-k-dense-replace", "-1"], 0),
            (["2", "--first-k-dense-replace", 3], 6),
            (["1", "--first-k-dense-replace", 2, "--noop-layers", "1,7"], 1),
        ):
            self.assertEqual(self.workload(*words, *more)["model"]["dense_layers"], dense, more)
        origins = origins_of(self.made(*words, 1, "--first-k-dense-replace", 3))
        self.assertEqual(origins["dense_layers"], "--first-k-dense-replace")
        self.assert_refused([*words, 1, "--first-k-dense-replace", 9], "--first-k-dense-replace: error: expected a")
        words = arguments_of(MODEL)
        at = words.index("--moe-shared-expert-intermediate-size")
        del words[at : at + 2]
        model = self.workload("megatron", *words, "--n-shared-experts", 3, "--moe-ffn-hidden-size", 128)["model"]
        self.assertEqual(model["shared_ffn"], 384)

    def test_vocabularies(self):
        words = [word for word in arguments_of(MODEL) if word not in ("--vocab-size", "12800")]
        self.assert_refused(
            ["megatron", *words], "how many different tokens there are is not said: give --vocab-size, or --hf CONFIG"
        )
        named = self.workload(
            "megatron", *words, "--tokenizer-model", "Qwen/Qwen3-30B-A3B", "--make-vocab-size-divisible-by", 1187
        )
        self.assertEqual(named["model"]["vocabulary"], 151936)
        loaded = self.workload("megatron", *words, "--load", "/data/Llama-2-7b-hf-to-mcore")
        self.assertEqual(loaded["model"]["vocabulary"], 32000)
        self.assertEqual(self.workload("megatron", *words, "--padded-vocab-size", 999)["model"]["vocabulary"], 999)


class Forms(ImportTest):
    """One training, whatever says it."""

    def setUp(self):
        super().setUp()
        self.words = forms.command_line(MODEL)
        self.expected = self.workload("megatron", *self.words, "--gpus", 32)

    def test_what_the_command_line_says(self):
        self.assertEqual({key: self.expected["model"][key] for key in KEYS}, MODEL)
        self.assertEqual(
            self.expected["parallel"], {"tp": 2, "cp": 1, "pp": 2, "ep": 4, "etp": 1, "vpp": 2}
        )
        self.assertEqual(self.expected["batch"], {"micro": 1, "global": 64, "sequence": 2048})
        self.assertEqual(
            [self.expected[key] for key in ("schedule", "exchange", "recompute", "load")],
            ["interleaved", "pairs", "full", {"type": "synthetic", "preset": "uniform"}],
        )
        self.assert_valid(self.made("megatron", *self.words, "--gpus", 32))

    def same(self, *words):
        got = self.workload("megatron", *words)
        for workload in (got, self.expected):
            workload["model"] = {key: workload["model"][key] for key in KEYS}
        self.assertEqual(got, self.expected)
        return self.made("megatron", *words)

    def test_a_launcher_and_its_script_before_it(self):
        text = self.same("torchrun", "--nproc_per_node", 8, "--nnodes=4", "pretrain_gpt.py", *self.words)
        self.assertIn("domains: 4 ", text)
        self.assertIn("# 32 GPUs (--nnodes 4 x 8 GPUs)", text)

    def test_yaml_of_megatron_lm(self):
        path = self.write("training.yaml", forms.megatron_yaml(self.words))
        origins = origins_of(self.same(path, "--gpus", 32))
        self.assertEqual(origins["tp"], "training.yaml: model_parallel.tensor_model_parallel_size")

    def test_benchmarks_of_model_zoo(self):
        conf = self.write("runtime_configs/benchmarking/runtime.conf", forms.runtime_conf(MODEL))
        path = self.write("model_configs/benchmarking/a-model.yaml", forms.zoo_yaml(self.words))
        text = self.same(conf, path, "DISPATCHER=alltoall")
        self.assertEqual(
            origins_of(text)["tp"], "a-model.yaml: --tensor-model-parallel-size (runtime.conf: a-model TP)"
        )
        self.assertEqual(
            self.same(conf, "MODEL=a-model", "DISPATCHER=alltoall"), self.same(conf, path, "DISPATCHER=alltoall")
        )
        more = self.workload("megatron", conf, path, "EP=2", "GBS=128", "A2A_OVERLAP=1")
        self.assertEqual((more["parallel"]["ep"], more["batch"]["global"]), (2, 128))
        self.assertEqual(more["exchange"]["type"], "deduplicated")  # of the script that begins these

    def test_a_shell_script(self):
        path = self.write("run.sh", forms.script(self.words))
        text = self.same(path)
        self.assertIn("# 32 GPUs (run.sh: --nnodes 4 x 8 GPUs)", text)
        self.assertIn("domains: 8 ", self.made("megatron", path, "NUM_NODES=8"))
        self.assertEqual(self.workload("megatron", path, "SEQ=1024")["batch"]["sequence"], 1024)

    def test_a_recipe(self):
        path = self.write("a_model.py", forms.recipe(self.words))
        name = "a_model_pretrain_32gpu_h100_bf16_config"
        text = self.same(path, "--recipe", name)
        self.assertEqual(origins_of(text)["ep"], "a_model.py: model.expert_model_parallel_size")
        self.assertIn(f"# 32 GPUs (a_model.py: {name})", text)
        larger = self.workload(
            "megatron", path, "--recipe", "a_model_pretrain_64gpu_h100_bf16_config", "model.seq_length=1024"
        )
        self.assertEqual((larger["batch"]["global"], larger["batch"]["sequence"]), (128, 1024))

    def test_the_configuration_that_megatron_bridge_writes(self):
        path = self.write("ConfigContainer.yaml", forms.bridge_yaml(self.words))
        self.same(path, "--gpus", 32)

    def test_later_arguments_count_more_than_files(self):
        path = self.write("training.yaml", forms.megatron_yaml(self.words))
        got = self.workload("megatron", path, "--gpus", 32, "--expert-model-parallel-size", 2, "--seq-length=4096")
        self.assertEqual((got["parallel"]["ep"], got["batch"]["sequence"]), (2, 4096))


class Divided(ImportTest):
    def parallel(self, *words, **model):
        given = ["megatron", *arguments_of({**MODEL, **model}), "--bf16", *words]
        self.assert_valid(self.made(*given))
        return self.workload(*given)["parallel"]

    def refused(self, words, *parts, **model):
        self.assert_refused(["megatron", *arguments_of({**MODEL, **model}), *words], *parts)

    def test_uneven_stages(self):
        words = ["--pipeline-model-parallel-size", 4]
        got = self.parallel(*words, "--decoder-first-pipeline-num-layers", 3, "--decoder-last-pipeline-num-layers", 1)
        self.assertEqual(got["layout"], [3, 2, 2, 1])
        got = self.parallel(*words, "--decoder-last-pipeline-num-layers", 2)
        self.assertNotIn("layout", got)
        words = [
            "--pipeline-model-parallel-size", 2, "--num-virtual-stages-per-pipeline-rank", 2, "--global-batch-size", 2
        ]
        got = self.parallel(*words, "--decoder-first-pipeline-num-layers", 4, layers=10)
        self.assertEqual(got["layout"], [2, 3, 2, 3])  # the first chunks of all stages, then the second

    def test_layers_that_do_nothing_and_lists_of_them_as_mindspeed_says_them(self):
        words = ["--pipeline-model-parallel-size", 4]
        self.assertEqual(self.parallel(*words, "--noop-layers", "7,6,3")["layout"], [2, 1, 2, 0])
        model = self.workload("megatron", *arguments_of(MODEL), *words, "--noop-layers", "7,6")["model"]
        self.assertEqual(model["layers"], 6)
        self.assertEqual(self.parallel("--noop-layers", "7").get("layout", [7]), [7])
        got = self.parallel(
            *words[:1], 2, "--num-virtual-stages-per-pipeline-rank", 2, "--global-batch-size", 2, "--noop-layers", "2"
        )
        self.assertEqual(got["layout"], [2, 1, 2, 2])
        self.refused(["--noop-layers", "8"], "--noop-layers: error: expected a whole number from 0 to 7, found '8'")
        self.assertEqual(self.parallel(*words, "--num-layer-list", "1,2,2,3")["layout"], [1, 2, 2, 3])
        for listed in ("1,2,5", "1,2,2,2", "1,2,x,2"):
            self.refused([*words, "--num-layer-list", listed], "--num-layer-list")

    def test_experts_as_deepspeed_divides_them(self):
        words = ["--tensor-model-parallel-size", 2, "--moe-expert-parallel-size", 4]
        for more, degree in ([], 1), (["--enable-expert-tensor-parallelism"], 2), (["--expert-tensor-parallel-size", 2], 2):
            got = self.parallel(*words, *more)
            self.assertEqual((got["ep"], got["etp"]), (4, degree), more)

    def test_a_name_of_mindspeed_is_not_taken_for_a_wrong_one(self):
        words = ["megatron", *arguments_of(MODEL), "--context-parallel-algo"]
        self.assertEqual(notes_of(self.made(*words, "megatron_cp_algo")), notes_of(self.made(*words[:-1])))
        more = ["ulysses_cp_algo", "--context-parallel-size", 2]
        self.assertIn("--context-parallel-algo ulysses_cp_algo: keys", " ".join(notes_of(self.made(*words, *more))))

    def test_experts_that_tensor_parallelism_divides_too(self):
        words = ["--tensor-model-parallel-size", 2, "--expert-model-parallel-size", 2, "--moe-tp-extend-ep"]
        got = self.parallel(*words)
        self.assertEqual((got["tp"], got["ep"], got["etp"]), (2, 4, 1))

    def test_embedding_and_loss_as_layers(self):
        counted = [
            "--global-batch-size",
            2,
            "--account-for-embedding-in-pipeline-split",
            "--account-for-loss-in-pipeline-split",
        ]
        got = self.parallel(
            "--pipeline-model-parallel-size", 2, *counted, "--num-virtual-stages-per-pipeline-rank", 2, layers=10
        )
        self.assertEqual(got["layout"], "even+embedding+loss")
        got = self.parallel(
            "--pipeline-model-parallel-size", 2, *counted, "--num-layers-per-virtual-pipeline-stage", 3, layers=10
        )
        self.assertEqual((got["vpp"], got["layout"]), (2, "even+embedding+loss"))
        self.assertNotIn("layout", self.parallel(*counted[2:]))

    def test_a_layout_in_letters(self):
        words = ["--pipeline-model-parallel-size", 2, "--global-batch-size", 2, "--pipeline-model-parallel-layout"]
        got = self.parallel(*words, "Ett|t*2|tt|(t)*2L")
        self.assertEqual((got["vpp"], got["layout"]), (2, "Ett|t*2|tt|(t)*2L"))

    def test_layers_ahead_are_behind_all_others(self):
        for words in ([], ["--pipeline-model-parallel-size", 8]):
            made = self.workload("megatron", *arguments_of(MODEL), "--mtp-num-layers", 2, *words)
            self.assertEqual(made["model"]["mtp_layers"], 2)
            self.assertNotIn("layout", made["parallel"])

    def test_a_single_stage_interleaves_nothing(self):
        self.assertNotIn("vpp", self.parallel("--num-virtual-stages-per-pipeline-rank", 2))

    def test_the_order_of_ranks(self):
        words = ["--use-tp-pp-dp-mapping", "--pipeline-model-parallel-size", 2, "--gpus", 16]
        got = self.parallel(
            *words,
            "--tensor-model-parallel-size",
            4,
            "--expert-model-parallel-size",
            4,
            "--expert-tensor-parallel-size",
            1,
        )
        self.assertEqual(got["order"], "tp-cp-ep-pp-dp")
        got = self.parallel(
            *words,
            "--tensor-model-parallel-size",
            2,
            "--expert-model-parallel-size",
            4,
            "--expert-tensor-parallel-size",
            1,
        )
        self.assertNotIn("order", got)

    def test_the_fewest_gpus_where_nothing_says_how_many(self):
        words = [
            "megatron", *arguments_of(MODEL), "--tensor-model-parallel-size", 2, "--expert-model-parallel-size", 16
        ]
        text = self.made(
            *words,
            "--num-experts",
            16,
            "--moe-router-topk",
            2,
            "--moe-router-num-groups",
            4,
            "--expert-tensor-parallel-size",
            1,
        )
        self.assertIn("# 16 GPUs (nothing says it: the fewest servers that the layout takes, see --gpus)", text)

    def test_refused(self):
        stages = ["--pipeline-model-parallel-size", 4]
        self.refused(["--pipeline-model-parallel-size", 3], "8 layers cannot be dealt over 3 stages")
        self.refused([*stages, "--num-layers-per-virtual-pipeline-stage", 3], "no whole chunks of 3")
        self.refused([*stages, "--decoder-first-pipeline-num-layers", 9], "cannot be dealt")
        self.refused(
            ["--pipeline-model-parallel-size", 10**8, "--decoder-first-pipeline-num-layers", 8], "cannot be dealt"
        )
        self.refused(["--num-layers", 10**8], "expected a whole number from 1 to 10000")
        self.refused(["--global-batch-size", 10**8], "passes of micro-batches through stages are more than")
        self.refused(["--seq-length", 10**7, "--micro-batch-size", 1000], "tokens to experts, more than 2^31")
        self.refused(
            [*stages, "--pipeline-model-parallel-layout", "Ett|tt|tt|ttt L"], "it has 9 layers, and the model 8"
        )
        self.refused(
            [*stages, "--pipeline-model-parallel-layout", "Ett|tt|ttttL"],
            "it has 3 parts, which 4 stages do not divide",
        )
        self.refused([*stages, "--pipeline-model-parallel-layout", "tt|tt|tt|ttL"], "it does not begin with E")
        self.refused(
            [*stages, "--pipeline-model-parallel-layout", "Ett|tt|tt|ttmL"],
            "1 layers of multi-token prediction, and --mtp-num-layers says 0",
        )
        self.refused([*stages, "--pipeline-model-parallel-layout", "Ex|t"], "unexpected 'x'")
        self.refused([*stages, "--pipeline-model-parallel-layout", "E(t|"], "'(' is not closed")
        self.refused([*stages, "--pipeline-model-parallel-layout", "Et*99999999L"], "more than 100000 layers")
        self.refused(["--expert-model-parallel-size", 5, "--gpus", 5], "5 GPUs do not divide the")
        self.refused(
            ["--tensor-model-parallel-size", 3, "--gpus", 8],
            "--gpus: error: tp x cp x pp is 3, which does not divide 8 GPUs",
        )
        self.refused(["--global-batch-size", 20, "--gpus", 8], "20 sequences are no multiple of 8")
        self.refused(["--context-parallel-size", 3, "--seq-length", 4096], "4096 tokens are no multiple of tp x cp = 3")
        words = [
            "--pipeline-model-parallel-size",
            4,
            "--num-virtual-stages-per-pipeline-rank",
            2,
            "--global-batch-size",
            6,
            "--gpus",
            4,
        ]
        self.refused(words, "6 micro-batches are no multiple of the 4 stages")


class Drawn(ImportTest):
    CHOICES = {
        "--tensor-model-parallel-size": (1, 2, 4),
        "--pipeline-model-parallel-size": (1, 2, 4),
        "--context-parallel-size": (1, 2),
        "--expert-model-parallel-size": (1, 2, 4, 8),
        "--expert-tensor-parallel-size": (1, 1, 2),
        "--num-virtual-stages-per-pipeline-rank": (1, 1, 2),
        "--mtp-num-layers": (0, 0, 1, 2),
        "--decoder-first-pipeline-num-layers": (None, None, None, 2),
        "--micro-batch-size": (1, 2),
        "--global-batch-size": (64, 128),
        "--seq-length": (1024, 4096),
        "--moe-token-dispatcher-type": ("alltoall", "flex", "allgather"),
        "--moe-expert-capacity-factor": (None, None, 1.25),
        "--recompute-granularity": (None, "full", "selective"),
        "--recompute-modules": ("mla_up_proj", "moe_act"),
        "--gpus": (None, 16, 32),
    }
    FLAGS = (
        "--moe-router-force-load-balancing",
        "--moe-pad-expert-input-to-capacity",
        "--use-tp-pp-dp-mapping",
        "--grad-reduce-in-bf16",
        "--account-for-loss-in-pipeline-split",
    )

    def test_any_layout_is_refused_or_valid(self):
        rng, made = random.Random(37), 0
        for _ in range(60):
            name = rng.choice(list(FAMILIES))
            words = arguments_of({**draw(name, rng.randint(0, 999)), "layers": rng.choice((8, 12, 16))})
            for argument, values in self.CHOICES.items():
                value = rng.choice(values)
                words += [] if value is None else [argument, value]
            words += [flag for flag in self.FLAGS if rng.random() < 0.2]
            status, text, said = self.call("megatron", *words)
            self.assertNotIn("defect", said)
            if status == 0:
                made += 1
                self.assert_valid(text)
        self.assertGreater(made, 20)


class Steps(ImportTest):
    def both(self, *words, **model):
        given = ["megatron", *arguments_of({**MODEL, **model}), "--bf16", *words]
        text = self.made(*given)
        self.assert_valid(text)
        return self.workload(*given), " | ".join(notes_of(text))

    def test_dispatchers(self):
        def pieces(sms):
            return {"type": "deduplicated", "piece": "1MB", "sms": sms}

        for words, exchange, note in (
            (["alltoall"], "pairs", ""),
            (["allgather"], "pairs", "all tokens to all GPUs"),
            (["flex", "--moe-flex-dispatcher-backend", "hybridep"], pieces(16), ""),
            (["flex", "--moe-enable-deepep"], pieces(20), ""),
            (["flex", "--moe-enable-deepep", "--moe-deepep-num-sms", 24], pieces(24), ""),
            (["flex", "--moe-flex-dispatcher-num-sms", 12], pieces(12), ""),
        ):
            workload, notes = self.both("--moe-token-dispatcher-type", *words)
            self.assertEqual(workload["exchange"], exchange)
            self.assertIn(note, notes)

    def test_recompute(self):
        for words, recompute, note in (
            ([], "none", ""),
            (["--recompute-granularity", "full"], "full", ""),
            (
                ["--recompute-granularity", "full", "--recompute-method", "block", "--recompute-num-layers", 2],
                "full",
                "block, 2 layers",
            ),
            (["--recompute-activations"], ["core_attn"], ""),
            (["--recompute-granularity", "selective"], ["core_attn"], "Megatron's default"),
            (["--moe-layer-recompute"], ["moe"], ""),
            (["--recompute-granularity", "selective", "--recompute-modules", "mla_up_proj"], ["mla_up_proj"], ""),
            (
                ["--recompute-granularity", "selective", "--recompute-modules", "moe_act", "mla_up_proj"],
                ["moe_act", "mla_up_proj"],
                "",
            ),
            (
                ["--recompute-granularity", "selective", "--recompute-modules", "mlp", "mhc", "layernorm"],
                ["mlp", "layernorm"],
                "mhc: kept",
            ),
        ):
            workload, notes = self.both(*words)
            self.assertEqual(workload["recompute"], recompute, words)
            self.assertIn(note, notes)
        words = ["megatron", *arguments_of(MODEL), "--recompute-granularity", "some"]
        self.assert_refused(words, "--recompute-granularity: error: expected full or selective, found 'some'")

    def test_schedules(self):
        self.assertEqual(self.both("--pipeline-model-parallel-size", 2)[0]["schedule"], "1f1b")
        words = [
            "--pipeline-model-parallel-size", 2, "--num-virtual-stages-per-pipeline-rank", 2, "--global-batch-size", 8
        ]
        self.assertEqual(self.both(*words)[0]["schedule"], "interleaved")
        words += ["--overlap-moe-expert-parallel-comm"]
        self.assertEqual(self.both(*words)[0]["schedule"], {"type": "interleaved", "overlap": "exchange"})
        workload, notes = self.both("--overlap-moe-expert-parallel-comm", "--delay-wgrad-compute")
        self.assertEqual(
            workload["schedule"], {"type": "1f1b", "overlap": "exchange", "delayed_weights": True}
        )
        self.assertNotIn("overlap-moe", notes)
        self.assertNotIn("delay-wgrad", notes)
        self.assertEqual(self.both("--delay-wgrad-compute")[0]["schedule"], "1f1b")

    def test_capacity(self):
        words = [
            "--moe-expert-capacity-factor",
            1.5,
            "--moe-pad-expert-input-to-capacity",
            "--moe-token-dispatcher-type",
            "alltoall",
        ]
        self.assertIn("1.5: no token is dropped", self.both(*words)[1])
        workload, _ = self.both(*words, "--expert-model-parallel-size", 4)
        self.assertEqual(workload["experts"], {"type": "plain-ep", "capacity_factor": 1.5, "padding": "capacity"})
        self.assertNotIn("experts", self.both("--moe-expert-capacity-factor", -1)[0])

    def test_bytes_of_gradients(self):
        self.assertEqual(self.both("--grad-reduce-in-bf16")[0]["bytes_per_gradient"], "2B")
        self.assertNotIn("bytes_per_gradient", self.both("--accumulate-allreduce-grads-in-fp32")[0])

    def test_precision(self):
        workload = self.both("--fp8-format", "e4m3", "--fp8-recipe", "blockwise")[0]
        self.assertEqual(workload["precision"], "fp8-block")
        self.assertEqual(workload["bytes"], {"dispatch": 2})
        self.assertEqual(workload["compute"], {"type": "profile", "device": "h100"})
        workload = self.both(
            *("--fp8-format", "e4m3", "--fp8-recipe", "blockwise", "--fp8-param-gather", "--cuda-graph-impl", "local")
        )[0]
        self.assertEqual(workload["bytes"], {"dispatch": 2, "parameters": 1})
        self.assertEqual(workload["compute"], {"type": "profile", "device": "h100", "graphs": True})
        words = ("--fp8-format", "e4m3", "--fp8-recipe", "mxfp8", "--fp8-param-gather", "--external-cuda-graph")
        workload = self.both(*words, "--moe-dispatch-fwd-dtype", "mxfp8", "--moe-combine-bwd-dtype", "mxfp8")[0]
        self.assertEqual(workload["precision"], "mxfp8")
        self.assertEqual(workload["bytes"], {"dispatch": 1.03125})
        self.assertEqual(workload["compute"], {"type": "profile", "device": "b200", "graphs": True})
        self.assertEqual(self.both(*words, "--moe-dispatch-fwd-dtype", "mxfp8")[0]["bytes"], {"dispatch": 1.515625})
        self.assertNotIn("compute", self.both("--enable-cuda-graph")[0])
        self.assertNotIn("precision", self.both("--bf16")[0])

    def test_replicas(self):
        divided, fsdp = "--use-distributed-optimizer", "--use-megatron-fsdp"
        strategy = "--data-parallel-sharding-strategy"
        for words, data in (
            ([], {"type": "plain", "bucket": "whole", "norm": True}),
            ([divided], {"type": "distributed-optimizer", "bucket": "whole", "norm": True}),
            (
                [divided, "--overlap-grad-reduce", "--overlap-param-gather"],
                {"type": "distributed-optimizer", "bucket": "160000000B", "overlap_parameters": True, "norm": True},
            ),
            (
                ["--overlap-grad-reduce", "--ddp-bucket-size", 1000, "--grad-reduce-in-bf16", "--clip-grad", 0],
                {"type": "plain", "bucket": "2000B", "norm": False},
            ),
            ([fsdp], {"type": "plain", "norm": True}),
            ([fsdp, strategy, "optim"], {"type": "distributed-optimizer", "norm": True}),
            ([fsdp, strategy, "optim_grads_params"], {"type": "fsdp", "norm": True}),
            (["--use-torch-fsdp2"], {"type": "fsdp", "norm": True}),
            (["--moe-expert-capacity-factor", 1, "--use-torch-fsdp2"], {"type": "fsdp", "norm": True}),
        ):
            self.assertEqual(self.both("--gpus", 8, *words)[0]["data"], data, words)
        words = ["--tensor-model-parallel-size", 2, "--sequence-parallel", "--gpus", 2]
        self.assertNotIn("data", self.both(*words)[0])

    def test_what_a_descriptor_cannot_say_is_listed_with_what_follows(self):
        for words, part in (
            (
                ["--use-megatron-fsdp", "--data-parallel-sharding-strategy", "optim_grads"],
                "optim_grads: gradients are reduced once",
            ),
            (["--fp4-format", "e2m1"], "--fp4-format e2m1: no products are in FP4"),
            (["--fp8-format", "hybrid", "--fp8-recipe", "tensorwise"], "scales are those of blocks"),
            (["--tp-comm-overlap"], "reduce-scatters of tp are exposed"),
            (["--optimizer-cpu-offload"], "nothing crosses PCIe"),
            (["--cuda-graph-impl", "local"], "launches of kernels take no time"),
            (["--window-size", "128,0"], "saw the whole sequence"),
            (["--use-checkpoint-args"], "sizes of the model are those of the arguments"),
            (["--moe-new-thing", "3"], "nothing is taken of --moe-new-thing"),
            (["--tensor-model-parallel-size", 2], "no --sequence-parallel"),
        ):
            self.assertIn(part, self.both(*words)[1], words)

    def test_names_that_are_not_known_are_listed(self):
        names = "--zzz --out-file --moe-expert-model-paralelism --checkpoint-activations --geglu --DDP".split()
        words = [word for name in names for word in (name, "3")]
        note = next(note for note in notes_of(self.made("megatron", *arguments_of(MODEL), *words)) if "nothing" in note)
        for name in names:
            self.assertIn(name, note)
        words = [*arguments_of(MODEL), "--seq-length", 2048, "--seq-len", 4096]
        notes = notes_of(self.made("megatron", *words))
        self.assertIn("nothing is taken of --seq-len (did you mean --seq-length?)", " ".join(notes))

    def test_names_that_divide_the_model_are_rejected(self):
        words = ["megatron", *arguments_of(MODEL), "--ds-sequence-parallel-size", "4"]
        told = "give --ds-sequence-parallel-size 1, and a size of Megatron such as --context-parallel-size"
        self.assert_refused(words, f"it divides the model in a way that rails does not know: {told}")
        self.made(*words, "--ds-sequence-parallel-size", "1", "--target-tensor-model-parallel-size", "2")

    def test_settings_in_a_file_of_yaml_are_not_passed_over(self):
        words = [*arguments_of(MODEL), "--yaml-cfg", "x.yaml"]
        told = "--yaml-cfg: error: Megatron takes its settings from 'x.yaml' alone: give that file in place of the "
        self.assert_refused(["megatron", *words], told)

    def test_names_that_may_be_meant_for_a_size_are_rejected(self):
        """Megatron takes no abbreviations."""
        for name, meant in (
            ("--seq-len", "--seq-length"),
            ("--sequence-length", "--seq-length"),
            ("--micro-batch", "--micro-batch-size"),
            ("--global-batchsize", "--global-batch-size"),
            ("--tensor-model-paralel-size", "--tensor-model-parallel-size"),
            ("--tp", "--tensor-model-parallel-size"),
            ("--cp", "--context-parallel-size"),
        ):
            words = ["megatron", *arguments_of(MODEL), name, 2]
            self.assert_refused(words, f"{name}: error: it is no argument of Megatron: give {meant}, which may be meant")
            self.made(*words, meant, 64)
        words = "--num-layers 4 --hidden-size 1024 --num-attention-heads 8 --vocab-size 12800 --ffn-hidden 1024"
        path = self.write("run.sh", f"python x.py {words}\n")
        self.assert_refused(["megatron", path], "run.sh:1: error: --ffn-hidden: it is no argument of Megatron")
        self.assertEqual(self.workload("megatron", path, "--ffn-hidden-size", 1024)["model"]["ffn"], 1024)

    def test_long_texts_are_cut(self):
        for name, value in (("--window-size", "9" * 5000), (f"--zz-{'9' * 5000}", 3), (f"--{'z' * 5000}", 3)):
            text = self.made("megatron", *arguments_of(MODEL), name, value)
            self.assertLess(max(map(len, text.split("\n"))), 200, name[:10])
            self.assertIn("...", " ".join(notes_of(text)))

    def test_groups_of_experts_need_their_number(self):
        at = "--moe-router-group-topk: error: it needs --moe-router-num-groups beside it"
        self.assert_refused(["megatron", *arguments_of(draw("mixtral", 1)), "--moe-router-group-topk", 2], at)

    def test_what_changes_nothing_is_no_note(self):
        words = ["--use-distributed-optimizer", "--overlap-grad-reduce", "--moe-token-dispatcher-type", "alltoall"]
        words += [
            "--lr",
            "1e-4",
            "--adam-beta1",
            "0.9",
            "--log-interval",
            1,
            "--moe-grouped-gemm",
            "--untie-embeddings-and-output-weights",
        ]
        words += [
            "--moe-router-dtype",
            "fp32",
            "--tokenizer-type",
            "NullTokenizer",
            "--train-iters",
            100,
            "--moe-shared-expert-overlap",
        ]
        self.assertEqual(self.both(*words, "--gpus", 8)[1], "")


class Silent(ImportTest):
    """What once was taken for something else in silence."""

    def made_of(self, *words):
        given = ["megatron", *arguments_of(MODEL), "--bf16", *words]
        text = self.made(*given)
        self.assert_valid(text)
        return self.workload(*given), " | ".join(notes_of(text))

    def test_sinkhorn_balances(self):
        words = [word for word in arguments_of(draw("mixtral", 1) | {"balancing": "no-aux"})]
        for kind in ("sinkhorn", "sinkhorn none"):
            given = ["megatron", *words, "--moe-router-load-balancing-type", *kind.split()]
            self.assertEqual(self.workload(*given)["model"]["balancing"], "loss-free")
            self.assertIn("sinkhorn: loads are as even as those of biases", " ".join(notes_of(self.made(*given))))
        given = ["megatron", *words, "--moe-router-load-balancing-type", "chance"]
        self.assertIn("type chance: not known", " ".join(notes_of(self.made(*given))))

    def test_an_encoder_beside_a_decoder_is_rejected(self):
        words = ["megatron", *arguments_of(MODEL)]
        told = "--decoder-num-layers: error: a model with encoder and decoder: expected a decoder alone"
        self.assert_refused([*words, "--decoder-num-layers", 6], told)
        at = words.index("--num-layers")
        words = words[:at] + words[at + 2 :]
        self.assert_refused([*words, "--encoder-num-layers", 6, "--decoder-num-layers", 6], told)
        for alone in (["--encoder-num-layers", 8], ["--encoder-num-layers", 8, "--decoder-num-layers", 0]):
            self.assertEqual(self.workload(*words, *alone)["model"]["layers"], 8)

    def test_what_is_sent_in_other_precisions(self):
        recipe = ["--fp8-format", "hybrid", "--fp8-recipe", "blockwise"]
        there, back = "--moe-dispatch-fwd-dtype", "--moe-combine-bwd-dtype"
        for words, size in (
            ([there, "e4m3", back, "e5m2"], 1.03125),
            ([there, "fp8", back, "mxfp8"], 1.03125),
            ([there, "e4m3"], 1.515625),
            ([there, "bf16", back, "bf16"], 2),
        ):
            self.assertEqual(self.made_of(*recipe, *words)[0]["bytes"]["dispatch"], size, words)
        self.assertEqual(self.made_of(there, "e4m3", back, "e4m3")[0]["bytes"]["dispatch"], 1.03125)
        self.assertNotIn("bytes", self.made_of(there, "bf16")[0])
        words = ["megatron", *arguments_of(MODEL), there, "int3"]
        self.assert_refused(words, f"{there}: error: expected bf16, mxfp8 or another FP8, found 'int3'")

    def test_one_checkpoint_for_several_layers(self):
        words = ["--recompute-granularity", "full", "--recompute-method", "uniform", "--recompute-num-layers"]
        told = "uniform, a checkpoint for 4 layers: each layer has one here"
        self.assertIn(told, self.made_of(*words, 4)[1])
        self.assertNotIn("uniform", self.made_of(*words, 1)[1])

    def test_other_gates(self):
        words = [word for word in arguments_of(MODEL) if word != "--swiglu"]
        for flag in ("--quick-geglu", "--geglu", "--reglu"):
            given = ["megatron", *words, flag]
            self.assertTrue(self.workload(*given)["model"]["gated"], flag)
            self.assertNotIn(flag, " ".join(notes_of(self.made(*given))))
        at = words.index("--ffn-hidden-size")
        given = ["megatron", *words[:at], *words[at + 2 :], "--quick-geglu"]
        self.assertEqual(self.workload(*given)["model"]["ffn"], 4 * MODEL["hidden"])  # two thirds with --swiglu alone

    def test_shared_experts_that_are_switched_off(self):
        text = forms.megatron_yaml(forms.command_line(MODEL))
        path = self.write("a.yaml", text + "enable_shared_expert: false\n")
        self.assertEqual(self.workload("megatron", path, "--gpus", 32)["model"]["shared_ffn"], 0)

    def test_sections_of_other_parts_and_sections_that_differ(self):
        text = forms.megatron_yaml(forms.command_line(MODEL))
        path = self.write("a.yaml", text + "vision_model:\n  num_layers: 3\n")
        self.assertEqual(self.workload("megatron", path, "--gpus", 32)["model"]["layers"], 8)
        notes = " ".join(notes_of(self.made("megatron", path, "--gpus", 32)))
        self.assertIn("nothing is taken of a.yaml: vision_model.num_layers", notes)
        path = self.write("a.yaml", text + "other_model:\n  num_layers: 3\n")
        told = "num_layers is 8 in language_model.num_layers and 3 in other_model.num_layers: in a copy of the file"
        self.assert_refused(["megatron", path, "--gpus", 32], told)
        path = self.write("a.yaml", text + "other_model:\n  num_layers: 8\n")
        self.assertEqual(self.workload("megatron", path, "--gpus", 32)["model"]["layers"], 8)
        bridge = forms.bridge_yaml(forms.command_line(MODEL))
        deeper = bridge.replace("model:\n", "model:\n  some_config:\n    num_layers: 3\n", 1)
        self.assertIn("some_config", deeper)
        path = self.write("b.yaml", deeper)
        self.assertEqual(self.workload("megatron", path, "--gpus", 32)["model"]["layers"], 8)
        notes = " ".join(notes_of(self.made("megatron", path, "--gpus", 32)))
        self.assertIn("nothing is taken of b.yaml: model.some_config.num_layers", notes)

    def test_a_name_that_is_not_known_is_told_with_what_it_speaks_of(self):
        words = ["--num-key-value-heads", 1, "--moe-capacity-factor", 1.5, "--first-k-dense-replace", 2, "--zzz", 1]
        notes = self.made_of(*words)[1]
        experts = f"here experts {MODEL['experts']}, top_k {MODEL['top_k']}"
        told = "--moe-capacity-factor, --first-k-dense-replace: not known, speaking of experts, which may be counted"
        self.assertIn(told, notes)
        self.assertIn(experts, notes)
        self.assertIn("--num-key-value-heads: not known, speaking of attention", notes)
        self.assertNotIn("--zzz: not known", notes)

    def test_two_names_of_one_setting(self):
        words = ["megatron", *arguments_of(MODEL)]
        notes = " ".join(notes_of(self.made(*words, "--num-moe-experts", 48)))
        self.assertIn(f"--num-experts {MODEL['experts']}: --num-moe-experts counts, 48", notes)
        text = forms.megatron_yaml(forms.command_line(MODEL))
        for flags in ("fp8_hybrid: true\nfp8_e4m3: false\n", "fp8_e4m3: false\nfp8_hybrid: true\n"):
            path = self.write("a.yaml", text + flags)
            self.assertIn("precision", self.workload("megatron", path, "--gpus", 32), flags)
        path = self.write("a.yaml", text)
        notes = " ".join(notes_of(self.made("megatron", path, "--gpus", 32, "--num-moe-experts", 48)))
        self.assertNotIn("counts, 48", notes)  # arguments count more than files


class Refused(ImportTest):
    def test_words_and_files(self):
        words = arguments_of(MODEL)
        self.assert_refused(["other"], "./rails import: error: expected hf or megatron, found 'other'")
        self.assert_refused(["megatron"], "it needs files or arguments")
        self.assert_refused(["megatron", "nonsense", *words], "unexpected 'nonsense': expected files")
        self.assert_refused(["megatron", *words, "--gpus", "many"], "--gpus: error: expected a whole number")
        self.assert_refused(["megatron", *words, "--gpus"], "--gpus: error: it needs a value")
        self.assert_refused(["megatron", *words, "--name", "a b"], "--name: error: expected letters")
        self.assert_refused(["megatron", "--num-layers", "4"], "--hidden-size is missing: give it, or --hf CONFIG")
        self.assert_refused(["megatron", *words, "--num-layers", "x"], "--num-layers: error: expected a whole number")
        for more in (
            ["--hybrid-layer-pattern", "M*M*"],
            ["--hybrid-attention-ratio", 0.08],
            ["--mamba-state-dim", 128],
            ["--spec", "megatron.core.models.mamba.mamba_layer_specs", "mamba_stack_spec"],
        ):
            self.assert_refused(["megatron", *words, *more], f"{more[0]}: error: its layers are not all of attention")
        for more in (["--spec", "plugin", "get_spec"], ["--mamba-inference-conv-states-dtype", "bf16"]):
            self.made("megatron", *words, *more)
        made = self.made("megatron", *words, "--full-attention-interval", 4, "--mamba-state-dim", 128)
        self.assertIn("--full-attention-interval 4: layers of linear attention count as full", " ".join(notes_of(made)))
        self.assert_refused(["megatron", *words, "--retro-add-retriever"], "attend to texts that it looks up")
        self.assert_refused(["megatron", self.folder / "absent.yaml"], "absent.yaml: error: No such file or directory")

    def test_a_variable_that_nobody_gives_is_told_with_its_place(self):
        path = self.write("a.yaml", forms.zoo_yaml(forms.command_line(MODEL)))
        self.assert_refused(["megatron", path], "a.yaml:", "${TP} stands for a value that is not given: add TP=VALUE")

    def test_rows_of_models(self):
        conf = self.write("runtime.conf", forms.runtime_conf(MODEL))
        self.assert_refused(
            ["megatron", conf], "it has 2 models: add MODEL=NAME or the model's YAML; known: other, a-model"
        )
        self.assert_refused(["megatron", conf, "MODEL=a-modle"], "it has no model 'a-modle'; did you mean 'a-model'?")
        self.assert_refused(["megatron", self.write("empty.conf", "# nothing\n")], "expected rows such as")
        yaml = self.write("a-model.yaml", forms.zoo_yaml(forms.command_line(MODEL)))
        self.assert_refused(
            ["megatron", conf, yaml, "DISPATCHER=fast"], "DISPATCHER=fast: error: expected alltoall, deepep or hybridep"
        )

    def test_variables_that_runtime_conf_sets_more_than_once(self):
        yaml = self.write("a-model.yaml", forms.zoo_yaml(forms.command_line(MODEL)))
        for before, degree in (("TP=1", 1), ("TP=1\nTP=${TP:-4}", 1), ("TP=${TP:-4}\nexport TP=1", 1), ("", 2)):
            conf = self.write("runtime.conf", f"{before}\n{forms.runtime_conf(MODEL)}")
            self.assertEqual(self.workload("megatron", conf, yaml)["parallel"]["tp"], degree, before)
        for more in ("if true; then\n  TP=1\nfi", "TP=$((TP * 2))", "export TP=$OTHER", "TP+=0"):
            conf = self.write("runtime.conf", f"TP=4\n{more}\n{forms.runtime_conf(MODEL)}")
            self.assert_refused(["megatron", conf, yaml], "${TP} stands for a value that is not given: add TP=VALUE")
            self.assertEqual(self.workload("megatron", conf, yaml, "TP=1")["parallel"]["tp"], 1, more)

    def test_yaml_that_is_none(self):
        for text, part in (
            ("a: 1\n  b: 2\n", "a.yaml:1:4: error: a value and keys below it"),
            ("a:\n    b: 1\n  c: 2\n", "a.yaml:3:3: error: it is indented otherwise"),
            ("a: 1\na: 2\n", "a.yaml:2:1: error: a is given twice, otherwise in line 1"),
            ("a: [1, 2\n", "a.yaml:1:4: error: [ is not closed"),
            ("a: 'x\n", "is not closed"),
            ("\ta: 1\n", "a tab"),
            ("- 1\n", "expected KEY: VALUE"),
            ("a: *x\n", "there is no anchor 'x'"),
            ("MODEL_ARGS: 3\n", "expected --ARGUMENT: VALUE below MODEL_ARGS"),
        ):
            self.assert_refused(["megatron", self.write("a.yaml", text)], part)

    def test_scripts_without_arguments(self):
        self.assert_refused(["megatron", self.write("a.sh", "echo hello\n")], "it has no arguments such as")

    def test_damaged_files_end_in_one_line_or_in_a_descriptor(self):
        words = forms.command_line(MODEL)
        written = {
            "a.yaml": forms.megatron_yaml(words),
            "b.yaml": forms.bridge_yaml(words),
            "c.sh": forms.script(words),
            "d.py": forms.recipe(words),
            "e.conf": forms.runtime_conf(MODEL),
        }
        for name, text in written.items():
            for at in range(0, len(text), max(1, len(text) // 60)):
                for damaged in (
                    text[:at],
                    text[:at] + "\x00" + text[at:],
                    text[:at] + "[" + text[at + 1 :],
                    text[:at] + text[at + 7 :],
                ):
                    status, _, said = self.call("megatron", self.write(name, damaged), "MODEL=a-model")
                    self.assertIn(status, (0, 2), f"{name} {at} {said}")
                    self.assertNotIn("defect", said, f"{name} {at}")


class Written(ImportTest):
    def test_a_file_is_written_whole_and_its_name_printed(self):
        out = self.folder / "made.yaml"
        status, text, _ = self.call("megatron", *arguments_of(MODEL), "--out", out, "--name", "My-1.0")
        self.assertEqual((status, text), (0, f"{out}\n"))
        self.assertIn("name: My-1.0\n", out.read_text("utf-8"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["made.yaml"])

    def test_lines_of_the_screen_and_rails_of_many_servers(self):
        name = "a-model-with-a-name-that-fills-lines"
        conf = self.write("runtime.conf", forms.runtime_conf(MODEL, name, nodes=128))
        path = self.write(f"{name}.yaml", forms.zoo_yaml(forms.command_line(MODEL)))
        text = self.made("megatron", conf, path, "GBS=512")
        self.assertLessEqual(max(len(line) for line in text.split("\n")), 120)
        self.assertIn("rail_spines: 8 ", text)
        self.assert_valid(text)

    def test_a_folder_that_is_not_there(self):
        self.assert_refused(
            ["megatron", *arguments_of(MODEL), "--out", self.folder / "a" / "b.yaml"],
            "error: No such file or directory",
        )

    def test_help_needs_nothing(self):
        status, text, _ = self.call("megatron", "--help")
        self.assertEqual(status, 0)
        self.assertIn("Usage: ./rails import hf CONFIG", text)


if __name__ == "__main__":
    unittest.main()
