# SPDX-License-Identifier: GPL-2.0-only
"""
What MixNet could do otherwise, and what goes wrong: TopoOpt's circuits, pooled NICs, options of
circuits, failures. Results of experiments/mixnet.
"""

import json

from . import mixnet, mixnet_grids, mixnet_pairs

LOOKS = mixnet.MODELS
FAILURES = {
    "one EPS NIC": "one NIC of\nthe packet\nfabric",
    "both EPS NICs": "both NICs of\nthe packet\nfabric",
    "one OCS NIC": "one NIC of\nthe optical\nswitch",
    "one GPU": "one GPU",
    "one server": "one server",
}
# Fig. 14, as far as the text has values: over the iteration without failures.
PAPER_FAILURES = {("Mixtral 8x22B", "one GPU"): 1.051, ("DeepSeek-R1", "one server"): 1.065}
PAPER_NICS = 1.033  # of DeepSeek-R1; how many NICs the paper does not say
OPTIONS = {
    "changes": "only changes dark",
    "previous": "previous circuits",
    "previous, changes": "previous, only changes dark",
    "copilot": "Copilot",
    "copilot, changes": "Copilot, only changes dark",
    "exact": "most bytes",
    "static": "static, one a pair",
    "10 us": "moves in 10 us",
    "rails": "RailS on the packet fabric",
}
_OPTION_LOOKS = {
    "changes": ("#77AADD", "h"),
    "previous": ("#CC6677", "p"),
    "previous, changes": ("#661100", "H"),
    "copilot": ("#999933", (6, 1, 0)),
    "copilot, changes": ("#AA4499", "*"),
    "10 us": (mixnet.FAST, (5, 1, 0)),
    "rails": ("#7F7F7F", (3, 1, 0)),
    **mixnet.CIRCUITS,
}
_SETTING_HATCHES = {"100 ms": "", "61 ms": "..", "operations": "//", mixnet.EIGHTFOLD: "xx"}


def _ordered(keys):
    order = {name: number for number, name in enumerate((*mixnet_grids.MODELS.values(), *mixnet.LINES))}
    return sorted(set(keys), key=lambda key: tuple(order.get(part, part) for part in key))


def _finish_rates(axis, found, papers, fabric):
    """The paper's values of a fabric over the fat-tree, of all models, and the axes."""
    for model in dict.fromkeys(key[0] for key in found):
        paper = papers[model]
        told = [(rate, paper[rate, fabric] / paper[rate, "FT"]) for rate in mixnet.RATES[0]]
        mixnet.plot_paper(axis, told, *LOOKS[model])
    mixnet.rate_axis(axis)
    axis.set_ylabel("iteration over the fat-tree's")


# TopoOpt


def topoopt(points):
    """Seconds of an iteration by model, setting, Gbit/s and how NICs are shared out."""
    found = {}
    for point, (model, setting) in mixnet_grids.with_settings(points):
        strides = json.loads(point.config["topology.strides"])
        spans = json.loads(point.config.get("topology.spans") or "[]")
        split = f"{point.config['topology.region_nics']} + {strides}" + (f" in {spans}" if spans else "")
        found.setdefault((model, setting, mixnet.find_rate(point)), {})[split] = point.cct_s
    return found


def best_over(found, models, fabric):
    """The best split's iteration over that on another fabric, where both were run."""
    ratios = {}
    for (model, setting, rate), own in found.items():
        other = models.get(model, {}).get(mixnet.Cell(setting, rate, fabric))
        if other:
            ratios[model, setting, rate] = min(own.values()) / other
    return ratios


def describe_topoopt(found, models, papers):
    trees = best_over(found, models, "FT")
    mixes = best_over(found, models, "MN")
    for model, setting in _ordered(key[:2] for key in found):
        parts = []
        for rate in mixnet.RATES[0]:
            own = found.get((model, setting, rate))
            if not own:
                continue
            text = f"{rate}G {min(own, key=own.get)}"
            if (model, setting, rate) in trees:
                paper = papers[model]
                told = paper[rate, "TO"] / paper[rate, "FT"]
                text += f" TO/FT {trees[model, setting, rate]:.3f} (paper {told:.2f})"
                text += f", TO/MN {mixes[model, setting, rate]:.3f} ({paper[rate, 'TO'] / paper[rate, 'MN']:.2f})"
            text += f", worst split {max(own.values()) / min(own.values()):.2f} of it"
            parts.append(text)
        yield f"TopoOpt, {model}, {setting}: " + "; ".join(parts)


