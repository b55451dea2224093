# SPDX-License-Identifier: GPL-2.0-only
"""What fabrics cost, and what an iteration achieves for that: Figs. 11 and 13 of MixNet."""

import csv
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from matplotlib.lines import Line2D

from . import mixnet
from rails.plots import style
from rails.errors import ResultError
from rails.launcher import call
from rails.reader.units import parse_number

# Fabrics of runs by their names in `rails cost`.
COSTED = {"FT": "fat-tree", "MN": "mixnet", "RO": "rail-optimized"}
USED_PORTS = "mixnet-used-ports"
DRAWN = {
    "fat-tree": ("fat-tree and rail-optimized", "#000000", "s", "-"),
    "rail-only": ("rail-only", "#56B4E9", ">", "--"),
    "mixnet": ("MixNet", "#D55E00", "o", "-"),
    "topoopt": ("TopoOpt, 128 servers only", "#009E73", "D", "-"),
}
SERVERS = (128, 256, 512, 1024, 2048, 4096)
GPUS = 8  # of a server
AGAINST = ("FT", "RO")
COST = "cost"
NOTHING = "has none"
MODELS = mixnet.MODELS
COSTS = "#555555"
RANGE = {"color": "#bbbbbb", "linewidth": 9, "solid_capstyle": "butt", "zorder": 1}


@dataclass(frozen=True)
class Gain:
    """MixNet against another fabric: the product is its performance per dollar over the other's."""

    iteration: float  # of the other over MixNet's
    cost: float  # of the other over MixNet's

    @property
    def per_dollar(self):
        return self.iteration * self.cost


def ask_costs(file=None):
    """Costs of a file, or of the program itself."""
    if file:
        return read_costs(file.read_text(encoding="utf-8"), file)
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "cost.json"
        ended = call(["cost", "--json", answer])
        if ended.status:
            reason = f"ended with status {ended.status}; --cost FILE takes what `./rails cost --json FILE` wrote"
            raise ResultError("./rails cost", reason)
        return read_costs(answer.read_text(encoding="utf-8"), "./rails cost")


def read_costs(text, place):
    """USD for a GPU by fabric and Gbit/s, from what `rails cost --json` writes."""
    try:
        fabrics = json.loads(text)["fabrics"]
    except (ValueError, KeyError, TypeError) as error:
        raise ResultError(place, "expected what `./rails cost --json` writes") from error
    found = {}
    for fabric in fabrics:
        rate = parse_number(fabric["rate"]) if fabric["rate"] else None
        if rate is None:
            raise ResultError(place, f"{fabric['fabric']} has no price by rate")
        found[fabric["fabric"], round(rate / 1e9)] = fabric["cost_per_gpu_usd"]
    return found


def read_ranges(path):
    """
    What the paper's text has of Fig. 13: (low, high) by Gbit/s, fabric and model ('' for all), and of
    costs of a fat-tree over MixNet's under the fabric COST, with 0 Gbit/s for the mean of all rates.
    """
    with open(path, newline="", encoding="utf-8") as file:
        return {
            (int(row["rate_gbps"] or 0), row["against"], row["model"]): (float(row["low"]), float(row["high"]))
            for row in csv.DictReader(file)
        }


def gains(values, costs, place):
    """
    Gain by Gbit/s and fabric.

    :param values: iteration by Gbit/s and fabric, in any unit: of a setting, or of the paper
    """
    found = {}
    for rate in sorted({rate for rate, _ in values}):
        for fabric in AGAINST:
            lacking = [name for name in (COSTED[fabric], COSTED["MN"]) if (name, rate) not in costs]
            if lacking:
                raise ResultError(place, f"has no cost of {lacking[0]} at {rate}G")
            found[rate, fabric] = Gain(
                values[rate, fabric] / values[rate, "MN"],
                costs[COSTED[fabric], rate] / costs[COSTED["MN"], rate],
            )
    return found


def describe(models, papers, ranges, costs, place):
    """Lines: per dollar beside its two factors, the paper's text and what its own values come to."""
    for model, found in models.items():
        told = gains(papers[model], costs, place)
        for setting in mixnet.settings_of(found):
            own = gains(mixnet.normalised(found, setting), costs, place)
            for fabric in AGAINST:
                parts = []
                for rate in sorted({rate for rate, _ in own}):
                    gain, theirs = own[rate, fabric], told[rate, fabric]
                    parts.append(
                        f"{rate}G {gain.per_dollar:.2f} = iteration {gain.iteration:.3f} x cost {gain.cost:.2f} "
                        f"(paper's text {text_of(ranges, rate, fabric, model)}, its iterations and these costs "
                        f"{theirs.per_dollar:.2f})"
                    )
                yield f"{model}, {setting}, per dollar over {mixnet.NAMES[fabric]}: " + "; ".join(parts)
    parts = [
        f"{rate}G x {costs[COSTED['MN'], rate] / costs[USED_PORTS, rate]:.3f}"
        for name, rate in sorted(costs)
        if name == USED_PORTS
    ]
    if parts:
        yield "per dollar, where only optical ports in use are counted: " + ", ".join(parts)


def text_of(ranges, rate, fabric, model):
    """The paper's text on a cell: its own value, or the range of all models."""
    low, high = ranges.get((rate, fabric, model)) or ranges.get((rate, fabric, "")) or (None, None)
    if low is None:
        return NOTHING
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def describe_costs(costs):
    """Lines: what 128 servers cost, and all over MixNet's."""
    for rate in sorted({rate for _, rate in costs}):
        parts = [
            f"{DRAWN[fabric][0].partition(',')[0]} {costs[fabric, rate] * GPUS * SERVERS[0] / 1e6:.2f} "
            f"({costs[fabric, rate] / costs['mixnet', rate]:.2f} of MixNet's)"
            for fabric in DRAWN
            if (fabric, rate) in costs
        ]
        yield f"Fig. 11, {rate}G, million USD for {SERVERS[0]} servers: " + ", ".join(parts)


