# SPDX-License-Identifier: GPL-2.0-only
"""Runs descriptors with the program that RAILS_EXPERIMENT names, and reads what came out."""

import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from generated_descriptors import make_connections, make_descriptor
from generated_iterations import make_table

REFUSED = 2


class Outcome(NamedTuple):
    """What came of a run."""

    status: int
    result: dict  # result.json; None where the descriptor was refused
    messages: str  # messages.csv; empty where there is none
    refusal: str  # what was said against the descriptor
    links: str = ""  # links.csv; empty where there is none


def run(descriptor, sets=(), program=None):
    """Runs a descriptor.

    returns the exit status and result.json (None when there is none: the descriptor was refused)
    """
    return run_whole(descriptor, sets, program)[:2]


def run_whole(descriptor, sets=(), program=None):
    """Runs a descriptor, and returns an Outcome."""
    program = program or os.environ["RAILS_EXPERIMENT"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "descriptor.yaml"
        path.write_text(json.dumps(descriptor), encoding="utf-8")
        for name, text in list_files(descriptor).items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        out = Path(folder) / "out"
        command = [program, "run", path, "--out", out]
        for setting in sets:
            command += ["--set", setting]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if not (out / "result.json").exists():
            if ended.returncode != REFUSED:
                raise RuntimeError(f"{descriptor['name']}: {ended.returncode}: {ended.stderr}")
            return Outcome(REFUSED, None, "", ended.stderr.replace(folder, ""))
        result = json.loads((out / "result.json").read_text(encoding="utf-8"))
        messages, links = (
            (out / name).read_text(encoding="utf-8") if (out / name).exists() else ""
            for name in ("messages.csv", "links.csv"))
        return Outcome(ended.returncode, result, messages, "", links)


def list_files(descriptor):
    """What a descriptor reads: name of a file to its text."""
    workload = descriptor["workload"]
    if workload["type"] == "connections":
        return {workload["path"]: make_connections(descriptor)}
    if workload.get("compute", {}).get("type") == "table":
        return {workload["compute"]["path"]: make_table()}
    return {}


def draw_accepted(count, first=1):
    """Draws descriptors until so many were accepted, half of them with failures.

    returns a list of (descriptor, status, result)
    """
    def make(seed):
        return make_descriptor(seed, fails=seed % 2 == 0)

    accepted, _ = draw_until_accepted(make, count, [()], first)
    return [(descriptor, outcome.status, outcome.result) for descriptor, outcome in accepted]


def draw_until_accepted(make, count, settings, first=1):
    """Draws and runs descriptors until so many were accepted.

    make -- gives the descriptor of a seed
    settings -- with which settings each is run
    returns a list of accepted and one of refused descriptors, each with an Outcome for each of the
    settings; one that is refused with any of them counts as refused
    """
    def attempt(seed):
        descriptor = make(seed)
        return descriptor, *(run_whole(descriptor, sets) for sets in settings)

    accepted = []
    refused = []
    seed = first
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while len(accepted) < count:
            batch = range(seed, seed + max(8, count - len(accepted)))
            seed = batch.stop
            for descriptor, *outcomes in pool.map(attempt, batch):
                is_accepted = all(outcome.result is not None for outcome in outcomes)
                (accepted if is_accepted else refused).append((descriptor, *outcomes))
    return accepted[:count], refused


def for_each(function, items):
    """Calls a function with each of the items, several at a time; returns all that they list."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(function, items), [])
