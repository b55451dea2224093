# SPDX-License-Identifier: GPL-2.0-only
"""
Cells of published tables, and the runs that they come from. A page names a cell in a comment before its table, as
".. cell" with lines that are set in, or between "<!-- cell" and "-->":

    derived: alone: name of the table that this one is computed from, of which a cell is checked
    outcome: alone: file of what a command has printed that takes too long for a test; it has all rows of the table
    table:   file of data beside the page, in place of the table that follows
    row:     first columns of the row, with "|" between them; what is empty is as in the row above
    column:  head of the column
    number:  which number of the cell it is, from 1 (the default)
    run:     descriptor
    where:   values of keys of all points that are run, such as a.b=1; "none" for all of the descriptor's
    of:      values of further keys, where a point is divided by another
    over:    those of the other one
    against: descriptor of the other one, where it is not the same
    points:  how many points a value is the mean of (1, the default)
    metric:  key of result.json (cct_s); elements of lists by their `name`
    second:  key of result.json by which the metric is divided
    scale:   what the value is multiplied by (1, the default)
    less:    what is taken away before (0)
"""

import csv
import json
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEYS = {"derived", "outcome", "table", "row", "column", "number", "run", "where", "of", "over", "against", "points", "metric", "second", "scale", "less"}
NEEDED = {"row", "column", "run", "where"}
COMMENT = re.compile(r"(?m)^\.\. cell\n((?:[ \t]+\S.*\n)+)|^<!-- cell\n((?:.*\n)*?)-->\n")
MARK = re.compile(r"(?m)^\.\. results: (\S+)\n")
NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")


class PageError(Exception):
    """A page names a cell that it does not have, or names it wrongly."""


@dataclass(frozen=True)
class Cell:
    """A printed number and the runs that it comes from."""

    place: str
    printed: str  # the number alone, with its sign and its digits
    is_percent: bool
    run: str
    against: str
    of: tuple  # KEY=VALUE
    over: tuple  # empty: a value is not divided by another
    points: int
    metric: str
    second: str
    scale: float
    less: float

    def print(self, value):
        """The value as the page prints it."""
        value = (value - self.less) * self.scale
        has_sign = self.printed[0] in "+-"
        shown = 100 * (value - has_sign) if self.is_percent else value
        digits = len(self.printed.partition(".")[2])
        return f"{shown:{'+' if has_sign else ''},.{digits}f}"

    def agrees(self, value):
        """To the printed digits; a zero has no sign."""
        return self.print(value).replace(",", "") == self.printed.replace(",", "") or (
            not self.printed.strip("+-0.") and not self.print(value).strip("+-0.")
        )


def read_cells(page):
    """All cells of a page."""
    text = page.read_text(encoding="utf-8")
    cells = []
    for found in COMMENT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        place = f"{page}:{line}"
        named = _read_keys((found[1] or found[2]).splitlines(), place)
        if "derived" in named:
            if named["derived"] not in MARK.findall(text):
                raise PageError(f"{place}: there is no table '{named['derived']}'")
            continue
        if "outcome" in named:
            _compare(read_table(text[found.end() :].splitlines(), place), ROOT / named["outcome"], place)
            continue
        if "table" in named:
            rows = read_csv(page.parent / named["table"], place)
        else:
            rows = read_table(text[found.end() :].splitlines(), place)
        cells.append(_find(rows, named, place))
    return cells


def find_unnamed(page):
    """Marked tables of a page of which no cell is named before the table begins."""
    text = page.read_text(encoding="utf-8")
    lacking = []
    for mark in MARK.finditer(text):
        before = [found for found in COMMENT.finditer(text, 0, mark.start())]
        if not before or text[before[-1].end() : mark.start()].strip():
            lacking.append(mark[1])
    return lacking


def _read_keys(lines, place):
    named = read_keys(lines, KEYS, place)
    lacking = set() if {"derived", "outcome"} & set(named) else NEEDED - set(named)
    if lacking or ("of" in named) != ("over" in named):
        raise PageError(f"{place}: lacks {', '.join(sorted(lacking)) or 'of, or over'}")
    return named


