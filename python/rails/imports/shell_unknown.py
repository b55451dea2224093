# SPDX-License-Identifier: GPL-2.0-only
"""What a script does not say: in texts it is a character of its own, so that these are joined and cut as usual."""

import re
from dataclasses import dataclass, replace

from .errors import shown
from .shell_syntax import Unreadable

_FIRST, _MOST = 0xF0000, 60_000
HIDDEN = re.compile(f"[{chr(_FIRST)}-{chr(_FIRST + _MOST)}]")
_MOST_CHOICES = 20
_LONGEST = 1500  # characters of why something is not known


def plain(text):
    """A text of others, in which no character stands for something else."""
    return HIDDEN.sub("?", text).replace("\r\n", "\n")


@dataclass(frozen=True)
class Unknown:
    """
    A text that is not known.

    :param why: a clause that says so
    :param name: the variable that makes it known where it is given; empty where none does
    :param choices: the texts, or the tuples of words, that it may be; None where it may be anything
    :param is_unset: whether nothing sets it, so that a shell puts nothing in its place
    :param is_list: whether it stands for the elements of a list
    :param may_split: whether it was divided at blanks, so that it may be any number of words
    :param before: what makes it known too, as a command
    """

    why: str
    name: str = ""
    choices: object = None
    is_unset: bool = False
    is_list: bool = False
    may_split: bool = False
    before: str = ""

    @property
    def is_several(self):
        """Whether it may be another number of words than one."""
        return self.may_split or any(isinstance(choice, tuple) for choice in self.choices or ())

    def follows(self):
        """What is computed from it."""
        return Unknown(self.why, self.name, before=self.before)

    @property
    def give(self):
        """A word that leaves a variable as it is where nothing sets it; none of anything else."""
        is_unset = self.name and not self.name.isdigit() and self.why.endswith(f"{self.name} is not given")
        return (f"{self.name}=",) if is_unset and not self.before else ()

    @property
    def remedy(self):
        return ", or ".join(filter(None, (self.before, self.name and f"add {self.name}=VALUE")))


class Unknowns:
    """The characters and what they stand for."""

    def __init__(self):
        self._found, self._numbers = [], {}

    def hide(self, unknown):
        """The character of an unknown text."""
        if len(unknown.why) > _LONGEST:  # of a chain of causes, each of which is told with the next one
            unknown = replace(unknown, why=f"{unknown.why[: _LONGEST // 2]} ... {unknown.why[-_LONGEST // 2 :]}")
        if unknown not in self._numbers:
            if len(self._found) == _MOST:
                raise Unreadable("it has too many values that are not known")
            self._numbers[unknown] = chr(_FIRST + len(self._found))
            self._found.append(unknown)
        return self._numbers[unknown]

    def __getitem__(self, char):
        return self._found[ord(char) - _FIRST]

    def divided(self, text):
        """A text whose unknown parts are divided at blanks."""
        return HIDDEN.sub(lambda found: self.hide(replace(self[found.group()], may_split=True)), text)

    def several(self, words):
        """What is unknown of the number of words; None where it is known."""
        return next((unknown for word in words for unknown in self.within(word) if unknown.is_several), None)

    def within(self, text):
        """The unknown parts of a text."""
        return [self[char] for char in HIDDEN.findall(text)]

    def first(self, text):
        """One of the unknown parts of a text, with a name where one has; None where all is known."""
        found = self.within(text)
        return next((unknown for unknown in found if unknown.name), found[0] if found else None)

    def emptiness(self, text):
        """Whether a text is empty, None where that is unknown; and whether that is since nothing is known to set it."""
        if HIDDEN.sub("", text):
            return False, False
        answers, assumed = set(), False
        for unknown in self.within(text):
            if unknown.is_unset:
                answers.add(True)
                assumed = True
            elif unknown.choices and all(isinstance(choice, str) for choice in unknown.choices):
                inner = [self.emptiness(choice) for choice in unknown.choices]
                answers |= {answer for answer, _ in inner}
                assumed |= any(more for _, more in inner)
                if len({answer for answer, _ in inner}) > 1:
                    return None, False
            else:
                return None, False
        if None in answers:
            return None, False
        return all(answers), assumed

    def show(self, text):
        """A text in a message."""
        return shown(HIDDEN.sub(lambda char: f"${{{self[char.group()].name or '?'}}}", text[:_LONGEST]))

    def join(self, first, second, cause, name, condition):
        """
        A value that is one of two.

        :param cause: why it is not known which one, :param condition: as it is written
        """
        if first == second:
            return first
        name = "" if name.startswith(">") else name
        if isinstance(first, dict) or isinstance(second, dict):
            why = f"{name or 'what follows'} depends on {condition}, and {cause.why}"
            return self.hide(Unknown(why, cause.name or name))
        if isinstance(first, tuple) or isinstance(second, tuple):
            one, two = _words(first), _words(second)
            same = _same(one, two)
            choices = self._flat((one[same:], two[same:]), cause)
            return (*one[:same], self._choice(choices, cause, name, condition))
        one, two = first or "", second or ""
        same = len(one) if two.startswith(one) and two[len(one) : len(one) + 1].isspace() else 0
        kept = one[:same] + " " if same and one.strip() else ""
        choices = ("", two[same:]) if kept else self._flat((one, two), cause)
        if first is None or second is None:
            choices = tuple(dict.fromkeys((*choices, "")))
        return kept + self._choice(choices, cause, name, condition)

    def _flat(self, values, cause):
        """The choices of two values, of which each may be a choice by the same cause."""
        found = {}
        for value in values:
            alone = value if isinstance(value, str) else value[0] if len(value) == 1 else ""
            inner = self[alone] if len(alone) == 1 and HIDDEN.match(alone) else None
            same = inner and inner.choices and inner.name == cause.name and cause.name
            fits = same and all(isinstance(choice, type(value)) for choice in inner.choices)
            found.update(dict.fromkeys(inner.choices if fits else (value,)))
        return tuple(found)

    def _choice(self, choices, cause, name, condition):
        texts = [choice if isinstance(choice, str) else " ".join(choice) for choice in choices]
        told = [self.show(text) for text in texts if text.strip()]
        told += ["nothing"] if len(told) < len(texts) else []
        listed = ", ".join(told[:4]) + (f" and {len(told) - 4} more" if len(told) > 4 else "")
        why = f"{name or 'what follows'} is one of {listed}, depending on {condition}, and {cause.why}"
        choices = choices if len(choices) <= _MOST_CHOICES else None
        return self.hide(Unknown(why, cause.name or name, choices))


def _words(value):
    return value if isinstance(value, tuple) else (value,) if value else ()


def _same(one, two):
    count = 0
    while count < min(len(one), len(two)) and one[count] == two[count]:
        count += 1
    return count
