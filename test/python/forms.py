# SPDX-License-Identifier: GPL-2.0-only
"""
One training in the forms that Megatron's tools have: a command line, YAML, benchmarks' MODEL_ARGS with runtime.conf, a
shell script, a recipe of Megatron-Bridge and the configuration that it writes.
"""

import json
import re

from families import arguments_of

LAYOUT = {
    "--tensor-model-parallel-size": 2,
    "--pipeline-model-parallel-size": 2,
    "--num-virtual-stages-per-pipeline-rank": 2,
    "--context-parallel-size": 1,
    "--expert-model-parallel-size": 4,
    "--expert-tensor-parallel-size": 1,
    "--micro-batch-size": 1,
    "--global-batch-size": 64,
    "--seq-length": 2048,
    "--moe-token-dispatcher-type": "alltoall",
    "--recompute-granularity": "full",
}
FLAGS = [
    "--sequence-parallel",
    "--use-distributed-optimizer",
    "--overlap-grad-reduce",
    "--bf16",
    "--moe-router-force-load-balancing",
]

# Other names in the configuration of Megatron-Bridge, and its sections.
_BRIDGE = {
    "num_experts": "num_moe_experts",
    "swiglu": "gated_linear_unit",
    "num_virtual_stages_per_pipeline_rank": "virtual_pipeline_model_parallel_size",
}
_SECTIONS = {
    "micro_batch_size": "train",
    "global_batch_size": "train",
    "use_distributed_optimizer": "ddp",
    "overlap_grad_reduce": "ddp",
    "bf16": "mixed_precision",
}


def command_line(model, layout=None):
    layout = {**LAYOUT, **(layout or {})}
    return arguments_of(model) + [word for pair in layout.items() for word in map(str, pair)] + FLAGS


def settings(words):
    """Arguments by the names of settings: a value, or true."""
    found, name = {}, ""
    for word in words:
        if word.startswith("--"):
            name = word[2:].replace("-", "_")
            found[name] = True
        else:
            found[name] = word
    return found


def _yaml(value):
    return "true" if value is True else value if str(value).isdigit() else json.dumps(value)


def megatron_yaml(words):
    """That of Megatron-LM: what is of parallelism and of the language model in sections."""
    found = settings(words)
    parallel = {name: value for name, value in found.items() if "parallel" in name}
    begins = ("num_", "hidden", "moe_", "kv", "q", "ffn", "swiglu")
    model = {name: value for name, value in found.items() if name.startswith(begins)}
    rest = {name: value for name, value in found.items() if name not in parallel and name not in model}
    lines = ["# a training", "model_parallel:"] + [f"  {name}: {_yaml(value)}" for name, value in parallel.items()]
    lines += ["language_model:"] + [f"  {name}: {_yaml(value)}  # as before" for name, value in model.items()]
    return "\n".join(lines + [f"{name}: {_yaml(value)}" for name, value in rest.items()]) + "\n"


ZOO_VARIABLES = {
    "--tensor-model-parallel-size": "TP",
    "--pipeline-model-parallel-size": "PP",
    "--expert-model-parallel-size": "EP",
    "--context-parallel-size": "CP",
    "--micro-batch-size": "MBS",
    "--global-batch-size": "GBS",
    "--seq-length": "SEQ_LEN",
}


def zoo_yaml(words):
    """MODEL_ARGS of a benchmark, with variables for what runtime.conf has."""
    lines = ["ENV_VARS:", "  NCCL_DEBUG: VERSION", "MODEL_ARGS:", "  --log-interval: 1", "  --use-flash-attn: false"]
    lines.append("  --num-layers-per-virtual-pipeline-stage: false")
    for name, value in settings(words).items():
        argument = "--" + name.replace("_", "-")
        if argument in ZOO_VARIABLES:
            lines.append(f"  {argument}: ${{{ZOO_VARIABLES[argument]}}}")
        elif argument not in ("--num-virtual-stages-per-pipeline-rank", "--moe-token-dispatcher-type"):
            lines.append(f"  {argument}: {_yaml(value)}")
    return "\n".join(lines) + "\n"


def runtime_conf(model, name="a-model", nodes=4):
    """A row for a model, beside that of another one."""
    layers = model["layers"]
    return f"""#! /bin/bash
declare -A CONFIGS=(
    # MODEL: TP PP EP CP VPP MBS GBS LAYERS DISPATCHER GROUPED_GEMM NNODES TIME PRETRAIN SLEN DATASET [PP_FIRST PP_LAST]
    [other]=" 1 1 8 1 1 2 256 24 alltoall false 8 00:20:00 1 4096 CustomDataset"
    [{name}]=" 2 2 4 1 2 1 64 {layers} alltoall true {nodes} 00:20:00 0 2048 CustomDataset 3 5"  # ours
)
set_model_configs() {{
    export TP=${{TP:-${{config[0]}}}}
}}
set_model_configs CONFIGS ${{MODEL}}
"""


