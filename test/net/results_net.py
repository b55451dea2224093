# SPDX-License-Identifier: GPL-2.0-only
"""Records what many short runs result in, and compares two such records."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import records
import settings
import shipped_points
import trainings

sys.path.append(str(Path(__file__).resolve().parents[1] / "generated"))
# pylint: disable=wrong-import-position
from damaged_descriptors import make_damaged
from generated_descriptors import make_connections, make_descriptor

GENERATED = 400
DAMAGED = 300
LONGEST_S = 300


def _call(words, folder, cwd=None):
    """Calls a command that may leave a result in out of a folder, which is removed then.

    cwd -- where to call it; in the folder by default
    returns what the result holds; without one the status and what the command said
    """
    try:
        ended = subprocess.run(words, cwd=cwd or folder, check=False, capture_output=True,
                               text=True, timeout=LONGEST_S)
        if (folder / "out" / "result.json").exists():
            # A process may write its result and then crash.
            return {"exit": ended.returncode, **records.summarise(folder / "out")}
        return _describe_refusal(ended.returncode, ended.stderr, folder.parent)
    except subprocess.TimeoutExpired:
        return {"status": None, "stderr": f"took longer than {LONGEST_S} s"}
    finally:
        shutil.rmtree(folder)


def _describe_refusal(status, text, folder):
    return {"status": status, "stderr": text.replace(str(folder), "FOLDER")}


def _run_shipped(program, file, sets, point, folder):
    folder.mkdir()
    words = [word for setting in sets for word in ("--set", setting)]
    return _call([program, "run", file, *words, "--point", point, "--out", folder / "out"], folder,
                 shipped_points.EXPERIMENTS)


def _write(descriptor, connections, folder):
    """Writes a descriptor and the file that its workload may have. Commands name it without the
    folder, so that messages are the same wherever that is."""
    folder.mkdir()
    (folder / "descriptor.yaml").write_text(json.dumps(descriptor), encoding="utf-8")
    (folder / "connections.csv").write_text(connections, encoding="utf-8")


def _run_generated(program, seed, folder):
    """Runs the descriptor of a seed, of which every second has failures and some record more."""
    descriptor = make_descriptor(seed, fails=seed % 2 == 0)
    record = {"explain": seed % 4 < 2, "timeline": seed % 4 == 2, "queue_means": seed % 4 == 3,
              "pcap": seed % 16 < 2}
    descriptor["record"] = {key: True for key, wanted in record.items() if wanted}
    _write(descriptor, make_connections(descriptor), folder)
    return _call([program, "run", "descriptor.yaml", "--out", "out"], folder)


def _run_settings(program, base, sets, folder):
    _write(base, "", folder)
    for name, text in settings.FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = [word for setting in sets for word in ("--set", setting)]
    return _call([program, "run", "descriptor.yaml", *words, "--out", "out"], folder)


def _check_damaged(program, seed, folder):
    _write(make_damaged(seed), "0,1,1000,0ns\n", folder)
    return _call([program, "validate", "descriptor.yaml"], folder)


def _plan(program, folder, pool, only, skip):
    """Returns what is to be run: a function for each name of a point, and what is known of
    sweeps that the program refuses."""
    shipped_points.check_table()
    shipped_points.write_trace(folder)
    jobs, refused = {}, {}

    def is_wanted(name):
        return only in name and not (skip and skip in name)

    def add(name, run, *arguments):
        if is_wanted(name):
            place = folder / f"run-{len(jobs)}"
            jobs[name] = lambda: run(program, *arguments, place)

    def list_points(file):
        try:
            return shipped_points.list_points(program, file, reduced[file], folder / "none")
        except subprocess.CalledProcessError as error:
            refused[file] = _describe_refusal(error.returncode, error.stderr, folder)
            return []

    reduced = {file: shipped_points.get_settings(file, folder)
               for file in sorted(shipped_points.REDUCTIONS)}
    files = [file for file in reduced if is_wanted(file)]
    for file, points in zip(files, pool.map(list_points, files)):
        for point in points:
            add(f"{file} {point}", _run_shipped, file, reduced[file], point)
    for sets in settings.SETTINGS:
        add("settings " + ", ".join(sets), _run_settings, settings.BASE, sets)
    for sets in trainings.POINTS:
        add("training " + (", ".join(sets) or "as it is"), _run_settings, trainings.BASE, sets)
    for seed in range(1, GENERATED + 1):
        add(f"generated {seed:03}", _run_generated, seed)
    for seed in range(1, DAMAGED + 1):
        add(f"damaged {seed:03}", _check_damaged, seed)
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
        raise records.NetError(f"RAILS_EXPERIMENT: error: {program} does not run: {ended.stderr}")
    return json.loads(result.read_text(encoding="utf-8"))["version"]["program"]


def record(path, processes, only, skip):
    """Writes a record into a file; returns the exit status."""
    program = records.find_program()
    begin = time.monotonic()
    told = begin
    with tempfile.TemporaryDirectory(prefix="results-net-") as name:
        folder = Path(name)
        version = _find_version(program, folder)
        slowest = (0.0, "")

        def timed(job):
            start = time.monotonic()
            return job(), time.monotonic() - start

        with ThreadPoolExecutor(processes) as pool:
            jobs, points = _plan(program, folder, pool, only, skip)
            for point, (result, seconds) in zip(jobs, pool.map(timed, jobs.values())):
                points[point] = result
                slowest = max(slowest, (seconds, point))
                if time.monotonic() - told > 30:
                    told = time.monotonic()
                    print(f"{len(points)} of {len(jobs)} runs after {told - begin:.0f} s",
                          flush=True)
    records.write_record(path, points, version)
    statuses = Counter(result["status"] for result in points.values())
    print(f"{path}: {len(points)} points in {time.monotonic() - begin:.0f} s (the slowest: "
          f"{slowest[1]}, {slowest[0]:.1f} s); by status: "
          + ", ".join(f"{status}: {count}" for status, count in statuses.most_common()))
    lost = [point for point, result in points.items() if result["status"] not in (0, 3, 4)
            and not point.startswith(("damaged", "generated"))]
    for point in lost:
        print(f"{point}: was not run: {points[point]['stderr'].strip()}", file=sys.stderr)
    return 1 if lost else 0


def compare(before, after):
    """Prints the differences between two files with records; returns the exit status."""
    one, other = records.read_record(before), records.read_record(after)
    differences = records.compare(one["points"], other["points"])
    for difference in differences:
        print(records.describe(difference))
    differing = {point for point, *_ in differences}
    for kind, points in records.sort_points(one["points"].keys() | other["points"].keys()):
        print(f"{kind}: {len(points - differing)} of {len(points)} points agree")
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
    command.add_argument("--only", default="", metavar="TEXT",
                         help="points with TEXT in their name; of shipped experiments, in that of the file")
    command.add_argument("--skip", default="", metavar="TEXT", help="points without TEXT in their name")
    command = commands.add_parser("compare", help="what differs; status 1 when anything does")
    command.add_argument("before", type=Path)
    command.add_argument("after", type=Path)
    arguments = parser.parse_args()
    try:
        if arguments.command == "record":
            return record(arguments.file, arguments.j, arguments.only, arguments.skip)
        return compare(arguments.before, arguments.after)
    except (records.NetError, records.RecordError, shipped_points.ShippedError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
