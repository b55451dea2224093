# SPDX-License-Identifier: GPL-2.0-only
"""
Tables IV and V of Pro-Prophet in simulated iterations: points of
experiments/pro-prophet/pro-prophet-tables as cells, and what they say of the paper's orderings. Every
combination of unknowns counts the same, and none is left out.
"""

import itertools

import numpy as np

from rails.errors import ResultError
from .pro_prophet import (
    BASELINES,
    CELL_ORDER,
    FASTER_MOE,
    Cells,
    bands as bands_of,
    constant_correlation,
    published_column,
    rank_correlation,
    stage_factors,
)

# The launch script of Pro-Prophet's authors puts all GPUs into one part: nothing of FasterMoE is hidden.
OVERLAPPED, LAUNCHED = "faster_moe_overlapped", "faster_moe_launched"
VARIANTS = {
    **FASTER_MOE,
    LAUNCHED: "FasterMoE, artifact, as launched",
    OVERLAPPED: "FasterMoE, published, shadows beside the rest",
}
PRO_PROPHET = {
    "full": "Pro-Prophet",
    "full_1": "Pro-Prophet, alpha 1",
    "full_3": "Pro-Prophet, alpha 3",
    "released": "Pro-Prophet, released",
}
STEPS = {"planner": "planner alone", "planner_scheduler": "planner of eq. 6, scheduled"}
SERIES = {**VARIANTS, **PRO_PROPHET, **STEPS}
CLUSTERS = {"pro-prophet-hpnv": "HPNV", "pro-prophet-hpwnv": "HPWNV", "pro-prophet-lpwnv": "LPWNV"}
UNKNOWNS = ("load", "efficiency", "vocabulary")
BAND_COLUMNS = ("cluster", "k", "model", "baseline", "series", "least", "median", "most")


def series_of(config):
    """What a point runs."""
    kind = config["workload.experts.type"]
    timing = config["workload.expert_transfers"]
    if kind == "plain-ep":
        return "plain"
    if kind == "deepspeed-moe":
        factor = config.get("workload.experts.capacity_factor")
        return "padded" if factor is None else f"capacity_{factor:g}"
    variant = config["workload.experts.variant"]
    if kind == "faster-moe":
        return {"overlapped": OVERLAPPED, "blocking": LAUNCHED}.get(timing, f"faster_moe_{variant}")
    if variant == "released":
        return "released"
    if not config["workload.experts.scheduled"]:
        return "planner" if timing == "blocking" else "planner_scheduler"
    tolerance = config.get("workload.experts.balance_tolerance")
    return "full" if tolerance is None else f"full_{tolerance:g}"


def cell_of(config):
    """(cluster, k, model) of a point; of HPWNV there are two."""
    cluster = CLUSTERS[config["topology.server"]]
    if cluster == "HPWNV":
        cluster += f" {config['workload.parallel.ep']}"
    model = config["workload.model.type"].rpartition("-")[2].upper()
    return cluster, float(config["workload.model.top_k"]), model


def unknowns_of(config):
    return (
        "volatile" if config["workload.load.first_iteration"] == 0 else "settled",
        float(config["workload.compute.efficiency"]),
        float(config["workload.model.vocabulary"]),
    )


def read_tables(points):
    """Seconds of an iteration of every point, as Cells."""
    seconds, folder = {}, None
    for point in points:
        folder = point.folder.parent
        place = (series_of(point.config), unknowns_of(point.config), cell_of(point.config))
        seconds[place] = point.get("iteration_s")
    series, combinations, cells = (sorted({place[i] for place in seconds}) for i in range(3))
    if not seconds or len(seconds) != len(series) * len(combinations) * len(cells):
        raise ResultError(folder, "not every cell has every combination of unknowns and system")
    cells.sort(key=lambda cell: (cell[0], cell[1], CELL_ORDER.index(cell[2])))
    matrices = {
        name: np.array([[seconds[name, place, cell] for cell in cells] for place in combinations])
        for name in series
    }
    unknowns = {name: np.array(values) for name, values in zip(UNKNOWNS, zip(*combinations))}
    return Cells(unknowns, cells, matrices)


