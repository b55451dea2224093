#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes a page of HTML on result folders, runs or sweeps, that needs nothing but a browser: which
option is fastest, what it costs, and what is behind that.
"""

from pathlib import Path

from rails.plots import program
from rails.plots.own_files import refuse_foreign
from rails.errors import ResultError
from rails.reader.point_filter import file_name
from rails.plots.report_cost import Costs
from rails.plots.report_page import write_report
from rails.plots.report_parts import parts_of
from rails.reader.result_folder import ResultFolder, load_filled


def main(arguments=None):
    parser = program.parser("report", __doc__)
    parser.add_argument(
        "folders", metavar="DIR", type=Path, nargs="+", help="what `./rails run` wrote"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="the page (default: report.html in DIR; with --where report-KEY=VALUE.html; of several "
        "folders report-with-NAME.html in the first, with the names of the others)",
    )
    parser.add_argument(
        "--cost",
        action="store_true",
        help="what the fabric of each option costs, and what it does for a dollar",
    )
    parser.add_argument(
        "--prices",
        metavar="FILE",
        type=Path,
        help="with --cost: prices in place of the built-in ones",
    )
    parser.add_argument(
        "--rule",
        choices=("wiring", "mixnet"),
        help="with --cost: how devices are counted, as in ./rails cost",
    )
    parser.add_selection()
    parser.add_force()
    options = parser.parse_args(arguments)
    asked = [f"--{key}={v}" for key in ("prices", "rule") if (v := getattr(options, key))]
    if asked and not options.cost:
        parser.error(f"{asked[0].partition('=')[0]} needs --cost")
    if options.prices and not options.prices.is_file():
        raise ResultError(options.prices, "no such file; ./rails cost --print prints one to begin with")
    page = options.out or options.folders[0] / f"{_name(options.folders, options.where)}.html"
    refuse_foreign([page], options.force, is_named=bool(options.out))
    folders = [load_filled(folder, options.where, options.all) for folder in options.folders]
    costs = Costs(asked) if options.cost else None
    written = write_report(parts_of(folders), page, options.where, costs)
    for line in written.notes:
        print(line)
    print(page)
    damaged = [line for folder in folders for line in folder.damaged] + written.damaged
    for line in damaged:
        program.complain(line)
    return program.BAD_INPUT if damaged else 0


def _name(folders, conditions):
    """The page's, which tells what is on it beside all points of its folder."""
    parts = [*(f"with-{ResultFolder(folder, []).name}" for folder in folders[1:]), *conditions]
    return f"report-{file_name(parts)}" if parts else "report"


if __name__ == "__main__":
    program.run(main)
