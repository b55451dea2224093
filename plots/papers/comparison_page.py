# SPDX-License-Identifier: GPL-2.0-only
"""
Tables of measured beside published values: data files beside the figures of a page, and the blocks
of the page that name them. What people write on the page, between the blocks, stays when they are
written again.
"""

import csv
import io
import math
import re
from dataclasses import dataclass
from pathlib import Path

from rails.plots.compare_table import aligned
from .comparison import order_violations
from .comparison_figures import number
from rails.plots.figure_table import MISSING
from .load_balancing import GROWTH_SCHEMES
from rails.reader.result_files import write_at_once

DATA_PREFIX = "load-balancing-"  # of the names of data files


@dataclass
class Table:
    """A data file."""

    rows: list  # of texts, the first of them the names of the columns
    holds: str  # what it holds, in a line
    suffix: str = ""  # of its name, where a figure has several


@dataclass
class Block:
    """Everything that is written about a figure."""

    title: str
    tables: list
    findings: str

    def as_text(self):
        """For those who want no page: the tables line by line, and the findings."""
        tables = [aligned(table.rows, len(table.rows[0])) for table in self.tables]
        return "\n\n".join(part for part in (*tables, self.findings) if part)


def comparison_block(comparison, figure):
    """The table of a figure, and how it fits."""
    several = len(comparison.cases) > 1
    with_x = any(row.x != "" for row in comparison.rows)
    with_tolerance, with_band = bool(figure.tolerances), bool(figure.bands)
    places = ["case"] * several + [figure.across] * with_x + ["scheme"]
    head = places + ["paper", "paper kind", "ours", "lowest", "highest", "seeds", "deviation"]
    head += ["tolerance", "within"] * with_tolerance
    head += ["band low", "band high", "in band"] * with_band
    rows = [head]
    for row in comparison.rows:
        cells = [row.case] * several + [_place(row.x)] * with_x
        cells += [row.scheme, *_published(row.paper), *_measured(row)]
        if with_tolerance:
            cells += _tolerance(row, figure.tolerances)
        if with_band:
            cells += _band(row, figure)
        rows.append(cells)
    holds = f"{figure.unit} by {', '.join(places[:-1])}{' and ' * (len(places) > 1)}{places[-1]}"
    holds += ", with our tolerances" * with_tolerance
    holds += ", with the band of the authors' simulator" * with_band
    checks = [check for function in figure.checks for check in function(comparison)]
    parts = [_order(comparison), check_list(checks), *_failed(comparison)]
    return Block(figure.title, [Table(rows, holds)], "\n\n".join(part for part in parts if part))


def growth_block(title, queues, variants, checks, theory, failures):
    """Exponents of queue growth, what is required of them, and simple round robin in detail."""
    tables = []
    if queues:
        frames = _lengths_of(queues)
        rows = [["scheme", "paper", *_exponents_head(), *_lengths_head(frames)]]
        for name in GROWTH_SCHEMES:
            if name in queues:
                paper = theory.get(("exponent", name, ""))
                entry = queues[name]
                cells = [name, f"{paper.value:g}" if paper else "", *_exponents(entry)]
                rows.append(cells + _lengths(entry, frames))
        tables.append(Table(rows, "exponents of growth and queues in frames of 4,178 B, by scheme"))
    if variants:
        frames = _lengths_of(variants)
        rows = [["size", "ACK counter", "jitter", *_exponents_head(), *_lengths_head(frames)]]
        for place in sorted(variants, key=lambda place: (len(place[0]), place)):
            entry = variants[place]
            rows.append([*place, *_exponents(entry), *_lengths(entry, frames)])
        holds = "the same of simple round robin, by the details that the paper leaves open"
        tables.append(Table(rows, holds, "-simple-rr"))
    parts = [check_list(checks), *(f"No result: {line}" for line in failures)]
    return Block(title, tables, "\n\n".join(part for part in parts if part))


def check_list(checks):
    """One line per requirement."""
    words = {True: "met", False: "**not met**", None: "no result"}
    return "\n".join(f"- {check.text}: {words[check.holds]}" for check in checks)


