# SPDX-License-Identifier: GPL-2.0-only
"""What is published of NIMBLE and FAST, beside ours over three baselines."""

from dataclasses import dataclass
from statistics import median

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from . import rails_grid as grid
from .csv_rows import read_rows
from .rails_figures import COLOURS
from rails.plots import style

COLUMNS = ["name", "scheme", "loads", "low", "high", "quantity", "source"]
GRIDS = ("published-nimble", "published-fast", "after-8x8", "collectives-8x8")
BASELINES = ("ecmp", "rail-destination", "rail-source")
PAIR = "pair"  # one GPU sends to one of another server, all others are idle
SKEWED = ("sparse", "zipf", "moe")
SIZE = 64  # MB of a GPU
_COLOURS = {PAIR: "#888888", **COLOURS}
_MARKS = {"4x4": "o", "4x8": "o", "8x8": "^"}  # by servers and GPUs of each


@dataclass(frozen=True)
class Ratio:
    """How many times a baseline's time, or less than its bandwidth; loads are empty where ours have no counterpart."""

    scheme: str
    loads: str
    low: float
    high: float
    quantity: str
    source: str

    @property
    def text(self):
        if self.low == 1 < self.high:
            return f"up to {self.high:g}"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"

    def is_of(self, kind):
        return kind in SKEWED if self.loads == "skewed" else kind == self.loads


def read_ratios(path):
    return [
        Ratio(row["scheme"], row["loads"], float(row["low"]), float(row["high"]), row["quantity"], row["source"])
        for row, _ in read_rows(path, COLUMNS)
    ]


def place(config):
    """:return: load, congestion control, servers and GPUs of each"""
    is_pair = config["workload.matrix.type"] == "file"
    load = grid.Load(PAIR, "", SIZE) if is_pair else grid.load_of(config)
    return load, grid.control_of(config), f"{config['topology.domains']}x{config['topology.gpus_per_domain']}"


def ours(found, scheme):
    """Times of baselines over those of a scheme: by (shape, baseline), pairs of a load and its ratio."""
    ratios = {}
    for name, load, control, shape in found:
        if name != f"{scheme}, counts free" or control != "none" or load.size != SIZE:
            continue
        for baseline in BASELINES:
            change = grid.change(found, name, baseline, (load, control, shape))
            if change is not None:
                ratios.setdefault((shape, baseline), []).append((load, 1 / (1 + change)))
    return {key: ratios[key] for key in sorted(ratios)}


def table(found, published):
    """Each published ratio, and ours on the loads that it is of: least, median, most."""
    rows = [["Scheme", "Published", "Of what", "Loads", "Servers", *(f"Over {name}" for name in BASELINES)]]
    for ratio in published:
        head = [ratio.scheme, f"{ratio.text} times", ratio.quantity]
        own = ours(found, ratio.scheme)
        shapes = dict.fromkeys(shape for shape, _ in own)
        cells = {shape: [_span(own.get((shape, name), []), ratio) for name in BASELINES] for shape in shapes}
        rows += [[*head, ratio.loads, shape, *texts] for shape, texts in cells.items() if any(texts)]
        if not ratio.loads:
            rows.append([*head, "no counterpart", "", "", "", ""])
    return rows


def _span(pairs, published):
    values = sorted(value for load, value in pairs if published.is_of(load.kind))
    ends = dict.fromkeys((values[0], median(values), values[-1])) if values else ()
    return " / ".join(f"{value:.2f}" for value in ends)


def draw(found, published):
    """A panel for each scheme: ours over each baseline by load, published ratios as bands and lines."""
    schemes = [name for name in dict.fromkeys(ratio.scheme for ratio in published) if ours(found, name)]
    figure, axes = style.new_figure(10.5, 3.6, 1, len(schemes), sharey=True)
    for axis, scheme in zip(axes[0], schemes):
        own = ours(found, scheme)
        for (shape, baseline), pairs in own.items():
            for load, value in pairs:
                look = {"color": _COLOURS[load.kind], "markersize": 4}
                at = BASELINES.index(baseline) + 0.15 * (list(_COLOURS).index(load.kind) - 2)
                axis.plot(at, value, _MARKS[shape], markerfacecolor="none" if shape == "8x8" else None, **look)
        handles = [_draw_published(axis, ratio) for ratio in published if ratio.scheme == scheme and ratio.loads]
        axis.axhline(1, **style.BOUND)
        style.plain_log(axis.yaxis)
        axis.set_xticks(range(len(BASELINES)), BASELINES)
        axis.set_title(scheme)
        handles += [Line2D([], [], linestyle="none", marker="o", color=_COLOURS[kind], label=kind) for kind in _COLOURS]
        for shape in dict.fromkeys(shape for shape, _ in own):
            face = {"markerfacecolor": "none"} if shape == "8x8" else {}
            handles.append(Line2D([], [], linestyle="none", marker=_MARKS[shape], color="#444444", label=shape, **face))
        style.legend(axis, handles=[handle for handle in handles if handle])
    axes[0, 0].set_ylabel("baseline's time over the scheme's")
    return figure


def _draw_published(axis, ratio):
    if ratio.low == ratio.high == 1:
        return None
    colour = _COLOURS.get(ratio.loads, "#F0E442")
    label = f"published, {ratio.loads}: {ratio.text}"
    if ratio.low == ratio.high:
        axis.axhline(ratio.low, color=colour, linewidth=1, linestyle="--")
        return Line2D([], [], color=colour, linewidth=1, linestyle="--", label=label)
    axis.axhspan(ratio.low, ratio.high, color=colour, alpha=0.25, linewidth=0, zorder=0)
    return Patch(facecolor=colour, alpha=0.25, label=label)
