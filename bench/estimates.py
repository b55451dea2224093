#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How long --dry-run says that runs take, without earlier ones to go by, and how long they do take.

Points of shipped experiments, shortened by --set, each in a process of its own. What is taken is time
of the processor, as a machine that is busy with other things takes longer by the clock.

Usage: ./rails bench estimates [NAME]...
"""

import argparse
import csv
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


def read_cases(names):
    """Yields the cases of estimates.csv: all, or those that are named."""
    with open(ROOT / "bench" / "estimates.csv", newline="", encoding="utf-8") as file:
        cases = list(csv.DictReader(file))
    unknown = set(names) - {case["name"] for case in cases}
    if unknown:
        sys.exit(f"estimates: error: no case named {', '.join(sorted(unknown))}")
    return [case for case in cases if not names or case["name"] in names]


def parse_duration(text):
    """Seconds of a text like "1 h 3 min" or "7.3 s"."""
    parts = re.findall(r"([\d.]+) (s|min|h)\b", text)
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def run(case, folder, *options):
    """Runs the program on a case; returns what it prints, and seconds of the processor."""
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
    points = re.findall(r"^run +(\S+)  \(about (.*)\)$", plan, re.MULTILINE)
    name, foretold = points[len(points) // 2]
    _, taken = run(case, folder, *(["--point", name] if len(points) > 1 else []))
    return parse_duration(foretold), taken


def describe_machine():
    """The processor of this machine."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.*)$", cpuinfo.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else platform.machine()


def main():
    parser = argparse.ArgumentParser(prog="./rails bench estimates", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases of bench/estimates.csv")
    cases = read_cases(parser.parse_args().names)
    print(f"{describe_machine()}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    print(f"{'case':28}{'foretold [s]':>13}{'taken [s]':>11}{'ratio':>7}")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            foretold, taken = measure(case, pathlib.Path(folder))
            ratio = max(foretold, SHORTEST) / max(taken, SHORTEST)
            ratios.append(ratio)
            print(f"{case['name']:28}{foretold:13.1f}{taken:11.2f}{ratio:7.2f}", flush=True)
    near = sum(0.5 <= ratio <= 2 for ratio in ratios)
    print(f"{near} of {len(ratios)} within a factor of two; from {min(ratios):.2f} to "
          f"{max(ratios):.2f}, median {statistics.median(ratios):.2f} "
          f"(both times at least {SHORTEST} s)")


if __name__ == "__main__":
    main()
