# SPDX-License-Identifier: GPL-2.0-only
"""The commands of doc/import.rst, typed in a folder with files of those names."""

import os
import re
import shlex
import unittest

import forms
from called import ImportTest
from families import FAMILIES, PUBLISHED
from paths import ROOT

_QWEN = dict(zip("layers hidden heads kv_heads head_width expert_ffn".split(), (48, 2048, 32, 4, 128, 768)))
QWEN = {
    **_QWEN,
    "dense_layers": 0,
    "ffn": 0,
    "experts": 128,
    "top_k": 8,
    "expert_groups": 1,
    "top_groups": 1,
    "shared_ffn": 0,
    "vocabulary": 151936,
    "query_rank": 0,
    "kv_rank": 0,
    "rope_width": 0,
    "gated": True,
    "balancing": "aux-loss",
}


class Page(ImportTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.write("DeepSeek-V3/config.json", PUBLISHED["deepseek-v3"])
        self.write("Qwen3-30B-A3B/config.json", FAMILIES["qwen3_moe"].write(QWEN))
        words = forms.command_line(QWEN)
        self.write("runtime.conf", forms.runtime_conf(QWEN, "Qwen3-235B-A22B", nodes=32))
        self.write("Qwen3-235B-A22B.yaml", forms.zoo_yaml(words))
        name = "deepseek_v3_pretrain_1024gpu_h100_bf16_config"
        text = forms.recipe(words).replace("a_model_pretrain_32gpu_h100_bf16_config", name)
        self.write("perf_recipes/deepseek/h100/deepseek_v3.py", text)

        sizes = "--tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP --num-layers 4 --vocab-size 12800"
        tiny = "--hidden-size 1024 --num-attention-heads 8"
        self.write("run.sh", f"TP=$1\nPP=$2\ntorchrun pretrain_gpt.py {sizes} {tiny}\n")
        self.write("models/tiny.sh", f"MODEL_ARGS=({tiny} --num-layers 4 --vocab-size 12800)\n")
        self.write("examples/run.sh", 'source "$(dirname "$0")/../models/tiny.sh"\npython train.py "${MODEL_ARGS[@]}"\n')

    def test_its_commands_do_what_it_says(self):
        page = (ROOT / "doc/import.rst").read_text("utf-8").replace("\\\n", " ")
        commands = re.findall(r"^   \./rails import (.*)$", page, re.MULTILINE)
        self.assertGreater(len(commands), 4)
        for command in commands:
            words = shlex.split(command)
            if "--out" in words:
                self.assertEqual(self.call(*words)[0], 0, command)
                self.assert_valid((self.folder / words[words.index("--out") + 1]).read_text("utf-8"))
            else:
                self.assert_valid(self.made(*words))

    def test_its_descriptor_is_what_the_first_command_writes(self):
        page = (ROOT / "doc/import.rst").read_text("utf-8")
        shown = re.search(r"code-block:: yaml\n\n(.*?)\n\n(?!   )", page, re.DOTALL).group(1).split("\n")
        text = self.made("hf", "DeepSeek-V3/config.json", "--gpus", 256)
        for line in shown:
            if "# ..." not in line:
                self.assertIn(line[3:] + "\n", text)


if __name__ == "__main__":
    unittest.main()
