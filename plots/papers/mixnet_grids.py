# SPDX-License-Identifier: GPL-2.0-only
"""What the comparison of MixNet with other fabrics depends on: results of experiments/mixnet."""

import json
from dataclasses import dataclass

from matplotlib.lines import Line2D

from . import mixnet
from rails.plots import style
from rails.errors import ResultError
from rails.reader.units import parse_number

MODELS = {"mixtral-8x22b": "Mixtral 8x22B", "mixtral-8x7b": "Mixtral 8x7B", "deepseek-v3": "DeepSeek-R1"}
RULES = {
    "fixed": ("NIC as dear at any rate", *mixnet.LOOKS["MN"]),
    "proportional": ("NIC as dear as its rate", *mixnet.VARIANT),
}
LOADS = {"no-aux": "no balancing loss", "aux-loss": "balancing loss", "uniform": "equal"}
POOLED = "RO, all NICs"  # rails on which a server uses all NICs for what a GPU sends
_RAIL, _MIXNET = mixnet.LOOKS["RO"][0], mixnet.LOOKS["MN"][0]
EXPERTS = {  # what MixNet is compared with: name, heading in a table, the fabric's colour, the policy's hatch
    "RO": ("rail-optimized, plain", "Rail, plain", _RAIL, ""),
    "RO micro-moe 1": ("rail-optimized, MicroMoE, 1 slot", "Rail, MicroMoE, 1 slot", _RAIL, "//"),
    "RO micro-moe 2": ("rail-optimized, MicroMoE, 2 slots", "2 slots", _RAIL, ".."),
    "MN micro-moe 1": ("MixNet, MicroMoE, 1 slot", "MixNet, MicroMoE, 1 slot", _MIXNET, "//"),
    "MN 10us": ("MixNet, moves in 10 us, plain", "In 10 us, plain", mixnet.FAST, ""),
    "MN 10us micro-moe 1": ("MixNet, moves in 10 us, MicroMoE, 1 slot", "MicroMoE, 1 slot", mixnet.FAST, "//"),
}
CIRCUITS = {"exact": "most bytes, moving", "static": "drawn once, staying"}
_SHORT = {"operations": "ops"}
FASTER_THAN_OVERSUBSCRIBED = 1.6  # up to that, on 8x22B: section 7 of the paper


@dataclass(frozen=True)
class Place:
    """A run of a grid."""

    model: str
    setting: str
    rate: int  # Gbit/s
    fabric: str


def find_model(point, workload="workload"):
    name = point.config[f"{workload}.model.type"]
    return MODELS.get(name, name)


def _below(found, *key):
    """What a grid has below the beginning of a key, by the rest of it."""
    own = {rest[len(key) :]: value for rest, value in found.items() if rest[: len(key)] == key}
    return {rest[0] if len(rest) == 1 else rest: value for rest, value in own.items()}


def _beside(found, base):
    """What can be compared with a base, the last part of its key."""
    return {key: value for key, value in found.items() if (*key[:-1], base) in found}


def by_model(points):
    """Points with the place of each."""
    for point, (model, setting) in with_settings(points):
        yield point, Place(model, setting, mixnet.find_rate(point), mixnet.find_fabric(point))


def with_settings(points, workload="workload"):
    """
    Points with the model and the setting of each, which is told by the longest time of its model.

    :param workload: where the keys of the training begin
    """
    slowest = {}
    for point in points:
        slowest.setdefault(find_model(point, workload), []).append(point)
    slowest = {model: mixnet.find_slowest(own, workload) for model, own in slowest.items()}
    for point in points:
        model = find_model(point, workload)
        yield point, (model, mixnet.find_setting(point, slowest[model], workload))


# Fig. 27


def alphas(points):
    """
    Seconds of an iteration and the part of bytes that takes circuits, by setting, rule and NICs of a
    server on circuits. Of two rates of the other NICs the lower is where a NIC is as dear at any.
    """
    found = {}
    for point, place in by_model(points):
        count = sum(
            len(group["nics"])
            for group in json.loads(point.config["topology.nic_groups"])
            if group["fabric"] == "ocs"
        )
        rate = parse_number(point.config["topology.fabrics.eps.nic_rate"])
        value = point.cct_s, (point.result.get("optical") or {}).get("circuit_share")
        found.setdefault((place.setting, count), {})[rate] = value
    result = {}
    for (setting, count), own in found.items():
        for rule, rate in (("fixed", min(own)), ("proportional", max(own))):
            result[setting, rule, count] = own[rate]
    return result


