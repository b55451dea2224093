# SPDX-License-Identifier: GPL-2.0-only
"""MicroMoE as iterations: speed-ups over Megatron-LM, and what a formula makes of them."""

from dataclasses import dataclass
from functools import partial
from statistics import mean

import numpy as np

from .figure import critical_seconds
from rails.plots import style
from rails.errors import ResultError

# By whether the policy is adaptive, which only MicroMoE says.
SYSTEMS = {
    ("plain-ep", None): "Megatron-LM",
    ("micro-moe", False): "MicroMoE, no replacement",
    ("micro-moe", True): "MicroMoE",
    ("smart-moe", None): "SmartMoE",
    ("flex-moe", None): "FlexMoE",
    ("deepspeed-moe", None): "DeepSpeed",
}
BASE, FULL, STATIC, FLEX = "Megatron-LM", "MicroMoE", "MicroMoE, no replacement", "FlexMoE"
LOADS = {
    ("aux-loss", 5000): "balancing loss",
    ("aux-loss", 100): "the same, iteration 100",
    ("no-aux", 5000): "no balancing loss",
}
EVEN = 1.01  # largest load over the mean
EXCHANGES = ("dispatch", "combine", "combine-backward", "dispatch-backward")
_DRAWN = {"MicroMoE, no replacement": ("#8877bb", "/"), "DeepSpeed": ("#999999", "x")}
_POLICIES = {"MicroMoE": "micro-moe", "SmartMoE": "smart-moe", "FlexMoE": "flex-moe"}


@dataclass(frozen=True)
class Run:
    """What is needed of one iteration. Times are seconds on the critical path."""

    time: float
    experts: float
    even: float  # of experts, if every GPU had the mean
    exchanges: float
    planning: float
    largest: float  # load of a GPU over the mean, in the mean of all plans

    @property
    def on_path(self):
        """The largest load over the mean, of those that the critical path waits for."""
        return self.experts / self.even


def read_runs(points):
    """Runs by load, model and system; loads, models and systems in the order of the tables."""
    runs = {}
    for point in points:
        config = point.config
        load = (config.get("workload.load.preset"), config.get("workload.load.first_iteration"))
        policy = (config["workload.experts.type"], config.get("workload.experts.adaptive"))
        if load not in LOADS or policy not in SYSTEMS:
            raise ResultError(point.folder, "is no point of experiments/micro-moe")
        models = runs.setdefault(LOADS[load], {})
        models.setdefault(config["workload.model.type"], {})[SYSTEMS[policy]] = read_run(point)
    found = {load: runs[load] for load in LOADS.values() if load in runs}
    for load, models in found.items():
        for model, systems in models.items():
            if BASE not in systems or FULL not in systems:
                raise ResultError(points[0].folder.parent, f"{load}, {model}: no {BASE} or {FULL}")
    return found


def read_run(point):
    """
    One iteration. GPUs compute as many tokens in all, however uneven: the mean over GPUs of what
    experts take is m micro-batches' time of even loads, and m + p - 1 of these are on the critical
    path of a pipeline with p stages.
    """
    kinds = {kind["name"]: kind for kind in point.get("graph")["kinds"]}
    config = point.config
    stages = config["workload.parallel.pp"]
    gpus = config["topology.domains"] * config["topology.gpus_per_domain"]
    batch = config["workload.batch.micro"] * gpus // stages
    many = config["workload.microbatches"] or config["workload.batch.global"] // batch

    critical = partial(critical_seconds, point)
    return Run(
        time=point.get("iteration_s"),
        experts=critical("experts"),
        even=kinds["experts"]["busy_s"] * (many + stages - 1) / many,
        exchanges=critical(*EXCHANGES),
        planning=critical("expert-planning", "expert-counts"),
        largest=point.get("expert_max_over_mean"),
    )


def predict(base, other, ratios):
    """Speed-up if nothing but the time of experts changed. :param ratios: largest loads of both"""
    before, after = ratios
    return 1 / (1 - base.experts / base.time * (1 - after / before))


def errors(base, other):
    """By how much the formula is off, with the mean of largest loads and with those on the path."""
    gain = base.time / other.time
    by_mean = predict(base, other, (base.largest, other.largest))
    by_path = predict(base, other, (base.on_path, other.on_path))
    return by_mean / gain - 1, by_path / gain - 1


def needed_share(gain, ratio):
    """The share of time with experts that a gain needs, where loads become even."""
    return (1 - 1 / gain) / (1 - 1 / ratio)


