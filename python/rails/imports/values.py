# SPDX-License-Identifier: GPL-2.0-only
"""Values that know where they are from, and what is read of them."""

import re
from dataclasses import dataclass

from .errors import ImportRefused, shown

MOST = 100_000_000  # what a descriptor takes as a count

# Settings that every training is asked for.
SIZES = (
    "num_layers",
    "hidden_size",
    "num_attention_heads",
    "num_experts",
    "moe_router_topk",
    "tensor_model_parallel_size",
    "pipeline_model_parallel_size",
    "context_parallel_size",
    "expert_model_parallel_size",
    "expert_tensor_parallel_size",
    "micro_batch_size",
    "global_batch_size",
    "seq_length",
)


@dataclass(frozen=True)
class Value:
    """
    A value of a file, an argument, or one that follows from others.

    :param origin: what stands behind it in the descriptor, such as "config.json: vocab_size"
    :param place: where a message about it points to, such as "config.json:12"
    """

    value: object
    origin: str
    place: str = ""

    @property
    def spot(self):
        """Where a message about it points to: of a value that nobody gave, to the command."""
        return self.place or "./rails import"

    def but(self, value, more=""):
        """Another value that follows from this one."""
        return Value(value, self.origin + more, self.place)


@dataclass(frozen=True)
class NotKnown:
    """
    Stands for a value that a script has and does not say.

    :param why: a clause that says so, :param remedy: what to give, as a command
    :param may_be_flag: whether the name alone may be what is there, with nothing behind it
    :param give: a word that may make up for it
    """

    why: str
    remedy: str
    may_be_flag: bool = False
    give: tuple = ()


def ours(value, why):
    """A value that nobody gave."""
    return Value(value, why)


class Settings:
    """Values by name. It remembers which were asked for, so that the others can be listed."""

    def __init__(self, values=None):
        self._values = dict(values or {})
        self._asked = set()
        self.doubles = []  # lines on names of one meaning that say different things

    def __contains__(self, name):
        return self.get(name) is not None

    def set(self, name, value):
        self._values[name] = value

    def names(self):
        return list(self._values)

    def get(self, name):
        """The value of a name; None where there is none, or where it says that there is none."""
        self._asked.add(name)
        found = self._values.get(name)
        if found is not None and isinstance(found.value, NotKnown):
            self._refuse_unknown(name, found)
        return None if found is None or found.value is None else found

    def peek(self, name):
        """The value of a name, whatever it says, without asking for it."""
        return self._values.get(name)

    def why_unknown(self, name):
        """Why a value is not known, whose name counts as asked for; None where it is known, or where there is none."""
        self._asked.add(name)
        found = self._values.get(name)
        return found.value if found is not None and isinstance(found.value, NotKnown) else None

    def _refuse_unknown(self, name, found):
        """Ends with what to give, of the other sizes of a training too, so that one answer is enough."""
        sizes = [value.value for name, value in self._values.items() if name in SIZES]
        others = [value for value in sizes if isinstance(value, NotKnown) and value.remedy.startswith("add ")]
        remedies = dict.fromkeys([found.value.remedy, *(other.remedy for other in others)])
        told = found.value.remedy
        if told.startswith("add "):
            told = "add " + " ".join(remedy.removeprefix("add ") for remedy in remedies)
        told += ", or give --gpus" if name in ("num_gpus", "nnodes", "gpus_per_node") else ""
        raise ImportRefused(found.spot, f"{name_of(found)}{found.value.why}: {told}", found.value.give)

    def first(self, *names):
        """The first of several names that has a value."""
        found = [self.get(name) for name in names]
        return next((value for value in found if value is not None), None)

    def count(self, *names, least=1, most=MOST):
        """A whole number by its name, or the first of several names."""
        found = self.first(*names)
        return None if found is None else found.but(as_count(found, least, most))

    def number(self, *names):
        found = self.first(*names)
        return None if found is None else found.but(as_number(found))

    def flag(self, *names):
        """True or false; None where it is not said."""
        for name in names:
            held = self._values.get(name)
            if held is not None and isinstance(held.value, NotKnown) and held.value.may_be_flag:
                self._values[name] = held.but(True)
        found = self.first(*names)
        return None if found is None else found.but(as_flag(found))

    def is_on(self, name):
        found = self.flag(name)
        return found is not None and found.value

    def text(self, *names):
        found = self.first(*names)
        return None if found is None else found.but(as_text(found))

    def unasked(self):
        """Values that nobody asked for."""
        return {name: value for name, value in self._values.items() if name not in self._asked}

    def asked(self):
        """Names that were asked for, whether they have a value or not."""
        return sorted(self._asked)

    def has_asked(self, names):
        return not self._asked.isdisjoint(names)

    def ask(self, names):
        """Names of which nothing is to be taken."""
        self._asked.update(names)


def refuse(found, expected):
    """Ends with what was expected in place of a value."""
    behind = found.value.partition("${")[2] if isinstance(found.value, str) else ""
    variable, closes, _ = behind.partition("}")
    if closes and re.fullmatch(r"\w+", variable):
        told = f"${{{variable}}} stands for a value that is not given: add {variable}=VALUE"
    elif closes:
        told = f"{variable} is not known without running it: give the value as an argument or as NAME=VALUE"
    else:
        told = f"expected {expected}, found {shown(found.value)}"
    raise ImportRefused(found.spot, f"{name_of(found)}{told}")


def name_of(found):
    """The name of a value for a message about it, where its place does not say it."""
    name = found.origin.rsplit(": ", 1)[-1]
    return "" if not found.place or name == found.place else f"{name}: "


def as_count(found, least=1, most=MOST):
    value = found.value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,12}", value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        refuse(found, f"a whole number from {least} to {most}")
    return value


def as_number(found):
    value = found.value
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            pass
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) < float("inf"):
        refuse(found, "a number")
    return value


def as_flag(found):
    words = {"true": True, "false": False}
    value = found.value
    if isinstance(value, str):
        value = words.get(value.lower())
    if not isinstance(value, bool):
        refuse(found, "true or false")
    return value


def as_text(found):
    if not isinstance(found.value, str):
        refuse(found, "a word")
    return found.value


def as_words(found):
    """The words of a value with several."""
    value = found.value
    if isinstance(value, str):
        return value.strip("'\"[]() ").replace(",", " ").replace("'", " ").split()
    parts = value if isinstance(value, list) else [value]
    return [str(part) if isinstance(part, (list, dict)) else part for part in parts]


def as_switch(found, takes_numbers=False):
    """True or false, also as 1 and 0 where a name says that it is one; None of anything else."""
    words = {"true": True, "false": False, **({"1": True, "0": False} if takes_numbers else {})}
    return words.get(str(found.value).lower())


def is_off(found):
    return str(found.value).lower() in ("none", "false", "0", "", "[]", "{}")
