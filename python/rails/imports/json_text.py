# SPDX-License-Identifier: GPL-2.0-only
"""JSON with the line of each key, read more strictly than Python does: a key stands once, a number fits its meaning."""

import json
import re

from .errors import ImportRefused, shown

_MOST_DIGITS = 300  # of a whole number: a float has no more
_PART = re.compile(r'(?P<key>"(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]')


def read_json(path, text, expected):
    """
    An object, and the line of each key by its path (a tuple; of objects in a list: the first one's).

    :param expected: what the file should be, for messages
    """

    def place(at):
        return f"{path}:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"

    def whole(digits):
        if len(digits) > _MOST_DIGITS:
            raise ImportRefused(place(text.find(digits)), f"a number of {len(digits)} digits: expected {expected}")
        return int(digits)

    try:
        data = json.loads(text, parse_int=whole)
    except json.JSONDecodeError as error:
        raise ImportRefused(place(error.pos), f"{error.msg}: expected {expected}") from error
    except RecursionError as error:
        raise ImportRefused(path, f"it is nested too deeply: expected {expected}") from error
    if not isinstance(data, dict):
        raise ImportRefused(f"{path}:1:1", f"expected {expected}, an object in braces")
    return data, _lines(text, place)


def _lines(text, place):
    """Text that is known to be JSON needs no more than its keys and braces."""
    lines, inside, line, before = {}, [], 1, 0
    for part in _PART.finditer(text):
        if part[0] == "{":
            inside.append(["", set()])
        elif part[0] == "}":
            inside.pop()
        elif part["key"]:
            name, keys = json.loads(part["key"]), inside[-1][1]
            if name in keys:
                raise ImportRefused(place(part.start()), f"{shown(name)} stands twice: which one counts?")
            keys.add(name)
            inside[-1][0] = name
            line, before = line + text.count("\n", before, part.start()), part.start()
            lines.setdefault(tuple(name for name, _ in inside), line)
    return lines
