# SPDX-License-Identifier: GPL-2.0-only
"""
Predicts trainings that others have measured, and sets both beside each other: all of
experiments/measured/measured.csv, or studies of it. With --csv a table of one's own, with the same columns.
"""

from __future__ import annotations

import os
from pathlib import Path

from rails.plots import program
from rails.plots.compare_table import aligned
from rails.reader.result_files import write_at_once

from .comparison import predictions_of
from .figure import ratio_figure
from .report import as_csv, findings, rows_of, summary_rows
from .runs import Runner, run_all
from .table import anchors_of, read_table

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "experiments" / "measured" / "measured.csv"


def main(arguments=None):
    parser = program.parser("measured", __doc__)
    parser.add_argument("studies", metavar="STUDY", nargs="*", help="studies of the table, or names of rows; default: all")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="a table of one's own in place of that of rails")
    parser.add_argument("--list", action="store_true", help="tells what is run and what is not, and why; runs nothing")
    parser.add_argument("--descriptor", action="store_true", help="prints the descriptors of the rows; runs nothing")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="how many runs at the same time")
    parser.add_argument("--force", action="store_true", help="runs again what has its result")
    parser.add_argument("--table", metavar="FILE", type=Path, help="writes the rows as CSV there")
    parser.add_results("the runs, which are not repeated", "that folder", Path("results/measured"))
    parser.add_formats()
    options = parser.parse_args(arguments)
    table = options.csv or TABLE
    rows, left = read_table(table)
    anchors = anchors_of(rows)
    chosen, skipped = _choose(parser, options.studies, rows, left)
    if options.list:
        _tell(chosen, skipped)
        return 0
    runner = Runner(options.results, options.force)
    if options.descriptor:
        return _print_descriptors(runner, chosen)
    outcomes = run_all(runner, chosen, anchors, max(1, options.jobs))
    lines = rows_of(outcomes, anchors)
    print(aligned(lines, 1))
    if predictions_of(outcomes, anchors):
        print("\n" + aligned(summary_rows(outcomes, anchors)))
    told = program.Told(lines=["", *findings(outcomes, anchors)])
    if options.table:
        write_at_once(options.table, as_csv(lines))
    drawings = [("measured", lambda: ratio_figure(outcomes, anchors))] if predictions_of(outcomes, anchors) else []
    program.finish(options, drawings, told)
    return program.BAD_INPUT if any(outcome.step_s is None for outcome in outcomes) else 0


def _choose(parser, names, rows, left):
    """Rows of the studies that were asked for; of a row its anchor comes along."""
    if not names:
        return rows, left
    known = {row.study for row in (*rows, *left)} | {row.name for row in rows}
    unknown = sorted(set(names) - known)
    if unknown:
        parser.error(f"no study {', '.join(unknown)}; there are {', '.join(sorted({row.study for row in rows}))}")
    wanted = [row for row in rows if row.study in names or row.name in names]
    groups = {row.group for row in wanted}
    chosen = [row for row in rows if row in wanted or (row.use == "anchor" and row.group in groups)]
    return chosen, [row for row in left if row.study in names]


def _tell(rows, left):
    for row in rows:
        print(f"{row.use:8}{row.name}: {row.shape}, {row.step_s:.4g} s" + (f"; assumed: {row.assumed}" if row.assumed else ""))
    for row in left:
        print(f"{'no':8}{row.name}: {row.stated}: {row.reason}")
    told = {use: sum(row.use == use for row in rows) for use in ("predict", "anchor")}
    print(f"{told['predict']} predicted, {told['anchor']} anchors, {len(left)} not run")


def _print_descriptors(runner, rows):
    from rails.descriptor import as_json  # pylint: disable=import-outside-toplevel

    from .rule import descriptor_of  # pylint: disable=import-outside-toplevel

    for row in rows:
        descriptor, waits = descriptor_of(row, runner.keys, 0.5)
        print(as_json(descriptor))
        if waits:
            print(f"# waits for {', '.join(waits)}")
    return 0


def run():
    program.run(main)
