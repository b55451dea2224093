# SPDX-License-Identifier: GPL-2.0-only
"""Commands of the shell itself, and programs that only print what they are given."""

import os
import re
from dataclasses import dataclass, replace
from functools import partial, partialmethod
from pathlib import Path

from .errors import ImportRefused, shown
from .shell_arithmetic import NoNumber
from .shell_syntax import Unreadable
from .shell_unknown import HIDDEN, Unknown, plain
from .shell_words import Hidden

DEEPEST = 20  # functions, files, and commands in each other
LARGEST = 1_000_000  # characters of a text or a file, elements of a list
# What a command prints that is followed for it, the working directory, and the parameters, among the variables.
OUT, WHERE, PARAMETERS = ">out", ">where", ">parameters"
LOST, FUNCTION = ">lost", ">function "  # what may have set any variable; commands of a function, by its name
EXPORTED = ">exported "  # whether programs have a variable, by its name
_LONGEST_PATH = 4000
_NAME_IT = "name that file too, in front of the script"


class Jump(Exception):
    """break, continue, return, and exit of a subshell. :param count: of loops, :param status: whether it succeeds"""

    def __init__(self, kind, count=1, status=True):
        super().__init__()
        self.kind, self.count, self.status = kind, count, status


class Ended(Jump):
    """A script ends itself. :param line: where, :param condition: by which"""

    def __init__(self, line, status, condition):
        super().__init__("exit", status=status)
        self.line, self.condition = line, condition


def leaves(redirections):
    """Whether what a command prints goes elsewhere."""
    return any(re.fullmatch(r"1?>{1,2}\|?|&>{1,2}|>&", operator) for operator, _, _ in redirections)


@dataclass(frozen=True)
class Unread:
    """A file that is sourced and not read. :param path: of the file that sources it, :param why: it is not read"""

    source: str
    path: str
    line: int
    why: str


