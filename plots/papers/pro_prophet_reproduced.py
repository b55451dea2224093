# SPDX-License-Identifier: GPL-2.0-only
"""Tables and figures of Pro-Prophet beside the values of its paper, from simulated iterations."""

import numpy as np

from . import pro_prophet_cells as tables
from . import pro_prophet_hot as hot
from . import pro_prophet_terms as terms
from .comparison import Sample
from .figure import Figure
from .pro_prophet import STAGES, case_of
from .published import Published, read_published
from rails.reader.units import parse_number

_SERIES = {"faster_moe_artifact": "FasterMoE", "full": "Pro-Prophet"}
_BASELINE = "plain"  # DeepSpeed-MoE without padding; the paper does not say
_MODELS = ("S", "M", "L", "DS", "DM")
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
        for scheme, baseline in (("over DeepSpeed-MoE", _BASELINE), ("over FasterMoE", "faster_moe_artifact")):
            gains = cells.speedup("full", baseline)[:, columns]
            for x, of_cells in _OF_CELLS.items():
                yield from _spread(f"HPWNV k={topk}", scheme, x, of_cells(gains, axis=1))


def _iterations(points):
    """Fig. 12: iterations with FasterMoE over those with Pro-Prophet, model M, k = 1."""
    cells = _cells(points)
    if cells:
        column = (cells.seconds["faster_moe_artifact"] / cells.seconds["full"])[:, cells.column(("HPNV", 1, "M"))]
        yield from _spread("iterations k=1", "Pro-Prophet over FasterMoE", "M", column)


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
    """Values of paper.csv whose case begins so."""

    def read(experiments):
        found = read_published(experiments / "paper.csv")
        return {place: value for place, value in found.items() if place[0].startswith(begins)}

    return read


def _balance_published(experiments):
    (value,) = _published("balance")(experiments).values()
    return {(_BALANCE, f"over FasterMoE, {variant}", ""): value for variant in hot.RIVALS}


def _table(name, number, cluster):
    return Figure(
        name,
        f"Table {number} of Pro-Prophet: {cluster}, over DeepSpeed-MoE without padding",
        {"pro-prophet-tables": ""},
        gather=_speedups(cluster),
        repeated="setting",
        cases=(f"{cluster} k=1", f"{cluster} k=2"),
        style="stages",
        unit="speed-up over DeepSpeed-MoE",
        across="model",
        words=_MODELS,
        published=_published(cluster),
    )


FIGURES = (
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
        "figure-12",
        "Figure 12 of Pro-Prophet: model M, k = 1",
        {"pro-prophet-tables": ""},
        gather=_iterations,
        repeated="setting",
        cases=("iterations k=1",),
        style="stages",
        unit="iteration of FasterMoE over Pro-Prophet's",
        across="model",
        words=_MODELS,
        published=_published("iterations"),
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
    Figure(
        "figure-14",
        "Figure 14 of Pro-Prophet: what each part adds, model M",
        {"pro-prophet-tables": ""},
        gather=_ablation,
        repeated="setting",
        cases=("ablation k=1", "ablation k=2"),
        style="stages",
        unit="times as fast as the stage before",
        across="model",
        words=_MODELS,
        published=_published("ablation"),
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