def table_topoopt(found, models, papers):
    trees, mixes = best_over(found, models, "FT"), best_over(found, models, "MN")
    rates = mixnet.RATES[0]
    rows = [["Model", "Experts of a layer"]]
    for name in ("TO/FT", "TO/MN"):
        rows[0] += mixnet.rate_heads(name)
    rows[0] += ["Worst split over best"]
    for model in dict.fromkeys(key[0] for key in _ordered(key[:2] for key in found)):
        paper = papers[model]
        told = [f"{paper[rate, 'TO'] / paper[rate, name]:.2f}" for name in ("FT", "MN") for rate in rates]
        rows.append([model, "paper", *told, ""])
        for setting in dict.fromkeys(key[1] for key in _ordered(key[:2] for key in found if key[0] == model)):
            own = [
                f"{ratios[model, setting, rate]:.2f}" if (model, setting, rate) in ratios else ""
                for ratios in (trees, mixes)
                for rate in rates
            ]
            splits = [split.values() for key, split in found.items() if key[:2] == (model, setting)]
            spread = [max(times) / min(times) for times in splits]
            rows.append([model, setting, *own, f"{min(spread):.2f} to {max(spread):.2f}"])
    return rows


def draw_topoopt(axis, found, models, papers):
    ratios = best_over(found, models, "FT")
    for model, setting in _ordered(key[:2] for key in ratios):
        colour, marker = LOOKS[model]
        values = sorted((key[2], value) for key, value in ratios.items() if key[:2] == (model, setting))
        axis.plot(*zip(*values), mixnet.LINES[setting], color=colour, marker=marker, markersize=4, linewidth=1.1)
    _finish_rates(axis, ratios, papers, "TO")
    axis.set_title("Fig. 12, TopoOpt (best of its splits)")


# Pooled NICs


def pooled(points):
    """Seconds of an iteration by model, setting, Gbit/s and whether NICs are pooled."""
    found = {}
    for point, (model, setting) in mixnet_grids.with_settings(points):
        is_pooled = str(point.config["topology.intra.pools_nics"]).lower() == "true"
        found[model, setting, mixnet.find_rate(point), is_pooled] = point.cct_s
    return found


def _pairs(found):
    for key in _ordered(key[:3] for key in found):
        if (*key, True) in found and (*key, False) in found:
            yield key, found[(*key, False)], found[(*key, True)]


def describe_pooled(found, models):
    for (model, setting, rate), apart, together in _pairs(found):
        tree = models.get(model, {}).get(mixnet.Cell(setting, rate, "FT"))
        over = f"; MN/FT {apart / tree:.3f}, pooled {together / tree:.3f}" if tree else ""
        text = f"iteration over that with a NIC each {together / apart:.3f}{over}"
        yield f"pooled NICs, {model}, {setting}, {rate}G: {text}"


def table_pooled(found, models, papers):
    rates = mixnet.RATES[0]
    rows = [["Model", "Experts of a layer", "NICs", *mixnet.rate_heads("MN/FT")]]
    for model, setting in _ordered(key[:2] for key in found):
        trees = {rate: models.get(model, {}).get(mixnet.Cell(setting, rate, "FT")) for rate in rates}
        for name, is_pooled in (("each its circuit", False), ("pooled", True)):
            own = [
                f"{found[model, setting, rate, is_pooled] / trees[rate]:.3f}"
                if trees[rate] and (model, setting, rate, is_pooled) in found
                else ""
                for rate in rates
            ]
            rows.append([model, setting, name, *own])
    for model in dict.fromkeys(key[0] for key in _ordered(key[:2] for key in found)):
        paper = papers[model]
        rows.append([model, "paper", "", *(f"{paper[rate, 'MN'] / paper[rate, 'FT']:.3f}" for rate in rates)])
    return rows


def draw_pooled(axis, found, models, papers):
    for model, setting in _ordered(key[:2] for key in found):
        colour, marker = LOOKS[model]
        for is_pooled, fill in ((False, "full"), (True, "none")):
            values = []
            for rate in mixnet.RATES[0]:
                tree = models.get(model, {}).get(mixnet.Cell(setting, rate, "FT"))
                if tree and (model, setting, rate, is_pooled) in found:
                    values.append((rate, found[model, setting, rate, is_pooled] / tree))
            if values:
                look = {"color": colour, "marker": "s" if is_pooled else marker, "markersize": 5, "fillstyle": fill}
                axis.plot(*zip(*values), mixnet.LINES[setting], linewidth=1.1, **look)
    _finish_rates(axis, found, papers, "MN")
    axis.set_title("MixNet: small hollow squares, NICs pooled")


