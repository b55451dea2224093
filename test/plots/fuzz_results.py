#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Looks for result folders that plot, report, compare and engines do not stand: good ones of several kinds, damaged in
ways that a random generator draws. Every number of an input is a seed, so what is found can be had again by --first.

What has to hold: status 0 or 2, lines without control characters and without "defect", little time, and nothing written
outside of what the program was asked for.
"""

import argparse
import collections
import contextlib
import gc
import hashlib
import json
import os
import random
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
import traceback
from pathlib import Path
from unittest import mock

import synthetic
import synthetic_failures
import synthetic_folders
import synthetic_studies
import synthetic_trainings
from programs import call

LIMIT_S = 10  # of the processor, for a program; most of it is for pictures
_PATIENCE_S = 100  # until a program counts as one that waits for something
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_WORD = re.compile(r"[A-Za-z_]{3,}")
_TEXTS = (
    "", "\0", "\x1b]0;owned\x07\x1b[2J", "a\nrails: error: b\r", "\u202egnp.exe", "\ud800", "</script><b>&amp;\"'", "../../x",
    "/etc/passwd", "a/b", "$\\frac{1$", "x" * 300, "y " * 20_000, "[" * 3000, "[1, {}]", "9" * 5000, "1e999s", "-5ms", "%s%n{}",
    "nan", "=1+1", "\u00e9\U0001f600", "C:\\x", "report.html", "ecmp", "rails", "1", ".", "..", "a" * 255 + ".b",
)  # fmt: skip
_NUMBERS = (0, -1, 1, 0.5, 1e-300, 1e29, -1e29, 2**63, 10**29, 1e12, 3.5e5, 1e-9, True)


def _wide(count):
    return {f"k{number}": number for number in range(count)}


def _deep(depth, kind):
    value = 1
    for _ in range(depth):
        value = [value] if kind is list else {"a": value}
    return value


_OTHERS = (
    None, [], {}, [[]], [None], [1, "a", {}], _deep(30, list), _deep(30, dict), _deep(900, dict), _deep(500, list),
    _wide(2000), {"type": "x", "TYPE": "y", "Type": "z"}, {"a": {"b" * 250: _wide(500)}}, list(range(20_000)),
    [[1, 2]] * 3000, {"type": {"type": "x"}}, ["a"] * 5000,
)  # fmt: skip


def _value(draw):
    """One of its own, which can be changed."""
    return json.loads(json.dumps(draw.choice(draw.choice((_TEXTS, _NUMBERS, _OTHERS)))))


def _places(value, depth=0):
    """Where a value of JSON has something in it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items)[: 40 if depth < 20 else 0]:
        yield (value, key)
        yield from _places(item, depth + 1)


def _change_json(draw, path):
    try:
        whole = json.loads(path.read_text())
    except (ValueError, OSError):
        return
    for _ in range(draw.choice((1, 1, 1, 2, 5))):
        places = list(_places(whole))
        if not places:
            break
        parent, key = draw.choice(places)
        kind = draw.random()
        if kind < 0.6:
            parent[key] = _value(draw)
        elif kind < 0.75:
            del parent[key]
        elif isinstance(parent, dict):
            name = draw.choice((*_TEXTS, key.upper() if isinstance(key, str) else "K"))
            parent[name] = parent[key] if draw.random() < 0.5 else _value(draw)
        else:
            parent.insert(0, _value(draw))
    path.write_text(json.dumps(whole))


def _change_bytes(draw, path):
    data = bytearray(path.read_bytes())
    for _ in range(draw.choice((1, 3, 20))):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(4)
        if kind == 0:
            del data[at : at + draw.choice((1, 10, 1000))]
        elif kind == 1:
            data[at:at] = draw.choice((b"\0", b"\xff", b"[", b'"', b",", b"\n", b"9" * 500, b"{" * 2000, b"\x1b[1m", b"\xe2\x80\xae"))
        elif kind == 2:
            data[at:at] = data[max(0, at - 300) : at]
        elif data:
            data[at % len(data)] = draw.randrange(256)
    path.write_bytes(data)


