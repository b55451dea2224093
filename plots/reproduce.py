#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Every figure and table of five papers: how near ours come, and why not. With a paper, or some of its figures: says how long
it takes, runs what they need and is missing, draws ours beside what is published, and prints the table.
"""

import contextlib
import importlib
import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from papers import mechanisms
from papers.catalogue import DATA, PAPERS, find_entries, find_paper, read_catalogue
from papers.comparison_page import write_block, write_tables
from papers.reproduced import figure_of, fill_readme, make, reason_of, verdict_of
from papers.verdict import RULES, WORDS
from papers.load_balancing import GROWTH
from rails.arguments import JOBS
from rails.errors import Error, ResultError
from rails.launcher import call, find_program
from rails.plots import program, style
from rails.reader.result_files import write_at_once

ROOT = Path(__file__).resolve().parents[1]
PAGES = {"load-balancing": ROOT / "doc" / "load-balancing-results.rst"}
_HANDED_ON = ("launcher", "partition", "slurm_option", "at_once", "chunk_time")


def main(arguments=None):
    options, parser = _read_options(arguments)
    entries = read_catalogue()
    if options.paper:
        paper = find_paper(options.paper)
        if paper is None:
            parser.error(f"no paper {options.paper}; there are {', '.join(PAPERS)}")
        entries = [entry for entry in entries if entry.paper is paper]
    if options.list or not options.paper:
        return _list(entries)
    if options.figures:
        chosen = []
        for word in options.figures:
            found = find_entries(entries, word)
            if not found:
                there = ", ".join(entry.figure for entry in entries if entry.is_built)
                parser.error(f"no figure {word} of {entries[0].paper.name}; built are {there}")
            if not any(entry.is_built for entry in found):
                raise ResultError(f"{found[0].paper.name} {found[0].figure}", f"not built: {found[0].reason}")
            chosen += [entry for entry in found if entry not in chosen]
        entries = chosen
    return _reproduce([entry for entry in entries if entry.is_built], options)


def _read_options(arguments):
    parser = program.parser("reproduce", __doc__)
    papers = ", ".join(f"{paper.name} ({paper.arxiv})" for paper in PAPERS.values())
    figures = "; figures such as 12, figure-12a or table-iv, all without any"
    parser.add_argument("words", metavar="PAPER [FIGURE]", nargs="*", help=papers + figures)
    parser.add_argument("--list", action="store_true", help="lists the figures of a paper; runs nothing")
    parser.add_argument("--quick", action="store_true", help="fewer seeds and sizes, into DIR/quick; figures say so")
    parser.add_argument("--dry-run", action="store_true", help="says how long it takes; runs nothing")
    parser.add_argument("--kept", action="store_true", help="runs nothing: draws the results that there are")
    jobs = "processes at the same time (default: number of cores)"
    parser.add_argument("-j", dest="jobs", metavar="N", type=program.number_in(JOBS, int), help=jobs)
    parser.add_argument("--any-version", action="store_true", help="takes results of other versions as they are")
    where = "where points run, as in sweep"
    parser.add_argument("--launcher", choices=["local", "slurm"], help=where)
    for name, value in (("--partition", "NAME"), ("--at-once", "N"), ("--chunk-time", "TIME")):
        parser.add_argument(name, metavar=value, help="of Slurm, as in sweep")
    parser.add_argument("--slurm-option", metavar="OPTION", action="append", help="as in sweep")
    parser.add_results("a folder for each descriptor, as `./rails run` makes them", "PAPER/ in the folder of results")
    parser.add_formats()
    parser.add_argument("--csv", action="store_true", help="the numbers of each figure beside it")
    parser.add_argument(
        "--record", action="store_true", help="keeps the outcome in doc/figures and pages, which the list is made of"
    )
    options = parser.parse_intermixed_args(arguments)
    options.paper, options.figures = (options.words or [None])[0], options.words[1:]
    if options.quick and options.record:
        parser.error("--record keeps what all seeds and sizes give, so not with --quick")
    return options, parser


def _list(entries):
    """Each figure with its verdict and the reason for it."""
    counts = dict.fromkeys(WORDS, 0)
    for paper in dict.fromkeys(entry.paper for entry in entries):
        print(f"{paper.title} (arXiv {paper.arxiv}): ./rails reproduce {paper.name}")
        width = max(len(entry.figure) for entry in entries if entry.paper is paper)
        for entry in entries:
            if entry.paper is paper:
                verdict = verdict_of(entry)
                counts[verdict.word] += 1
                print(f"  {verdict.word:13}  {entry.figure:{width}}  {entry.shows}")
                if reason_of(entry):
                    print(f"{'':17}{reason_of(entry)}")
        print()
    print("  ".join(f"{word}: {count}" for word, count in counts.items()))
    print(RULES)
    return 0


def _reproduce(entries, options):
    if options.quick:
        options.results = options.results / "quick"
    status = 0
    if not options.kept:
        status = _run(entries, options)
        if options.dry_run or status >= 128:
            return status
    told, blocks, drawn = program.Told(), {}, set()
    for entry in entries:
        try:
            block = _draw(entry, options, told, drawn)
        except ResultError as error:
            program.complain(error)
            status = status or program.BAD_INPUT
            continue
        if block:
            blocks[entry] = block
    for line in told.lines:
        print(line)
    lacking = [entry.figure for entry in entries if entry not in blocks and entry.draws not in drawn]
    if lacking and (options.figures or not blocks):
        program.complain(f"{options.results}: error: no result of {', '.join(lacking)} in it")
        status = status or program.BAD_INPUT
    return status


def _run(entries, options):
    """Runs the descriptors of some entries that have no result; the status of the worst."""
    jobs = {}
    for entry in entries:
        where = tuple(entry.quick_where) if options.quick else ()
        files = jobs.setdefault(where, [])
        files += [path for path in (entry.quick_descriptors if options.quick else entry.descriptors) if path not in files]
    status, seconds = 0, []
    for where, files in jobs.items():
        for path in files:
            told = call(_sweep([path], where, options, estimate=True))
            if told.status:
                raise told.error()
            line = told.output.strip().splitlines()[-1]
            seconds.append(_seconds_in(line))
            print(f"{path.stem}: {line}", flush=True)
    if len(seconds) > 1:
        print(f"in all about {_duration(sum(seconds))}", flush=True)
    if options.dry_run:
        return 0
    for where, files in jobs.items():
        status = max(status, _start(_sweep(files, where, options)))
        if status >= 128:
            break
    return status


def _seconds_in(line):
    """What an estimate comes to: in about 1 h 02 min, 6 min 03 s or 0.6 s."""
    found = re.findall(r"([\d.]+) (h|min|s)\b", line.partition("in about ")[2].partition(" with ")[0])
    return sum(float(number) * {"h": 3600, "min": 60, "s": 1}[unit] for number, unit in found)


def _duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _sweep(files, where, options, estimate=False):
    """The arguments of a sweep of descriptors, each of which has a folder of its own."""
    folder = options.results / files[0].stem if len(files) == 1 else options.results
    words = ["sweep", *files, "--out", folder]
    for choice in where:
        words += ["--where", choice]
    if options.jobs:
        words += ["-j", options.jobs]
    if options.any_version:
        words.append("--any-version")
    if estimate:
        return [str(word) for word in (*words, "--dry-run")]
    for name in _HANDED_ON:
        value = getattr(options, name)
        for one in value if isinstance(value, list) else [value] * (value is not None):
            words.append(f"--{name.replace('_', '-')}={one}")
    return [str(word) for word in words]


def _start(words):
    """A sweep that talks to the user itself, and takes an interrupt itself."""
    sys.stdout.flush()
    try:
        process = subprocess.Popen([os.fspath(find_program()), *words])
    except OSError as error:
        raise Error(find_program(), f"cannot be started ({error.strerror})", 1) from None
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ended = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return ended if ended >= 0 else 128 - ended


def _draw(entry, options, told, drawn):
    """The figures of an entry, and its table, which is returned; also by its own program, which draws all it finds."""
    folder = options.figures_to or options.results / entry.paper.name
    with style.noted(_note(entry) if options.quick else ""):
        block = _compare(entry, options, folder, told) if figure_of(entry) or entry.figure == GROWTH else None
        if entry.draws and entry.draws not in drawn:
            drawn.add(entry.draws)
            _draw_more(entry, options, folder)
    return block


def _draw_more(entry, options, folder):
    """The figures of a program of its own; what it says besides is on its paper's page."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        importlib.import_module(entry.draws).main(["--results", str(options.results), "--figures-to", str(folder)])
    for line in said.getvalue().splitlines():
        if line.startswith(f"{folder}{os.sep}"):
            print(line)