class Builtins:
    """What the commands do with the variables of a shell, which is of this class."""

    def _builtin(self, name):
        """What a name does; None where it is a program."""
        known = re.fullmatch(r"[\w.:\[]+", name)
        return getattr(self, f"_do_{BUILTINS.get(name, name)}", None) if known else None

    def _print(self, text):
        if self._variables.get(OUT) is not None:
            made = self._variables[OUT] + text
            self.spend(len(text) // 16 + len(made) // 2000)
            if len(made) > LARGEST:
                raise Unreadable("an output becomes too long", self._line)
            self._variables[OUT] = made

    def _print_unknown(self, told):
        if self._variables.get(OUT) is not None:
            self._print(self.unknowns.hide(Unknown(f"{self.unknowns.show(told)} is not run")))

    def _do_true(self, words, node):
        return True

    def _do_false(self, words, node):
        return False

    def _do_bracket(self, words, node):
        return self._tests.of_words(words[:-1] if words[-1:] == ["]"] else words)

    def _do_echo(self, words, node):
        options = ""
        while words and re.fullmatch("-[neE]+", words[0]):
            options, words = options + words[0], words[1:]
        text = " ".join(words)
        if "e" in options:
            text = self._words.escaped(text)
        if not leaves(node.redirections):
            self._print(text + ("" if "n" in options else "\n"))
        return True

    def _do_printf(self, words, node):
        target = words[1] if words[:1] == ["-v"] and len(words) > 1 else None
        words = words[2:] if target else words[1:] if words[:1] == ["--"] else words
        text = self._format(words[0], words[1:]) if words else ""
        found = re.fullmatch(r"([A-Za-z_]\w*)(?:\[(.*)\])?", target or "")
        if found:
            self.assign(found.group(1), text, found.group(2))
        elif target:
            self.lose_by(target, "printf -v")
        elif not leaves(node.redirections):
            self._print(text)
        return True

    def _format(self, pattern, words):
        hidden = self.unknowns.first(pattern)
        if hidden:
            return self.unknowns.hide(hidden.follows())
        words, made = list(words), []
        parts = re.split(r"(%[-+0#]*[0-9]{0,3}(?:\.[0-9]{1,3})?[a-zA-Z%])", pattern)
        if "%" in "".join(parts[::2]):
            return self.unknowns.hide(Unknown(f"printf {self.unknowns.show(pattern)} is not followed"))
        self.spend(len(pattern) + len(words))
        words.reverse()
        while True:
            count = len(words)
            for part in parts:
                if not re.fullmatch(r"%.*[a-zA-Z%]", part):
                    made.append(self._words.escaped(part))
                elif part == "%%":
                    made.append("%")
                else:
                    made.append(self._formatted(part, words.pop() if words else ""))
                self.spend(10 + len(made[-1]))
            if not words or len(words) == count:
                return "".join(made)

    def _formatted(self, part, word):
        hidden = self.unknowns.first(word)
        if part[-1] == "s" or part[-1] in "bq" and (hidden or re.fullmatch(r"[\w./:=+-]+", word)):
            return word if hidden or part[-1] != "s" else part % word
        try:
            number = self._words.number(word) if not hidden and part[-1] in "dixXo" else None
        except (Hidden, NoNumber):
            number = None
        if number is None:
            told = hidden.follows() if hidden else Unknown(f"printf {part} is not followed")
            return self.unknowns.hide(told)
        return part % number

    def _do_seq(self, words, node):
        if not 1 <= len(words) <= 3 or not all(re.fullmatch(r"-?\d{1,9}", word) for word in words):
            return self._unfollowed("seq", words)
        numbers = [int(word) for word in words]
        first, step, last = (1, 1, *numbers) if len(words) == 1 else (
            (numbers[0], 1, numbers[1]) if len(words) == 2 else numbers
        )
        if not step or abs(last - first) // abs(step) > 10_000:
            return self._unfollowed("seq", words)
        self._print("".join(f"{number}\n" for number in range(first, last + (1 if step > 0 else -1), step)))
        return True

    def _unfollowed(self, name, words):
        self._print_unknown(" ".join([name, *words]))
        return Unknown(f"{name} is not followed")

    def _do_dirname(self, words, node):
        words = [word for word in words if word != "--"]
        for word in words:
            cut = (word.rstrip("/") or word[:1] * 2).rpartition("/")
            self._print((cut[0] or "/" if cut[1] else "." if not HIDDEN.search(word) else self._follows(word)) + "\n")
        return True

    def _follows(self, text):
        return self.unknowns.hide(self.unknowns.first(text).follows())

    def _do_basename(self, words, node):
        words = [word for word in words if word != "--"]
        if not 1 <= len(words) <= 2 or HIDDEN.search("".join(words[1:])):
            return self._unfollowed("basename", words)
        last = words[0].rstrip("/").rpartition("/")[2]
        self._print((last.removesuffix(words[1]) if len(words) > 1 else last) + "\n")
        return True

    def _do_realpath(self, words, node):
        words = [word for word in words if not word.startswith("-")]
        if len(words) != 1:
            return self._unfollowed("realpath", words)
        self._print(self._absolute(words[0]) + "\n")
        return True

    def _absolute(self, text):
        """A path from the root, of one that may be relative."""
        if text.startswith("/") or HIDDEN.match(text):
            return text if HIDDEN.search(text) else os.path.normpath(text)
        where = self._variables.get(WHERE)
        where = where or self.unknowns.hide(Unknown("the folder in which the script begins is not known"))
        joined = f"{where.rstrip('/')}/{text}"
        self.spend(len(joined))
        return joined if HIDDEN.search(joined) else os.path.normpath(joined)

    def _do_pwd(self, words, node):
        self._print(self._absolute(".").removesuffix("/.") + "\n")
        return True

    def _do_cd(self, words, node):
        words = [word for word in words if word not in ("--", "-P", "-L")]
        self._variables[WHERE] = self._absolute(words[0] if words else "~")
        return True

    def _do_cat(self, words, node):
        bodies = [self._stdin(found) for found in node.redirections if found[0].lstrip("0123456789").startswith("<<")]
        if words or not bodies:
            return self._unfollowed("cat", words)
        if not leaves(node.redirections):
            self._print(bodies[-1])
        return True

    def _stdin(self, found):
        operator, word, body = found
        if operator.endswith("<<<"):
            return self._words.text(word) + "\n"
        text = "".join(body)
        return text if re.search(r"[\"'\\]", word) else self._words.text(text, quoted=True)

    def _do_read(self, words, node):
        options, names, at = "", [], 0
        is_list = is_cut = False
        while at < len(words):
            if words[at].startswith("-"):
                options += words[at]
                is_list |= "a" in words[at]
                is_cut |= bool(re.search("[nN]", words[at])) or words[at][-1] == "d" and words[at + 1 : at + 2] != [""]
                at += 1 if words[at][-1] not in "dnptuN" else 2
            else:
                names.append(words[at])
                at += 1
        bodies = [self._stdin(found) for found in node.redirections if "<<" in found[0]]
        self.lose_by("".join(names), "read")
        names = [name for name in names if re.fullmatch(r"[A-Za-z_]\w*", name)] or ["REPLY"]
        if not bodies:
            for name in names:
                self._read_unknown(name, is_list)
            return Unknown("what is read is not known")
        is_whole = "d" in options  # up to the end, which is a failure
        text = bodies[-1].rstrip("\n") if is_whole else bodies[-1].split("\n")[0]
        if is_cut or "\\" in text and "r" not in options:
            text = self.unknowns.hide(Unknown(f"read {options} is not followed"))
        parts = self._words.split(self.unknowns.divided(text), None if is_list else len(names))
        if is_list:
            self.assign(names[0], tuple(parts))
            return not is_whole
        for name, part in zip(names, parts + [""] * len(names)):
            self.assign(name, part)
        return not is_whole

    def _read_unknown(self, name, is_list):
        told = ", elements by blanks in VALUE" if is_list else ""
        hidden = self.unknowns.hide(Unknown(f"{name} is read while the script runs{told}", name, may_split=is_list))
        self.assign(name, (hidden,) if is_list else hidden)

    def _do_mapfile(self, words, node):
        self.lose_by("".join(words), "mapfile")
        self._read_unknown(words[-1] if words and re.fullmatch(r"[A-Za-z_]\w*", words[-1]) else "MAPFILE", True)
        return Unknown("what is read is not known")

    def _do_getopts(self, words, node):
        if not self.positional:
            self.assume()
            return False
        self.lose_by("".join(words[1:2]), "getopts")
        for name in (*words[1:2], "OPTARG"):
            self.assign(name, self.unknowns.hide(Unknown("getopts is not followed", name)))
        return Unknown("getopts is not followed")

    def _do_let(self, words, node):
        return self._words.is_true(",".join(words))

    def _do_set(self, words, node):
        words, option = list(words), ""
        while words and re.match("[-+]", words[0]) and option != "--":
            option = words.pop(0)
            switch = "1" if option[0] == "-" else ""
            if option[1:2] != "-" and option.endswith("o") and words:
                self._variables[f">{words.pop(0)}"] = switch
            for letter, long in (("e", "errexit"), ("a", "allexport")):
                if option[1:2] != "-" and letter in option:
                    self._variables[f">{long}"] = switch
        if words or option == "--":
            self.positional = tuple(words)
        return True

    def _do_shopt(self, words, node):
        for word in words if re.match("-s|-u", "".join(words)) else ():
            self._variables[f">{word}"] = "1" if words[0] == "-s" else ""
        return Unknown("it is not known whether shopt succeeds")

    def is_on(self, name):
        """Whether shopt switched it on, or may have."""
        return bool(self._variables.get(f">{name}"))

    def _do_trap(self, words, node):
        if not {"DEBUG", "ERR", "RETURN"}.isdisjoint(words[1:]):
            self._traps.append((self._line, words))
        return True

    def _follow_trap(self, line, words):
        """Rejects what is done between the commands of a script, where that sets a variable."""
        self.spend(len(self._variables))
        functions = {name: value for name, value in self._variables.items() if name.startswith(FUNCTION)}
        self._line, self._variables, count = line, functions, len(self.assumed)
        self._to_end(partial(self._sequence, self._parsed(words[0], line)))
        set_by = next((name for name in self._variables if not name.startswith(">") or name == LOST), None)
        del self.assumed[count:]
        if set_by:
            told = f"add {set_by}=VALUE" if set_by != LOST else "begin the training without it"
            raise Unreadable(f"trap sets variables behind commands, which is not followed: {told}", line)

    def _do_shift(self, words, node):
        count = int(words[0]) if words and re.fullmatch("[0-9]{1,8}", words[0]) else 1
        self.spend(len(self.positional) // 8)
        hidden = self.unknowns.several(self.positional[:count])
        if not hidden and count > len(self.positional):
            if not self.positional:
                self.assume()
            return False
        self.positional = (self.unknowns.hide(replace(hidden, may_split=True)),) if hidden else self.positional[count:]
        return hidden or True

    def _do_unset(self, words, node):
        for word in words:
            self.lose_by(word, "unset")
            name, bracket, index = word.partition("[")
            if bracket:
                self._unset_element(name, index.rstrip("]"))
            else:
                self._variables[FUNCTION + name if "-f" in words else name] = None
        return True

    def _unset_element(self, name, index):
        hidden = self.unknowns.hide(Unknown(f"an element of {name} is unset, not followed", name, may_split=True))
        value = self._variables.get(name)
        if isinstance(value, dict):
            is_known = not HIDDEN.search(index)
            self.assign(name, {key: part if is_known else hidden for key, part in value.items() if key != index})
        elif isinstance(value, tuple):
            is_last = index in ("-1", str(len(value) - 1)) and not self.unknowns.several(value)
            self.assign(name, value[:-1] if is_last else (hidden,))

    def _do_eval(self, words, node):
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable("eval calls itself too often", self._line)
        try:
            return self._sequence(self._parsed(" ".join(words), self._line))
        finally:
            self._depth -= 1
            self.lose_by(" ".join(words), "eval")

    def _do_command(self, words, node):
        if words[:1] == ["-p"]:
            words = words[1:]
        if words and not words[0].startswith("-"):
            return self._begin(words, node)
        self._print_unknown(" ".join(["command", *words]))
        return Unknown("it is not known whether there is such a command")

    def _do_exec(self, words, node):
        if not words:
            return True
        self._end(self._call(words, node))

    def _do_exit(self, words, node):
        self._end(self._status_of(words))

    def _end(self, status, condition=""):
        """Ends the script, or the subshell."""
        raise Jump("exit", status=status) if self._shells else Ended(self._line, status, condition)

    def _status_of(self, words):
        """What exit and return say of their success."""
        if not words:
            return self._status
        return self.unknowns.first(words[0]) or bool(re.fullmatch(r"\d{1,9}", words[0])) and int(words[0]) % 256 == 0

    def _do_return(self, words, node):
        if not self._may_return:
            return False
        raise Jump("return", status=self._status_of(words))

    def _leave_loop(self, kind, words, _):
        if not self._loops:
            return True
        count = int(words[0]) if words and re.fullmatch(r"[1-9]", words[0]) else 1
        raise Jump(kind, min(count, self._loops))

    _do_break, _do_continue = partialmethod(_leave_loop, "break"), partialmethod(_leave_loop, "continue")

    def _do_source(self, words, node):
        if not words:
            return True
        path, text = self._sourced(words[0])
        if path is None:
            self.unread.append(Unread(words[0], self._path, self._line, text))
            self.lose(*self.why_unread())
            return Unknown(f"{self.unknowns.show(words[0])} is not read")
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unreadable(f"{path} sources itself", self._line)
        held, line, parameters = self._path, self._line, self.positional
        self._path = path
        self.texts[path] = text
        if words[1:]:
            self.positional = words[1:]
        try:
            return self._until_return(partial(self._sequence, self._parsed(self._with_gaps(text))), path)
        except Unreadable as error:
            raise Unreadable(f"{path}:{error.line or self._line}: {error.told}", line) from error
        finally:
            self._path, self._line = held, line
            if words[1:]:
                self.positional = parameters
            self._depth -= 1

    def why_unread(self):
        """Why the last file that a script sources is not read, and what to give."""
        last = self.unread[-1]
        hidden = self.unknowns.first(last.source)
        told = f"{self.show_path(last.source)}, which line {last.line} of {Path(last.path).name} sources, is not read"
        if hidden and hidden.name:
            return f"{told}, since {hidden.why}", f"add {hidden.name}=VALUE, or {_NAME_IT}"
        return f"{told}, since {last.why}", _NAME_IT

    def _sourced(self, text):
        """The path and the text of a file that is sourced; of one that is not to be read, None and why."""
        where = self._absolute(text)
        self.spend(1000)
        if len(where) > _LONGEST_PATH:
            return None, "its path is too long"
        try:
            path = None if HIDDEN.search(where) else Path(where).resolve()
            folders = [self._root, *(Path(file).parent for file in self._files)]
            folders = [checkout(folder.resolve()) for folder in folders]
            is_below = path and any(path.is_relative_to(folder) for folder in folders)
            given = [file for file in self._files if path == Path(file).resolve()]
            if not (is_below and path.is_file()):
                given += [file for file in self._files if Path(file).name == text.rpartition("/")[2]]
            if given:
                return given[0], self._files[given[0]]
            if path is None:
                return None, "its folder is not known"
            moved = None if is_below else _moved(path, self._root)
            if moved:
                self.moved[where] = moved
                is_below, path, where = True, moved, str(moved)
            if not is_below:
                return None, "it is neither below the folder of the script nor in its Git checkout"
            if not path.is_file():
                return None, "there is no such file"
            return where, plain(self._budget.read(path, LARGEST))
        except ImportRefused as error:
            return None, error.reason
        except (OSError, ValueError, RuntimeError) as error:
            return None, shown(error)


def checkout(folder):
    """The Git checkout that a folder is in; the folder itself where it is in none."""
    return next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)


def _moved(path, folder):
    """The file of the folder's Git checkout that a path into a checkout elsewhere means; None where there is none."""
    root = checkout(folder.resolve())
    ends = (root.joinpath(*path.parts[number:]).resolve() for number in range(1, len(path.parts) - 1))
    is_checkout = (root / ".git").exists()
    return next((end for end in ends if is_checkout and end.is_file() and end.is_relative_to(root)), None)


BUILTINS = {
    ":": "true",
    "[": "bracket",
    "test": "bracket",
    ".": "source",
    "builtin": "command",
    "typeset": "declare",
    "readarray": "mapfile",
    "readlink": "realpath",
}
