# SPDX-License-Identifier: GPL-2.0-only
"""What words of a bash script stand for: variables, quotes, sums, and the output of commands that are followed."""

import fnmatch
import re

from .shell_arithmetic import NoNumber, compute, number_of
from .shell_syntax import Unreadable
from .shell_unknown import HIDDEN, Unknown

_BRACES = re.compile(r"([#!]?)([A-Za-z_]\w*|\d+|[@*#?$!-])(\[((?:[^\[\]]|\[[^\[\]]*\])*)\])?(.*)", re.DOTALL)
_OPERATOR = re.compile(r":?[-=+?]|##?|%%?|//?[#%]?|\^\^?|,,?|:")
_PLAIN_RUN = re.compile(r"[^\\'\"`$]*")
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")
# Text in front of braces; those of ranges and lists; what stands behind.
_PLAIN = r"\$\{\w+\}|\"[^\",{}]*\"|'[^',{}]*'"
_BRACED = re.compile(
    r"((?:[^{}$'\"`\\]|\$\w+\b|\$\{\w+\}|\"[^\"{}]*\"|'[^'{}]*')*)"
    r"\{(?:(-?[0-9]{1,6}|[a-zA-Z])\.\.(-?[0-9]{1,6}|[a-zA-Z])(?:\.\.-?([0-9]{1,6}))?|"
    rf"((?:[^{{}},'\"`\\]|{_PLAIN})*,(?:[^{{}}'\"`\\]|{_PLAIN})*))\}}(.*)",
    re.DOTALL,
)
_SETS = r"\s*(?:\[[^\]]*\])?\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)"
_SET = re.compile(rf"([A-Za-z_]\w*){_SETS}|(?:\+\+|--)\s*([A-Za-z_]\w*)")  # variables that a sum sets
_SET_UNKNOWN = re.compile(rf"(\w*{HIDDEN.pattern})\w*{_SETS}|(?:\+\+|--)\s*(\w*{HIDDEN.pattern})")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "r": "\r"}


