# SPDX-License-Identifier: GPL-2.0-only
"""
Reads the YAML that configurations of trainings are written in, and where each value stands: blocks and flow
lists, quotes, comments, anchors, text over several lines. What it does not know it refuses.
"""

import itertools
import re
from dataclasses import dataclass

from .budget import Budget
from .errors import ImportRefused, shown

_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_QUOTED = r"""(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')"""
_KEY = re.compile(rf"""{_QUOTED}\s*:(?=\s|$)|[^\s#"'\[\]{{}},&*!|>%@`:][^#]*?:(?=\s|$)""")
_BLANKS = re.compile(" *")
_PLAIN_END = re.compile(r"[,\[\]{}]|:(?=\s|$)|$")  # of a value in brackets
_PROPERTY = re.compile(r"([&!][^\s,\[\]{}]*)(?:\s+|$)")


@dataclass(frozen=True)
class Item:
    """
    A value and where it begins, lines and columns counted from 1. A list and a mapping hold items.

    :param size: how many values it is, with what aliases in it stand for
    :param depth: levels of lists and mappings
    """

    value: object
    line: int
    column: int
    size: int = 1
    depth: int = 0


@dataclass
class _Line:
    number: int
    indent: int
    text: str  # without its indent and its comment


def read_yaml(text, path, budget=None):
    """The document as an item."""
    return _Reader(text, path, budget or Budget(path)).read()


