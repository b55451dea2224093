#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws Fig. 7 of MicroMoE from simulated iterations (results of experiments/micro-moe), and prints what
f (1 - 1/r) says of each gain, with f the share of time with experts and r the largest load, and what
Figs. 9, 11 and 13 come to.
"""

from pathlib import Path

from papers import micro_moe_iteration
from rails.plots import program, style
from rails.errors import ResultError
from papers.published import read_published
from rails.reader.result_folder import read_whole

PAPER = Path(__file__).resolve().parents[1] / "experiments" / "micro-moe" / "paper.csv"


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    holds = "the folders micro-moe-iteration, -one-stage and -dispatch, or some of them"
    parser.add_results(holds, "figures/ in micro-moe-iteration")
    options = parser.parse_args(arguments)
    paper = read_published(PAPER)
    folders = {
        name: options.results / f"micro-moe-{name}" for name in ("iteration", "one-stage", "dispatch")
    }
    found = {name: read_whole(path) for name, path in folders.items() if path.is_dir()}
    if not found:
        raise ResultError(options.results, "no micro-moe-iteration, -one-stage or -dispatch in it")
    lines = []
    for name in ("iteration", "one-stage"):
        if name not in found:
            continue
        runs = micro_moe_iteration.read_runs(found[name])
        lines += ["", f"micro-moe-{name}"]
        if name == "iteration":
            own = {place[1:]: value for place, value in paper.items() if place[0] == "figure-07"}
            with style.house_style():
                drawing = micro_moe_iteration.speed(runs, own)
                for path in style.save(drawing, options.figures_to or folders[name] / "figures", "micro-moe-iteration"):
                    print(path)
            lines += micro_moe_iteration.describe_speed(runs, own)
        lines += micro_moe_iteration.describe_formula(runs)
    if "dispatch" in found:
        own = {place[1:]: value for place, value in paper.items() if place[0] == "figure-09"}
        lines += ["", "micro-moe-dispatch", *micro_moe_iteration.describe_dispatch(found["dispatch"], own)]
    print("\n".join(lines).strip("\n"))
    return 0


if __name__ == "__main__":
    program.run(main)
