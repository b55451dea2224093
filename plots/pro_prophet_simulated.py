#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws the simulated iterations of experiments/pro-prophet beside the time model and the values of
Pro-Prophet's paper, and says where they meet: the terms of the model on equal loads
(pro-prophet-terms) and unequal ones (pro-prophet-skew), with the bandwidth of
pro-prophet-bandwidth, and Tables IV and V (pro-prophet-tables); and where Pro-Prophet balances as
much better than FasterMoE as in the paper's Fig. 16 (pro-prophet-hot, which simulates nothing). What
is not there is left out.
"""

from pathlib import Path

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from papers import pro_prophet_cells as tables
from papers import pro_prophet_hot as hot
from papers import pro_prophet_terms as terms
from rails.plots import program, style
from rails.errors import ResultError
from papers.pro_prophet import BASELINES, case_of
from papers.published import read_published
from rails.reader.result_files import write_table
from rails.plots.results import load
from rails.reader.units import parse_number

PAPER = Path(__file__).resolve().parents[1] / "experiments" / "pro-prophet" / "paper.csv"
FOLDERS = ("pro-prophet-terms", "pro-prophet-skew", "pro-prophet-tables", "pro-prophet-hot")
BANDWIDTH = "pro-prophet-bandwidth"  # without which terms have no model
TERM_COLUMNS = ("case", "term", "simulated_ms", "model_ms", "error_percent")
COLOURS = {
    "faster_moe_artifact": "#E69F00",
    "faster_moe_published": "#56B4E9",
    "faster_moe_master": "#7F7F7F",
    tables.LAUNCHED: "#0072B2",
    "full": "#D55E00",
}
LINES = {
    "exchange": ("#000000", "s"),
    "forward": ("#7F7F7F", "x"),
    "weights": ("#E69F00", "^"),
    "gradients": ("#56B4E9", "v"),
    "blocking": ("#0072B2", "D"),
    "scheduled": ("#D55E00", "o"),
}
DIAMOND = {"linestyle": "none", "marker": "D", "markersize": 4.2, "markerfacecolor": "white"}


def drawings(options, told):
    """Figures of what is there, by name."""
    found = {name: options.results / name for name in FOLDERS if (options.results / name).is_dir()}
    if not found:
        raise ResultError(options.results, f"no folder {', '.join(FOLDERS)} in it")
    told.lines.append("")
    equal, unequal = _read_terms(options.results, found)
    if not (equal or unequal) and found.keys() & {"pro-prophet-terms", "pro-prophet-skew"}:
        told.lines.append(f"left out: terms, for which there is no {options.results / BANDWIDTH}")
    if equal or unequal:
        yield "pro-prophet-terms", draw_terms(equal, unequal)
        told.lines += describe_terms(equal, unequal)
        if options.terms:
            write_table(options.terms, TERM_COLUMNS, list_terms(equal, unequal))
    if "pro-prophet-tables" in found:
        published = read_published(PAPER)
        cells = tables.read_tables(load(found["pro-prophet-tables"]).points)
        yield "pro-prophet-tables", draw_tables(cells, published)
        told.lines += tables.describe(cells, published)
        if options.bands:
            write_table(options.bands, tables.BAND_COLUMNS, tables.bands(cells))
    if "pro-prophet-hot" in found:
        layers = hot.read_layers(load(found["pro-prophet-hot"]).points)
        recorded = hot.read_recorded(options.trace) if options.trace else []
        yield "pro-prophet-hot", draw_hot(layers, recorded)
        told.lines += hot.describe(layers, recorded)


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_results("the folders")
    parser.add_argument("--terms", metavar="FILE", type=Path, help="CSV that terms are written to")
    parser.add_argument("--bands", metavar="FILE", type=Path, help="CSV that bands are written to")
    parser.add_argument("--trace", metavar="FILE", type=Path, help="recorded loads to mark in pro-prophet-hot")
    options, told = parser.parse_args(arguments), program.Told()
    program.finish(options, drawings(options, told), told)
    return 0


def _read_terms(results, found):
    """Cases with equal and with unequal loads; empty where their folders or the one of the bandwidth are missing."""
    readers = {"pro-prophet-terms": terms.equal_loads, "pro-prophet-skew": terms.unequal_loads}
    if not readers.keys() & found.keys() or not (results / BANDWIDTH).is_dir():
        return {}, {}
    all_to_alls = load(results / BANDWIDTH).points
    # The messages of the dispatch; larger ones have the same rate.
    least = min(all_to_alls, key=lambda p: parse_number(p.config["workload.matrix.bytes_per_pair"]))
    bandwidth = least.get("busbw_Bps")
    return tuple(
        read(load(found[name]).points, bandwidth) if name in found else {}
        for name, read in readers.items()
    )


def list_terms(equal, unequal):
    """Rows of TERM_COLUMNS; unequal loads are of all layers together."""
    named = [(case.name, own) for case, own in equal.items()]
    named += [
        (f"{preset} {exponent:g} seed {seed}", own) for (preset, exponent, seed), own in unequal.items()
    ]
    for name, own in named:
        for term, (seconds, model) in own.items():
            if model > 0:
                yield name, term, 1e3 * seconds, 1e3 * model, 100 * (seconds / model - 1)


def describe_terms(equal, unequal):
    """Lines: error of each term, of equal loads one by one, of unequal ones from least to most."""
    for case, own in equal.items():
        errors = ", ".join(f"{name} {_error(pair):+.1f} %" for name, pair in own.items())
        fill = terms.chain_factor(case.gpus - case.excluded, case.pieces)
        yield f"{case.name} (chain {fill:.3f}): {errors}"
    for name in LINES:
        errors = [_error(own[name]) for own in unequal.values() if own[name][1] > 0]
        if errors:
            yield f"unequal loads, {terms.TERMS[name]}: {min(errors):+.1f} to {max(errors):+.1f} %"


def _error(pair):
    return 100 * (pair[0] / pair[1] - 1)


def draw_terms(equal, unequal):
    """Errors of the model: by pieces of copies, and by skew."""
    figure, grid = style.new_figure(10.5, 3.6, 1, 2)
    _draw_pieces(grid[0, 0], equal)
    _draw_skew(grid[0, 1], unequal)
    handles = [
        Line2D([], [], color=colour, marker=marker, label=terms.TERMS[name])
        for name, (colour, marker) in LINES.items()
    ]
    chain = Line2D([], [], label="left: (GPUs - 2 + C) / C\nright: as the model", **style.BOUND)
    style.legend(grid[0, 1], handles=[*handles, chain])
    return figure


def _draw_pieces(axes, equal):
    shown = {
        case.pieces: own
        for case, own in equal.items()
        if (case.shadows, case.excluded, case.has_attention) == (1, 0, False)
    }
    for name in ("weights", "gradients", "blocking", "scheduled"):
        ratios = [own[name][0] / own[name][1] for own in shown.values()]
        colour, marker = LINES[name]
        axes.plot(list(shown), ratios, color=colour, marker=marker)
    if shown:
        pieces = np.geomspace(min(shown), max(shown), 100)
        factor = terms.chain_factor(next(iter(equal)).gpus, pieces)
        axes.plot(pieces, factor, **style.BOUND)
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(shown), [str(count) for count in shown])
    axes.set(xlabel="pieces of a copy C", ylabel="simulated over model")
    axes.set_title("equal loads, one shadow", fontsize=8.5, loc="left")


def _draw_skew(axes, unequal):
    for name, (colour, marker) in LINES.items():
        errors = {}
        for (preset, exponent, _), own in sorted(unequal.items(), key=lambda item: item[0][1]):
            if preset in ("uniform", "no-aux") and own[name][1] > 0:
                errors.setdefault(exponent, []).append(_error(own[name]))
        places, values = list(errors), list(errors.values())
        ends = [[choose(own) for own in values] for choose in (min, max)]
        axes.fill_between(places, *ends, color=colour, alpha=0.2, linewidth=0)
        means = [np.mean(own) for own in values]
        axes.plot(places, means, color=colour, marker=marker)
    axes.axhline(0, **style.BOUND)
    axes.set(xlabel="exponent of Zipf's law (0: even), drifting", ylabel="simulated against model [%]")
    axes.set_title("unequal loads, 1024 pieces, bands over seeds", fontsize=8.5, loc="left")
    places = sorted({exponent for _, exponent, _ in unequal})
    axes.set_xticks(places, [f"{place:g}" for place in places])


def draw_tables(cells, published):
    """A row of panels per table, a panel per treatment of padding by DeepSpeed-MoE."""
    figure, grid = style.new_figure(15, 6, 2, len(BASELINES), sharey="row")
    for cluster, row in zip(("HPNV", "LPWNV"), grid):
        own = [cell for cell in cells.cells if cell[0] == cluster]
        for baseline, axes in zip(BASELINES, row):
            gains = {name: cells.speedup(name, baseline) for name in COLOURS}
            for place, cell in enumerate(own):
                _draw_cell(axes, place, cells.column(cell), gains)
                for offset, scheme in ((-0.1, "FasterMoE"), (0.36, "Pro-Prophet")):
                    value = published[case_of(cell[0], cell[1]), scheme, cell[2]].value
                    edge = COLOURS["full" if offset > 0 else "faster_moe_artifact"]
                    axes.plot(place + offset, value, markeredgecolor=edge, zorder=7, **DIAMOND)
            axes.axhline(1, **style.BOUND)
            axes.set_xticks(range(len(own)), [f"{model}\n{topk:g}" for _, topk, model in own])
            axes.set_title(f"{cluster}: {BASELINES[baseline]}", fontsize=8.5, loc="left")
            axes.grid(False, axis="x")
        row[0].set_ylabel("speed-up over DeepSpeed-MoE")
        style.plain_log(row[0].yaxis)
    figure.suptitle(
        "Tables IV and V of Pro-Prophet in simulated iterations: bands over unknowns; models with k",
        fontsize=9.5,
    )
    handles = [Patch(facecolor=colour, label=tables.SERIES[name]) for name, colour in COLOURS.items()]
    handles.append(Line2D([], [], color="none", markeredgecolor="#333333", label="paper", **DIAMOND))
    style.legend(grid[0, -1], handles=handles)
    return figure


def _draw_cell(axes, place, column, gains):
    for i, (series, colour) in enumerate(COLOURS.items()):
        gain = gains[series][:, column]
        at = place - 0.34 + 0.165 * i
        axes.bar(at, np.ptp(gain), 0.15, bottom=gain.min(), color=colour, alpha=0.55, linewidth=0)
        axes.plot([at - 0.075, at + 0.075], [np.median(gain)] * 2, color=colour, linewidth=2)


def draw_hot(layers, recorded, model="M"):
    """Ratio of balance by number and share of hot experts, and where other loads lie."""
    figure, grid = style.new_figure(12.5, 3.6, 1, len(hot.RIVALS), sharey=True)
    jitter = np.random.default_rng(1).uniform(-0.3, 0.3, len(recorded))
    for axes, faster_moe in zip(grid[0], hot.RIVALS):
        own = layers["hot-equal", model]
        ratios = np.array([layer.ratio(faster_moe) for layer in own])
        drawn = axes.scatter(
            [layer.hot for layer in own],
            [100 * layer.share for layer in own],
            c=ratios,
            s=78,
            marker="s",
            cmap="RdBu_r",
            norm=LogNorm(1 / 100, 100),
            linewidths=np.where(ratios >= hot.PAPER, 1.6, 0.3),
            edgecolors=np.where(ratios >= hot.PAPER, "#000000", "#999999"),
        )
        if recorded:
            counts, shares = np.array(recorded).T
            axes.plot(counts + jitter, 100 * shares, ".", color="#009E73", markersize=2.5, alpha=0.5, zorder=4)
        zipf = layers["hot-zipf", model]
        axes.plot([layer.hot for layer in zipf], [100 * layer.share for layer in zipf],
                  markeredgecolor="#333333", zorder=7, **DIAMOND)
        axes.plot([3, 3], [50, 100], color="#CC79A7", linewidth=4, alpha=0.6, zorder=3)
        axes.set_title(f"over FasterMoE, {faster_moe.replace(', ', ',' + chr(10))}", fontsize=8.5, loc="left")
        axes.set(xlabel="hot experts of 16", xlim=(0.4, 12.6), ylim=(0, 100))
        axes.set_xticks(range(1, 13))
    grid[0, 0].set_ylabel("their share of the tokens [%]")
    bar = figure.colorbar(
        drawn, ax=grid[0, -1], extend="both", format="%g", label="RB of Pro-Prophet over FasterMoE's"
    )
    bar.ax.axhline(hot.PAPER, color="#000000", linewidth=1.6)
    marks = [
        Line2D([], [], linestyle="none", marker="s", markersize=8, markerfacecolor="none",
               markeredgecolor="#000000", markeredgewidth=1.6, label=f"{hot.PAPER:g} and more"),
        Line2D([], [], color="none", markeredgecolor="#333333", label="Zipf, 0.25 to 2", **DIAMOND),
        Line2D([], [], color="#CC79A7", linewidth=4, alpha=0.6, label="Fig. 3: three above half"),
    ]
    if recorded:
        marks.insert(2, Line2D([], [], color="#009E73", linestyle="none", marker=".", label="a recorded training"))
    figure.legend(handles=marks, loc="lower center", ncol=len(marks), frameon=False)
    figure.get_layout_engine().set(rect=(0, 0.09, 1, 0.91))
    figure.suptitle(f"Few hot experts, all alike, and others alike: model {model} on HPNV, k = 1", fontsize=9.5)
    return figure


if __name__ == "__main__":
    program.run(main)
