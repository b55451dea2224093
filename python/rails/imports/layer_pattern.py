# SPDX-License-Identifier: GPL-2.0-only
"""Patterns of layers as Megatron takes them: lists of 0 and 1 by Python's + and *, such as ([0]*3+[1]*58)."""

import re

from .values import refuse

_MOST = 100_000  # layers

def read_pattern(found, text):
    """A list by Python's + and * alone, such as ([0]*3+[1]*58)."""
    tokens = re.findall(r"\[[\s0-9,]*\]|[()+*]|[0-9]+|\S", text)
    if len(tokens) > 1000 or tokens.count("(") > 50 or re.search(r"[0-9]{10}", text):
        refuse(found, "a shorter pattern")

    def factor(at):
        if at < len(tokens) and tokens[at] == "(":
            value, at = whole(at + 1)
            if at == len(tokens) or tokens[at] != ")":
                refuse(found, "a pattern such as ([0]*3+[1]*58)")
            return value, at + 1
        if at < len(tokens) and re.match(r"\[.*\]|[0-9]", tokens[at], re.DOTALL):
            token = tokens[at]
            return ([int(number) for number in re.findall("[0-9]+", token)] if token[0] == "[" else int(token)), at + 1
        refuse(found, "a pattern such as ([0]*3+[1]*58)")
        return None, at

    def product(at):
        value, at = factor(at)
        while at < len(tokens) and tokens[at] == "*":
            other, at = factor(at + 1)
            parts, times = (value, other) if isinstance(value, list) else (other, value)
            if not isinstance(parts, list) or not isinstance(times, int) or len(parts) * times > _MOST:
                refuse(found, "a pattern such as ([0]*3+[1]*58)")
            value = parts * times
        return value, at

    def whole(at):
        value, at = product(at)
        while at < len(tokens) and tokens[at] == "+":
            other, at = product(at + 1)
            if not isinstance(value, list) or not isinstance(other, list) or len(value) + len(other) > _MOST:
                refuse(found, "a pattern such as ([0]*3+[1]*58)")
            value = value + other
        return value, at

    value, at = whole(0)
    if at < len(tokens) or not isinstance(value, list):
        refuse(found, "a pattern such as ([0]*3+[1]*58)")
    return value