def speed(runs, paper):
    """Fig. 7: bars over Megatron-LM, a panel for each load."""
    drawing, grid = style.new_figure(10.5, 2.5 * len(runs), len(runs), 1)
    for axes, (load, models) in zip(grid[:, 0], runs.items()):
        systems = [name for name in SYSTEMS.values() if any(name in own for own in models.values())]
        width = 0.8 / len(systems)
        for at, system in enumerate(systems):
            places = np.arange(len(models)) + (at - (len(systems) - 1) / 2) * width
            gains = [own[BASE].time / own[system].time for own in models.values()]
            axes.bar(places, gains, width, label=system, **_look(system))
        axes.axhline(paper["full", "mean"].value, **style.BOUND)
        axes.axhline(paper["full", "best"].value, **style.EVENT)
        axes.set_xticks(range(len(models)), list(models))
        axes.set(title=load, ylabel="speed-up")
        axes.grid(False, axis="x")
    style.legend(grid[0, 0])
    drawing.suptitle("over Megatron-LM; lines: the paper's mean and best of MicroMoE", fontsize=8.5)
    return drawing


def _look(system):
    if system in _POLICIES:
        return style.bar(_POLICIES[system])
    colour, hatch = _DRAWN.get(system, ("#000000", ""))
    return {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.5}


def describe_speed(runs, paper):
    """Lines: speed-ups of all systems, means and bests beside the paper's, shares needed."""
    lines = []
    for load, models in runs.items():
        for model, own in models.items():
            base = own[BASE]
            gains = [
                f"{name} {base.time / own[name].time:.3f}"
                for name in SYSTEMS.values()
                if name in own and name != BASE
            ]
            lines.append(f"{load}, {model}: {', '.join(gains)}")
        gains = [own[BASE].time / own[FULL].time for own in models.values()]
        shares = [own[BASE].experts / own[BASE].time for own in models.values()]
        for name, gain in (("mean", mean(gains)), ("best", max(gains))):
            lines.append(f"{load}: {name} {gain:.3f}, paper {paper['full', name].value:g}")
        others = [own[FLEX].time / own[FULL].time for own in models.values() if FLEX in own]
        if others:
            value = paper["full", "over-flex-moe"].value
            lines.append(f"{load}: {mean(others):.3f} over {FLEX} in the mean, paper {value:g}")
        gain = paper["full", "mean"].value
        wanted = [needed_share(gain, own[BASE].largest) for own in models.values()]
        lines.append(
            f"{load}: experts have {min(shares):.2f} to {max(shares):.2f} of the time; the paper's "
            f"mean needs {min(wanted):.2f} to {max(wanted):.2f} at these loads"
        )
    return lines


def describe_formula(runs):
    """Lines: what is off between simulated gains and f (1 - 1/r), and what that is."""
    lines, off = [], {}
    for load, models in runs.items():
        for model, own in models.items():
            for name in (FULL, STATIC):
                if name in own:
                    lines.append(f"{load}, {model}, {name}: " + _formula(own[BASE], own[name]))
                    left = "even" if own[name].largest <= EVEN else "uneven"
                    off.setdefault(left, []).append(errors(own[BASE], own[name]))
    for left, found in sorted(off.items()):
        most = np.abs(found).max(axis=0)
        lines.append(
            f"{len(found)} gains that leave loads {left}: off by {most[0]:.1%} at most with the mean, "
            f"by {most[1]:.1%} on the path"
        )
    return lines


def _formula(base, other):
    by_mean, by_path = errors(base, other)
    exchanges = other.exchanges - base.exchanges
    rest = (other.time - other.experts) - (base.time - base.experts) - other.planning - exchanges
    return (
        f"f {base.experts / base.time:.3f}, r {base.largest:.3f} to {other.largest:.3f} "
        f"(on the path {base.on_path:.3f} to {other.on_path:.3f}), gain {base.time / other.time:.3f}, "
        f"formula {by_mean:+.1%}, on the path {by_path:+.1%}; planning {other.planning * 1e3:+.0f} ms, "
        f"exchanges {exchanges * 1e3:+.0f} ms, rest {rest * 1e3:+.0f} ms of {other.time * 1e3:.0f}"
    )


def describe_dispatch(points, paper):
    """Figs. 9, 11 and 13: lines with the mean over seeds of one layer's dispatch."""
    cases = {}
    for point in points:
        kinds = {kind["name"]: kind["critical_s"] for kind in point.get("graph")["kinds"]}
        case = (point.config["topology.nvlink_rate"], point.text("workload.experts"))
        planned = kinds.get("expert-planning", 0) + kinds.get("expert-counts", 0)
        cases.setdefault(case, []).append(
            (kinds["dispatch"] * 1e3, planned * 1e3, point.get("expert_max_over_mean"))
        )
    lines = []
    plain, extra = paper["plain", 1.0].value, paper["extra", 1.0].value
    order = sorted(cases, key=lambda case: (case[0], case[1] != "plain-ep", case[1]))
    for rate, system in order:
        found = cases[rate, system]
        sent, planned, largest = (mean(column) for column in zip(*found))
        base = mean(row[0] for row in cases[rate, "plain-ep"])
        lines.append(
            f"{rate}, {system}: tokens {sent:.2f} ms, counts and planning {planned:.2f} ms, "
            f"{sent + planned - base:+.2f} ms; largest load {largest:.2f}"
        )
    lines.append(f"paper: {plain:g} ms, MicroMoE +{extra:g} ms, scheduling about 0.1 ms of it")
    return lines
