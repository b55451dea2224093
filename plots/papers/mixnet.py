# SPDX-License-Identifier: GPL-2.0-only
"""Iterations on MixNet beside those on other fabrics, and beside what its paper has."""

import csv
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rails.plots import style
from rails.errors import ResultError
from rails.reader.units import parse_number, with_unit

FABRICS = {"fat-tree": "FT", "nic-groups": "MN", "rail": "RO"}
NAMES = {"FT": "fat-tree", "MN": "MixNet", "RO": "rail-optimized"}
LOOKS = {"FT": ("#000000", "s"), "MN": ("#D55E00", "o"), "RO": ("#0072B2", "^")}
# No model and no way to lay circuits looks like a fabric.
MODELS = {"Mixtral 8x22B": ("#882255", "P"), "Mixtral 8x7B": ("#B8A000", "v"), "DeepSeek-R1": ("#44AA99", "X")}
CIRCUITS = {
    "greedy": LOOKS["MN"],
    "exact": ("#E69F00", "<"),
    "static": ("#117733", "d"),
    "birkhoff": ("#332288", "D"),
}
FAST = "#E69E66"  # where circuits move in 10 us
VARIANT = ("#803800", "d")  # of MixNet's circuits, beside what is usual
SETTINGS = {0: "100 ms", 1: "61 ms", 2: "operations"}
EIGHTFOLD = "operations x 8"  # what 100 ms are of the operations of Mixtral 8x22B
LINES = {"100 ms": "-", "61 ms": "--", "operations": ":", EIGHTFOLD: "-."}
RATES = ([100, 200, 400, 800], ["100G", "200G", "400G", "800G"])
# Of a figure of the paper that text gives with two sets of parameters both are ours to run.
PAPER_MODELS = {"Qwen-MoE, EP 16": "Qwen-MoE", "Qwen-MoE, EP 32": "Qwen-MoE"}


@dataclass(frozen=True)
class Cell:
    """A value of Fig. 12: over the best of its model."""

    setting: str
    rate: int  # Gbit/s
    fabric: str


def iterations(points):
    """Seconds of an iteration, by cell."""
    slowest = find_slowest(points)
    found = {}
    for point in points:
        found[Cell(find_setting(point, slowest), find_rate(point), find_fabric(point))] = point.cct_s
    for cell in found:
        for fabric in LOOKS:
            if Cell(cell.setting, cell.rate, fabric) not in found:
                reason = f"no {NAMES[fabric]} at {cell.rate}G, {cell.setting}: the comparison needs all fabrics"
                raise ResultError(points[0].folder.parent, reason)
    return found


def normalised(found, setting):
    """As the paper: 1 is the best cell of a setting."""
    own = {cell: value for cell, value in found.items() if cell.setting == setting}
    best = min(own.values())
    return {(cell.rate, cell.fabric): value / best for cell, value in own.items()}


def settings_of(found):
    """The compute times of the cells, in the order of the legend."""
    return [setting for setting in LINES if any(cell.setting == setting for cell in found)]


def read_paper(path, model):
    """Fig. 12's values of a model, by rate and fabric."""
    name = PAPER_MODELS.get(model, model)
    with open(path, newline="", encoding="utf-8") as file:
        found = {
            (int(row["rate_gbps"]), row["fabric"]): float(row["value"])
            for row in csv.DictReader(file)
            if row["model"] == name
        }
    if not found:
        raise ResultError(path, f"has no values of {name}")
    return found


def describe(found, paper):
    """Lines: MN/FT and RO/FT over the rate, beside the paper's, and the largest error of a cell."""
    for setting in settings_of(found):
        own = normalised(found, setting)
        rates = sorted({rate for rate, _ in own})
        parts = []
        for rate in rates:
            ratio = {name: own[rate, name] / own[rate, "FT"] for name in ("MN", "RO")}
            told = {name: paper[rate, name] / paper[rate, "FT"] for name in ratio}
            parts.append(
                f"{rate}G MN/FT {ratio['MN']:.3f} (paper {told['MN']:.3f}), "
                f"RO/FT {ratio['RO']:.3f} ({told['RO']:.3f})"
            )
        worst = max(own, key=lambda key: abs(own[key] / paper[key] - 1))
        yield f"{setting}: " + "; ".join(parts)
        yield (
            f"{setting}: largest error of a cell {100 * (own[worst] / paper[worst] - 1):+.1f} % "
            f"({worst[1]} at {worst[0]}G: {own[worst]:.3f}, paper {paper[worst]:.3f})"
        )


