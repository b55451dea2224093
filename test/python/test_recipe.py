# SPDX-License-Identifier: GPL-2.0-only
"""Recipes of Megatron-Bridge: what is followed without running it, in a file and in a checkout."""

import unittest

from called import ImportTest, notes_of, origins_of
from families import FAMILIES, draw

COMMON = '''
from megatron.bridge.training.config import ConfigContainer, DistributedDataParallelConfig, TrainingConfig

SEQUENCE = 2048


def _pretrain_common():
    cfg = ConfigContainer(
        model=None,
        train=TrainingConfig(global_batch_size=32, micro_batch_size=2),
        ddp=DistributedDataParallelConfig(grad_reduce_in_fp32=True, use_distributed_optimizer=True),
        comm_overlap=None,
        mixed_precision="bf16_mixed",
    )
    return cfg


def mixed(kind):
    if kind == "mx":
        made = Precision(fp8="e4m3", fp8_recipe="mxfp8")
    elif kind == "bf16":
        made = Precision(bf16=True)
    else:
        raise ValueError(f"unknown {kind}")
    made.grad_reduce_in_fp32 = False
    return made
'''

MODEL = '''
"""A recipe."""

from megatron.bridge import AutoBridge
from megatron.bridge.recipes.common import SEQUENCE, _pretrain_common, mixed as precision_of

_MODEL = "ours/Made-Up-8B"


def _layout(stages, chunks, ahead=0):
    """By stages and chunks."""
    last = ["mtp"] * ahead + ["loss"]
    known = {
        (1, 1): None,
        (2, 2): [["embedding"] + ["decoder"] * 2] + [["decoder"] * 2] * 2 + [["decoder"] * 2 + last],
    }
    if (stages, chunks) not in known:
        raise ValueError("unknown")
    layout = known[(stages, chunks)]
    return list([list(part) for part in layout]) if layout is not None else None


def set_layout(model, layout=None):
    if layout is not None:
        model.pipeline_model_parallel_layout = layout
        return
    ahead = getattr(model, "mtp_num_layers", 1) or 0
    try:
        model.pipeline_model_parallel_layout = _layout(
            model.pipeline_model_parallel_size or 1, model.virtual_pipeline_model_parallel_size or 1, ahead
        )
    except ValueError:
        pass


def made_up_pretrain_16gpu_gb200_fp8mx_config():
    cfg = _pretrain_common()
    cfg.model = AutoBridge.from_hf_pretrained(_MODEL, revision="1").to_megatron_provider(load_weights=False)
    cfg.model.tensor_model_parallel_size = 1
    cfg.model.pipeline_model_parallel_size = 2
    cfg.model.virtual_pipeline_model_parallel_size = 2
    cfg.model.expert_model_parallel_size = 4
    cfg.model.mtp_num_layers = 1
    cfg.model.seq_length = SEQUENCE * 2
    cfg.model.moe_flex_dispatcher_backend = "hybridep"
    cfg.train.micro_batch_size = 1
    cfg.mixed_precision = precision_of("mx")
    if cfg.comm_overlap is not None:
        cfg.comm_overlap.overlap_grad_reduce = False
    if not isinstance(cfg.mixed_precision, str) and cfg.model.seq_length > 1024:
        cfg.ddp.overlap_grad_reduce = True
    set_layout(cfg.model)
    apply_flex_dispatcher_backend(cfg.model, cfg.model.moe_flex_dispatcher_backend)
    return cfg


def made_up_pretrain_16gpu_h100_bf16_config():
    cfg = made_up_pretrain_16gpu_gb200_fp8mx_config()
    cfg.mixed_precision = precision_of("bf16")
    for key in ("a", "b"):
        cfg.model.expert_model_parallel_size = 8
    return cfg


def other_pretrain_8gpu_h100_config():
    cfg = made_up_pretrain_16gpu_gb200_fp8mx_config()
    cfg.model.pipeline_model_parallel_layout = None
    cfg.model.pipeline_model_parallel_size = 4
    cfg.model.virtual_pipeline_model_parallel_size = None
    set_layout(cfg.model)
    return cfg


def broken_pretrain_config():
    cfg = _pretrain_common()
    cfg.mixed_precision = precision_of("other")
    return cfg


def endless_pretrain_config():
    return endless_pretrain_config()


def strange_pretrain_config():
    cfg = _pretrain_common()
    cfg.model = AutoBridge.from_hf_pretrained(_MODEL).to_megatron_provider()
    cfg.model.tensor_model_parallel_size = choose(3)
    return cfg


def none_pretrain_config():
    return 3
'''