def describe_alphas(found):
    for setting in mixnet.LINES:
        for rule in RULES:
            own = _below(found, setting, rule)
            if not own:
                continue
            parts = []
            for count, (time, share) in sorted(own.items(), reverse=True):
                parts.append(f"{count} of 8 {time / own[max(own)][0]:.3f}")
                if share is not None:
                    parts[-1] += f" ({100 * share:.0f} % by circuits)"
            named = f"{setting}, {RULES[rule][0]}"
            yield f"Fig. 27, {named}: iteration over that with {max(own)} of 8: " + ", ".join(parts)


def draw_alphas(axis, found):
    for setting in _settings(key[0] for key in found):
        for rule, (_, colour, marker) in RULES.items():
            own = _below(found, setting, rule)
            values = [(count, time / own[max(own)][0]) for count, (time, _) in sorted(own.items())]
            axis.plot(*zip(*values), mixnet.LINES[setting], color=colour, marker=marker, markersize=4)
    axis.set_xticks([2, 3, 4, 5, 6])
    axis.set_xlabel("NICs of a server on circuits")
    axis.set_ylabel("iteration over that with 6")
    axis.set_title("Fig. 27, Mixtral 8x22B at 100G, equal cost\n(paper: falls as circuits rise; no values)")
    handles = [Line2D([], [], color=colour, marker=marker, label=label) for label, colour, marker in RULES.values()]
    axis.legend(handles=handles, loc="upper right")


# Circuits that stay


def statics(points):
    """
    Seconds of an iteration, the part of bytes that takes circuits (None where nothing is announced,
    as circuits stay) and seconds of stalls on the critical path, by model, setting, Gbit/s and circuits.
    """
    found = {}
    for point, place in by_model(points):
        kinds = {kind["name"]: kind["critical_s"] for kind in point.result["graph"]["kinds"]}
        optical = point.result["optical"]
        share = optical["circuit_share"] if optical["reconfigurations"] else None
        value = point.cct_s, share, kinds.get("reconfiguration", 0)
        found[place.model, place.setting, place.rate, point.config["optical.circuits.type"]] = value
    return found


def by_spread(points):
    """Points by the spread of their sources, the default first."""
    found = {}
    for point in points:
        found.setdefault(float(point.config["workload.load.spread"]), []).append(point)
    return {spread: found[spread] for spread in sorted(found, reverse=True)}


def describe_statics(found, spread):
    for key in cases_of(found):
        own = _below(found, *key)
        parts = [
            f"{name} {time / own['greedy'][0]:.3f} ({share_text(share)} by circuits, stalls {stall:.2f} s)"
            for name, (time, share, stall) in own.items()
        ]
        model, setting, rate = key
        yield f"circuits, spread {spread:g}, {model}, {setting}, {rate}G: iteration over that with greedy: " + ", ".join(parts)


def share_text(share):
    return "unknown" if share is None else f"{100 * share:.1f} %"


def draw_statics(axis, found):
    cases = cases_of(found)
    for name, label in CIRCUITS.items():
        values = [found[(*key, name)][0] / found[(*key, "greedy")][0] for key in cases]
        colour, marker = mixnet.CIRCUITS[name]
        axis.plot(values, color=colour, marker=marker, markersize=6, linestyle="none", label=label)
    axis.axhline(1, color=mixnet.CIRCUITS["greedy"][0], linewidth=1.3, label="Algorithm 1 (greedy), moving")
    axis.set_xticks(range(len(cases)), [_case_text(*key) for key in cases], fontsize=7.5)
    axis.set_ylabel("iteration over that with greedy")
    axis.set_title("MixNet with circuits that stay\n(no published value)")
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.24), fontsize=7.5, ncol=2, handlelength=1.8)


def cases_of(found):
    """Model, compute time and Gbit/s of all comparisons, in order."""
    order = {name: number for number, name in enumerate((*mixnet.MODELS, *mixnet.LINES))}
    return sorted({key[:3] for key in found}, key=lambda key: (order[key[0]], order[key[1]], key[2]))


def _case_text(model, setting, rate):
    return f"{rate}G\n{model.removeprefix('Mixtral ')}\n{_SHORT.get(setting, setting)}"


