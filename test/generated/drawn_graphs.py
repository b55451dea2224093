# SPDX-License-Identifier: GPL-2.0-only
"""Descriptors of graphs, each run on frames and on flows."""

from typing import NamedTuple

from generated_graphs import make_graph
from programs import Outcome, draw_until_accepted


class DrawnGraph(NamedTuple):
    """A descriptor and what came of it."""

    descriptor: dict
    frames: Outcome
    flows: Outcome
    tolerated: tuple  # outcomes of flows with each of the TOLERANCES

    @property
    def name(self):
        """Name of the descriptor, which has its seed."""
        return self.descriptor["name"]

    @property
    def outcomes(self):
        """Both runs, with the name of the engine."""
        return (("frames", self.frames), ("flows", self.flows))


FLOWS = ("engine.type=flow",)
TOLERANCES = (0.005, 0.02)


def draw_graphs(count):
    """Draws descriptors until so many were accepted.

    returns a list of DrawnGraph of these, and one of those that were refused
    """
    settings = [(), FLOWS] + [(*FLOWS, f"engine.tolerance={part}") for part in TOLERANCES]
    return tuple([DrawnGraph(descriptor, frames, flows, tuple(tolerated))
                  for descriptor, frames, flows, *tolerated in drawn]
                 for drawn in draw_until_accepted(make_graph, count, settings))
