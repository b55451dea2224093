# SPDX-License-Identifier: GPL-2.0-only
"""Made-up results of trainings under policies of experts, in the form of real ones, for tests only."""

from pathlib import Path

import synthetic

# By policy: what the slowest GPU computes of experts, on the critical path in ms; its load over the
# mean; and times in ms that GPUs wait for weights and gradients of copies, and for planning.
POLICIES = {
    "plain-ep": (400, 8.0, 0, 0),
    "eplb": (100, 2.0, 30, 0),
    "ultra-ep": (60, 1.2, 50, 10),
}
OTHERS_MS = 100  # attention, dispatch and combine
BEFORE = 8.0


def iteration_s(policy, slower=1.0):
    """What an iteration of it takes: all of its stages on the critical path."""
    experts, _, copies, planning = POLICIES[policy]
    return 1e-3 * slower * (OTHERS_MS + experts + copies + planning)


def write_training(folder, policy="ultra-ep", seed=1, scheme="rails", keys=None, config=None,
                   slower=1.0, **changes):
    """
    One training's folder. Its lower bound follows its traffic, as in real ones: who has least to
    compute has the smallest, and the largest ratio to it.
    :param keys: those of the policy
    :param config: keys of the effective descriptor by dotted name
    :param slower: factor of all times
    """
    experts, load, copies, planning = POLICIES[policy]
    stages = {
        "attention": ("compute", 40),
        "experts": ("compute", experts),
        "dispatch": ("communication", 60),
        "expert-planning": ("planning", planning),
        "expert-weights": ("communication", copies / 2),
        "expert-gradients": ("communication", copies / 2),
    }
    kinds = [
        {
            "name": name,
            "type": kind,
            "bytes": 0,
            "critical_s": 1e-3 * slower * time,
            "exposed_s": None if kind == "compute" else 1e-3 * slower * time,
        }
        for name, (kind, time) in stages.items()
        if policy != "plain-ep" or not name.startswith("expert-")
    ]
    took = iteration_s(policy, slower)
    bound = 1e-3 * (OTHERS_MS + experts) * (0.9 if policy == "plain-ep" else 0.6)
    result = {
        "iteration_s": took,
        "cct_s": 2 * took,
        "lower_bound_s": 2 * bound,
        "graph": {"iterations": 2, "compute_s": 0.1, "kinds": kinds},
        "memory_bytes": 40e9 + copies * 1e8,
        "expert_max_over_mean_before": BEFORE,
        "expert_max_over_mean": load,
        "expert_copies": 4.0 if copies else 0.0,
        "expert_dropped_share": 0.0,
        "fingerprint": f"{policy} {seed} {scheme} {keys} {config}",
        **changes,
    }
    own = {f"workload.experts.{key}": value for key, value in (keys or {}).items()}
    config = {"workload.type": "training", "workload.experts.type": policy, **own, **(config or {})}
    synthetic.write_point(folder, scheme, seed, config=config, messages=20, **result)


def write_trainings(folder, policies=tuple(POLICIES), seeds=(1,), schemes=("rails",), **options):
    for policy in policies:
        for scheme in schemes:
            for seed in seeds:
                place = Path(folder) / f"experts={policy},balance={scheme},seed={seed}"
                slower = (1 if scheme == "rails" else 2) * (1 + 0.01 * seed)
                write_training(place, policy, seed, scheme, slower=slower, **options)
