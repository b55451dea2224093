# SPDX-License-Identifier: GPL-2.0-only
"""Records what command lines print and write, and compares two such records."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import command_lines
import command_record
import plain_output
import records

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("commands.txt")
LONGEST_S = 120
# The part of ./rails that hands over to Python, without its search for packages and builds.
_LAUNCHER = """#!/bin/sh
case $1 in
plot | report | compare | engines | reproduce) script=plots/$1.py ;;
import) script=python/rails/imports/__main__.py ;;
measured) script=python/rails/measured/__main__.py ;;
*) exec "$RAILS_EXPERIMENT" "$@" ;;
esac
shift
exec "$PYTHON" "$SOURCE/$script" "$@"
"""


def _find_python():
    """Returns the first Python with what figures and tables need; None without one."""
    for python in ("/usr/bin/python3", "python3"):
        if shutil.which(python) and not subprocess.run(
                [python, "-c", "import matplotlib, scipy"], check=False,
                capture_output=True).returncode:
            return shutil.which(python)
    return None


def _make_tools(folder):
    """Makes the programs that command lines call by their names."""
    folder.mkdir()
    for name, text in {"rails": _LAUNCHER, **command_lines.TOOLS}.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)


def _read_tree(folder, places):
    """Returns texts of all files below a folder by their names; None for what is no text."""
    tree = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            tree[name + (" (a link)" if path.is_symlink() else " (no file)")] = None
        elif path.is_file():
            tree[name] = plain_output.read_file(path, places)
        elif not any(path.iterdir()):
            tree[name + "/"] = None
    return tree


class _Scenes:
    """Plays scenes, each in a folder of its own."""

    def __init__(self, program, python, folder):
        self.seconds = {}  # that each scene took
        self._folder = folder
        self._tools = folder / "tools"
        _make_tools(self._tools)
        self._environment = {
            "PATH": f"{self._tools}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "COLUMNS": "100", "RAILS_EXPERIMENT": program, "SOURCE": str(ROOT),
            "PYTHON": python or "", "MPLBACKEND": "agg",
            "RAILS_LAUNCHER": str(self._tools / "rails"),  # what messages say to call
            "MPLCONFIGDIR": str(folder / "matplotlib"),
            **{name: os.environ[name] for name in ("LD_LIBRARY_PATH", "TMPDIR")
               if name in os.environ}}
        self._places = {str(self._tools): "TOOLS", program: "PROGRAM",
                        os.path.realpath(program): "PROGRAM", str(ROOT): "SOURCE",
                        **({python: "PYTHON"} if python else {})}

    def play(self, number, scene):
        """Returns lines of what each command of a scene resulted in, by its name."""
        folder = self._folder / f"scene-{number}"
        folder.mkdir()
        for name, text in scene.get_files().items():
            (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        places = {**self._places, str(folder): "FOLDER", os.path.realpath(folder): "FOLDER"}
        environment = {**self._environment, "HOME": str(folder)}
        results = {}
        begin = time.monotonic()
        tree = _read_tree(folder, places)
        for command in scene.commands:
            before = tree
            try:
                ended = subprocess.run(["sh", "-c", command], cwd=folder, env=environment,
                                       stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                       timeout=LONGEST_S)
            except subprocess.TimeoutExpired as error:
                raise records.NetError(f"{command}: error: took longer than {LONGEST_S} s") from error
            tree = _read_tree(folder, places)
            output, errors = (plain_output.normalise(text.decode("utf-8", "replace"), places)
                              for text in (ended.stdout, ended.stderr))
            results[f"{scene.name} $ {command}"] = command_record.describe(
                ended.returncode, output, errors, before, tree)
        shutil.rmtree(folder)
        self.seconds[scene.name] = time.monotonic() - begin
        return results


def make_record(processes, only=""):
    """Returns what all commands result in, the names of scenes that were left out, and the seconds
    that the others took."""
    program, python = records.find_program(), _find_python()
    scenes = [scene for scene in command_lines.SCENES if only in scene.name]
    left_out = [scene.name for scene in scenes if scene.python and not python]
    with tempfile.TemporaryDirectory(prefix="commands-net-") as name, \
            ThreadPoolExecutor(processes) as pool:
        player = _Scenes(program, python, Path(name))
        played = [scene for scene in scenes if scene.name not in left_out]
        # Python takes longest, and begins first.
        waiting = {number: pool.submit(player.play, number, scene) for number, scene in
                   sorted(enumerate(played), key=lambda item: not item[1].python)}
        results = {}
        for number in range(len(played)):
            results.update(waiting[number].result())
    return results, left_out, player.seconds


def record(path, processes, only):
    """Writes a record into a file; returns the exit status."""
    begin = time.monotonic()
    results, left_out, seconds = make_record(processes, only)
    if left_out:
        raise records.NetError("error: there is no Python with matplotlib and scipy, which these need: "
                       + ", ".join(left_out))
    command_record.write(path, results)
    slowest = max(seconds, key=seconds.get)
    print(f"{path}: {len(results)} commands in {time.monotonic() - begin:.0f} s (the slowest scene: "
          f"{slowest}, {seconds[slowest]:.1f} s)")
    return 0


def compare(before, after):
    """Prints the differences between two files with records; returns the exit status."""
    one, other = command_record.read(before), command_record.read(after)
    told = command_record.compare(one, other)
    for line in told:
        print(line)
    equal = sum(one.get(name) == lines for name, lines in other.items())
    print(f"{equal} of {len(one.keys() | other.keys())} commands agree")
    return 1 if told else 0


def check(processes):
    """Compares the program with the record that is kept; returns the exit status."""
    kept = command_record.read(RECORD)
    results, left_out, _ = make_record(processes)
    if left_out:
        print("there is no Python with matplotlib and scipy; NOT tested: " + ", ".join(left_out))
    expected = {name: lines for name, lines in kept.items()
                if name.partition(" $ ")[0] not in left_out}
    told = command_record.compare(expected, results)
    for line in told:
        print(line)
    if told:
        print(f"The program differs from {RECORD} (- is the record, + the program). Where that is "
              "meant: RAILS_EXPERIMENT=PROGRAM test/tools/commands-net record "
              f"test/net/{RECORD.name}")
    return 1 if told else 0


def main():
    """Does what the command line says; returns the exit status."""
    parser = argparse.ArgumentParser(prog="commands-net", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("record", help="call all commands, and write a record")
    command.add_argument("file", type=Path)
    command.add_argument("-j", type=int, default=2, metavar="N", help="scenes at a time (2)")
    command.add_argument("--only", default="", metavar="TEXT",
                         help="scenes with TEXT in their name")
    command = commands.add_parser("compare", help="what differs; status 1 when anything does")
    command.add_argument("before", type=Path)
    command.add_argument("after", type=Path)
    command = commands.add_parser(
        "check", help=f"what differs from {RECORD.name}; status 1 when anything does")
    command.add_argument("-j", type=int, default=2, metavar="N", help="scenes at a time (2)")
    arguments = parser.parse_args()
    try:
        if arguments.command == "record":
            return record(arguments.file, arguments.j, arguments.only)
        if arguments.command == "check":
            return check(arguments.j)
        return compare(arguments.before, arguments.after)
    except (records.NetError, records.RecordError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
