# SPDX-License-Identifier: GPL-2.0-only
"""What the trainings of the table ran on, by the type of GPU."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """
    Servers of one kind. Fabrics do not hold anything back: a rail is one switch, since adaptive routing over full
    bisection is what these clusters have, and how far it falls short no source says.
    """

    server: dict  # keys of topology
    device: str  # of compute.profile
    source: str
    domain: int = 8  # GPUs that NVLink joins


MACHINES = {
    "h100": Machine(
        {"server": "dgx-h100"},
        "h100",
        "NVIDIA's data sheets: DGX H100, H100 SXM",
    ),
    "h800": Machine(
        {"server": "h800-deepep"},
        "h800",
        "arXiv 2505.09343: H100 with half the NVLink, eight NICs of 400 Gbps",
    ),
    "b200": Machine({"server": "dgx-b200"}, "b200", "NVIDIA's data sheets: DGX B200"),
    "b300": Machine(
        {"server": "dgx-b200", "nic_rate": "800Gbps", "intra": {"pcie_rate": "863Gbps"}},
        "b300",
        "NVIDIA's data sheet: DGX B300, eight NICs of 800 Gbps at PCIe 6.0 (236 of 256 B, less headers)",
    ),
    "gb200": Machine(
        {"server": "gb200-nvl72"},
        "gb200",
        "NVIDIA's data sheets: GB200 NVL72, a NIC of 400 Gbps for each GPU",
        domain=72,
    ),
    "mi300x": Machine(
        {"gpus_per_domain": 8, "nic_rate": "400Gbps", "nvlink_rate": "2688Gbps"},
        "mi300x",
        "AMD's data sheet: seven links to the others, taken as a switch, 48 GB/s of 64 each in RCCL's topo.h; eight NICs of 400 Gbps",
    ),
    "mi355x": Machine(
        {"gpus_per_domain": 8, "nic_rate": "400Gbps", "nvlink_rate": "2688Gbps"},
        "mi355x",
        "AMD's data sheet: seven links to the others, taken as a switch, 48 GB/s of 76.8 each in RCCL's topo.h; eight NICs of 400 Gbps",
    ),
}


def topology_of(gpu, gpus):
    """The section topology of so many GPUs of a type."""
    machine = MACHINES[gpu]
    size = domain_of(gpu, gpus)
    keys = {"type": "rail", **machine.server, "domains": gpus // size}
    if size != machine.domain:
        keys.update(gpus_per_domain=size, nics_per_domain=size)
    return {**keys, "leaf_ports": max(keys["domains"], 2)}


def domain_of(gpu, gpus):
    """
    GPUs of the training that NVLink joins. Racks of 72 are taken by groups of 64, as Slurm's segments of 16 trays
    have it (ModelZoo e865051, run_deepseek_v3_gb200.sh).
    """
    most = MACHINES[gpu].domain
    if most == 72:
        most = 64
    return min(most, gpus)
