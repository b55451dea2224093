# SPDX-License-Identifier: GPL-2.0-only
"""Rows of measured trainings, of the table that is part of rails or of one's own."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass, fields
from pathlib import Path

from rails.errors import Error, reason_of
from rails.reader.nearest_name import suggest

from .machines import MACHINES
from .models import MODELS, deal_with_ends, operations_per_token

PRECISIONS = ("bf16", "fp8-tensor", "fp8-block", "mxfp8")
LOADS = ("forced", "natural", "capacity")
USES = ("anchor", "predict", "no")
DISPATCHERS = ("alltoall", "deepep", "hybridep")
_WORDS = {
    "precision": PRECISIONS,
    "loads": LOADS,
    "use": USES,
    "dispatcher": DISPATCHERS,
    "data": ("distributed-optimizer", "fsdp"),
    "graphs": ("none", "partial", "full"),
    "overlap": ("none", "exchange", "exchange delayed"),
}
_MEASURED = ("step_s", "tokens_s_gpu", "tflops_gpu")
_ENDS = "loss and embedding as layers"  # of a layout, which Megatron deals


@dataclass(frozen=True)
class Row:
    """A training that somebody has measured."""

    place: str  # FILE:LINE
    name: str
    study: str
    version: str
    source: str
    model: str
    gpu: str
    gpus: int
    precision: str
    batch: int  # sequences of a step
    micro: int
    sequence: int
    tp: int
    cp: int
    pp: int
    vpp: int
    ep: int
    etp: int
    data: str
    dispatcher: str
    overlap: str
    graphs: str
    recompute: str
    layout: str
    schedule: str
    loads: str
    iteration: int  # how far the training was, which loads depend on; 0: it had settled
    flushes: int  # a step fills and drains its pipeline so often: accumulation of gradients outside of the schedule
    step_s: float
    use: str
    assumed: str

    @property
    def group(self):
        """What one number is fitted for."""
        return (self.study, self.version, self.gpu, self.precision)

    @property
    def operations(self):
        """Of the model, for a step."""
        predictions = self.layout.count("m") if self.layout.startswith("E") else 0
        return self.batch * self.sequence * operations_per_token(self.model, self.sequence, predictions)

    @property
    def shape(self):
        """The layout in a word."""
        parts = [f"{name}{getattr(self, name)}" for name in ("tp", "cp", "pp", "vpp", "ep") if getattr(self, name) > 1]
        parts += ["fsdp"] * (self.data == "fsdp") + ["overlap"] * (self.overlap != "none")
        parts += [self.schedule] * (self.schedule not in ("1f1b", "interleaved"))
        parts += [self.loads] * (self.loads != "forced")
        parts += [f"{self.sequence // 1024}k"] * (self.sequence > 8192)
        return " ".join(parts).upper().replace("NATURAL", "natural") if parts else "dp alone"


@dataclass(frozen=True)
class NotRun:
    """A row that is listed, and why it is not run."""

    name: str
    study: str
    stated: str
    source: str
    reason: str


_DEFAULTS = {
    "study": "own",
    "version": "",
    "source": "",
    "micro": "1",
    "sequence": "4096",
    "tp": "1",
    "cp": "1",
    "pp": "1",
    "vpp": "1",
    "ep": "1",
    "etp": "1",
    "data": "distributed-optimizer",
    "dispatcher": "alltoall",
    "overlap": "none",
    "graphs": "none",
    "recompute": "none",
    "layout": "",
    "schedule": "",
    "loads": "forced",
    "iteration": "0",
    "flushes": "1",
    "use": "predict",
    "assumed": "",
}
_NEEDED = ("row", "model", "gpu", "gpus", "precision", "global")
_COUNTS = ("gpus", "micro", "sequence", "tp", "cp", "pp", "vpp", "ep", "etp", "flushes")


def read_table(path):
    """
    The rows of a CSV.

    :return: a list of Row, and of NotRun
    :raises Error: with the line, and what to do
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # spreadsheets mark their CSV
    except OSError as error:
        raise Error(path, reason_of(error)) from error
    except UnicodeDecodeError as error:
        raise Error(path, "is not text in UTF-8; write it as CSV") from error
    reader = csv.DictReader(text.splitlines())
    try:
        rows, left = _read_rows(path, reader)
    except csv.Error as error:
        told = f"this is no CSV: {error}; look for a quote without its end"
        raise Error(f"{path}:{reader.line_num + 1}", told) from error
    if not rows and not left:
        raise Error(path, "there is no row; write one for each training")
    return rows, left