def bands(cells):
    """Rows of BAND_COLUMNS: every series of SERIES over both baselines."""
    return bands_of(cells, SERIES)


def describe(cells, published):
    """Lines that say which orderings of the paper hold."""
    many = len(next(iter(cells.unknowns.values())))
    yield f"{many} combinations of unknowns, {len(cells.cells)} cells"
    for ours, variant in itertools.product((*PRO_PROPHET, *STEPS), VARIANTS):
        yield _describe_order(cells, ours, variant)
    for ours, variant in itertools.product(("full", "full_1", "full_3"), VARIANTS):
        below = list(_below(cells, ours, variant))
        if below:
            yield f"{SERIES[ours]} not above {SERIES[variant]}: " + "; ".join(below)
    for baseline, (series, scheme) in itertools.product(BASELINES, _PUBLISHED.items()):
        yield _describe_values(cells, published, baseline, series, scheme)
    for cluster, baseline, (series, scheme) in itertools.product(
        ("HPNV", "LPWNV"), BASELINES, _PUBLISHED.items()
    ):
        places = [i for i, cell in enumerate(cells.cells) if cell[0] == cluster]
        own = [cells.cells[i] for i in places]
        paper = published_column(published, own, scheme)
        found = [rank_correlation(row, paper) for row in cells.speedup(series, baseline)[:, places]]
        yield (
            f"rank correlation {cluster}, {SERIES[series]}, {BASELINES[baseline]}: {min(found):.2f} to "
            f"{max(found):.2f}; constant over k and d {constant_correlation(paper, own):.2f}"
        )
    for topk in (1, 2):
        factors = stage_factors(cells, topk)
        values = np.array(list(factors.values()))
        text = ", ".join(f"{name} {np.median(factor):.3f}" for name, factor in factors.items())
        order = np.mean((values[0] > values[1]) & (values[1] > values[2]))
        yield f"ablation k={topk}, medians: {text}; in the paper's order in {100 * order:.0f} %"


_PUBLISHED = {
    "faster_moe_artifact": "FasterMoE",
    "faster_moe_published": "FasterMoE",
    LAUNCHED: "FasterMoE",
    "full": "Pro-Prophet",
}


def _describe_order(cells, ours, variant):
    gain = cells.seconds[variant] / cells.seconds[ours]
    above = gain > 1
    return (
        f"{SERIES[ours]} above {SERIES[variant]}: {above.sum()} of {above.size} cells, all 18 in "
        f"{np.all(above, axis=1).sum()} of {len(above)} combinations, medians of "
        f"{(np.median(gain, axis=0) > 1).sum()} cells; {gain.min():.3f} to {gain.max():.3f}, "
        f"median {np.median(gain):.3f}"
    )


def _below(cells, ours, variant):
    gain = cells.seconds[variant] / cells.seconds[ours]
    for row, column in np.argwhere(gain <= 1):
        place = ", ".join(f"{values[row]}" for values in cells.unknowns.values())
        cluster, topk, model = cells.cells[column]
        yield f"{cluster} {model} k={topk:g} ({place}) {gain[row, column]:.3f}"


def _describe_values(cells, published, baseline, series, scheme):
    gain = cells.speedup(series, baseline)
    paper = published_column(published, cells.cells, scheme)
    inside = (gain.min(axis=0) <= paper) & (paper <= gain.max(axis=0))
    medians = np.median(gain, axis=0)
    return (
        f"{SERIES[series]} over {BASELINES[baseline]}: {gain.min():.2f} to {gain.max():.2f}, medians "
        f"of cells {medians.min():.2f} to {medians.max():.2f}; the paper's value is in the band of "
        f"{inside.sum()} of {len(paper)} cells"
    )
