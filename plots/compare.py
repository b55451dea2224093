#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Compares two result folders point by point: which differ by more than their spread over seeds, by a
t-test with Holm's correction for many points.
"""

import argparse
import json
import sys
from pathlib import Path

from railsplots.compare_table import as_json, as_text
from railsplots.folder_comparison import compare_folders
from railsplots.results import ResultError, load_points


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="rails compare", description=__doc__)
    for name in ("A", "B"):
        parser.add_argument(name.lower(), metavar=name, type=Path, help="what `./rails run` wrote")
    parser.add_argument(
        "--json", metavar="FILE", type=Path, help="writes the comparison as JSON too"
    )
    parser.add_argument(
        "--alpha",
        metavar="P",
        type=_probability,
        default=0.05,
        help="probability of calling any equal points different (default: 0.05)",
    )
    parser.add_argument(
        "--metric",
        metavar="KEY",
        default="cct_s",
        help="the number of result.json to compare (default: cct_s)",
    )
    options = parser.parse_args(arguments)
    try:
        folders = [load_points(folder) for folder in (options.a, options.b)]
        comparison = compare_folders(*folders, options.metric, options.alpha)
        print(as_text(comparison, options.a, options.b))
        if options.json:
            found = as_json(comparison, options.a, options.b)
            options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    except (ResultError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _probability(text):
    value = float(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a number between 0 and 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
