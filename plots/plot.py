#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the figures of a result folder, a run or a sweep, into its figures/ folder."""

import argparse
import sys
from pathlib import Path

from railsplots.draw import draw
from railsplots.results import ResultError, load


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="what `./rails run` wrote")
    parser.add_argument(
        "--where",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="only points with this value of a descriptor key; may be repeated",
    )
    options = parser.parse_args(arguments)
    try:
        results = load(options.folder)
        for condition in options.where:
            results = results.where_text(condition)
    except ResultError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for failure in results.failures:
        print(f"failed: {failure}", file=sys.stderr)
    name = results.points[0].result.get("name", options.folder.resolve().name)
    title = ", ".join([str(name)] + options.where)
    prefix = "".join(condition.replace("/", "-") + "-" for condition in options.where)
    files, notes = draw(results, options.folder / "figures", title, prefix)
    for line in notes:
        print(line)
    for path in files:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
