# SPDX-License-Identifier: GPL-2.0-only
"""Runs rows of the table, and fits the one number of a group on its anchor."""

from __future__ import annotations

import hashlib
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rails.descriptor import as_json
from rails.ending import complain
from rails.errors import Error
from rails.launcher import call
from rails.reader.result_files import write_at_once

from .communication import run_exchange
from .rule import descriptor_of, files_of

_CLOSE = 0.001  # of the anchor's step
_MOST_TRIES = 6
FIRST = 0.5  # efficiency that is tried first


class NotRun(Error):
    """A row of which no result is kept."""


@dataclass
class Outcome:
    """What was found for a row."""

    row: object
    step_s: float | None = None
    efficiency: float | None = None
    failure: str = ""


class Runner:
    """
    :param folder: where results are kept: a run whose descriptor is the same is not repeated
    :param force: repeats it
    :param kept: runs nothing, but tells what is kept
    """

    def __init__(self, folder, force=False, kept=False):
        self._folder = Path(folder)
        self._force = force
        self._kept = kept

    def run(self, row, efficiency):
        """The result of a row, with so much efficiency."""
        return self.run_descriptor(row.name, descriptor_of(row, efficiency), files_of(row))

    def run_descriptor(self, name, descriptor, files=None):
        """
        The result of a descriptor, which is kept.

        :param files: texts by name, of what stands beside it
        """
        text = as_json(descriptor)
        place = self._folder / name / hashlib.sha256(text.encode()).hexdigest()[:12]
        file = place / "descriptor.json"
        result = place / "result" / "result.json"
        if self._kept and not result.exists():
            raise NotRun(name, "not run yet")
        if self._force or not result.exists():
            begin = time.monotonic()
            place.mkdir(parents=True, exist_ok=True)
            write_at_once(file, text)
            for other, content in (files or {}).items():
                write_at_once(place / other, content)
            ended = call(["run", file, "--out", place / "result", "--force"])
            if ended.status:
                raise ended.error()
            complain(f"{name}: {time.monotonic() - begin:.0f} s")
        return json.loads(result.read_text(encoding="utf-8"))


def step_of(row, result):
    """Seconds of a step: what a run has once is there as often as the pipeline is filled, but for the optimizer."""
    if row.flushes == 1:
        return result["iteration_s"]
    updated = sum(kind["busy_s"] for kind in result["graph"]["kinds"] if kind["name"] == "optimizer")
    return row.flushes * result["iteration_s"] - (row.flushes - 1) * updated


def fit(runner, anchor):
    """
    The efficiency with which an anchor takes as long as measured. What is computed takes time in inverse proportion
    to it, and what is sent takes the same: so the step is nearly a line in 1 / efficiency.

    :raises Error: where no efficiency does
    """
    tried = []  # pairs of 1 / efficiency and step
    inverse = 1 / FIRST
    for _ in range(_MOST_TRIES):
        step = step_of(anchor, runner.run(anchor, round(1 / inverse, 6)))
        tried.append((inverse, step))
        if abs(step / anchor.step_s - 1) <= _CLOSE:
            return round(1 / inverse, 6)
        inverse = _next(tried, anchor.step_s)
        if not 1 <= inverse <= 1000:
            break
    best = min(tried, key=lambda pair: abs(pair[1] - anchor.step_s))
    raise Error(
        anchor.place,
        f"no efficiency up to 1 makes {anchor.name} take {anchor.step_s:.3g} s; with {1 / best[0]:.3g} it takes "
        f"{best[1]:.3g} s",
    )


def _next(tried, goal):
    if len(tried) == 1:
        inverse, step = tried[0]
        return max(1.0, inverse * goal / step) if step > goal else inverse * goal / step
    (x0, y0), (x1, y1) = tried[-2:]
    if y1 == y0:
        return 0
    found = x1 + (goal - y1) * (x1 - x0) / (y1 - y0)
    return max(found, 1.0) if x1 > 1.0 or found > 1 else 0


def run_all(runner, rows, anchors, jobs):
    """Outcomes of all rows, in their order; those of an anchor too."""
    groups = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    with ThreadPoolExecutor(jobs) as pool:
        fitted = {group: pool.submit(fit, runner, anchors[group]) for group in groups}
        found = {}
        for group, members in groups.items():
            for row in members:
                found[row.name] = pool.submit(_outcome, runner, row, fitted[group])
        return [found[row.name].result() for row in rows]


def _outcome(runner, row, fitted):
    try:
        efficiency = fitted.result()
        result = runner.run(row, efficiency)
    except NotRun:
        return Outcome(row)
    except Error as error:
        return Outcome(row, failure=str(error))
    return Outcome(row, step_of(row, result), efficiency)


def run_exchanges(runner, rows, jobs):
    """A row, its value, and why there is none, of all rows in their order."""

    def run(row):
        try:
            return row, run_exchange(runner, row), ""
        except NotRun:
            return row, None, ""
        except Error as error:
            return row, None, str(error)

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(run, rows))