def read_keys(lines, keys, place):
    """What a comment says, by key."""
    named = {}
    for line in lines:
        key, colon, value = line.strip().partition(":")
        if not colon or key not in keys or key in named:
            raise PageError(f"{place}: expected each of {', '.join(sorted(keys))} at most once, not '{line.strip()}'")
        named[key] = value.strip()
    return named


def _compare(rows, path, place):
    """Raises PageError unless a file has each row as a line, whatever is between the words."""
    if not path.is_file():
        raise PageError(f"{place}: there is no {path}")
    lines = {tuple(line.split()) for line in path.read_text(encoding="utf-8").splitlines()}
    for row in rows:
        if tuple(" ".join(row).split()) not in lines:
            raise PageError(f"{place}: {path.name} has no line '{' '.join(row)}'")


def read_csv(path, place):
    if not path.is_file():
        raise PageError(f"{place}: there is no {path}")
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def read_table(lines, place):
    """Rows of the first table of some lines, the head first."""
    for number, line in enumerate(lines):
        if re.fullmatch(r"=+( +=+)+", line):
            starts = [found.span() for found in re.finditer("=+", line)]
            ends = [index for index in range(number, len(lines)) if lines[index] == line]
            if len(ends) < 3:
                break
            return [_cut(lines[index], starts) for index in range(number + 1, ends[2]) if index != ends[1]]
        if line.startswith("|"):
            rows = []
            for row in lines[number:]:
                if not row.startswith("|"):
                    break
                rows.append([part.strip() for part in row.strip().strip("|").split("|")])
            return rows[:1] + rows[2:]
    raise PageError(f"{place}: no table follows")


def _cut(line, spans):
    last = len(spans) - 1
    return [line[begin : None if number == last else end].strip() for number, (begin, end) in enumerate(spans)]


def _find(rows, named, place):
    head, *body = rows
    wanted = [part.strip() for part in named["row"].split("|")]
    if named["column"] not in head:
        raise PageError(f"{place}: no column '{named['column']}'; there are {', '.join(head)}")
    above = [""] * len(wanted)
    texts = []
    for row in body:
        above = [part or before for part, before in zip(row, above)]
        if above == wanted:
            texts.append(row[head.index(named["column"])])
    if len(texts) != 1:
        raise PageError(f"{place}: {len(texts)} rows '{named['row']}', expected 1")
    numbers = list(NUMBER.finditer(texts[0]))
    which = int(named.get("number", 1))
    if len(numbers) < which:
        raise PageError(f"{place}: '{texts[0]}' has no number {which}")
    number = numbers[which - 1]
    common = [] if named["where"] == "none" else named["where"].split()
    return Cell(
        place,
        number[0],
        texts[0][number.end() :].lstrip().startswith("%"),
        named["run"],
        named.get("against", named["run"]),
        (*common, *named.get("of", "").split()),
        (*common, *named["over"].split()) if "over" in named else (),
        int(named.get("points", 1)),
        named.get("metric", "cct_s"),
        named.get("second", ""),
        float(named.get("scale", 1)),
        float(named.get("less", 0)),
    )


def read_value(folder, cell):
    """Mean of a cell's metric over the results of a folder."""
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).rglob("result.json"))]
    if len(results) != cell.points:
        raise PageError(f"{cell.place}: {len(results)} points, expected {cell.points}")
    values = []
    for result in results:
        value = _look_up(result, cell.metric, cell.place)
        values.append(value / _look_up(result, cell.second, cell.place) if cell.second else value)
    return sum(values) / len(values)


def _look_up(result, key, place):
    found = result
    for part in key.split("."):
        if isinstance(found, list):
            found = {entry["name"]: entry for entry in found}
        if part not in found:
            raise PageError(f"{place}: result.json has no {key}")
        found = found[part]
    return found
