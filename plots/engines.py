#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Compares runs of the engine of flows with runs of the same configuration by the engine of frames:
results of experiments/engines*.yaml, in one folder or in one for each engine. Ends with status 1
when an error is beyond its limit, when frames were paused, or when flows order schemes otherwise.
"""

from pathlib import Path

from rails.arguments import SHARE
from rails.plots import program, style
from rails.plots.engine_comparison import compare_changes, compare_engines
from rails.plots.engine_figure import errors_by_scheme
from rails.plots.engine_table import (
    Limits,
    as_csv,
    as_text,
    changes_as_text,
    find_change_faults,
    find_faults,
)
from rails.plots.own_files import refuse_foreign
from rails.published import published
from rails.reader.result_files import write_at_once
from rails.reader.result_folder import load_filled

BEYOND_LIMITS = 1


def main(arguments=None):
    options = _read_options(arguments)
    folders = [load_filled(path, options.where, options.all) for path in options.folders]
    comparison = compare_engines(folders)
    limits = _limits(options)
    print(as_text(comparison, limits))
    faults = [] if limits is None or options.changes else find_faults(comparison, limits)
    if options.changes:
        changes = compare_changes(comparison)
        print("\n" + changes_as_text(changes))
        faults = [] if limits is None else find_change_faults(changes, limits)
    if options.csv:
        write_at_once(options.csv, published(as_csv(comparison, limits), options.folders))
    if options.figure:
        title = published(", ".join([str(folders[0].name)] + options.where))
        with style.house_style():
            figure = errors_by_scheme(comparison, title, limits)
            style.save(figure, options.figure.parent, options.figure.name)
    for fault in faults:
        program.complain(f"beyond its limit: {fault}")
    damaged = [line for folder in folders for line in folder.damaged]
    for line in damaged:
        program.complain(line)
    if damaged:
        return program.BAD_INPUT
    return BEYOND_LIMITS if faults else 0


def _limits(options):
    if options.no_limit:
        return None
    if options.limit is None:
        return Limits()
    return Limits(*[options.limit / 100] * 3)


def _read_options(arguments):
    parser = program.parser("engines", __doc__)
    parser.add_argument(
        "folders",
        metavar="DIR",
        type=Path,
        nargs="+",
        help="what `./rails run` wrote; points of all folders are taken together",
    )
    parser.add_selection()
    parser.add_force()
    parser.add_argument(
        "--changes",
        action="store_true",
        help="judges the effect of each change of the usual configuration, not completion times",
    )
    parser.add_argument(
        "--limit",
        metavar="PERCENT",
        type=program.number_in(SHARE),
        help="largest error of a cell (default: 3 where paths are hashed, 5 where frames spread)",
    )
    parser.add_argument(
        "--no-limit", action="store_true", help="only says what the errors are, with any pauses"
    )
    parser.add_argument("--csv", metavar="FILE", type=Path, help="writes a line for each cell")
    parser.add_argument(
        "--figure", metavar="NAME", type=Path, help="draws all errors into NAME.png and NAME.svg"
    )
    options = parser.parse_args(arguments)
    figures = [options.figure.with_name(f"{options.figure.name}.{form}") for form in style.USUAL_FORMATS] if options.figure else []
    refuse_foreign([*figures, *filter(None, [options.csv])], options.force)
    return options


if __name__ == "__main__":
    program.run(main)
