# SPDX-License-Identifier: GPL-2.0-only
"""The theorems of RailS (arXiv 2510.19262) beside results: experiments/rails/theorems."""

from dataclasses import dataclass

import numpy as np

from . import rail_loads
from rails.plots import style
from .copy_break_even import parse_rate
from rails.errors import ResultError
from rails.plots.page_tables import simple_table

_GPU_BYTES = 64e6  # that a GPU sends in channels.yaml
_HEADERS = 1 + 82 / 4096  # of frames, with preamble and gap
_LOADS = {
    "hot-source": "one GPU sends",
    "hot-destination": "one GPU receives",
    "uniform": "all GPUs send to all",
    "gpu-pair": "the same, a queue pair a GPU pair",
}
_EQUAL = ("uniform", "gpu-pair")  # loads of all GPUs
_LOOKS = {
    "rails": ("#D55E00", "-", "o"),
    "rails 256KB": ("#CC79A7", "--", "D"),
    "even-split": ("#009E73", (0, (1, 1)), "P"),
    "rail-source": ("#E69F00", "-.", "^"),
}
_ORDER = ("rail-source", "rail-destination", "rails whole", "rails 16MB", "rails 4MB", "rails 1MB", "even-split")


def scheme_of(point):
    """Its planner with the size of its chunks, where the sweep has several of them."""
    chunk = point.config.get("balance.chunk", "")
    known = {"rails": {"4MB": ""}} if "topology.nvlink_rate" in (point.result.get("axes") or {}) else {}
    chunk = known.get(point.scheme, {}).get(chunk, chunk) if point.scheme == "rails" else ""
    return f"{point.scheme} {chunk}".strip()


def load_of(point):
    """Which of the three loads of channels.yaml it has, or that of channels-queue-pairs.yaml."""
    if point.config["workload.matrix.type"] == "file":
        return point.config["workload.matrix.path"].rpartition("/")[2].removesuffix(".csv")
    return "uniform" if point.config["transport.qp_per"] == "nic-pair" else "gpu-pair"


def channels(points):
    """By load and scheme: (NVLink over a NIC's rate, channels that are used), by the former."""
    found = {load: {scheme: [] for scheme in _LOOKS} for load in _LOADS}
    for point in points:
        nic = parse_rate(point.config["topology.nic_rate"])
        rate = parse_rate(point.config["topology.nvlink_rate"]) / nic
        # What the busiest server moves: that of one GPU, or of all.
        gpus = point.config["topology.gpus_per_domain"] if load_of(point) in _EQUAL else 1
        used = gpus * _GPU_BYTES * _HEADERS * 8 / point.get("cct_s") / nic
        found[load_of(point)][scheme_of(point)].append((rate, used))
    return {
        load: {scheme: sorted(line) for scheme, line in lines.items()}
        for load, lines in found.items()
        if any(lines.values())
    }


def draw_channels(found, rails=8):
    drawing, grid = style.new_figure(2.2 + 2.6 * len(found), 3.1, 1, len(found), sharey=True)
    for axes, (load, lines) in zip(grid[0], found.items()):
        for scheme, line in lines.items():
            colour, dashes, marker = _LOOKS[scheme]
            axes.plot(*zip(*line), color=colour, linestyle=dashes, marker=marker, markersize=4, label=scheme)
        if load not in _EQUAL:
            rates = np.geomspace(1, 8 * (rails - 1), 200)
            axes.plot(rates, np.minimum(rails, rates + 1), **style.BOUND, label="largest flow")
        axes.axvline(rails - 1, **style.EVENT)
        axes.set_title(_LOADS[load])
        axes.set_xlabel("NVLink over a NIC's rate")
        axes.set_ylim(0, rails + 0.5)
        axes.set_xscale("log")
        axes.set_xticks([1, 2, 4, 7, 14, 28, 56], ["1", "2", "4", "7", "14", "28", "56"])
        axes.minorticks_off()
    grid[0, 0].set_ylabel("NICs' worth of traffic")
    # The first panel has all lines.
    handles, labels = grid[0, 0].get_legend_handles_labels()
    grid[0, -1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0)
    return drawing


def channel_rows(found):
    """The same as a table."""
    rates = sorted({rate for lines in found.values() for line in lines.values() for rate, _ in line})
    rows = [["Load", "Scheme", *(f"{rate:g}" for rate in rates)]]
    for load, lines in found.items():
        for scheme, line in lines.items():
            used = dict(line)
            rows.append([_LOADS[load], scheme, *(f"{used[rate]:.2f}" if rate in used else "" for rate in rates)])
    return rows


@dataclass
class Placed:
    """What a scheme puts on NICs, of one matrix."""

    sent: np.ndarray  # by server and rail
    received: np.ndarray

    def worst(self):
        return max(self.sent.max(), self.received.max())


