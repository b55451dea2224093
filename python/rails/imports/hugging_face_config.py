# SPDX-License-Identifier: GPL-2.0-only
"""The keys of a configuration of Hugging Face, wherever they stand: at the top, in sections, in a part of a model."""

import re
from pathlib import Path

from .budget import PER_SETTING
from .errors import ImportRefused, printable, shown
from .hugging_face_keys import (
    FIRST,
    IN_EXPERTS,
    LAST,
    LISTS,
    NAMES,
    OF_ATTENTION,
    OF_NO_SECTION,
    SECTIONS,
    STEPS,
    SWITCHES,
    WITH_EXPERTS,
    WITHOUT_EXPERTS,
)
from .json_text import read_json
from .values import Settings, Value, as_count, as_switch, refuse

_EXPECTED = "config.json as Hugging Face has it"
_LANGUAGE = re.compile(r"(.*_)?(language|llm|lm|thinker)(_.*)?")
_TEXT = re.compile(r"(.*_)?text(_.*)?")
_OTHER_PARTS = re.compile(
    r".*(vision|image|img|audio|speech|video|encoder|talker|code2wav|draft|mtp|quant|projector).*"
)
_DEEPEST = 3  # sections in one another
_LAWS = (*LISTS, *WITH_EXPERTS, *WITHOUT_EXPERTS, *FIRST, *LAST, *STEPS)
_MEANINGS = {name: meaning for meaning, names in NAMES.items() for name in names}
_MEANINGS.update(dict.fromkeys(_LAWS, "dense_layers"))


class Config(Settings):
    """Values by the names of a configuration, which are asked for by their meaning."""

    def __init__(self):
        super().__init__()
        self.defaults = set()  # keys of workload.model that nothing was found for
        self._spoken = {}  # names with those of their sections
        self._ranks = {}  # how far inside a name was found: the innermost one of a meaning counts

    def put(self, name, value, rank, spoken=""):
        """A value that counts more than those that were put under its name before, but for null."""
        before = self.peek(name)
        if before is not None and before.value is not None:
            if value.value is None:
                return
            if before.value != value.value and name in _MEANINGS:
                self.tell_double(before, value)
        self.set(name, value)
        self._spoken[name], self._ranks[name] = spoken or name, rank

    def spoken(self, name):
        """What a name speaks of: its sections too, and what it has below where this is no model of its own."""
        found, words = self.peek(name).value, [self._spoken.get(name, name)]
        if isinstance(found, dict) and not has_dimensions(found):
            words += found
        return "_".join(words).lower()

    def tell_double(self, other, first):
        self.doubles.append(f"{with_value(other)}: {first.origin} counts, {plain(first.value)}"[:300])

    def one(self, *names):
        """The first of several names; of a list with a number for each layer, the number if there is but one."""
        found = [(-self._ranks.get(name, 0), self.get(name)) for name in names]
        found = [value for _, value in sorted((pair for pair in found if pair[1]), key=lambda pair: pair[0])]
        if not found:
            return None
        first = found[0].but(_only(found[0]))
        for other in found[1:]:
            if other.value not in (first.value, found[0].value):
                self.tell_double(other, first)
        return first

    def of(self, meaning, least=1, **limits):
        """A whole number by its meaning; where it may be absent, 0 says so too."""
        found = self.one(*NAMES[meaning])
        return None if found is None else found.but(as_count(found, least, **limits))

    def need(self, meaning, path, what, **limits):
        found = self.of(meaning, **limits)
        if found is None:
            raise ImportRefused(path, f"{what} is missing: expected {' or '.join(NAMES[meaning])}")
        return found

    def any_flag(self, names, tells=True):
        """The first of several flags that is on, or else the first one that is off."""
        flags = [flag for flag in map(self.flag, names) if flag is not None]
        first = next((flag for flag in flags if flag.value), flags[0] if flags else None)
        for other in flags if tells else ():
            if other.value != first.value:
                self.tell_double(other, first)
        return first

    def switch(self, what):
        """The flag that switches something of a model; one that is on is asked for where the model has it."""
        names = self._switches(what)
        found = [self.peek(name) for name in names]
        found = [value.but(as_switch(value, takes_numbers=True)) for value in found]
        first = next((value for value in found if value.value), found[0] if found else None)
        for other in found:
            if other.value != first.value:
                self.tell_double(other, first)
        if first and not first.value:
            self.ask(names)
        return first

    def is_off(self, what):
        found = self.switch(what)
        return found is not None and not found.value

    def ask_switches(self, what):
        self.ask(self._switches(what))

    def _switches(self, what):
        found = {name: SWITCHES[what].fullmatch(name) for name in self.names()}
        found = {name: bool(match["begin"] or match["end"]) for name, match in found.items() if match}
        return [name for name, is_flag in found.items() if as_switch(self.peek(name), is_flag) is not None]


def _only(found):
    values = found.value
    if not isinstance(values, list):
        return values
    if not values or any(value != values[0] for value in values):
        refuse(found, "one value, or the same for all layers")
    return values[0]


def plain(value):
    return str(value).lower() if isinstance(value, bool) else str(value)[:40]


def with_value(found):
    return f"{found.origin} {plain(found.value)}" if isinstance(found.value, (int, float, str)) else found.origin


def has_dimensions(part):
    """Whether a section has those of a model."""
    return all(any(name in part for name in NAMES[meaning]) for meaning in ("layers", "hidden"))


