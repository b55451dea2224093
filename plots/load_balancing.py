#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws the experiments of experiments/load-balancing beside the paper's values, and writes the data
files of doc/load-balancing-results.rst and what it says of them. Without names: every figure that
has results.
"""

from pathlib import Path

from papers import comparison_figures
from rails.plots import program
from papers.comparison_page import comparison_block, growth_block, write_page, write_tables
from papers.load_balancing import (
    FIGURES,
    GROWTH,
    GROWTH_SOURCES,
    NAMES,
    VARIANT_SOURCES,
    growth_checks,
    load_figure,
    load_queues,
    load_two_measures,
    simple_rr_variant,
)
from papers.balancers import balancer
from rails.errors import ResultError
from papers.published import read_published

ROOT = Path(__file__).resolve().parents[1]


def main(arguments=None):
    parser = program.parser("published", __doc__)
    parser.add_argument("figures", metavar="FIGURE", nargs="*", help=", ".join(NAMES))
    holds = "a folder per descriptor, as `./rails run` makes them (default: results)"
    parser.add_results(holds, "load-balancing/ in the folder of results")
    parser.add_formats()
    parser.add_argument("--csv", action="store_true", help="the numbers of each figure beside it")
    parser.add_argument(
        "--table", metavar="FILE", type=Path, help="page that tables are written beside, into figures/"
    )
    options = parser.parse_args(arguments)
    unknown = set(options.figures) - set(NAMES)
    if unknown:
        parser.error(f"no figure {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    blocks, told, status = {}, program.Told(), 0
    for name in options.figures or NAMES:
        try:
            drawings, block = _make(name, options.results)
        except ResultError as error:
            program.complain(error)
            status = program.BAD_INPUT
            continue
        if not drawings:
            if options.figures:
                program.complain(f"{options.results}: error: no result of {name} in it")
                status = program.BAD_INPUT
            continue
        blocks[name] = block
        drawings = [(name + suffix, draw) for suffix, draw in drawings.items()]
        folder = options.figures_to or options.results / "load-balancing"
        program.finish(options, drawings, told, folder)
        if options.csv:
            for path in write_tables(folder, name, block):
                print(path)
    if options.table and blocks:
        for path in write_page(options.table, blocks):
            print(path)
    elif blocks:
        for block in blocks.values():
            print(f"\n{block.title}\n\n{block.as_text()}")
    if not blocks and not status:
        raise ResultError(options.results, "no result of any figure in it")
    return status


def _make(name, results):
    """Drawings of a figure by the end of their file name, and what is written about it."""
    experiments = ROOT / "experiments" / "load-balancing"
    if name == GROWTH:
        return _make_growth(results, experiments)
    figure = next(figure for figure in FIGURES if figure.name == name)
    load = load_two_measures if name == "figure-06" else load_figure
    comparison = load(figure, results, experiments)
    if not any(len(row.values) for row in comparison.rows):
        return {}, None
    draw = getattr(comparison_figures, figure.style)
    drawings = {"": lambda: draw(comparison, figure)}
    return drawings, comparison_block(comparison, figure)


def _make_growth(results, experiments):
    title = "Queue growth: permutation, buffers without limit, 128 hosts"
    queues, failures = load_queues(results, GROWTH_SOURCES, lambda point: balancer(point.config))
    variants, more = load_queues(results, VARIANT_SOURCES, simple_rr_variant)
    drawings = {}
    if queues:
        drawings[""] = lambda: comparison_figures.queue_growth(queues, title)
    if variants:
        other = "Queue growth of simple round robin in the details that the paper leaves open"
        drawings["-simple-rr"] = lambda: comparison_figures.simple_rr_growth(variants, other)
    theory = read_published(experiments / GROWTH / "paper.csv")
    checks = growth_checks(queues)
    return drawings, growth_block(title, queues, variants, checks, theory, failures + more)


if __name__ == "__main__":
    program.run(main)
