#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws iterations on MixNet beside those on a fat-tree and a rail-optimized fabric, and over the delay
of circuits, with the values of MixNet's paper: results of experiments/mixnet. What is not there is
left out.
"""

from pathlib import Path

from railsplots import mixnet, program, style
from railsplots.errors import ResultError
from railsplots.result_folder import read_whole

PAPER = Path(__file__).resolve().parents[1] / "experiments" / "mixnet" / "paper.csv"
MODELS = {"mixnet-8x22b": "Mixtral 8x22B", "mixnet-8x7b": "Mixtral 8x7B"}


def main(arguments=None):
    parser = program.parser("mixnet", __doc__)
    parser.add_argument(
        "--results",
        metavar="DIR",
        type=Path,
        default=Path("results"),
        help="holds the folders mixnet-8x22b, mixnet-8x7b and mixnet-delay, or some of them",
    )
    parser.add_argument("--figures-to", metavar="DIR", type=Path, help="default: the folder of results")
    options = parser.parse_args(arguments)
    models = {
        model: mixnet.iterations(read_whole(options.results / name))
        for name, model in MODELS.items()
        if (options.results / name).is_dir()
    }
    folder = options.results / "mixnet-delay"
    moved = mixnet.delays(read_whole(folder)) if folder.is_dir() else {}
    if not models and not moved:
        raise ResultError(options.results, f"no folder {', '.join(MODELS)} or mixnet-delay in it")
    papers = {model: mixnet.read_paper(PAPER, model) for model in models}
    with style.house_style():
        drawing = mixnet.draw(models, papers, moved)
        for path in style.save(drawing, options.figures_to or options.results, "mixnet"):
            print(path)
    for model, found in models.items():
        for line in mixnet.describe(found, papers[model]):
            print(f"{model}, {line}")
    for line in mixnet.describe_delays(moved):
        print(line)
    return 0


if __name__ == "__main__":
    program.run(main)