def _change_table(draw, path):
    rows = [line.split(",") for line in path.read_text().splitlines()]
    for _ in range(draw.choice((1, 2, 10))):
        row = draw.choice(rows[: draw.choice((1, 1000))])
        row[draw.randrange(len(row))] = str(draw.choice((*_TEXTS, *_NUMBERS, "inf", "1" * 200_000, '"', "0")))
    if draw.random() < 0.1:
        draw.choice(rows).append(",".join("0" * 400_000))
    path.write_bytes("\n".join(map(",".join, rows)).encode("utf-8", "replace"))


def _replace(draw, path):
    path.unlink()
    kind = draw.randrange(9)
    if kind == 0:
        os.mkfifo(path)
    elif kind == 1:
        path.symlink_to("/dev/zero")
    elif kind == 2:
        path.symlink_to("/etc/passwd")
    elif kind == 3:
        path.symlink_to(path.name)
    elif kind == 4:
        path.mkdir()
    elif kind == 5:
        path.write_bytes(b"")
    elif kind == 6:
        path.symlink_to("/dev/tty")
    elif kind == 7 and len(str(path)) < 100:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(path))


def _rename(draw, path):
    names = ("\x1b[31m", "\u202e", "a\nb", "a" * 250, "figures", ".hidden", "x=1,y=2", "\udcff", "point", "\t", "--help")
    target = path.with_name(draw.choice(names))
    if not target.exists():
        path.rename(target)


def _add(draw, folder):
    kind = draw.randrange(8)
    points = [path for path in folder.iterdir() if path.is_dir()] or [folder]
    if kind == 0:
        (folder / "points.json").write_text(json.dumps(draw.choice((_value(draw), [p.name for p in points], ["../x"]))))
    elif kind == 1:
        (folder / ".rails").mkdir(exist_ok=True)
        record = {"name": "n", "points": 4, "text": "a: b", "baseline": {"balance": "ecmp"}}
        record[draw.choice((*record, "sets"))] = _value(draw)
        (folder / ".rails/sweep.json").write_text(json.dumps(record))
    elif kind == 2:
        (folder / "index.sqlite").write_bytes(b"SQLite format 3\0" + draw.randbytes(2000))
    elif kind == 3:
        (folder / "figures").symlink_to("/etc")
    elif kind == 4:
        (folder / "report.html").symlink_to("/etc/passwd")
    elif kind == 5:
        (draw.choice(points) / "failure.json").write_text(json.dumps({"status": 3, "reason": _value(draw)}))
    elif kind == 6:
        _rename(draw, draw.choice(points))
    else:
        place = folder
        for _ in range(60):
            place = place / "d"
        place.mkdir(parents=True)


def damage(draw, folder):
    """Damages a folder."""
    for _ in range(draw.choice((1, 1, 2, 4))):
        with contextlib.suppress(OSError, UnicodeDecodeError):  # what was damaged before may not take more
            _damage_once(draw, folder)


