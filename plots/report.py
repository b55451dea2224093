#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes a page of HTML on a result folder, a run or a sweep, that needs nothing but a browser."""

from pathlib import Path

from railsplots import program
from railsplots.point_filter import file_name
from railsplots.report_page import write_report
from railsplots.result_folder import load_folder
from railsplots.results import Results


def main(arguments=None):
    parser = program.parser("report", __doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="what `./rails run` wrote")
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="the page (default: report.html in DIR; with --where report-KEY=VALUE.html)",
    )
    parser.add_selection()
    options = parser.parse_args(arguments)
    folder = load_folder(options.folder, options.where, options.all)
    if not (folder.points or folder.unreadable):
        raise folder.nothing()
    part = f"-{file_name(options.where)}" if options.where else ""
    page = options.out or folder.path / f"report{part}.html"
    written = write_report(Results(folder, grid=False), page, options.where)
    for line in written.notes:
        print(line)
    print(page)
    damaged = folder.damaged + written.damaged
    for line in damaged:
        program.complain(line)
    return program.BAD_INPUT if damaged else 0


if __name__ == "__main__":
    program.run(main)
