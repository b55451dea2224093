#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Damages folders of results at random, and looks at what the program (RAILS_EXPERIMENT) does with them.

Whatever is in a folder, a command ends with a documented status and without a signal, within a second of
computing and 256 MB, and prints nothing that a terminal acts on. A case follows from its number alone.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIMULATION = """\
topology: {type: rail, domains: 2, gpus_per_domain: 2}
transport: {congestion_control: none}
workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 64KB}}
balance: {type: rails}
record: {explain: true}
sweep:
  balance: [{type: rail-source, label: "=a b"}, {type: rails}]
  seed: [1, 2]
"""
STUDY = """\
experts: {model: {type: gpt-32x1.3b, experts: 8}, gpus: 8, gpus_per_domain: 8, tokens: 64, layers: 1}
sweep: {experts.policy: [plain-ep, llep]}
"""
SECONDS = 1.0  # of computing
BYTES = 256 << 20
PATIENCE = 30  # seconds of the clock, after which a command hangs
STATUSES = (0, 2, 3, 4)
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]")
EXCEPTIONS = re.compile(r"defect|json\.exception|bad_alloc|basic_string|std::|terminate|vector::")
LARGE = 500_000
FILES = (
    "*/result.json",
    "*/result.json",
    "*/failure.json",
    "*/*.csv",
    ".rails/sweep.json",
    ".rails/sweep.json",
    ".rails/sizes.json",
    "points.json",
    "index.sqlite",
)


