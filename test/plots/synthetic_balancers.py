# SPDX-License-Identifier: GPL-2.0-only
"""
Made-up results of the experiments in experiments/load-balancing, for tests of the plots only: what
the descriptors would give if runs found about what the paper has.
"""

import csv
import json
from pathlib import Path

BALANCE = {
    "Flow": ("flow", "ecmp"),
    "Subflow": ({"type": "subflow", "count": 4}, "ecmp"),
    "Flowlet": ("plb", "ecmp"),
    "Host Pkt": ("spray", "ecmp"),
    "Switch Pkt": ("flow", {"type": "round-robin", "reshuffle": 5}),
    "Host AR": ("reps", "ecmp"),
    "Switch AR": ("flow", "adaptive"),
    "Simple RR": (
        "flow",
        {"type": "round-robin", "reshuffle": 0, "own_ack_counter": True},
    ),
    "Simple RR, shared": ("flow", {"type": "round-robin", "reshuffle": 0}),
    "JSQ": ("flow", "jsq"),
    "RSQ": ("flow", "random"),
    "Host DR": ("destination-rotation", "ecmp"),
    "Ofan": ("flow", "ofan"),
}
BOUND_S = 17.05694e-6
STAGES = ("nic_tx", "edge_up", "agg_up", "core_down", "agg_down", "leaf_down")


def write_run(folder, scheme, seed, increase, *, workload="permutation", links=None, **changes):
    """
    One run's folder.
    :param increase: of the completion time over the bound, in percent
    :param links: rows of links.csv as mappings, or None
    :param changes: keys of the effective descriptor, "__" for "."
    """
    host, switch = (
        {"type": side} if isinstance(side, str) else dict(side) for side in BALANCE[scheme]
    )
    config = {
        "topology": {"type": "fat-tree", "k": 8},
        "transport": {
            "mtu": "4096B",
            "data_header": "0B",
            "ack_class": "data",
            "echo": "ack-own-mark",
            "congestion_control": {"type": "fixed-rate", "jitter": 0.01},
        },
        "workload": {"type": workload, "bytes": "1MiB"},
        "balance": {"type": "ecmp", "host": host, "switch": switch},
    }
    if workload == "all-to-all":
        config["workload"] = {"type": workload, "matrix": {"bytes_per_pair": "1MiB"}}
    for key, value in changes.items():
        *above, last = key.split("__")
        place = config
        for part in above:
            place = place.setdefault(part, {})
        place[last] = value
    cct = BOUND_S * (1 + increase / 100)
    result = {
        "name": "synthetic",
        "status": 0,
        "seed": seed,
        "config": config,
        "cct_s": cct,
        "cct_sender_s": cct,
        "slowest_flow_s": cct,
        "lower_bound_s": 0.9 * BOUND_S,
        "published_bound_s": BOUND_S,
        "cct_over_bound": cct / BOUND_S / 0.9,
        "queue_max_bytes": 50_000,
    }
    folder = Path(folder)
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(json.dumps(result))
    if links is not None:
        columns = "port_class,data_frames,queue_mean_bytes,queue_max_bytes".split(",")
        with open(folder / "links.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, restval="")
            writer.writeheader()
            writer.writerows(links)


def write_bars(results, name, values, seeds=(1, 2, 3), **options):
    """Runs of a figure without further axes; seed s has s - 2 percent of the value more."""
    for scheme, value in values.items():
        for seed in seeds:
            place = Path(results) / name / f"{scheme},seed={seed}"
            write_run(place, scheme, seed, value * (1 + (seed - 2) / 100), **options)


def write_growth(results, exponents, name="queue-growth", **keys):
    """Runs whose mean queues grow with these powers of the message; the longest is 3 times that."""
    for scheme, exponent in exponents.items():
        for size in (1, 2, 4, 8):
            for seed in (1, 2, 3):
                mean = 4178 * (1 + 0.01 * seed) * (256 * size) ** exponent
                links = [
                    {
                        "port_class": stage,
                        "data_frames": 256 * size,
                        "queue_mean_bytes": mean if stage == "agg_down" else 0.5 * mean,
                        "queue_max_bytes": 3 * mean,
                    }
                    for stage in STAGES
                ]
                label = "".join(f"{key}={value}," for key, value in keys.items())
                folder = Path(results) / name / f"{scheme},{label}bytes={size}MiB,seed={seed}"
                changes = {"workload__bytes": f"{size}MiB", **keys}
                write_run(folder, scheme, seed, 10, links=links, **changes)
