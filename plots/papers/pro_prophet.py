# SPDX-License-Identifier: GPL-2.0-only
"""
Tables of rails-pro-prophet-tables, and what they say of the gates: every combination of unknowns
counts the same, and none is left out.
"""

import csv
import itertools
from dataclasses import dataclass

import numpy as np

from rails.errors import ResultError

WORLD = ("exponent", "bandwidth_gbps", "efficiency", "other")
PLANNER = ("tolerance", "excluded_part")
CELL = ("cluster", "k", "model")
CELL_ORDER = ("S", "M", "L", "DS", "DM")  # models as the tables have them
# How DeepSpeed-MoE may treat experts with more or less than the mean.
BASELINES = {
    "plain": "no padding, none dropped",
    "padded": "padded to the largest",
    "capacity_1": "capacity 1",
    "capacity_2": "capacity 2",
    "capacity_4": "capacity 4",
}
FASTER_MOE = {
    "faster_moe_artifact": "FasterMoE, artifact",
    "faster_moe_published": "FasterMoE, published",
    "faster_moe_master": "FasterMoE, master",
}
PRO_PROPHET = {"full": "Pro-Prophet", "released": "Pro-Prophet, released"}
SERIES = {**FASTER_MOE, **PRO_PROPHET}
STAGES = (
    ("planner", "plain", "planner"),
    ("scheduler", "planner", "planner_scheduler"),
    ("combination", "planner_scheduler", "full"),
)


def read_rows(path):
    """Rows of a table by column, numbers where they are some."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(file)]
    except OSError as error:
        raise ResultError(path, error.strerror) from error
    if not rows:
        raise ResultError(path, "has no rows")
    return rows


def _value(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return text


@dataclass(frozen=True)
class Cells:
    """Seconds by combination of unknowns and cell."""

    unknowns: dict  # values by name, of each combination
    cells: list  # (cluster, k, model)
    seconds: dict  # matrices by series: combinations x cells

    def speedup(self, series, over):
        return self.seconds[over] / self.seconds[series]

    def column(self, cell):
        return self.cells.index(cell)

    def where(self, **limits):
        """Combinations in which each of some unknowns is one of some values."""
        chosen = np.ones(len(next(iter(self.unknowns.values()))), dtype=bool)
        for name, values in limits.items():
            chosen &= np.isin(self.unknowns[name], values)
        return chosen


def read_cells(path):
    rows = read_rows(path)
    names = WORLD + PLANNER
    by_place = {(_key(row, names), _key(row, CELL)): row for row in rows}
    combinations = sorted({place for place, _ in by_place})
    cells = sorted({cell for _, cell in by_place}, key=_cell_order)
    if len(by_place) != len(combinations) * len(cells):
        raise ResultError(path, "not every cell has every combination of unknowns")
    columns = [name for name in rows[0] if name not in names + CELL]
    seconds = {
        name: np.array([[by_place[place, cell][name] for cell in cells] for place in combinations])
        for name in columns
    }
    unknowns = {name: np.array(values) for name, values in zip(names, zip(*combinations))}
    return Cells(unknowns, cells, seconds)


def _key(row, names):
    return tuple(row[name] for name in names)


def _cell_order(cell):
    cluster, topk, model = cell
    return cluster, topk, CELL_ORDER.index(model)


def case_of(cluster, topk):
    """The case of paper.csv."""
    return f"{cluster} k={topk:g}"


def published_column(published, cells, scheme):
    return np.array([published[case_of(cell[0], cell[1]), scheme, cell[2]].value for cell in cells])


def ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    values = np.asarray(values)
    return np.array([(np.sum(values < v) + np.sum(values <= v) + 1) / 2 for v in values])


def rank_correlation(left, right):
    """Spearman's; nan where all values are equal."""
    left, right = ranks(left), ranks(right)
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return float("nan")
    return float(np.corrcoef(left, right)[0, 1])


def constant_correlation(values, cells):
    """What a predictor reaches that knows the mean over all cells with the same k and width."""
    groups = [(topk, model[-1]) for _, topk, model in cells]  # DS is as wide as S
    means = [np.mean([v for v, g in zip(values, groups) if g == group]) for group in groups]
    return rank_correlation(means, values)


def above_faster_moe(cells, ours="full"):
    """By variant: of all combinations those with more than it in all cells; least gain; medians."""
    outcome = {}
    for variant in FASTER_MOE:
        gain = cells.seconds[variant] / cells.seconds[ours]
        outcome[variant] = (np.mean(np.all(gain > 1, axis=1)), gain.min(), np.median(gain, axis=0))
    return outcome