def unevenness(loads):
    """The busiest NIC over the mean of its server's, at worst; 1 is even."""
    means = loads.mean(axis=1)
    busy = means > 0
    return float((loads.max(axis=1)[busy] / means[busy]).max()) if busy.any() else 1.0


@dataclass
class Case:
    """One random matrix, and what schemes make of it."""

    kind: str
    rails: int
    gpus: np.ndarray  # bytes by source and destination
    placed: dict  # by scheme

    def servers(self):
        count = len(self.gpus) // self.rails
        return rail_loads.between(
            self.gpus.reshape(count, self.rails, count, self.rails).sum(axis=(1, 3))
        )

    def bound(self):
        return rail_loads.closed_form(self.servers(), self.rails)


def cases(points):
    """All matrices of loads.yaml."""
    found = {}
    for point in points:
        rails = point.config["topology.gpus_per_domain"]
        kind = point.config["workload.matrix.type"]
        case = found.setdefault((rails, kind, point.seed), Case(kind, rails, None, {}))
        scheme = scheme_of(point)
        case.placed[scheme] = Placed(np.array(point.get("nic_tx_bytes")), np.array(point.get("nic_rx_bytes")))
        if point.config["record.messages"]:
            case.gpus = _matrix(point, rails)
    for key, case in found.items():
        if case.gpus is None:
            raise ResultError(points[0].folder.parent, f"no messages.csv of the matrix {key}")
    return [case for _, case in sorted(found.items())]


def _matrix(point, rails):
    count = rails * point.config["topology.domains"]
    gpus = np.zeros((count, count), dtype=np.int64)
    messages = point.messages()
    np.add.at(
        gpus,
        (messages["source"].astype(int), messages["destination"].astype(int)),
        messages["bytes"].astype(np.int64),
    )
    return gpus


def check_least(found):
    """How far linear programs are from the closed form, at most, as a part of it; and how many."""
    errors = [
        abs(rail_loads.least_load(case.servers(), case.rails) / case.bound() - 1)
        for case in found
        if case.bound() > 0
    ]
    return max(errors), len(errors)


def check_plans(found):
    """Servers whose plans by RailS are those of a second implementation, and how many there are."""
    same, count = 0, 0
    for case in found:
        for scheme, placed in case.placed.items():
            name, _, chunk = scheme.partition(" ")
            if name != "rails":
                continue
            size = None if chunk == "whole" else int(chunk.removesuffix("MB")) * 1_000_000
            sent, received = rail_loads.longest_first(case.gpus, case.rails, size)
            rows = (sent == placed.sent).all(axis=1) & (received == placed.received).all(axis=1)
            same, count = same + int(rows.sum()), count + len(rows)
    return same, count


def check_even(found):
    """Bytes by which NICs differ at most from a part of 1/N of their servers' sums with even-split."""
    apart = {"sent": 0.0, "received": 0.0}
    for case in found:
        placed = case.placed["even-split"]
        for name, loads in (("sent", placed.sent), ("received", placed.received)):
            apart[name] = max(apart[name], float(np.abs(loads - loads.mean(axis=1, keepdims=True)).max()))
    return apart


def load_rows(found):
    """A row for each cluster, kind of matrix, and scheme: worst NIC over the optimum, and evenness."""
    rows = [["GPUs", "Matrix", "Scheme", "worst NIC / optimum", "largest", "sending", "receiving", "worse than pinned"]]
    groups = sorted({(case.rails, case.kind) for case in found})
    for rails, kind in groups:
        group = [case for case in found if (case.rails, case.kind) == (rails, kind) and case.bound() > 0]
        for scheme in (scheme for scheme in _ORDER if all(scheme in case.placed for case in group)):
            worst = [case.placed[scheme].worst() / case.bound() for case in group]
            pinned = [case.placed["rail-source"].worst() / case.bound() for case in group]
            rows.append(
                [
                    f"{len(group[0].gpus)}",
                    kind,
                    scheme,
                    f"{np.mean(worst):.3f}",
                    f"{max(worst):.3f}",
                    f"{np.mean([unevenness(case.placed[scheme].sent) for case in group]):.3f}",
                    f"{np.mean([unevenness(case.placed[scheme].received) for case in group]):.3f}",
                    f"{sum(one > other for one, other in zip(worst, pinned))} of {len(group)}",
                ]
            )
    return rows


def describe_loads(found):
    lines = []
    if rail_loads.has_solver():
        error, count = check_least(found)
        lines.append(f"{count} linear programs: {error:.1e} from max(row, column) / N at most")
    else:
        lines.append("no linear programs were solved: there is no SciPy (python3-scipy)")
    same, count = check_plans(found)
    lines.append(f"plans of rails by a second implementation: {same} of {count} of servers have the same loads")
    apart = check_even(found)
    lines.append(
        f"even-split: a NIC sends {apart['sent']:.3g} B, and receives {apart['received']:.3g} B, more or less "
        "than 1/N of its server's sum at most"
    )
    return [*lines, "", simple_table(load_rows(found))]
