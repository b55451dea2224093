# SPDX-License-Identifier: GPL-2.0-only
"""Calls the programs of plots/ within the process of a test, which is quicker than a new one."""

import importlib
import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

import paths  # noqa: F401
from railsplots import program


@dataclass
class Ended:
    """What is left of a program."""

    returncode: int
    stdout: str
    stderr: str


def call(name, *arguments):
    """Runs plots/NAME.py to its end."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    main = importlib.import_module(name).main
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        try:
            program.run(lambda: main([str(argument) for argument in arguments]))
        except SystemExit as end:
            status = end.code
    for stream in streams:
        stream.flush()
    return Ended(status, *(s.buffer.getvalue().decode("utf-8") for s in streams))
