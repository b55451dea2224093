# SPDX-License-Identifier: GPL-2.0-only
"""
How far a command is: the line that it shows on a terminal, on the user's terminal or in a notebook.
The command is given a terminal of its own for that.
"""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import struct
import sys
import termios
import time
import tty
from html import escape
from typing import Any, TextIO

_COLUMNS = 200
_BAR = re.compile(r"\[[#-]+\] ((\d+) of (\d+) done.*)")
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")  # how terminals are told to clear a line
_SAYS = "rails: "  # how a line of the set-up begins, which takes minutes the first time


class Progress:
    """
    Takes what a command writes on standard error apart: lines, which are kept, and its progress.
    This one shows neither.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._lines: list[str] = []

    def open(self) -> tuple[int, int]:
        """The ends to read and to write of what the command gets for its standard error."""
        return os.pipe()

    @property
    def text(self) -> str:
        """All that is no progress."""
        return "".join(f"{line}\n" for line in self._lines)

    def take(self, data: bytes) -> None:
        """Some more of what it wrote."""
        self._rest = _CONTROL.sub("", self._rest + self._decoder.decode(data))
        *parts, self._rest = re.split(r"(?<=[\r\n])", self._rest)
        for part in parts:
            line = part[:-1].rstrip()
            if part.endswith("\n"):
                self._lines.append(line)
                self.tell(line)
            elif line:
                self.show(line)
        if self._rest.strip():  # a line of progress has its end in front of it
            self.show(self._rest.rstrip())

    def show(self, line: str) -> None:
        """How far the command is."""

    def tell(self, line: str) -> None:
        """A whole line."""

    def close(self) -> None:
        """The command has ended."""
        if self._rest.strip():
            self._lines.append(self._rest.rstrip())
        self._rest = ""


class _Shown(Progress):
    """One that the command shows its progress to."""

    def open(self) -> tuple[int, int]:
        reader, writer = pty.openpty()
        tty.setraw(writer)
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, _COLUMNS, 0, 0))
        return reader, writer


def _terminal() -> TextIO:
    """Standard error as it is where a program escapes what it writes there."""
    return getattr(sys.stderr, "unescaped", sys.stderr)


class TerminalProgress(_Shown):
    """On the user's terminal, in one line."""

    def __init__(self) -> None:
        super().__init__()
        self._width = 0

    def show(self, line: str) -> None:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        line = line[: columns - 1]
        _terminal().write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def tell(self, line: str) -> None:
        if line.startswith(_SAYS):
            self._clear()
            print(line, file=sys.stderr)

    def close(self) -> None:
        super().close()
        self._clear()

    def _clear(self) -> None:
        if self._width:
            _terminal().write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


class NotebookProgress(_Shown):
    """Below the cell of a notebook, where it takes longer than a moment; the bar of a sweep as one."""

    MOMENT_S = 1.0

    def __init__(self) -> None:
        super().__init__()
        self._begin = time.monotonic()
        self._handle: Any = None
        self._last = ""

    def show(self, line: str) -> None:
        if line != self._last and time.monotonic() - self._begin >= self.MOMENT_S:
            self._put(line)

    def tell(self, line: str) -> None:
        if line.startswith(_SAYS) and ": error: " not in line:
            self._put(line)  # at once: what is set up takes long, and the next line may be minutes away

    def _put(self, line: str) -> None:
        self._last = line
        data = {"text/plain": line, "text/html": f"<code>{escape(line)}</code>"}
        if bar := _BAR.fullmatch(line):
            share = f'<progress value="{bar[2]}" max="{bar[3]}"></progress>'
            data["text/html"] = f"{share} <code>{escape(bar[1])}</code>"
        self._display(data)

    def close(self) -> None:
        super().close()
        if self._handle is not None:  # what is done is no news in a notebook that is read later
            self._display({"text/plain": "", "text/html": ""})

    def _display(self, data: dict[str, str]) -> None:
        from IPython.display import display

        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def progress_for(wanted: bool | None) -> Progress:
    """
    What shows progress to whoever calls.

    :param wanted: False: nothing is shown; None: what the surroundings are made for
    """
    if wanted is False:
        return Progress()
    if _in_notebook():
        return NotebookProgress()
    if wanted or _is_terminal():
        return TerminalProgress() if _is_terminal() else Progress()
    return Progress()


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def _is_terminal() -> bool:
    try:
        return os.isatty(sys.stderr.fileno())
    except (AttributeError, OSError, ValueError):  # there is none, or something else in its place
        return False
