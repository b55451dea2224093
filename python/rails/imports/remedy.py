# SPDX-License-Identifier: GPL-2.0-only
"""A command line that works in place of one that does not: with an example of the script, and what errors ask for."""

import shlex

from .command_line import as_parameters, sort_words
from .errors import BLANK, ImportRefused, printable
from .examples import examples

_TOKENS = ("--vocab-size", BLANK)
_MOST = 20  # command lines that are tried
_ANY = "1000"  # what is tried in the place of a number that users know alone


def working(words, refused, budget, make):
    """
    A clause for a message; empty where nothing is found that works.

    :param words: behind ./rails import, :param refused: why they are, :param make: what reads others within the budget or raises
    """
    try:
        return _first(words, refused, budget, make)
    except ImportRefused:  # of the budget
        return ""


def _first(words, refused, budget, make):
    left = _MOST
    for place, tried in _beginnings(words, budget):
        error = refused if tried == words else None
        while left:
            left -= 1
            try:
                if error is None:
                    make(_filled(tried), budget)
                    return _told(place, tried)
                raise error
            except ImportRefused as found:
                error, more = None, _with(tried, found.give)
            except OSError:
                break
            if more == tried:
                break
            tried = more
    return ""


def _beginnings(words, budget):
    """Pairs of a place and words: those that were given, and those with the parameters of examples."""
    yield "", words
    given = sort_words(words[1:])
    scripts = [path for kind, path in given.files if kind == "script"]
    if scripts and not given.parameters and words[0] == "megatron":
        behind = words.index(scripts[-1]) + 1
        for place, more in examples(scripts[-1], budget):
            yield place, words[:behind] + as_parameters(more) + words[behind:]


def _with(words, give):
    """Words with an option and its value, or with a variable that they have not."""
    option, *value = give or ("",)
    name = option.partition("=")[0]
    if not value or option not in words:
        is_there = not value and any(word.startswith(f"{name}=") for word in words)
        return words if is_there or not option else [*words, *give]
    at = words.index(option) + 1
    return [*words[:at], *value, *words[at + 1 :]]


def _filled(words):
    return [_ANY if (before, word) == _TOKENS else word for before, word in zip(["", *words], words)]


def _told(place, words):
    source = f", as {printable(place)} shows" if place else ""
    blank = f", with the number of tokens in the place of {BLANK}" if words != _filled(words) else ""
    return f"; this works{source}{blank}: ./rails import {printable(shlex.join(words))}"
