# SPDX-License-Identifier: GPL-2.0-only
"""
Shell scripts that begin a training of Megatron. They are followed, not run: the arguments are those of the command that
begins the training, or of its lists where a script has no such command.
"""

import re
from pathlib import Path

from .command_line import argument_value, as_setting, ends_launcher
from .errors import ImportRefused, shown
from .shell import Shell
from .shell_syntax import Unreadable
from .shell_unknown import HIDDEN
from .values import NotKnown, Value

_OPTION = re.compile(f"--([A-Za-z]|{HIDDEN.pattern})")
_ENDS = re.compile(rf"{_OPTION.pattern}|[;|&>]|\d>")
# Arguments by which a command is known to begin a training.
_TELLING = re.compile(
    r"--(num[-_]layers|hidden[-_]size|num[-_]attention[-_]heads|num[-_]experts|seq[-_]length|"
    r"(micro|global)[-_]batch[-_]size|(tensor|pipeline|expert|context)[-_]model[-_]parallel[-_]size)(=|$)"
)
# Arguments with a value behind them; an unknown word behind any other may be arguments.
_WITH_VALUE = re.compile(
    r"(?!(no|use|mock|fim|freeze|skip|allow|enable|disable|export|num_tokens_from|rl_offload|log_model|per)_)(\w*_)?"
    r"(addr|batch|channels|checkpoint|coeff|config|data|decay|dim|dir|dropout|embeddings|entity|eps|epochs|experts|"
    r"factor|file|folder|fraction|frames|freq|gpus|groups|heads|host|id|interval|iters|json|key|layers|layout|len|"
    r"length|load|lr|model|name|neighbou?rs|nnodes|nodes|num|optimizer|p|path|per_node|port|project|rank|ratio|samples|save|seed|"
    r"size|stages|std|steps?|task|temperature|tokens|top_?k|type|url|version|workdir)"
)
_ASKED = re.compile(  # of Slurm, of GPUs with their kind or without
    r"(?:^|\s)--?(nodes|N|gpus-per-node|gpus|G|gres=gpu)[\s=:]*(?:[A-Za-z]\w*:)?(\d{1,6})(?=\s|$)"
)
_OF_SLURM = {
    "nnodes": ("SLURM_NNODES", "SLURM_JOB_NUM_NODES"),
    "gpus_per_node": ("SLURM_GPUS_ON_NODE", "SLURM_GPUS_PER_NODE"),
}
_LIST_NAME = re.compile(r"(arg|option|opt|flag)s?$", re.IGNORECASE)
_DEEPEST = 8  # choices within each other


def read_arguments(scripts, variables, parameters, has_model, budget):
    """
    Pairs of a setting and its value by the path of a script, and lines about what it takes from elsewhere.

    :param scripts: pairs of a path and a text, :param variables: values by name, which count more
    :param parameters: the words that stand behind the scripts, :param has_model: whether another file has the model
    """
    shell = Shell({name: str(value.value) for name, value in variables.items()}, dict(scripts), budget)
    made, before = {}, {}
    for path, text in scripts:
        first = len(shell.commands)
        for name, value in _of_slurm(path, text):
            for variable in _OF_SLURM.get(name, ()):
                shell.assign(variable, value.value)
        try:
            ended = shell.follow(path, text, parameters, is_sourced=path != scripts[-1][0])
            budget.place = path
            made[path] = _Collector(shell, path, before).pairs(shell.commands[first:], ended)
        except Unreadable as error:
            place = path if error.line is None else f"{path}:{error.line}"
            gap = re.search(r"<[A-Za-z][^<>]*>", text.split("\n")[error.line - 1]) if error.line else None
            told = error.told + (f": put a value in the place of {shown(gap.group())}" if gap else "")
            raise ImportRefused(place, f"it is no bash that can be followed: {told}") from error
        if shell.unread and made[path] and not has_model:
            _need_unread(shell, path, made)
        before = dict(shell.lists())
        if not made[path] and path == scripts[-1][0] and not any(made.values()):
            raise ImportRefused(path if ended is None else f"{path}:{ended.line}", _without_arguments(shell, ended))
    unread = dict.fromkeys(shell.show_path(found.source) for found in shell.unread)
    notes = [f"{source} is not read, which the script sources" for source in unread]
    notes += [f"{shell.show_path(path)} is read from {shell.show_path(str(end))}" for path, end in shell.moved.items()]
    if shell.gaps:
        notes.append(f"the script has gaps, which are not known: {', '.join(map(shown, dict.fromkeys(shell.gaps)))}")
    assumed = list(dict.fromkeys(filter(None, shell.assumed)))
    if assumed:
        names = ", ".join(assumed)
        notes.append(f"nothing sets {names}, which the script asks for: add NAME=VALUE where something does")
    return made, notes


