#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Draws the figures of the demo into DIR/figures/, and says which to look at; its tables are those that
the sweeps end with.
"""

import signal
import statistics
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rails.plots import program
from rails.plots.draw import draw
from rails.errors import ResultError
from rails.plots.results import load

_IGNORE_INTERRUPTION = (signal.SIGINT, signal.SIG_IGN)
WORKLOADS = {
    "mixtral": "Mixtral 8x7B-like dispatch and combine, synthetic routing",
    "sparse": "Sparse all-to-all, one GPU pair in ten, 1/16 of full size",
    "free": "The same without congestion control",
}
# The figure to look at first, which has a bar for each scheme and the lower bound.
SHOWN, BESIDE = "sparse", "free"


def main(arguments=None):
    parser = program.parser("demo", __doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="holds mixtral/, sparse/ and free/")
    folder = parser.parse_args(arguments).folder
    loaded, status = {}, 0
    for workload in WORKLOADS:
        try:
            loaded[workload] = load(folder / workload)
        except ResultError as error:
            program.complain(error)
            status = program.BAD_INPUT
    # An interruption is for this process to tell of, not for each of its own.
    with ProcessPoolExecutor(initializer=signal.signal, initargs=_IGNORE_INTERRUPTION) as pool:
        drawn = [
            pool.submit(draw, results, folder / "figures", WORKLOADS[workload], workload + "-")
            for workload, results in loaded.items()
        ]
    for drawing in (future.result() for future in drawn):
        for line in drawing.notes:
            print(line)
        for line in drawing.damaged:
            program.complain(line)
            status = program.BAD_INPUT
    print(f"{sum(len(future.result().files) for future in drawn)} files in {folder / 'figures'}")
    picture = folder / "figures" / f"{SHOWN}-cct.png"
    if SHOWN in loaded and picture.exists():
        print(f"\nThe one to look at first:\n{picture}\n{describe(loaded[SHOWN])}")
        if BESIDE in loaded:
            print(describe_free(loaded[BESIDE]))
    return status


def find_means(results):
    """Times over the bound by scheme, in the mean over seeds, and the same in words."""
    ratios = {}
    for point in results.points:
        ratios.setdefault(point.scheme, []).append(point.ratio)
    means = {scheme: statistics.mean(of_seeds) for scheme, of_seeds in ratios.items()}
    told = ", ".join(f"{scheme} {means[scheme]:.2f}" for scheme in sorted(means, key=means.get))
    return means, told


def describe(results):
    """Two sentences on what the picture of completion times shows."""
    means, told = find_means(results)
    return (
        f"It shows how long an all-to-all takes with each of {len(means)} ways to choose NICs, beside "
        "the lower bound that none can beat.\n"
        f"In the mean over seeds they take so many times the bound: {told}."
    )


def describe_free(results):
    """Two sentences on the same load without congestion control, and why it differs."""
    return (
        f"Without congestion control: {find_means(results)[1]}.\n"
        "They differ since DCQCN lowers the rate of whoever sends to a receiver with a queue, and what "
        "several servers send at once makes one however evenly each of them spreads."
    )


if __name__ == "__main__":
    program.run(main)