def write_page(path, blocks):
    """
    Puts tables into figures/ beside a page, as `load-balancing-NAME.csv`, and blocks that name them into the
    page: in the place of the block of that name, or with a heading at the end.
    :param blocks: by name
    :return: the files that were written
    """
    path = Path(path)
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    written = []
    for name, block in blocks.items():
        lines = []
        for table in block.tables:
            file = Path("figures") / f"{DATA_PREFIX}{name}{table.suffix}.csv"
            write_at_once(path.parent / file, _as_csv(table.rows))
            written.append(path.parent / file)
            lines.append(f"`{file.name} <{file}>`_: {table.holds}; {len(table.rows) - 1} rows.")
        parts = [*lines, block.findings]
        begin, end = f".. begin of {name}, written by a program", f".. end of {name}"
        text = "\n\n".join([begin, *(part for part in parts if part), end])
        found = re.search(re.escape(begin) + r"\n.*?\n" + re.escape(end) + r"$", page, re.S | re.M)
        if found:
            page = page[: found.start()] + text + page[found.end() :]
        else:
            page = f"{page}\n{block.title}\n{'-' * len(block.title)}\n\n{text}\n"
    write_at_once(path, page)
    return [*written, path]


def write_tables(folder, name, block):
    """Puts the tables of a figure beside it, as `NAME.csv`, for pgfplots; the paths."""
    paths = []
    for table in block.tables:
        rows = [[cell or MISSING for cell in row] for row in table.rows]
        paths.append(folder / f"{name}{table.suffix}.csv")
        write_at_once(paths[-1], _as_csv(rows))
    return paths


def _as_csv(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _published(paper):
    return ["", ""] if paper is None else [f"{paper.value:g}", paper.kind]


def _measured(row):
    if not len(row.values):
        return [""] * 5
    deviation = "" if row.deviation is None else f"{round(row.deviation, 2) + 0.0:+.2f}"
    return [*map(number, (row.mean, row.low, row.high)), str(len(row.values)), deviation]


def _tolerance(row, tolerances):
    for tolerance in tolerances:
        if row.case == tolerance.case and row.scheme in tolerance.schemes:
            if not len(row.values):
                return [str(tolerance), "no result"]
            return [str(tolerance), "yes" if tolerance.holds(row) else "no"]
    return ["", ""]


def _band(row, figure):
    band = figure.bands.get(row.scheme)
    if band is None or row.case != figure.cases[0]:
        return ["", "", ""]
    inside = len(row.values) and band[0] <= row.mean <= band[1]
    return [f"{band[0]:g}", f"{band[1]:g}", ("yes" if inside else "no") if len(row.values) else ""]


def _order(comparison):
    looked_at, wrong = order_violations(comparison.rows)
    if not looked_at:
        return ""
    text = f"Order as in the paper: {looked_at - len(wrong)} of {looked_at} pairs."
    lines = []
    for lower, higher in wrong:
        place = ", ".join(str(part) for part in (lower.case, _place(lower.x)) if part)
        lines.append(
            f"- {place}: {lower.scheme} ({number(lower.mean)}) should be below {higher.scheme} "
            f"({number(higher.mean)}); paper {lower.paper}, {higher.paper}"
        )
    return text + ("\n\n" + "\n".join(lines) if lines else "")


def _failed(comparison):
    return [f"No result: {line}" for line in comparison.failures]


def _place(x):
    if isinstance(x, float):
        return "never" if math.isinf(x) else f"{x:g}"
    return x


def _exponents_head():
    names = (f"exponent of the {what}" for what in ("mean", "longest"))
    return [f"{name}{end}" for name in names for end in ("", " low", " high")] + ["stage", "seeds"]


def _exponents(entry):
    cells = []
    for exponent in (entry.mean_exponent, entry.longest_exponent):
        ends = [] if exponent is None else [exponent.mean]
        if ends and exponent.seeds > 1:
            ends += [exponent.low, exponent.high]
        cells += [f"{round(end, 2) + 0.0:.2f}" for end in ends] + [""] * (3 - len(ends))
    return [*cells, entry.stage.replace("_", " "), str(len(entry.means))]


def _lengths_of(queues):
    return sorted({m for entry in queues.values() for by in entry.means.values() for m in by})


def _lengths_head(frames):
    ends = frames[:1] + frames[-1:]
    return [f"{what} at {m}" for what in ("mean", "longest") for m in ends]


def _lengths(entry, frames):
    ends = frames[:1] + frames[-1:]
    found = [entry.at(m, lengths) for lengths in (entry.means, entry.longest) for m in ends]
    return ["" if value is None else number(value) for value in found]
