#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws the figures of a result folder, a run or a sweep, into its figures/ folder: for the screen, or
for a paper, with their numbers beside them (doc/paper.rst).
"""

import argparse
import re

from pathlib import Path

from rails.arguments import CONFIDENCE, INCHES
from rails.plots import intervals, program, style
from rails.plots.draw import Form, draw
from rails.published import published
from rails.reader.point_filter import file_name
from rails.plots.results import load


_INCHES = {"in": 1, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}  # pt as TeX has them


def add_form(parser):
    """The options that say how figures are drawn."""
    parser.add_formats("png and svg, with --width pdf")
    parser.add_argument(
        "--width",
        metavar="LENGTH",
        type=_inches,
        help="of a column of a paper, such as 3.3in, 84mm or 241pt: fonts of 8 points in print, no title",
    )
    parser.add_argument(
        "--ci",
        metavar="PERCENT",
        type=_percent,
        help="intervals of Student's t around means in place of the range over seeds, such as 95",
    )
    parser.add_argument(
        "--csv",
        action="store_true",
        help=f"the numbers of each figure beside it, with intervals of {intervals.USUAL:g} %% or of --ci",
    )


def form_of(options):
    usual = ("pdf",) if options.width else style.USUAL_FORMATS
    return Form(tuple(dict.fromkeys(options.formats or usual)), options.width, options.ci, options.csv)


def _inches(text):
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*(in|cm|mm|pt)", text)
    inches = float(found.group(1)) * _INCHES[found.group(2)] if found else 0
    if not INCHES.holds(inches):
        raise argparse.ArgumentTypeError(f"'{text}' is no width; expected {INCHES.text}, as 3.3in, 84mm or 241pt")
    return inches


def _percent(text):
    found = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*%?", text)
    value = float(found.group(1)) if found else 0
    if not CONFIDENCE.holds(value):
        raise argparse.ArgumentTypeError(f"'{text}' is no confidence; expected {CONFIDENCE.text}")
    return value


def main(arguments=None):
    parser = program.parser("plot", __doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="what `./rails run` wrote")
    parser.add_selection()
    add_form(parser)
    parser.add_force()
    options = parser.parse_args(arguments)
    results = load(options.folder, options.where, options.all)
    for failure in results.failures:
        program.complain(f"failed: {failure}")
    for note in results.folder.notes:
        program.complain(f"note: {note}")
    name = results.points[0].result.get("name", results.folder.name)
    title = published(", ".join([str(name)] + options.where))
    prefix = file_name(options.where) + "-" if options.where else ""
    drawing = draw(results, options.folder / "figures", title, prefix, form_of(options), options.force)
    for line in drawing.notes + drawing.files:
        print(line)
    damaged = results.folder.damaged + drawing.damaged
    for line in damaged:
        program.complain(line)
    return program.BAD_INPUT if damaged else 0


if __name__ == "__main__":
    program.run(main)
