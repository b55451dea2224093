# SPDX-License-Identifier: GPL-2.0-only
"""Checks what functions are given; Error names the argument and what was expected. Commands have the same ranges."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from .errors import Error

_LONGEST = 60  # characters of a value in a message


@dataclass(frozen=True)
class Range:
    """Numbers that an argument or an option can have, and what they are called."""

    text: str
    holds: Callable[[Any], bool]


PROBABILITY = Range("a number between 0 and 1", lambda value: 0 < value < 1)
CONFIDENCE = Range("50 to less than 100 percent", lambda value: 50 <= value < 100)
JOBS = Range("1 to 4096", lambda value: 1 <= value <= 4096)
SHARE = Range("a number of percent that is not negative", lambda value: 0 <= value < math.inf)
INCHES = Range("2 to 20 inches", lambda value: 2 <= value <= 20)


def shown(value: object) -> str:
    """A value in a message: of a long one the beginning."""
    try:
        text = repr(value)
    except Exception:  # pylint: disable=broad-except
        text = f"a {type(value).__name__} that has no text"  # as whole numbers of thousands of digits
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST - 3]}..."


def word(name: str, value: Any) -> str:
    """A text or a path that the system can take."""
    try:
        given = os.fspath(value)
        os.fsencode(given)
    except (TypeError, UnicodeEncodeError):
        given = None
    if not isinstance(given, str) or "\0" in given:
        raise Error(name, f"expected a text or a path that the system can take, not {shown(value)}")
    return given


def path(name: str, value: Any) -> Path:
    """The path of a file or a folder."""
    return Path(word(name, value))


def text(name: str, value: Any, example: str) -> str:
    """:param example: what is expected, as Python writes it"""
    if not isinstance(value, str):
        raise Error(name, f"expected a text, as {example}, not {shown(value)}")
    return value


def utf8(name: str, value: str) -> str:
    """A text that files of UTF-8 can have."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        reason = f"has {value[error.start]!r}, which is no character of UTF-8, as in the name of a file in another encoding"
        raise Error(name, reason) from None
    return value


def parts(name: str, values: Any) -> list[Any]:
    """What is given one by one, or alone."""
    if isinstance(values, (str, os.PathLike)):
        return [values]
    if not isinstance(values, Iterable):
        raise Error(name, f"expected a list, not {shown(values)}")
    return list(values)


def texts(name: str, values: Any, example: str) -> list[str]:
    """Texts in a list, or one alone."""
    return [text(name, value, example) for value in parts(name, values)]


def number(name: str, value: Any, wanted: Range) -> float:
    """A number in a range."""
    if not isinstance(value, Real) or not wanted.holds(value):
        raise Error(name, f"expected {wanted.text}, not {shown(value)}")
    return float(value)
