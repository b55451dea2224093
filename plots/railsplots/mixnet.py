# SPDX-License-Identifier: GPL-2.0-only
"""Iterations on MixNet beside those on other fabrics, and beside what its paper has."""

import csv
from dataclasses import dataclass

import matplotlib.pyplot as plt

from .errors import ResultError
from .units import parse_number

FABRICS = {"fat-tree": "FT", "nic-groups": "MN", "rail": "RO"}
NAMES = {"FT": "fat-tree", "MN": "MixNet", "RO": "rail-optimized"}
LOOKS = {"FT": ("#000000", "s"), "MN": ("#D55E00", "o"), "RO": ("#0072B2", "^")}
SETTINGS = {0: "100 ms", 1: "61 ms", 2: "operations"}
LINES = {"100 ms": "-", "61 ms": "--", "operations": ":"}


@dataclass(frozen=True)
class Cell:
    """A value of Fig. 12: over the best of its model."""

    setting: str
    rate: int  # Gbit/s
    fabric: str


def iterations(points):
    """Seconds of an iteration, by cell."""
    slowest = max((_pair_time(point) for point in points), default=0)
    found = {}
    for point in points:
        fabric = FABRICS.get(point.config["topology.type"])
        if fabric is None:
            raise ResultError(point.folder, "no fabric of the comparison")
        cell = Cell(_setting(point, slowest), _rate(point), fabric)
        found[cell] = point.cct_s
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


def read_paper(path, model):
    """Fig. 12's values of a model, by rate and fabric."""
    with open(path, newline="", encoding="utf-8") as file:
        return {
            (int(row["rate_gbps"]), row["fabric"]): float(row["value"])
            for row in csv.DictReader(file)
            if row["model"] == model
        }


def describe(found, paper):
    """Lines: MN/FT and RO/FT over the rate, beside the paper's, and the largest error of a cell."""
    for setting in LINES:
        if not any(cell.setting == setting for cell in found):
            continue
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
    slowest = max((_pair_time(point) for point in points), default=0)
    found = {}
    for point in points:
        key = _setting(point, slowest), point.config["optical.circuits.type"]
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
    """Fig. 12 of each model, and Fig. 28."""
    figure, axes = plt.subplots(
        1, len(models) + bool(moved), figsize=(4.6 * (len(models) + bool(moved)), 3.6), squeeze=False
    )
    for axis, (model, found) in zip(axes[0], models.items()):
        for setting, line in LINES.items():
            own = normalised(found, setting) if any(c.setting == setting for c in found) else {}
            for fabric, (colour, marker) in LOOKS.items():
                values = sorted((rate, value) for (rate, name), value in own.items() if name == fabric)
                axis.plot(
                    *zip(*values), line, color=colour, marker=marker, markersize=4, linewidth=1.1
                ) if values else None
        for fabric, (colour, marker) in LOOKS.items():
            values = sorted((rate, value) for (rate, name), value in papers[model].items() if name == fabric)
            axis.plot(
                *zip(*values),
                linestyle="none",
                marker=marker,
                markersize=8,
                markerfacecolor="none",
                markeredgecolor=colour,
            ) if values else None
        axis.set_xscale("log", base=2)
        axis.set_xticks([100, 200, 400, 800], ["100G", "200G", "400G", "800G"])
        axis.set_title(f"Fig. 12, {model}")
        axis.set_ylabel("iteration over the best cell")
    if moved:
        axis = axes[0][-1]
        for (setting, circuits), own in sorted(moved.items()):
            if circuits != "greedy":
                continue
            values = sorted((delay, time) for delay, (time, _) in own.items())
            axis.plot(*zip(*values), LINES[setting], color=LOOKS["MN"][0], marker="o", markersize=4)
        axis.axvline(25e-3, color="#777777", linestyle=":", linewidth=1)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xticks([1e-6, 1e-4, 1e-2, 1], ["1 us", "100 us", "10 ms", "1 s"])
        axis.set_yticks([10, 100], ["10", "100"])
        axis.minorticks_off()
        axis.set_xlabel("reconfiguration delay")
        axis.set_ylabel("iteration [s]")
        axis.set_title("Fig. 28, Mixtral 8x22B at 400G")
    handles = [
        plt.Line2D([], [], color=colour, marker=marker, linestyle="none", label=NAMES[fabric])
        for fabric, (colour, marker) in LOOKS.items()
    ]
    handles += [
        plt.Line2D([], [], color="#444444", linestyle=line, label=f"experts {setting} a layer")
        if setting != "operations"
        else plt.Line2D([], [], color="#444444", linestyle=line, label="experts by operations")
        for setting, line in LINES.items()
    ]
    handles.append(
        plt.Line2D([], [], color="#444444", marker="o", markerfacecolor="none", markersize=8, linestyle="none", label="paper")
    )
    figure.legend(handles=handles, loc="lower center", ncol=len(handles), frameon=False)
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    return figure


def _pair_time(point):
    text = point.config.get("workload.compute.expert_token")
    return parse_number(text) if text else 0


def _setting(point, slowest):
    time = _pair_time(point)
    return SETTINGS[2 if time == 0 else 0 if time == slowest else 1]


def _rate(point):
    rate = point.config.get("topology.nic_rate") or point.config["topology.fabrics.eps.nic_rate"]
    return round(parse_number(rate) / 1e9)
