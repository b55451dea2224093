# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps of the real program in folders of their own."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest
import uuid
from pathlib import Path

PROGRAM = os.environ["RAILS_EXPERIMENT"]

# Points of some 20 ms.
DESCRIPTOR = """\
topology: {type: rail, domains: 4, gpus_per_domain: 4}
workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 200KB}}
balance: rails
"""

# Seconds. Nothing takes nearly as long, even on a machine that is several times slower.
PATIENCE = 400

# What is measured by the clock, and so differs from run to run.
MEASURED = ("wall_s", "peak_rss_bytes")


def make_environment(mark):
    """An environment by which all processes of a test are known."""
    return {**os.environ, "RAILS_TEST_MARK": mark, "RAILS_LAUNCHER": PROGRAM}


def without_progress(errors):
    """Errors of a sweep but for the line that it prints every ten seconds, which a slow machine gets to see."""
    return re.sub(r"^rails: \[.*\d+ of \d+ done.*\n", "", errors, flags=re.MULTILINE)


def find_processes(mark):
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"RAILS_TEST_MARK={mark}".encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass  # it has ended, or is somebody else's
    return found


class SweepTest(unittest.TestCase):
    def setUp(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # many small files
        self.folder = Path(tempfile.mkdtemp(prefix="rails-sweep-", dir=memory))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.mark = uuid.uuid4().hex
        self.descriptor = self.write("sweep.yaml", DESCRIPTOR + "sweep: {repeat: 10}\n")

    def keep(self, folder):
        """Moves a folder to where it stays for the other tests of the class."""
        kept = tempfile.mkdtemp(prefix="rails-sweep-", dir=self.folder.parent)
        self.addClassCleanup(shutil.rmtree, kept, ignore_errors=True)
        return Path(shutil.move(folder, kept))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def start(self, *arguments, **options):
        """Starts the program; its output is taken."""
        settings = {
            "cwd": self.folder,
            "env": make_environment(self.mark),
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            **options,
        }
        return subprocess.Popen([PROGRAM, *map(str, arguments)], **settings)

    def run_program(self, *arguments, status=0, **options):
        """Runs the program to its end. Returns what it printed, and its errors."""
        process = self.start(*arguments, **options)
        output, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, status, f"{output}\n{errors}")
        return output, errors

    def sweep(self, out="out", *arguments, **options):
        return self.run_program("sweep", self.descriptor, "--out", out, *arguments, **options)

    def wait_until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                self.fail(what)
            time.sleep(0.01)

    def sweep_in_time(self, in_time, *arguments, seconds):
        """Sweeps into "out" with a limit of time that some points keep and others do not.

        in_time -- tells whether those that can have kept it; a machine that is busy is given more
        returns the limit, as the program is told it
        """
        while True:
            limit = f"{seconds}s"
            self.sweep("out", "--time-limit", limit, *arguments, status=3)
            if in_time() or seconds > PATIENCE:
                return limit
            shutil.rmtree(self.folder / "out")
            seconds *= 4

    def assert_nobody_is_left(self):
        self.wait_until(lambda: not find_processes(self.mark), "a process is left")

    def assert_nothing_hidden(self, folder):
        hidden = [path for path in Path(folder).rglob(".*") if path.name != ".rails"]
        self.assertEqual(hidden, [])

    def assert_whole(self, folder):
        """Every point has all its files, in their whole length."""
        points = list_points(folder)
        for point in points:
            result = json.loads((Path(folder) / point / "result.json").read_text())
            self.assertEqual(result["status"], 0)
            for artefact in result["artefacts"]:
                size = (Path(folder) / point / artefact["file"]).stat().st_size
                self.assertEqual(size, artefact["bytes"])
        return points

    def assert_equal_results(self, left, right):
        """The same points with the same files, byte for byte but for what is measured."""
        self.assertEqual(read_results(left), read_results(right))
        self.assertEqual(read_index(left), read_index(right))


def list_points(folder):
    return sorted(path.name for path in Path(folder).glob("[!.]*") if path.is_dir())


def read_results(folder):
    results = {}
    for point in list_points(folder):
        for file in (Path(folder) / point).iterdir():
            text = file.read_text()
            if file.name == "result.json":
                text = "\n".join(
                    line
                    for line in text.splitlines()
                    if line.strip().split('"')[1:2] not in [[key] for key in MEASURED]
                )
            results[point, file.name] = text
    return results


def read_index(folder):
    """The tables of an index, without what is measured and without the place."""
    connection = sqlite3.connect(Path(folder) / "index.sqlite")
    connection.row_factory = sqlite3.Row
    tables = {}
    for table in ("points", "artefacts"):
        rows = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
        for row in rows:
            for key in (*MEASURED, "folder"):
                row.pop(key, None)
        tables[table] = sorted(rows, key=str)
    connection.close()
    return tables
