# SPDX-License-Identifier: GPL-2.0-only
"""Exchanges between servers of every inside, each run on frames and on flows."""

from typing import NamedTuple

from generated_interiors import make_interior
from programs import Outcome, draw_until_accepted


class DrawnInterior(NamedTuple):
    """A descriptor and what came of it."""

    descriptor: dict
    frames: Outcome
    flows: Outcome

    @property
    def name(self):
        """Name of the descriptor, which has its seed."""
        return self.descriptor["name"]

    @property
    def part(self):
        """Which part of the frames' time the flows take."""
        return self.flows.result["cct_s"] / self.frames.result["cct_s"]

    @property
    def message_bytes(self):
        """Bytes of a message between servers, in the mean."""
        sent = sum(map(sum, self.frames.result["nic_tx_bytes"]))
        return sent / max(1, self.frames.result["messages"])


def draw_interiors(count):
    """Draws descriptors until so many were accepted; returns a list of DrawnInterior."""
    accepted, _ = draw_until_accepted(make_interior, count, [(), ("engine.type=flow",)])
    return [DrawnInterior(*drawn) for drawn in accepted]
