# SPDX-License-Identifier: GPL-2.0-only
"""Tables and figures of Pro-Prophet beside the values of its paper, from simulated iterations."""

from functools import partial

import numpy as np

from . import pro_prophet_cells as tables
from . import pro_prophet_hot as hot
from . import pro_prophet_terms as terms
from .comparison import Sample
from .figure import Figure, critical_seconds
from .pro_prophet import STAGES, case_of
from .published import Published, read_published
from rails.reader.units import parse_number

_LAUNCHED = "FasterMoE, as launched"
_SERIES = {"faster_moe_artifact": "FasterMoE", tables.LAUNCHED: _LAUNCHED, "full": "Pro-Prophet"}
_RIVALS = {
    "over DeepSpeed-MoE": "plain",
    "over FasterMoE": "faster_moe_artifact",
    f"over {_LAUNCHED}": tables.LAUNCHED,
}
_BASELINE = "plain"  # DeepSpeed-MoE without padding; the paper does not say
_MODELS = ("S", "M", "L", "DS", "DM")
_OF_LAYERS = "layers of M"
_OF_ITERATIONS = "iterations k=1"
_COSTS = "costs of FasterMoE"
_HEAVIEST = {2: "two", 3: "three"}
_TERMS = {"exchange": "A2A", "forward": "EC", "weights": "Trans", "gradients": "Agg"}
_ERROR = "unequal loads"
_BALANCE = "loads by Zipf's law"
_HOT = {"hot-zipf": _BALANCE, "hot-equal": "one to six hot experts, all alike"}


def _speedups(cluster):
    """Tables IV and V: a case for each k; settings that the paper leaves open are what seeds are elsewhere."""

    def gather(points):
        cells = _cells(points)
        for series, scheme in _SERIES.items() if cells else ():
            gains = cells.speedup(series, _BASELINE)
            for (own, topk, model), column in zip(cells.cells, gains.T):
                if own == cluster:
                    yield from _spread(case_of(own, topk), scheme, model, column)

    return gather


def _cells(points):
    """Iterations of all systems; None where none was run."""
    found = points["pro-prophet-tables"]
    return tables.read_tables(found) if found else None


def _ablation(points):
    """Fig. 14: factors of the planner, the scheduler, and both together."""
    cells = _cells(points)
    for topk in (1, 2) if cells else ():
        for stage, before, after in STAGES:
            column = (cells.seconds[before] / cells.seconds[after])[:, cells.column(("HPNV", topk, "M"))]
            yield from _spread(f"ablation k={topk}", stage, "M", column)


_OF_CELLS = {"least": np.min, "mean": np.mean, "most": np.max}


def _hpwnv(points):
    """Fig. 10: least, mean and most over the cells of both clusters."""
    found = points["pro-prophet-hpwnv"]
    cells = tables.read_tables(found) if found else None
    for topk in (1, 2) if cells else ():
        columns = [i for i, (_, own, _) in enumerate(cells.cells) if own == topk]
        for scheme, baseline in _RIVALS.items():
            gains = cells.speedup("full", baseline)[:, columns]
            for x, of_cells in _OF_CELLS.items():
                yield from _spread(f"HPWNV k={topk}", scheme, x, of_cells(gains, axis=1))


_SHARES = {
    "search": ("expert-counts", "expert-planning"),
    "place": ("expert-weights",),
    "reduce": ("expert-gradients",),
}


def _costs(points):
    """Table I: shares of an iteration that FasterMoE spends on balancing, where nothing is hidden; 16 GPUs, both k."""
    for point in points["pro-prophet-hpwnv"]:
        cluster, _, model = tables.cell_of(point.config)
        if tables.series_of(point.config) == tables.LAUNCHED and cluster == "HPWNV 16":
            for part, kinds in _SHARES.items():
                share = critical_seconds(point, *kinds) / point.get("iteration_s")
                yield Sample(_COSTS, part, model, point.folder.name, 100 * share)


