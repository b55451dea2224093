#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Prints from how many tokens on a copy of an expert is worth its way, and what it is worth to send a
token once (drawn as well): results of experiments/experts/copies-*.yaml.
"""

from pathlib import Path

from papers import copy_break_even, deduplication
from rails.plots import program, style
from rails.errors import ResultError
from rails.reader.result_folder import read_whole


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_argument(
        "--results",
        metavar="DIR",
        type=Path,
        default=Path("results"),
        help="holds the folders copies-break-even and copies-deduplicated, or one of them",
    )
    options = parser.parse_args(arguments)
    folders = {name: options.results / f"copies-{name}" for name in ("break-even", "deduplicated")}
    found = {name: read_whole(path) for name, path in folders.items() if path.is_dir()}
    if not found:
        raise ResultError(options.results, "no copies-break-even or copies-deduplicated in it")
    lines = []
    if "break-even" in found:
        lines += copy_break_even.describe(copy_break_even.break_even(found["break-even"]))
    if "deduplicated" in found:
        ratios = deduplication.ratios(found["deduplicated"])
        with style.house_style():
            drawing = deduplication.draw(ratios)
            for path in style.save(drawing, folders["deduplicated"] / "figures", "copies-deduplicated"):
                print(path)
        lines += deduplication.describe(ratios)
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    program.run(main)