def read_config(path, budget):
    """The settings of a configuration, and the path of the section that has those of the language model."""
    data, lines = read_json(path, budget.read(path), _EXPECTED, budget)
    inside, others = _find_inside(data, str(path))
    reader = _Reader(path, lines, budget)
    part, around = data, ()
    for section in inside:  # what stands around it counts where it says nothing itself
        reader.read(part, around, section)
        part, around = part[section], (*around, section)
    reader.read(part, inside)
    name = Path(path).name
    for other in others:
        told = f"{'.'.join(inside)} counts, as its name says a language model"
        reader.config.doubles.append(f"{name}: {'.'.join(other)} has dimensions of a model too: {told}")
    return reader.config, inside


class _Reader:
    """Puts the keys of parts of a file into a configuration, the outermost ones first."""

    def __init__(self, path, lines, budget):
        self.config = Config()
        self._budget = budget
        self._path, self._lines, self._rank = path, lines, 0

    def _value(self, where, value):
        self._budget.spend(PER_SETTING)
        origin = printable(f"{Path(self._path).name}: {'.'.join(where)}")
        return Value(value, origin, f"{self._path}:{self._lines.get(where, 1)}")

    def read(self, part, where, chosen=None):
        """:param chosen: the section of a part around the language model that leads to it"""
        self._rank += 1
        sections = []
        for key, value in part.items():
            if isinstance(value, dict) and SECTIONS.fullmatch(key):
                sections.append(key)
            elif key != chosen and not (chosen and isinstance(value, dict) and _is_other(key, value)):
                self.config.put(key, self._value((*where, key), value), self._rank)
        for key in sections:
            self._read_section(key, part[key], (*where, key), (key,))

    def _read_section(self, key, part, where, spoken):
        self._rank += 1
        kind = SECTIONS.fullmatch(key)
        sections = []
        for below, value in part.items():
            if isinstance(value, dict) and SECTIONS.fullmatch(below) and len(spoken) < _DEEPEST:
                sections.append(below)
                continue
            name = self._name_inside(kind, part, below, value, ".".join((*spoken, below)))
            if name:
                self.config.put(name, self._value((*where, below), value), self._rank, ".".join((*spoken, below)))
        for below in sections:
            self._read_section(below, part[below], (*where, below), (*spoken, below))

    def _name_inside(self, kind, part, name, value, dotted):
        """
        By which name a key of a section counts: its own where the section speaks of it, otherwise one that nothing
        asks for, so that it is told; none where it repeats what stands outside.
        """
        if kind["experts"] and name in IN_EXPERTS:
            meant = IN_EXPERTS[name]
            others = NAMES.get(_MEANINGS.get(meant), ())
            if not any(other in part for other in others):
                name = meant
        meaning = _MEANINGS.get(name)
        if meaning and meaning not in OF_NO_SECTION and bool(kind["attention"]) == (meaning in OF_ATTENTION):
            return name
        outside = [self.config.peek(other) for other in NAMES.get(meaning, (name,))]
        outside = [found.value for found in outside if found is not None and found.value is not None]
        if value is None or value in outside:
            return None
        return dotted if meaning or outside else name


def _is_other(key, value):
    """A part that is no part of a language model, or a model of its own."""
    return bool(_OTHER_PARTS.fullmatch(key) and key != "quantization_config") or has_dimensions(value)


def _find_inside(data, path):
    """
    Where the dimensions of the language model stand: at the top, or in a section such as text_config; and sections of
    other names of this kind, which have other dimensions.
    """
    parts, found = [((), data)], []
    for where, part in parts:
        if has_dimensions(part):
            found.append((where, part))
        below = [(key, value) for key, value in part.items() if isinstance(value, dict) and len(where) < 3]
        parts += [((*where, key), value) for key, value in below if not _OTHER_PARTS.fullmatch(key)]
    named = [(where, part) for where, part in found if where and _strength(where)]
    if not named:
        if len(found) > 1 and found[0][0] != ():
            told = " and ".join(".".join(where) for where, _ in found[:4])
            raise ImportRefused(path, f"dimensions of a model are in {shown(told)}: expected one, or text_config")
        return (found[0][0] if found else ()), []
    outer = {where[:length] for where, _ in named for length in range(1, len(where))}
    named = [(where, part) for where, part in named if where not in outer]
    most = max(_strength(where) for where, _ in named)
    first, part = next((where, part) for where, part in named if _strength(where) == most)
    others = [where for where, other in named if not _are_alike(part, other)]
    if any(_strength(where) == most for where in others):
        told = " and ".join(".".join(where) for where in (first, *others[:3]))
        raise ImportRefused(path, f"dimensions of a model are in {shown(told)}: expected one, or text_config")
    if has_dimensions(data) and not _are_alike(part, data):
        told = f"dimensions of a model are outside and in {'.'.join(first)}, and differ"
        raise ImportRefused(path, f"{told}: in a copy of the file, leave out those of the model that is not meant")
    return first, others


def _strength(where):
    """How much the name of a section says that it is the language model: 2 for itself, 1 for any text."""
    if _TEXT.fullmatch(where[-1]):
        return 2 if any(map(_LANGUAGE.fullmatch, where)) else 1
    return 2 if _LANGUAGE.fullmatch(where[-1]) else 0


def _are_alike(part, other):
    """Whether two sections have the same layers and widths."""

    def sizes(of):
        return [next((of[name] for name in NAMES[meaning] if name in of), None) for meaning in ("layers", "hidden")]

    return sizes(part) == sizes(other)
