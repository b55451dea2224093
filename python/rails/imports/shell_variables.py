# SPDX-License-Identifier: GPL-2.0-only
"""The variables of a bash script: what is known of each, and how commands set them."""

import os
import re
from dataclasses import replace
from pathlib import Path

from .shell_builtins import EXPORTED, LARGEST, LOST, PARAMETERS
from .shell_syntax import Unreadable
from .shell_unknown import HIDDEN, Unknown

_MAY_BE_LOST = re.compile("(?!IFS$)[A-Za-z_]")  # variables of the script itself
_OF_BASH = (
    "BASH BASHPID BASH_REMATCH BASH_VERSION BASH_VERSINFO EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HOME "
    "HOSTNAME HOSTTYPE LINENO MACHTYPE OLDPWD OPTIND OSTYPE PATH PIPESTATUS PPID PWD RANDOM SECONDS SHELL SHELLOPTS "
    "SHLVL SRANDOM UID USER"
).split()


class Variables:
    """The variables of a shell, which is of this class."""

    @property
    def positional(self):
        """The parameters of the script or function."""
        return self._variables.get(PARAMETERS, ())

    @positional.setter
    def positional(self, words):
        self._variables[PARAMETERS] = tuple(words)

    def lists(self):
        """Pairs of a variable and its words, in the order in which they are set."""
        for name, value in self._variables.items():
            if not name.startswith(">") and value is not None and not isinstance(value, dict):
                yield name, list(value) if isinstance(value, tuple) else value.split()

    def spend(self, work):
        """Counts work, so that an endless script ends."""
        self._budget.spend(1 + work)

    def assume(self, name=""):
        """What follows takes for granted that the environment sets nothing but what is given."""
        self.assumed.append(name)

    def unset(self, name, is_list=False):
        """What stands for a variable that nothing sets."""
        if name.isdigit():
            why = f"parameter {name} of the script is not given"
        elif name in ("?", "!", "$", "-"):
            return self.unknowns.hide(Unknown(f"${name} is not known without running it"))
        else:
            why = f"{name} is not given"
        return self.unknowns.hide(Unknown(why, name, None, True, is_list))

    def scalar(self, name, index=None):
        """The text of a variable, or of an element of a list; None where nothing sets it."""
        if index is not None and HIDDEN.search(index):
            return self.unknowns.hide(self.unknowns.first(index).follows())
        if name in self._given:
            return self._element_given(name, index)
        if re.fullmatch("[0-9]+", name):
            return self._element((os.path.abspath(self._main), *self.positional), int(name[:9]))
        if name == "#":
            if not self.positional:
                self.assume()
            self.spend(len(self.positional))
            hidden = self.unknowns.several(self.positional)
            return self.unknowns.hide(hidden.follows()) if hidden else str(len(self.positional))
        if name in ("@", "*"):
            self.spend(len(self.positional))
            return " ".join(self.positional)
        if name == "BASH_SOURCE":
            return os.path.abspath(self._path)
        value = self._value_in(self._variables, name)
        if value is None and name in _OF_BASH and name not in self._variables:
            return self.unknowns.hide(Unknown(f"{name} is not known without running it", name))
        if isinstance(value, dict):
            return value.get(index or "0")
        if isinstance(value, tuple):
            return self._element(value, int(index) if index and re.fullmatch(r"-?\d{1,9}", index) else 0)
        return value if index in (None, "0", "@", "*") or HIDDEN.fullmatch(value or "") else None

    def _element_given(self, name, index):
        self.spend(len(self._given[name]) // 16)
        words = self._given[name].split()
        if index in (None, "@", "*") or index == "0" and len(words) < 2:
            return self._given[name]
        is_number = re.fullmatch(r"-?\d{1,9}", index)
        if is_number and -len(words) <= int(index) < len(words):
            return words[int(index)]
        why = f"{self.unknowns.show(index)} is no element of {name}, whose elements are divided at blanks"
        return self.unknowns.hide(Unknown(why, name if is_number else ""))

    def _unknown_of(self, name, variables):
        lost = self.unknowns.first(variables[LOST])
        return Unknown(f"{name} is not known, since {lost.why}", name, before=lost.before)

    def _value_in(self, variables, name):
        """The value of a variable; None where nothing sets it, and what is not known does not either."""
        if LOST in variables and name not in variables and _MAY_BE_LOST.match(name):
            return self.unknowns.hide(self._unknown_of(name, variables))
        return variables.get(name)

    def lose(self, why, before=""):
        """Makes all variables unknown. :param why: a clause that says so, :param before: what else makes them known"""
        self._print_unknown(why)
        self._variables[LOST] = self.unknowns.hide(Unknown(why, before=before))
        self.spend(len(self._variables))
        for name, value in self._variables.items():
            if _MAY_BE_LOST.match(name):
                hidden = replace(self._unknown_of(name, self._variables), may_split=isinstance(value, tuple))
                char = self.unknowns.hide(hidden)
                self._variables[name] = (char,) if hidden.may_split else char

    def lose_by(self, text, told):
        """Makes all variables unknown where it is not known which ones a text names. :param told: what sets them"""
        for unknown in self.unknowns.within(text):
            if not unknown.is_unset:
                self.lose(f"{told} may set it in line {self._line} of {Path(self._path).name}, and {unknown.why}")
                return
            self.assume(unknown.name)

    def _element(self, words, number):
        """One of several words; None where there is none."""
        self.spend(min(abs(number), len(words)))
        hidden = self.unknowns.several(words[: number + 1] if number >= 0 else words[number:])
        if hidden:
            return self.unknowns.hide(hidden.follows())
        return words[number] if -len(words) <= number < len(words) else None

    def elements(self, name):
        """The elements of a list; None where nothing sets it."""
        self.spend(len(self._given.get(name) or self._variables.get(name) or ()) // 8)
        if name in self._given:
            return self._given[name].split()
        value = self._variables.get(name)
        if name == "BASH_SOURCE":
            return [os.path.abspath(self._path)]
        if value is None and self._value_in(self._variables, name):
            unknown = self._unknown_of(name, self._variables)
            return [self.unknowns.hide(replace(unknown, is_list=True, may_split=True))]
        return None if value is None else list(value.values()) if isinstance(value, dict) else (
            list(value) if isinstance(value, tuple) else [value]
        )

    def keys(self, name):
        value = self._variables.get(name)
        if isinstance(value, dict):
            return list(value)
        return [str(number) for number in range(len(self.elements(name) or ()))]

    def is_map(self, name):
        return isinstance(self._variables.get(name), dict)

    def assign(self, name, value, index=None):
        """Sets a variable, or an element of one, unless it is given."""
        if name in self._given:
            return
        value = self._typed(name, value, self._variables.get(f"> {name}") or "")
        if isinstance(value, str):
            value = self._named(name, value)
            if len(value) > LARGEST:
                raise Unreadable(f"{name} becomes too long", self._line)
        elif len(value) > LARGEST // 10:
            raise Unreadable(f"{name} becomes too long", self._line)
        before = self._variables.get(name)
        if index is not None:
            words = list(before) if isinstance(before, tuple) else [before] if before else []
            is_number = re.fullmatch(r"\d{1,6}", index) and int(index) <= len(words)
            if isinstance(before, dict) and not HIDDEN.search(index):
                value = {**before, index: value}
            elif is_number and not isinstance(before, dict) and not self.unknowns.several(words[: int(index) + 1]):
                words[int(index) : int(index) + 1] = [value]
                value = tuple(words)
            else:
                why = f"{name}[{self.unknowns.show(index)[1:-1]}] is set, which is not followed"
                value = (self.unknowns.hide(Unknown(why, name, may_split=True)),)
        self.spend(len(value) if not isinstance(value, str) else len(value) // 16)
        if self._variables.get(">allexport") == "1":
            self._variables[EXPORTED + name] = "1"
        self._variables.pop(name, None)  # the last one that is set stands last
        self._variables[name] = value

    def _typed(self, name, value, flags):
        """A value as a variable has it by what declare says of it."""
        if not flags:
            return value
        if "r" in flags:
            self._refuse_readonly(name)
        if isinstance(value, dict):
            return {key: self._typed(name, part, flags) for key, part in value.items()}
        if isinstance(value, tuple):
            return tuple(self._typed(name, part, flags) for part in value)
        hidden = self.unknowns.first(value + flags)
        if hidden:
            return self.unknowns.hide(hidden.follows())
        value = self._words.compute(value) if "i" in flags else value
        return value.upper() if "u" in flags else value.lower() if "l" in flags else value

    def _refuse_readonly(self, name):
        raise Unreadable(f"{name} is readonly and set again, which is not followed: add {name}=VALUE", self._line)

    def _named(self, name, text):
        """A text whose unknown parts without a name of their own are known by this variable."""

        def renamed(found):
            unknown = self.unknowns[found.group()]
            if unknown.name and not (unknown.name.isdigit() and len(text) == 1):
                return found.group()
            why = f"{name} is not known, since {unknown.why}"
            return self.unknowns.hide(Unknown(why, name, unknown.choices, unknown.is_unset))

        return HIDDEN.sub(renamed, text)
