#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws Figs. 7, 8, 9 and 11 of MicroMoE from token counts (the example rails-micro-moe-figures)
beside what the paper says in words, and prints where they meet.
"""

from pathlib import Path

from papers import micro_moe_figures
from rails.plots import program, style
from rails.errors import ResultError
from papers.published import read_published

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "experiments" / "micro-moe" / "paper.csv"


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_argument(
        "--results",
        metavar="DIR",
        type=Path,
        default=Path("results/micro-moe"),
        help="holds what the example prints, as figure-07.csv and so on (default: results/micro-moe)",
    )
    options = parser.parse_args(arguments)
    paper = read_published(PAPER)
    found = [name for name in micro_moe_figures.FIGURES if _path(options, name).exists()]
    if not found:
        raise ResultError(options.results, "no figure-07.csv, figure-08.csv, ... in it")
    for name in found:
        rows = micro_moe_figures.read_rows(_path(options, name))
        own = {place[1:]: value for place, value in paper.items() if place[0] == name}
        with style.house_style():
            drawing, text = micro_moe_figures.FIGURES[name](rows, own)
            for path in style.save(drawing, options.results, name):
                print(path)
        print(text)
    return 0


def _path(options, name):
    return options.results / f"{name}.csv"


if __name__ == "__main__":
    program.run(main)
