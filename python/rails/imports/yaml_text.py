# SPDX-License-Identifier: GPL-2.0-only
"""
Reads the YAML that configurations of trainings are written in, and where each value stands: blocks and flow
lists, quotes, comments, anchors, text over several lines. What it does not know it refuses.
"""

import re
from dataclasses import dataclass

from .errors import ImportRefused, shown

_DEEPEST = 100
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'\[\]{},&*!|>%@`][^#]*?)\s*:(?=\s|$)""")
_PROPERTY = re.compile(r"([&!][^\s,\[\]{}]*)(?:\s+|$)")


@dataclass(frozen=True)
class Item:
    """A value and where it begins, lines and columns counted from 1. A list and a mapping hold items."""

    value: object
    line: int
    column: int


@dataclass
class _Line:
    number: int
    indent: int
    text: str  # without its indent and its comment


def read_yaml(text, path):
    """The document as an item."""
    return _Reader(text, path).read()


class _Reader:
    def __init__(self, text, path):
        self._path = path
        self._raw = text.split("\n")
        self._lines = [line for number, raw in enumerate(self._raw, 1) if (line := self._line(number, raw))]
        self._at = 0
        self._depth = 0
        self._anchors = {}

    def read(self):
        if not self._lines:
            return Item({}, 1, 1)
        item = self._block(self._lines[0].indent)
        if self._at < len(self._lines):
            self._refuse(self._lines[self._at], "it is indented otherwise than what is before")
        return item

    def _line(self, number, raw):
        if "\t" in raw[: len(raw) - len(raw.lstrip())]:
            raise ImportRefused(f"{self._path}:{number}:1", "a tab: YAML is indented by blanks")
        text = _without_comment(raw).rstrip()
        bare = text.lstrip()
        if not bare or bare in ("---", "...") or (bare.startswith("%") and len(bare) == len(text)):
            return None
        return _Line(number, len(text) - len(bare), bare)

    def _refuse(self, line, reason, column=None):
        raise ImportRefused(f"{self._path}:{line.number}:{column or line.indent + 1}", reason)

    def _block(self, indent):
        """What is at an indent, from the present line on."""
        self._depth += 1
        line = self._lines[self._at]
        if self._depth > _DEEPEST:
            self._refuse(line, f"it is nested more than {_DEEPEST} deep")
        if line.text == "-" or line.text.startswith("- "):
            item = self._sequence(indent)
        elif _KEY.match(line.text):
            item = self._mapping(indent)
        else:
            self._at += 1
            item = self._value(line, line.indent, line.text, indent - 1)
        self._depth -= 1
        return item

    def _sequence(self, indent):
        first, found = self._lines[self._at], []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.indent != indent or not (line.text == "-" or line.text.startswith("- ")):
                break
            rest = line.text[1:].lstrip()
            column = line.indent + len(line.text) - len(rest)
            if rest and (_KEY.match(rest) or rest.startswith("- ")):
                self._lines[self._at] = _Line(line.number, column, rest)
                found.append(self._block(column))
            else:
                self._at += 1
                found.append(self._value(line, column, rest, indent))
        self._check_end(indent)
        return Item(found, first.number, first.indent + 1)

    def _mapping(self, indent):
        first, found = self._lines[self._at], {}
        while self._at < len(self._lines):
            line = self._lines[self._at]
            key = _KEY.match(line.text)
            if line.indent != indent or line.text.startswith("- "):
                break
            if not key:
                self._refuse(line, f"expected KEY: VALUE, found {shown(line.text)}")
            name = _scalar(key.group(1))
            name = name if isinstance(name, str) else key.group(1)
            self._at += 1
            rest = line.text[key.end() :]
            column = line.indent + key.end() + len(rest) - len(rest.lstrip())
            item = self._value(line, column, rest.strip(), indent)
            if name in found and found[name].value != item.value:
                self._refuse(line, f"{name} is given twice, otherwise in line {found[name].line}: take one out")
            found[name] = item
        self._check_end(indent)
        merged = found.pop("<<", None)
        if merged:
            others = merged.value if isinstance(merged.value, list) else [merged]
            for other in others:
                if not isinstance(other.value, dict):
                    self._refuse(first, "<< is for mappings")
                found = {**other.value, **found}
        return Item(found, first.number, first.indent + 1)

    def _check_end(self, indent):
        if self._at < len(self._lines) and self._lines[self._at].indent > indent:
            self._refuse(self._lines[self._at], "it is indented otherwise than what is before")

    def _value(self, line, column, text, indent):
        """What stands behind a key or a dash; what is indented further belongs to it."""
        anchor = None
        while found := _PROPERTY.match(text):
            if found.group(1).startswith("&"):
                anchor = found.group(1)[1:]
            column += found.end()
            text = text[found.end() :]
        item = self._bare_value(line, column, text, indent)
        if anchor:
            self._anchors[anchor] = item
        return item

    def _bare_value(self, line, column, text, indent):
        if not text:
            return self._nested(line, column, indent)
        if text[0] == "*":
            if text[1:] not in self._anchors:
                self._refuse(line, f"there is no anchor {shown(text[1:])} before", column + 1)
            return self._anchors[text[1:]]
        if re.fullmatch(r"[|>][-+0-9]*", text):
            return Item(self._block_text(line, indent, text[0]), line.number, column + 1)
        if text[0] in "[{\"'":
            return self._flow(line, column, text, indent)
        words = [text]
        while self._at < len(self._lines) and self._lines[self._at].indent > indent:
            words.append(self._lines[self._at].text)
            self._at += 1
        if len(words) > 1 and any(_KEY.match(word) for word in words[1:]):
            self._refuse(line, "a value and keys below it: expected one of both", column + 1)
        return Item(_scalar(" ".join(words)), line.number, column + 1)

    def _nested(self, line, column, indent):
        """A block below a key; a list may begin below the key itself."""
        if self._at == len(self._lines):
            return Item(None, line.number, column + 1)
        below = self._lines[self._at]
        is_list = below.text == "-" or below.text.startswith("- ")
        is_key = not (line.text == "-" or line.text.startswith("- "))
        if below.indent > indent or (below.indent == indent and is_list and is_key):
            return self._block(below.indent)
        return Item(None, line.number, column + 1)

    def _block_text(self, line, indent, kind):
        lines, number = [], line.number
        while number < len(self._raw):
            raw = self._raw[number]
            if raw.strip() and len(raw) - len(raw.lstrip()) <= indent:
                break
            lines.append(raw.strip())
            number += 1
        while self._at < len(self._lines) and self._lines[self._at].number <= number:
            self._at += 1
        return ("\n" if kind == "|" else " ").join(lines).strip()

    def _flow(self, line, column, text, indent):
        """A value in brackets or quotes, which may go on in the lines below."""
        while True:
            try:
                value, end = _read_flow(text, 0, 0)
                break
            except _Unfinished:
                if self._at == len(self._lines) or self._lines[self._at].indent <= indent and text[0] in "\"'":
                    self._refuse(line, f"{text[0]} is not closed", column + 1)
                text += " " + self._lines[self._at].text
                self._at += 1
            except ValueError as error:
                self._refuse(line, str(error), column + 1)
        rest = text[end:].lstrip()
        if rest:
            self._refuse(line, f"unexpected {shown(rest)}", column + 1 + len(text) - len(rest))
        return _place(value, line.number, column + 1)


