# SPDX-License-Identifier: GPL-2.0-only
"""
Follows a bash script without running it: variables, lists, branches, loops, functions and files that it sources. What
other programs would do is not known, and is kept as such.
"""

import os
import re
from dataclasses import replace
from functools import partial, partialmethod
from pathlib import Path

from .errors import shown
from .shell_builtins import DEEPEST, LARGEST, LOST, OUT, PARAMETERS, Builtins, Ended, Jump, leaves
from .shell_syntax import DECLARES, Assign, Command, Compound, Unreadable, parse
from .shell_test import Tests, both, opposite
from .shell_unknown import HIDDEN, Unknown, Unknowns, plain
from .shell_words import Words

_MOST_WORK = 2_000_000  # characters and commands
_MOST_ROUNDS = 50  # of a loop until its variables are known to be unknown
_MAY_BE_LOST = re.compile("(?!IFS$)[A-Za-z_]")  # variables of the script itself
_DECLARED = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]]*)\])?(?:(\+?)=(.*))?", re.DOTALL)
_SILENT = (
    "alias chmod cp hash kill ln logger mkdir module mv pkill popd pushd rm sleep touch ulimit "
    "umask unalias wait"
).split()
_OF_BASH = (
    "BASH BASHPID BASH_REMATCH BASH_VERSION BASH_VERSINFO EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HOME "
    "HOSTNAME HOSTTYPE LINENO MACHTYPE OLDPWD OPTIND OSTYPE PATH PIPESTATUS PPID PWD RANDOM SECONDS SHELL SHELLOPTS "
    "SHLVL SRANDOM UID USER"
).split()
_SHELLS = re.compile(r"(.*/)?(ba|z|da)?sh")


