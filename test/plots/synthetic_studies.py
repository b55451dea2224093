# SPDX-License-Identifier: GPL-2.0-only
"""Made-up results of studies of policies for experts, in the form of real ones, for tests only."""

import csv
import json
from pathlib import Path

# By policy: max/mean, bytes inside and across servers in MB, and whether it is an oracle.
POLICIES = {
    "plain-ep": (4.0, 100, 300, False),
    "eplb": (1.5, 150, 330, False),
    "llep": (1.1, 160, 320, False),
    "oracle": (1.0, 120, 310, True),
}
GPUS, ITERATIONS, LAYERS = 8, 3, 2
BEFORE = 4.0


def write_study(folder, policy="llep", seed=1, config=None, keys=None, iterations=ITERATIONS,
                **changes):
    """
    One study's folder.
    :param config: keys of the section `experts`
    :param keys: those of the policy
    :param changes: keys of result.json to replace
    """
    folder = Path(folder)
    folder.mkdir(parents=True)
    load, inside, across, is_oracle = POLICIES.get(policy, (1.3, 140, 340, False))
    load = 1 + (load - 1) * (1 + 0.01 * seed)
    experts = {
        "policy": {"type": policy, **(keys or {})},
        "load": {"type": "synthetic", "preset": "no-aux"},
        "model": {"type": "deepseek-v3", "experts": 64, "top_k": 8},
        "gpus": GPUS,
        "gpus_per_domain": 4,
        "layers": LAYERS,
        "microbatches": 1,
        "iterations": iterations,
        **(config or {}),
    }
    result = {
        "name": "experts",
        "status": 0,
        "seed": seed,
        "engine": "experts",
        "config": {"name": "experts", "seed": seed, "experts": experts},
        "fingerprint": f"{policy} {seed} {config} {keys}",
        "cct_s": None,
        "oracle": is_oracle,
        "tokens": 4096,
        "max_over_mean_before": BEFORE,
        "max_over_mean": load,
        "max_over_mean_worst": 1.1 * load,
        "copies": 4.0,
        "copies_from_one_gpu": 2.0,
        "replica_bytes": 3e8,
        "token_bytes_inside": 1e8,
        "token_bytes_across": 3e8,
        "weight_bytes_inside": (inside - 100) * 1e6,
        "weight_bytes_across": (across - 300) * 1e6,
        "bytes_inside": inside * 1e6,
        "bytes_across": across * 1e6,
        "local_share": 0.125,
        "dropped_share": 0.0,
        "planning_s": 5e-5,
        "planning_measured_s": 7e-5,
        "wall_s": 0.1,
    }
    (folder / "result.json").write_text(json.dumps({**result, **changes}))
    plans = [("iteration", "layer", "microbatch", "max_over_mean_before", "max_over_mean")]
    for iteration in range(iterations):
        for layer in range(LAYERS):
            plans.append((iteration, layer, 0, BEFORE, load * (0.9 if layer else 1.1)))
    loads = [("place", "before", "after")]
    for place in range(GPUS):
        even = (GPUS - load) / (GPUS - 1)
        loads.append((place, BEFORE if place == 0 else 4 / 7, load if place == 0 else even))
    for name, rows in (("plans.csv", plans), ("gpu_loads.csv", loads)):
        with open(folder / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)


def write_studies(folder, policies=POLICIES, seeds=(1, 2), **options):
    for policy in policies:
        for seed in seeds:
            write_study(Path(folder) / f"policy={policy},seed={seed}", policy, seed, **options)
