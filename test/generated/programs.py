# SPDX-License-Identifier: GPL-2.0-only
"""Runs descriptors with the program that RAILS_EXPERIMENT names, and reads what came out."""

import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from generated_descriptors import make_connections, make_descriptor

REFUSED = 2


def run(descriptor, sets=(), program=None):
    """Runs a descriptor.

    returns the exit status and result.json (None when there is none: the descriptor was refused)
    """
    program = program or os.environ["RAILS_EXPERIMENT"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "descriptor.yaml"
        path.write_text(json.dumps(descriptor), encoding="utf-8")
        if descriptor["workload"]["type"] == "connections":
            connections = Path(folder) / descriptor["workload"]["path"]
            connections.write_text(make_connections(descriptor), encoding="utf-8")
        command = [program, "run", path, "--out", Path(folder) / "out"]
        for setting in sets:
            command += ["--set", setting]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        result = Path(folder) / "out" / "result.json"
        if not result.exists():
            if ended.returncode != REFUSED:
                raise RuntimeError(f"{descriptor['name']}: {ended.returncode}: {ended.stderr}")
            return ended.returncode, None
        return ended.returncode, json.loads(result.read_text(encoding="utf-8"))


def draw_accepted(count, first=1):
    """Draws descriptors until so many were accepted, half of them with failures.

    returns a list of (descriptor, status, result)
    """
    def attempt(seed):
        descriptor = make_descriptor(seed, fails=seed % 2 == 0)
        return (descriptor, *run(descriptor))

    accepted = []
    seed = first
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while len(accepted) < count:
            batch = range(seed, seed + max(8, count - len(accepted)))
            seed = batch.stop
            accepted += [drawn for drawn in pool.map(attempt, batch) if drawn[2] is not None]
    return accepted[:count]
