# SPDX-License-Identifier: GPL-2.0-only
"""Whole numbers as bash computes them in $(( ))."""

import re

from .shell_syntax import DEEPEST, Unreadable

_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9a-fA-F]+|\d+#\w+|\d+)|([A-Za-z_]\w*)|"
    r"(<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>=!~&|^?:,()\[\]]))"
)
_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
           ("*", "/", "%"))  # fmt: skip
_NUMBER = re.compile(r"([-+]?)(?:(0[xX][0-9a-fA-F]{1,15})|(0[0-7]{0,18})|([1-9]\d{0,17})|(\d{1,2})#(\w{1,12}))")
_LONGEST = 10_000


class NoNumber(Exception):
    """Something that bash takes for no number, or ends with an error at."""


def compute(text, read, write):
    """
    The value of an expression.

    :param read: the number of a variable by its name and index, :param write: sets it
    """
    if len(text) > _LONGEST:
        raise Unreadable("a sum is too long")
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise NoNumber(text)
        tokens.append(found.group().strip())
        at = found.end()
    if not tokens:
        return 0
    made = _Sum(tokens, read, write)
    value = made.several(True)
    if made.has_more():
        raise NoNumber(text)
    return value


def number_of(text):
    """A number as it is written; None of other texts."""
    text = text.strip()
    found = _NUMBER.fullmatch(text)
    if not found:
        return None
    sign, hexadecimal, octal, decimal, base, digits = found.groups()
    try:
        value = (
            int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else int(decimal) if decimal
            else int(digits, int(base))
        )  # fmt: skip
    except ValueError:
        return None
    return -value if sign == "-" else value


def _wrapped(value):
    """As 64 bits hold it."""
    return (value + 2**63) % 2**64 - 2**63


def _divide(one, two):
    if not two:
        raise NoNumber("a division by zero")
    return abs(one) // abs(two) * (1 if (one < 0) == (two < 0) else -1)


def _power(one, two):
    if not 0 <= two <= 10_000:
        raise NoNumber("an exponent")
    return pow(one, two, 2**64)


_OPERATIONS = {
    "|": lambda one, two: one | two,
    "^": lambda one, two: one ^ two,
    "&": lambda one, two: one & two,
    "==": lambda one, two: int(one == two),
    "!=": lambda one, two: int(one != two),
    "<": lambda one, two: int(one < two),
    ">": lambda one, two: int(one > two),
    "<=": lambda one, two: int(one <= two),
    ">=": lambda one, two: int(one >= two),
    "<<": lambda one, two: one << (two % 64),
    ">>": lambda one, two: one >> (two % 64),
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
    "/": _divide,
    "%": lambda one, two: one - _divide(one, two) * two,
    "**": _power,
}


class _Sum:
    """Computes while it reads; what `runs` is false of has no effect."""

    def __init__(self, tokens, read, write):
        self._tokens, self._at, self._depth = tokens, 0, 0
        self._read, self._write = read, write

    def has_more(self):
        return self._at < len(self._tokens)

    def _peek(self):
        return self._tokens[self._at] if self.has_more() else ""

    def _take(self, *tokens):
        found = self._peek() if self._peek() in tokens else ""
        self._at += bool(found)
        return found

    def several(self, runs):
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable("a sum is nested too deeply")
        value = self._choice(runs)
        while self._take(","):
            value = self._choice(runs)
        self._depth -= 1
        return value

    def _choice(self, runs):
        condition = self._binary(0, runs)
        if not self._take("?"):
            return condition
        one = self._choice(runs and bool(condition))
        if not self._take(":"):
            raise NoNumber("?")
        two = self._choice(runs and not condition)
        return one if condition else two

    def _binary(self, level, runs):
        if level == len(_LEVELS):
            return self._raised(runs)
        value = self._binary(level + 1, runs)
        while True:
            operator = self._take(*_LEVELS[level])
            if not operator:
                return value
            if operator in ("||", "&&"):
                decided = bool(value) == (operator == "||")
                other = self._binary(level + 1, runs and not decided)
                value = int(bool(value) if decided else bool(other))
            else:
                other = self._binary(level + 1, runs)
                value = _wrapped(_OPERATIONS[operator](value, other)) if runs else 0

    def _raised(self, runs):
        value = self._single(runs)
        if self._take("**"):
            other = self._raised(runs)
            return _wrapped(_power(value, other)) if runs else 0
        return value

    def _single(self, runs):
        operator = self._take("!", "~", "+", "-", "++", "--")
        if operator in ("++", "--"):
            name, index = self._variable(runs)
            return self._step(name, index, operator, runs)[1]
        if operator:
            self._depth += 1
            if self._depth > DEEPEST:
                raise Unreadable("a sum is nested too deeply")
            value = self._single(runs)
            self._depth -= 1
            return int(not value) if operator == "!" else ~value if operator == "~" else value * (
                -1 if operator == "-" else 1
            )
        if self._take("("):
            value = self.several(runs)
            if not self._take(")"):
                raise NoNumber("(")
            return value
        token = self._peek()
        if re.match(r"\d", token):
            self._at += 1
            value = number_of(token)
            if value is None:
                raise NoNumber(token)
            return value
        name, index = self._variable(runs)
        step = self._take("++", "--")
        if step:
            return self._step(name, index, step, runs)[0]
        operator = self._take("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
        if not operator:
            return self._read(name, index) if runs else 0
        value = self._choice(runs)
        if runs and operator != "=":
            value = _wrapped(_OPERATIONS[operator[:-1]](self._read(name, index), value))
        if runs:
            self._write(name, index, value)
        return value

    def _step(self, name, index, operator, runs):
        """The number before and behind a step."""
        if not runs:
            return 0, 0
        before = self._read(name, index)
        behind = _wrapped(before + (1 if operator == "++" else -1))
        self._write(name, index, behind)
        return before, behind

    def _variable(self, runs):
        name = self._peek()
        if not re.match(r"[A-Za-z_]", name):
            raise NoNumber(name or "nothing")
        self._at += 1
        index = None
        if self._take("["):
            index = self.several(runs)
            if not self._take("]"):
                raise NoNumber("[")
        return name, index
