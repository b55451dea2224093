# SPDX-License-Identifier: GPL-2.0-only
"""Figures of MicroMoE from token counts. Each function returns a figure and a text."""

import csv

import numpy as np

from rails.plots import style
from rails.errors import ResultError

_LOOKS = {
    "plain": ("#000000", ":", "plain EP"),
    "random": ("#7F7F7F", (0, (6, 2)), "random, no replacement"),
    "static": ("#0072B2", "--", "symmetric, no replacement"),
    "full": ("#D55E00", "-", "full"),
}
_SYSTEMS = {
    "plain": "plain EP",
    "static-far": "symmetric, no locality",
    "static": "symmetric",
    "full-far": "full, no locality",
    "full": "full",
    "full-0.1": "full, LP 4, weight 0.1",
    "full-1": "full, LP 4, weight 1",
}


def read_rows(path):
    """Rows of a table, as a dictionary of numbers or words each."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(file)]
    if not rows:
        raise ResultError(path, "it has no rows")
    return rows


def _value(text):
    try:
        return float(text)
    except ValueError:
        return text


def speed(rows, paper):
    """Fig. 7: speed-up over plain EP; the band is from half of the time to all of it."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    drawing, grid = style.new_figure(max(2.5 * len(models), 5), 3, 1, len(models), sharey=True)
    bands = {system: [] for system in ("static", "full")}
    for axes, model in zip(grid[0], models):
        own = [row for row in rows if row["model"] == model]
        skews = sorted({row["s"] for row in own})
        for system, of_models in bands.items():
            colour, dashes, label = _LOOKS[system]
            by_skew = [[row["speedup_" + system] for row in own if row["s"] == s] for s in skews]
            low, high = [min(ends) for ends in by_skew], [max(ends) for ends in by_skew]
            of_models.append((low, high))
            axes.fill_between(skews, low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(skews, high, color=colour, linestyle=dashes, label=label)
        axes.axhline(paper["full", "mean"].value, **style.BOUND)
        axes.axhline(paper["full", "best"].value, **style.EVENT)
        axes.set(xlabel="s", title=model)
    grid[0, 0].set(ylabel="speed-up over plain EP", ylim=(0.95, 2.6))
    grid[0, 0].legend(loc="upper left")
    drawing.suptitle("lines across: the paper's mean and best", fontsize=8.5)
    lines = []
    for name, of_model in (("mean", np.mean), ("best", np.max)):
        low, high = of_model(np.array(bands["full"]), axis=0)
        value = paper["full", name].value
        early, late = _crossing(skews, high, value), _crossing(skews, low, value)
        lines.append(f"{name} speed-up {value:g}: reached at s = {early:.2f} to {late:.2f}")
    return drawing, "\n".join(lines)


def _crossing(places, heights, value):
    """Where a rising curve comes to a value."""
    return float(np.interp(value, heights, places))


def balance(rows, paper):
    """Fig. 8: largest load over the mean."""
    drawing, grid = style.new_figure(6.2, 3.6)
    axes = grid[0, 0]
    skews = [row["s"] for row in rows]
    for system, (colour, dashes, label) in _LOOKS.items():
        axes.plot(skews, [row[system] for row in rows], color=colour, linestyle=dashes, label=label)
    axes.plot(skews, [row["floor"] for row in rows], label="two GPUs for the hottest", **style.BOUND)
    axes.axvline(paper["static", "knee"].value, label="paper: where balance ends", **style.EVENT)
    axes.set(xlabel="s", ylabel="largest load / mean")
    style.legend(axes)
    lines = [f"full: at most {max(row['full_largest'] for row in rows):.4f} in any draw"]
    for row in rows:
        if row["floor"] > 1:
            medians = f"median {row['static_median']:.3f}, mean {row['static']:.3f}"
            lines.append(f"no replacement, s = {row['s']:g}: {medians}, floor {row['floor']:.3f}")
    return drawing, "\n".join(lines)


def dispatch(rows, paper):
    """Fig. 9: time of a dispatch by its bytes."""
    drawing, grid = style.new_figure(6.4, 0.5 + 0.5 * len(rows))
    axes = grid[0, 0]
    columns = (("mean_ms", "mean", "#8fb0cc"), ("sent_ms", "most sent", "#30475e"))
    columns += (("got_ms", "most got", "#e0a458"),)
    for index, (column, label, colour) in enumerate(columns):
        places = np.arange(len(rows)) + 0.27 * (index - 1)
        axes.barh(places, [row[column] for row in rows], height=0.25, color=colour, label=label)
    plain = paper["plain", 1.0].value
    axes.axvline(plain, **style.EVENT)
    axes.axvline(plain + paper["extra", 1.0].value, **style.BOUND)
    axes.set_yticks(range(len(rows)), [_SYSTEMS[row["system"]] for row in rows])
    axes.invert_yaxis()
    axes.set(xlabel="dispatch [ms at 155 GB/s]; lines: paper, plain EP and MicroMoE")
    style.legend(axes)
    first = rows[0]
    text = [
        f"{_SYSTEMS[row['system']]}: {row['mean_ms'] - first['mean_ms']:+.2f} ms in the mean, "
        f"{row['got_ms'] - first['got_ms']:+.2f} ms of the GPU that gets most"
        for row in rows[1:]
    ]
    return drawing, "\n".join(text)


def scheduling(rows, paper):
    """Fig. 11: time of a split and of routing on this machine."""
    drawing, grid = style.new_figure(8.4, 3.6, 1, 3, sharey=True)
    columns = (("flow_us", "LP 1"), ("routing_us", "routing"), ("communication_us", "LP 4"))
    for axes, (column, title) in zip(grid[0], columns):
        for gpus in sorted({row["gpus"] for row in rows}):
            own = [row for row in rows if row["gpus"] == gpus]
            places = [row["experts"] for row in own]
            axes.plot(places, [row[column] for row in own], marker="o", label=f"{gpus:g} GPUs")
        axes.axhline(paper["full", "least"].value, **style.EVENT)
        axes.axhline(paper["full", "64x256"].value, **style.BOUND)
        axes.set(xscale="log", xlabel="experts", title=title)
        axes.minorticks_off()
        axes.set_xticks(places, [f"{place:g}" for place in places])
    style.plain_log(grid[0, 0].yaxis)
    grid[0, 0].set(ylabel="time [us]")
    style.legend(grid[0, -1])
    largest = max(rows, key=lambda row: (row["gpus"], row["experts"]))
    text = f"64 GPUs x 256 experts: LP 1 {largest['flow_us']:.0f} us, "
    text += f"routing {largest['routing_us']:.0f} us, LP 4 {largest['communication_us'] / 1000:.0f} ms"
    return drawing, text


FIGURES = {
    "figure-07": speed,
    "figure-08": balance,
    "figure-09": dispatch,
    "figure-11": scheduling,
}
