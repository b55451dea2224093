# SPDX-License-Identifier: GPL-2.0-only
"""Figures of MicroMoE beside what its paper says: values of its text, and claims in words as bounds."""

from statistics import mean

from rails.reader.result_files import read_table

from . import micro_moe_iteration as iteration
from .comparison import Sample
from .figure import Figure
from .published import read_published

_SCHEMES = {
    "full": "MicroMoE",
    "static": "MicroMoE, no replacement",
    "random": "random, no replacement",
    "plain": "Megatron-LM",
    "smart-moe": "SmartMoE",
    "flex-moe": "FlexMoE",
    "deepspeed": "DeepSpeed",
    "extra": "MicroMoE, beyond Megatron-LM",
}
_OVERALL = ("mean", "best", "over FlexMoE", "least")
_EIGHT, _MORE = "8 experts", "16 and 32 experts"
_SMALL = ("gpt-8x6.7b", "mixtral-8x7b")  # models with eight experts
_LAYER = "one layer, s = 1"
_BALANCE = "Zipf loads"
_HERE = "this machine"
DRAWS = 10  # of which expert is how popular, for each exponent
EXPONENTS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


def _published(name, cases):
    """The values of a figure, which hold for each of some cases."""

    def read(experiments):
        found = {}
        for (figure, scheme, x), value in read_published(experiments / "paper.csv").items():
            if figure == name:
                word = {"over-flex-moe": "over FlexMoE"}.get(x, x)
                found.update({(case, _SCHEMES[scheme], word): value for case in cases})
        return found

    return read


def _speed(points):
    """Fig. 7: means, the best and the least over the models, of each load that the paper may have had."""
    for load, models in iteration.read_runs(points["micro-moe-iteration"]).items():
        gains = {
            system: {model: own[iteration.BASE].time / own[system].time for model, own in models.items() if system in own}
            for system in iteration.SYSTEMS.values()
        }
        full = gains[iteration.FULL].values()
        over = [own[iteration.FLEX].time / own[iteration.FULL].time for own in models.values() if iteration.FLEX in own]
        few, many = ([gain for model, gain in gains["DeepSpeed"].items() if (model in _SMALL) == it] for it in (True, False))
        for scheme, x, of_models, values in (
            ("MicroMoE", "mean", mean, full),
            ("MicroMoE", "best", max, full),
            ("MicroMoE", "over FlexMoE", mean, over),
            ("SmartMoE", "least", min, gains["SmartMoE"].values()),
            ("DeepSpeed", _EIGHT, mean, few),
            ("DeepSpeed", _MORE, mean, many),
        ):
            if values:
                yield Sample(load, scheme, x, 0, of_models(values))


def scheme_of(config, at):
    """What a policy is called in the paper."""
    kind = config[f"{at}.type"]
    if kind != "micro-moe":
        return {"plain-ep": "Megatron-LM", "smart-moe": "SmartMoE", "flex-moe": "FlexMoE"}.get(kind, kind)
    if config[f"{at}.adaptive"]:
        return _SCHEMES["full"]
    return _SCHEMES["random" if config[f"{at}.placement"] == "random" else "static"]


def _balance(points):
    """Fig. 8: largest load over the mean; the layers of the loads are the draws of each exponent."""
    for point in points["micro-moe-balance"]:
        table = read_table(point.folder / "plans.csv", {"layer": float, "max_over_mean": float})
        for layer, value in zip(table["layer"], table["max_over_mean"]):
            exponent, draw = divmod(int(layer), DRAWS)
            yield Sample(_BALANCE, scheme_of(point.config, "experts.policy"), EXPONENTS[exponent], draw, value)


def _dispatch(points):
    """Fig. 9: what a dispatch takes, and what it takes longer with MicroMoE, at the rate that the paper's time is of."""
    times = {}
    for point in points["micro-moe-dispatch"]:
        config = point.config
        usual = config.get("workload.experts.solver", "flow") == "flow" and not config.get("workload.experts.planning_time")
        if config["topology.nvlink_rate"] == "1240Gbps" and usual:
            kinds = {kind["name"]: kind["critical_s"] for kind in point.get("graph")["kinds"]}
            spent = sum(kinds.get(name, 0) for name in ("dispatch", "expert-planning", "expert-counts"))
            times.setdefault(scheme_of(config, "workload.experts"), {})[point.seed] = 1e3 * spent
    for seed, plain in times.get("Megatron-LM", {}).items():
        yield Sample(_LAYER, "Megatron-LM", "", seed, plain)
        if seed in times.get("MicroMoE", {}):
            yield Sample(_LAYER, _SCHEMES["extra"], "", seed, times["MicroMoE"][seed] - plain)


def _balance_published(experiments):
    found = _published("figure-08", (_BALANCE,))(experiments)
    return {place: value for place, value in found.items() if isinstance(place[2], float)}  # the knee is no value


def _scheduling(points):
    """Fig. 11: how long plans took, of the sizes together and of the largest."""
    took = {}
    for point in points["micro-moe-scheduling"]:
        if point.config["experts.policy.solver"] == "flow":
            table = read_table(point.folder / "plans.csv", {"planning_measured_s": float})
            took[int(point.config["experts.gpus"])] = 1e6 * mean(table["planning_measured_s"])
    if took:
        yield Sample(_HERE, "MicroMoE", "least", 0, min(took.values()))
    if 64 in took:
        yield Sample(_HERE, "MicroMoE", "64x256", 0, took[64])


def _dispatch_published(experiments):
    found = _published("figure-09", (_LAYER,))(experiments)
    return {(case, scheme, ""): value for (case, scheme, _), value in found.items()}


_LOADS = tuple(iteration.LOADS.values())
FIGURES = (
    Figure(
        "figure-07",
        "Figure 7 of MicroMoE: iterations over Megatron-LM, by loads that the paper leaves open",
        {"micro-moe-iteration": ""},
        gather=_speed,
        cases=_LOADS,
        style="stages",
        unit="speed-up over Megatron-LM",
        across="what of the models",
        words=(*_OVERALL, _MORE, _EIGHT),
        published=_published("figure-07", _LOADS),
    ),
    Figure(
        "figure-08",
        "Figure 8 of MicroMoE: 32 experts on 8 GPUs, Zipf loads",
        {"micro-moe-balance": ""},
        gather=_balance,
        cases=(_BALANCE,),
        style="lines",
        unit="largest load of a GPU over the mean",
        across="exponent s",
        published=_balance_published,
    ),
    Figure(
        "figure-09",
        "Figure 9 of MicroMoE: dispatch of one layer, NVLink at 155 GB/s",
        {"micro-moe-dispatch": ""},
        gather=_dispatch,
        cases=(_LAYER,),
        unit="time [ms]",
        published=_dispatch_published,
    ),
    Figure(
        "figure-11",
        "Figure 11 of MicroMoE: planning of a micro-batch on this machine",
        {"micro-moe-scheduling": ""},
        gather=_scheduling,
        cases=(_HERE,),
        style="stages",
        unit="time [us]",
        across="GPUs x experts",
        words=("least", "64x256"),
        published=_published("figure-11", (_HERE,)),
    ),
)
