# SPDX-License-Identifier: GPL-2.0-only
"""Runs random trainings with and without engine.symmetry, and compares all that comes out.

Usage: folded_trainings.py PROGRAM [--mode exact|close] [--count N] [--seed N]

Goes on until N trainings were folded, and prints how many were, why others were not, and what
differed. Not part of the suite, which has some of these trainings (replica-fold-run-test.cc).
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ORDERS = ["tp-cp-ep-dp-pp"] * 4 + ["tp-pp-cp-ep-dp", "tp-cp-dp-ep-pp", "ep-pp-dp-tp-cp"]
OWN = ["key", "wall_s", "peak_rss_bytes", "symmetry", "config", "notes", "events"]
MOST_OFF = 0.005  # of the time of an iteration, where it is close only


def draw_training(seed):
    """returns a descriptor, which may not fit together"""
    draw = random.Random(seed)
    per_domain = draw.choice([1, 2, 4, 4, 8])
    pp = draw.choice([1, 1, 2, 2, 4])
    ep = draw.choice([1, 2, 4, 8, 16])
    etp = draw.choice([1, 1, 1, 2])
    replicas = draw.choice([3, 3, 4, 5, 6, 8, 12])
    gpus = pp * ep * etp * replicas
    tp = draw.choice([1, 1, 1, 2, 4])
    cp = draw.choice([1, 1, 1, 2])
    vpp = draw.choice([1, 1, 2]) if pp > 1 else 1
    unit = replicas * 8 * draw.choice([1, 1, 2, 5])  # replicas divide most of what they sum
    dense = draw.choice([0, 0, 1])
    model = {
        "type": "mixtral-8x7b",
        "layers": pp * vpp + draw.randint(dense, 2),
        "dense_layers": dense,
        "hidden": unit * draw.choice([8, 16, 20]),
        "heads": 8,
        "kv_heads": draw.choice([4, 8]),
        "head_width": draw.choice([16, 64]),
        "ffn": 8 * unit,
        "experts": ep * draw.choice([1, 2, 4]),
        "expert_ffn": 8 * unit,
        "shared_ffn": draw.choice([0, 0, 8 * unit]),
        "vocabulary": draw.choice([8000, 8001]) if draw.random() < 0.2 else unit * 100,
    }
    model["top_k"] = draw.randint(1, min(4, model["experts"]))
    rate = draw.choice([50, 100, 200, 400])
    topology = {"type": "rail", "domains": gpus // per_domain, "gpus_per_domain": per_domain,
                "leaf_ports": max(64, gpus), "nic_rate": f"{rate}Gbps",
                "link_delay": draw.choice(["100ns", "500ns", "2us"]), "spines": 0}
    if per_domain > 1 and draw.random() < 0.3:
        topology["nics_per_domain"] = draw.choice([1, per_domain // 2, 2 * per_domain])
    workload = {
        "type": "training",
        "model": model,
        "parallel": {"tp": tp, "cp": cp, "pp": pp, "vpp": vpp, "ep": ep, "etp": etp,
                     "order": draw.choice(ORDERS)},
        "batch": {"micro": draw.choice([1, 2]), "sequence": 16 * tp * cp * draw.choice([1, 4, 9])},
        "schedule": "interleaved" if vpp > 1 else draw.choice(["1f1b", "1f1b", "zero-bubble"]),
        "recompute": draw.choice(["none", "none", "full"]),
        "exchange": draw.choice(["pairs", "pairs", "deduplicated"]),
        "load": {"type": "imbalance", "workload": f"w{draw.randint(0, 7)}"},
        "collectives": {"algorithm": draw.choice(["automatic", "ring", "hierarchical", "tree"]),
                        "rings": draw.choice(["automatic", "automatic", 1, 2])},
        "communicators": draw.choice(["separate", "separate", "shared"]),
        "iterations": draw.choice([1, 1, 2]),
    }
    if workload["schedule"] == "zero-bubble":
        workload["recompute"] = "none"
    if draw.random() < 0.2:
        workload["ring_steps"] = draw.choice([2, 3, 8])
    if draw.random() < 0.1:
        workload["load"] = {"type": "synthetic", "preset": "uniform"}
    dp = max(1, gpus // (tp * cp * pp))
    workload["batch"]["global"] = dp * workload["batch"]["micro"] * pp * draw.choice([1, 2])
    balance = {"type": draw.choice(["rails", "rails", "rail-source", "rail-destination",
                                    "even-split", "affine"])}
    if balance["type"] == "rails":
        balance["tie"] = draw.choice(["lowest", "rotated"])
        balance["chunk"] = draw.choice(["64KB", "4MB"])
    if draw.random() < 0.2:
        balance["other"] = draw.choice(["rail-source", "even-split"])
    return {"name": f"folded-{seed}", "topology": topology, "workload": workload,
            "transport": {"congestion_control": "none", "mtu": draw.choice(["1024B", "4096B"])},
            "engine": {"type": "flow"}, "balance": balance}


def spread_out(descriptor, seed):
    """Puts a training on leaves that are joined by spines, over which everything spreads."""
    draw = random.Random(f"leaves {seed}")
    topology = descriptor["topology"]
    topology["leaf_ports"] = draw.choice([4, 8, 16, 32])
    topology["rail_spines"] = draw.choice([2, 4, 8])
    descriptor["balance"]["host"] = "spray"


def run(program, descriptor, mode, folder):
    """returns (status, folder of the result)"""
    path = Path(folder) / f"{descriptor['name']}-{mode}.yaml"
    descriptor = {**descriptor, "engine": {**descriptor["engine"], "symmetry": mode}}
    path.write_text(json.dumps(descriptor), encoding="utf-8")
    out = path.with_suffix("")
    done = subprocess.run([program, "run", path, "--out", out, "--force"], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return done.returncode, out, done.stderr


def find_differences(one, other):
    """returns names of what is not the same in two folders of results"""
    results = [json.loads((folder / "result.json").read_text()) for folder in (one, other)]
    different = [key for key in {**results[0], **results[1]}
                 if key not in OWN and not is_same(results[0].get(key), results[1].get(key))]
    for name in ("messages.csv", "links.csv"):
        texts = [(folder / name).read_bytes() if (folder / name).exists() else b""
                 for folder in (one, other)]
        different += [name] if texts[0] != texts[1] else []
    return different


def is_same(one, other):
    """Sums over replicas may be rounded in another order."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-12 * abs(one)
    return one == other


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--mode", default="exact")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    reasons = collections.Counter()
    folded, differences, worst, seed = 0, 0, 0, options.seed
    with tempfile.TemporaryDirectory() as folder:
        while folded < options.count:
            descriptor = draw_training(seed)
            if options.mode == "close":
                spread_out(descriptor, seed)
            seed += 1
            status, other, words = run(options.program, descriptor, options.mode, folder)
            if status != 0:
                reasons["refused" if status == 2 else f"status {status}: {words}"] += 1
                continue
            result = json.loads((other / "result.json").read_text())
            symmetry = result.get("symmetry", {"mode": "none", "reason": "fewer than three"})
            if symmetry["mode"] == "none":
                reasons[symmetry["reason"]] += 1
                continue
            folded += 1
            reasons[f"folded {symmetry['replicas']}"] += 1
            _, one, _ = run(options.program, descriptor, "off", folder)
            time = json.loads((one / "result.json").read_text())["cct_s"]
            off = abs(result["cct_s"] / time - 1)
            worst = max(worst, off)
            wrong = find_differences(one, other) if options.mode == "exact" else []
            if wrong or off > MOST_OFF:
                differences += 1
                print(f"seed {seed - 1}: {off:.2e}", *wrong, flush=True)
    for reason, count in sorted(reasons.items()):
        print(f"{count:5}  {reason}")
    print(f"{folded} folded, {differences} differ; the time of an iteration by {worst:.3g} at most")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