def delays(points):
    """Seconds of an iteration and of stalls on its path, by setting, circuits and seconds of delay."""
    slowest = find_slowest(points)
    found = {}
    for point in points:
        key = find_setting(point, slowest), point.config["optical.circuits.type"]
        delay = parse_number(point.config["optical.reconfiguration_delay"])
        kinds = {kind["name"]: kind for kind in point.result["graph"]["kinds"]}
        found.setdefault(key, {})[delay] = point.cct_s, kinds["reconfiguration"]["critical_s"]
    return found


def describe_delays(found):
    for (setting, circuits), own in sorted(found.items()):
        least = own[min(own)][0]
        parts = [f"{delay:g} s {time / least:.3f}" for delay, (time, _) in sorted(own.items())]
        yield f"{setting}, {circuits}: iteration over that with {min(own):g} s: " + ", ".join(parts)
        if 25e-3 in own:
            time, stall = own[25e-3]
            yield f"{setting}, {circuits}: at 25 ms circuits that move have {100 * stall / time:.1f} % of the path"


def draw(models, papers, moved):
    """Fig. 12: a row of panels for each compute time, a column for each model. Fig. 28 beside it."""
    present = {setting for found in models.values() for setting in settings_of(found)}
    settings = [setting for setting in LINES if setting in present]
    columns = len(models) + bool(moved)
    size = (1.6 + 3.1 * max(columns, 2), 0.9 + 2.1 * max(len(settings), 1.4))
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.add_gridspec(max(len(settings), 1), columns)
    panels = []
    for column, (model, found) in enumerate(models.items()):
        for row, setting in enumerate(settings):
            axis = figure.add_subplot(grid[row, column], sharey=panels[0] if panels else None)
            panels.append(axis)
            axis.set_title(f"{model}, {_experts(setting)}" if row else f"Fig. 12, {model},\n{_experts(setting)}")
            if setting in settings_of(found):
                _draw_rates(axis, normalised(found, setting), papers[model])
            axis.tick_params(labelbottom=row == len(settings) - 1)
        axis.set_xlabel("rate of a NIC")
    if panels:
        panels[0].set_ylim(bottom=0.93)
        figure.supylabel("iteration over the best one of the panel", fontsize=9)
    handles = fabric_handles() + [paper_handle()] * bool(models)
    if moved:
        axis = figure.add_subplot(grid[:, -1])
        _draw_delays(axis, moved)
        handles += setting_handles({setting for setting, _ in moved})
    style.below(figure, handles)
    return figure


def _experts(setting):
    """What a compute time is of, in words."""
    names = {"operations": "experts by operations", EIGHTFOLD: "eight times operations"}
    return names.get(setting, f"experts {setting} a layer")


def _draw_rates(axis, own, paper):
    """Fabrics stand beside each other at each rate, ours joined, the paper's hollow."""
    for number, (fabric, (colour, marker)) in enumerate(LOOKS.items()):
        beside = 2 ** (0.13 * (number - 1))
        values = sorted((rate * beside, value) for (rate, name), value in own.items() if name == fabric)
        axis.plot(*zip(*values), color=colour, marker=marker, markersize=4, linewidth=1.1)
        told = [(rate * beside, value) for (rate, name), value in paper.items() if name == fabric]
        plot_paper(axis, told, colour, marker)
    rate_axis(axis)
    axis.set_xlim(RATES[0][0] / 1.3, RATES[0][-1] * 1.3)


