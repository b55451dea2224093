# SPDX-License-Identifier: GPL-2.0-only
"""
Calls the programs of plots/ within the process of a test, which is quicker than a new one, and sees to it that
what they draw can be read.
"""

import importlib
import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest import mock

import paths  # noqa: F401
from canvas import faults
from rails.plots import program, style


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
    found, save = [], style.save

    def save_legible(figure, folder, figure_name, *formats):
        found.extend(f"{figure_name}: {fault}" for fault in faults(figure))
        return save(figure, folder, figure_name, *formats)

    with redirect_stdout(streams[0]), redirect_stderr(streams[1]), mock.patch.object(style, "save", save_legible):
        try:
            program.run(lambda: main([str(argument) for argument in arguments]))
        except SystemExit as end:
            status = end.code
    if found:
        raise AssertionError("\n".join(found))
    for stream in streams:
        stream.flush()
    return Ended(status, *(s.buffer.getvalue().decode("utf-8") for s in streams))