class _Unfinished(Exception):
    pass


def _place(value, line, column):
    if isinstance(value, list):
        return Item([_place(part, line, column) for part in value], line, column)
    if isinstance(value, dict):
        return Item({key: _place(part, line, column) for key, part in value.items()}, line, column)
    return Item(value, line, column)


def _read_flow(text, at, depth):
    """A value of a flow and where it ends."""
    if depth > _DEEPEST:
        raise ValueError(f"it is nested more than {_DEEPEST} deep")
    at = _skip(text, at)
    if text[at] in "\"'":
        found = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""").match(text, at)
        if not found:
            raise _Unfinished
        return _scalar(found.group()), found.end()
    if text[at] in "[{":
        return _read_brackets(text, at, depth)
    found = re.compile(r"[^,\[\]{}]*?(?=\s*(?:[,\[\]{}]|:\s|:$|$))").match(text, at)
    if not found.group():
        raise ValueError(f"unexpected {shown(text[at:])}")
    return _scalar(found.group()), found.end()


def _read_brackets(text, at, depth):
    is_list = text[at] == "["
    closing, found = "]" if is_list else "}", [] if is_list else {}
    at = _skip(text, at + 1)
    while text[at] != closing:
        value, at = _read_flow(text, at, depth + 1)
        at = _skip(text, at)
        if is_list:
            found.append(value)
        else:
            if text[at] != ":":
                raise ValueError("expected KEY: VALUE in braces")
            found[str(value)], at = _read_flow(text, at + 1, depth + 1)
            at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        elif text[at] != closing:
            raise ValueError(f"expected , or {closing}, found {shown(text[at:])}")
    return found, at + 1


def _skip(text, at):
    while at < len(text) and text[at] == " ":
        at += 1
    if at == len(text):
        raise _Unfinished
    return at


def _scalar(text):
    if text[:1] == '"' and len(text) > 1:
        return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found.group(1), found.group(1)), text[1:-1])
    if text[:1] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", text):
        return float(text)
    return text


def _without_comment(raw):
    """A line up to a # behind a blank, outside of quotes."""
    if "#" not in raw:
        return raw
    quote, is_escaped = "", False
    for at, letter in enumerate(raw):
        if quote:
            quote = "" if letter == quote and not is_escaped else quote
            is_escaped = quote == '"' and letter == "\\" and not is_escaped
        elif letter in "\"'" and (at == 0 or raw[at - 1] in " [{,:"):
            quote = letter
        elif letter == "#" and (at == 0 or raw[at - 1] in " \t"):
            return raw[:at]
    return raw