def _need_unread(shell, path, made):
    """What is missing may stand in a file that is not read."""
    last = shell.unread[-1]
    known = {name for pairs in made.values() for name, _ in pairs}
    for name in ("num_layers", "hidden_size", "num_attention_heads"):
        if name not in known:
            why, remedy = shell.why_unread()
            value = NotKnown(f"it is missing, and {why}", remedy)
            made[path].append((name, Value(value, f"--{name.replace('_', '-')}", f"{last.path}:{last.line}")))


def _without_arguments(shell, ended):
    if ended is not None and (ended.condition or not shell.unread):
        condition = f" by {shell.unknowns.show(ended.condition)}" if ended.condition else ""
        names = dict.fromkeys(re.findall(r"\$\{?([A-Za-z_]\w*)", ended.condition))
        remedy = " or ".join(f"add {name}=VALUE" for name in names) or "give other values as NAME=VALUE"
        return f"the script ends here{condition}, before it begins a training: {remedy}"
    if shell.unread:
        why, remedy = shell.why_unread()
        return f"it has no arguments such as --num-layers 32, and {why}: {remedy}"
    called = next((word for _, _, words, _ in shell.commands for word in words if word.endswith(".sh")), None)
    if called:
        return f"it has no arguments such as --num-layers 32, and calls {shell.unknowns.show(called)}: give that script"
    return "it has no arguments such as --num-layers 32: expected a script that begins a training"


