# SPDX-License-Identifier: GPL-2.0-only
"""The commands of a bash script, as far as scripts that begin trainings use the language. Nothing is run here."""

import bisect
import re
from dataclasses import dataclass, field

from .budget import Budget
from .errors import ImportRefused, shown

DEEPEST = 40  # quotes and commands inside of each other
_MOST = 200_000  # commands
_OPERATOR = re.compile(r"(\d*|&)(<<<|<<-|<<|<&|<>|>>|>&|>\||<|>)")
_ARRAY = re.compile(r"([A-Za-z_]\w*)(\+?)=\(")
_SCALAR = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]]*)\])?(\+?)=")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)([A-Za-z_]\w*)\1")
_CASE = re.compile(r"\bcase\s")
_BLANKS, _TABS = re.compile(r"[ \t\r]*"), re.compile(r"\t*")
# What stands for itself: in words, in brackets, in double quotes; the inside of `` and $'' up to their end.
_IN_WORD, _INSIDE = re.compile(r"[^ \t\n;&|)<>(\\'\"`$]*"), re.compile(r"[^\\'\"`$(){}\[\]<#]*")
_QUOTED = re.compile(r'[^"\\`$]*')
_BACKQUOTED, _ESCAPED = (re.compile(rf"[^{end}\\]*(?:\\[\s\S]?[^{end}\\]*)*") for end in "`'")
_CLOSERS = {"(": ")", "{": "}", "[": "]"}
DECLARES = ("declare", "local", "export", "readonly", "typeset")


class Unreadable(Exception):
    """A script that is not followed any further. :param line: where, None of a text without lines"""

    def __init__(self, told, line=None):
        super().__init__(told)
        self.told, self.line = told, line


@dataclass
class Assign:
    """NAME=VALUE. :param value: a word as it is written, or a list of these"""

    name: str
    index: object
    adds: bool
    value: object


@dataclass
class Command:
    line: int
    assigned: list = field(default_factory=list)
    words: list = field(default_factory=list)  # as written, or Assign of a list
    redirections: list = field(default_factory=list)  # (operator, word, text of a here-document)


@dataclass
class Compound:
    """
    A command with commands in it.

    :param kind: pipeline, list, if, for, count, while, until, case, function, group, subshell, background, test,
        arithmetic
    """

    line: int
    kind: str
    parts: list
    more: object = None


