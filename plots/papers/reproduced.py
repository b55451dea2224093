# SPDX-License-Identifier: GPL-2.0-only
"""What is made of an entry of the catalogue: a figure, what is written about it, and the verdict on its last outcome."""

import csv

from . import comparison_figures, micro_moe_reproduced, mixnet_reproduced, pro_prophet_reproduced, rails_reproduced
from .balancers import balancer
from .comparison_page import GROWTH_TABLES, Table, block_of, comparison_block, growth_block, growth_tables
from .figure import load_figure
from .load_balancing import (
    FIGURES,
    GROWTH,
    GROWTH_SOURCES,
    THEOREM_SOURCES,
    VARIANT_SOURCES,
    load_queues,
    load_two_measures,
    simple_rr_variant,
    theorem_setting,
)
from .published import read_published
from .recorded import read_recorded
from .verdict import NOT_BUILT, NOT_RUN, UNKNOWN, Verdict, judge

_GROWTH_TITLE = "Queue growth: permutation, buffers without limit, 128 hosts"
_FIGURES = {
    "rails": rails_reproduced.FIGURES,
    "load-balancing": FIGURES,
    "mixnet": mixnet_reproduced.FIGURES,
    "pro-prophet": pro_prophet_reproduced.FIGURES,
    "micro-moe": micro_moe_reproduced.FIGURES,
}


def figure_of(entry):
    """How an entry is compared; None where a program of its own does all."""
    return next((figure for figure in _FIGURES.get(entry.paper.name, ()) if figure.name == entry.figure), None)


def make(entry, results):
    """
    Drawings of an entry by the end of their file name, and what is written about it; None where there is no result.
    """
    if entry.figure == GROWTH:
        return _make_growth(results, entry)
    figure = figure_of(entry)
    load = load_two_measures if figure.name == "figure-06" and entry.paper.name == "load-balancing" else load_figure
    comparison = load(figure, results, entry.paper.folder)
    if not any(row.count for row in comparison.rows):
        return {}, None
    draw = getattr(comparison_figures, figure.style)
    return {"": lambda: draw(comparison, figure)}, comparison_block(comparison, figure)


def _make_growth(results, entry):
    queues, failures = load_queues(results, GROWTH_SOURCES, lambda point: balancer(point.config))
    variants, more = load_queues(results, VARIANT_SOURCES, simple_rr_variant)
    drawings = {}
    if queues:
        drawings[""] = lambda: comparison_figures.queue_growth(queues, _GROWTH_TITLE)
    if variants:
        other = "Queue growth of simple round robin in the details that the paper leaves open"
        drawings["-simple-rr"] = lambda: comparison_figures.simple_rr_growth(variants, other)
    theorems, others = load_queues(results, THEOREM_SOURCES, theorem_setting)
    own = {scheme: queues for (size, starts, scheme), queues in theorems.items() if (size, starts) == ("k = 8", "spread")}
    if own:
        title = "Queue growth in the theorems' own setting: permutation, 128 hosts, no jitter"
        drawings["-theorems"] = lambda: comparison_figures.queue_growth(own, title)
    tables = growth_tables(queues, variants, theorems, read_published(entry.published))
    return drawings, growth_block(_GROWTH_TITLE, tables, failures + more + others)


def recorded_block(entry):
    """What is written about the last outcome; None where none is kept."""
    if not entry.data.exists():
        return None
    if entry.figure == GROWTH:
        paths = {suffix: entry.data.with_name(f"{entry.data.stem}{suffix}.csv") for suffix in GROWTH_TABLES}
        tables = [Table(_read(paths[suffix]), holds, suffix) for suffix, holds in GROWTH_TABLES.items()]
        return growth_block(_GROWTH_TITLE, tables)
    return block_of(_read(entry.data), figure_of(entry))


def _read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def verdict_of(entry):
    """What the rules say of the last outcome."""
    if not entry.is_built:
        return Verdict(NOT_BUILT)
    if not entry.data.exists():
        return Verdict(UNKNOWN if entry.published is None else NOT_RUN)
    figure = figure_of(entry)
    return judge(read_recorded(entry.data, figure.cases[0] if figure and figure.cases else ""))


README_MARKS = "<!-- begin of verdicts, written by a program -->\n", "<!-- end of verdicts -->\n"


def fill_readme(text, entries, paper):
    """
    A README with the verdict on all that is built of a paper, and what is left out with its reason, between its marks; one
    without them stays as it is.
    """
    begin, end = README_MARKS
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        return text
    return "".join([before, begin, _lists([entry for entry in entries if entry.paper is paper]), end, after])


def _lists(entries):
    lines = ["| figure | shows | verdict | why |", "|---|---|---|---|"]
    for entry in entries:
        if entry.is_built:
            lines.append(f"| {entry.figure} | {entry.shows} | {verdict_of(entry).word} | {reason_of(entry)} |")
    lines += ["", "Left out:", "", "| figure | shows | why |", "|---|---|---|"]
    lines += [f"| {entry.figure} | {entry.shows} | {entry.reason} |" for entry in entries if not entry.is_built]
    return "\n".join(lines) + "\n"


def reason_of(entry):
    """Why a verdict is what it is, in a line: what the rules found, then what is known of it."""
    return ". ".join(part for part in (verdict_of(entry).describe(), entry.reason) if part)
