# SPDX-License-Identifier: GPL-2.0-only
"""
Calls the programs of plots/ within the process of a test, which is quicker than a new one, and sees to it that
what they draw can be read. Most figures are not made into pictures, which takes as long again: a file of a word
stands in for each.
"""

import importlib
import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest import mock

import paths  # noqa: F401
from canvas import faults
from rails.plots import program, style
from rails.reader.result_files import write_at_once

STAND_IN = b"/Creator (rails)"  # which is how one is known


@dataclass
class Ended:
    """What is left of a program."""

    returncode: int
    stdout: str
    stderr: str


def call(name, *arguments, pictures=False):
    """
    Runs plots/NAME.py to its end.

    :param pictures: figures are written as users get them, and not looked at
    """
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    main = importlib.import_module(name).main
    found = []

    def look_at(figure, folder, figure_name, formats=style.USUAL_FORMATS):
        found.extend(f"{figure_name}: {fault}" for fault in faults(figure))
        paths = [folder / f"{figure_name}.{form}" for form in formats]
        for path in paths:
            write_at_once(path, STAND_IN)
        return paths

    save = style.save if pictures else look_at
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]), mock.patch.object(style, "save", save):
        try:
            program.run(lambda: main([str(argument) for argument in arguments]))
        except SystemExit as end:
            status = end.code
    if found:
        raise AssertionError("\n".join(found))
    for stream in streams:
        stream.flush()
    return Ended(status, *(s.buffer.getvalue().decode("utf-8") for s in streams))