def script(words):
    """A shell script with lists of arguments and variables."""
    found = settings(words)
    parallel = {name: value for name, value in found.items() if "parallel" in name}
    rest = {name: value for name, value in found.items() if name not in parallel}

    def argument(name, value):
        return f"--{name.replace('_', '-')}" + ("" if value is True else f" '{value}'" if "[" in value else f" {value}")

    rows = [argument(name, value) for name, value in parallel.items() if name != "expert_model_parallel_size"]
    lists = "\n".join(f"    {row}  # as it is" for row in rows)
    inside = " \\\n    ".join(argument(name, value) for name, value in rest.items() if name != "seq_length")
    return f"""#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NUM_NODES=${{NUM_NODES:-4}}
SEQ=2048  # tokens
DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NUM_NODES
    --master_addr ${{MASTER_ADDR:-localhost}}
)
PARALLEL_ARGS=(
{lists}
)
MODEL_ARGS="
    {inside}
"
if [[ -n "$WANDB" ]]; then
    echo "no"
fi
torchrun ${{DISTRIBUTED_ARGS[@]}} pretrain_gpt.py \\
    ${{PARALLEL_ARGS[@]}} $MODEL_ARGS \\
    --expert-model-parallel-size {found['expert_model_parallel_size']} \\
    --seq-length $SEQ  2>&1 | tee log.txt
"""


def bridge_settings(words):
    """Dotted names of Megatron-Bridge and their values."""
    found = {}
    for name, value in settings(words).items():
        section = _SECTIONS.get(name, "model")
        found[f"{section}.{_BRIDGE.get(name, name)}"] = value
    return found


def bridge_yaml(words):
    """The configuration that Megatron-Bridge writes when a training begins."""
    sections = {}
    for name, value in bridge_settings(words).items():
        section, _, key = name.partition(".")
        sections.setdefault(section, {"_target_": f"megatron.bridge.{section}"})[key] = value
    sections["optimizer"] = {"lr": 0.0003, "use_distributed_optimizer": "true", "betas": "&id001\n  - 0.9\n  - 0.95"}
    sections["model"]["moe_layer_freq"] = None  # a list below it
    lines = []
    for section, keys in sections.items():
        lines.append(f"{section}:")
        for key, value in keys.items():
            if value is None:
                lines.append(f"  {key}:")
                dense, sparse = map(int, re.findall(r"\*(\d+)", settings(words)["moe_layer_freq"]))
                lines += ["  - 0"] * dense + ["  - 1"] * sparse
            else:
                lines.append(f"  {key}: {value if key == 'betas' else _yaml(value)}")
    return "\n".join(lines) + "\n"


def recipe(words):
    """A recipe: what it has from others, what a helper sets, and what it sets by itself."""
    values = bridge_settings(words)
    names = list(values)
    first, helper, last = names[:5], names[5:10], names[10:]

    def lines(chosen):
        made = []
        for name in chosen:
            value = values[name]
            text = "True" if value is True else value if str(value).isdigit() else repr(value)
            if name == "model.moe_layer_freq":
                text = value.replace("(", "").replace(")", "")
            made.append(f"    cfg.{name} = {text}")
        return "\n".join(made)

    return f'''"""Recipes of a model."""

import torch

from megatron.bridge.training.config import CommOverlapConfig, ConfigContainer, GPTModelProvider

_SEQ = 8192


def _pretrain_common():
    cfg = ConfigContainer(
        model=GPTModelProvider(bf16=True), ddp=DistributedDataParallelConfig(grad_reduce_in_fp32=True)
    )
    cfg.model.seq_length = _SEQ
{lines(first)}
    return cfg


def _common(cfg, size=1, *, layout=None) -> None:
{lines(helper)}
    if layout is not None:
        cfg.model.pipeline_model_parallel_layout = layout
    if size > 1:
        cfg.model.tensor_model_parallel_size = size


def a_model_pretrain_32gpu_h100_bf16_config() -> ConfigContainer:
    """A pretraining."""
    cfg = _pretrain_common()
    _common(cfg, size=2)
{lines(last)}
    cfg.model.pipeline_dtype = torch.bfloat16
    cfg.comm_overlap = CommOverlapConfig(tp_comm_overlap=False)
    return cfg


def a_model_pretrain_64gpu_h100_bf16_config():
    cfg = a_model_pretrain_32gpu_h100_bf16_config()
    cfg.train.global_batch_size = 128
    return cfg
'''
