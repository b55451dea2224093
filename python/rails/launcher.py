# SPDX-License-Identifier: GPL-2.0-only
"""Finds the launcher, ./rails of a clone of the project, and calls it."""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from .arguments import word
from .errors import Error
from .progress import Progress

_HERE = Path(__file__).resolve().parent
_RECORD = _HERE / "clone.txt"  # where an installed package came from
_PROGRAM = "RAILS_EXPERIMENT"  # the C++ program itself, which tests have built
_LAUNCHER = "RAILS_LAUNCHER"
Argument = Union[str, "os.PathLike[str]"]
SET_UP_FAILED = 1  # the status of ./rails then
_POLL_S = 0.2
_PATIENCE_S = 60  # for a command that was told to end
_ERROR = re.compile(r"^(?:rails: )?(?P<place>.+?): error: (?P<reason>.+)$")


@dataclass(frozen=True)
class Ended:
    """What is left of a command."""

    arguments: tuple[str, ...]
    status: int
    output: str
    errors: str
    cancelled: bool = False

    def error(self) -> Error:
        """What it says of its failure: the first error that it names, with its place."""
        lines = [line for line in self.errors.splitlines() if line.strip()]
        for line in lines:
            if found := _ERROR.match(line):
                return Error(found["place"], found["reason"], self.status, self.errors)
        command = f"./rails {self.arguments[0]}"
        last = lines[-1].removeprefix("rails: ") if lines else f"ended with status {self.status}"
        return Error(command, last, self.status, self.errors)


def find_launcher() -> Path:
    """The launcher that belongs to this package."""
    given = os.environ.get(_LAUNCHER)
    if given:
        return Path(given)
    places = [_HERE.parents[1] / "rails"]
    if _RECORD.exists():
        places.append(Path(_RECORD.read_text(encoding="utf-8").strip()) / "rails")
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return place
    reason = "is in none of " + ", ".join(str(place.parent) for place in places)
    raise Error("./rails", f"{reason}; clone the project, and set {_LAUNCHER} to the rails in it", SET_UP_FAILED)


def find_program() -> Path:
    """What is called: the launcher, unless the environment names the program that it would call."""
    given = os.environ.get(_PROGRAM)
    return Path(given) if given else find_launcher()


def call(
    arguments: Sequence[Argument],
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> Ended:
    """
    Runs a command of ./rails to its end. Interrupted, it passes that on, waits until the command has
    left what is whole, and is interrupted then.

    :param progress: shows what the command says of how far it is
    :param cancel: ends the command once it is set
    """
    texts = tuple(word(f"./rails {arguments[0]}", argument) for argument in arguments)
    # Only the launcher builds components of the user's own.
    builds = any(text == "--with" or text.startswith("--with=") for text in texts)
    program = find_launcher() if builds else find_program()
    progress = progress or Progress()
    reader, writer = progress.open()
    try:
        process = subprocess.Popen(
            [os.fspath(program), *texts],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=writer,
            start_new_session=True,  # an interrupt is passed on once, by us
        )
    except OSError as error:
        os.close(reader)
        raise Error(program, f"cannot be started ({error.strerror})", SET_UP_FAILED) from None
    finally:
        os.close(writer)
    output, cancelled = bytearray(), False

    def check() -> None:
        nonlocal cancelled
        if cancel is not None and cancel.is_set() and not cancelled:
            cancelled = True
            _signal(process, signal.SIGTERM)  # a script in the background has SIGINT ignored, and so has what it starts

    try:
        with process:
            assert process.stdout is not None
            takers = {process.stdout.fileno(): output.extend, reader: progress.take}
            try:
                _follow(process, takers, check)
            except BaseException:
                _end(process, takers)
                raise
    finally:
        os.close(reader)
        progress.close()
    return Ended(texts, process.returncode, output.decode("utf-8", "replace"), progress.text, cancelled)


def checked(arguments: Sequence[Argument], progress: Progress | None = None) -> str:
    """What a command prints; Error when it fails."""
    ended = call(arguments, progress)
    if ended.status:
        raise ended.error()
    return ended.output


def read_answer(text: str) -> Any:
    """The JSON that an answer of a command begins with."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except ValueError:
        raise Error(find_program(), "answers with something else than JSON; expected ./rails", SET_UP_FAILED) from None


def _follow(
    process: subprocess.Popen[bytes], takers: Mapping[int, Callable[[bytes], object]], check: Callable[[], None]
) -> None:
    """
    Takes what a command writes until it has ended.

    :param takers: by handle what gets what comes from there
    :param check: called every now and then
    """
    with selectors.DefaultSelector() as selector:
        for handle in takers:
            selector.register(handle, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(_POLL_S):
                if data := _read(key.fd):
                    takers[key.fd](data)
                else:
                    selector.unregister(key.fd)
            check()
    process.wait()


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 1 << 16)
    except OSError:  # how a terminal ends whose other side is closed
        return b""


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def _end(process: subprocess.Popen[bytes], handles: Iterable[int]) -> None:
    """Lets a command leave what is whole; what it says goes nowhere, but does not make it wait."""
    end = time.monotonic() + _PATIENCE_S

    def check() -> None:
        if time.monotonic() > end:
            raise TimeoutError

    _signal(process, signal.SIGTERM)
    try:
        _follow(process, {handle: len for handle in handles}, check)
    except BaseException:  # it took too long, or somebody has no patience
        _signal(process, signal.SIGKILL)
        raise