def _read_rows(path, reader):
    head = reader.fieldnames = [name.strip() for name in reader.fieldnames or []]
    known = (*_NEEDED, *_DEFAULTS, *_MEASURED, "stated", "reason")
    for name in head:
        if name not in known:
            raise Error(f"{path}:1", f"unknown column {name or '(empty)'}{suggest(name, known)}")
    for name in _NEEDED:
        if name not in head:
            raise Error(f"{path}:1", f"column {name} is missing; every row needs {', '.join(_NEEDED)}")
    if len(set(head)) < len(head):
        raise Error(f"{path}:1", "a column is there twice; leave one out")
    rows, left, names = [], [], {}
    for cells in reader:
        place = f"{path}:{reader.line_num}"
        if None in cells or None in cells.values():
            raise Error(place, f"expected {len(head)} cells, as the first line has; add or remove commas")
        cells = {name: (text or "").strip() for name, text in cells.items()}
        name = cells["row"]
        if not name:
            raise Error(place, "the cell row is empty; give every row a name")
        if not re.fullmatch(r"\w[\w.-]{,99}", name, re.ASCII):
            told = "becomes a folder: write up to 100 letters, digits, '-', '_' and '.', and a letter or digit first"
            raise Error(place, f"row {name[:100]!r} {told}")
        if name in names:
            raise Error(place, f"row {name} is in line {names[name]} too; give it another name")
        names[name] = reader.line_num
        if cells.get("use") == "no":
            if not cells.get("reason"):
                raise Error(place, "use is no, and reason is empty; say why it is not run")
            left.append(NotRun(name, *(cells.get(key, "") for key in ("study", "stated", "source", "reason"))))
        else:
            rows.append(_row(place, cells))
    return rows, left


def _row(place, cells):
    values = {**_DEFAULTS, **{name: text for name, text in cells.items() if text or name not in _DEFAULTS}}
    for name, words in {**_WORDS, "model": tuple(MODELS), "gpu": tuple(MACHINES)}.items():
        if values[name] not in words:
            raise Error(place, f"unknown {name} {values[name] or '(empty)'}{suggest(values[name], words)}")
    for name in (*_COUNTS, "global", "iteration"):
        text = values[name]
        least = 0 if name == "iteration" else 1  # 0: loads have settled
        if not re.fullmatch("[0-9]{1,9}", text) or int(text) < least:
            told = f"expected a whole number from {least} on, of up to nine digits"
            raise Error(place, f"{name} is {text[:100] or 'empty'}; {told}")
        values[name] = int(text)
    values["schedule"] = values["schedule"] or ("interleaved" if values["vpp"] > 1 else "1f1b")
    _check(place, values)
    own = {field.name for field in fields(Row)}
    said = {key: values[key] for key in own & set(values)}
    row = Row(**{**said, "place": place, "name": values["row"], "batch": values["global"], "step_s": 0.0})
    return _with_step(row, values)


def _check(place, values):
    if values["iteration"] and values["loads"] != "natural":
        told = f"iteration {values['iteration']} decides about natural loads, and these are {values['loads']}"
        raise Error(place, f"{told}; set loads to natural, or leave iteration empty")
    for names in (("tp", "cp", "pp"), ("etp", "ep", "pp")):
        product = values[names[0]] * values[names[1]] * values[names[2]]
        if values["gpus"] % product:
            told = f"{' x '.join(names)} is {product}, which does not divide {values['gpus']} GPUs"
            raise Error(place, f"{told}; change one of them")
    replicas = values["gpus"] // (values["tp"] * values["cp"] * values["pp"])
    factors = [values["micro"], replicas] + [values["flushes"]] * (values["flushes"] > 1)
    if values["global"] % math.prod(factors):
        named = " x ".join(("micro", "replicas", "flushes")[: len(factors)])
        told = f"{values['global']} sequences are no multiple of {named}, {' x '.join(map(str, factors))}"
        raise Error(place, f"{told}; change one of them")
    experts = MODELS[values["model"]].experts
    if experts % values["ep"]:
        raise Error(place, f"ep {values['ep']} does not divide {experts} experts; change one of them")
    _check_layout(place, values)


def _check_layout(place, values):
    layout = values["layout"]
    if not layout or layout.startswith("E"):
        return
    if layout != _ENDS:
        raise Error(place, f"unknown layout {layout}; write {_ENDS}, one such as Et|(tt|)*2tL, or nothing")
    if deal_with_ends(values["model"], values["pp"], values["vpp"]) is None:
        layers, chunks = MODELS[values["model"]].layers + 2, values["pp"] * values["vpp"]
        told = f"{layers} layers, {_ENDS}, are no multiple of pp x vpp, {chunks}"
        raise Error(place, f"{told}; change one of them, or write the layout")


def _with_step(row, values):
    given = [(name, values[name]) for name in _MEASURED if values.get(name)]
    if not given:
        raise Error(row.place, f"nothing is measured; give one of {', '.join(_MEASURED)}")
    name, text = given[0]
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e9:
        raise Error(row.place, f"{name} is {text}; expected a number above 0")
    if name == "tokens_s_gpu":
        value = row.batch * row.sequence / row.gpus / value
    elif name == "tflops_gpu":
        value = row.operations / row.gpus / (value * 1e12)
    return Row(**{**vars(row), "step_s": value})


def anchors_of(rows):
    """
    The anchor of each group.

    :raises Error: where a group has none, or several
    """
    found = {}
    for row in rows:
        if row.use == "anchor":
            if row.group in found:
                other = found[row.group].name
                told = f"{other} is the anchor of this study, version, GPU and precision already"
                raise Error(row.place, f"{told}; set use to predict in one of them")
            found[row.group] = row
    for row in rows:
        if row.group not in found:
            raise Error(
                row.place,
                f"no anchor for study {row.study}, version {row.version or '(none)'}, {row.gpu}, {row.precision}; one "
                "number is fitted on it: set use to anchor in the plainest of these rows",
            )
    return found
