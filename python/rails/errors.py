# SPDX-License-Identifier: GPL-2.0-only
"""What is told to users: one line with the place and the remedy, as the C++ program does it."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

from .plain_text import escaped_name

_LONGEST = 10_000  # characters of a message


def cut(text: object) -> str:
    """
    A text without the middle of one that nobody reads, and without the ends of numbers with more digits than any has
    and of words longer than names of files are.
    """
    whole = str(text)
    if len(whole) > _LONGEST:
        whole = f"{whole[:_LONGEST // 2]} ... {whole[-_LONGEST // 2:]}"
    return re.sub(r"\d{61,}|[^\s/;,:'\"]{256,}", lambda found: f"{found.group()[:57]}...", whole)


class Error(Exception):
    """
    What could not be done; its text is "PLACE: error: REASON".

    :param place: a file with line and column, a key, a folder, a command
    :param reason: why not, and what to do about it
    :param status: as the commands end with: 1 the set-up, 2 what was asked for, 3 a run that could not
        finish, 4 an invariant
    :param output: all that the command wrote on standard error
    """

    result: Any = None  # of a run that ended with status 3 or 4, which rails.result.UnfinishedRun has

    def __init__(self, place: str | os.PathLike[str], reason: str, status: int = 2, output: str = "") -> None:
        super().__init__(place, reason, status, output)
        self.place: Any = place
        self.reason = reason
        self.status = status
        self.output = output

    @property
    def remedy(self) -> str:
        """What to do about it: the end of the reason; empty where it is the reason itself."""
        return self.reason.partition("; ")[2]

    def __str__(self) -> str:
        text = f"{self.place}: error: {self.reason}"
        return escaped_name(cut(" ".join(text.split("\n"))))


class ResultError(Error):
    """Something that cannot be shown, compared or written."""


class MissingFile(ResultError):
    """A file that a run may have been told not to write."""

    def __init__(self, place: str | os.PathLike[str], reason: str = "is missing", *rest: Any) -> None:
        super().__init__(place, reason, *rest)


class NotWritten(MissingFile):
    """A file of which the run says why there is none."""


Function = TypeVar("Function", bound=Callable[..., Any])


def told(function: Function) -> Function:
    """A function that users call, with Error in place of what the system refuses in it."""

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except OSError as error:
            raise Error(error.filename or f"rails.{function.__name__}", reason_of(error)) from None

    return call  # type: ignore[return-value]


def reason_of(error: OSError) -> str:
    """Why the system refused something, in its own words."""
    return error.strerror or type(error).__name__
