# SPDX-License-Identifier: GPL-2.0-only
"""The command lines of commands-net: each command, and each kind of mistake, on tiny experiments."""

import json
from dataclasses import dataclass

import trainings

_TOPOLOGY = "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
_WORKLOAD = "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 64KiB}}\n"
_BALANCE = "balance: {type: rails}\n"
_ONE = _TOPOLOGY + _WORKLOAD + _BALANCE
_STUDY = "experts: {model: {experts: 8, expert_groups: 1, top_groups: 1}, gpus: 8, ep: 8, " \
         "layers: 1, iterations: 1, policy: {type: plain-ep}}\n"
_CONFIG = {"model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "hidden_size": 64,
           "intermediate_size": 128, "num_attention_heads": 4, "num_hidden_layers": 2,
           "num_key_value_heads": 2, "num_local_experts": 4, "num_experts_per_tok": 2,
           "vocab_size": 500, "torch_dtype": "bfloat16"}
_NO_CLUSTER = "#!/bin/sh\necho \"$(basename \"$0\"): error: no cluster\" >&2\nexit 1\n"

# Programs that are found before those of the machine.
TOOLS = {name: _NO_CLUSTER for name in ("sbatch", "squeue", "sacct", "scancel", "scontrol")}

# Files that a scene has where its commands name them.
FILES = {
    "one.yaml": _ONE,
    "sweep.yaml": _ONE + "sweep: {balance: [rails, rail-source]}\n",
    "study.yaml": _STUDY,
    "external.yaml": _STUDY.replace("plain-ep", "external, name: mine"),
    "training.yaml": json.dumps({**trainings.BASE, "topology": {
        "type": "rail", "domains": 2, "gpus_per_domain": 4}}, indent=1),
    "empty.yaml": "",
    "list.yaml": "- 1\n- 2\n",
    "syntax.yaml": _ONE + "sweep: {balance: [rails\n",
    "tab.yaml": "topology:\n\ttype: rail\n",
    "twice.yaml": _ONE + _BALANCE,
    "twice-inside.yaml": _ONE.replace("domains: 2", "domains: 2, domains: 3"),
    "bytes.yaml": b"name: \xff\xfe\n" + _ONE.encode(),
    "section.yaml": _ONE + "balanse: {type: rails}\n",
    "key.yaml": _ONE.replace("gpus_per_domain", "gpu_per_domain"),
    "type.yaml": _ONE.replace("type: rails", "type: railz"),
    "value.yaml": _ONE.replace("domains: 2", "domains: two"),
    "unit.yaml": _ONE.replace("64KiB", "64us"),
    "no-unit.yaml": _ONE.replace("64KiB", "64"),
    "range.yaml": _ONE.replace("domains: 2", "domains: 0"),
    "missing-section.yaml": _TOPOLOGY + _WORKLOAD,
    "conflict.yaml": _ONE.replace("rails", "ecmp"),
    "several.yaml": _ONE.replace("64KiB", "64us").replace("domains: 2", "domains: 0") + "x: 1\n",
    "bad-sweep.yaml": _ONE + "sweep: {balance: rails}\n",
    "bad-axis.yaml": _ONE + "sweep: {balanse: [rails, ecmp]}\n",
    "bad-point.yaml": _ONE + "sweep: {topology.domains: [2, 0]}\n",
    "bad-name.yaml": "name: a/b\n" + _ONE,
    "no-library.so": "no library\n",
    "config.json": json.dumps(_CONFIG),
    "bad-config.json": "{",
    "prices.yaml": "devices: {}\n",
}


@dataclass(frozen=True)
class Scene:
    """Command lines that follow each other in one folder, which has the files that they name."""

    name: str
    commands: tuple
    python: bool = False  # whether one needs matplotlib

    def get_files(self):
        """Returns what the files hold that the commands name, by their names."""
        words = {word for command in self.commands for word in command.replace("'", " ").split()}
        return {name: text for name, text in FILES.items() if name in words}


def _validate(*names):
    return tuple(f"rails validate {name}" for name in names)


def _run_one(*options):
    return tuple(f"rails run one.yaml {option}" for option in options)


