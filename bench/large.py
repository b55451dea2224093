#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""What large runs of flows cost: seconds of the processor, memory, and time for each message.

Cases of bench/large, each in a process of its own. Beside unequal all-to-alls SimGrid carries the same
messages, where its library is installed.

Usage: ./rails bench large [NAME]...
"""

import argparse
import collections
import csv
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ["RAILS_EXPERIMENT"])
SIMGRID = os.environ.get("RAILS_SIMGRID", "")  # the program rails-simgrid-all-to-all, or nothing
GIB = 1 << 30

# Name: the descriptor, what is set, and seconds of the processor that it should take at most.
CASES = {
    "strided-512": ("strided", ("topology.domains=64",), None),
    "strided-4096": ("strided", ("engine.tolerance=0.005",), 20),
    "strided-4096-exact": ("strided", (), 20),
    "strided-32768": ("strided", ("topology.domains=4096", "engine.tolerance=0.005"), 300),
    "unequal-64": ("unequal", ("topology.domains=64",), None),
    "unequal-128": ("unequal", (), 8),
    "unequal-256": ("unequal", ("topology.domains=256",), 60),
    "deepseek-2048": ("deepseek-2048", (), 180),
    "deepseek-2048-tolerance": ("deepseek-2048", ("engine.tolerance=0.005",), 90),
    "published-1024": ("published", ("topology.domains=128",), 300),
    "published-2048": ("published", (), 300),
    "published-16384": ("published", ("topology.domains=2048", "topology.leaf_ports=2048"), 300),
    **{f"weak-{8 * servers}": ("weak", (f"topology.domains={servers}",
                                        f"workload.batch.global={8 * servers}"), None)
       for servers in (128, 256, 512, 1024)},
}


def run_apart(command, text=None):
    """Runs a command; returns what it prints, seconds of the processor, and its peak memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        sys.exit(f"{command[0]}: {result.stderr}")
    return result.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name, folder):
    """Runs a case; returns its result, and seconds of the processor."""
    descriptor, sets, _ = CASES[name]
    command = [PROGRAM, "run", ROOT / "bench" / "large" / f"{descriptor}.yaml",
               *(word for value in sets for word in ("--set", value)), "--out", folder / name]
    _, seconds = run_apart(command)
    with open(folder / name / "result.json", encoding="utf-8") as file:
        return json.load(file), seconds


def ask_simgrid(folder, result):
    """Returns when SimGrid has carried the messages of a result, and seconds of the processor."""
    with open(folder / "messages.csv", newline="", encoding="utf-8") as file:
        messages = list(csv.DictReader(file))
    totals = collections.Counter()
    for row in messages:
        for end in ("source", "destination"):
            totals[end, row[end]] += int(row["bytes"])
    # SimGrid knows payload alone: what headers leave of a cable is what the bound counts with.
    rate = max(totals.values()) / result["lower_bound_s"]
    text = "".join(f"{row['source']} {row['destination']} {row['bytes']}\n" for row in messages)
    printed, seconds = run_apart([SIMGRID, str(rate)], text)
    return float(printed), seconds


def main():
    parser = argparse.ArgumentParser(prog="rails bench large", description=__doc__.split("\n")[0])
    parser.add_argument("name", nargs="*", help=f"of {', '.join(CASES)}; all by default")
    names = parser.parse_args().name or list(CASES)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        parser.error(f"there is no case {unknown[0]} (choose from {', '.join(CASES)})")
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
          f"{time.strftime('%Y-%m-%d')}")
    print(f"{'case':26} {'CPU s':>8} {'goal':>6} {'GiB':>6} {'messages':>11} {'us each':>8} "
          f"{'completion s':>16} {'SimGrid: CPU s':>15} {'completion s':>16}")
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            result, seconds = measure(name, folder)
            goal = CASES[name][2]
            line = (f"{name:26} {seconds:8.1f} {goal or '':>6} "
                    f"{result['peak_rss_bytes'] / GIB:6.2f} {result['messages']:11} "
                    f"{seconds * 1e6 / result['messages']:8.2f} {result['cct_s']:16.12f}")
            if SIMGRID and CASES[name][0] == "unequal":
                end, theirs = ask_simgrid(folder / name, result)
                line += f" {theirs:15.1f} {end:16.12f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