class Shell(Builtins):
    """
    Variables, and what a script does with them.

    :param given: texts by the names of variables, which no script changes
    :param files: texts of files by their paths, which may be sourced from wherever they lie, as those below them may
    """

    def __init__(self, given, files):
        self.unknowns = Unknowns()
        self.commands = []  # (path, line, words, causes) of programs
        self.assumed = []  # names that are taken as set by nothing
        self.unread = []  # files that are sourced
        self.texts = {}  # of the files that are read, by their paths
        self._given = {name: plain(value) for name, value in dict(given).items()}
        self._files = {path: plain(text) for path, text in dict(files).items()}
        self._words = Words(self)
        self._tests = Tests(self, self._words)
        self._variables, self._functions = {}, {}
        self._locals, self._causes = [], []
        self._main = self._path = ""
        self._root = None
        self._line = 0
        self._left, self._depth = _MOST_WORK, 0
        self._status = self._substituted = True  # whether the last command succeeds, and the last one in $( )
        self._traps = []  # lines and words
        self._lost = {}  # causes by the kind of jump that is not known to happen

    def follow(self, path, text, parameters):
        """Follows a file. :returns: how it ends itself, or none"""
        self._main = self._path = str(path)
        self._root = Path(path).parent
        self.positional = tuple(map(plain, parameters))
        self.texts[self._path] = text = plain(text)
        ended = None
        try:
            ended = self._to_end(parse(text))
            held = self._variables, len(self.commands)
            for line, words in self._traps:
                self._follow_trap(line, words)
            self._variables = held[0]
            del self.commands[held[1] :]
        except RecursionError as error:
            raise Unreadable("it is nested too deeply", self._line) from error
        except Unreadable as error:
            raise Unreadable(error.told, error.line or self._line) from error
        return ended

    def _to_end(self, nodes):
        """Follows commands to their end. :returns: how they end the script, or none"""
        try:
            self._sequence(nodes)
        except Jump:
            pass
        except Ended as end:
            return end
        return None

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

    def show_path(self, text):
        """A path that a script sources, in a message."""
        if not HIDDEN.search(text) and len(text) < 1000:
            return f"'{os.path.normpath(text)}'" if text.isprintable() else shown(text)
        return self.unknowns.show(text)

    # What words ask for

    def spend(self, work):
        """Counts work, so that an endless script ends."""
        self._left -= 1 + work
        if self._left < 0:
            raise Unreadable("it takes too long to be followed")

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
        if name in self._given:
            return self._element_given(name, index)
        if name.isdigit():
            return self._element((self._main, *self.positional), int(name[:9]))
        if name == "#":
            if not self.positional:
                self.assume()
            hidden = self.unknowns.several(self.positional)
            return self.unknowns.hide(hidden.follows()) if hidden else str(len(self.positional))
        if name in ("@", "*"):
            return " ".join(self.positional)
        if name == "BASH_SOURCE":
            return self._path
        value = self._value_in(self._variables, name)
        if value is None and name in _OF_BASH and name not in self._variables:
            return self.unknowns.hide(Unknown(f"{name} is not known without running it", name))
        if isinstance(value, dict):
            return value.get(index or "0")
        if isinstance(value, tuple):
            if index is not None and HIDDEN.search(index):
                return self.unknowns.hide(self.unknowns.first(index).follows())
            return self._element(value, int(index) if index and re.fullmatch(r"-?\d{1,9}", index) else 0)
        return value if index in (None, "0", "@", "*") or HIDDEN.fullmatch(value or "") else None

    def _element_given(self, name, index):
        words = self._given[name].split()
        if index in (None, "@", "*") or index == "0" and len(words) < 2:
            return self._given[name]
        if re.fullmatch(r"-?\d{1,9}", index) and -len(words) <= int(index) < len(words):
            return words[int(index)]
        why = f"{self.unknowns.show(index)} is no element of {name}, whose elements are divided at blanks"
        return self.unknowns.hide(Unknown(why, name))

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
        hidden = self.unknowns.several(words[: number + 1] if number >= 0 else words[number:])
        if hidden:
            return self.unknowns.hide(hidden.follows())
        return words[number] if -len(words) <= number < len(words) else None

    def elements(self, name):
        """The elements of a list; None where nothing sets it."""
        if name in self._given:
            return self._given[name].split()
        value = self._variables.get(name)
        if name == "BASH_SOURCE":
            return [self._path]
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
        if index is not None and isinstance(before, dict):
            value = {**before, index: value}
        elif index is not None:
            words = list(before) if isinstance(before, tuple) else [before] if before else []
            if not re.fullmatch(r"\d{1,6}", index) or int(index) > len(words):
                why = f"{name}[{self.unknowns.show(index)[1:-1]}] is not followed"
                value = (self.unknowns.hide(Unknown(why, name)),)
            else:
                words[int(index) : int(index) + 1] = [value]
                value = tuple(words)
        self.spend(len(value) if not isinstance(value, str) else len(value) // 16)
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

    def substitute(self, raw):
        """The output of commands, as far as it is known."""
        if self._depth > DEEPEST:
            raise Unreadable("commands are nested too deeply", self._line)
        saved, line = self._variables, self._line
        self._variables = {**saved, OUT: ""}
        self.spend(len(saved))
        self._depth += 1
        try:
            self._substituted = self._sequence(parse(raw, line))
        except (Ended, Jump):
            self._substituted = Unknown("it is not known whether a command succeeds that ends itself")
        finally:
            made, self._variables = self._variables[OUT], saved
            self._depth -= 1
            self._line = line
        return made.rstrip("\n")

    # Commands

    def _sequence(self, nodes):
        status = True
        for node in nodes:
            status = self._status = self._run(node)
        return status

    def _run(self, node):
        """Follows a command. :returns: whether it succeeds, or what is unknown of that"""
        self.spend(20)
        self._line = node.line
        if isinstance(node, Command):
            return self._simple(node)
        return getattr(self, f"_run_{node.kind}")(node)

    def _run_list(self, node):
        before, told = len(self.assumed), _told(node.parts[0][1])
        status = self._run(node.parts[0][1])
        for operator, part in node.parts[1:]:
            goes = status if operator == "&&" else opposite(status)
            stays = partial(lambda held: held, status)
            status = self._choose(goes, len(self.assumed) - before, partial(self._run, part), stays, told)
        return status

    def _run_pipeline(self, node):
        if len(node.parts) == 1:
            return opposite(self._run(node.parts[0])) if node.more else self._run(node.parts[0])
        saved = self._variables
        status = True
        all_succeed = True
        for part in node.parts[:-1]:
            self._variables = {**saved, OUT: None}
            all_succeed = both(all_succeed, self._in_subshell(part, status))
        self._variables = {**saved, OUT: None}
        if self.is_on("lastpipe"):
            status = self._run(node.parts[-1])
            saved = {**self._variables, OUT: saved.get(OUT)}
        else:
            status = self._in_subshell(node.parts[-1], status)
        self._variables = saved
        if self.is_on("pipefail"):
            status = both(all_succeed, status)
        self._print_unknown(_told(node))
        return opposite(status) if node.more else status

    def _in_subshell(self, part, status):
        try:
            return self._run(part)
        except (Ended, Jump):
            return status

    def _run_subshell(self, node):
        saved = self._variables
        self._variables = dict(saved)
        try:
            return self._sequence(node.parts)
        except (Ended, Jump):
            return True
        finally:
            self._variables = {**saved, OUT: self._variables.get(OUT)}

    def _run_group(self, node):
        held = self._variables.get(OUT)
        status = self._sequence(node.parts)
        if node.more and leaves(node.more):
            self._variables[OUT] = held
        return status

    def _run_function(self, node):
        self._functions[node.more] = node.parts
        return True

    def _run_test(self, node):
        return self._tests.of_brackets(node.parts)

    def _run_arithmetic(self, node):
        return self._words.is_true(node.parts[0])

    def _run_if(self, node):
        return self._if(node.parts, node.more)

    def _if(self, clauses, other):
        if not clauses:
            return self._sequence(other)
        condition, body = clauses[0]
        before = len(self.assumed)
        status = self._sequence(condition)
        told = _told(condition[-1]) if condition else ""
        return self._choose(
            status,
            len(self.assumed) - before,
            partial(self._sequence, body),
            partial(self._if, clauses[1:], other),
            told,
        )

    def _run_case(self, node):
        subject, items = node.parts
        before = len(self.assumed)
        text = self._words.text(subject)
        return self._case(text, items, len(self.assumed) - before, f"case {subject}")

    def _case(self, text, items, assumed, told):
        if not items:
            return True
        patterns, body = items[0]
        status = self._tests.match(text, patterns)
        rest = partial(self._case, text, items[1:], assumed, told)
        return self._choose(status, assumed, partial(self._sequence, body), rest, told)

    def _choose(self, status, assumed, yes, no, told):
        """
        Follows one of two ways, or both where it is not known which one.

        :param assumed: how often the status takes for granted that the environment sets nothing: of two ways then none
            is taken that ends the script
        """
        if isinstance(status, Unknown):
            return self._either(status, yes, no, told)
        first, second = (yes, no) if status else (no, yes)
        if not assumed:
            try:
                return first()
            except Ended as end:
                end.condition = end.condition or ("" if status else "! ") + told
                raise
        saved = dict(self._variables)
        self.spend(len(saved))
        try:
            return first()
        except Ended:
            self._variables = saved
            del self.assumed[-assumed:]
            return second()

    def _either(self, cause, yes, no, told):
        before, functions, found, defined = self._variables, self._functions, [], []
        condition = f"'{self.unknowns.show(told)[1:-1]}' ({Path(self._path).name}:{self._line})"
        for way in (yes, no):
            self._variables, self._functions = dict(before), dict(functions)
            self.spend(len(before))
            jump = status = None
            self._causes.append((condition, cause))
            try:
                status = way()
            except Ended as end:
                found.append((None, None, end))
                continue
            except Jump as error:
                jump = error
            finally:
                self._causes.pop()
                defined.append(self._functions)
            found.append((self._variables, status, jump))
        self._functions = {
            name: defined[0].get(name) if defined[0].get(name) is defined[1].get(name) else None
            for name in {**defined[0], **defined[1]}
        }
        living = [way for way in found if way[0] is not None]
        if not living:
            raise found[0][2]
        if len(living) == 1:
            self._variables, status, jump = living[0]
            if jump:
                raise jump
            return status
        (one, status, jump), (two, other, another) = living
        self._variables = {}
        for name in {**one, **two}:
            first, second = self._value_in(one, name), self._value_in(two, name)
            if name == LOST:
                first = first or second
            elif first is not second:
                self.spend(1)
                first = self.unknowns.join(first, second, cause, name, condition)
            self._variables[name] = first
        if jump and another and jump.kind == another.kind:
            raise jump
        for found in filter(None, (jump, another)):
            self._lost[found.kind] = cause
        return status if status == other and not isinstance(status, Unknown) else cause

    def _forget(self, before, cause, told):
        """What was set since then is not known any more."""
        self.spend(len(self._variables))
        for name, value in list(self._variables.items()):
            if value is not before.get(name) and value != before.get(name) and name != LOST:
                name, key = "" if name.startswith(">") else name, name
                why = f"{name or 'what follows'} is set in {told}, and {cause.why}"
                is_list = isinstance(value, tuple)
                hidden = self.unknowns.hide(Unknown(why, cause.name or name, may_split=is_list))
                self._variables[key] = (hidden,) if is_list else hidden

    # Loops

    def _run_for(self, node):
        name, words, body = node.parts
        if words is None:
            fields = list(self.positional)
        else:
            fields = [field for word in words for field in self._words.fields(word)]
        told = f"the loop of line {node.line}"
        hidden = self.unknowns.several(fields)
        if hidden:
            return self._unknown_loop(hidden, body, told, name)
        return self._loop(iter(fields), body, told, name)

    def _run_count(self, node):
        (begin, condition, step), body = node.parts
        self._words.compute(begin)
        told = f"the loop of line {node.line}"

        def rounds():
            while True:
                yield self._words.is_true(condition) if condition.strip() else True

        return self._loop(rounds(), body, told, step=partial(self._words.compute, step))

    def _run_while(self, node):
        condition, body = node.parts

        def rounds():
            while True:
                before = len(self.assumed)
                status = self._sequence(condition)
                status = opposite(status) if node.kind == "until" else status
                # An endless wait for what the environment sets is none.
                yield False if status is True and len(self.assumed) > before else status

        return self._loop(rounds(), body, f"the loop of line {node.line}")

    _run_until = _run_while

    def _loop(self, rounds, body, told, name=None, step=None):
        """Follows a loop. :param rounds: whether it goes on, or texts for the variable `name`"""
        before, held = dict(self._variables), self._lost
        self._lost = {}
        self.spend(len(before))
        try:
            for found in rounds:
                if name:
                    self.assign(name, found)
                elif isinstance(found, Unknown):
                    self._unknown_loop(found, body, told, None, step)
                    self._forget(before, found, told)
                    break
                elif not found:
                    break
                try:
                    self._sequence(body)
                except Jump as jump:
                    if jump.kind == "return" or jump.count > 1:
                        raise jump if jump.kind == "return" else Jump(jump.kind, jump.count - 1)
                    if jump.kind == "break":
                        break
                lost = self._lost.get("break") or self._lost.get("continue")
                if lost:
                    self._forget(before, lost, told)
                    self._unknown_loop(lost, body, told, name, step)
                    break
                if step:
                    step()
        finally:
            self._lost = {**held, **{kind: cause for kind, cause in self._lost.items() if kind == "return"}}
        return True

    def _unknown_loop(self, cause, body, told, name=None, step=None):
        """A loop of which it is not known how often it goes round: until another round makes nothing else unknown."""
        before = start = self._variables
        if name:
            why = f"{name} is that of {told}, and {cause.why}"
            self.assign(name, self.unknowns.hide(Unknown(why, cause.name or name)))
        for _ in range(_MOST_ROUNDS):
            start = dict(self._variables)
            self.spend(len(start))
            try:
                self._sequence(body)
                if step:
                    step()
            except Jump as jump:
                if jump.kind == "return":
                    self._lost["return"] = cause
            except Ended:
                self._variables = dict(start)
            self._forget(start, cause, told)
            if self._variables == start:
                break
        else:
            raise Unreadable("a loop is not followed", self._line)
        self._forget(before, cause, told)
        return True

    # Simple commands

    def _simple(self, node):
        if not node.words:
            self._substituted = True
            for assigned in node.assigned:
                self._assign(assigned)
            if node.redirections and not node.assigned:
                self._print_unknown("a file")
            return self._substituted
        declares = node.words[0] in DECLARES
        words = [field for word in node.words for field in self._fields(word, declares)]
        saved = {assigned.name: self._variables.get(assigned.name) for assigned in node.assigned}
        for assigned in node.assigned:
            self._assign(assigned)
        try:
            return self._call(words, node) if words else True
        finally:
            for assigned, value in saved.items():
                self._set_back(assigned, value)

    def _fields(self, word, declares):
        if isinstance(word, Assign):
            return [word]
        found = declares and _DECLARED.fullmatch(word)
        return [self._words.text(word)] if found and found.group(4) else self._words.fields(word)

    def _set_back(self, name, value):
        """Gives a variable the value that it had."""
        if value is None:
            self._variables.pop(name, None)
        else:
            self._variables[name] = value

    def _assign(self, found):
        if isinstance(found.value, list):
            self._assign_list(found, self._variables.get(found.name))
        else:
            self._assign_text(found.name, found.index, found.adds, self._words.text(found.value))

    def _assign_text(self, name, index, adds, text):
        """:param index: of an element, as it is written, or None"""
        if index is not None:
            index = self._words.text(index) if self.is_map(name) else self._words.compute(index)
        if adds:
            held = self.scalar(name, index)
            held = self._before(name) if held is None else held
            text = f"({held or 0})+({text})" if "i" in (self._variables.get(f"> {name}") or "") else held + text
        self.assign(name, text, "0" if index is None and isinstance(self._variables.get(name), tuple) else index)

    def _before(self, name):
        """What a variable that nothing sets has where a script adds to it: nothing."""
        self.assume()
        return ""

    def _assign_list(self, found, before):
        pairs = [re.match(r"\[([^\]]*)\]=(.*)", word, re.DOTALL) for word in found.value]
        if isinstance(before, dict):
            made = dict(before) if found.adds else {}
            for pair in filter(None, pairs):
                made[self._words.text(pair.group(1))] = self._words.text(pair.group(2))
            self.assign(found.name, made)
            return
        words = [field for word in found.value for field in self._words.fields(word)]
        if any(pairs):
            why = f"the list {found.name} has numbered elements, which are not followed"
            words = [self.unknowns.hide(Unknown(why, found.name))]
        held = before if isinstance(before, tuple) else (before,) if before else ()
        self.assign(found.name, (*held, *words) if found.adds else tuple(words))

    def _declare(self, command, words, _):
        """:param words: fields, and lists that are assigned"""
        texts = [word for word in words if isinstance(word, str)]
        options, removed = ("".join(word for word in texts if word.startswith(sign)) for sign in "-+")
        if "n" in options and command != "export":
            raise Unreadable("declare -n is not followed", self._line)
        if "p" in options:
            self._print_unknown(" ".join([command, *texts]))
        is_local = bool(self._locals) and command in ("local", "declare", "typeset") and "g" not in options
        for word in words:
            found = None if isinstance(word, Assign) else _DECLARED.fullmatch(word)
            if not (found or isinstance(word, Assign)):
                self.lose_by(word, command)
                continue
            name = found.group(1) if found else word.name
            kind = f"> {name}"
            if is_local:
                if name not in self._given and "r" in (self._variables.get(kind) or ""):
                    self._refuse_readonly(name)
                for key in (kind, name):
                    self._locals[-1].setdefault(key, self._variables.get(key))
                self._variables[kind] = None
            self._add_kind(kind, set(options) & set("iul"), removed)
            if "A" in options and not self.is_map(name):
                self.assign(name, {})
            if not found:
                self._assign(word)
            elif found.group(4) is not None:
                self._assign_text(name, found.group(2), bool(found.group(3)), found.group(4))
            elif is_local and "A" not in options:
                self._variables[name] = None
            self._add_kind(kind, "r" if "r" in options or command == "readonly" else "", "")
        return True

    def _add_kind(self, key, flags, removed):
        held = self._variables.get(key) or ""
        if flags or removed:
            self._variables[key] = "".join(flag for flag in (*held, *sorted(flags)) if flag not in removed)

    _do_declare, _do_local = partialmethod(_declare, "declare"), partialmethod(_declare, "local")
    _do_export, _do_readonly = partialmethod(_declare, "export"), partialmethod(_declare, "readonly")

    def _call(self, words, node):
        name = words[0]
        if name in self._functions:
            if self._functions[name] is None:
                raise Unreadable(f"{name}() is defined in a branch that is not known", self._line)
            return self._call_function(name, words[1:])
        return self._begin(words, node)

    def _begin(self, words, node):
        """Follows what is no function."""
        name = words[0]
        self._follow_written(name, node.redirections)
        builtin = self._builtin(name)
        if builtin:
            return builtin(words[1:], node)
        if _SHELLS.fullmatch(name) and "-c" in words[1:-1]:
            text = words[words.index("-c") + 1]
            return self._run_subshell(Compound(self._line, "subshell", parse(text, self._line)))
        if name in _SILENT:
            return Unknown(f"it is not known whether {name} succeeds", "")
        self.commands.append((self._path, self._line, words, tuple(self._causes)))
        if not leaves(node.redirections):
            self._print_unknown(" ".join(words))
        return Unknown(f"{self.unknowns.show(' '.join(words))} is not run")

    def _follow_written(self, name, redirections):
        """A here-document that is a script itself: for a shell or Slurm, or written into a file of that kind."""
        targets = [self._words.text(word) for operator, word, _ in redirections if operator.endswith(">")]
        writes = any(re.search(r"\.(sh|slurm|sbatch)$", target) for target in targets)
        if not (writes or _SHELLS.fullmatch(name) or name in ("sbatch", "srun", "ssh")):
            return
        for found in redirections:
            if found[0].endswith(("<<", "<<-")):
                self._run_subshell(Compound(self._line, "subshell", parse(self._stdin(found), self._line)))

    def _call_function(self, name, words):
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable(f"{name} calls itself too often", self._line)
        held, lost, before = self.positional, self._lost, dict(self._variables)
        self.spend(len(before))
        self.positional, self._lost = tuple(words), {}
        self._locals.append({})
        status = True
        try:
            status = self._sequence(self._functions[name])
        except Jump as jump:
            if jump.kind != "return":
                raise
            status = jump.status
        finally:
            if "return" in self._lost:
                self._forget(before, self._lost["return"], f"{name}()")
            for local, value in self._locals.pop().items():
                self._set_back(local, value)
            self.positional, self._lost = held, lost
            self._depth -= 1
        return status


def _told(node):
    """A command as it is written, about."""
    if isinstance(node, Command):
        return " ".join(word for word in node.words if isinstance(word, str))
    if node.kind == "test":
        return f"[[ {' '.join(node.parts)} ]]"
    if node.kind == "arithmetic":
        return f"(({node.parts[0]}))"
    if node.kind == "pipeline":
        return ("! " if node.more else "") + " | ".join(_told(part) for part in node.parts)
    if node.kind == "list":
        return " ".join(filter(None, (word for operator, part in node.parts for word in (operator, _told(part)))))
    return f"line {node.line}"
