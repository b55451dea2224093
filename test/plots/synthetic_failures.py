# SPDX-License-Identifier: GPL-2.0-only
"""Made-up records of failed points and of the sweep that they belong to, for tests only."""

import json
from pathlib import Path

NASTY = "</script><script>window.owned = true</script> <b>&amp;</b> \" ' <!-- ]]> x"
VERSION = {"module": "0.1.0", "ns3": "3.37", "compiler": "GCC 12.2.0", "build": "optimized"}


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
