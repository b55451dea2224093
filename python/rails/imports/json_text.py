# SPDX-License-Identifier: GPL-2.0-only
"""JSON with the line of each key, read more strictly than Python does: a key stands once, a number fits its meaning."""

import json
import re
from functools import partial

from .budget import DEEPEST
from .errors import ImportRefused, shown

_MOST_DIGITS = 300  # of a whole number: a float has no more
_LONGEST_NAME = 300
_DEEPEST_ASKED = 10  # of keys whose lines are asked for
_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_PART = re.compile(rf"(?P<key>{_TEXT})\s*:|{_TEXT}|[{{}}\[\]]")


def read_json(path, text, expected, budget):
    """
    An object, and the line of each key by its path (a tuple; of objects in a list: the first one's).

    :param expected: what the file should be, for messages
    """
    budget.spend(len(text) // 8)
    data = parse_json(path, text, expected)
    return data, _lines(text, partial(_place, path, text), budget)


def parse_json(path, text, expected):
    """An object, of which nobody asks for lines."""

    def whole(digits):
        if len(digits) > _MOST_DIGITS:
            told = f"a number of {len(digits)} digits: expected {expected}"
            raise ImportRefused(_place(path, text, text.find(digits)), told)
        return int(digits)

    try:
        data = json.loads(text, parse_int=whole)
    except json.JSONDecodeError as error:
        raise ImportRefused(_place(path, text, error.pos), f"{error.msg}: expected {expected}") from error
    except RecursionError as error:
        raise ImportRefused(path, f"it is nested too deeply: expected {expected}") from error
    if not isinstance(data, dict):
        raise ImportRefused(f"{path}:1:1", f"expected {expected}, an object in braces")
    return data


def _place(path, text, at):
    return f"{path}:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


def _lines(text, place, budget):
    """Text that is known to be JSON needs no more than its keys, braces and brackets."""
    lines, inside, line, before, depth = {}, [], 1, 0, 0
    for part in _PART.finditer(text):
        budget.spend(4)
        sign = part[0]
        depth += (sign in ("{", "[")) - (sign in ("}", "]"))
        if depth > DEEPEST:
            raise ImportRefused(place(part.start()), f"it is nested more than {DEEPEST} deep")
        if sign == "{":
            inside.append(["", set()])
        elif sign == "}":
            inside.pop()
        elif part["key"]:
            name, keys = json.loads(part["key"]), inside[-1][1]
            if len(name) > _LONGEST_NAME:
                told = f"a name of {len(name)} letters, {shown(name)}: expected {_LONGEST_NAME} at most"
                raise ImportRefused(place(part.start()), told)
            if name in keys:
                raise ImportRefused(place(part.start()), f"{shown(name)} stands twice: which one counts?")
            keys.add(name)
            inside[-1][0] = name
            line, before = line + text.count("\n", before, part.start()), part.start()
            if len(inside) <= _DEEPEST_ASKED:
                lines.setdefault(tuple(name for name, _ in inside), line)
    return lines