def _beside_rivals(points, at):
    """For each k and rival: what is compared, and seconds of an iteration by the value of a key, Pro-Prophet's and the rival's."""
    found = {}
    for point in points:
        place = float(point.config["workload.model.top_k"]), tables.series_of(point.config)
        found.setdefault(place, {})[point.config[at]] = point.get("iteration_s")
    for (topk, series), seconds in found.items():
        for scheme, rival in _RIVALS.items() if series == "full" else ():
            if (topk, rival) in found:
                yield scheme, seconds, found[topk, rival]


def _layers(points):
    """Fig. 11: what an iteration takes longer with a layer than without it, over both k and all layers."""
    gains = {scheme: [] for scheme in _RIVALS}
    for scheme, seconds, other in _beside_rivals(points["pro-prophet-layers"], "workload.layers"):
        gains[scheme] += [
            (other[layer] - other[layer - 1]) / (seconds[layer] - seconds[layer - 1])
            for layer in sorted(seconds)
            if layer - 1 in seconds
        ]
    for scheme, values in gains.items():
        for x, of_layers in _OF_CELLS.items() if values else ():
            yield Sample(_OF_LAYERS, scheme, x, 0, float(of_layers(values)))


def _iterations(points):
    """Fig. 12: iterations of FasterMoE over those of Pro-Prophet, every tenth of the first hundred."""
    for scheme, seconds, other in _beside_rivals(points["pro-prophet-iterations"], "workload.load.first_iteration"):
        for iteration in seconds:
            yield Sample(_OF_ITERATIONS, scheme, "M", iteration, other[iteration] / seconds[iteration])


def _rules(points):
    """Fig. 15: fixed rules over the planner, whose transfers are timed alike."""
    found = {}
    for point in points["pro-prophet-rules"]:
        config = point.config
        setting = (*tables.unknowns_of(config), config["workload.experts.scheduled"])
        place = float(config["workload.model.top_k"]), setting
        found.setdefault(place, {})[config.get("workload.experts.heaviest") or 0] = point.get("iteration_s")
    for (topk, setting), seconds in found.items():
        for many, word in _HEAVIEST.items():
            yield Sample(f"rules k={topk:g}", f"over the {word} heaviest", "M", setting, seconds[many] / seconds[0])


def _spread(case, scheme, x, values):
    for setting, value in enumerate(values):
        yield Sample(case, scheme, x, setting, float(value))


def _errors(points):
    """Fig. 13: how far simulated terms of a layer are from the model's, in percent."""
    rates = points["pro-prophet-bandwidth"]
    if not rates:
        return
    least = min(rates, key=lambda point: parse_number(point.config["workload.matrix.bytes_per_pair"]))
    cases = terms.unequal_loads(points["pro-prophet-skew"], least.get("busbw_Bps"))
    for setting, own in enumerate(cases.values()):
        for term, name in _TERMS.items():
            simulated, model = own[term]
            if model > 0:
                yield Sample(_ERROR, name, "", setting, 100 * abs(simulated / model - 1))


def _balance(points):
    """Fig. 16: the largest ratio of a layer, model M, by variant of FasterMoE."""
    layers = hot.read_layers(points["pro-prophet-hot"])
    for name, case in _HOT.items():
        for variant in hot.RIVALS if (name, "M") in layers else ():
            yield Sample(case, f"over FasterMoE, {variant}", "", 0, max(own.ratio(variant) for own in layers[name, "M"]))


def _published(*begins):
    """Values of paper.csv whose case begins so; those with FasterMoE hold for either way to run it."""

    def read(experiments):
        own = [row for row in read_published(experiments / "paper.csv").items() if row[0][0].startswith(begins)]
        found = dict(own)
        for (case, scheme, x), value in own:
            if scheme.endswith("FasterMoE"):
                found[case, scheme.replace("FasterMoE", _LAUNCHED), x] = value
        return found

    return read


