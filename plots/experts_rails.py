#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What placement of experts and balancing of rails save in an iteration, alone and together: one figure
and the tables of doc/experts-results.rst, from the results of experiments/experts/experts-rails-*.yaml.
"""

from pathlib import Path

from matplotlib.lines import Line2D

from rails.plots import program, style
from rails.errors import ResultError
from papers.placement_and_rails import (
    BALANCES,
    DEDUPLICATED,
    FABRICS,
    FIRST,
    LOADS,
    PLAIN,
    cases,
    exposed,
    interaction,
    losses,
)
from rails.plots.results import load

ROOT = Path(__file__).resolve().parents[1]
SWEEPS = ("experts-rails-mixtral", "experts-rails-trace", "experts-rails-deepseek")
MARKERS = {FIRST: "s", "rail-source": "^", "rails": "o", DEDUPLICATED: "D"}
COLOURS = {FIRST: "#000000", "rail-source": "#E69F00", "rails": "#D55E00", DEDUPLICATED: "#0072B2"}


def drawings(results, told):
    """The figure of all loads that have all their points."""
    points = []
    for name in SWEEPS:
        if (results / name).is_dir():
            points += load(results / name).points
    found = cases(points)
    if not found:
        raise ResultError(results, "no load has all its points: run experts-rails-*.yaml first")
    yield "experts-rails", draw(found)
    told.tables["interaction"] = interaction_table(found)
    told.tables["policies"] = policy_table(found)
    told.tables["losses"] = loss_table(found)
    told.lines.append(f"{len(found)} loads, {sum(len(case.results) for case in found)} points")


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_results("the folders", ROOT / "doc" / "figures")
    parser.add_page(ROOT / "doc" / "experts-results.rst", "doc/experts-results.rst")
    options, told = parser.parse_args(arguments), program.Told()
    program.finish(options, drawings(options.results, told), told)
    return 0


def draw(found):
    """A panel for each load and fabric: policies side by side, a marker for each balance."""
    rows = [fabric for fabric in FABRICS if any(case.fabric == fabric for case in found)]
    figure, grid = style.new_figure(13, 3.4 * len(rows), len(rows), len(LOADS), sharey="row")
    for row, fabric in zip(grid, rows):
        for axes, name in zip(row, LOADS):
            case = next((one for one in found if (one.fabric, one.load) == (fabric, name)), None)
            if case is None:
                axes.set_visible(False)
            else:
                _draw_case(axes, case)
        row[0].set_ylabel(f"{FABRICS[fabric]}\niteration over plain-ep, ecmp")
    handles = [
        Line2D([], [], linestyle="none", marker=MARKERS[name], color=COLOURS[name], label=name)
        for name in BALANCES
    ]
    handles.append(
        Line2D([], [], linestyle="none", marker="_", color=COLOURS["rails"], label="rails: product of the two gains")
    )
    style.legend(grid[0][-1], handles=handles)
    return figure


def _draw_case(axes, case):
    policies = case.policies()
    for place, policy in enumerate(policies):
        for step, balance in enumerate(BALANCES):
            at = place + 0.17 * (step - 1.5)
            axes.plot(at, case.share(policy, balance), MARKERS[balance], color=COLOURS[balance], markersize=4)
        if policy != PLAIN:
            axes.plot(place + 0.085, case.product(policy, "rails"), "_", color=COLOURS["rails"], markersize=11)
    axes.axhline(1, **style.BOUND)
    axes.set_title(case.load)
    axes.set_xticks(range(len(policies)), policies, rotation=60, ha="right")
    axes.set_ylim(bottom=0)


def interaction_table(found):
    head = ["Fabric", "Load", "Best with rails", "Policy alone", "rails alone", "Product", "Both", "Both/product"]
    rows = [head]
    for case in found:
        policy, alone, balance, product, both = interaction(case)
        shares = (alone, balance, product, both)
        rows.append(
            [case.fabric, case.load, policy, *(f"{share:.3f}" for share in shares), f"{both / product:.3f}"]
        )
    return rows


def policy_table(found):
    """Shares of time under rails over plain-ep under rails, and exposed milliseconds of copies."""
    policies = found[0].policies()
    rows = [["Fabric", "Load", *(policy for policy in policies if policy != PLAIN)]]
    for case in found:
        cells = []
        for policy in policies:
            if policy != PLAIN:
                share = case.seconds(policy, "rails") / case.seconds(PLAIN, "rails")
                cells.append(f"{share:.3f} ({1e3 * exposed(case.results[policy, 'rails']):.1f})")
        rows.append([case.fabric, case.load, *cells])
    return rows


def loss_table(found):
    rows = [["Fabric", "Load", "Policy", "Balances", "Time over plain-ep"]]
    for case in found:
        by_policy = {}
        for policy, balance, ratio in losses(case):
            by_policy.setdefault(policy, []).append((balance, ratio))
        for policy, lost in by_policy.items():
            ratios = [ratio for _, ratio in lost]
            span = f"{min(ratios):.3f} to {max(ratios):.3f}"
            names = "all" if len(lost) == len(BALANCES) else "; ".join(name for name, _ in lost)
            rows.append([case.fabric, case.load, policy, names, span])
    return rows if len(rows) > 1 else [*rows, ["none"] + [""] * 4]


if __name__ == "__main__":
    program.run(main)
