# SPDX-License-Identifier: GPL-2.0-only
"""
Follows a bash script without running it: variables, lists, branches, loops, functions and files that it sources. What
other programs would do is not known, and is kept as such.
"""

import os
import re
from functools import partial, partialmethod
from pathlib import Path

from .budget import Budget
from .errors import ImportRefused, shown
from .shell_builtins import DEEPEST, EXPORTED, FUNCTION, LOST, OUT, PARAMETERS, WHERE, Builtins, Ended, leaves
from .shell_flow import Flow
from .shell_syntax import DECLARES, Assign, Compound, Scanner, Unreadable, parse
from .shell_test import Tests
from .shell_unknown import HIDDEN, Unknown, Unknowns, plain
from .shell_variables import Variables
from .shell_words import Words

_DECLARED = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]]*)\])?(?:(\+?)=(.*))?", re.DOTALL)
# What users put a value in the place of, which a shell takes for redirections without a file.
_GAP = re.compile(
    r"^([ \t]*(?:export[ \t]+)?[A-Za-z_]\w*=)<([A-Za-z][^<>\n]*)>[ \t]*(?:\([^()\n]*\)[ \t]*)?$", re.MULTILINE
)
_SILENT = (
    "alias chmod cp hash kill ln logger mkdir module mv pkill popd pushd rm sleep touch ulimit "
    "umask unalias wait"
).split()
_SHELLS = re.compile(r"(.*/)?(ba|z|da)?sh")