def _draw_delays(axis, moved):
    """Over the iteration with the shortest delay, on scales that show both 1 % and a factor of 60."""
    places, highest = set(), 1
    for (setting, circuits), own in sorted(moved.items()):
        if circuits != "greedy":
            continue
        least = own[min(own)][0]
        values = sorted((delay, time / least) for delay, (time, _) in own.items())
        axis.plot(*zip(*values), LINES[setting], color=LOOKS["MN"][0], marker="o", markersize=4)
        places |= own.keys()
        highest = max(highest, *(value for _, value in values))
    axis.axvline(25e-3, color="#777777", linestyle=":", linewidth=1)
    axis.set_xscale("log")
    axis.set_ylim(0.93, 1.15 * highest)
    style.plain_log(axis.yaxis)
    ticks = [10.0**power for power in range(-6, 2) if min(places) <= 10.0**power * 1.01 <= 1.02 * max(places)]
    axis.set_xticks(ticks, [with_unit(tick, "s") for tick in ticks], rotation=35, ha="right", rotation_mode="anchor")
    axis.minorticks_off()
    axis.set_xlabel("reconfiguration delay (dotted: 25 ms)")
    axis.set_ylabel("iteration over that with the shortest delay")
    axis.set_title("Fig. 28, Mixtral 8x22B at 400G")


def plot_paper(axis, values, colour, marker):
    """Values of the paper: large and hollow."""
    values = sorted(values)
    if values:
        look = {"marker": marker, "markersize": 8, "markerfacecolor": "none", "markeredgecolor": colour}
        axis.plot(*zip(*values), linestyle="none", **look)


def rate_axis(axis):
    axis.set_xscale("log", base=2)
    axis.set_xticks(*RATES)
    axis.minorticks_off()


def fabric_handles(fabrics=tuple(LOOKS)):
    return [
        Line2D([], [], color=LOOKS[name][0], marker=LOOKS[name][1], linestyle="none", label=NAMES[name])
        for name in fabrics
    ]


def model_handles(models=tuple(MODELS)[:2]):
    return [
        Line2D([], [], color=MODELS[name][0], marker=MODELS[name][1], linestyle="none", label=name)
        for name in models
    ]


def rate_heads(name):
    """Heads of the columns of a table with something at each rate."""
    return [f"{name} {rate}G" if rate == RATES[0][0] else f"{rate}G" for rate in RATES[0]]


def setting_handles(settings):
    """Of compute times, as far as they are there."""
    return [
        Line2D([], [], color="#444444", linestyle=line, label=_experts(setting))
        for setting, line in LINES.items()
        if setting in settings
    ]


def paper_handle(label="paper"):
    look = {"marker": "o", "markerfacecolor": "none", "markersize": 8, "linestyle": "none"}
    return Line2D([], [], color="#444444", label=label, **look)


def find_slowest(points, workload="workload"):
    """The longest time of a pair of a token and an expert that is given, in seconds."""
    return max((_pair_time(point, workload) for point in points), default=0)


def _pair_time(point, workload):
    text = point.config.get(f"{workload}.compute.expert_token")
    return parse_number(text) if text else 0


def find_setting(point, slowest, workload="workload"):
    """
    Which of the compute times a point has.

    :param workload: where the keys of the training begin
    """
    time = _pair_time(point, workload)
    if time == 0 and parse_number(point.config.get(f"{workload}.compute.efficiency", 0.4)) < 0.1:
        return EIGHTFOLD
    return SETTINGS[2 if time == 0 else 0 if time == slowest else 1]


def find_fabric(point):
    fabric = FABRICS.get(point.config["topology.type"])
    if fabric is None:
        raise ResultError(point.folder, "no fabric of the comparison")
    return fabric


def find_rate(point):
    """Gbit/s of a NIC on circuits where there are any."""
    for key in ("topology.nic_rate", "topology.fabrics.ocs.nic_rate", "topology.fabrics.eps.nic_rate"):
        if point.config.get(key):
            return round(parse_number(point.config[key]) / 1e9)
    raise ResultError(point.folder, "its NICs have no rate")
