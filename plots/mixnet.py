#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws iterations on MixNet beside those on a fat-tree and a rail-optimized fabric, over the delay of
circuits and over all else that the comparison depends on, and performance per dollar, with the values
of MixNet's paper: results of experiments/mixnet. What is not there is left out.
"""

from functools import partial
from itertools import chain
from pathlib import Path

from papers import mixnet, mixnet_choices, mixnet_cost, mixnet_fits, mixnet_grids, mixnet_pairs, mixnet_tables, mixnet_turns
from rails.plots import program
from rails.errors import ResultError
from rails.reader.result_folder import read_whole

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "experiments" / "mixnet" / "paper.csv"
RANGES = ROOT / "experiments" / "mixnet" / "paper-per-dollar.csv"
MODELS = {"mixnet-8x22b": "Mixtral 8x22B", "mixnet-8x7b": "Mixtral 8x7B"}
OTHER_MODELS = {
    "mixnet-qwen-ep16": "Qwen-MoE, EP 16",
    "mixnet-qwen-ep32": "Qwen-MoE, EP 32",
    "mixnet-llama": "LLaMA-MoE",
}
FIXED = {"mixnet-fixed-8x22b": "Mixtral 8x22B", "mixnet-fixed-8x7b": "Mixtral 8x7B"}
EXPERTS = {
    "Mixtral 8x22B": ("mixnet-experts-8x22b", "mixnet-balanced-8x22b"),
    "Mixtral 8x7B": ("mixnet-experts-8x7b", "mixnet-balanced-8x7b"),
}
TRACE_SPREAD = 0.065  # of sources, with the pair skew of recorded traces
SERVERS = ("mixnet-servers", "mixnet-servers-large")


class Results:
    """The folders that there are, each read once."""

    def __init__(self, path):
        self._path = path
        self.found = 0

    def points(self, name):
        """None where there is no such folder."""
        if not (self._path / name).is_dir():
            return None
        self.found += 1
        return read_whole(self._path / name)

    def cells(self, names):
        """Iterations of models, of folders with the comparison of all fabrics."""
        read = {model: self.points(name) for name, model in names.items()}
        return {model: mixnet.iterations(points) for model, points in read.items() if points}


def fabrics(results, models, papers, told):
    """Figs. 12 and 28."""
    moved = results.points("mixnet-delay")
    moved = mixnet.delays(moved) if moved else {}
    for model, found in models.items():
        told.lines += [f"{model}, {line}" for line in mixnet.describe(found, papers[model])]
    told.lines += mixnet.describe_delays(moved)
    if models:
        told.tables["fabrics"] = mixnet_tables.fabrics(models, papers)
        told.tables["fits"] = mixnet_fits.table_fits(models, papers)
    if models or moved:
        yield "mixnet", mixnet.draw(models, papers, moved)


def other_models(results, others, told):
    """Fig. 12 of models whose compute times nobody has published."""
    points = results.points("mixnet-qwen-loads")
    if points:
        paper = mixnet.read_paper(PAPER, "Qwen-MoE")
        found = mixnet_grids.loads(points)
        told.add("loads", mixnet_grids.describe_loads(found, paper), mixnet_tables.loads(found, paper))
    points = results.points("mixnet-qwen-why")
    if points:
        found = mixnet_pairs.causes(points)
        papers = {model: mixnet.read_paper(PAPER, model) for model in {key[0] for key in found}}
        told.add("causes", mixnet_pairs.describe_causes(found), mixnet_pairs.table_causes(found, papers))
    papers = {model: mixnet.read_paper(PAPER, model) for model in others}
    for model, cells in others.items():
        told.lines += [f"{model}, {line}" for line in mixnet.describe(cells, papers[model])]
    if others:
        told.tables["models"] = mixnet_tables.fabrics(others, papers)
        yield "mixnet-models", mixnet.draw(others, papers, {})


def per_dollar(models, others, costs, told):
    """Figs. 11 and 13, and models that Fig. 13 does not have."""
    papers = {model: mixnet.read_paper(PAPER, model) for model in {**models, **others}}
    ranges = mixnet_cost.read_ranges(RANGES)
    told.lines += mixnet_cost.describe_costs(costs)
    told.lines += mixnet_cost.describe(models, papers, ranges, costs, "./rails cost")
    told.tables["per-dollar"] = mixnet_tables.per_dollar(
        {**models, **others}, papers, ranges, costs, "./rails cost"
    )
    yield "mixnet-cost", mixnet_cost.draw_costs(costs, ranges)
    yield "mixnet-per-dollar", mixnet_cost.draw_gains(models, papers, ranges, costs, "./rails cost")


def loads(results, models, told):
    """Panels with the public matrix in place of loads that drift."""
    fixed = results.cells(FIXED)
    if fixed:
        of_paper = {model: mixnet.read_paper(PAPER, model) for model in fixed}
        told.tables["fixed"] = mixnet_tables.fabrics(fixed, of_paper)
    for model, cells in fixed.items():
        paper = mixnet.read_paper(PAPER, model)
        told.lines += [f"public matrix, {model}, {line}" for line in mixnet.describe(cells, paper)]
        drifting = models.get(model, {})
        yield partial(mixnet_grids.draw_fixed, model=model, drifting=drifting, fixed=cells, paper=paper)


def experts(results, told):
    """Balanced experts in place of circuits, and over them."""
    read = {model: [results.points(name) or [] for name in names] for model, names in EXPERTS.items()}
    balanced = {model: mixnet_grids.experts([*chain(*points)]) for model, points in read.items() if any(points)}
    if not balanced:
        return
    lines = [line for model, found in balanced.items() for line in mixnet_grids.describe_experts(model, found)]
    told.add("experts", lines, mixnet_tables.experts(balanced))
    yield "mixnet-experts", mixnet_grids.draw_experts(balanced)


def grids(results, models, costs, told):
    """All else that is varied, a panel each."""
    panels = []
    points = results.points("mixnet-alpha")
    if points:
        found = mixnet_grids.alphas(points)
        told.add("alphas", mixnet_grids.describe_alphas(found), mixnet_tables.alphas(found))
        panels.append(partial(mixnet_grids.draw_alphas, found=found))
    points = results.points("mixnet-static")
    for spread, own in mixnet_grids.by_spread(points or []).items():
        found = mixnet_grids.statics(own)
        lines = mixnet_grids.describe_statics(found, spread)
        if spread == TRACE_SPREAD:  # of which iterations on the fat-tree are not run
            told.add("statics-trace", lines, mixnet_tables.statics(found, {}))
        else:
            told.add("statics", lines, mixnet_tables.statics(found, models))
            panels.append(partial(mixnet_grids.draw_statics, found=found))
    read = [results.points(name) for name in SERVERS]
    found = {key: time for points in read if points for key, time in mixnet_grids.servers(points).items()}
    if found:
        ratio = costs["fat-tree", 400] / costs["mixnet", 400] if costs else None
        told.add("servers", mixnet_grids.describe_servers(found, ratio), mixnet_tables.servers(found))
        panels.append(partial(mixnet_grids.draw_servers, found=found))
    points = results.points("mixnet-compute")
    if points:
        found = mixnet_grids.computes(points)
        papers = {model: mixnet.read_paper(PAPER, model) for model, *_ in found}
        told.add("computes", mixnet_grids.describe_computes(found, papers), mixnet_tables.computes(found, papers))
        panels.append(partial(mixnet_grids.draw_computes, found=found, papers=papers))
    points = results.points("mixnet-oversubscribed")
    ratios = mixnet_grids.over_mixnet(mixnet_grids.oversubscribed(points), models) if points else {}
    if ratios:
        lines = mixnet_grids.describe_oversubscribed(ratios)
        told.add("oversubscribed", lines, mixnet_tables.oversubscribed(ratios))
        panels.append(partial(mixnet_grids.draw_oversubscribed, ratios=ratios))
    panels += loads(results, models, told)
    if panels:
        yield "mixnet-grids", mixnet_grids.draw(panels)


def choices(results, models, told):
    """TopoOpt, pooled NICs, options, failures: a panel each."""
    papers = {model: mixnet.read_paper(PAPER, model) for model in MODELS.values()}
    panels = []
    names = ("mixnet-topoopt-8x22b", "mixnet-topoopt-8x7b")
    found = {}
    for name in names:
        found.update(mixnet_choices.topoopt(results.points(name) or []))
    if found:
        lines = mixnet_choices.describe_topoopt(found, models, papers)
        told.add("topoopt", lines, mixnet_choices.table_topoopt(found, models, papers))
        panels.append(partial(mixnet_choices.draw_topoopt, found=found, models=models, papers=papers))
    found = {}
    for name in ("mixnet-rings-8x22b", "mixnet-rings-8x7b"):
        found.update(mixnet_fits.rings(results.points(name) or []))
    if found:
        told.tables["rings"] = mixnet_fits.table_rings(found, models, papers)
    points = results.points("mixnet-pooled")
    if points:
        found = mixnet_choices.pooled(points)
        lines = mixnet_choices.describe_pooled(found, models)
        told.add("pooled", lines, mixnet_choices.table_pooled(found, models, papers))
        panels.append(partial(mixnet_choices.draw_pooled, found=found, models=models, papers=papers))
    found = {}
    for name in ("mixnet-failures", "mixnet-failures-r1"):
        found.update(mixnet_choices.failures(results.points(name) or []))
    if found:
        told.add("failures", mixnet_choices.describe_failures(found), mixnet_choices.table_failures(found))
        panels.append(partial(mixnet_choices.draw_failures, found=found))
    found = mixnet_choices.failed_gpus(results.points("mixnet-failures-where") or [])
    if found:
        rows = mixnet_choices.table_failed_gpus(found)
        told.add("failed-gpus", mixnet_choices.describe_failed_gpus(found), rows)
    points = results.points("mixnet-options")
    if points:
        found = mixnet_choices.options(points)
        told.add("options", mixnet_choices.describe_options(found), mixnet_choices.table_options(found))
        panels.append(partial(mixnet_choices.draw_options, found=found))
    if panels:
        yield "mixnet-choices", mixnet_choices.draw(panels)


def turns(results, told):
    """Circuits of one direction that take turns."""
    points = results.points("mixnet-birkhoff")
    if points:
        found = mixnet_turns.turns(points)
        told.add("turns", mixnet_turns.describe(found), mixnet_turns.table(found))
        yield "mixnet-turns", mixnet_turns.draw(found)


def pairs(results, told):
    """Pair skew and the delay of circuits; and by packets what else is by flows."""
    points = results.points("mixnet-pairs")
    if points:
        found = mixnet_pairs.pairs(points)
        told.add("pairs", mixnet_pairs.describe_pairs(found), mixnet_pairs.table_pairs(found))
        told.tables["wins"] = mixnet_pairs.table_wins(found)
        yield "mixnet-pairs", mixnet_pairs.draw_pairs(found)
    points = results.points("mixnet-packets")
    if points:
        found = mixnet_pairs.packets(points)
        told.add("packets", mixnet_pairs.describe_packets(found), mixnet_pairs.table_packets(found))
        told.tables["packet-orders"] = mixnet_pairs.table_packet_orders(found)


def drawings(options, told):
    """Figures of what is there, by name."""
    results = Results(options.results)
    models, others = results.cells(MODELS), results.cells(OTHER_MODELS)
    papers = {model: mixnet.read_paper(PAPER, model) for model in models}
    costs = mixnet_cost.ask_costs(options.cost) if models or options.cost else {}
    yield from fabrics(results, models, papers, told)
    if models:
        yield from per_dollar(models, others, costs, told)
    yield from other_models(results, others, told)
    yield from grids(results, models, costs, told)
    yield from experts(results, told)
    yield from choices(results, models, told)
    yield from turns(results, told)
    yield from pairs(results, told)
    if not results.found:
        raise ResultError(options.results, f"no folder {', '.join(MODELS)} or mixnet-delay in it")


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_results("folders named as the descriptors of experiments/mixnet, or some of them")
    parser.add_argument(
        "--cost", metavar="FILE", type=Path, help="what ./rails cost --json wrote; default: it is asked"
    )
    parser.add_page(name="doc/mixnet-results.rst")
    options, told = parser.parse_args(arguments), program.Told()
    program.finish(options, drawings(options, told), told)
    return 0


if __name__ == "__main__":
    program.run(main)