# Fig. 26


def servers(points):
    """Seconds of an iteration by setting, servers and fabric."""
    return {
        (place.setting, int(point.config["topology.domains"]), place.fabric): point.cct_s
        for point, place in by_model(points)
    }


def describe_servers(found, cost_ratio=None):
    """
    :param cost_ratio: cost of a fat-tree over MixNet's; None where it is not known
    """
    for setting in _settings(key[0] for key in found):
        parts = []
        for count in sorted({count for count, _ in _below(found, setting)}):
            own = _below(found, setting, count)
            if "FT" not in own or "MN" not in own:
                continue
            text = f"{count:,} servers {own['FT']:.3f} s, MN/FT {own['MN'] / own['FT']:.3f}"
            text += f", RO/FT {own['RO'] / own['FT']:.3f}" if "RO" in own else ""
            text += f", per dollar {own['FT'] / own['MN'] * cost_ratio:.2f}" if cost_ratio else ""
            parts.append(text)
        yield f"Fig. 26, {setting}: " + "; ".join(parts)


def draw_servers(axis, found):
    for setting in _settings(key[0] for key in found):
        for fabric, (colour, marker) in mixnet.LOOKS.items():
            own = _below(found, setting)
            values = sorted(
                (count, time / own[count, "FT"])
                for (count, other), time in own.items()
                if other == fabric and (count, "FT") in own
            )
            if values:
                axis.plot(*zip(*values), mixnet.LINES[setting], color=colour, marker=marker, markersize=4)
    counts = sorted({count for _, count, _ in found})
    axis.set_xscale("log", base=2)
    axis.set_xticks(counts, [f"{count:,}" for count in counts])
    axis.minorticks_off()
    axis.set_xlabel("servers")
    axis.set_ylabel("iteration over the fat-tree's")
    axis.set_title("Fig. 26, Mixtral 8x7B at 400G\n(paper: on a par; no values)")
    axis.legend(handles=mixnet.fabric_handles(), loc="center right", bbox_to_anchor=(1, 0.62))


# How long GPUs compute


