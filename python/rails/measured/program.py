# SPDX-License-Identifier: GPL-2.0-only
"""
Predicts what others have measured, and sets both beside each other: steps of trainings
(experiments/measured/measured.csv) and exchanges of tokens (communication.csv there), all or by study. With --csv a
table of one's own trainings, with the same columns.
"""

from __future__ import annotations

import os
from pathlib import Path

from rails.arguments import JOBS
from rails.descriptor import as_json
from rails.plots import program
from rails.plots.compare_table import aligned
from rails.reader.result_files import write_at_once

from . import communication, rule
from .communication import read_exchanges
from .comparison import predictions_of
from .figure import exchange_figure, ratio_figure
from .report import as_csv, exchange_rows, exchange_summary, findings, page_rows, rows_of, summary_rows
from .runs import FIRST, Runner, run_all, run_exchanges
from .table import anchors_of, read_table

FOLDER = Path(__file__).resolve().parents[3] / "experiments" / "measured"


def main(arguments=None):
    options, parser = _read_options(arguments)
    rows, left = read_table(options.csv or FOLDER / "measured.csv")
    exchanges, unsent = ([], []) if options.csv else read_exchanges(FOLDER / "communication.csv")
    anchors = anchors_of(rows)
    if options.studies:
        known = {row.study for row in (*rows, *left, *exchanges)} | {row.name for row in (*rows, *exchanges)}
        unknown = sorted(set(options.studies) - known)
        if unknown:
            there = sorted({row.study for row in (*rows, *exchanges)})
            parser.error(f"no study {', '.join(unknown)}; there are {', '.join(there)}")
        rows, left = _choose(options.studies, rows, left)
        exchanges = [row for row in exchanges if row.study in options.studies or row.name in options.studies]
        unsent = [(name, reason) for name, reason in unsent if name in options.studies]
    if options.list:
        _tell(rows, left, exchanges, unsent)
        return 0
    if options.descriptor:
        return _print_descriptors(rows, exchanges)
    return _run(options, Runner(options.results, options.force, options.kept), rows, exchanges, anchors)


def _read_options(arguments):
    parser = program.parser("measured", __doc__)
    chosen = "studies of the tables, or names of rows; default: all"
    parser.add_argument("studies", metavar="STUDY", nargs="*", help=chosen)
    parser.add_argument("--csv", metavar="FILE", type=Path, help="trainings of one's own in place of both tables")
    parser.add_argument("--list", action="store_true", help="tells what is run and what is not, and why; runs nothing")
    parser.add_argument("--descriptor", action="store_true", help="prints the descriptors of the rows; runs nothing")
    parser.add_argument("-j", "--jobs", type=program.number_in(JOBS, int), default=os.cpu_count() or 1, help="how many runs at the same time")
    parser.add_argument("--force", action="store_true", help="runs again what has its result")
    parser.add_argument("--kept", action="store_true", help="runs nothing: rows that have their result alone")
    parser.add_argument("--table", metavar="FILE", type=Path, help="writes the rows of trainings as CSV there")
    parser.add_results("the runs, which are not repeated", "that folder", Path("results/measured"))
    parser.add_formats()
    parser.add_page(name="FILE, doc/measured.rst for one,")
    return parser.parse_args(arguments), parser


def _run(options, runner, rows, exchanges, anchors):
    drawings, told, failed = [], program.Told(), False
    if rows:
        outcomes = run_all(runner, rows, anchors, options.jobs)
        lines = rows_of(outcomes, anchors)
        told.lines += [aligned(lines, 1), ""]
        if options.table:
            write_at_once(options.table, as_csv(lines))
        if predictions_of(outcomes, anchors):
            told.add("trainings", [aligned(summary_rows(outcomes, anchors)), ""], summary_rows(outcomes, anchors))
            told.tables["rows"] = page_rows(outcomes, anchors)
            drawings.append(("measured", lambda: ratio_figure(outcomes, anchors)))
        told.lines += findings(outcomes)
        failed = any(outcome.failure for outcome in outcomes)
    if exchanges:
        values = run_exchanges(runner, exchanges, options.jobs)
        told.lines += [""] * bool(rows) + [aligned(exchange_rows(values), 1), ""]
        told.add("exchanges", [aligned(exchange_summary(values))], exchange_summary(values))
        told.lines += [f"no result: {row.name}: {failure}" for row, _, failure in values if failure]
        if any(value is not None for _, value, _ in values):
            drawings.append(("measured-exchanges", lambda: exchange_figure(values)))
        failed = failed or any(failure for _, _, failure in values)
    program.finish(options, drawings, told)
    return program.BAD_INPUT if failed else 0


def _choose(names, rows, left):
    """Rows of the studies that were asked for; of a row its anchor comes along."""
    wanted = [row for row in rows if row.study in names or row.name in names]
    groups = {row.group for row in wanted}
    chosen = [row for row in rows if row in wanted or (row.use == "anchor" and row.group in groups)]
    return chosen, [row for row in left if row.study in names]


def _tell(rows, left, exchanges, unsent):
    for row in rows:
        assumed = f"; assumed: {row.assumed}" if row.assumed else ""
        print(f"{row.use:8}{row.name}: {row.shape}, {row.step_s:.4g} s{assumed}")
    for row in exchanges:
        print(f"predict {row.name}: {row.system}, {row.value:g} {row.unit}")
    for row in left:
        print(f"no      {row.name}: {row.stated}: {row.reason}")
    for name, reason in unsent:
        print(f"no      {name}: {reason}")
    told = {use: sum(row.use == use for row in rows) for use in ("predict", "anchor")}
    print(f"trainings: {told['predict']} predicted, {told['anchor']} anchors, {len(left)} not run")
    if exchanges or unsent:
        print(f"exchanges: {len(exchanges)} predicted, {len(unsent)} not run")


def _print_descriptors(rows, exchanges):
    for row in rows:
        print(as_json(rule.descriptor_of(row, FIRST)))
    for row in exchanges:
        print(as_json(communication.descriptor_of(row)))
    return 0


def run():
    program.run(main)
