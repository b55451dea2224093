# SPDX-License-Identifier: GPL-2.0-only
"""
What pages say of their tables in prose. A comment before a paragraph, ".. statement" with lines that are set in (in
Markdown "<!-- statement" to "-->"), says of which cells:

    table:   name of a marked table of the page, or a file of data beside it
    where:   patterns of cells, as "Load = zipf*; Scheme = rails": the rows
    columns: patterns of heads, with "," between them; of these each number is taken
    except:  patterns of heads that are not meant
    number:  which number of a cell, from 1 (the default)
    over:    a column by which each number is divided
    says:    "1.05 to 1.89" for the least and the most (by their amount), "1.05" for one that all have, to the digits
             printed; "at most 1.89" and "at least 1.05" for one end; "... in the median"

Each number of `says` has to be in the paragraph that follows.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from statistics import median

from published_cells import MARK, NUMBER, PageError, read_csv, read_keys, read_table

COMMENT = re.compile(r"(?m)^\.\. statement\n((?:[ \t]+\S.*\n)+)|^<!-- statement\n((?:.*\n)*?)-->\n")
KEYS = {"table", "where", "columns", "except", "number", "over", "says"}
NEEDED = {"table", "columns", "says"}


def amount(number):
    """A number of a page without its sign."""
    return abs(float(number.replace(",", "")))


@dataclass(frozen=True)
class Statement:
    """What is said of the numbers of some cells."""

    place: str
    says: str
    values: tuple

    def check(self):
        """What is wrong with it, in a line; empty if nothing is."""
        numbers = NUMBER.findall(self.says)
        for number, value in zip(numbers * (2 if len(numbers) == 1 else 1), self._meant()):
            half = 0.5 * 0.1 ** len(number.partition(".")[2])
            if abs(value - amount(number)) > half * (1 + 1e-9):
                return f"{self.place}: says {self.says}, the table has {self._describe()}"
        return ""

    def _meant(self):
        values = sorted(map(abs, self.values))
        if self.says.endswith("in the median"):
            return [median(values)]
        if self.says.startswith("at most"):
            return values[-1:]
        if self.says.startswith("at least"):
            return values[:1]
        return [values[0], values[-1]]

    def _describe(self):
        values = sorted(map(abs, self.values))
        return f"{values[0]:g} to {values[-1]:g}, {median(values):g} in the median, in {len(values)} cells"


def read_statements(page):
    """All statements of a page."""
    text = page.read_text(encoding="utf-8")
    return [_read(page, text, found) for found in COMMENT.finditer(text)]


def _read(page, text, found):
    place = f"{page}:{text.count(chr(10), 0, found.start()) + 1}"
    named = read_keys((found[1] or found[2]).splitlines(), KEYS, place)
    if NEEDED - set(named):
        raise PageError(f"{place}: lacks {', '.join(sorted(NEEDED - set(named)))}")
    following = re.split(r"\n\s*\n", COMMENT.sub("", text[found.end() :]).lstrip("\n"))[0]
    printed = set(map(amount, NUMBER.findall(following)))
    for number in NUMBER.findall(named["says"]):
        if amount(number) not in printed:
            raise PageError(f"{place}: the paragraph that follows has no {number}")
    values = tuple(_values(_table(page, text, named["table"], place), named, place))
    if not values:
        raise PageError(f"{place}: no cell of {named['table']} is meant")
    return Statement(place, named["says"], values)


def _table(page, text, name, place):
    if name.endswith(".csv"):
        return read_csv(page.parent / name, place)
    for mark in MARK.finditer(text):
        if mark[1] == name:
            return read_table(text[mark.end() :].splitlines(), place)
    raise PageError(f"{place}: there is no table '{name}'")


def _values(rows, named, place):
    head, *body = rows
    conditions = [part.partition("=") for part in named.get("where", "").split(";") if part.strip()]
    conditions = [(name.strip(), pattern.strip()) for name, _, pattern in conditions]
    columns = [name for name in head if _matches(name, named["columns"]) and not _matches(name, named.get("except", ""))]
    unknown = [name for name in (*(name for name, _ in conditions), named.get("over", head[0])) if name not in head]
    if unknown or not columns:
        raise PageError(f"{place}: no column '{(unknown or [named['columns']])[0]}'; there are {', '.join(head)}")
    above = {}
    for row in body:
        cells = dict(zip(head, row))
        for name in head[:2]:  # what is empty is as in the row above
            cells[name] = cells[name] or above.get(name, "")
        above = cells
        if all(fnmatchcase(cells[name], pattern) for name, pattern in conditions):
            for name in columns:
                own = _number(cells[name], int(named.get("number", 1)))
                if own is not None:
                    yield own / (_number(cells[named["over"]], 1) if "over" in named else 1)


def _matches(name, patterns):
    return any(fnmatchcase(name, pattern.strip()) for pattern in patterns.split(","))


def _number(cell, which):
    numbers = NUMBER.findall(cell)
    return float(numbers[which - 1].replace(",", "")) if len(numbers) >= which else None
