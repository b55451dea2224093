# SPDX-License-Identifier: GPL-2.0-only
"""Small clusters drawn at random: fabrics, and now and then something else inside servers."""


def draw_fabric(draw, gpus=(1, 2, 4), largest=6):
    """Draws a topology of 2 servers up to so many.

    draw -- random numbers
    gpus -- how many a server may have
    """
    rails = draw.choice(gpus)
    topology = {
        "type": draw.choice(["rail", "rail", "fat-tree", "leaf-spine"]),
        "nic_rate": draw.choice(["100Gbps", "200Gbps", "400Gbps"]),
        "link_delay": draw.choice(["100ns", "500ns", "1us"]),
        "gpus_per_domain": rails,
        "domains": draw.randint(2, largest),
    }
    if topology["type"] == "fat-tree":
        topology["k"] = 4
        topology["domains"] = min(topology["domains"], 16 // rails)
    elif topology["type"] == "leaf-spine":
        topology["leaf_ports"] = draw.choice([2, 4])
        topology["spines"] = draw.randint(1, 3)
    else:
        topology["leaf_ports"] = draw.choice([2, 3, 64])
        leaves = -(-topology["domains"] // topology["leaf_ports"])
        topology["rail_spines"] = draw.randint(1, 2) if leaves > 1 else 0
        topology["spines"] = draw.choice([0, 1, 2])
    return topology


def draw_other_interior(draw, topology):
    """Gives servers an inside that may hold NICs back."""
    rails = topology["gpus_per_domain"]
    kind = draw.choice(["slow nvlink", "pcie to nics", "pairs", "pcie", "shared nics"])
    if kind == "slow nvlink":
        topology["nvlink_rate"] = draw.choice(["400Gbps", "900Gbps"])
    elif kind == "pcie to nics":
        topology["intra"] = {"type": "nvswitch", "pcie_rate": "252Gbps"}
    elif kind == "pairs" and rails > 1:
        topology["intra"] = {"type": "pairs"}
    elif kind == "pcie":
        topology["intra"] = {"type": "pcie", "pcie_switches": min(2, rails), "sockets": 1}
    elif rails > 1:
        topology["nics_per_domain"] = rails // 2
