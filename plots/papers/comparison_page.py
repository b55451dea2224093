# SPDX-License-Identifier: GPL-2.0-only
"""
Tables of measured beside published values: data files beside the figures of a page, and the blocks
of the page that name them. What people write on the page, between the blocks, stays when they are
written again.
"""

import csv
import io
import re
from dataclasses import dataclass, field

from rails.plots.compare_table import aligned
from rails.plots.growth import Exponent
from rails.plots.own_files import refuse_foreign
from rails.reader.result_files import write_at_once
from .balancers import order
from .comparison import Comparison
from .comparison_figures import number
from .load_balancing import GROWTH_SCHEMES, growth_checks, theorem_checks
from .recorded import rows_of
from .verdict import judge, place_of

GROWTH_TABLES = {  # what they hold, by the end of their name
    "": "exponents of growth and queues in frames of 4,178 B, by scheme",
    "-simple-rr": "the same of simple round robin, by the details that the paper leaves open",
    "-theorems": "the same in the theorems' own setting, by size of the network and starts of senders",
}


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
    findings: str  # which follow from the tables
    failures: list = field(default_factory=list)  # runs without a result, a line each

    def as_text(self):
        """For those who want no page: the tables line by line, the findings, and what failed."""
        tables = [aligned(table.rows, len(table.rows[0])) for table in self.tables]
        failed = "\n".join(f"No result: {line}" for line in self.failures)
        return "\n\n".join(part for part in (*tables, self.findings, failed) if part)


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
        cells = [row.case] * several + [place_of(row.x)] * with_x
        cells += [row.scheme, *_published(row.paper), *_measured(row)]
        if with_tolerance:
            cells += _tolerance(row, figure.tolerances)
        if with_band:
            cells += _band(row, figure)
        rows.append(cells)
    return block_of(rows, figure, comparison.failures)


def block_of(rows, figure, failures=()):
    """
    What is written about a figure.

    :param rows: its data file
    """
    places = rows[0][: rows[0].index("scheme") + 1]
    holds = f"{figure.unit} by {', '.join(places[:-1])}{' and ' * (len(places) > 1)}{places[-1]}"
    holds += ", with our tolerances" * ("tolerance" in rows[0])
    holds += ", with the band of the authors' simulator" * ("in band" in rows[0])
    findings = describe_rows(rows_of(rows, figure.cases[0]), figure.checks)
    return Block(figure.title, [Table(rows, holds)], findings, list(failures))


def describe_rows(rows, checks=()):
    """
    What follows from a data file: inverted orders first, then how many values are near, then what is required.

    :param checks: functions of a comparison: lists of Check
    """
    found = judge(rows)
    parts = []
    if found.orders:
        sure = sum(inversion.is_sure for inversion in found.inversions)
        many = f"{len(found.inversions)} of {found.orders} orders of the paper inverted"
        parts.append(f"{many}, {sure} of them in all seeds." if found.inversions else "No order of the paper is inverted, of "
                     f"{found.orders}.")
    parts.append("\n".join(f"- {inversion}" for inversion in found.inversions))
    if found.values:
        same, close, off = found.near
        lacking = f", {found.missing} without a result" if found.missing else ""
        parts.append(
            f"**{found.word.capitalize()}.** Of {found.values + found.missing} published values {same} are the same as ours, "
            f"{close} close, {off} neither{lacking}."
        )
    parts.append(check_list([check for function in checks for check in function(Comparison(rows))]))
    return "\n\n".join(part for part in parts if part)


def growth_tables(queues, variants, theorems, theory):
    """Exponents of queue growth, simple round robin in detail, and the setting of the theorems."""
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
        tables.append(Table(rows, GROWTH_TABLES[""]))
    if variants:
        frames = _lengths_of(variants)
        rows = [["size", "ACK counter", "jitter", *_exponents_head(), *_lengths_head(frames)]]
        for place in sorted(variants, key=lambda place: (len(place[0]), place)):
            entry = variants[place]
            rows.append([*place, *_exponents(entry), *_lengths(entry, frames)])
        tables.append(Table(rows, GROWTH_TABLES["-simple-rr"], "-simple-rr"))
    if theorems:
        frames = _lengths_of(theorems)
        rows = [["size", "starts", "scheme", "paper", *_exponents_head(), *_lengths_head(frames)]]
        for place in sorted(theorems, key=lambda place: (len(place[0]), place[0], place[1] != "spread", order(place[2]))):
            paper, entry = theory.get(("exponent", place[2], "")), theorems[place]
            rows.append([*place, f"{paper.value:g}" if paper else "", *_exponents(entry, 3), *_lengths(entry, frames)])
        tables.append(Table(rows, GROWTH_TABLES["-theorems"], "-theorems"))
    return tables