class Words:
    """Expands words by the variables of a shell, which it asks for them."""

    def __init__(self, shell):
        self._shell = shell
        self.unknowns = shell.unknowns

    def fields(self, raw):
        """The words that a word as it is written becomes."""
        braced = _BRACED.fullmatch(raw)
        if braced:
            before, *bounds, step, listed, behind = braced.groups()
            parts = listed.split(",") if listed else _range(*bounds, int(step or 1) or 1)
            self._shell.spend(len(raw) * len(parts))
            return [field for part in parts for field in self.fields(before + part + behind)]
        if _names_files(re.sub(r"\$\{[^{}]*\}", "$", raw)):
            return [self._of_files(raw)]
        made, current = [], None
        for kind, value in self._pieces(raw):
            if kind == "split":
                value = self.unknowns.divided(value)
                parts = [self._of_files(part) if _names_files(part) else part for part in self.split(value)]
                if value[:1].isspace() and current is not None:
                    made.append(current)
                    current = None
                for number, part in enumerate(parts):
                    if number:
                        made.append(current)
                        current = None
                    current = (current or "") + part
                if value[-1:].isspace() and current is not None:
                    made.append(current)
                    current = None
            elif kind == "fields":
                for number, part in enumerate(value):
                    if number:
                        made.append(current)
                        current = None
                    current = (current or "") + part
            else:
                current = (current or "") + value
        if current is not None:
            made.append(current)
        self._shell.spend(sum(map(len, made)))
        return made

    def _of_files(self, pattern):
        told = f"it is not looked at which files there are of {self.unknowns.show(pattern)}"
        return self.unknowns.hide(Unknown(told, may_split=True))

    def text(self, raw, quoted=False):
        """A word as a text, without a division into several."""
        made = "".join(
            " ".join(value) if kind == "fields" else value for kind, value in self._pieces(raw, quoted)
        )
        self._shell.spend(len(made))
        return made

    def pattern(self, raw):
        """A word as a pattern, in which quoted characters stand for themselves."""
        return "".join(
            value if kind in ("bare", "split") else itself("".join(value)) for kind, value in self._pieces(raw)
        )

    def compute(self, text):
        """The value of a sum as a text."""
        text = self.text(text, quoted=True).replace('"', "")
        self._shell.spend(40 * len(text))
        hidden = self.unknowns.first(text)
        try:
            if not hidden:
                return str(compute(text, self._number, self._set_number))
        except Hidden as error:
            hidden = error.unknown
        except NoNumber:
            hidden = Unknown(f"$(({self.unknowns.show(text)[1:-1]})) is no number")
        made = self.unknowns.hide(hidden.follows())
        for name in _SET_UNKNOWN.findall(text):
            self._shell.lose_by("".join(name), f"(({text}))")
        for name in _SET.findall(text):
            self._shell.assign("".join(name), made)
        return made

    def _number(self, name, index):
        value = self._shell.scalar(name, None if index is None else str(index))
        if value is None:
            value = self._shell.unset(name)
        return self.number(value)

    def number(self, value):
        """The number that a text stands for in a sum: itself, or a variable of that name."""
        for _ in range(20):
            hidden = self.unknowns.first(value)
            if hidden:
                raise Hidden(hidden)
            number = number_of(value) if value.strip() else 0
            if number is not None:
                return number
            if not re.fullmatch(r"\s*[A-Za-z_]\w*\s*", value):
                break
            following = self._shell.scalar(value.strip())
            value = self._shell.unset(value.strip()) if following is None else following
        raise NoNumber(value)

    def _set_number(self, name, index, value):
        self._shell.assign(name, str(value), None if index is None else str(index))

    def is_true(self, text):
        """Whether a sum is not zero: true, false, or what is unknown of it."""
        value = self.compute(text)
        return self.unknowns.first(value) or value != "0"

    def split(self, text, most=None):
        """The parts of a text. :param most: how many there may be"""
        separators = self._shell.scalar("IFS")
        if separators is None or HIDDEN.search(separators):
            separators = " \t\n"
        blanks = "".join(char for char in separators if char in " \t\n")
        text = text.strip(blanks)
        if not text or most == 1 or not separators:
            return [text] if text else []
        others = re.escape("".join(char for char in separators if char not in blanks))
        blank, other = (f"[{chars}]" if chars else r"[^\s\S]" for chars in (blanks, others))
        divider = f"{blank}+(?:{other}{blank}*)?|{other}{blank}*"
        parts = re.split(divider, text, maxsplit=0 if most is None else most - 1)
        return parts[:-1] if parts[-1] == "" else parts

    def _pieces(self, raw, quoted=False):
        """Pairs of a kind (bare, quoted, split, fields) and a text, or a list of these."""
        at, plain = 0, "quoted" if quoted else "bare"
        while at < len(raw):
            char = raw[at]
            self._shell.spend(4)
            if char not in "\\'\"`$":
                end = _PLAIN_RUN.match(raw, at).end()
                yield plain, raw[at:end]
                at = end
                continue
            end = self._shell.scanner.skip(raw, at, quoted=quoted)
            part, at = raw[at:end], end
            if char == "\\":
                if part != "\\\n":
                    yield "quoted", part if quoted and part[1:] not in ("$", "`", '"', "\\") else part[1:]
            elif char == "'" and not quoted:
                yield "quoted", part[1:-1]
            elif char == '"' and not quoted:
                inner = list(self._pieces(part[1:-1], True))
                if inner != [("fields", [])]:
                    yield "quoted", ""
                yield from inner
            elif char == "`":
                yield "quoted" if quoted else "split", self._shell.substitute(re.sub(r"\\([`\\$])", r"\1", part[1:-1]))
            elif char == "$":
                if part == "$":
                    name = _NAME.match(raw, at)
                    if name:
                        at = name.end()
                        yield from self._variable(name.group(), None, quoted)
                    elif quoted or raw[at : at + 1] != '"':
                        yield plain, "$"
                else:
                    yield from self._expansion(part, quoted)
            else:
                yield plain, part

    def _expansion(self, part, quoted):
        kind = "quoted" if quoted else "split"
        if part.startswith("$["):
            yield kind, self.compute(part[2:-1])
        elif part.startswith("$((") and self._shell.scanner.closing(part, 3, ")") == len(part) - 1:
            yield kind, self.compute(part[3:-2])
        elif part.startswith("$("):
            yield kind, self._shell.substitute(part[2:-1])
        elif part.startswith("$'"):
            yield "quoted", self.escaped(part[2:-1])
        else:
            yield from self._braces(part[2:-1], quoted)

    def escaped(self, text):
        """A text with what its backslashes stand for."""
        unknown = self.unknowns.hide(Unknown("a character behind a backslash is not followed"))
        return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found.group(1), unknown), text)

    def _in_order(self, name, values):
        """Elements of a list; those of a map stand in an order that is not known."""
        if not self._shell.is_map(name) or len(values) < 2:
            return values
        unknown = Unknown(f"the order of {name}'s elements is not followed", is_list=True, may_split=True)
        return [self.unknowns.hide(unknown)]

    def _variable(self, name, index, quoted):
        values = self._values(name, index)
        if values is not None and (index or name) in ("@", "*"):
            values = self._in_order(name, values)
            if quoted and (index or name) == "*":
                separator = self._shell.scalar("IFS")
                yield "quoted", (" " if separator is None else separator[:1]).join(values)
            elif quoted:
                yield "fields", values
            else:
                yield "split", " ".join(values)
        else:
            value = self._shell.scalar(name, index)
            value = self._shell.unset(name, index in ("@", "*")) if value is None else value
            yield "quoted" if quoted else "split", value

    def _values(self, name, index):
        """The elements of a list; None of what is no list, or not set."""
        if name in ("@", "*"):
            return list(self._shell.positional)
        return self._shell.elements(name) if index in ("@", "*") else None

    def _braces(self, inside, quoted):
        kind = "quoted" if quoted else "split"
        found = _BRACES.fullmatch(inside)
        if inside in ("#", "?", "$", "!", "-"):
            yield from self._variable(inside, None, quoted)
            return
        operator = found and _OPERATOR.match(found.group(5))
        if not found or found.group(5) and not operator:
            yield kind, self.unknowns.hide(Unknown(f"${{{self.unknowns.show(inside)[1:-1]}}} is not followed"))
            return
        sign, name, subscript, index, rest = found.groups()
        if subscript and index not in ("@", "*"):
            index = self._index(name, index)
        if sign == "#":
            yield kind, self._length(name, index)
        elif sign == "!":
            keys = self._in_order(name, self._shell.keys(name)) if index in ("@", "*") else None
            if keys is None or index == "*":
                yield kind, " ".join(keys) if keys else self._indirect(name, index)
            else:
                yield ("fields", keys) if quoted else ("split", " ".join(keys))
        elif not operator:
            yield from self._variable(name, index, quoted)
        elif operator.group()[-1] in "-=+?":
            yield from self._or_else(name, index, operator.group(), rest[operator.end() :], quoted)
        else:
            values = self._values(name, index)
            whole = rest[operator.end() :]
            if values is not None and operator.group() == ":":
                first = [self._shell.scalar("0")] if name in ("@", "*") else []
                values = self._cut(first + values, whole)
            elif values is not None:
                values = [self._changed(value, operator.group(), whole) for value in values]
            if values is not None:
                yield ("fields", values) if quoted else ("split", " ".join(values))
                return
            value = self._shell.scalar(name, index)
            value = self._shell.unset(name) if value is None else value
            changed = self._cut(value, whole) if operator.group() == ":" else None
            yield kind, self._changed(value, operator.group(), whole) if changed is None else changed

    def _index(self, name, index):
        if self._shell.is_map(name):
            return self.text(index)
        return self.compute(index)

    def _length(self, name, index):
        values = self._values(name, index)
        if values is not None:
            hidden = self.unknowns.several(values)
            return self.unknowns.hide(hidden.follows()) if hidden else str(len(values))
        value = self._shell.scalar(name, index)
        value = self._shell.unset(name) if value is None else value
        hidden = self.unknowns.first(value)
        return self.unknowns.hide(hidden.follows()) if hidden else str(len(value))

    def _indirect(self, name, index):
        value = self._shell.scalar(name, index)
        value = self._shell.unset(name) if value is None else value
        hidden = self.unknowns.first(value)
        if hidden:
            return self.unknowns.hide(hidden.follows())
        value = value if re.fullmatch(r"\w+", value) else ""
        other = self._shell.scalar(value)
        return self._shell.unset(value) if other is None else other

    def _or_else(self, name, index, operator, rest, quoted):
        """${NAME:-REST} and its like."""
        if quoted and '"' in rest:
            if "$(" in rest:
                yield "quoted", self.unknowns.hide(Unknown(f"quotes in {self.unknowns.show(rest)} are not followed"))
                return
            rest = rest.replace('"', "")
        kind = "quoted" if quoted else "split"
        values = self._values(name, index)
        value = self._shell.scalar(name, index) if values is None else " ".join(values)
        if value is None:
            empty, assumed = True, True
        elif operator[0] == ":":
            empty, assumed = self.unknowns.emptiness(value)
        else:
            empty, assumed = (True, True) if self._is_unset(value) else (False, False)
        if assumed:
            self._shell.assume(name if operator[-1] == "?" else "")
        if empty is None:
            yield kind, self.unknowns.hide(self.unknowns.first(value).follows())
        elif operator[-1] == "+":
            yield from [] if empty else self._pieces(rest, quoted)
        elif not empty:
            yield from self._variable(name, index, quoted)
        elif operator[-1] == "?":
            yield kind, self._shell.unset(name)
        elif operator[-1] == "=":
            self._shell.assign(name, self.text(rest, quoted), index)
            yield from self._variable(name, index, quoted)
        elif not rest and assumed:
            yield kind, self._shell.unset(name)  # still set by nothing
        else:
            for part, text in self._pieces(rest, quoted):
                yield ("split", text) if part == "bare" else (part, text)

    def _is_unset(self, value):
        return bool(HIDDEN.fullmatch(value)) and self.unknowns[value].is_unset

    def _cut(self, value, rest):
        """${NAME:FROM:COUNT} of a text or a list."""
        numbers = []
        for part in rest.split(":")[:2]:
            number = number_of(self.compute(part))
            if number is None:
                break
            numbers.append(number)
        hidden = self.unknowns.first(value) if isinstance(value, str) else self.unknowns.several(value)
        if hidden or len(numbers) < min(2, rest.count(":") + 1):
            told = hidden.follows() if hidden else Unknown(f"${{...:{self.unknowns.show(rest)[1:-1]}}} is not followed")
            made = self.unknowns.hide(told)
            return made if isinstance(value, str) else [made]
        first = numbers[0] if numbers[0] >= 0 else max(0, len(value) + numbers[0])
        last = len(value) if len(numbers) < 2 else first + numbers[1] if numbers[1] >= 0 else len(value) + numbers[1]
        return value[first : max(first, last)]

    def _changed(self, value, operator, rest):
        """${NAME%PATTERN} and its like."""
        hidden = self.unknowns.first(value)
        if operator[0] in "^," and rest:
            hidden = hidden or Unknown(f"the pattern {self.unknowns.show(rest)} is not followed")
        if operator[0] in "^,":
            changed = value.upper() if operator[0] == "^" else value.lower()
            changed = changed if len(operator) == 2 else changed[:1] + value[1:]
            return self.unknowns.hide(hidden.follows()) if hidden else changed
        pattern, _, other = rest.partition("/") if operator[0] == "/" else (rest, "", "")
        pattern, other = self.pattern(pattern), self.text(other)
        hidden = hidden or self.unknowns.first(pattern) or self.not_followed(pattern)
        if hidden:
            return self.unknowns.hide(hidden.follows())
        size, is_plain = len(value), not re.search(r"[*?\[]", pattern)
        self._shell.spend(size // 16 if is_plain else size * (size + 20))
        if operator[0] in "#%" and is_plain:
            part = re.sub(r"\\(.)", r"\1", pattern)
            return value.removeprefix(part) if operator[0] == "#" else value.removesuffix(part)
        if operator[0] in "#%":
            lengths = range(size + 1) if len(operator) == 1 else range(size, -1, -1)
            for length in lengths:
                part = value[:length] if operator[0] == "#" else value[size - length :]
                if self.matches(part, pattern):
                    return value[length:] if operator[0] == "#" else value[: size - length]
            return value
        if not is_plain or not pattern or "&" in other or len(operator) > 1 and operator[1] != "/":
            return self.unknowns.hide(Unknown(f"a replacement of {self.unknowns.show(rest)} is not followed"))
        self._shell.spend(value.count(pattern) * len(other))
        return value.replace(pattern, other, -1 if operator == "//" else 1)

    def not_followed(self, pattern):
        """What is unknown of whether texts are of a pattern; None where it is followed."""
        told = self.unknowns.show(pattern)
        return Unknown(f"the pattern {told} is not followed") if re.search(r"[?*+@!]\(|\[:", pattern) else None

    def matches(self, text, pattern):
        """Whether a text is of a pattern, both known."""
        if not re.search(r"[*?\[]", pattern):
            return text == re.sub(r"\\(.)", r"\1", pattern)
        if pattern.count("*") > 8 or len(pattern) > 500:
            raise Unreadable("a pattern is too long")
        self._shell.spend(20 + len(text))
        return fnmatch.fnmatchcase(text, pattern.replace("[^", "[!"))


def _names_files(text):
    """Whether a word is a pattern of paths."""
    if not re.search(r"[*?]", text) or "]*" in text or not re.fullmatch(r"[^'\"\\()\s]+", text):
        return False
    return text[0] in "*?" or bool(re.search("[./]", text))


def itself(text):
    """A pattern of which a text is the only one."""
    return re.sub(r"([*?\[(\\])", r"[\1]", text)


def _range(first, last, step):
    """The texts of {FIRST..LAST..STEP}."""
    is_number = [bool(re.fullmatch(r"-?[0-9]+", bound)) for bound in (first, last)]
    if is_number[0] != is_number[1]:
        raise Unreadable("a range of numbers and letters is not followed")
    begin, end = (int(first), int(last)) if all(is_number) else (ord(first), ord(last))
    if abs(end - begin) // step > 10_000:
        raise Unreadable("a range is too long")
    numbers = range(begin, end + 1, step) if begin <= end else range(begin, end - 1, -step)
    width = max(map(len, (first, last))) if re.search(r"(^|-)0\d", f"{first} {last}".replace(" ", "-")) else 0
    return [f"{number:0{width}}" if all(is_number) else chr(number) for number in numbers]


class Hidden(Exception):
    """A sum of what is not known."""

    def __init__(self, unknown):
        super().__init__()
        self.unknown = unknown