class Recipes(ImportTest):
    def setUp(self):
        super().setUp()
        self.write("src/megatron/bridge/recipes/common.py", COMMON)
        self.recipe = self.write("src/megatron/bridge/recipes/made_up.py", MODEL)
        model = {**draw("deepseek_v3", 2), "layers": 8, "dense_layers": 1, "ffn": 640}
        self.hf = self.write("config.json", FAMILIES["deepseek_v3"].write(model))

    def words(self, name, *more):
        return ["megatron", self.recipe, "--hf", self.hf, "--recipe", name, *more]

    def test_what_helpers_of_a_checkout_set(self):
        words = self.words("made_up_pretrain_16gpu_gb200_fp8mx_config")
        text, workload = self.made(*words), self.workload(*words)
        self.assertEqual(workload["parallel"]["layout"], "Ett|tt|tt|ttmL")
        self.assertEqual((workload["parallel"]["vpp"], workload["exchange"]["type"]), (2, "deduplicated"))
        self.assertEqual(workload["batch"], {"micro": 1, "global": 32, "sequence": 4096})
        self.assertEqual(workload["bytes_per_gradient"], "2B")
        origins = origins_of(text)
        self.assertEqual(origins["global"], "common.py: TrainingConfig global_batch_size")
        self.assertEqual(origins["micro"], "made_up.py: train.micro_batch_size")
        notes = " | ".join(notes_of(text))
        self.assertIn("name: Made-Up-8B\n", text)
        self.assertEqual((workload["precision"], workload["bytes"]), ("mxfp8", {"dispatch": 2}))
        self.assertEqual(workload["compute"], {"type": "profile", "device": "gb200"})
        self.assertIn("gb200: servers have", notes)
        self.assertNotIn("not followed", notes)
        self.assert_valid(text)

    def test_an_error_that_a_recipe_catches(self):
        words = self.words("other_pretrain_8gpu_h100_config", "--gpus", 16)
        made = self.workload(*words)
        self.assertEqual((made["model"]["mtp_layers"], made["parallel"].get("layout")), (1, None))

    def test_what_is_not_followed_is_told(self):
        notes = " | ".join(notes_of(self.made(*self.words("made_up_pretrain_16gpu_h100_bf16_config"))))
        self.assertRegex(notes, r"not followed, so compare what it sets: made_up.py:\d+: a loop")
        self.assertNotIn("fp8", notes)

    def test_a_file_by_itself_says_what_is_missing(self):
        alone = self.write("made_up.py", MODEL)
        words = ["megatron", alone, "--hf", self.hf, "--recipe", "made_up_pretrain_16gpu_h100_bf16_config"]
        notes = " | ".join(notes_of(self.made(*words, "model.seq_length=1024", "train.global_batch_size=32")))
        self.assertIn("_pretrain_common() is not in this file, so what it sets is not known", notes)
        self.assert_refused(
            words, "model.seq_length: SEQUENCE * 2 is not known without running it: give the value as an argument"
        )

    def test_a_model_that_rails_has_needs_no_more(self):
        known = self.write(
            "src/megatron/bridge/recipes/known.py", MODEL.replace("ours/Made-Up-8B", "mistralai/Mixtral-8x7B-v0.1")
        )
        words = ["megatron", known, "--recipe", "made_up_pretrain_16gpu_h100_bf16_config", "model.mtp_num_layers=0"]
        layout = "Et*8|t*8|t*8|t*8L"
        workload = self.workload(*words, f"model.pipeline_model_parallel_layout={layout}")
        self.assertEqual(workload["model"], {"type": "mixtral-8x7b", "label": "Mixtral-8x7B-v0.1"})
        self.assert_valid(self.made(*words, f"model.pipeline_model_parallel_layout={layout}"))

    def test_nothing_is_run(self):
        mark = self.folder / "ran"
        code = f"open({str(mark)!r}, 'w')\n" + MODEL.replace(
            "    cfg = _pretrain", f"    open({str(mark)!r}, 'w').close()\n    cfg = _pretrain"
        )
        path = self.write("src/megatron/bridge/recipes/evil.py", code)
        self.made("megatron", path, "--hf", self.hf, "--recipe", "made_up_pretrain_16gpu_h100_bf16_config")
        self.assertFalse(mark.exists())

    def test_refused(self):
        one = ["megatron", self.recipe]
        self.assert_refused(one, "it has 7 recipes, functions NAME_config: give --recipe NAME; known: made_up_")
        self.assert_refused(
            [*one, "--recipe", "made_up_pretrain_16gpu_h100_bf15_config"],
            "did you mean 'made_up_pretrain_16gpu_h100_bf16_config'?",
        )
        self.assert_refused(
            [*one, "--recipe", "made_up_pretrain_16gpu_h100_bf16_config"],
            "it takes the model ours/Made-Up-8B from the Hub: add --hf CONFIG",
        )
        self.assert_refused(self.words("broken_pretrain_config"), "ends with an error of its own: raise ValueError")
        self.assert_refused(self.words("endless_pretrain_config"), "endless_pretrain_config calls itself")
        self.assert_refused(
            self.words("strange_pretrain_config"),
            "model.tensor_model_parallel_size: choose(3) is not known without running it",
        )
        self.assert_refused(self.words("none_pretrain_config"), "returns no configuration that can be read")
        self.assert_refused(["megatron", self.write("a.py", "def x(:\n")], "a.py:1:7: error: it is no Python")


if __name__ == "__main__":
    unittest.main()