class Shell(Variables, Flow, Builtins):
    """
    Variables, and what a script does with them.

    :param given: texts by the names of variables, which no script changes
    :param files: texts of files by their paths, which may be sourced from wherever they lie, as those below them may
    """

    def __init__(self, given, files, budget=None):
        self._budget = budget or Budget()
        self.scanner = Scanner(self._budget)
        self.unknowns = Unknowns()
        self.commands = []  # (path, line, words, causes) of programs
        self.assumed = []  # names that are taken as set by nothing
        self.unread = []  # files that are sourced
        self.moved = {}  # files that are read in place of others, by the paths of these
        self.texts = {}  # of the files that are read, by their paths
        self.gaps = []  # of scripts, in words
        self._given = {name: plain(value) for name, value in dict(given).items()}
        self._files = {path: plain(text) for path, text in dict(files).items()}
        self._words = Words(self)
        self._tests = Tests(self, self._words)
        self._variables = {}
        self._locals, self._causes = [], []
        self._passed = set()  # variables that are set for a command alone
        self._main = self._path = ""
        self._root = None
        self._line = 0
        self._depth = 0
        self._status = self._substituted = True  # whether the last command succeeds, and the last one in $( )
        self._traps = []  # lines and words
        self._lost = {}  # causes by the kinds and counts of jumps that are not known to happen
        self._states = []  # variables at these jumps
        self._guards = self._loops = 0  # conditions, which set -e does not end a script at; loops that break leaves
        self._shells = 0  # subshells in each other
        self._may_return = False  # in functions and in files that are sourced

    def follow(self, path, text, parameters, is_sourced=False):
        """Follows a file. :returns: how it ends itself, or none"""
        self._main = self._path = str(path)
        self._root = Path(path).parent
        self.positional = tuple(map(plain, parameters))
        self.texts[self._path] = text = plain(text)
        ended = None
        try:
            run = partial(self._sequence, self._parsed(self._with_gaps(text)))
            ended = self._to_end(partial(self._until_return, run, self._path) if is_sourced else run)
            held = self._variables, len(self.commands)
            for line, words in self._traps:
                self._follow_trap(line, words)
            self._variables = held[0]
            del self.commands[held[1] :]
        except RecursionError as error:
            raise Unreadable("it is nested too deeply", self._line) from error
        except ImportRefused as error:  # of the budget
            raise Unreadable(error.reason, self._line) from error
        except Unreadable as error:
            raise Unreadable(error.told, error.line or self._line) from error
        return ended

    def _with_gaps(self, text):
        """A script in which unknown values stand for its gaps."""

        def filled(found):
            self.gaps.append(found[2])
            return found[1] + self.unknowns.hide(Unknown(f"the script has a gap, {shown(found[2])}, in its place"))

        return _GAP.sub(filled, text)

    def _parsed(self, text, line=1):
        return parse(text, line, self._budget)

    def _copied(self):
        """The variables, as they are kept."""
        self.spend(len(self._variables))
        return dict(self._variables)

    def _to_end(self, run):
        """Follows commands to their end. :returns: how they end the script, or none"""
        try:
            run()
        except Ended as end:
            return end
        return None

    def show_path(self, text):
        """A path that a script sources, in a message."""
        if not HIDDEN.search(text) and len(text) < 1000:
            return f"'{os.path.normpath(text)}'" if text.isprintable() else shown(text)
        return self.unknowns.show(text)

    def substitute(self, raw):
        """The output of commands, as far as it is known."""
        if self._depth > DEEPEST:
            raise Unreadable("commands are nested too deeply", self._line)
        saved, line = self._variables, self._line
        self._variables = {**saved, OUT: ""}
        if not self.is_on("inherit_errexit"):
            self._variables[">errexit"] = ""
        self.spend(len(saved))
        self._depth += 1
        try:
            self._substituted = self._in_shell(partial(self._sequence, self._parsed(raw, line)), "commands of $( )")
        finally:
            made, self._variables = self._variables[OUT], saved
            self._depth -= 1
            self._line = line
        return made.rstrip("\n")

    def _simple(self, node):
        self._substituted = True
        if not node.words:
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
        passed, self._passed = self._passed, {*self._passed, *saved}
        try:
            return self._call(words, node) if words else self._substituted
        finally:
            self._passed = passed
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
            self.assign(found.name, made)
            for pair in filter(None, pairs):
                self.assign(found.name, self._words.text(pair.group(2)), self._words.text(pair.group(1)))
            return
        words = [field for word in found.value for field in self._words.fields(word)]
        if any(pairs):
            why = f"the list {found.name} has numbered elements, which are not followed"
            words = [self.unknowns.hide(Unknown(why, found.name, may_split=True))]
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
            if command == "export" or "x" in options + removed:
                self._variables[EXPORTED + name] = "" if "n" in options or "x" in removed else "1"
        return True

    def _add_kind(self, key, flags, removed):
        held = self._variables.get(key) or ""
        if flags or removed:
            self._variables[key] = "".join(flag for flag in (*held, *sorted(flags)) if flag not in removed)

    _do_declare, _do_local = partialmethod(_declare, "declare"), partialmethod(_declare, "local")
    _do_export, _do_readonly = partialmethod(_declare, "export"), partialmethod(_declare, "readonly")

    def _call(self, words, node):
        name = words[0]
        function = self._variables.get(FUNCTION + name)
        if isinstance(function, str):
            unknown = self.unknowns[function]
            told = f"{name}() is defined in a branch that is not known, since {unknown.why}"
            raise Unreadable(f"{told}: {unknown.remedy or 'give a script without it'}", self._line)
        if function:
            return self._call_function(name, function, words[1:])
        return self._begin(words, node)

    def _begin(self, words, node):
        """Follows what is no function."""
        name = words[0]
        self._follow_written(name, node.redirections)
        builtin = self._builtin(name)
        if builtin:
            return builtin(words[1:], node)
        if _SHELLS.fullmatch(name) and "-c" in words[1:-1]:
            at = words.index("-c") + 1
            return self._run_script(words[at], words[at + 2 :])
        if name in _SILENT:
            return Unknown(f"it is not known whether {name} succeeds", "")
        self.commands.append((self._path, self._line, words, tuple(self._causes)))
        if not leaves(node.redirections):
            self._print_unknown(" ".join(words))
        return Unknown(f"{self.unknowns.show(' '.join(words))} is not run")

    def _run_script(self, text, parameters):
        """Follows a script of its own process, which has the variables that are exported."""
        held, made, main = self._variables, {}, self._main
        self._main = self.unknowns.hide(Unknown("$0 is not that of the script"))
        for name, value in held.items():
            key = name.removeprefix(FUNCTION)
            is_exported = key in self._passed or held.get(EXPORTED + key) == "1"
            if name in (OUT, WHERE, LOST) or is_exported and not isinstance(value, (tuple, dict)):
                made[name] = value
            elif re.match("(?!IFS$)[A-Za-z_]", name) and value is not None:
                made[name] = self.unknowns.hide(Unknown(f"{name} is not exported", name))
        self._variables = {OUT: None, **made, PARAMETERS: tuple(parameters)}
        self.spend(len(held))
        try:
            return self._run_subshell(Compound(self._line, "subshell", self._parsed(text, self._line)))
        finally:
            self._variables, self._main = {**held, OUT: self._variables[OUT]}, main

    def _follow_written(self, name, redirections):
        """A here-document that is a script itself: for a shell or Slurm, or written into a file of that kind."""
        targets = [self._words.text(word) for operator, word, _ in redirections if operator.endswith(">")]
        writes = any(re.search(r"\.(sh|slurm|sbatch)$", target) for target in targets)
        if not (writes or _SHELLS.fullmatch(name) or name in ("sbatch", "srun", "ssh")):
            return
        for found in redirections:
            if found[0].endswith(("<<", "<<-")):
                self._run_script(self._stdin(found), ())

    def _call_function(self, name, body, words):
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable(f"{name} calls itself too often", self._line)
        parameters, loops = self.positional, self._loops
        self.positional, self._loops = tuple(words), 0
        self._locals.append({})
        try:
            return self._until_return(partial(self._sequence, body), f"{name}()")
        finally:
            for local, value in self._locals.pop().items():
                self._set_back(local, value)
            self.positional, self._loops = parameters, loops
            self._depth -= 1
