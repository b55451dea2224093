# SPDX-License-Identifier: GPL-2.0-only
"""YAML of trainings: of Megatron-LM, MODEL_ARGS of benchmarks and tests, and ConfigContainer of Megatron-Bridge."""

import re
from pathlib import Path

from .command_line import as_setting
from .errors import ImportRefused
from .megatron_notes import WIDTHS
from .values import SIZES, Value
from .yaml_text import read_yaml

_OTHER_PARTS = re.compile(r".*(vision|image|audio|speech|video|encoder|talker|draft|teacher|projector)\w*\..*")
_SIZES = (*SIZES, *WIDTHS, "num_moe_experts", "moe_shared_expert_intermediate_size", "vocab_size")

# Sections of Megatron-Bridge, whose later ones set what earlier ones say when a training begins.
SECTIONS = ("dataset", "dist", "ddp", "train", "tokenizer", "model", "mixed_precision", "comm_overlap")


def read_settings(path, variables, budget):
    """Pairs of a setting and its value, in the order in which they count: later ones more."""
    items = read_yaml(budget.read(path), path, budget).value
    if not isinstance(items, dict):
        raise ImportRefused(f"{path}:1:1", "expected KEY: VALUE, as configurations of Megatron have it")
    reader = _Reader(path, variables, budget)
    if "MODEL_ARGS" in items:
        return list(reader.arguments(items["MODEL_ARGS"]))
    return in_order(reader.flat(items))


def in_order(pairs):
    """Settings of dotted names by their last parts; those of sections count by the order of these."""
    ranks = {section: rank for rank, section in enumerate(SECTIONS, 1)}
    found = [pair for pair in pairs if pair[1].value is not None]
    found.sort(key=lambda pair: ranks.get(pair[0].partition(".")[0], 0) if "." in pair[0] else 0)
    found = [(name, value) for name, value in found if _counts(name)]
    others = _of_others([name for name, _ in found], dict(found))
    return [(name if name in others else name.rpartition(".")[2], value) for name, value in found]


def _of_others(names, values):
    """
    Names that count for no setting, and are told by their sections: those of parts such as vision, and sizes that stand
    further inside than others of the same name.
    """
    others = {name for name in names if _OTHER_PARTS.fullmatch(name)}
    for size in _SIZES:
        same = [name for name in dict.fromkeys(names) if name not in others and name.rpartition(".")[2] == size]
        if len({str(values[name].value) for name in same}) < 2:
            continue
        if all(name.count(".") == 1 and name.partition(".")[0] in SECTIONS for name in same):
            continue  # of which later ones count
        least = min(name.count(".") for name in same)
        outer = [name for name in same if name.count(".") == least]
        if len({str(values[name].value) for name in outer}) > 1:
            told = " and ".join(f"{values[name].value} in {name}" for name in outer[:2])
            raise ImportRefused(
                values[outer[1]].spot, f"{size} is {told}: in a copy of the file, leave out those that are not meant"
            )
        others.update(name for name in same if name not in outer)
    return others


def _counts(name):
    """Sections of Megatron-Bridge that are not above say nothing of what is read here."""
    others = ("optimizer", "scheduler", "checkpoint", "logger", "rng", "profiling", "validation", "rerun_state_machine")
    section = name.partition(".")[0]
    others += ("ft", "straggler", "peft", "inprocess_restart", "env_vars")
    return "." not in name or (section not in others and name != "tokenizer.vocab_size")  # the model has one of its own


class _Reader:
    """Reads values, with what variables in them stand for."""

    def __init__(self, path, variables, budget):
        self._path, self._name = path, Path(path).name
        self._variables, self._budget = variables, budget

    def arguments(self, section):
        if not isinstance(section.value, dict):
            raise ImportRefused(self._place(section), "expected --ARGUMENT: VALUE below MODEL_ARGS")
        for key, item in section.value.items():
            value = self._plain(item)
            if value is False or value == "false":
                continue  # such an argument is not passed on
            yield as_setting(key), self._valued(True if value == "true" else value, key, item)

    def flat(self, items, before=""):
        for key, item in items.items():
            self._budget.spend(20 + len(before))
            if isinstance(item.value, dict):
                yield from self.flat(item.value, f"{before}{key}.")
            else:
                yield before + key, self._valued(self._plain(item), before + key, item)

    def _place(self, item):
        return f"{self._path}:{item.line}:{item.column}"

    def _valued(self, value, key, item):
        """A value with where it is from, and where the variables in it are from."""
        names = re.findall(r"\$\{?(\w+)", item.value) if isinstance(item.value, str) else []
        origins = [self._variables[name].origin for name in names if name in self._variables]
        self._budget.spend(sum(map(len, origins)))
        told = f" ({', '.join(origins)})" if origins else ""
        return Value(value, f"{self._name}: {key}{told}", self._place(item))

    def _plain(self, item):
        self._budget.spend(4)
        if isinstance(item.value, list):
            return [self._plain(part) for part in item.value]
        if isinstance(item.value, dict):
            return {key: self._plain(part) for key, part in item.value.items()}
        return self._put_in(item.value) if isinstance(item.value, str) else item.value

    def _put_in(self, text):
        """A text with what its variables stand for, as far as they are given: ${NAME}, ${NAME:-default} and $NAME."""

        def value_of(found):
            name, default = found.group(1) or found.group(3), found.group(2)
            if name not in self._variables:
                return found.group() if default is None else default.strip("\"'")
            value = str(self._variables[name].value)
            self._budget.spend(4 + len(value))
            return value

        return re.sub(r"\$\{(\w+)(?::-([^{}]*))?\}|\$(\w+)", value_of, text)