class Scanner:
    """Finds where quotes, expansions and brackets end."""

    def __init__(self, budget):
        self._spend = budget.spend
        self._ends = {}  # of commands in $( ), by their text and where they begin

    def skip(self, text, at, depth=0, quoted=False):
        """The index behind the quoted part, expansion or character that begins at `at`."""
        self._spend(3)
        if depth > DEEPEST:
            raise Unreadable("quotes and commands are nested too deeply")
        begin, behind = text[at], text[at + 1 : at + 2]
        if begin == "\\":
            return min(at + 2, len(text))
        if begin == "'" and not quoted:
            return _behind(text, text.find("'", at + 1), "'")
        if begin == '"' and not quoted:
            at = _QUOTED.match(text, at + 1).end()
            while at < len(text) and text[at] != '"':
                at = _QUOTED.match(text, self.skip(text, at, depth + 1, quoted=True)).end()
            return _behind(text, at, '"')
        if begin == "`":
            return _behind(text, _BACKQUOTED.match(text, at + 1).end(), "`")
        if begin == "$" and behind == "'" and not quoted:
            return _behind(text, _ESCAPED.match(text, at + 2).end(), "'")
        if begin == "$" and behind in _CLOSERS:
            end = self.closing(text, at + 2, _CLOSERS[behind], depth + 1)
            self._spend((end - at) // 64)
            if behind == "(" and _CASE.search(text, at, end):  # whose patterns have a ) alone
                return self._end_of_commands(text, at + 2)
            return end
        return at + 1

    def closing(self, text, at, closer, depth=0):
        """The index behind the bracket that closes one in front of `at`."""
        level, is_sum = 0, text[at : at + 1] == "("
        while at < len(text):
            found = _INSIDE.match(text, at).end()
            self._spend(2 + (found - at) // 64)
            at = found
            char = text[at : at + 1]
            if not char:
                break
            if char == closer and not level:
                return at + 1
            if closer == ")":
                level += (char == "(") - (char == ")")
                found = None if is_sum or char != "<" else _HEREDOC.match(text, at)
                if found:
                    at = self._end_of_heredoc(text, found)
                    continue
                if char == "#" and not is_sum and text[at - 1] in " \t\n;":
                    at = _end_of_line(text, at)
                    continue
            at = self.skip(text, at, depth)
        raise Unreadable(f"'{closer}' is missing")

    def _end_of_heredoc(self, text, found):
        """The index behind the line that ends it, which may begin with tabs."""
        line = "\n" + found.group(2)
        at = _end_of_line(text, found.end())
        while at < len(text):
            self._spend(3)
            begin = _TABS.match(text, at + 1).end()
            end = _end_of_line(text, begin)
            if text[begin:end] == line[1:]:
                return end
            at = end
        return len(text)

    def _end_of_commands(self, text, at):
        """The index behind the bracket that ends the commands from an index on."""
        if (text, at) not in self._ends:
            reader = _Reader(text, None, self, self._spend, at)
            reader.commands((")",))
            self._ends[text, at] = reader.at + 1
        return self._ends[text, at]


def _behind(text, at, char):
    if not 0 <= at < len(text):
        raise Unreadable(f"{char} is not closed")
    return at + 1


def _end_of_line(text, at):
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def parse(text, line=1, budget=None):
    """The commands of a text whose first line has the given number."""
    budget = budget or Budget()
    reader = _Reader(text, line, Scanner(budget), budget.spend)
    try:
        found = reader.commands(())
    except Unreadable as error:
        raise Unreadable(error.told, error.line or reader.line()) from error
    except ImportRefused as error:  # of the budget
        raise Unreadable(error.reason, reader.line()) from error
    return found


class _Reader:
    def __init__(self, text, line, scanner, spend, at=0):
        """:param line: number of the first one; None where nobody asks for lines"""
        self._text, self._at = text, at
        self._scanner, self._spend = scanner, spend
        self._first = line or 1
        spend(0 if line is None else 40 + len(text) // 16)
        self._starts = [] if line is None else [found.end() for found in re.finditer("\n", text)]
        self._awaited = []  # here-documents whose text follows in the next line
        self._depth = self._count = 0

    @property
    def at(self):
        return self._at

    def line(self):
        return self._first + bisect.bisect_right(self._starts, min(self._at, len(self._text)))

    def commands(self, ends):
        """Commands up to one of the words that end them, which is left in place."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable("commands are nested too deeply")
        found = []
        while True:
            self._skip_blanks(lines=True)
            if self._at >= len(self._text):
                if ends:
                    raise Unreadable(f"'{ends[0]}' is missing")
                break
            if self._is_next(ends):
                break
            made = self._list()
            self._count += 1
            if self._count > _MOST:
                raise Unreadable("it has too many commands")
            self._skip_blanks()
            if self._take("&"):
                made = Compound(made.line, "background", [made])
            elif not self._is_separator(ends):
                raise self._unexpected()
            found.append(made)
        self._depth -= 1
        return found

    def _unexpected(self):
        text = self._text[self._at : self._at + 20].split("\n")[0]
        told = shown(text) if text else "end" if self._at >= len(self._text) else "end of the line"
        return Unreadable(f"unexpected {told}")

    def _is_separator(self, ends):
        rest = self._text[self._at : self._at + 1]
        if rest == ";" and not self._text.startswith(";;", self._at):
            self._at += 1
            return True
        return rest in ("", "\n", "#") or self._is_next(ends) or rest == ")" and ")" in ends

    def _is_next(self, ends):
        for end in ends:
            if self._text.startswith(end, self._at):
                behind = self._text[self._at + len(end) : self._at + len(end) + 1]
                if not end[-1].isalpha() and end != "}" or behind in ("", *" \t\n;&|)<>"):
                    return True
        return False

    def _skip_blanks(self, lines=False):
        while self._at < len(self._text):
            self._spend(2)
            self._at = _BLANKS.match(self._text, self._at).end()
            char = self._text[self._at : self._at + 1]
            if self._text.startswith("\\\n", self._at):
                self._at += 2
            elif char == "#":
                self._at = _end_of_line(self._text, self._at)
            elif char == "\n" and lines:
                self._at += 1
                self._read_awaited()
            elif char and lines and char == ";" and not self._text.startswith(";;", self._at):
                self._at += 1
            else:
                return

    def _read_awaited(self):
        for held, delimiter, strips in self._awaited:
            lines = []
            while self._at < len(self._text):
                self._spend(3)
                end = _end_of_line(self._text, self._at)
                line = self._text[self._at : end]
                line = line.lstrip("\t") if strips else line
                self._at = min(end + 1, len(self._text))
                if line == delimiter:
                    break
                lines.append(line)
            held.append("".join(line + "\n" for line in lines))
        self._awaited = []

    def _take(self, text):
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _expect(self, word):
        self._skip_blanks(lines=True)
        if not self._is_next((word,)):
            raise Unreadable(f"'{word}' is missing")
        self._at += len(word)

    def _list(self):
        """Pipelines with && and || between them."""
        self._spend(30)
        line, parts = self.line(), [("", self._pipeline())]
        while True:
            self._skip_blanks()
            operator = self._text[self._at : self._at + 2]
            if operator not in ("&&", "||"):
                return parts[0][1] if len(parts) == 1 else Compound(line, "list", parts)
            self._at += 2
            self._skip_blanks(lines=True)
            parts.append((operator, self._pipeline()))

    def _pipeline(self):
        line, negated = self.line(), False
        while self._is_next(("!", "time")) and self._text[self._at : self._at + 2] != "!=":
            negated ^= self._text[self._at] == "!"
            self._at += 1 if self._text[self._at] == "!" else 4
            self._skip_blanks()
        parts = [self._command()]
        while True:
            self._skip_blanks()
            if self._text.startswith("||", self._at) or not self._take("|"):
                break
            self._take("&")
            self._skip_blanks(lines=True)
            parts.append(self._command())
        return parts[0] if len(parts) == 1 and not negated else Compound(line, "pipeline", parts, negated)

    def _command(self):
        line = self.line()
        text = self._text
        if text.startswith("((", self._at):
            end = self._scanner.closing(text, self._at + 1, ")")
            if text[end - 2 : end] == "))":
                inside, self._at = text[self._at + 2 : end - 2], end
                return Compound(line, "arithmetic", [inside])
        if self._take("("):
            return self._ended(Compound(line, "subshell", self._until(")")))
        word = re.compile(r"\[\[|\{|[a-z]+").match(text, self._at)
        name = word.group() if word and self._is_next((word.group(),)) else ""
        reader = getattr(self, f"_begin_{name}", None) if name.isalpha() else None
        if reader:
            self._at += len(name)
            return self._ended(reader(line))
        if name == "{":
            self._at += 1
            return self._ended(Compound(line, "group", self._until("}")))
        if name == "[[":
            self._at += 2
            return Compound(line, "test", self._read_test())
        function = re.compile(r"([\w.:-]+)[ \t]*\([ \t]*\)").match(text, self._at)
        if function:
            self._at = function.end()
            self._skip_blanks(lines=True)
            return Compound(line, "function", [self._command()], function.group(1))
        return self._simple(line)

    def _until(self, *ends):
        found = self.commands(ends)
        self._at += len(next(end for end in ends if self._is_next((end,))))
        return found

    def _ended(self, made):
        """Redirections behind a compound command."""
        held = Command(made.line)
        self._skip_blanks()
        while self._redirection(held):
            self._skip_blanks()
        return Compound(made.line, "group", [made], held.redirections) if held.redirections else made

    def _begin_if(self, line):
        clauses, other = [], []
        condition = self._until("then")
        while True:
            body = self.commands(("elif", "else", "fi"))
            clauses.append((condition, body))
            if self._is_next(("elif",)):
                self._at += 4
                condition = self._until("then")
                continue
            if self._is_next(("else",)):
                self._at += 4
                other = self.commands(("fi",))
            self._at += 2
            return Compound(line, "if", clauses, other)

    def _begin_while(self, line):
        condition = self._until("do")
        return Compound(line, "while", [condition, self._until("done")])

    def _begin_until(self, line):
        condition = self._until("do")
        return Compound(line, "until", [condition, self._until("done")])

    def _begin_for(self, line):
        self._skip_blanks()
        if self._take("(("):
            end = self._scanner.closing(self._text, self._at - 1, ")")
            parts, self._at = self._text[self._at : end - 2].split(";"), end
            if len(parts) != 3:
                raise Unreadable("expected for ((A; B; C))")
            self._skip_blanks(lines=True)
            braces = self._take("{")
            if not braces:
                self._expect("do")
            return Compound(line, "count", [parts, self._until("}" if braces else "done")])
        name = self._word()
        words = None
        self._skip_blanks(lines=True)
        if self._is_next(("in",)):
            self._at += 2
            held = Command(line)
            self._skip_blanks()
            while self._at < len(self._text) and self._text[self._at] not in "\n;":
                held.words.append(self._word())
                self._skip_blanks()
            words = held.words
        self._expect("do")
        return Compound(line, "for", [name, words, self._until("done")])

    def _begin_select(self, line):
        raise Unreadable("select is not followed", line)

    def _begin_case(self, line):
        self._skip_blanks()
        subject, items = self._word(), []
        self._expect("in")
        while True:
            self._skip_blanks(lines=True)
            if self._is_next(("esac",)):
                self._at += 4
                return Compound(line, "case", [subject, items])
            self._take("(")
            patterns = []
            while not self._take(")"):
                self._skip_blanks()
                patterns.append(self._word())
                self._skip_blanks()
                self._take("|")
            body = self.commands((";;&", ";;", ";&", "esac"))
            falls = self._is_next((";&", ";;&"))
            if falls:
                raise Unreadable("a branch of case goes on in the next one, which is not followed")
            self._take(";;")
            items.append((patterns, body))

    def _begin_function(self, line):
        self._skip_blanks()
        name = self._word()
        self._skip_blanks()
        if self._take("("):
            self._skip_blanks()
            self._expect(")")
        self._skip_blanks(lines=True)
        return Compound(line, "function", [self._command()], name)

    def _read_test(self):
        """The words in front of ]]."""
        words = []
        while True:
            self._skip_blanks(lines=True)
            if self._is_next(("]]",)):
                self._at += 2
                return words
            operator = re.compile(r"&&|\|\||[()<>]").match(self._text, self._at)
            if words[-1:] == ["=~"]:
                begin = self._at
                while self._at < len(self._text) and self._text[self._at] not in " \t\n":
                    self._at = self._scanner.skip(self._text, self._at)
                words.append(self._text[begin : self._at])
            elif operator:
                words.append(operator.group())
                self._at = operator.end()
            else:
                words.append(self._word())

    def _simple(self, line):
        made = Command(line)
        while True:
            self._skip_blanks()
            if self._at >= len(self._text) or self._text[self._at] in "\n;|)":
                break
            if self._text[self._at] == "&" and not self._text.startswith(("&>", "&<"), self._at):
                break
            if self._redirection(made):
                continue
            array = _ARRAY.match(self._text, self._at)
            declares = bool(made.words) and made.words[0] in DECLARES
            if array and (not made.words or declares):
                self._at = array.end()
                made_list = Assign(array.group(1), None, bool(array.group(2)), self._elements())
                (made.words if declares else made.assigned).append(made_list)
                continue
            word = self._word()
            scalar = None if made.words else _SCALAR.match(word)
            if scalar:
                name, index, adds = scalar.groups()
                made.assigned.append(Assign(name, index, bool(adds), word[scalar.end() :]))
            else:
                made.words.append(word)
        if not (made.assigned or made.words or made.redirections):
            raise self._unexpected()
        return made

    def _elements(self):
        words = []
        while True:
            self._skip_blanks(lines=True)
            if self._take(")"):
                return words
            words.append(self._word())

    def _redirection(self, command):
        operator = _OPERATOR.match(self._text, self._at)
        if not operator or self._text[operator.end() : operator.end() + 1] == "(":
            return False
        self._at = operator.end()
        self._skip_blanks()
        kind = operator.group(2)
        word, body = self._word(), []
        if kind in ("<<", "<<-"):
            self._awaited.append((body, re.sub(r"[\"'\\]", "", word), kind == "<<-"))
        command.redirections.append((operator.group(1) + kind, word, body))
        return True

    def _word(self):
        """A word as it is written."""
        text, begin = self._text, self._at
        self._spend(10)
        while True:
            self._at = _IN_WORD.match(text, self._at).end()
            if self._at == len(text) or text[self._at] in " \t\n;&|)":
                break
            if text[self._at] in "<>":
                if text[self._at + 1 : self._at + 2] != "(":
                    break
                self._at = self._scanner.closing(text, self._at + 2, ")")
            elif text[self._at] == "(" and self._at > begin and text[self._at - 1] in "?*+@!=":
                self._at = self._scanner.closing(text, self._at + 1, ")")
            elif text[self._at] == "(":
                break
            else:
                self._at = self._scanner.skip(text, self._at)
        if self._at == begin:
            raise self._unexpected()
        return text[begin : self._at]
