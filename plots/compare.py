#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Compares two result folders point by point, or with --by the values of a key within one folder, or
within several as one: which differ by more than their spread over seeds, by a t-test with Holm's
correction for many points.
"""

import json
from pathlib import Path

from rails.arguments import PROBABILITY
from rails.plots import program
from rails.plots.compare_table import folders_as_json, folders_as_text, key_as_json, key_as_text
from rails.errors import ResultError
from rails.plots.own_files import refuse_foreign
from rails.plots.folder_comparison import compare_folders
from rails.published import published
from rails.reader.joined_folders import together
from rails.plots.key_comparison import compare_by
from rails.plots.paper_table import as_csv, as_latex
from rails.reader.kinds import KINDS
from rails.reader.result_files import write_at_once
from rails.reader.result_folder import load_filled


def main(arguments=None):
    options = _read_options(arguments)
    folders = [load_filled(path, options.where, options.all) for path in options.folders]
    if options.by:
        found = compare_by(together(folders), options.by, options.baseline, options.metric, options.alpha)
        text, data = key_as_text(found), key_as_json(found)
        for path, write in ((options.csv, as_csv), (options.latex, as_latex)):
            if path:
                write_at_once(path, published(write(found), options.folders))
    else:
        found = compare_folders(*folders, options.metric, options.alpha)
        text = folders_as_text(found, *options.folders)
        data = folders_as_json(found, *options.folders)
    if options.json:
        write_at_once(options.json, published(json.dumps(data, indent=2, allow_nan=False), options.folders) + "\n")
    print(text)
    damaged = [line for folder in folders for line in folder.damaged]
    for line in damaged:
        program.complain(line)
    return program.BAD_INPUT if damaged else 0


def _read_options(arguments):
    parser = program.parser("compare", __doc__)
    parser.add_argument(
        "folders",
        metavar="DIR",
        type=Path,
        nargs="+",
        help="what `./rails run` wrote: two folders, or with --by any number",
    )
    parser.add_argument(
        "--by",
        metavar="KEY",
        help="compares the values of this key, such as balance, workload.experts or "
        "experts.policy, points being equal in all others",
    )
    parser.add_argument(
        "--baseline",
        metavar="VALUE",
        help="with --by: the value that the others are compared with (default: that of the sweep, ecmp or plain-ep, or the first)",
    )
    parser.add_selection()
    parser.add_force()
    parser.add_argument(
        "--json", metavar="FILE", type=Path, help="writes the comparison as JSON too"
    )
    for name, form in (("csv", "CSV"), ("latex", "LaTeX")):
        parser.add_argument(
            f"--{name}",
            metavar="FILE",
            type=Path,
            help=f"with --by: writes a table for a paper as {form}: means with intervals over seeds, "
            "and memory, bytes and other numbers beside them",
        )
    parser.add_argument(
        "--alpha",
        metavar="P",
        type=program.number_in(PROBABILITY),
        default=0.05,
        help="probability of calling any equal points different (default: 0.05)",
    )
    parser.add_argument(
        "--metric",
        metavar="NAME",
        help="the number of result.json to compare (default: "
        + ", ".join(f"of {kind.names} {kind.metric}" for kind in KINDS)
        + ")",
    )
    options = parser.parse_args(arguments)
    if not options.by and len(options.folders) != 2:
        parser.error("expected two folders, or --by KEY, such as --by balance")
    if options.baseline and not options.by:
        raise ResultError("--baseline", "is for --by KEY")
    for name in ("csv", "latex"):
        if getattr(options, name) and not options.by:
            raise ResultError(f"--{name}", "is for --by KEY")
    files = [path for path in (options.json, options.csv, options.latex) if path]
    if len({path.resolve() for path in files}) < len(files):
        raise ResultError(str(files[-1]), "is to be two files at once: expected a name for each")
    refuse_foreign(files, options.force)
    return options


if __name__ == "__main__":
    program.run(main)
