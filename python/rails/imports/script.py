# SPDX-License-Identifier: GPL-2.0-only
"""
Shell scripts that begin a training of Megatron: variables, lists of arguments, and the command. Nothing of them is
run: what a script computes is not known, and is said to be missing where it is needed.
"""

import re
import shlex
from pathlib import Path

from .command_line import argument_value, as_setting, ends_launcher
from .errors import ImportRefused
from .megatron_yaml import put_in
from .values import Value

# What no value is: another argument, a variable with more of them, what ends a command.
_ENDS = re.compile(r"--[a-z]|\$\{?\w+(\[@\])?\}?$|[;|&>]|\d>")

_ASSIGNMENT = re.compile(
    r"""(?:^|\s|;)(?:export\s+)?([A-Za-z_]\w*)=("[^"]*"|'[^']*'|(?:\$\{[^}]*\}|[^\s"'()`;])*)"""
)


def read_arguments(path, text, variables):
    """Pairs of a setting and its value, in the order in which they stand; variables that are given count more."""
    name, known = Path(path).name, dict(variables)
    pairs = []
    for number, line in _commands(text):
        for assigned, value in _ASSIGNMENT.findall(_before_arguments(line)):
            if assigned not in variables:
                bare = value.strip("\"'")
                known[assigned] = Value(put_in(bare, known), f"{name}: {assigned}", f"{path}:{number}")
        pairs += _arguments(line, number, path, name, known)
    if not pairs:
        raise ImportRefused(
            path, "it has no arguments such as --num-layers 32: expected a script that begins a training"
        )
    return pairs


def _commands(text):
    """Lines without comments, those that go on in the next one as one, and lists in brackets."""
    number, held = 0, ""
    depth = 0
    start = 1
    for number, line in enumerate(text.split("\n"), 1):
        line = re.sub(r"(^|\s)#.*$", "", line)
        start = start if held else number
        depth += 0 if depth == 0 and not re.search(r"=\($|=\(\s|=\(-", line) else line.count("(") - line.count(")")
        held += " " + line.rstrip().removesuffix("\\")
        if not line.rstrip().endswith("\\") and depth <= 0:
            yield start, held.strip()
            held, depth = "", 0
    if held.strip():
        yield start, held.strip()


def _before_arguments(line):
    """The part of a line that may assign variables: in front of the first argument, or all of a single assignment."""
    return re.split(r"\s--[a-z]|=\(", line, maxsplit=1)[0]


def _arguments(line, number, path, name, known):
    """The arguments in a line, be it a command, a list or a text that is assigned."""
    inside = re.sub(r"^\s*(?:export\s+)?[A-Za-z_]\w*\+?=\(?[\"']?(?=\s*--)", " ", line)
    if not re.search(r"(^|\s)--[a-z]", inside):
        return
    try:
        words = shlex.split(inside.rstrip(" )"), posix=True)
    except ValueError:
        words = inside.replace('"', " ").replace("'", " ").split()
    at = next((at for at, word in enumerate(words) if re.match(r"--[a-z]", word)), len(words))
    while at < len(words):
        key, equals, value = words[at].partition("=")
        at += 1
        values = [value] if equals else []
        while not equals and at < len(words) and not _ENDS.match(words[at]) and not (
            values and ends_launcher(words[at])
        ):
            values.append(words[at])
            at += 1
        # A variable is a value where an argument stands before it alone, and a list of arguments otherwise.
        if not equals and not values and at < len(words) and re.match(r"\$\{?\w+\}?$", words[at]):
            if re.search(r"\$\{?(\w+)\}?", words[at]).group(1) in known:
                values.append(words[at])
                at += 1
        while at < len(words) and not re.match(r"--[a-z]", words[at]):
            at = len(words) if re.match(r"[;|&>]", words[at]) else at + 1  # another command
        put = [put_in(value, known) for value in values]
        found = argument_value(key, put, f"{path}:{number}")
        yield as_setting(key), Value(found.value, f"{name}: {key}", f"{path}:{number}")