# Options


def _option(point):
    get = point.config.get
    if get("balance.other.type") == "rails":
        return "rails"
    if get("optical.device") == "rotornet":
        return "10 us"
    if get("optical.circuits.type") != "greedy":
        return get("optical.circuits.type")
    parts = [get("optical.prediction.type", "none"), get("optical.dark", "region")]
    return ", ".join(part for part in parts if part not in ("none", "region"))


def options(points):
    """Seconds of an iteration by model, setting, Gbit/s and what is otherwise; '' for nothing."""
    return {
        (model, setting, mixnet.find_rate(point), _option(point)): point.cct_s
        for point, (model, setting) in mixnet_grids.with_settings(points)
    }


def _over_usual(found):
    for key in _ordered(key[:3] for key in found):
        usual = found.get((*key, ""))
        if usual:
            yield key, {name: found[(*key, name)] / usual for name in OPTIONS if (*key, name) in found}


def describe_options(found):
    for (model, setting, rate), own in _over_usual(found):
        parts = ", ".join(f"{OPTIONS[name]} {value:.3f}" for name, value in own.items())
        yield f"options, {model}, {setting}, {rate}G: iteration over that as published: {parts}"


def table_options(found):
    rows = [["Model", "Experts of a layer", "Rate", *(text for text in OPTIONS.values())]]
    for (model, setting, rate), own in _over_usual(found):
        rows.append([model, setting, f"{rate}G", *(f"{own[name]:.3f}" if name in own else "" for name in OPTIONS)])
    return rows


def draw_options(axis, found):
    cases = list(_over_usual(found))
    for name, text in OPTIONS.items():
        values = [(number, own[name]) for number, (_, own) in enumerate(cases) if name in own]
        colour, marker = _OPTION_LOOKS[name]
        look = {"color": colour, "marker": marker, "markersize": 6, "linestyle": "none", "alpha": 0.85}
        if values:
            axis.plot(*zip(*values), label=text, **look)
    axis.axhline(1, color="#777777", linewidth=0.8)
    short = {"operations": "ops"}
    names = [f"{rate}G\n{model[8:]}\n{short.get(setting, setting)}" for (model, setting, rate), _ in cases]
    axis.set_xticks(range(len(names)), names, fontsize=7)
    axis.set_ylabel("iteration over that as published")
    axis.set_title("MixNet otherwise (no published value)")
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.24), ncol=3, fontsize=7)


# Failures


def _failure(point, job):
    if json.loads(point.config.get(f"{job}.failed_gpus") or "[]"):
        return "one GPU"
    if json.loads(point.config.get(f"{job}.failed_servers") or "[]"):
        return "one server"
    nics = [entry["nic"] for entry in json.loads(point.config.get("failures.schedule") or "[]")]
    if not nics:
        return ""
    return "one OCS NIC" if nics[0].endswith("nic2") else ("one EPS NIC", "both EPS NICs")[len(nics) - 1]


def _place(point, job):
    """Whether what fails is in the first region, whose layers of DeepSeek-R1 are dense."""
    keys = ("failures.schedule", f"{job}.failed_gpus", f"{job}.failed_servers")
    text = "".join(str(point.config.get(key)) for key in keys)
    return "33" in text or "269" in text


def failures(points):
    """Iterations over those without a failure, by model, setting and what failed."""
    found = {}
    job = "workload.jobs.training"
    for point, key in mixnet_grids.with_settings(points, f"{job}.workload"):
        name = _failure(point, job)
        if key[0] != "DeepSeek-R1" or not name or _place(point, job):
            found.setdefault(key, {})[name] = point.cct_s
    return {
        (*key, name): own[name] / own[""]
        for key, own in found.items()
        if "" in own
        for name in FAILURES
        if name in own
    }


def describe_failures(found):
    for model, setting in _ordered(key[:2] for key in found):
        parts = []
        for name in FAILURES:
            if (model, setting, name) in found:
                told = PAPER_FAILURES.get((model, name))
                paper = f" (paper {100 * (told - 1):+.1f} %)" if told else ""
                parts.append(f"{name} {100 * (found[model, setting, name] - 1):+.2f} %{paper}")
        yield f"Fig. 14, {model}, {setting}: " + ", ".join(parts)