def draw_costs(costs, ranges):
    """Fig. 11: costs over servers, a panel for each rate."""
    figure, [axes] = style.new_figure(13, 3.3, 1, 4, sharey=True)
    for axis, rate in zip(axes, mixnet.RATES[0]):
        for fabric, (label, colour, marker, line) in DRAWN.items():
            if (fabric, rate) not in costs:
                continue
            servers = SERVERS[:1] if fabric == "topoopt" else SERVERS
            values = [costs[fabric, rate] * GPUS * number / 1e6 for number in servers]
            axis.plot(servers, values, line, color=colour, marker=marker, markersize=4, label=label)
        ratio = costs["fat-tree", rate] / costs["mixnet", rate]
        told = text_of(ranges, rate, COST, "")
        shown = f" (paper {told})" if told != NOTHING else ""
        axis.set_title(f"Fig. 11, {rate}G: fat-tree\n{ratio:.2f}{shown} times MixNet")
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        axis.set_xticks(SERVERS, [f"{number:,}" for number in SERVERS], rotation=45)
        axis.set_yticks([1, 10, 100], ["1", "10", "100"])
        axis.minorticks_off()
        axis.set_xlabel("servers")
    axes[0].set_ylabel("cost [million USD]")
    style.below(figure, axes[0].get_legend_handles_labels()[0])
    return figure


def draw_gains(models, papers, ranges, costs, place):
    """Fig. 13: per dollar against each fabric, beside its two factors."""
    figure, axes = style.new_figure(13, 6.4, 2, 3, sharex=True)
    for row, fabric in zip(axes, AGAINST):
        other = mixnet.NAMES[fabric]
        for model, found in models.items():
            look = MODELS[model]
            for setting in mixnet.settings_of(found):
                own = gains(mixnet.normalised(found, setting), costs, place)
                _draw_row(row, own, fabric, mixnet.LINES[setting], look)
            told = gains(papers[model], costs, place)
            for axis, value in ((row[0], "iteration"), (row[2], "per_dollar")):
                values = [(rate, getattr(gain, value)) for (rate, name), gain in told.items() if name == fabric]
                mixnet.plot_paper(axis, values, *look)
        for (rate, name, model), (low, high) in ranges.items():
            if name != fabric:
                continue
            if low == high:
                look = {"color": MODELS[model][0], "linewidth": 2.5, "zorder": 1}
                row[2].plot([rate / 1.12, rate * 1.12], [low, low], **look)
            else:
                row[2].plot([rate, rate], [low, high], **RANGE)
        names = (
            f"iteration, {other} over MixNet",
            f"cost, {other} over MixNet",
            f"per dollar, MixNet over {other}",
        )
        for axis, what in zip(row, names):
            mixnet.rate_axis(axis)
            axis.set_ylabel(what)
            axis.axhline(1, color="#777777", linestyle=":", linewidth=1)
    _draw_text_on_cost(axes[0][1], ranges)
    one, other = ([tuple(line.get_ydata()) for line in row[1].lines if line.get_color() == COSTS] for row in axes)
    if one == other:  # the same panel twice says nothing
        axes[1][1].set_visible(False)
        axes[0][1].tick_params(labelbottom=True)
        axes[0][1].set_ylabel("cost, either fabric over MixNet")
    for axis, title in zip(axes[0], ("factor 1: iterations", "factor 2: cost", "Fig. 13: their product")):
        axis.set_title(title)
    _legend(figure, models, ranges)
    return figure


def _draw_text_on_cost(axis, ranges):
    """What the paper's text has of the cost of a fat-tree over MixNet's."""
    told = sorted((rate, low) for (rate, name, _), (low, _) in ranges.items() if name == COST)
    means = [value for rate, value in told if not rate]
    look = {"color": "#444444", "linestyle": (0, (5, 4)), "linewidth": 0.8}
    for value in means:
        axis.axhline(value, label="paper's text, mean of the rates", **look)
    look = {"marker": "*", "markersize": 11, "markerfacecolor": "none", "markeredgecolor": "#444444"}
    values = [pair for pair in told if pair[0]]
    if values:
        axis.plot(*zip(*values), linestyle="none", label="paper's text", **look)
    if told:
        axis.legend(loc="lower right", bbox_to_anchor=(1, 0.08))


def _draw_row(row, own, fabric, line, look):
    colour, marker = look
    rates = sorted({rate for rate, _ in own})
    for axis, value in ((row[0], "iteration"), (row[2], "per_dollar")):
        values = [getattr(own[rate, fabric], value) for rate in rates]
        axis.plot(rates, values, line, color=colour, marker=marker, markersize=4, linewidth=1.1)
    row[1].plot(rates, [own[rate, fabric].cost for rate in rates], color=COSTS, linewidth=1.5)


def _legend(figure, models, ranges):
    settings = {setting for found in models.values() for setting in mixnet.settings_of(found)}
    shown = [*models, *(model for _, _, model in ranges if model)]
    handles = []
    for model in dict.fromkeys(shown):
        colour, marker = MODELS[model]
        look = {"marker": marker, "linestyle": "none"} if model in models else {"linewidth": 2.5}
        handles.append(Line2D([], [], color=colour, label=model, **look))
    handles += mixnet.setting_handles(settings)
    handles.append(mixnet.paper_handle("paper's iterations (and these costs)"))
    handles.append(Line2D([], [], label="paper's text, all models", **RANGE))
    handles.append(Line2D([], [], color="#444444", linewidth=2.5, label="paper's text, a model"))
    style.below(figure, handles)
