#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the figures of the demo into DIR/figures/; its tables are those that the sweeps end with."""

import signal
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from railsplots import program
from railsplots.draw import draw
from railsplots.errors import ResultError
from railsplots.results import load

_IGNORE_INTERRUPTION = (signal.SIGINT, signal.SIG_IGN)
WORKLOADS = {
    "mixtral": "Mixtral 8x7B-like dispatch and combine, synthetic routing",
    "sparse": "Sparse all-to-all, one GPU pair in ten, 1/16 of full size",
}


def main(arguments=None):
    parser = program.parser("demo", __doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="holds mixtral/ and sparse/")
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
        for line in drawing.notes + drawing.files:
            print(line)
        for line in drawing.damaged:
            program.complain(line)
            status = program.BAD_INPUT
    return status


if __name__ == "__main__":
    program.run(main)