class _Reader:
    def __init__(self, text, path, budget):
        self._path = path
        self._budget = budget
        budget.spend(len(text) // 4)
        self._raw = text.split("\n")
        self._lines = [line for number, raw in enumerate(self._raw, 1) if (line := self._line(number, raw))]
        self._at = 0
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
        line = self._lines[self._at]
        self._budget.place = f"{self._path}:{line.number}:{line.indent + 1}"
        with self._budget.deeper():
            if line.text == "-" or line.text.startswith("- "):
                return self._sequence(indent)
            if _KEY.match(line.text):
                return self._mapping(indent)
            self._at += 1
            return self._value(line, line.indent, line.text, indent - 1)

    def _made(self, value, line, column):
        """An item, which counts."""
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        size = 1 + sum(item.size for item in inner)
        self._budget.place = f"{self._path}:{line}:{column}"
        self._budget.make(size, 20)
        depth = 1 + max((item.depth for item in inner), default=0) if isinstance(value, (dict, list)) else 0
        return Item(value, line, column, size, depth)

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
        return self._made(found, first.number, first.indent + 1)

    def _mapping(self, indent):
        first, found = self._lines[self._at], {}
        while self._at < len(self._lines):
            line = self._lines[self._at]
            key = _KEY.match(line.text)
            if line.indent != indent or line.text.startswith("- "):
                break
            if not key:
                self._refuse(line, f"expected KEY: VALUE, found {shown(line.text)}")
            written = key.group()[:-1].rstrip()
            name = _scalar(written)
            name = name if isinstance(name, str) else written
            self._at += 1
            rest = line.text[key.end() :]
            column = line.indent + key.end() + len(rest) - len(rest.lstrip())
            item = self._value(line, column, rest.strip(), indent)
            if name in found and not self._are_alike(found[name], item):
                self._refuse(line, f"{shown(name)[1:-1]} is given twice, otherwise in line {found[name].line}: take one out")
            found[name] = item
        self._check_end(indent)
        merged = found.pop("<<", None)
        if merged:
            others = merged.value if isinstance(merged.value, list) else [merged]
            for other in others:
                if not isinstance(other.value, dict):
                    self._refuse(first, "<< is for mappings")
                self._budget.make(len(other.value) + len(found))
                found = {**other.value, **found}
        return self._made(found, first.number, first.indent + 1)

    def _are_alike(self, one, two):
        self._budget.make(min(one.size, two.size))
        return one.value == two.value

    def _check_end(self, indent):
        if self._at < len(self._lines) and self._lines[self._at].indent > indent:
            self._refuse(self._lines[self._at], "it is indented otherwise than what is before")

    def _value(self, line, column, text, indent):
        """What stands behind a key or a dash; what is indented further belongs to it."""
        anchor, at = None, 0
        while found := _PROPERTY.match(text, at):
            if found.group(1).startswith("&"):
                anchor = found.group(1)[1:]
            at = found.end()
        item = self._bare_value(line, column + at, text[at:], indent)
        if anchor:
            self._anchors[anchor] = item
        return item

    def _bare_value(self, line, column, text, indent):
        if not text:
            return self._nested(line, column, indent)
        if text[0] == "*":
            if text[1:] not in self._anchors:
                self._refuse(line, f"there is no anchor {shown(text[1:])} before", column + 1)
            item = self._anchors[text[1:]]
            self._budget.place = f"{self._path}:{line.number}:{column + 1}"
            with self._budget.deeper(item.depth):
                self._budget.make(item.size)
            return item
        if re.fullmatch(r"[|>][-+0-9]*", text):
            return self._made(self._block_text(line, indent, text[0]), line.number, column + 1)
        if text[0] in "[{\"'":
            return self._flow(line, column, text, indent)
        words = [text]
        while self._at < len(self._lines) and self._lines[self._at].indent > indent:
            words.append(self._lines[self._at].text)
            self._at += 1
        if len(words) > 1 and any(_KEY.match(word) for word in words[1:]):
            self._refuse(line, "a value and keys below it: expected one of both", column + 1)
        return self._made(_scalar(" ".join(words)), line.number, column + 1)

    def _nested(self, line, column, indent):
        """A block below a key; a list may begin below the key itself."""
        if self._at == len(self._lines):
            return self._made(None, line.number, column + 1)
        below = self._lines[self._at]
        is_list = below.text == "-" or below.text.startswith("- ")
        is_key = not (line.text == "-" or line.text.startswith("- "))
        if below.indent > indent or (below.indent == indent and is_list and is_key):
            return self._block(below.indent)
        return self._made(None, line.number, column + 1)

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
        parts, ends, more = [text], [len(text)], 1
        self._budget.place = f"{self._path}:{line.number}:{column + 1}"
        while True:
            text = " ".join(parts)
            try:
                value, end = _Flow(text, self._budget).read(0)
                break
            except _Unfinished:
                last = self._at + len(parts) - 1
                found = self._lines[last : last + more]
                if text[0] in "\"'":
                    found = list(itertools.takewhile(lambda below: below.indent > indent, found))
                if not found:
                    self._refuse(line, f"{text[0]} is not closed", column + 1)
                parts += [below.text for below in found]
                ends = list(itertools.accumulate(len(part) + 1 for part in parts))
                more = len(parts)  # as many again, so that all are read a few times at most
            except ValueError as error:
                self._refuse(line, str(error), column + 1)
        taken = next(number for number, behind in enumerate(ends) if end <= behind)
        self._at += taken
        rest = text[end : ends[taken]].strip()
        if rest:
            self._refuse(line, f"unexpected {shown(rest)}", column + 1 + text.index(rest, end))
        return self._placed(value, line.number, column + 1)

    def _placed(self, value, line, column):
        if isinstance(value, list):
            value = [self._placed(part, line, column) for part in value]
        elif isinstance(value, dict):
            value = {key: self._placed(part, line, column) for key, part in value.items()}
        return self._made(value, line, column)


class _Unfinished(Exception):
    pass


class _Flow:
    """Reads a value in brackets or quotes."""

    def __init__(self, text, budget):
        self._text, self._budget = text, budget
        budget.spend(len(text) // 4)

    def read(self, at):
        """A value and where it ends."""
        self._budget.spend(8)
        at, text = self._skip(at), self._text
        if text[at] in "\"'":
            found = re.compile(_QUOTED).match(text, at)
            if not found:
                raise _Unfinished
            return _scalar(found.group()), found.end()
        if text[at] in "[{":
            with self._budget.deeper():
                return self._read_brackets(at)
        found = text[at : _PLAIN_END.search(text, at).start()].rstrip()
        if not found:
            raise ValueError(f"unexpected {shown(text[at : at + 100])}")
        return _scalar(found), at + len(found)

    def _read_brackets(self, at):
        text, is_list = self._text, self._text[at] == "["
        closing, found = "]" if is_list else "}", [] if is_list else {}
        at = self._skip(at + 1)
        while text[at] != closing:
            value, at = self.read(at)
            at = self._skip(at)
            if is_list:
                found.append(value)
            else:
                name = str(value) if not isinstance(value, (list, dict)) else ""
                if text[at] != ":" or not name:
                    raise ValueError("expected KEY: VALUE in braces")
                value, at = self.read(at + 1)
                at = self._skip(at)
                if found.setdefault(name, value) is not value and found[name] != value:
                    raise ValueError(f"{shown(name)} is given twice: take one out")
            if text[at] == ",":
                at = self._skip(at + 1)
            elif text[at] != closing:
                raise ValueError(f"expected , or {closing}, found {shown(text[at : at + 100])}")
        return found, at + 1

    def _skip(self, at):
        at = _BLANKS.match(self._text, at).end()
        if at == len(self._text):
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
    if re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", text):
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
