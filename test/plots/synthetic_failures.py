# SPDX-License-Identifier: GPL-2.0-only
"""Made-up records of failed points and of the sweep that they belong to, for tests only."""

import json
from pathlib import Path

NASTY = "</script><script>window.owned = true</script> <b>&amp;</b> \" ' <!-- ]]> x"
VERSION = {"module": "0.1.0", "ns3": "3.37", "compiler": "GCC 12.2.0", "build": "optimized"}


# What a run has whose NIC was down for a while, and what it found out about itself.
OUTAGE = {
    "cables": 1,
    "abandoned_messages": 4,
    "events": [
        {"at_s": 2e-4, "what": "nic server3-nic2", "state": "down", "cables": 1},
        {"at_s": 6e-4, "what": "nic server3-nic2", "state": "up", "cables": 1},
    ],
    "convergences_s": [2.2e-4, 6.2e-4],
}
SHARES = {
    "busy": 0.4,
    "paused": 0.1,
    "rate_or_window": 0.3,
    "not_there_yet": 0.1,
    "down": 0,
    "idle": 0.1,
}
EXPLANATION = {
    "factors": {"plan": 1.25, "routes": 2.0, "repeats": 1.0, "outages": 1.0, "waiting": 1.2},
    "times_s": {f"t{n}": n * 1e-3 for n in range(6)},
    "nic": {"name": "server3-nic2", **SHARES},
    "cable": {"name": "rail0-leaf0 to rail0-spine1", **SHARES},
    "sentence": "The plan is <even>.",
}


def write_failure(folder, scheme="rails", seed=1, config=None, **changes):
    """A point that ended without a result."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    failure = {
        "point": folder.name,
        "key": "ab" * 32,
        "status": 3,
        "reason": "time limit of 10 s",
        "attempts": 2,
        "command": f"./rails run '{NASTY}.yaml' --set balance={scheme}",
        "last_lines": ["stuck: queue pair 3 to 9", NASTY],
        "wall_s": 10.0,
        "seed": seed,
        "axes": {"balance": scheme, "seed": str(seed)},
        "version": VERSION,
        "config": {"seed": seed, "balance": {"type": scheme}, **(config or {})},
    }
    (folder / "failure.json").write_text(json.dumps({**failure, **changes}))


def write_sweep_record(folder, name="synthetic", text=NASTY, points=0):
    """What a sweep says of itself."""
    record = {
        "source": "/somewhere/sweep.yaml",
        "text": text,
        "sets": ["workload.matrix.mean=1MB"],
        "name": name,
        "version": VERSION,
        "points": points,
    }
    state = Path(folder) / ".rails"
    state.mkdir(parents=True)
    (state / "sweep.json").write_text(json.dumps(record))
