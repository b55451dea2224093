# SPDX-License-Identifier: GPL-2.0-only
"""What is typed behind `./rails import megatron`: files, variables, settings of recipes, arguments of Megatron."""

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ImportRefused, shown
from .values import Value

OWN = ("--out", "--hf", "--gpus", "--recipe", "--name", "--parameters", "--arguments")  # each with a value
FORCE = "--force"
_ENDS = {".yaml": "yaml", ".yml": "yaml", ".conf": "conf", ".json": "json", ".sh": "script"}
_VARIABLE = r"[A-Za-z_]\w*|[0-9]+"
_LAUNCHERS = re.compile(r"(.*/)?(torchrun|python[0-9.]*|srun|bash|sh)|-m|-u|torch\.distributed\.(run|launch)")


@dataclass
class Given:
    """The words by what they are."""

    own: dict = field(default_factory=dict)  # options of this command, FORCE among them
    files: list = field(default_factory=list)  # pairs of a kind and a path
    parameters: list = field(default_factory=list)  # of a shell script
    variables: dict = field(default_factory=dict)  # NAME=VALUE
    overrides: list = field(default_factory=list)  # pairs of a dotted name and a value
    arguments: list = field(default_factory=list)  # pairs of a name of Megatron and a value


def sort_words(words):
    """Sorts the words of a command line; words in front of the first argument are files and launchers."""
    given, at = Given(), 0
    while at < len(words):
        word, at = words[at], at + 1
        name, equals, value = word.partition("=")
        if word == FORCE:
            given.own[word] = True
        elif name in OWN:
            if not equals:
                if at == len(words):
                    raise ImportRefused(name, "it needs a value behind it")
                value, at = words[at], at + 1
            given.own[name] = value
            given.parameters += _split(value) if name == "--arguments" else []
        elif re.fullmatch(_VARIABLE, name) and equals:
            given.variables[name] = Value(value, word, word)
        elif re.fullmatch(r"\+{0,2}[a-z_]+(\.[a-z_0-9]+)+", name) and equals:
            given.overrides.append((name.lstrip("+"), Value(_plain(value), word, word)))
        elif re.match(r"--?[A-Za-z]", word) and not _LAUNCHERS.fullmatch(word):
            at = _take_argument(given, words, at)
        elif given.parameters or _begins_parameters(given, word):
            given.parameters.append(word)
        else:
            _take_file(given, word)
    return given


def as_parameters(words):
    """Variables and parameters of a script, as this command takes them behind it."""
    count = next((at for at, word in enumerate(words) if not re.match(f"({_VARIABLE})=", word)), len(words))
    if sort_words(["x.sh", *words]).parameters == words[count:]:
        return words
    return [*words[:count], "--arguments", shlex.join(words[count:])]


def _split(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ImportRefused("--arguments", f"{error} in {shown(text)}: expected words as in a shell") from error


def _begins_parameters(given, word):
    """True of the first parameter of a shell script, which is no file: dsw of run.sh dsw 7B config.json."""
    return bool(given.files) and given.files[-1][0] == "script" and not (
        _LAUNCHERS.fullmatch(word) or Path(word).suffix.lower() in _ENDS or word.endswith(".py")
    )


def _take_argument(given, words, at):
    """An argument of Megatron and the values behind it."""
    name, equals, value = words[at - 1].partition("=")
    values = [value] if equals else []
    while not equals and at < len(words) and not _begins_another(words[at]):
        if values and ends_launcher(words[at]):
            break
        values.append(words[at])
        at += 1
    given.arguments.append((name, argument_value(name, values)))
    return at


def argument_value(name, values, place=""):
    value = True if not values else values[0] if len(values) == 1 else list(values)
    return Value(value, name, place or name)


def ends_launcher(word):
    """True of the program that a launcher begins, which is no value of the launcher's last argument."""
    return word.endswith(".py") or word in ("-m", "-u")


def _begins_another(word):
    return bool(re.match(rf"--[A-Za-z]|({_VARIABLE})=|[a-z_]+(\.[a-z_0-9]+)+=", word))


def _take_file(given, word):
    kind = _ENDS.get(Path(word).suffix.lower())
    if kind is None and not (word.endswith(".py") or _LAUNCHERS.fullmatch(word)) and Path(word).is_file():
        kind = "script"  # of any name, which a script sources
    if kind:
        given.files.append((kind, word))
    elif word.endswith(".py"):
        if not re.search(r"pretrain_\w+\.py$", word):
            given.files.append(("recipe", word))
    elif not _LAUNCHERS.fullmatch(word):
        raise ImportRefused(
            "./rails import megatron",
            f"unexpected {shown(word)}: expected files (.yaml, .conf, .sh, .py, .json), NAME=VALUE, and then arguments "
            "of Megatron",
        )


def _plain(text):
    """A value as settings of recipes have them."""
    words = {"true": True, "false": False, "null": None, "none": None}
    return words.get(text.lower(), text)


def as_setting(name):
    """An argument's name as a setting: --num-layers, and --nproc_per_node."""
    return name.lstrip("-").replace("-", "_")