def computes(points):
    """Seconds of an iteration by model, Gbit/s, multiple of the 100 ms setting and fabric."""
    times = {}
    for point in points:
        times.setdefault(find_model(point), set()).add(parse_number(point.config["workload.compute.expert_token"]))
    found = {}
    for point in points:
        own = sorted(times[find_model(point)])
        middle = own[len(own) // 2]
        factor = round(parse_number(point.config["workload.compute.expert_token"]) / middle, 2)
        found[find_model(point), mixnet.find_rate(point), factor, mixnet.find_fabric(point)] = point.cct_s
    return found


def _over_fat_tree(found, model, rate):
    """Iterations on MixNet over those on the fat-tree, by multiple of the compute time."""
    own = _below(found, model, rate)
    return sorted((factor, own[factor, "MN"] / time) for (factor, fabric), time in own.items() if fabric == "FT")


def describe_computes(found, papers):
    for model, rate in sorted({key[:2] for key in found}):
        parts = [f"x {factor:g} {ratio:.3f}" for factor, ratio in _over_fat_tree(found, model, rate)]
        told = papers[model][rate, "MN"] / papers[model][rate, "FT"]
        yield f"compute times, {model} at {rate}G: MN/FT {', '.join(parts)} (paper {told:.3f})"


def draw_computes(axis, found, papers):
    lines = {100: "-", 400: "--"}
    for model, rate in sorted({key[:2] for key in found}):
        colour, marker = mixnet.MODELS[model]
        look = {"color": colour, "marker": marker, "markersize": 4, "label": f"{model}, {rate}G"}
        axis.plot(*zip(*_over_fat_tree(found, model, rate)), lines.get(rate, ":"), **look)
        told = papers[model][rate, "MN"] / papers[model][rate, "FT"]
        axis.axhline(told, color=colour, linestyle=(0, (1, 3)) if rate != 100 else (0, (1, 1)), linewidth=1)
    axis.plot([], [], color="#444444", linestyle=(0, (1, 1)), linewidth=1, label="paper, 100G")
    axis.plot([], [], color="#444444", linestyle=(0, (1, 3)), linewidth=1, label="paper, 400G")
    axis.set_xscale("log", base=2)
    axis.set_xticks([0.5, 1, 2], ["50 ms", "100 ms", "200 ms"])
    axis.minorticks_off()
    axis.set_xlabel("experts of a layer (attention in proportion)")
    axis.set_ylabel("iteration, MixNet over fat-tree")
    axis.set_title("Fig. 12 over compute times")
    axis.set_ylim(top=1.13)
    axis.legend(loc="upper right", fontsize=7.5, ncol=2, handlelength=2.4)


# The oversubscribed fat-tree


def oversubscribed(points):
    """Seconds of an iteration by model, setting and Gbit/s."""
    for point in points:
        if parse_number(point.config.get("topology.edge_oversubscription", 1)) == 1:
            raise ResultError(point.folder, "its fat-tree is not oversubscribed")
    return {(place.model, place.setting, place.rate): point.cct_s for point, place in by_model(points)}


def over_mixnet(found, models):
    """Iterations on the oversubscribed tree over those on MixNet and on the 1:1 tree, of models that have them."""
    result = {}
    for (model, setting, rate), time in found.items():
        own = models.get(model, {})
        cells = [mixnet.Cell(setting, rate, fabric) for fabric in ("MN", "FT")]
        if all(cell in own for cell in cells):
            result[model, setting, rate] = tuple(time / own[cell] for cell in cells)
    return result


def describe_oversubscribed(ratios):
    for model, setting in sorted({key[:2] for key in ratios}):
        parts = [
            f"{rate}G {over_mn:.3f} ({over_ft:.3f} of the 1:1 tree)"
            for rate, (over_mn, over_ft) in sorted(_below(ratios, model, setting).items())
        ]
        told = f" (paper: up to {FASTER_THAN_OVERSUBSCRIBED:g})" if model == "Mixtral 8x22B" else ""
        yield f"3:1 fat-tree, {model}, {setting}: iteration over MixNet's{told}: " + ", ".join(parts)


def draw_oversubscribed(axis, ratios):
    for model, setting in sorted({key[:2] for key in ratios}):
        colour, marker = mixnet.MODELS[model]
        values = sorted((rate, value[0]) for rate, value in _below(ratios, model, setting).items())
        axis.plot(*zip(*values), mixnet.LINES[setting], color=colour, marker=marker, markersize=4)
    look = {"color": mixnet.MODELS["Mixtral 8x22B"][0], "linestyle": (0, (5, 3)), "linewidth": 0.9}
    axis.axhline(FASTER_THAN_OVERSUBSCRIBED, **look)
    axis.axhline(1, color="#777777", linestyle=":", linewidth=1)
    mixnet.rate_axis(axis)
    axis.set_ylabel("iteration, 3:1 fat-tree over MixNet")
    axis.set_title("3:1 fat-tree\n(paper: up to 1.6 on 8x22B, dashed line)")
    axis.legend(handles=mixnet.model_handles(), loc="upper right")


# The fixed matrix


def draw_fixed(axis, model, drifting, fixed, paper):
    """MN/FT with loads that drift, with the public matrix, and the paper's."""
    looks = {"loads that drift": mixnet.LOOKS["MN"], "public matrix": mixnet.VARIANT}
    for found, (colour, marker) in zip((drifting, fixed), looks.values()):
        for setting in mixnet.settings_of(fixed):
            own = {(cell.rate, cell.fabric): time for cell, time in found.items() if cell.setting == setting}
            times = {rate: time for (rate, fabric), time in own.items() if fabric == "MN"}
            values = sorted((rate, time / own[rate, "FT"]) for rate, time in times.items())
            if values:
                axis.plot(*zip(*values), mixnet.LINES[setting], color=colour, marker=marker, markersize=4)
    told = [(rate, value / paper[rate, "FT"]) for (rate, fabric), value in paper.items() if fabric == "MN"]
    mixnet.plot_paper(axis, told, "#444444", "o")
    mixnet.rate_axis(axis)
    axis.set_ylabel("iteration, MixNet over fat-tree")
    axis.set_title(f"Fig. 12, {model}:\nthe public matrix, and loads that drift")
    handles = [Line2D([], [], color=colour, marker=marker, label=name) for name, (colour, marker) in looks.items()]
    axis.legend(handles=[*handles, mixnet.paper_handle()], loc="best")


# Qwen-MoE on even loads


def loads(points):
    """Seconds of an iteration and the largest load of a GPU over the mean, by load, Gbit/s and fabric."""
    found = {}
    for point, place in by_model(points):
        fabric = POOLED if point.scheme == "rails" else place.fabric
        value = point.cct_s, point.result["expert_max_over_mean"]
        found[point.config["workload.load.preset"], place.rate, fabric] = value
    return _beside(found, "FT")


def describe_loads(found, paper):
    for load, rate in dict.fromkeys(key[:2] for key in found):
        own = _below(found, load, rate)
        tree, busiest = own["FT"]
        parts = [f"{name} {own[name][0] / tree:.3f}" for name in ("MN", "RO", POOLED) if name in own]
        told = paper[rate, "MN"] / paper[rate, "FT"]
        yield (
            f"Qwen-MoE, EP 16, {LOADS[load]}, {rate}G, busiest GPU {busiest:.2f} of the mean: over the fat-tree "
            f"{', '.join(parts)} (paper's MN {told:.3f})"
        )


# Balanced experts


def experts(points):
    """Seconds of an iteration by setting, load, Gbit/s and what is compared."""
    found = {}
    for point, place in by_model(points):
        name = place.fabric
        delay = point.config.get("optical.reconfiguration_delay")
        if place.fabric == "MN" and delay is not None and parse_number(delay) < 1e-3:
            name += " 10us"
        if point.config["workload.experts.type"] != "plain-ep":
            name += f" {point.config['workload.experts.type']} {point.config['workload.experts.slots']}"
        key = place.setting, point.config["workload.load.preset"], place.rate, name
        if found.setdefault(key, point.cct_s) != point.cct_s:
            raise ResultError(point.folder, f"takes {point.cct_s} s, and another run of the same {found[key]} s")
    return _beside(found, "MN")


def describe_experts(model, found):
    for setting, load, rate in rows_of(found):
        own = _below(found, setting, load, rate)
        parts = [f"{name} {own[key] / own['MN']:.3f}" for key, (name, *_) in EXPERTS.items() if key in own]
        named = f"{model}, {setting}, {LOADS[load]}, {rate}G"
        yield f"{named}: iteration over MixNet's ({own['MN']:.3f} s): " + ", ".join(parts)


def draw_experts(models):
    """A panel for each model, one below the other."""
    figure, axes = style.new_figure(9.5, 0.4 + 3.1 * len(models), len(models), 1)
    width = 0.84 / len(EXPERTS)
    loads = {"no-aux": "no aux", "aux-loss": "aux"}
    for axis, (model, found) in zip(axes.flat, models.items()):
        rows = rows_of(found)
        for place, (name, (label, _, colour, hatch)) in enumerate(EXPERTS.items()):
            values = [found.get((*row, name), float("nan")) / found[(*row, "MN")] for row in rows]
            places = [number + width * (place - (len(EXPERTS) - 1) / 2) for number in range(len(rows))]
            axis.bar(places, values, 0.93 * width, color=colour, hatch=hatch, edgecolor="white", label=label)
        axis.axhline(1, color=_MIXNET, linewidth=1.3, label="MixNet, moves in 25 ms, plain")
        texts = [f"{rate}G, {loads[load]}\n{_SHORT.get(setting, setting)}" for setting, load, rate in rows]
        axis.set_xticks(range(len(rows)), texts)
        axis.set_ylabel("iteration over MixNet's")
        axis.set_title(f"{model}: balanced experts on rails and over circuits (no published value)")
    style.below(figure, axes.flat[0].get_legend_handles_labels()[0])
    return figure


def rows_of(found):
    """Compute time, load and Gbit/s of all comparisons, in order."""
    order = {name: number for number, name in enumerate((*mixnet.LINES, *LOADS))}
    return sorted({key[:3] for key in found}, key=lambda key: (order[key[0]], order[key[1]], key[2]))


def _settings(names):
    names = set(names)
    return [setting for setting in mixnet.LINES if setting in names]


def draw(panels, columns=3, handles=None):
    """
    A figure of panels.

    :param panels: functions that draw on an axis
    :param handles: of the legend of all; of the compute times by default
    """
    columns = min(len(panels), columns)
    rows = -(-len(panels) // columns)
    figure, axes = style.new_figure(max(4.6 * columns, 11.2), 3.9 * rows, rows, columns)
    for axis, panel in zip(axes.flat, panels):
        panel(axis)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    style.below(figure, handles or mixnet.setting_handles(("100 ms", "operations")))
    return figure
