#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes a page of HTML on a result folder, a run or a sweep, that needs nothing but a browser."""

import argparse
import sys
from pathlib import Path

from railsplots.report_page import write_report
from railsplots.results import ResultError, Results, load_points


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="rails report", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="what `./rails run` wrote")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="the page (default: report.html in DIR)"
    )
    parser.add_argument(
        "--where",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="only points with this value of a descriptor key; may be repeated",
    )
    options = parser.parse_args(arguments)
    page = options.out or options.folder / "report.html"
    try:
        results = Results(*load_points(options.folder), grid=False)
        if not (results.points or results.failed or results.unreadable):
            wanted = "expected what `./rails run` wrote"
            raise ResultError(f"{options.folder}: no result in it; {wanted}")
        for condition in options.where:
            results = results.where_text(condition)
        notes = write_report(results, options.folder, page, options.where)
    except (ResultError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for note in notes:
        print(note)
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