class Fuzzer:
    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.bases = [self.make_base("simulation", SIMULATION), self.make_base("study", STUDY)]

    def make_base(self, name, text):
        """A good sweep, in which one point has failed."""
        descriptor = self.folder / f"{name}.yaml"
        descriptor.write_text(text)
        out = self.folder / f"{name}-base"
        subprocess.run([self.program, "sweep", descriptor, "--out", out], check=True, capture_output=True)
        point = sorted(path for path in out.glob("[!.]*") if path.is_dir())[0]
        result = json.loads((point / "result.json").read_text())
        shutil.rmtree(point)
        point.mkdir()
        kept = {key: result[key] for key in ("key", "seed", "axes", "config", "version")}
        failure = {"point": point.name, "status": 3, "reason": "time limit of 1 s", "attempts": 1, "wall_s": 1.0}
        (point / "failure.json").write_text(json.dumps(failure | kept))
        return descriptor, out

    def run_case(self, number, seed):
        """Returns what is wrong, a line each."""
        draw = random.Random(f"{seed}/{number}")
        descriptor, base = draw.choice(self.bases)
        place = self.folder / f"case-{number}"
        shutil.copytree(base, place, symlinks=True)
        changes = [self.damage(draw, place) for _ in range(draw.choice((1, 1, 1, 2, 4)))]
        commands = [["index", place], ["explain", place], ["run", descriptor, "--out", place, "--dry-run"]]
        if draw.random() < 0.2:
            commands[0] += ["--csv", place.with_suffix(".csv"), "--json", place.with_suffix(".table")]
        if draw.random() < 0.2:
            commands[1] += ["--where", "seed=2"]
        if self.asks_for_the_same(place, base):
            commands.append(["sweep", "--resume", place])
        wrong = []
        for command in commands:
            fault = self.run_program(command)
            if fault:
                words = " ".join(str(word) for word in command)
                wrong.append(f"case {number} ({'; '.join(changes)}): {words}: {fault}")
        if not wrong:
            shutil.rmtree(place)
        for suffix in (".csv", ".table"):
            place.with_suffix(suffix).unlink(missing_ok=True)
        return wrong

    @staticmethod
    def asks_for_the_same(place, base):
        """Runs of another descriptor may take any time."""
        file = place / ".rails" / "sweep.json"
        try:
            if not file.is_file() or file.stat().st_size > 1 << 24:
                return True
            found = json.loads(file.read_text())
            kept = json.loads((base / ".rails" / "sweep.json").read_text())
            return not isinstance(found, dict) or all(
                found.get(key) == kept[key] or not isinstance(found.get(key), type(kept[key])) for key in ("text", "sets")
            )
        except (ValueError, OSError, RecursionError):
            return True

    def run_program(self, command):
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [self.program, *map(str, command)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            end, used = time.monotonic() + PATIENCE, None
            while time.monotonic() < end:
                found, status, used = os.wait4(process.pid, os.WNOHANG)
                if found:
                    break
                time.sleep(0.002)
            else:
                os.killpg(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                process.returncode = 1
                return f"it had not ended after {PATIENCE} s"
            process.returncode = status
            output.seek(0)
            printed = output.read().decode(errors="replace")
        return self.judge(status, used, printed)

    @staticmethod
    def judge(status, used, printed):
        if os.WIFSIGNALED(status):
            return f"signal {os.WTERMSIG(status)}"
        if os.WEXITSTATUS(status) not in STATUSES:
            return f"status {os.WEXITSTATUS(status)}: {printed[-300:]}"
        if used.ru_utime + used.ru_stime > SECONDS:
            return f"{used.ru_utime + used.ru_stime:.1f} s of computing"
        if used.ru_maxrss * 1024 > BYTES:
            return f"{used.ru_maxrss >> 10} MB"
        for pattern in (CONTROLS, EXCEPTIONS):
            if found := pattern.search(printed):
                return f"it printed {printed[max(0, found.start() - 100) : found.end() + 100]!r}"
        return ""

    def damage(self, draw, place):
        """Changes a file. Returns what was done."""
        found = sorted(place.glob(draw.choice(FILES))) or [place / "points.json"]
        path = draw.choice(found)
        name = str(path.relative_to(place))
        kind = draw.random()
        if kind < 0.12:
            return f"{name}: {self.replace(draw, path)}"
        if path.name == "index.sqlite" and kind < 0.5:
            return f"{name}: {self.make_database(draw, path)}"
        if path.suffix == ".json" and kind < 0.85:
            return f"{name}: {self.change_json(draw, path)}"
        return f"{name}: {self.change_bytes(draw, path)}"

    @staticmethod
    def replace(draw, path):
        """Puts something else in the place of a file."""
        if path.is_dir() and not path.is_symlink():
            return "left"
        path.unlink(missing_ok=True)
        kind = draw.choice(("gone", "pipe", "zero", "folder", "loop", "empty", "dangling", "random", "hole"))
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "empty":
            path.touch()
        elif kind == "hole":
            with path.open("wb") as file:
                file.truncate(1 << 40)
        elif kind != "gone":
            targets = {"zero": "/dev/zero", "loop": path.name, "dangling": "nowhere", "random": "/dev/random"}
            path.symlink_to(targets[kind])
        return kind

    @staticmethod
    def change_bytes(draw, path):
        if not path.is_file() or path.stat().st_size > 1 << 22:
            return "left"
        data = bytearray(path.read_bytes())
        at = draw.randrange(len(data) + 1)
        kind = draw.choice(("cut", "flip", "insert", "double", "drop"))
        if kind == "cut":
            del data[at:]
        elif kind == "flip":
            for _ in range(draw.choice((1, 3, 50))):
                if data:
                    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        elif kind == "insert":
            piece = draw.choice((b"\0", b"\xff", b"\x1b[2J", b"[" * LARGE, b'{"a":' * LARGE, b"\xe2\x80\xae", b'"', b"\\u0000"))
            data[at:at] = piece
        elif kind == "double":
            data[at:at] = data[at : at + 2000]
        else:
            del data[at : at + draw.randrange(1, 200)]
        path.write_bytes(data)
        return f"{kind} at {at}"

    @staticmethod
    def make_database(draw, path):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)  # another damage has put a folder there
        path.unlink(missing_ok=True)
        endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
        table = "CREATE TABLE points (point, wall_s, status);"
        made = draw.choice(
            (
                f"CREATE VIEW points AS {endless} SELECT x AS point, 1.0 AS wall_s, 0 AS status FROM c WHERE x < 0",
                f"{table} INSERT INTO points VALUES (NULL, NULL, 0), ('seed=9', NULL, 0), (x'ff', 1e308, 0), (1, 'x', 0)",
                f"{table} INSERT INTO points {endless} SELECT 'p' || x, 1.0, 0 FROM c LIMIT 50000",
                f"{table} INSERT INTO points VALUES (zeroblob(5000000), 1.0, 0)",
                "CREATE TABLE points (point, status, wall_s AS (length(hex(zeroblob(600000)))))",
                "CREATE TABLE other (x)",
                "CREATE VIRTUAL TABLE points USING fts4(point, wall_s, status)",
            )
        )
        try:
            with sqlite3.connect(path) as connection:
                connection.executescript(made)
        except sqlite3.Error as error:
            return f"no database ({error})"
        return made[:80]

    def change_json(self, draw, path):
        if not path.is_file() or path.stat().st_size > 1 << 22:
            return "left"
        try:
            value = json.loads(path.read_text())
        except (ValueError, RecursionError):
            return self.change_bytes(draw, path)
        holders = list(find_holders(value))
        if not holders:
            return self.change_bytes(draw, path)
        holder, keys = draw.choice(holders)
        if draw.random() < 0.5:  # what is near the top counts most
            holder, keys = holders[0]
        key = draw.choice(keys)
        kind = draw.choice(("value", "value", "value", "drop", "add", "many", "case", "nest", "move"))
        if kind == "value":
            holder[key] = make_value(draw)
        elif kind == "drop":
            del holder[key]
        elif kind == "add" and isinstance(holder, dict):
            holder[make_text(draw)] = make_value(draw)
        elif kind == "many" and isinstance(holder, dict):
            stem = draw.choice(("k", "a.b", "K" * 400))
            holder.update((f"{stem}{i}", i) for i in range(draw.choice((100, 3000, 20_000 if len(stem) < 9 else 1000))))
        elif kind == "case" and isinstance(holder, dict):
            holder[key.swapcase()] = 1
        elif kind == "nest":
            holder[key] = "@deep@"
        elif isinstance(holder, dict):
            holder[make_text(draw)] = holder.pop(key)
        text = json.dumps(value)
        depth = draw.choice((5, 99, 101, 3000, LARGE))
        text = text.replace('"@deep@"', "[" * depth + "]" * depth)
        text = text.replace('"@huge@"', draw.choice(("1e999", "1" * 5000, "-1e308", "1e308", "NaN")))
        path.write_text(text)
        return f"{kind} {str(key)[:40]!r}"


def find_holders(value):
    """Objects and lists with something in them, from the top."""
    waiting = [value]
    while waiting:
        holder = waiting.pop(0)
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if keys:
            yield holder, keys
        waiting += [holder[key] for key in keys if isinstance(holder[key], (dict, list))]


def make_text(draw):
    return draw.choice(
        ("", "a\0b", "\x1b]0;x\a", "\u202eb", "\x9b2J", "../x", "/etc/passwd", "a" * 3000, "0", "~1", "\n", "\r", "Größe", ".", "=1+1")
    )


def make_value(draw):
    numbers = (0, -1, 1, 5, 255, 2**31, 2**32, 2**63, 2**64, -(2**63), 0.5, 1e308, -1e308, "@huge@", True, False)
    others = (None, [], {}, [None], {"a": None}, [[1], {"b": []}], ["x"], {"type": "x"}, "400Gbps", "1e999s", "99999999TB")
    return draw.choice((draw.choice(numbers), draw.choice(others), make_text(draw)))


def run(count, seed=1, first=0, program=None, report=print):
    """Runs some cases. Returns what is wrong."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # many small files
    folder = tempfile.mkdtemp(prefix="rails-fuzz-", dir=memory)
    fuzzer = Fuzzer(program or os.environ["RAILS_EXPERIMENT"], folder)
    wrong = []
    for number in range(first, first + count):
        for line in fuzzer.run_case(number, seed):
            report(line)
            wrong.append(line)
    if wrong:
        report(f"the folders are in {folder}")
    else:
        shutil.rmtree(folder)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000, help="cases (3000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (0)")
    parser.add_argument("--seed", type=int, default=1, help="of all of them (1)")
    options = parser.parse_args()
    wrong = run(options.count, options.seed, options.first, report=lambda line: print(line, flush=True))
    print(f"{options.count} cases, {len(wrong)} faults")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
