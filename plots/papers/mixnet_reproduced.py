# SPDX-License-Identifier: GPL-2.0-only
"""Figures of MixNet beside the values of its paper, by the one reading of its compute times that its text has."""

from . import mixnet, mixnet_choices, mixnet_cost, mixnet_grids
from .comparison import Sample
from .figure import Figure
from .published import Published

_NAMES = {**mixnet.NAMES, "TO": "TopoOpt"}
_TEXT = "100 ms"  # of the experts of a layer of the Mixtrals: the setting that the paper's text has
_OTHERS = "operations"  # of models whose compute times nobody has published
_RATIO = "fat-tree over MixNet"


def _cells(points, folder, setting):
    """Iterations of a setting by rate and fabric."""
    slowest = mixnet.find_slowest(points[folder])
    chosen = [point for point in points[folder] if mixnet.find_setting(point, slowest) == setting]
    return {(cell.rate, cell.fabric): time for cell, time in mixnet.iterations(chosen).items()}


def _iterations(model, setting, folder, other=""):
    """Fig. 12: a cell over the best one, TopoOpt by the best way to share out NICs."""

    def gather(points):
        own = _cells(points, folder, setting)
        for (_, own_setting, rate), times in mixnet_choices.topoopt(points.get(other, [])).items():
            if own_setting == setting:
                own[rate, "TO"] = min(times.values())
        for (rate, fabric), time in own.items():
            yield Sample(model, _NAMES[fabric], float(rate), 0, time / min(own.values()))

    return gather


def _iterations_published(model):
    def read(experiments):
        paper = mixnet.read_paper(experiments / "paper.csv", model)
        return {(model, _NAMES[fabric], float(rate)): Published(value, "exact") for (rate, fabric), value in paper.items()}

    return read


def _figure_12(letter, model, setting, folder, other=""):
    return Figure(
        f"figure-12{letter}",
        f"Figure 12 of MixNet: {model}, experts of a layer: {setting}",
        {name: "" for name in (folder, other) if name},
        gather=_iterations(model, setting, folder, other),
        cases=(model,),
        style="lines",
        unit="iteration over the best one",
        across="rate of a NIC [Gbit/s]",
        published=_iterations_published(model),
    )


_MIXTRALS = {"Mixtral 8x22B": "mixnet-8x22b", "Mixtral 8x7B": "mixnet-8x7b"}


def _costs(_):
    """Fig. 11: what a fat-tree costs over what MixNet does."""
    costs = mixnet_cost.ask_costs()
    ratios = {rate: costs["fat-tree", rate] / costs["mixnet", rate] for name, rate in costs if name == "mixnet"}
    for rate, ratio in ratios.items():
        yield Sample("cost", _RATIO, f"{rate}G", 0, ratio)
    yield Sample("cost", _RATIO, "mean", 0, sum(ratios.values()) / len(ratios))


def _costs_published(experiments):
    ranges = mixnet_cost.read_ranges(experiments / "paper-per-dollar.csv")
    own = {rate: ends for (rate, against, _), ends in ranges.items() if against == "cost"}
    return {("cost", _RATIO, f"{rate}G" if rate else "mean"): _range(ends) for rate, ends in own.items()}


def _range(ends):
    low, high = ends
    return Published(low, "exact") if low == high else Published(low, "range", high)


def _per_dollar(points):
    """Fig. 13: iterations of another fabric over MixNet's, times its cost over MixNet's."""
    costs = mixnet_cost.ask_costs()
    for model, folder in _MIXTRALS.items():
        own = _cells(points, folder, _TEXT)
        for (rate, fabric), gain in mixnet_cost.gains(own, costs, "./rails cost").items():
            yield Sample(f"over {_NAMES[fabric]}", model, float(rate), 0, gain.per_dollar)


def _per_dollar_published(experiments):
    found = {}
    for (rate, fabric, model), ends in mixnet_cost.read_ranges(experiments / "paper-per-dollar.csv").items():
        if fabric != "cost":
            for name in _MIXTRALS if not model else (model,):
                if name in _MIXTRALS:
                    found.setdefault((f"over {_NAMES[fabric]}", name, float(rate)), _range(ends))
    return found


