# SPDX-License-Identifier: GPL-2.0-only
"""What it is worth to send a token once."""

from statistics import median

from rails.plots import style
from rails.errors import ResultError

EXCHANGES = ("dispatch", "combine", "combine-backward", "dispatch-backward")
LAYOUTS = {
    "2 rail-destination": ("two servers, rail-destination", "#0072B2", "^"),
    "2 even-split": ("two servers, even-split", "#009E73", "P"),
    "16 rail-destination": ("one copy for each GPU", "#D55E00", "o"),
}
# DeepSpeed, pull request 8213: largest receiver over the mean, and DeepEP over NCCL.
MEASURED = {2.56: 2.10, 3.01: 2.08, 5.09: 2.49}
WORTH = 1.29  # of one copy for each GPU alone
_NEAR = 0.15


def ratios(points):
    """By layout: (largest load over the mean, time of pairs over de-duplicated, the same of bytes)."""
    runs = {}
    for point in points:
        config = point.config
        layout = f"{config['topology.domains']} {config['balance.type']}"
        case = (
            layout,
            config["workload.batch.sequence"],
            config["workload.model.experts"],
            config["workload.load.exponent"],
            point.seed,
        )
        runs.setdefault(case, {})[config["workload.exchange.type"]] = point
    found = {layout: [] for layout in LAYOUTS}
    for case, own in sorted(runs.items()):
        if own.keys() != {"pairs", "deduplicated"} or case[0] not in found:
            raise ResultError(next(iter(own.values())).folder.parent, f"{case}: not both exchanges")
        pairs, once = own["pairs"], own["deduplicated"]
        found[case[0]].append(
            (
                pairs.get("expert_max_over_mean"),
                _sum(pairs, "critical_s") / _sum(once, "critical_s"),
                _sum(pairs, "bytes") / _sum(once, "bytes"),
            )
        )
    return found


def _sum(point, key):
    return sum(kind[key] for kind in point.get("graph")["kinds"] if kind["name"] in EXCHANGES)


def near(rows, skew):
    """Rows whose largest load is that, 15 % either way."""
    return [row for row in rows if abs(row[0] / skew - 1) <= _NEAR]


def draw(found):
    drawing, grid = style.new_figure(6.6, 3.6)
    axes = grid[0, 0]
    for layout, rows in found.items():
        label, colour, marker = LAYOUTS[layout]
        axes.plot(
            [row[0] for row in rows],
            [row[1] for row in rows],
            linestyle="none",
            color=colour,
            marker=marker,
            markersize=3,
            label=label,
        )
    axes.axhspan(WORTH * (1 - _NEAR), WORTH * (1 + _NEAR), color="#D55E00", alpha=0.15, linewidth=0)
    axes.plot(
        list(MEASURED), list(MEASURED.values()), "kD", markerfacecolor="white", label="DeepEP over NCCL"
    )
    axes.set(xlabel="largest load of a GPU over the mean", ylabel="pairs over de-duplicated")
    style.legend(axes)
    return drawing


def describe(found):
    lines = []
    for layout, rows in found.items():
        for skew, measured in MEASURED.items():
            own = near(rows, skew)
            if not own:
                continue
            times = sorted(row[1] for row in own)
            lines.append(
                f"{LAYOUTS[layout][0]}, {skew:g} of the mean: {times[0]:.2f} to {times[-1]:.2f}, median "
                f"{median(times):.2f}, of bytes {median(row[2] for row in own):.2f} ({len(own)} runs); "
                f"measured {WORTH:g} for one copy for each GPU, {measured:.2f} for DeepEP over NCCL"
            )
    return lines
