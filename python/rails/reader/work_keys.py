# SPDX-License-Identifier: GPL-2.0-only
"""Which keys of a descriptor say what is done, and which how."""

# Keys that say what is to be done, and under which circumstances. All others are ways to do it.
# How many GPUs there are is part of the work.
_WORK = ("workload", "failures", "engine", "experts")
_WAYS = (
    "workload.experts",
    "workload.parallel",
    "workload.exchange",
    "workload.expert_transfers",
    "workload.copy_pieces",
    "workload.merged_groups",
    "workload.schedule",
    "workload.recompute",
    "workload.data",
    "workload.collectives",
    "workload.communicators",
    "workload.ring_steps",
    "workload.algorithm",
    "experts.policy",
    "experts.slots",
    "experts.merged_groups",
)


def is_work(key):
    """True for a key that says what is to be done, or under which circumstances."""
    return any(is_inside(key, work) for work in _WORK) and not any(is_inside(key, way) for way in _WAYS)


def is_inside(key, component):
    """True for a component itself and all keys inside of it."""
    return key == component or key.startswith(f"{component}.")