def _failures(points):
    """Fig. 14: iterations over those without a failure, in percent more."""
    for folder in ("mixnet-failures", "mixnet-failures-r1"):
        for (model, setting, name), ratio in mixnet_choices.failures(points[folder]).items():
            if setting == (_TEXT if model.startswith("Mixtral") else _OTHERS):
                yield Sample(model, "MixNet", name, 0, 100 * (ratio - 1))


def _failures_published(_):
    found = {
        (model, "MixNet", name): Published(round(100 * (value - 1), 1), "exact")
        for (model, name), value in mixnet_choices.PAPER_FAILURES.items()
    }
    nics = round(100 * (mixnet_choices.PAPER_NICS - 1), 1)
    return {**found, ("DeepSeek-R1", "MixNet", "both EPS NICs"): Published(nics, "exact")}


def _servers(points):
    """Fig. 26: iterations over those on a fat-tree."""
    found = {}
    for folder in ("mixnet-servers", "mixnet-servers-large"):
        found.update(mixnet_grids.servers(points[folder]))
    for (setting, count, fabric), time in found.items():
        tree = found.get((setting, count, "FT"))
        if tree:
            yield Sample(setting, _NAMES[fabric], float(count), 0, time / tree)


def _alphas(points):
    """Fig. 27: iterations over that with the most NICs on circuits."""
    found = mixnet_grids.alphas(points["mixnet-alpha"])
    for (setting, rule, count), (time, _) in found.items():
        most = max(other for *own, other in found if own == [setting, rule])
        yield Sample(setting, mixnet_grids.RULES[rule][0], float(count), 0, time / found[setting, rule, most][0])


def _delays(points):
    """Fig. 28: iterations over that with the shortest delay."""
    for (setting, circuits), own in mixnet.delays(points["mixnet-delay"]).items():
        for delay, (time, _) in own.items():
            yield Sample(setting, f"{circuits} circuits", 1e3 * delay, 0, time / own[min(own)][0])


def _of_words(number, title, folders, gather, unit, across):
    """A figure of which the paper has a claim in words alone."""
    return Figure(
        f"figure-{number}",
        f"Figure {number} of MixNet: {title}",
        {folder: "" for folder in folders},
        gather=gather,
        cases=tuple(mixnet.LINES),
        style="lines",
        unit=unit,
        across=across,
        published=lambda _: {},
    )


FIGURES = (
    Figure(
        "figure-11",
        "Figure 11 of MixNet: cost of a fat-tree over MixNet's",
        {},
        gather=_costs,
        cases=("cost",),
        style="stages",
        unit="cost over MixNet's",
        across="rate of a NIC",
        words=("100G", "200G", "400G", "800G", "mean"),
        published=_costs_published,
    ),
    _figure_12("a", "Mixtral 8x22B", _TEXT, "mixnet-8x22b", "mixnet-topoopt-8x22b"),
    _figure_12("b", "Mixtral 8x7B", _TEXT, "mixnet-8x7b", "mixnet-topoopt-8x7b"),
    _figure_12("c", "Qwen-MoE", _OTHERS, "mixnet-qwen-ep32"),
    _figure_12("-llama", "LLaMA-MoE", _OTHERS, "mixnet-llama"),
    Figure(
        "figure-13",
        "Figure 13 of MixNet: performance per dollar",
        {folder: "" for folder in _MIXTRALS.values()},
        gather=_per_dollar,
        cases=("over fat-tree", "over rail-optimized"),
        style="lines",
        unit="performance per dollar over another fabric's",
        across="rate of a NIC [Gbit/s]",
        published=_per_dollar_published,
    ),
    Figure(
        "figure-14",
        "Figure 14 of MixNet: what fails, at 400G",
        {"mixnet-failures": "", "mixnet-failures-r1": ""},
        gather=_failures,
        cases=("Mixtral 8x22B", "DeepSeek-R1"),
        style="stages",
        unit="longer iteration [%]",
        across="what fails",
        words=tuple(mixnet_choices.FAILURES),
        published=_failures_published,
    ),
    _of_words(
        26,
        "size of the cluster",
        ("mixnet-servers", "mixnet-servers-large"),
        _servers,
        "iteration over the fat-tree's",
        "servers",
    ),
    _of_words(
        27,
        "NICs on circuits at equal cost",
        ("mixnet-alpha",),
        _alphas,
        "iteration over that with 6",
        "NICs of a server on circuits",
    ),
    _of_words(28, "delay of circuits", ("mixnet-delay",), _delays, "iteration over that with 1 us", "delay [ms]"),
)
