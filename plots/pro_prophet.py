#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws what rails-pro-prophet-tables has written (cells.csv, skew.csv, iterations.csv, balance.csv)
beside the values of Pro-Prophet's paper, as bands over everything that the paper leaves open, and
says which of its orderings hold.
"""

from pathlib import Path

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rails.plots import program, style
from papers.pro_prophet import (
    BASELINES,
    FASTER_MOE,
    STAGES,
    bands,
    case_of,
    describe,
    read_cells,
    read_rows,
    stage_factors,
)
from papers.pro_prophet_cells import BAND_COLUMNS
from papers.published import read_published
from rails.reader.result_files import write_table

PAPER = Path(__file__).resolve().parents[1] / "experiments" / "pro-prophet" / "paper.csv"
COLOURS = {
    "faster_moe_artifact": "#E69F00",
    "faster_moe_published": "#56B4E9",
    "faster_moe_master": "#7F7F7F",
    "full": "#D55E00",
}
NAMES = {**FASTER_MOE, "full": "Pro-Prophet"}
DIAMOND = {"linestyle": "none", "marker": "D", "markersize": 4.2, "markerfacecolor": "white"}


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_results("the tables", "the folder of tables", Path("results/pro-prophet"))
    parser.add_argument("--bands", metavar="FILE", type=Path, help="CSV that bands are written to")
    options, told = parser.parse_args(arguments), program.Told()
    published = read_published(PAPER)
    cells = read_cells(options.results / "cells.csv")
    drawings = {
        "tables": lambda: draw_tables(cells, published),
        "skew": lambda: draw_skew(read_rows(options.results / "skew.csv")),
        "iterations": lambda: draw_iterations(read_rows(options.results / "iterations.csv")),
        "ablation": lambda: draw_ablation(cells, published),
        "balance": lambda: draw_balance(read_rows(options.results / "balance.csv")),
    }
    if options.bands:
        write_table(options.bands, BAND_COLUMNS, bands(cells))
    told.lines += ["", *describe(cells, published)]
    program.finish(options, drawings.items(), told)
    return 0


def draw_tables(cells, published):
    """A row of panels per table, a panel per treatment of padding by DeepSpeed-MoE."""
    figure, grid = style.new_figure(15, 6, 2, len(BASELINES), sharey="row")
    clusters = ("HPNV", "LPWNV")
    for cluster, row in zip(clusters, grid):
        own = [cell for cell in cells.cells if cell[0] == cluster]
        for baseline, axes in zip(BASELINES, row):
            for place, cell in enumerate(own):
                _cell_bands(axes, place, cells, cell, baseline)
                for offset, scheme in ((-0.12, "FasterMoE"), (0.27, "Pro-Prophet")):
                    value = published[case_of(cell[0], cell[1]), scheme, cell[2]].value
                    edge = COLOURS["full" if offset > 0 else "faster_moe_artifact"]
                    axes.plot(place + offset, value, markeredgecolor=edge, zorder=7, **DIAMOND)
            axes.axhline(1, **style.BOUND)
            axes.set_xticks(range(len(own)), [f"{model}\n{topk:g}" for _, topk, model in own])
            axes.set_title(f"{cluster}: {BASELINES[baseline]}", fontsize=8.5, loc="left")
            axes.grid(False, axis="x")
        row[0].set_ylabel("speed-up over DeepSpeed-MoE")
        gains = [band for band in bands(cells) if band[0] == cluster]
        row[0].set_ylim(0.9 * min(band[5] for band in gains), 1.1 * max(band[7] for band in gains))
        style.plain_log(row[0].yaxis)
    figure.suptitle(
        "Tables IV and V of Pro-Prophet on its own time model: bands over all unknowns; models with k",
        fontsize=9.5,
    )
    handles = [Patch(facecolor=colour, label=NAMES[name]) for name, colour in COLOURS.items()]
    handles.append(Line2D([], [], color="none", markeredgecolor="#333333", label="paper", **DIAMOND))
    style.legend(grid[0, -1], handles=handles)
    return figure


def _cell_bands(axes, place, cells, cell, baseline):
    for i, (series, colour) in enumerate(COLOURS.items()):
        gain = cells.speedup(series, baseline)[:, cells.column(cell)]
        at = place - 0.3 + 0.19 * i
        height = gain.max() - gain.min()
        axes.bar(at, height, 0.17, bottom=gain.min(), color=colour, alpha=0.55, linewidth=0)
        axes.plot([at - 0.085, at + 0.085], [np.median(gain)] * 2, color=colour, linewidth=2)


def draw_skew(rows):
    """Speed-up over plain expert parallelism by skew: bands over the other unknowns."""
    figure, grid = style.new_figure(8.4, 3.4, 1, 2, sharey=True)
    exponents = sorted({row["exponent"] for row in rows})
    panels = (
        ("FasterMoE", ("faster_moe_artifact", "faster_moe_published", "faster_moe_master")),
        ("Pro-Prophet", ("full",)),
    )
    for axes, (title, names) in zip(grid[0], panels):
        for name in names:
            gains = [
                [row["plain"] / row[name] for row in rows if row["exponent"] == exponent]
                for exponent in exponents
            ]
            _band(axes, exponents, gains, COLOURS[name], NAMES[name])
        axes.axhline(1, **style.BOUND)
        axes.plot(1.1, 0.96 if title == "FasterMoE" else 1.26, markeredgecolor="#333333", **DIAMOND)
        axes.set_title(title, fontsize=8.5, loc="left")
        axes.set_xlabel("exponent of Zipf's law")
        axes.legend(loc="upper left")
    grid[0, 0].set_ylabel("speed-up over plain\nexpert parallelism")
    figure.suptitle("DM, k = 1, LPWNV: slow links (diamonds: Table V, whose skew is unknown)", fontsize=9.5)
    return figure


def _band(axes, places, values, colour, label):
    low, middle, high = (
        [function(own) for own in values] for function in (min, np.median, max)
    )
    axes.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(places, middle, color=colour, label=label)


def draw_iterations(rows):
    """Fig. 12: seconds of each iteration in the middle of the grid, with a tolerance of 1."""
    figure, grid = style.new_figure(8.4, 3.2, 1, 2)
    for axes, topk in zip(grid[0], (1, 2)):
        own = [row for row in rows if row["k"] == topk and row["tolerance"] == 1]
        iterations = [row["iteration"] for row in own]
        for name in ("faster_moe_artifact", "faster_moe_published", "full"):
            times = [1e3 * row[name] for row in own]
            axes.plot(iterations, times, color=COLOURS[name], label=NAMES[name])
        gain = np.mean([row["faster_moe_artifact"] / row["full"] for row in own])
        paper = ", paper 1.34" if topk == 1 else ""
        title = f"k = {topk}: mean {gain:.2f} over artifact{paper}"
        axes.set_title(title, fontsize=8.5, loc="left")
        axes.set(xlabel="iteration", ylabel="iteration [ms]")
        axes.set_ylim(bottom=0)
    style.legend(grid[0, -1])
    return figure


def draw_ablation(cells, published):
    """Fig. 14: factors of stages that multiply."""
    figure, grid = style.new_figure(6.8, 3.2, 1, 2, sharey=True)
    for axes, topk in zip(grid[0], (1, 2)):
        for place, (stage, factors) in enumerate(stage_factors(cells, topk).items()):
            axes.bar(place, np.ptp(factors), 0.5, bottom=factors.min(), color=COLOURS["full"], alpha=0.55)
            axes.plot([place - 0.25, place + 0.25], [np.median(factors)] * 2, color=COLOURS["full"])
            value = published[f"ablation k={topk}", stage, "M"].value
            axes.plot(place, value, markeredgecolor="#333333", zorder=7, **DIAMOND)
        axes.axhline(1, **style.BOUND)
        axes.set_xticks(range(len(STAGES)), [stage for stage, _, _ in STAGES])
        axes.set_title(f"M on HPNV, k = {topk} (diamonds: Fig. 14)", fontsize=8.5, loc="left")
        axes.grid(False, axis="x")
    grid[0, 0].set_ylabel("times as fast as\nthe stage before")
    return figure


def draw_balance(rows):
    """Fig. 16: balance degree of FasterMoE over that of Pro-Prophet, by layer."""
    figure, grid = style.new_figure(8.4, 3.2, 1, 2, sharey=True)
    layers = sorted({row["layer"] for row in rows})
    for axes, topk in zip(grid[0], (1, 2)):
        for name in ("faster_moe_artifact", "faster_moe_published"):
            ratios = [
                [row[name] / row["full"] for row in rows if (row["k"], row["layer"]) == (topk, layer)]
                for layer in layers
            ]
            _band(axes, layers, ratios, COLOURS[name], "over " + NAMES[name])
        axes.axhline(1, **style.BOUND)
        axes.set_title(f"M on HPNV, k = {topk} (paper: at most 11.01)", fontsize=8.5, loc="left")
        axes.set_xlabel("layer")
        axes.legend(loc="upper right")
    grid[0, 0].set_ylabel("RB of Pro-Prophet over RB of FasterMoE")
    return figure


if __name__ == "__main__":
    program.run(main)