def _damage_once(draw, folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    files = [path for path in files if path.suffix in (".json", ".csv")]
    kind = draw.random()
    if kind < 0.15 or not files:
        _add(draw, folder)
        return
    records = [path for path in files if path.suffix == ".json"]
    path = draw.choice(records if records and draw.random() < 0.75 else files)
    if kind < 0.22:
        _replace(draw, path)
    elif kind < 0.4:
        _change_bytes(draw, path)
    elif path.suffix == ".json":
        _change_json(draw, path)
    else:
        _change_table(draw, path)


class Folders:
    """Good folders of several kinds, from which damaged ones are made."""

    def __init__(self, place):
        self.place, self.good = Path(place), Path(place) / "good"
        small = {"messages": 12}
        synthetic.write_sweep(self.good / "sweep", ("ecmp", "rails"), (1, 2), **small)
        synthetic_folders.along(self.good / "axis", "topology.domains", (4, 8), seeds=(1, 2), **small)
        synthetic_failures.write_failure(self.good / "axis/failed", scheme="rails", config={"topology.domains": 8})
        synthetic_trainings.write_trainings(self.good / "training", seeds=(1, 2))
        synthetic_studies.write_studies(self.good / "study")
        for seed in (1, 2):
            explain = {"explain": synthetic_failures.EXPLANATION, "failures": synthetic_failures.OUTAGE}
            synthetic.write_flows(self.good / f"flows/seed={seed}", seed=seed, **small, **explain)
        self.names = sorted(path.name for path in self.good.iterdir())

    def programs(self, draw, folder, base):
        """A program and its arguments."""
        out = folder.parent
        return draw.choice(
            (
                ("plot", folder, "--csv"),
                ("plot", folder, "--format", "svg"),
                ("report", folder),
                ("report", folder, "--out", out / "page.html"),
                ("report", folder, self.good / base),
                ("compare", folder, "--by", "balance", "--csv", out / "a.csv", "--latex", out / "a.tex", "--json", out / "a.json"),
                ("compare", folder, "--by", "workload.experts"),
                ("compare", self.good / base, folder),
                ("engines", folder, "--csv", out / "e.csv"),
            )
        )


_TIMERS = (
    (signal.SIGPROF, signal.ITIMER_PROF, LIMIT_S),
    (signal.SIGALRM, signal.ITIMER_REAL, _PATIENCE_S),
)


class Overtime(BaseException):
    """A program takes too long."""


def _overtime(*_):
    raise Overtime


def check(folders, number):
    """What is wrong with what a program does with the input of a number, or None, and the seconds that it took."""
    draw = random.Random(number)
    place = folders.place / "input"
    place.mkdir()
    outside = folders.place / "outside"
    try:
        base = draw.choice(folders.names)
        folder = Path(shutil.copytree(folders.good / base, place / "folder"))
        damage(draw, folder)
        program = folders.programs(draw, folder, base)
        begin = time.process_time()
        for name, timer, limit in _TIMERS:
            signal.signal(name, _overtime)
            signal.setitimer(timer, limit)
        try:
            done = call(program[0], *program[1:], pictures=draw.random() < 0.1)
        except Overtime as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            return f"{program[0]}: more than {LIMIT_S} s, in {Path(place.filename).name}:{place.lineno}", LIMIT_S
        except Exception as error:  # pylint: disable=broad-except
            return f"{program[0]}: {type(error).__name__}: {error}", time.process_time() - begin
        finally:
            for _, timer, _ in _TIMERS:
                signal.setitimer(timer, 0)
        return _fault(done, program, place, outside), time.process_time() - begin
    finally:
        shutil.rmtree(folders.place / "input", ignore_errors=True)


def _fault(done, program, place, outside):
    name = program[0]
    if done.returncode not in (0, 1, 2):
        return f"{name}: status {done.returncode}: {done.stderr[-300:]}"
    if "defect" in done.stderr:
        return f"{name}: {done.stderr[-300:]}"
    if _CONTROL.search(done.stdout + done.stderr):
        return f"{name}: control characters: {done.stdout + done.stderr!r:.300}"
    if done.returncode == 2 and not done.stderr:
        return f"{name}: status 2 without a reason"
    for path in place.rglob("*"):
        if path.suffix in (".html", ".tex", ".svg") and path.is_file() and not path.is_symlink():
            text = path.read_text("utf-8")
            if _CONTROL.search(text.partition("</main>")[0]):
                return f"{name}: control characters in {path.name}"
            if "<b>&amp;" in text:
                return f"{name}: markup of others in {path.name}"
    return f"{name}: something was written outside" if outside.exists() else None


def run(first, count, keep_going=False):
    """Checks inputs; returns faults by number, the longest time, and how many ran."""
    faults, longest = {}, 0.0
    place = tempfile.mkdtemp()
    try:
        folders = Folders(place)
        good = _digest(folders.good)
        patches = [mock.patch("programs.faults", return_value=[])]
        patches.append(mock.patch("rails.plots.report_page._libraries", return_value=[]))
        for patch in patches:
            patch.start()
        for number in range(first, first + count):
            fault, seconds = check(folders, number)
            if number % 20 == 0:
                gc.collect()  # figures are many objects that refer to each other
            longest = max(longest, seconds)
            if fault:
                faults[number] = fault
                if not keep_going:
                    break
        for patch in patches:
            patch.stop()
        if _digest(folders.good) != good:
            faults[-1] = "a folder beside the damaged one was changed"
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return faults, longest


def _digest(folder):
    names = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".html")
    return hashlib.sha256(b"".join(bytes(path) + path.read_bytes() for path in names)).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="inputs (default: 300)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    options = parser.parse_args()
    faults, longest = run(options.first, options.count, keep_going=True)
    for number, fault in faults.items():
        print(f"{number}: {fault}")
    kinds = collections.Counter(_WORD.findall(fault)[0] for fault in faults.values())
    print(f"{options.count} inputs, {len(faults)} faults {dict(kinds)}, at most {longest:.2f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
