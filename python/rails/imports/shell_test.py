# SPDX-License-Identifier: GPL-2.0-only
"""Conditions of a bash script: [ ], [[ ]] and patterns of case. An answer is true, false, or what is unknown of it."""

import re

from .shell_arithmetic import NoNumber
from .shell_syntax import Unreadable
from .shell_unknown import HIDDEN, Unknown
from .shell_words import Hidden, itself

_NUMBERS = {
    "-eq": lambda one, two: one == two,
    "-ne": lambda one, two: one != two,
    "-lt": lambda one, two: one < two,
    "-le": lambda one, two: one <= two,
    "-gt": lambda one, two: one > two,
    "-ge": lambda one, two: one >= two,
}
_BINARY = (*_NUMBERS, "=", "==", "!=", "=~", "<", ">", "-nt", "-ot", "-ef")


class Tests:
    """Answers conditions by the variables of a shell."""

    def __init__(self, shell, words):
        self._shell, self._words, self.unknowns = shell, words, shell.unknowns

    def of_words(self, words):
        """The answer of [ WORDS ]."""
        unknown = self.unknowns[words[1]] if len(words) == 2 and HIDDEN.fullmatch(words[1]) else None
        if unknown and words[0] == "-n" and unknown.is_unset and unknown.may_split:
            self._shell.assume(unknown.name)
            return True  # [ -n $NAME ] without quotes is [ -n ]
        if len(words) == 2 and words[0] in _BINARY:
            return False  # [ $NAME = x ] of an empty one, which bash reports
        return _Condition(self, words, ("-a", "-o"), str, itself).answer()

    def of_brackets(self, words):
        """The answer of [[ WORDS ]], these as they are written."""
        return _Condition(self, words, ("&&", "||"), self._words.text, self._words.pattern).answer()

    def is_set(self, name):
        found = re.fullmatch(r"(\w+)\[(.*)\]", name)  # an element
        value = self._shell.scalar(*(found.groups() if found else (name,)))
        if value is None:
            self._shell.assume()
        return value is not None

    def is_empty(self, text):
        empty, assumed = self.unknowns.emptiness(text)
        if assumed:
            self._shell.assume(self.unknowns.first(text).name)
        return self.unknowns.first(text) if empty is None else empty

    def compare(self, operator, one, two):
        """The answer of a comparison. :param two: a pattern for those of [[ ]]"""
        if operator == "!=":
            return opposite(self.compare("==", one, two))
        if operator in ("=", "==") and (not two or not one and self.unknowns.first(two)):
            return self.is_empty(one or two)
        hidden = self.unknowns.first(one + two)
        if hidden:
            return self._of_choices(operator, one, two) if HIDDEN.fullmatch(one) else hidden
        if operator in ("=", "=="):
            answer = self._words.not_followed(two) or self._words.matches(one, two)
            if self._shell.is_on("nocasematch") and answer != self._words.matches(one.lower(), two.lower()):
                return Unknown("nocasematch is not followed")
            return answer
        if operator in ("<", ">"):
            return one < two if operator == "<" else one > two
        if operator not in _NUMBERS:
            return Unknown(f"{operator} is not followed")
        try:
            return _NUMBERS[operator](self._words.number(one), self._words.number(two))
        except Hidden as error:
            return error.unknown
        except NoNumber:
            return Unknown(f"{self.unknowns.show(one)} {operator} {self.unknowns.show(two)} compares no numbers")

    def _of_choices(self, operator, one, two):
        """The answer for all that a text may be, where it is the same."""
        hidden = self.unknowns[one]
        choices = hidden.choices or ()
        if not choices or self.unknowns.first(two) or any(
            not isinstance(choice, str) or HIDDEN.search(choice) for choice in choices
        ):
            return hidden
        answers = {self.compare(operator, choice, two) for choice in choices}
        return answers.pop() if len(answers) == 1 else hidden

    def match(self, text, patterns):
        """The answer of a branch of case. :param patterns: as they are written"""
        answer = False
        for raw in patterns:
            pattern = self._words.pattern(raw)
            answer = either(answer, True if pattern == "*" else self.compare("==", text, pattern))
        return answer


def opposite(answer):
    return answer if isinstance(answer, Unknown) else not answer


def either(one, two):
    if one is True or two is True:
        return True
    return one if isinstance(one, Unknown) else two


def both(one, two):
    return opposite(either(opposite(one), opposite(two)))


class _Condition:
    """Reads a condition word by word."""

    def __init__(self, tests, words, operators, text, pattern):
        self._tests, self._list, self._at, self._depth = tests, list(words), 0, 0
        self._and, self._or = operators
        self._text, self._pattern = text, pattern

    def answer(self):
        if not self._list:
            return False
        found = self._any()
        return found if self._at >= len(self._list) else Unknown("a condition is not followed")

    def _take(self, word):
        found = self._list[self._at : self._at + 1] == [word]
        self._at += found
        return found

    def _any(self):
        self._depth += 1
        if self._depth > 20:
            raise Unreadable("a condition is nested too deeply")
        answer = self._all()
        while self._take(self._or):
            answer = either(answer, self._all())
        self._depth -= 1
        return answer

    def _all(self):
        answer = self._one()
        while self._take(self._and):
            answer = both(answer, self._one())
        return answer

    def _one(self):
        rest = self._list[self._at :]
        if len(rest) > 2 and rest[1] in _BINARY:
            self._at += 3
            read = self._pattern if rest[1] in ("=", "==", "!=") else self._text
            one, two = self._text(rest[0]), read(rest[2])
            if self._text is str and rest[1] in _NUMBERS:  # which has no octal numbers
                one, two = (re.sub(r"^(\s*[-+]?)0+(?=\d)", r"\1", text) for text in (one, two))
            return self._tests.compare(rest[1], one, two)
        if len(rest) > 1 and self._take("!"):
            return opposite(self._one())
        if len(rest) > 2 and self._take("("):
            answer = self._any()
            self._take(")")
            return answer
        if len(rest) > 1 and re.fullmatch("-[a-zA-Z]", rest[0]) and rest[1] not in (self._and, self._or):
            self._at += 2
            text = self._text(rest[1])
            if rest[0] == "-v":
                return self._tests.is_set(text)
            if rest[0] in ("-z", "-n"):
                empty = self._tests.is_empty(text)
                return empty if rest[0] == "-z" else opposite(empty)
            return Unknown(f"it is not looked at whether {rest[0]} {self._tests.unknowns.show(text)} holds")
        self._at += 1
        if not rest or rest[0] in ("-n", "-z"):
            return bool(rest)
        return opposite(self._tests.is_empty(self._text(rest[0])))