def _balance_published(experiments):
    value = read_published(experiments / "paper.csv")["balance", "Pro-Prophet over FasterMoE", "most"]
    return {(_BALANCE, f"over FasterMoE, {variant}", ""): value for variant in hot.RIVALS}


_by_model = partial(Figure, style="stages", across="model", words=_MODELS)


def _table(name, number, cluster):
    return _by_model(
        name,
        f"Table {number} of Pro-Prophet: {cluster}, over DeepSpeed-MoE without padding",
        {"pro-prophet-tables": ""},
        gather=_speedups(cluster),
        repeated="setting",
        cases=(f"{cluster} k=1", f"{cluster} k=2"),
        unit="speed-up over DeepSpeed-MoE",
        published=_published(cluster),
    )


FIGURES = (
    _by_model(
        "table-i",
        "Table I of Pro-Prophet: what FasterMoE spends on balancing; HPWNV, 16 GPUs",
        {"pro-prophet-hpwnv": ""},
        gather=_costs,
        repeated="setting",
        cases=(_COSTS,),
        unit="share of an iteration [%]",
        published=_published(_COSTS),
    ),
    _table("table-iv", "IV", "HPNV"),
    _table("table-v", "V", "LPWNV"),
    Figure(
        "figure-10",
        "Figure 10 of Pro-Prophet: HPWNV, 16 and 32 GPUs, five models",
        {"pro-prophet-hpwnv": ""},
        gather=_hpwnv,
        repeated="setting",
        cases=("HPWNV k=1", "HPWNV k=2"),
        style="stages",
        unit="speed-up of Pro-Prophet",
        across="over all cells",
        words=tuple(_OF_CELLS),
        published=_published("HPWNV"),
    ),
    Figure(
        "figure-11",
        "Figure 11 of Pro-Prophet: single layers of model M, HPWNV, 16 GPUs",
        {"pro-prophet-layers": ""},
        gather=_layers,
        cases=(_OF_LAYERS,),
        style="stages",
        unit="speed-up of Pro-Prophet",
        across="over all layers",
        words=tuple(_OF_CELLS),
        published=_published(_OF_LAYERS),
    ),
    _by_model(
        "figure-12",
        "Figure 12 of Pro-Prophet: iterations of model M, k = 1, HPWNV, 16 GPUs",
        {"pro-prophet-iterations": ""},
        gather=_iterations,
        repeated="iteration",
        cases=(_OF_ITERATIONS,),
        unit="speed-up of Pro-Prophet",
        published=_published(_OF_ITERATIONS),
    ),
    Figure(
        "figure-13",
        "Figure 13 of Pro-Prophet: error of its time model",
        {"pro-prophet-skew": "", "pro-prophet-bandwidth": ""},
        gather=_errors,
        cases=(_ERROR,),
        unit="error of the model [%]",
        published=lambda _: {(_ERROR, name, ""): Published(5, "below") for name in _TERMS.values()},
    ),
    _by_model(
        "figure-14",
        "Figure 14 of Pro-Prophet: what each part adds, model M",
        {"pro-prophet-tables": ""},
        gather=_ablation,
        repeated="setting",
        cases=("ablation k=1", "ablation k=2"),
        unit="times as fast as the stage before",
        published=_published("ablation"),
    ),
    _by_model(
        "figure-15",
        "Figure 15 of Pro-Prophet: a fixed rule over its planner, model M, HPWNV, 16 GPUs",
        {"pro-prophet-rules": ""},
        gather=_rules,
        repeated="setting",
        cases=("rules k=1", "rules k=2"),
        unit="iteration of the rule over the planner's",
        published=_published("rules"),
    ),
    Figure(
        "figure-16",
        "Figure 16 of Pro-Prophet: largest ratio of balance over FasterMoE, model M",
        {"pro-prophet-hot": ""},
        gather=_balance,
        cases=tuple(_HOT.values()),
        unit="RB of Pro-Prophet over RB of FasterMoE",
        published=_balance_published,
    ),
)