SCENES = (
    Scene("help", ("rails", "rails --help", *(f"rails {command} --help" for command in (
        "run", "sweep", "work", "validate", "goal", "trace", "experts", "cost", "list", "describe",
        "index", "explain", "new", "schema", "completion")))),
    Scene("unknown commands", ("rails ''", "rails rum", "rails frobnicate", "rails --version",
                               "env -u RAILS_LAUNCHER rails rum")),
    Scene("options", ("rails run", "rails run one.yaml two.yaml", *_run_one(
        "--frobnicate", "-j 0", "-j x", "--time-limit 1ms", "--memory-limit 1", "--retries 101",
        "--launcher torque", "--out", "--point x", "--where balance=ecmp",
        "--force --only-failed --dry-run -j 1"))),
    Scene("descriptors", (
        "rails validate one.yaml", "rails validate one.yaml --print", "rails validate sweep.yaml",
        "rails validate study.yaml", "rails validate training.yaml")),
    Scene("files that are no descriptor", (
        "mkdir folder && rails validate folder", "mkfifo pipe && rails validate pipe",
        *_validate("none.yaml", "/dev/null", "''", "empty.yaml", "list.yaml", "syntax.yaml",
                   "tab.yaml", "bytes.yaml"))),
    Scene("mistakes in descriptors", _validate(
        "twice.yaml", "twice-inside.yaml", "section.yaml", "key.yaml", "type.yaml", "value.yaml",
        "unit.yaml", "no-unit.yaml", "range.yaml", "missing-section.yaml", "conflict.yaml",
        "several.yaml", "bad-sweep.yaml", "bad-axis.yaml", "bad-point.yaml", "bad-name.yaml")),
    Scene("settings of the command line", (
        "rails run one.yaml --set workload.matrix.bytes_per_pair=4KiB --set name=small --out out",
        "rails validate one.yaml --set 'sweep={seed: [1, 2, 3]}'",
        *(f"rails validate one.yaml --set {setting}" for setting in (
            "balance", "=x", "balanse=x", "balance.type=x", "topology.domain=3",
            "topology.domains=0", "topology.domains=two", "seed=-1", "transport.mtu=9KW",
            "workload.matrix.bytes_per_pair=3us", "'balance={type: rails'")))),
    Scene("results", (
        "rails run one.yaml", "rails run one.yaml --set seed=2  # again",
        "rails run one.yaml --force", "rails run one.yaml --dry-run --out other -j 1",
        "rails run sweep.yaml --out results/one")),
    Scene("sweeps", (
        "rails run sweep.yaml --out out -j 1 --dry-run", "rails run sweep.yaml --out out -j 1",
        "rails run sweep.yaml --out out -j 1  # again",
        "rails run sweep.yaml --out out -j 1 --set seed=2",
        "rails run sweep.yaml --out two -j 2", "rails run sweep.yaml --out two -j 1 --force")),
    Scene("points of sweeps", (
        "rails run sweep.yaml --out out -j 1 --where balance=rails",
        "rails run sweep.yaml --out out -j 1 --where balance=rails --dry-run",
        "rails run sweep.yaml --where balance=ecmp", "rails run sweep.yaml --where balanse=rails",
        "rails run sweep.yaml --where balance", "rails run sweep.yaml --point none",
        "rails run sweep.yaml --point balance=rails --out point")),
    Scene("damaged results", (
        "rails run sweep.yaml --out out -j 1", "echo '{' > out/balance=rails/result.json",
        "rails index out", "rails explain out", "rails run sweep.yaml --out out -j 1 --dry-run",
        "rails run sweep.yaml --out out -j 1  # again")),
    Scene("damaged notes of sweeps", (
        "rails run sweep.yaml --out out -j 1", "echo '{' > out/.rails/sweep.json",
        "echo '{' > out/points.json", "rails index out", "rails sweep --resume out",
        "rails run sweep.yaml --out out -j 1  # again")),
    Scene("foreign folders", (
        "mkdir out && echo mine > out/mine.txt", "rails run one.yaml --out out",
        "rails run one.yaml --out out --force", "rails run sweep.yaml --out out -j 1",
        "rails index out", "rails explain out")),
    Scene("places that cannot be written", (
        "echo > file", *_run_one("--out file", "--out file/out", "--out /dev/null/out", "--out ''",
                                 "--out one.yaml"),
        "rails run sweep.yaml -j 1 --out file", "rails new file/new.yaml",
        "rails goal training.yaml --out file/goal", "rails trace study.yaml --out none/trace.csv",
        "rails cost --json none/cost.json", "rails list > /dev/full", "rails schema > /dev/full",
        "rails run one.yaml --out out > /dev/full")),
    Scene("points that fail", (
        "rails run sweep.yaml --out out -j 1 --time-limit 0.001s --retries 0",
        "rails explain out", "rails index out --csv table.csv",
        "rails run sweep.yaml --out out -j 1 --only-failed",
        "rails run sweep.yaml --out out -j 1 --only-failed  # again",
        "rails run one.yaml --out stuck --set transport.loss_recovery.timeout=30us "
        "--set watchdog.no_progress_after=40us "
        "--set 'failures.schedule=[{at: 1us, nic: server1-nic0, state: down}, "
        "{at: 1us, nic: server1-nic1, state: down}]'")),
    Scene("sweeps that are taken up again", (
        "rails sweep", "rails sweep sweep.yaml --out out -j 1", "rails sweep --resume out",
        "rails sweep --resume out --trust", "rails sweep --resume none",
        "rails sweep sweep.yaml --resume out", "rails sweep sweep.yaml --trust",
        "rails sweep sweep.yaml --cancel out", "rails sweep --cancel none",
        "rails sweep --resume out --set seed=2")),
    Scene("sweeps without a cluster", (
        "rails run sweep.yaml --out out --launcher slurm",
        "rails run sweep.yaml --out out --launcher slurm --dry-run",
        "rails run sweep.yaml --partition fast -j 1", "rails sweep sweep.yaml --at-once x",
        "rails work out --round 1 --task 1 --sweep x", "rails work none --round 1",
        "rails work none --round 0 --task 0 --sweep x")),
    Scene("libraries and programs", (
        "rails run one.yaml --with none", "rails list --with no-library.so",
        "mkdir folder && rails validate one.yaml --with folder", "rails run external.yaml",
        "rails run external.yaml --policy-command mine=false --out out",
        "rails run external.yaml --policy-command other=true",
        "rails run external.yaml --policy-command mine")),
    Scene("index", (
        "rails run sweep.yaml --out out -j 1", "rails index out --csv out.csv --json out.json",
        "rails index out --csv none/out.csv", "rails index out --csv out  # a folder",
        "rails index out --planning plans.csv", "rails index none", "rails index sweep.yaml",
        "rails run study.yaml --out study --set experts.policy=eplb --set experts.warm_up=1",
        "rails index study --planning planning.csv")),
    Scene("explain", (
        "rails run sweep.yaml --out out -j 1 --set record.explain=true", "rails explain out",
        "rails explain out --where balance=rails", "rails explain out --where balance=x",
        "rails explain out/balance=rails", "rails explain none",
        "rails run one.yaml --set 'record={timeline: true, queue_means: true, pcap: true}'",
        "rails explain results/one")),
    Scene("experts", (
        "rails experts --gpus 8 --experts 8 --layers 1 --iterations 1 --policy plain-ep --out out "
        "-j 1",
        "rails experts --gpus 8 --policy plain-ep --print", "rails experts --gpus 0 --print",
        "rails experts --policy none", "rails experts --budget 1GB --slots 2",
        "rails experts --trace none.csv", "rails experts --load none --print")),
    Scene("goal and trace", (
        "rails goal training.yaml --out training.goal", "rails goal training.yaml --limit 3",
        "rails goal training.yaml --out training.goal  # again", "rails goal one.yaml",
        "rails goal sweep.yaml", "rails trace study.yaml --out trace.csv", "rails trace one.yaml",
        "rails trace study.yaml --iterations 9", "rails trace sweep.yaml",
        "rails experts --trace trace.csv --policy plain-ep --gpus 8 --print")),
    Scene("cost", (
        "rails cost", "rails cost fat-tree mixnet --servers 16 --rate 400Gbps --json cost.json",
        "rails cost one.yaml", "rails cost --print", "rails cost none", "rails cost --servers 0",
        "rails cost --rate 1", "rails cost --rule x", "rails cost --print --json cost.json",
        "rails cost --prices prices.yaml", "rails cost --prices none.yaml")),
    Scene("components", (
        "rails list", "rails schema", "rails describe topology", "rails describe rail",
        "rails describe transport.mtu", "rails describe balance.host", "rails describe none",
        "rails describe rial", "rails describe", "rails completion bash", "rails completion zsh",
        "rails completion fish", "rails list | head -n 2")),
    Scene("new descriptors", (
        "rails new", "rails new new.yaml && rails validate new.yaml", "rails new new.yaml",
        "rails new --topology fat-tree --workload incast --balance ecmp", "rails new --balance x",
        "rails new --force new.yaml --workload training")),
    Scene("figures and reports", (
        "rails run one.yaml --out out", "rails run one.yaml --out other --set seed=2",
        "rails plot --help", "rails plot none", "rails plot out --where seed=9",
        "rails report none", "rails report one.yaml",
        "rails report out --cost --prices none.yaml", "rails compare out",
        "rails compare out other", "rails engines out", "rails reproduce none",
        "rails measured none"), python=True),
    Scene("imports", (
        "rails import hf config.json --gpus 8 --out imported.yaml",
        "rails validate imported.yaml", "rails import hf config.json --out imported.yaml",
        "rails import hf none.json",
        "rails import hf bad-config.json",
        "rails import megatron --num-layers 2 --hidden-size 64 --frobnicate"), python=True),
)
