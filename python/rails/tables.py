# SPDX-License-Identifier: GPL-2.0-only
"""Tables of results as DataFrames of pandas, with the columns that the files have."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import arguments
from .errors import Error, MissingFile, NotWritten, ResultError
from .reader.foreign_files import lines_of, open_foreign
from .reader.nearest_name import suggest
from .reader.point import Point

if TYPE_CHECKING:
    import pandas

FILES = {
    "messages": "messages.csv",
    "links": "links.csv",
    "queues": "queues.csv",
    "circuits": "circuits.csv",
    "placement": "placement.csv",
    "plans": "plans.csv",
    "gpu_loads": "gpu_loads.csv",
}
_WORDS = ("kind", "port_class", "role")  # columns of few different words, which need no text for each row
_WRITTEN = {  # where a table is to be had
    "circuits": "only experiments with optical switches have circuits",
    "placement": "a training writes it with set={'record.placement': True}",
    "plans": "only studies of policies for experts have plans",
    "gpu_loads": "only studies of policies for experts have loads of GPUs",
}
_ALWAYS = "the run was told not to, or is a study of policies for experts"
_NO_NUMBERS = ("config", "version", "axes", "labels", "explain")


def need(module: str, what: str) -> Any:
    """A library that not everything needs; Error where it is not there."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        name = str(error.name).partition(".")[0]
        reason = f"needs {name}, which this Python does not have; pip install {name}"
        raise Error(what, reason, 1) from None


def read_table(point: Point, name: str, columns: Iterable[str] | None = None) -> pandas.DataFrame:
    """
    A table of a result. Of a file of gigabytes only the columns asked for get into memory.
    """
    if arguments.text("table", name, "'messages'") not in FILES:
        raise Error("table", f"there is no table '{name}'{suggest(name, FILES)}")
    try:
        path = point.file(FILES[name])
    except NotWritten:
        raise
    except MissingFile as error:
        raise MissingFile(error.place, f"was not written; {_WRITTEN.get(name, _ALWAYS)}") from None
    asked = None if columns is None else arguments.texts("columns", columns, "'end_s'")
    pandas = need("pandas", f"the table {name}")
    try:
        with open_foreign(path) as file:
            known: list[str] = next(csv.reader(lines_of(path, file)), [])
        wanted = known if asked is None else asked
        for column in wanted:
            if column not in known:
                raise Error(path, f"there is no column '{column}'{suggest(column, known)}")
        frame = pandas.read_csv(
            path,
            usecols=wanted,
            dtype={column: "category" for column in wanted if column in _WORDS},
            keep_default_na=False,  # a stage may be called NA
            na_values=[""],
            float_precision="round_trip",
        )
    except (ValueError, UnicodeDecodeError, csv.Error) as error:
        raise ResultError(path, f"is not CSV ({error})") from None
    return frame if columns is None else frame[wanted]


def kinds_of(point: Point) -> pandas.DataFrame:
    """The kinds of a graph: a row for each stage, or what a training sends."""
    graph = point.result.get("graph")
    if not graph:
        reason = "has no graph; kinds are those of a workload that is a graph, a training or jobs"
        raise Error(point.folder / "result.json", reason)
    return need("pandas", "the table kinds").DataFrame(graph["kinds"])


def numbers_of(points: Iterable[Point]) -> pandas.DataFrame:
    """A row for each point: its values on the axes of its sweep, and the numbers of its result.json."""
    rows = []
    for point in points:
        row: dict[str, Any] = {"point": point.folder.name, "status": point.status}
        row.update({key: _number(text) for key, text in (point.result.get("axes") or {}).items()})
        row.setdefault("seed", point.seed)
        row.update(_numbers({k: v for k, v in point.result.items() if k not in (*row, *_NO_NUMBERS)}))
        rows.append(row)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return need("pandas", "the table").DataFrame(rows, columns=columns)


def _numbers(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Numbers of nested mappings by their dotted keys; what a run has no value of is None."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found.update(_numbers(value, f"{prefix}{key}."))
        elif value is None or isinstance(value, (int, float)):
            found[prefix + key] = value
    return found


def _number(text: Any) -> Any:
    """A value on an axis: a number where it is written as one, without a unit."""
    for kind in (int, float):
        try:
            return kind(text)
        except (TypeError, ValueError):
            pass
    return text
