#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""How long runs take, or how much memory, and what is said of that before.

Points of shipped experiments and trainings, some changed by --set, each in a process of its own,
without earlier ones to go by. Half of those that were drawn were not looked at before costs were fixed. What is taken is time of the processor, as a machine that is busy with other things takes longer
by the clock; with --memory the largest resident memory.

Usage: ./rails bench estimates [--memory] [NAME]...
"""

import argparse
import csv
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ["RAILS_EXPERIMENT"]
UNITS = {"s": 1, "min": 60, "h": 3600}
SHORTEST = 0.3  # seconds; of shorter runs the start of a process is most


def read_cases(table, names):
    """The cases of a table: all, or those that are named."""
    with open(ROOT / "bench" / table, newline="", encoding="utf-8") as file:
        cases = list(csv.DictReader(file))
    unknown = set(names) - {case["name"] for case in cases}
    if unknown:
        sys.exit(f"estimates: error: no case named {', '.join(sorted(unknown))}")
    return [case for case in cases if not names or case["name"] in names]


def parse_duration(text):
    """Seconds of a text like "1 h 3 min" or "7.3 s"."""
    parts = re.findall(r"([\d.]+) (s|min|h)\b", text)
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def parse_range(text):
    """The middle, in seconds, of a text like "1.6 s to 6.4 s"."""
    ends = [parse_duration(end) for end in text.split(" to ")]
    return sum(ends) / 2.5 if len(ends) == 2 else ends[0]  # of twice it and half of it


def run(case, folder, *options):
    """Runs the program on a case; returns what it prints, and seconds of the processor."""
    if case.get("point"):
        options = (*options, "--point", case["point"])
    sets = [word for value in case["sets"].split(" | ") if value for word in ("--set", value)]
    command = [PROGRAM, "run", ROOT / "experiments" / case["experiment"], *sets, "--out",
               folder / case["name"], *options]
    before = os.times()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{case['name']}: {result.stderr}")
    after = os.times()
    return result.stdout, (after.children_user - before.children_user +
                           after.children_system - before.children_system)


def measure(case, folder):
    """Returns the seconds foretold and taken of a case: the middle one of its points."""
    plan, _ = run(case, folder, "--dry-run")
    points = re.findall(r"^run +(\S+)  \(([^,;)]*)", plan, re.MULTILINE)
    name, foretold = points[len(points) // 2]
    _, taken = run(case, folder, *(["--point", name] if len(points) > 1 else []))
    return parse_range(foretold), taken


def measure_memory(case, folder):
    """Returns the MiB foretold and taken of a case: the middle one of its points."""
    plan, _ = run(case, folder, "--dry-run")
    points = re.findall(r"^run +(\S+) .*, ([\d.]+) (MiB|GiB)", plan, re.MULTILINE)
    name, foretold, unit = points[len(points) // 2]
    run(case, folder, *(["--point", name] if len(points) > 1 else []))
    result = json.loads((folder / case["name"] / "result.json").read_text(encoding="utf-8"))
    return float(foretold) * (1024 if unit == "GiB" else 1), result["peak_rss_bytes"] / 2**20


def describe_machine():
    """The processor of this machine."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.*)$", cpuinfo.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else platform.machine()


def main():
    parser = argparse.ArgumentParser(prog="./rails bench estimates", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", action="store_true", help="memory in place of time")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="cases of bench/estimates.csv, or bench/memory.csv")
    arguments = parser.parse_args()
    table = "memory.csv" if arguments.memory else "estimates.csv"
    unit, least, take = ("MiB", 0, measure_memory) if arguments.memory else ("s", SHORTEST, measure)
    cases = read_cases(table, arguments.names)
    print(f"{describe_machine()}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    print(f"{'case':30}{f'foretold [{unit}]':>15}{f'taken [{unit}]':>13}{'ratio':>7}")
    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            foretold, taken = take(case, pathlib.Path(folder))
            ratio = max(foretold, least) / max(taken, least)
            ratios.setdefault(case.get("part") or "", []).append(ratio)
            print(f"{case['name']:30}{foretold:15.1f}{taken:13.2f}{ratio:7.2f}", flush=True)
    for part, some in ratios.items():
        near = sum(0.5 <= ratio <= 2 for ratio in some)
        print(f"{part + ': ' if part else ''}{near} of {len(some)} within a factor of two; from "
              f"{min(some):.2f} to {max(some):.2f}, median {statistics.median(some):.2f}" +
              ("" if arguments.memory else f" (both times at least {SHORTEST} s)"))


if __name__ == "__main__":
    main()
