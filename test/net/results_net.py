# SPDX-License-Identifier: GPL-2.0-only
"""Records what many short runs result in, and compares two such records."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import records
import shipped_points

sys.path.append(str(Path(__file__).resolve().parents[1] / "generated"))
# pylint: disable-next=wrong-import-position
from generated_descriptors import make_connections, make_descriptor

GENERATED = 200
LONGEST_S = 300


class NetError(Exception):
    """A record cannot be made."""


def _run(program, words, cwd, folder):
    """Runs the program, which is to leave its result in a folder.

    returns what the result holds; of a run that left none its status and what it said
    """
    ended = subprocess.run([program, "run", *words, "--out", folder], cwd=cwd, check=False,
                           capture_output=True, text=True, timeout=LONGEST_S)
    if (folder / "result.json").exists():
        return records.summarise(folder)
    return {"status": ended.returncode, "stderr": ended.stderr.replace(str(folder), "OUT")}


def _run_shipped(program, file, settings, point, folder):
    words = [word for setting in settings for word in ("--set", setting)]
    return _run(program, [file, *words, "--point", point], shipped_points.EXPERIMENTS, folder)


def _run_generated(program, seed, folder):
    """Runs the descriptor of a seed, of which every second has failures and some record more."""
    descriptor = make_descriptor(seed, fails=seed % 2 == 0)
    record = {"explain": seed % 4 < 2, "timeline": seed % 4 == 2, "queue_means": seed % 4 == 3,
              "pcap": seed % 16 < 2}
    descriptor["record"] = {key: True for key, wanted in record.items() if wanted}
    folder.mkdir()
    # Relative names, so that messages are the same wherever the folder is.
    (folder / "descriptor.yaml").write_text(json.dumps(descriptor), encoding="utf-8")
    if descriptor["workload"]["type"] == "connections":
        (folder / descriptor["workload"]["path"]).write_text(make_connections(descriptor),
                                                             encoding="utf-8")
    return _run(program, ["descriptor.yaml"], folder, folder / "out")


def _plan(program, folder, only):
    """Returns what is to be run: a function for each name of a point, and what is known of
    sweeps that the program refuses."""
    shipped_points.check_table()
    shipped_points.write_trace(folder)
    jobs, refused = {}, {}

    def add(name, run, *arguments):
        if only in name:
            place = folder / f"run-{len(jobs)}"
            jobs[name] = lambda: run(program, *arguments, place)

    for file in sorted(shipped_points.REDUCTIONS):
        settings = shipped_points.get_settings(file, folder)
        try:
            for point in shipped_points.list_points(program, file, settings, folder / "none"):
                add(f"{file} {point}", _run_shipped, file, settings, point)
        except subprocess.CalledProcessError as error:
            refused[file] = {"status": error.returncode,
                             "stderr": error.stderr.replace(str(folder), "FOLDER")}
    for seed in range(1, GENERATED + 1):
        add(f"generated {seed:03}", _run_generated, seed)
    return jobs, refused


def _find_version(program, folder):
    """Returns the SHA-256 of the program and its library."""
    descriptor = {"topology": {"type": "rail", "domains": 2, "gpus_per_domain": 1},
                  "workload": {"type": "ring", "bytes": "1KiB"}, "balance": "rails"}
    (folder / "version.yaml").write_text(json.dumps(descriptor), encoding="utf-8")
    ended = subprocess.run([program, "run", folder / "version.yaml", "--out", folder / "version"],
                           check=False, capture_output=True, text=True)
    result = folder / "version" / "result.json"
    if not result.exists():
        raise NetError(f"RAILS_EXPERIMENT: error: {program} does not run: {ended.stderr}")
    return json.loads(result.read_text(encoding="utf-8"))["version"]["program"]


def record(path, processes, only):
    """Writes a record into a file; returns the exit status."""
    program = os.environ.get("RAILS_EXPERIMENT", "")
    if not os.access(program, os.X_OK):
        raise NetError("RAILS_EXPERIMENT: error: names no program")
    program = os.path.abspath(program)
    begin = time.monotonic()
    told = begin
    with tempfile.TemporaryDirectory(prefix="results-net-") as name:
        folder = Path(name)
        version = _find_version(program, folder)
        jobs, points = _plan(program, folder, only)
        slowest = (0.0, "")

        def timed(job):
            start = time.monotonic()
            return job(), time.monotonic() - start

        with ThreadPoolExecutor(processes) as pool:
            for point, (result, seconds) in zip(jobs, pool.map(timed, jobs.values())):
                points[point] = result
                slowest = max(slowest, (seconds, point))
                if time.monotonic() - told > 30:
                    told = time.monotonic()
                    print(f"{len(points)} of {len(jobs)} runs after {told - begin:.0f} s",
                          flush=True)
    records.write_record(path, points, version)
    refused = [point for point, result in points.items() if "stderr" in result]
    shipped = [point for point in refused if not point.startswith("generated")]
    failed = sum(result["status"] != 0 for result in points.values()) - len(refused)
    print(f"{path}: {len(points)} points in {time.monotonic() - begin:.0f} s, {len(refused)} refused, "
          f"{failed} ended with another status than 0; "
          f"{slowest[0]:.1f} s the slowest, {slowest[1]}")
    for point in shipped:
        print(f"{point}: was not run: {points[point]['stderr'].strip()}", file=sys.stderr)
    return 1 if shipped else 0


def compare(before, after):
    """Prints the differences between two files with records; returns the exit status."""
    one, other = records.read_record(before), records.read_record(after)
    differences = records.compare(one["points"], other["points"])
    for difference in differences:
        print(records.describe(difference))
    points = one["points"].keys() | other["points"].keys()
    differing = {point for point, *_ in differences}
    print(f"{len(points) - len(differing)} of {len(points)} points agree, "
          f"{len(differing)} differ ({len(differences)} differences)")
    if one["program"] == other["program"]:
        print("Both records are of the same program.")
    return 1 if differences else 0


def main():
    """Does what the command line says; returns the exit status."""
    parser = argparse.ArgumentParser(prog="results-net", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("record", help="run, and write a record")
    command.add_argument("file", type=Path)
    command.add_argument("-j", type=int, default=2, metavar="N", help="runs at a time (2)")
    command.add_argument("--only", default="", metavar="TEXT", help="points with TEXT in their name")
    command = commands.add_parser("compare", help="what differs; status 1 when anything does")
    command.add_argument("before", type=Path)
    command.add_argument("after", type=Path)
    arguments = parser.parse_args()
    try:
        if arguments.command == "record":
            return record(arguments.file, arguments.j, arguments.only)
        return compare(arguments.before, arguments.after)
    except (NetError, records.RecordError, shipped_points.ShippedError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
