#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the figures of a result folder, a run or a sweep, into its figures/ folder."""

from pathlib import Path

from railsplots import program
from railsplots.draw import draw
from railsplots.point_filter import file_name
from railsplots.results import load


def main(arguments=None):
    parser = program.parser("plot", __doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="what `./rails run` wrote")
    parser.add_selection()
    options = parser.parse_args(arguments)
    results = load(options.folder, options.where, options.all)
    for failure in results.failures:
        program.complain(f"failed: {failure}")
    for note in results.folder.notes:
        program.complain(f"note: {note}")
    name = results.points[0].result.get("name", results.folder.name)
    title = ", ".join([str(name)] + options.where)
    prefix = file_name(options.where) + "-" if options.where else ""
    drawing = draw(results, options.folder / "figures", title, prefix)
    for line in drawing.notes + drawing.files:
        print(line)
    damaged = results.folder.damaged + drawing.damaged
    for line in damaged:
        program.complain(line)
    return program.BAD_INPUT if damaged else 0


if __name__ == "__main__":
    program.run(main)