def above_by_unknown(cells, variant):
    """Of the combinations with each value of each unknown: above a FasterMoE in all cells."""
    holds = np.all(cells.seconds[variant] / cells.seconds["full"] > 1, axis=1)
    return {
        name: {value: float(holds[values == value].mean()) for value in np.unique(values)}
        for name, values in cells.unknowns.items()
    }


def two_above_one(cells, series, baseline):
    """Of all combinations those in which k = 2 is above k = 1 for all models of LPWNV."""
    gain = cells.speedup(series, baseline)
    models = [model for cluster, topk, model in cells.cells if (cluster, topk) == ("LPWNV", 1)]
    holds = [
        gain[:, cells.column(("LPWNV", 2, model))] > gain[:, cells.column(("LPWNV", 1, model))]
        for model in models
    ]
    return float(np.mean(np.all(holds, axis=0)))


def correlations(cells, published):
    """(cluster, series, baseline, least, median, most, constant) of every column of the tables."""
    rows = []
    for cluster, series, baseline in itertools.product(("HPNV", "LPWNV"), SERIES, BASELINES):
        places = [i for i, cell in enumerate(cells.cells) if cell[0] == cluster]
        own = [cells.cells[i] for i in places]
        paper = published_column(
            published, own, "FasterMoE" if series in FASTER_MOE else "Pro-Prophet"
        )
        gain = cells.speedup(series, baseline)[:, places]
        found = [rank_correlation(row, paper) for row in gain]
        found = [value for value in found if not np.isnan(value)] or [float("nan")]
        rows.append(
            (cluster, series, baseline, min(found), float(np.median(found)), max(found))
            + (constant_correlation(paper, own),)
        )
    return rows


def stage_factors(cells, topk):
    """Factors by stage of model M on HPNV, one for each combination of unknowns."""
    column = cells.column(("HPNV", topk, "M"))
    return {
        name: cells.seconds[before][:, column] / cells.seconds[after][:, column]
        for name, before, after in STAGES
    }


def bands(cells, compared=tuple(SERIES)):
    """(cluster, k, model, baseline, series, least, median, most) of all combinations."""
    for baseline, series in itertools.product(BASELINES, compared):
        gain = cells.speedup(series, baseline)
        for i, cell in enumerate(cells.cells):
            own = gain[:, i]
            yield (*cell, baseline, series, own.min(), float(np.median(own)), own.max())


def describe(cells, published):
    """Lines that say which gates hold."""
    count = len(next(iter(cells.unknowns.values())))
    yield f"{count} combinations of unknowns, {len(cells.cells)} cells"
    for ours, name in PRO_PROPHET.items():
        for variant, (share, least, medians) in above_faster_moe(cells, ours).items():
            yield (
                f"{name} above {FASTER_MOE[variant]} in all cells: {100 * share:.1f} % of "
                f"combinations; least {least:.3f}; medians of cells {medians.min():.2f} to "
                f"{medians.max():.2f}"
            )
    for variant in FASTER_MOE:
        for name, shares in above_by_unknown(cells, variant).items():
            text = ", ".join(f"{value:g}: {100 * share:.0f} %" for value, share in shares.items())
            yield f"  above {FASTER_MOE[variant]} in all cells by {name}: {text}"
    for baseline in BASELINES:
        shares = [
            f"{name} {100 * two_above_one(cells, series, baseline):.0f} %"
            for series, name in SERIES.items()
        ]
        yield f"k = 2 above k = 1 in all models of LPWNV, {BASELINES[baseline]}: " + ", ".join(shares)
    for cluster, series, baseline, least, median, most, constant in correlations(cells, published):
        yield (
            f"rank correlation {cluster}, {SERIES[series]}, {BASELINES[baseline]}: {least:.2f} to "
            f"{most:.2f}, median {median:.2f}; constant over k and d {constant:.2f}"
        )
    for topk in (1, 2):
        factors = stage_factors(cells, topk)
        values = list(factors.values())
        text = ", ".join(f"{name} {np.median(factor):.3f}" for name, factor in factors.items())
        order = np.mean((values[0] > values[1]) & (values[1] > values[2]))
        each = np.mean(np.all(np.array(values) >= 1, axis=0))
        yield (
            f"ablation k={topk}, medians: {text}; in the paper's order in {100 * order:.0f} %, "
            f"each at least 1 in {100 * each:.0f} % of combinations"
        )
