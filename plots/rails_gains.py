#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws RailS beside its baselines, with the ranges that its paper publishes, and what comes after it:
results of experiments/rails. What is not there is left out.
"""

from pathlib import Path

from papers import rails_after, rails_apart, rails_chunks, rails_figures, rails_iterations, rails_published, rails_ranges, rails_reasons
from papers import rails_sizes
from rails.plots import program
from papers import rails_grid as grid
from rails.errors import ResultError

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "experiments" / "rails" / "paper.csv"
AFTER = ROOT / "experiments" / "rails" / "published" / "paper.csv"
SIZES = {"8x8": "", "16x8": "-16x8", "8x8-automatic": "-automatic"}  # servers and GPUs of each, and how the names of their tables end
SHORT = ("ranges", "time-baselines", "cells-none", "plans")  # tables of all sizes but the first


def read(results, name, place_of, name_of=None):
    """Cells of a grid, whose folder may stand in that of its question; nothing without one."""
    for folder in (*sorted(results.glob(f"*/{name}")), results / name):
        if folder.is_dir():
            return grid.read(folder, place_of, name_of)
    return {}


def collectives(found, ranges, end, told):
    """One dispatch: published ranges beside ours, by baseline and by load."""
    told.lines += rails_ranges.describe(found, ranges)
    tables = {"ranges": rails_ranges.summary_table(found, ranges)}
    for name in ("time", "busbw"):
        tables[f"{name}-baselines"] = rails_ranges.baseline_table(found, ranges[name])
        tables[f"{name}-loads"] = rails_ranges.load_table(found, ranges[name])
    tables["time-fine"] = rails_ranges.baseline_table(found, ranges["time"], "rails 256 KB")
    for control in grid.controls_of(found):
        tables[f"cells-{control}"] = rails_ranges.cell_table(found, ranges["time"], control)
    tables["factors"] = rails_reasons.factor_table(found)
    tables["plans"] = rails_reasons.plan_table(found)
    tables["marks"] = rails_reasons.mark_table(found)
    told.tables.update({f"{name}{end}": rows for name, rows in tables.items() if not end or name in SHORT})
    yield f"rails-gains{end}", rails_figures.draw_gains(found, ranges)
    if not end:
        yield "rails-bounds", rails_figures.draw_bounds(found)
        yield "rails-factors", rails_reasons.draw(found)


def iterations(found, published, told):
    """Iterations of Mixtral."""
    told.lines += rails_iterations.describe(found, published)
    told.tables["iterations"] = rails_iterations.baseline_table(found, published)
    told.tables["iteration-cells"] = rails_iterations.cell_table(found, published)
    told.tables["paths"] = rails_iterations.path_table(found)
    yield "rails-iterations", rails_iterations.draw(found, published)


def after(found, end, told):
    """What comes after RailS, cell by cell."""
    told.lines += rails_after.describe(found)
    told.tables[f"after{end}"] = rails_after.summary_table(found)
    told.tables[f"after-cells{end}"] = rails_after.cell_table(found)
    if rails_after.has_rails(found):
        told.tables[f"after-behind{end}"] = rails_after.behind_table(found)


def published(results, told):
    """NIMBLE and FAST beside what is published of them."""
    found = {}
    for name in rails_published.GRIDS:
        found.update(read(results, name, rails_published.place))
    ratios = rails_published.read_ratios(AFTER)
    if any(rails_published.ours(found, ratio.scheme) for ratio in ratios):
        told.tables["after-published"] = rails_published.table(found, ratios)
        yield "rails-published", rails_published.draw(found, ratios)


def apart(results, told):
    """Grids that vary one thing."""
    for name, (place_of, name_of, table) in rails_apart.TABLES.items():
        found = read(results, name, place_of, name_of)
        if found:
            told.lines.append(f"{name}: {sum(map(len, found.values()))} runs")
            told.tables[name] = table(found)
            if name == "apart-pieces":
                yield "rails-pieces", rails_apart.draw_pieces(found)


def chunks(results, told):
    """What chunks are worth, and the order in which they are dealt."""
    for name in ("chunks", "chunks-others"):
        found = read(results, name, rails_chunks.chunk)
        told.lines += [f"{name}: {line}" for line in rails_chunks.describe(found)]
        if found and name == "chunks":
            told.tables["chunks"] = rails_chunks.law_table(found)
            told.tables["chunks-schemes"] = rails_chunks.scheme_table(found, 16)
            yield "rails-chunks", rails_chunks.draw(found)
    found = read(results, "turns", rails_chunks.turn, rails_chunks.turn_name)
    if found:
        told.lines.append(f"turns: {sum(map(len, found.values()))} runs")
        told.tables["turns"] = rails_chunks.turn_table(found)
        yield "rails-turns", rails_chunks.draw_turns(found)


def drawings(results, told):
    """Figures of what is there, by name."""
    ranges = rails_ranges.read_ranges(PAPER)
    told.tables["arithmetic"] = rails_ranges.arithmetic_table(ranges)
    for servers, end in SIZES.items():
        before = read(results, f"collectives-{servers}", grid.collective)
        if before:
            told.lines.append(f"collectives-{servers}:")
            yield from collectives(before, ranges, end, told)
        found = read(results, f"after-{servers}", grid.collective)
        if found:
            told.lines.append(f"after-{servers}:")
            after(rails_after.cells(found, before), end, told)
    found = read(results, "collectives-16x8-automatic", grid.collective)
    if found:
        told.lines.append(f"collectives-16x8-automatic: {sum(map(len, found.values()))} runs")
        told.tables["bounds-16x8"] = rails_reasons.bound_table(found)
    found = read(results, "iterations", rails_iterations.iteration)
    if found:
        told.lines.append("iterations:")
        yield from iterations(found, ranges["iteration"], told)
    found = read(results, "sizes", rails_sizes.size)
    if found:
        told.lines.append(f"sizes: {sum(map(len, found.values()))} runs")
        told.tables["sizes"] = rails_sizes.table(found)
        yield "rails-sizes", rails_sizes.draw(found)
    yield from published(results, told)
    yield from chunks(results, told)
    yield from apart(results, told)
    if not told.lines:
        raise ResultError(results, "no result of collectives-8x8, iterations or after-8x8 in it")


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_results("folders named as the descriptors of experiments/rails, or some of them")
    parser.add_page(name="doc/rails-results.rst")
    options, told = parser.parse_args(arguments), program.Told()
    program.finish(options, drawings(options.results, told), told)
    return 0


if __name__ == "__main__":
    program.run(main)
