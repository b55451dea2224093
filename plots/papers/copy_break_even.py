# SPDX-License-Identifier: GPL-2.0-only
"""From how many tokens on is a copy of an expert worth its way?"""

from dataclasses import dataclass

import numpy as np

from rails.errors import ResultError

POLICIES = ("llep", "perfect-balance", "echo", "moon-ep")
# Bytes of a copy, and operations of a token, both over hidden times intermediate width.
_WEIGHTS, _FORWARD, _BOTH = 6, 6, 18
_MATRICES = 3


@dataclass(frozen=True)
class Case:
    """What is the same along a line of the sweep."""

    link: str
    width: int  # of an expert
    gradient: int  # bytes of an element
    policy: str


@dataclass(frozen=True)
class Outcome:
    """Tokens at which a gain changes its sign, over F / BW."""

    case: Case
    fetches: int  # of the weights
    forward: float
    both: float
    expected_both: float

    @property
    def error(self):
        return self.both / self.expected_both - 1


def break_even(points):
    """Outcomes of all cases, in the order of the table."""
    runs = {}
    for point in points:
        runs.setdefault(_case(point), {})[_tokens(point)] = point
    found = []
    for case, own in sorted(runs.items(), key=lambda item: _order(item[0])):
        if case.policy == "plain-ep":
            continue
        plain = runs.get(Case(case.link, case.width, case.gradient, "plain-ep"))
        if plain is None or plain.keys() != own.keys():
            raise ResultError(next(iter(own.values())).folder.parent, f"{case}: not the same in plain-ep")
        found.append(_outcome(case, own, plain))
    return found


def _case(point):
    config = point.config
    link = "NVLink" if config["topology.domains"] == 1 else "NIC"
    gradient = int(str(config["workload.bytes_per_gradient"]).removesuffix("B"))
    width = config["workload.model.expert_ffn"]
    return Case(link, width, gradient, config["workload.experts.type"])


def _order(case):
    return (case.width, case.link, case.gradient, case.policy)


def _tokens(point):
    return point.config["workload.batch.micro"] * point.config["workload.batch.sequence"]


def _outcome(case, own, plain):
    moved, forward, both = [], [], []
    for tokens, point in sorted(own.items()):
        ratio = point.get("expert_max_over_mean_before") - point.get("expert_max_over_mean")
        moved.append(ratio * tokens)
        forward.append(_end_of_forward(plain[tokens]) - _end_of_forward(point))
        both.append(plain[tokens].get("iteration_s") - point.get("iteration_s"))
    kinds = {kind["name"]: kind for kind in point.get("graph")["kinds"]}
    bytes_of_copy = _MATRICES * point.config["workload.model.hidden"] * case.width * 2
    fetches = round(kinds["expert-weights"]["bytes"] / bytes_of_copy)
    whole = get_whole(point)
    moved_bytes = _WEIGHTS * fetches + _MATRICES * case.gradient
    return Outcome(
        case, fetches, _crossing(moved, forward) / whole, _crossing(moved, both) / whole, moved_bytes / _BOTH
    )


def get_whole(point):
    """F / BW: tokens that a GPU computes, forward, while a copy crosses its link."""
    config = point.config
    rate = "nvlink_rate" if config["topology.domains"] == 1 else "nic_rate"
    flops = config["workload.compute.peak"] * config["workload.compute.efficiency"]
    return flops * 8 / parse_rate(config[f"topology.{rate}"])


def parse_rate(text):
    """Bits per second of a rate as a descriptor has it."""
    for unit, factor in (("Tbps", 1e12), ("Gbps", 1e9), ("Mbps", 1e6), ("Kbps", 1e3), ("bps", 1)):
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * factor
    raise ValueError(text)


def _end_of_forward(point):
    """When the last token is back from its expert: nothing forward comes behind one layer's combine."""
    return max(point.ends_of("combine"))


def _crossing(places, heights):
    """Where a line through points that rise comes to zero; NaN where it does not."""
    if min(heights) > 0 or max(heights) < 0:
        return float("nan")
    return float(np.interp(0, heights, places))


def describe(outcomes):
    """A line for each case, and one for what is far from its expectation."""
    lines = []
    for found in outcomes:
        case = found.case
        lines.append(
            f"width {case.width}, {case.link}, gradient {case.gradient} B, {case.policy}: weights "
            f"{found.fetches} times; forward {found.forward:.2f}, with the way back {found.both:.2f} "
            f"of F/BW (expected 1.00 and {found.expected_both:.2f}: {found.error:+.0%})"
        )
    return lines
