# SPDX-License-Identifier: GPL-2.0-only
"""Figures of MicroMoE beside what its paper says: values of its text, and claims in words as bounds."""

from statistics import mean

from rails.reader.result_files import read_table

from . import micro_moe_iteration as iteration
from .comparison import Sample
from .figure import Figure, critical_seconds
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
_MOVES, _SPREAD = "moves of an iteration [ms]", "moves over 50 iterations [%]"
_GROUPS = {16: "16 GPUs", 32: "32 GPUs"}
_OVER_PLAIN = "MicroMoE over plain EP"
_LEVELS = {"own GPU first": ("none", "gpu"), "own server next": ("gpu", "server")}
_C3 = "16 GPUs, DeepEP"


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
        own = {"plain-ep": "Megatron-LM", "smart-moe": "SmartMoE", "flex-moe": "FlexMoE"}.get(kind, kind)
        return own + (", patience 0" if config.get(f"{at}.patience") == 0 else "")
    if config[f"{at}.adaptive"]:
        return _SCHEMES["full"]
    return _SCHEMES["random" if config[f"{at}.placement"] == "random" else "static"]


def _balance(points):
    """Fig. 8: largest load over the mean; layers are draws of which expert is how popular."""
    for point in points["micro-moe-zipf"]:
        exponent = float(point.config["experts.load.exponent"])
        table = read_table(point.folder / "plans.csv", {"layer": float, "max_over_mean": float})
        for layer, value in zip(table["layer"], table["max_over_mean"]):
            yield Sample(_BALANCE, scheme_of(point.config, "experts.policy"), exponent, int(layer), value)


def _dispatch(points):
    """Fig. 9: what a dispatch takes, and what it takes longer with MicroMoE, at the rate that the paper's time is of."""
    times = {}
    for point in points["micro-moe-dispatch"]:
        config = point.config
        usual = config.get("workload.experts.solver", "flow") == "flow" and not config.get("workload.experts.planning_time")
        if config["topology.nvlink_rate"] == "1240Gbps" and usual:
            spent = 1e3 * critical_seconds(point, "dispatch", "expert-planning", "expert-counts")
            times.setdefault(scheme_of(config, "workload.experts"), {})[point.seed] = spent
    for seed, plain in times.get("Megatron-LM", {}).items():
        yield Sample(_LAYER, "Megatron-LM", "", seed, plain)
        if seed in times.get("MicroMoE", {}):
            yield Sample(_LAYER, _SCHEMES["extra"], "", seed, times["MicroMoE"][seed] - plain)


def _replacement(points):
    """Fig. 12: what moving experts takes; over 50 iterations, how often the paper advises to move them."""
    times = {}
    for point in points["micro-moe-replacement"]:
        config = point.config
        system = {"micro-moe": "MicroMoE", "smart-moe": "SmartMoE"}[config["workload.experts.type"]]
        load = iteration.LOADS[config["workload.load.preset"], config["workload.load.first_iteration"]]
        first, again = config["workload.warm_up"] == 1, config["workload.experts.period"] == 11
        time = "first" if first else "again" if again else "none"
        times.setdefault((system, load, config["workload.model.type"]), {})[time] = point
    for (system, load, model), own in times.items():
        for time in own.keys() & {"first", "again"}:
            moves = 1e3 * critical_seconds(own[time], "expert-moves")
            yield Sample(_MOVES, f"{system}, {time}", load, model, moves)
            if "none" in own:
                share = moves / (50 * 1e3 * own["none"].get("iteration_s"))
                yield Sample(_SPREAD, f"{system}, {time}", load, model, 100 * share)


def _over_servers(exchange):
    """Figs. 10 and 16: exchanges of tokens with MicroMoE over those of plain expert parallelism."""

    def gather(points):
        for (own, gpus, seed), times in _nodes(points).items():
            if own == exchange and {"plain", "server"} <= times.keys():
                yield Sample(_GROUPS[gpus], _OVER_PLAIN, "", seed, times["server"] / times["plain"])

    return gather


def _locality(points):
    """App. C.3: exchanges with each level of locality over those with the level before."""
    for (exchange, gpus, seed), times in _nodes(points).items():
        for level, (before, after) in _LEVELS.items() if (exchange, gpus) == ("deduplicated", 16) else ():
            if {before, after} <= times.keys():
                yield Sample(_C3, level, "", seed, times[after] / times[before])


def _nodes(points):
    """Times of the exchanges forward: those of the last way back run beside gradients of replicas."""
    """Seconds of the exchanges of a layer by exchange, GPUs and draw, of each system."""
    times = {}
    for point in points["micro-moe-nodes"]:
        config = point.config
        gpus = config["topology.domains"] * config["topology.gpus_per_domain"]
        system = "plain" if config["workload.experts.type"] == "plain-ep" else config["workload.experts.locality"]
        place = config["workload.exchange.type"], gpus, point.seed
        times.setdefault(place, {})[system] = critical_seconds(point, "dispatch", "combine")
    return times


def _bounds(name, cases):
    """Claims in words: bounds on every case."""

    def read(experiments):
        found = read_published(experiments / "paper.csv").items()
        return {(case, scheme, ""): value for (figure, scheme, _), value in found if figure == name for case in cases}

    return read


def _replacement_published(experiments):
    found = read_published(experiments / "paper.csv")
    return {
        (case, "MicroMoE, first", load): found["figure-12", "full", x]
        for case, x in ((_MOVES, "ms"), (_SPREAD, "share"))
        for load in iteration.LOADS.values()
    }


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
        {"micro-moe-zipf": ""},
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
        "figure-10",
        "Figure 10 of MicroMoE: exchanges of a layer over two and four servers, rows for each token and expert",
        {"micro-moe-nodes": ""},
        gather=_over_servers("pairs"),
        cases=tuple(_GROUPS.values()),
        unit="time over plain EP's",
        published=_bounds("figure-10", _GROUPS.values()),
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
    Figure(
        "figure-12",
        "Figure 12 of MicroMoE: experts are placed anew, by loads that the paper leaves open",
        {"micro-moe-replacement": ""},
        gather=_replacement,
        repeated="model",
        cases=(_MOVES, _SPREAD),
        style="stages",
        unit="critical path",
        across="load",
        words=_LOADS,
        published=_replacement_published,
    ),
    Figure(
        "figure-16",
        "Figure 16 of MicroMoE: exchanges of a layer over two and four servers, one copy of a token to a server",
        {"micro-moe-nodes": ""},
        gather=_over_servers("deduplicated"),
        cases=tuple(_GROUPS.values()),
        unit="time over plain EP's",
        published=_bounds("figure-16", _GROUPS.values()),
    ),
    Figure(
        "figure-c3",
        "Appendix C.3 of MicroMoE: a level of locality more, one copy of a token to a server",
        {"micro-moe-nodes": ""},
        gather=_locality,
        cases=(_C3,),
        unit="time over the level before",
        published=_bounds("figure-c3", (_C3,)),
    ),
)