def _of_slurm(path, text):
    """Nodes and GPUs that the head of a script asks Slurm for."""
    names = {"nodes": "nnodes", "N": "nnodes", "gpus": "num_gpus", "G": "num_gpus"}
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*[^#\s]", line):
            break
        words = line.split("#SBATCH", 1)[1] if line.startswith("#SBATCH") else ""
        for option, count in _ASKED.findall(words):
            value = Value(count, f"{Path(path).name}: #SBATCH {option}", f"{path}:{number}")
            yield names.get(option, "gpus_per_node"), value


class _Collector:
    """The arguments in words of commands."""

    def __init__(self, shell, path, before):
        self._shell, self._path, self._before = shell, path, before  # lists of earlier scripts
        self._unknowns = shell.unknowns
        self._causes = []  # by which one of several trainings begins
        self._spots = {}  # of options that stand in what is read once
        for read, text in shell.texts.items():
            for number, line in enumerate(text.split("\n"), 1):
                for option in re.findall(r"--[A-Za-z][\w-]*", re.sub(r"(^|\s)#.*", "", line)):
                    self._spots[option] = None if option in self._spots else f"{read}:{number}"

    def pairs(self, commands, ended):
        """Pairs of a setting and its value."""
        found = []
        for path, line, words, causes in commands:
            words = self._flat(words)
            if any(map(_TELLING.match, words)) or self._may_tell(words):
                found.append(self._read(words, f"{path}:{line}"))
                self._causes += causes
        trainings = [pairs for pairs in found if "num_layers" in pairs] or found
        if not trainings and not ended:
            trainings = self._of_lists()
        pairs = self._merged(trainings)
        asked = _of_slurm(self._path, self._shell.texts[self._path]) if pairs else ()
        return list({**dict(asked), **pairs}.items())

    def _may_tell(self, words):
        """Whether a program of Python is given arguments that may be those of a training."""
        texts = [choice for word in words for choice in self._choices(word)]
        return any(_TELLING.search(part) for text in texts for part in text.split())

    def _choices(self, word, depth=0):
        for unknown in self._unknowns.within(word):
            for choice in (unknown.choices or ()) if depth < _DEEPEST else ():
                self._shell.spend(20)
                for text in [choice] if isinstance(choice, str) else choice:
                    yield text
                    yield from self._choices(text, depth + 1)

    def _flat(self, words):
        """Words, with the commands that stand within one, such as those of srun bash -c "..."."""
        made = []
        for word in words:
            inside = re.search(r"(^|\s)--[A-Za-z][\w-]*", word) and re.search(r"\s", word)
            made += re.findall(r"(?:[^\s\"']|\"[^\"]*\"|'[^']*')+", word) if inside else [word]
        self._shell.spend(sum(map(len, made)))
        return made

    def _of_lists(self):
        """The arguments of all lists, where nothing begins a training."""
        found = []
        for name, words in self._shell.lists():
            if words != self._before.get(name) and any(map(_OPTION.match, words)):
                found.append(self._read(self._flat(words), self._path))
        if not any(_TELLING.match(f"--{name}") for pairs in found for name in pairs):
            return []
        names = dict.fromkeys(name for pairs in found for name in pairs)
        whole = {}
        self._shell.spend(len(names) * len(found))
        for name in names:
            values = [pairs[name] for pairs in found if name in pairs]
            whole[name] = self._one_of(values)
        return [whole]

    def _merged(self, trainings):
        """One training of several: what differs between them is not known."""
        if len(trainings) < 2:
            return trainings[0] if trainings else {}
        names = dict.fromkeys(name for pairs in trainings for name in pairs)
        self._shell.spend(len(names) * len(trainings))
        return {name: self._one_of([pairs.get(name) for pairs in trainings]) for name in names}

    def _one_of(self, values):
        """A value, or that it is not known where it differs."""
        first = next(value for value in values if value is not None)
        if all(value is not None and value.value == first.value for value in values):
            return first
        hidden = next((value for value in values if value is not None and isinstance(value.value, NotKnown)), None)
        if hidden is not None:
            return hidden
        texts = dict.fromkeys("nothing" if value is None else shown(value.value) for value in values)
        why = f"the script says {' and '.join(list(texts)[:4])} in different places"
        remedy = f"give {first.origin.rpartition(': ')[2]} behind the script"
        condition, cause = next(((told, cause) for told, cause in self._causes if cause.name), (None, None))
        if cause:
            why, remedy = f"{why}, depending on {condition}, and {cause.why}", cause.remedy
        return first.but(NotKnown(why, remedy, give=cause.give if cause else ()))

    def _read(self, words, place, depth=0):
        """Values by setting."""
        found, at = {}, 0
        while at < len(words):
            word = words[at]
            at += 1
            self._shell.spend(10)
            is_unknown = word and not HIDDEN.sub("", word)
            if is_unknown and not (at > 1 and re.fullmatch("-(?![ulv]$)[A-Za-z]+", words[at - 2])):
                for char in word:
                    found.update(self._read_unknown(char, place, depth))
                continue
            if not _OPTION.match(word):
                continue
            key, equals, value = word.partition("=")
            values = [value] if equals else []
            while not equals and at < len(words) and not _ENDS.match(words[at]):
                if values and ends_launcher(words[at]) or self._is_list(words[at], None if values else as_setting(key)):
                    break
                values.append(words[at])
                at += 1
            hidden = self._unknowns.first(key)
            if hidden:
                told = f"{self._unknowns.show(key)} may be any argument, since {hidden.why}"
                raise ImportRefused(place, f"{told}: {hidden.remedy or 'give a script without it'}")
            found[as_setting(key)] = self._value(key, values, self._spots.get(key) or place)
        return found

    def _value(self, key, values, place):
        name = Path(place.rpartition(":")[0] or place).name
        hidden = next((self._unknowns.first(value) for value in values if HIDDEN.search(value)), None)
        if hidden is None:
            bare = [value.strip("\"'") if re.fullmatch(r"\"[^\"]*\"|'[^']*'", value) else value for value in values]
            return Value(argument_value(key, bare).value, f"{name}: {key}", place)
        alone = len(values) == 1 and bool(HIDDEN.fullmatch(values[0]))
        may_be_flag = alone and hidden.is_unset
        remedy = hidden.remedy or f"give {key} behind the script"
        return Value(NotKnown(hidden.why, remedy, may_be_flag, hidden.give), f"{name}: {key}", place)

    def _is_list(self, word, name):
        """Whether an unknown word may be arguments. :param name: of the argument whose value it may be, or None"""
        if len(word) > 1 and not HIDDEN.sub("", word):
            return any(self._is_list(char, name) for char in word)
        if not HIDDEN.fullmatch(word):
            return False
        unknown = self._unknowns[word]
        if unknown.choices is None:
            may_be_value = name and _WITH_VALUE.fullmatch(name) and not _LIST_NAME.search(unknown.name)
            return unknown.is_list or not may_be_value
        texts = list(self._choices(word))
        return any(_OPTION.match(text.strip()) or self._is_list(text, name) for text in texts) or not any(
            text.strip() for text in texts
        )

    def _read_unknown(self, word, place, depth):
        """What may be among the arguments, and may not."""
        unknown = self._unknowns[word]
        if unknown.choices is None or depth > _DEEPEST:
            if unknown.is_unset:
                self._shell.assume(unknown.name)
                return {}
            remedy = unknown.remedy or "assign it to a variable of the script and add that as NAME=VALUE"
            told = f"these may be any arguments, since {unknown.why}: {remedy}, which may be empty"
            raise ImportRefused(place, told, unknown.give)
        found = []
        for choice in unknown.choices:
            words = choice.split() if isinstance(choice, str) else list(choice)
            found.append(self._read(self._flat(words), place, depth + 1))
        made = {}
        for name in dict.fromkeys(name for pairs in found for name in pairs):
            values = [pairs.get(name) for pairs in found]
            first = next(value for value in values if value is not None)
            if all(value is not None and value.value == first.value for value in values):
                made[name] = first
            else:
                remedy = unknown.remedy or f"give {first.origin.rpartition(': ')[2]} behind the script"
                made[name] = first.but(NotKnown(unknown.why, remedy, give=unknown.give))
        return made
