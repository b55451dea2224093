# SPDX-License-Identifier: GPL-2.0-only
"""Exchanges of tokens that others have measured, predicted: nothing is fitted for these."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from math import comb

from rails.errors import Error

from .machines import domain_of, topology_of
from .rule import PIECE, experiment

_ELEMENT = {"fp8": 1, "bf16": 2}
# 64 B from server to server take 2.8 us below a leaf of InfiniBand and 3.7 us over a spine, 3.6 and 5.6 us over RoCE
# (arXiv 2505.09343, Table 5). Two more switches, and cables of 500 ns: so much is left for a switch and for a NIC.
_LATENCIES = {"ib": ("450ns", "675ns"), "roce": ("1us", "800ns")}
_SCALES = 1 + 4 / 128  # DeepEP counts a scale of 4 bytes for 128 numbers of FP8


@dataclass(frozen=True)
class Exchange:
    """A row of communication.csv."""

    name: str
    study: str
    system: str
    gpu: str
    nic: str
    operation: str
    gpus: int
    tokens: int
    top_k: int
    precision: str
    size: int  # bytes of a buffer, of collectives of NCCL
    value: float
    unit: str
    hidden: int = 7168

    @property
    def is_time(self):
        return self.unit in ("us", "ms")

    @property
    def experts(self):
        """256, as DeepSeek-V3; HybridEP's test has eight on each GPU."""
        return 8 * self.gpus if self.study == "hybrid-ep" else 256

    @property
    def sends_pairs(self):
        """A token once for each of its experts: NCCL, and the kernels that save latency, not bytes."""
        return self.system == "NCCL" or "low-latency" in self.system


def read_exchanges(path):
    """Rows that are predicted, and pairs of a name and a reason of those that are not."""
    rows, left = [], []
    with open(path, newline="", encoding="utf-8") as file:
        for cells in csv.DictReader(file):
            if cells["use"] == "no":
                left.append((cells["row"], cells["reason"]))
                continue
            size = cells["size"].removesuffix(" MiB")
            rows.append(
                Exchange(
                    cells["row"],
                    cells["study"],
                    cells["system"],
                    cells["gpu"],
                    cells["nic"],
                    cells["operation"],
                    int(cells["gpus"]),
                    int(cells["tokens"] or 0),
                    int(cells["top_k"] or 0),
                    cells["precision"] or "bf16",
                    int(size or 0) << 20,
                    float(cells["value"]),
                    cells["unit"],
                )
            )
    return rows, left


def descriptor_of(row):
    """What is run for a row, by one rule."""
    topology = topology_of(row.gpu, row.gpus)
    if row.nic.startswith("10x"):
        topology.update(nics_per_domain=10)
    elif "16xEFA" in row.nic or row.study == "uccl-ep" and row.gpu == "h100":
        topology.update(nics_per_domain=16, nic_rate="200Gbps")
    switch, nic = _LATENCIES["ib" if "IB" in row.nic or row.nic.startswith("CX7") else "roce"]
    topology.update(switch_latency=switch, nic_latency=nic)
    descriptor = experiment(row.name, topology, _workload(row), {"type": "flow"})
    if topology.get("nics_per_domain") == 16:
        descriptor["balance"] = "even-split"  # UCCL's proxies take both NICs of a GPU (ep/src/rdma.cpp of da914a20)
    return descriptor


def _workload(row):
    if row.operation == "all-reduce":
        return {"type": "ring", "operation": "all-reduce", "bytes": f"{row.size}B", "rings": "automatic"}
    if row.operation == "all-to-all":
        matrix = {"type": "uniform", "bytes_per_pair": f"{row.size // row.gpus}B", "intra": True}
        return {"type": "all-to-all", "matrix": matrix}
    matrix = {
        "type": "moe",
        "tokens_per_gpu": row.tokens,
        "top_k": row.top_k,
        "hidden": row.hidden * 33 // 32 if row.precision == "fp8" else row.hidden,  # with scales, see _SCALES
        "bytes_per_element": f"{_ELEMENT[row.precision]}B",
        "experts": row.experts,
    }
    phases = {"dispatch": ["dispatch"], "combine": ["combine"], "round trip": ["dispatch", "combine"]}[row.operation]
    exchange = "pairs" if row.sends_pairs else {"type": "deduplicated", "piece": PIECE}
    return {"type": "all-to-all", "matrix": matrix, "exchange": exchange, "phases": phases}


def value_of(row, seconds):
    """What a time comes to in the unit of a row."""
    if row.is_time:
        return seconds * {"us": 1e6, "ms": 1e3}[row.unit]
    if row.operation == "all-reduce":
        return row.size / seconds * 2 * (row.gpus - 1) / row.gpus / 1e9
    if row.operation == "all-to-all":
        return row.size / seconds * (row.gpus - 1) / row.gpus / 1e9
    return counted_bytes(row) / seconds / 1e9


def counted_bytes(row):
    """
    The bytes that a bandwidth counts. Kernels that save latency count a token once for each expert; the others
    (test_internode.py and test_intranode.py of DeepEP v1.2.1) once for each server that it goes to, its own included,
    or, on one server, once for each GPU.
    """
    vector = row.hidden * (_SCALES if row.precision == "fp8" else 2)
    if row.sends_pairs:
        return row.tokens * row.top_k * vector
    size = domain_of(row.gpu, row.gpus)
    places = row.gpus // size if row.gpus > size else row.gpus
    return row.tokens * vector * _reached(row.experts, places, row.top_k)


def _reached(experts, places, chosen):
    """How many places a token goes to in the mean, of so many that share the experts evenly."""
    others = experts - experts // places
    return places * (1 - comb(others, chosen) / comb(experts, chosen))


def run_exchange(runner, row):
    """
    The value that is predicted for a row.

    :raises Error: where the run fails
    """
    result = runner.run_descriptor(row.name, descriptor_of(row))
    if not result.get("cct_s"):
        raise Error(row.name, "the run has no completion time")
    return value_of(row, result["cct_s"])


def error_of(row, value):
    """How much longer it takes than measured, as a share: a bandwidth that is too high is below 0."""
    return value / row.value - 1 if row.is_time else row.value / value - 1