def table_failures(found):
    rows = [["Model", "Experts of a layer", *FAILURES]]
    models = list(dict.fromkeys(key[0] for key in _ordered(key[:2] for key in found)))
    for model in models:
        told = [PAPER_FAILURES.get((model, name)) for name in FAILURES]
        cells = [f"{100 * (value - 1):+.1f} %" if value else "" for value in told]
        if model == "DeepSeek-R1":
            cells[0] = cells[1] = f"{100 * (PAPER_NICS - 1):+.1f} % (NICs)"
        rows.append([model, "paper", *cells])
        for setting in dict.fromkeys(key[1] for key in _ordered(key[:2] for key in found if key[0] == model)):
            own = [found.get((model, setting, name)) for name in FAILURES]
            rows.append([model, setting, *(f"{100 * (value - 1):+.2f} %" if value else "" for value in own)])
    return rows


def failed_gpus(points):
    """Iterations with a failed GPU over those without, by server of the GPU, load and setting."""
    found = {}
    job = "workload.jobs.training"
    for point, (_, setting) in mixnet_grids.with_settings(points, f"{job}.workload"):
        failed = json.loads(point.config.get(f"{job}.failed_gpus") or "[]")
        server = failed[0] // int(point.config["topology.gpus_per_domain"]) if failed else None
        found[server, point.config[f"{job}.workload.load.preset"], setting] = point.cct_s
    return {key: time / found[None, *key[1:]] for key, time in found.items() if key[0] is not None}


def describe_failed_gpus(found):
    for load, setting in dict.fromkeys(key[1:] for key in found):
        own = {server: ratio for (server, *case), ratio in found.items() if case == [load, setting]}
        parts = [f"{server}: {100 * (own[server] - 1):+.2f} %" for server in sorted(own)]
        yield f"one failed GPU, {mixnet_pairs.LOADS[load]}, {setting}, by its server: " + ", ".join(parts)


def table_failed_gpus(found):
    cases = list(dict.fromkeys(key[1:] for key in found))
    rows = [["Server of the GPU", *(f"{mixnet_pairs.LOADS[load]}, {setting}" for load, setting in cases)]]
    for server in sorted({key[0] for key in found}):
        own = [found.get((server, *case)) for case in cases]
        rows.append([str(server), *(f"{100 * (ratio - 1):+.2f} %" if ratio else "" for ratio in own)])
    return rows


def draw_failures(axis, found):
    cases = _ordered(key[:2] for key in found)
    width = 0.8 / max(1, len(cases))
    for number, (model, setting) in enumerate(cases):
        values = [100 * (found.get((model, setting, name), 1) - 1) for name in FAILURES]
        at = [place + (number - (len(cases) - 1) / 2) * width for place in range(len(values))]
        look = {"color": LOOKS[model][0], "hatch": _SETTING_HATCHES[setting], "edgecolor": "white", "linewidth": 0.5}
        axis.bar(at, values, width, label=f"{model}, {setting}", **look)
        told = [
            (place, 100 * (PAPER_FAILURES[model, name] - 1))
            for place, name in zip(at, FAILURES)
            if (model, name) in PAPER_FAILURES
        ]
        mixnet.plot_paper(axis, told, "#000000", "o")
    nics = 100 * (PAPER_NICS - 1)
    axis.plot([-0.4, 2.4], [nics, nics], color="#000000", linestyle="--", linewidth=0.9, label="paper: NICs of R1")
    axis.plot([], [], "o", color="#000000", markerfacecolor="none", markersize=8, label="paper")
    axis.set_xticks(range(len(FAILURES)), FAILURES.values(), fontsize=7)
    axis.set_yscale("symlog", linthresh=0.1)  # a tenth of a percent and the paper's six are both seen
    axis.set_yticks([0, 0.1, 0.3, 1, 3], ["0", "0.1", "0.3", "1", "3"])
    axis.minorticks_off()
    axis.set_ylim(min(-0.05, 150 * (min(found.values()) - 1)), 9)
    axis.set_ylabel("longer iteration [%], logarithmic from 0.1")
    axis.set_title("Fig. 14: failures at 400G")
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncol=2, fontsize=7)


def draw(panels):
    """All panels, which are functions that draw on an axis."""
    handles = mixnet.model_handles() + mixnet.setting_handles(("100 ms", "61 ms", "operations"))
    return mixnet_grids.draw(panels, 2, [*handles, mixnet.paper_handle()])
