#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random trainings, each run whole and with fast_forward: how far the two are apart.

    RAILS_EXPERIMENT=program test/generated/forwarded_trainings.py [COUNT] [FIRST]
"""

import json
import os
import random
import subprocess
import sys
import tempfile

LOADS = ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w2-corrected", "w4-corrected"]


def draw_training(draw):
    """Draws a descriptor: a cluster of 8 servers or less, and a training with equal loads."""
    frames = draw.random() < 0.3
    pp = draw.randint(1, 8) if not frames else draw.randint(1, 4)
    schedule = draw.choice(["1f1b", "1f1b", "interleaved", "zero-bubble"])
    schedule = "1f1b" if pp == 1 and schedule == "interleaved" else schedule
    vpp = 2 if schedule == "interleaved" else 1
    gpus = draw.choice([1, 2] if frames else [2, 4])
    ep = draw.choice([1, 2, 4] if frames else [1, 2, 4, 8])
    tp = draw.choice([1, 1, 2])
    servers = min(64 // pp * pp, pp * max(1, ep * tp // gpus) * draw.choice([1, 2]))
    dp = servers * gpus // (pp * tp)
    ep = min(ep, dp)
    ep = max(part for part in (1, 2, 4, 8) if part <= ep and (servers * gpus // pp) % part == 0)
    units = pp * draw.randint(2, 5) + 8 * pp * (vpp - 1) + draw.randint(0, 20)
    units += -units % pp if vpp > 1 else 0
    hidden = 128 if frames else draw.choice([256, 1024, 4096])
    return {
        "seed": draw.randint(1, 1000),
        "topology": {"type": "rail", "domains": servers, "gpus_per_domain": gpus,
                     "spines": draw.choice([2, 4])},
        "engine": {"type": "frames" if frames else "flow"},
        "balance": {"type": draw.choice(["rails", "rails", "ecmp", "rail-source", "even-split"])},
        "transport": {"congestion_control":
                      draw.choice(["none", "dcqcn", "hpcc"]) if frames else "none"},
        "workload": {
            "type": "training",
            "model": {"type": draw.choice(["mixtral-8x7b", "deepseek-v3"]),
                      "layers": pp * vpp * (1 if frames else draw.randint(1, 2)),
                      "hidden": hidden, "expert_ffn": 2 * hidden, "heads": 8, "kv_heads": 8,
                      "head_width": 32, "experts": 8, "top_k": 2, "vocabulary": 500},
            "parallel": {"tp": tp, "pp": pp, "ep": ep, "vpp": vpp},
            "batch": {"micro": 1, "global": units * dp, "sequence": 64 if frames else 256},
            "schedule": schedule,
            "iterations": draw.randint(1, 3),
            "exchange": draw.choice(["pairs", "deduplicated"]),
            "compute": draw.choice([{"type": "flops", "efficiency": draw.choice([0.5, 0.05, 0.01])},
                                    {"type": "profile"}]),
            "load": {"type": "imbalance", "workload": draw.choice(LOADS)},
        },
    }


def fix_model(training):
    """Takes what does not go with the model out."""
    model = training["workload"]["model"]
    if model["type"] == "deepseek-v3":
        model.update(dense_layers=0, ffn=512, query_rank=64, kv_rank=32, rope_width=16,
                     shared_ffn=256, expert_groups=4, top_groups=4)
    return training


def run(program, training, folder, forward):
    training["workload"]["fast_forward"] = forward
    path = os.path.join(folder, "training.yaml")
    with open(path, "w", encoding="ascii") as file:
        json.dump(training, file)
    out = os.path.join(folder, "forward" if forward else "whole")
    done = subprocess.run([program, "run", path, "--out", out, "--force"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    with open(os.path.join(out, "result.json"), encoding="ascii") as file:
        return json.load(file)


def differ(one, other):
    return abs(one - other) / max(abs(one), abs(other)) if one != other else 0


def compare(whole, part):
    """Relative differences: of the time, of bounds, of what kinds have, of what NICs sent."""
    kinds = {kind["name"]: kind for kind in part["graph"]["kinds"]}
    others = [(kind, kinds[kind["name"]]) for kind in whole["graph"]["kinds"]]
    sent = [[sum(map(sum, result["nic_tx_bytes"]))] for result in (whole, part)]
    return {"time": differ(whole["cct_s"], part["cct_s"]),
            "bounds": max(differ(time, part["lower_bound_parts"][name])
                          for name, time in whole["lower_bound_parts"].items()
                          if name != "binding"),
            "bytes": max(differ(one["bytes"], other["bytes"]) for one, other in others),
            "nics": differ(*(one[0] for one in sent)),
            "messages": differ(whole["messages"], part["messages"]),
            "nodes": differ(whole["graph"]["nodes"], part["graph"]["nodes"]),
            "busy": max(differ(one["busy_s"], other["busy_s"]) for one, other in others),
            "exposed": max(abs((one["exposed_s"] or 0) - (other["exposed_s"] or 0)) / one["busy_s"]
                           for one, other in others if one["busy_s"] > 0),
            "critical": max(abs(one["critical_s"] - other["critical_s"])
                            for one, other in others) / whole["iteration_s"]
            if "iteration_s" in whole else 0}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    program = os.environ["RAILS_EXPERIMENT"]
    worst = {}
    forwarded = 0
    for number in range(first, first + count):
        training = fix_model(draw_training(random.Random(number)))
        with tempfile.TemporaryDirectory() as folder:
            whole = run(program, training, folder, False)
            part = run(program, training, folder, True)
        workload = training["workload"]
        about = (f"{number}: {training['engine']['type']} {workload['schedule']} "
                 f"pp {workload['parallel']['pp']} x{workload['iterations']} ")
        if "fast_forward" not in part:
            same = whole["fingerprint"] == part["fingerprint"]
            notes = [note for note in part["notes"] if "fast_forward" in note]
            print(about, "whole,", "same" if same else "DIFFERENT", notes, flush=True)
            worst["whole"] = max(worst.get("whole", 0), 0 if same else 1)
            continue
        forwarded += 1
        found = compare(whole, part)
        worst = {key: max(worst.get(key, 0), value) for key, value in {**worst, **found}.items()}
        said = part["fast_forward"]
        print(about, f"{said['microbatches_run']}/{said['microbatches']} cycle {said['cycle']}",
              f"deviation {said['deviation']:.1e} wall {whole['wall_s'] / part['wall_s']:.1f}",
              {key: f"{value:.1e}" for key, value in found.items()}, flush=True)
    print(f"{forwarded} of {count} fast-forwarded; worst:", worst)


if __name__ == "__main__":
    main()