def growth_block(title, tables, failures=()):
    """What follows from the exponents, and what is required of them."""
    rows = [row for table in tables if not table.suffix for row in rows_of(table.rows)]
    checks = growth_checks({row.scheme: Exponent(*row.recorded) for row in rows})
    for table in tables:
        if table.suffix == "-theorems":
            found = zip(table.rows[1:], rows_of(table.rows))
            spread = {(cells[0], row.scheme): row for cells, row in found if cells[1] == "spread"}
            checks += theorem_checks({place: Exponent(*row.recorded) for place, row in spread.items()})
    findings = "\n\n".join([describe_rows(rows)] * bool(rows) + [check_list(checks)])
    return Block(title, tables, findings, list(failures))


def check_list(checks):
    """One line per requirement."""
    words = {True: "met", False: "**not met**", None: "no result"}
    return "\n".join(f"- {check.text}: {words[check.holds]}" for check in checks)


def write_block(path, name, block, prefix):
    """
    Puts the block of a figure, which names its data files in figures/, into a page: in the place of the block of that name,
    or with a heading at the end.

    :param prefix: of the names of data files
    """
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = []
    for table in block.tables:
        file = f"{prefix}-{name}{table.suffix}.csv"
        lines.append(f"`{file} <figures/{file}>`_: {table.holds}; {len(table.rows) - 1} rows.")
    parts = [part for part in (*lines, block.findings) if part]
    write_at_once(path, replace_block(page, name, "\n\n".join(parts), block.title))


def replace_block(page, name, text, title):
    """A page with a block in the place of that of the name; with a heading at the end if it has none."""
    begin, end = f".. begin of {name}, written by a program", f".. end of {name}"
    text = f"{begin}\n\n{text}\n\n{end}"
    found = re.search(re.escape(begin) + r"\n.*?\n" + re.escape(end) + r"$", page, re.S | re.M)
    if found:
        return page[: found.start()] + text + page[found.end() :]
    return f"{page}\n{title}\n{'-' * len(title)}\n\n{text}\n"


def write_tables(folder, name, block):
    """Puts the tables of a figure beside it, as `NAME.csv`, with empty cells where there is nothing; the paths."""
    paths = []
    for table in block.tables:
        paths.append(folder / f"{name}{table.suffix}.csv")
        refuse_foreign(paths[-1:])
        write_at_once(paths[-1], _as_csv(table.rows))
    return paths


def _as_csv(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _published(paper):
    return ["", ""] if paper is None else [str(paper).lstrip("~<> "), paper.kind]


def _measured(row):
    if not row.count:
        return [""] * 5
    deviation = "" if row.deviation is None else f"{round(row.deviation, 2) + 0.0:+.2f}"
    return [*map(number, (row.mean, row.low, row.high)), str(row.count), deviation]


def _tolerance(row, tolerances):
    for tolerance in tolerances:
        if row.case == tolerance.case and row.scheme in tolerance.schemes:
            if not row.count:
                return [str(tolerance), "no result"]
            return [str(tolerance), "yes" if tolerance.holds(row) else "no"]
    return ["", ""]


def _band(row, figure):
    band = figure.bands.get(row.scheme)
    if band is None or row.case != figure.cases[0]:
        return ["", "", ""]
    inside = row.count and band[0] <= row.mean <= band[1]
    return [f"{band[0]:g}", f"{band[1]:g}", ("yes" if inside else "no") if row.count else ""]


def _exponents_head():
    names = (f"exponent of the {what}" for what in ("mean", "longest"))
    return [f"{name}{end}" for name in names for end in ("", " low", " high")] + ["stage", "seeds"]


def _exponents(entry, digits=2):
    cells = []
    for exponent in (entry.mean_exponent, entry.longest_exponent):
        ends = [] if exponent is None else [exponent.mean]
        if ends and exponent.seeds > 1:
            ends += [exponent.low, exponent.high]
        cells += [f"{round(end, digits) + 0.0:.{digits}f}" for end in ends] + [""] * (3 - len(ends))
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