def _compare(entry, options, folder, told):
    """Published beside ours."""
    drawings, block = make(entry, options.results)
    if not drawings:
        return None
    program.finish(options, [(entry.figure + suffix, draw) for suffix, draw in drawings.items()], program.Told(), folder)
    if options.csv:
        for path in write_tables(folder, entry.figure, block):
            print(path)
    told.lines += ["", block.title, "", block.as_text()]
    if options.record:
        _record(entry, block)
    return block


def _record(entry, block):
    """Keeps the last outcome, and what a page says of it."""
    for path in write_tables(DATA, f"{entry.paper.name}-{entry.figure}", block):
        print(path)
    page = PAGES.get(entry.paper.name)
    if page:
        write_block(page, entry.figure, block, entry.paper.name)
        print(page)
    readme = entry.paper.folder / "README.md"
    entries = read_catalogue()
    write_at_once(readme, fill_readme(readme.read_text(encoding="utf-8"), entries, entry.paper))
    write_at_once(mechanisms.PAGE, mechanisms.fill_page(mechanisms.PAGE.read_text(encoding="utf-8"), entries))


def _note(entry):
    """What a quick run lacks, in words."""
    left = [path.stem for path in entry.descriptors if path not in entry.quick_descriptors]
    parts = [f"only {', '.join(entry.quick_where)}"] * bool(entry.quick_where)
    parts += [f"without {', '.join(left)}"] * bool(left)
    return "quick: " + "; ".join(parts or ["nothing left out"])


if __name__ == "__main__":
    program.run(main)
