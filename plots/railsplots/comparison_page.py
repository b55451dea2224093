# SPDX-License-Identifier: GPL-2.0-only
"""
Tables of measured beside published values as reStructuredText, and the page that has them. What
people write on the page, between the tables, stays when the tables are written again.
"""

import math
import re
from pathlib import Path

from .comparison import order_violations
from .comparison_figures import number
from .load_balancing import GROWTH_SCHEMES
from .result_files import write_at_once

_HEAD = """.. SPDX-License-Identifier: GPL-2.0-only

Load balancers: results
=======================

The experiments of ``experiments/load-balancing`` beside the numbers of *Load Balancing for AI
Training Workloads* (arXiv 2507.21372, version 2). All values are increases of the completion time,
seen at the sender, over the paper's lower bound, in percent, unless the heading says otherwise.
Tables are written by ``plots/load_balancing.py``; the text between them is not.

*Paper*: "~" is read off a curve, "<" a bound, "sim" a measurement with the authors' public
simulator (one fixed permutation). *Ours* is the mean over seeds, followed by the lowest and the
highest seed. *Deviation*: ours less theirs, in points. *Order*: pairs of schemes of which the
paper's gap exceeds our spread over seeds (the larger of the two).

.. contents::
   :local:
   :depth: 1
"""


def simple_table(rows):
    """Rows as a reStructuredText simple table; the first is the head."""
    rows = [[cell or "\\" for cell in row] for row in rows]  # an empty first cell would join rows
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rule = "  ".join("=" * width for width in widths)
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    ]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule])


def comparison_block(comparison, figure):
    """Everything that is written about a figure."""
    several = len(comparison.cases) > 1
    with_x = any(row.x != "" for row in comparison.rows)
    with_tolerance, with_band = bool(figure.tolerances), bool(figure.bands)
    head = ["Case"] * several + [figure.across] * with_x
    head += ["Scheme", "Paper", "Ours", "Lowest to highest", "Seeds", "Deviation"]
    head += ["Tolerance", "Within"] * with_tolerance + ["Simulator band", "In it"] * with_band
    table = [head]
    for row in comparison.rows:
        cells = [row.case] * several + [_place(row.x)] * with_x
        cells += [row.scheme, _published(row.paper), *_measured(row)]
        if with_tolerance:
            cells += _tolerance(row, figure.tolerances)
        if with_band:
            cells += _band(row, figure)
        table.append(cells)
    parts = [simple_table(table), _order(comparison)]
    checks = [check for function in figure.checks for check in function(comparison)]
    return "\n\n".join(part for part in (*parts, check_list(checks), *_failed(comparison)) if part)


def growth_block(queues, variants, checks, theory, failures):
    """Exponents of queue growth, what is required of them, and simple round robin in detail."""
    names = [name for name in GROWTH_SCHEMES if name in queues]
    frames = sorted({m for q in queues.values() for by in q.means.values() for m in by})
    table = [["Scheme", "Paper", "Exponent of the mean", "Of the longest queue", "Stage", "Seeds"]]
    table[0] += _lengths_head(frames)
    for name in names:
        entry = queues[name]
        paper = theory.get(("exponent", name, ""))
        cells = [name, f"{paper.value:g}" if paper else "\\-", *_exponents(entry)]
        table.append(cells + _lengths(entry, frames))
    parts = [
        "Queues in frames of 4,178 B; exponents with 95 % intervals over seeds; the mean is that\n"
        "of the most loaded stage (*Stage*), from the start until no host has anything new to send.",
        simple_table(table) if names else "",
        check_list(checks),
    ]
    if variants:
        frames = sorted({m for q in variants.values() for by in q.means.values() for m in by})
        head = ["Size", "ACK counter", "Jitter", "Exponent of the mean", "Of the longest queue"]
        table = [head + ["Stage", "Seeds", *_lengths_head(frames)]]
        for place in sorted(variants, key=lambda place: (len(place[0]), place)):
            entry = variants[place]
            table.append([*place, *_exponents(entry), *_lengths(entry, frames)])
        parts.append("Simple round robin in the details that the paper leaves open:")
        parts.append(simple_table(table))
    parts += [f"No result: {line}" for line in failures]
    return "\n\n".join(part for part in parts if part)


def check_list(checks):
    """One line per requirement."""
    words = {True: "met", False: "**not met**", None: "no result"}
    return "\n".join(f"- {check.text}: {words[check.holds]}" for check in checks)


def write_page(path, blocks):
    """
    Puts blocks into a page: in the place of the block of that name, or with a heading at the end.
    :param blocks: by name: title and text
    """
    path = Path(path)
    page = path.read_text(encoding="utf-8") if path.exists() else _HEAD
    for name, (title, text) in blocks.items():
        begin, end = f".. begin of {name}, written by a program", f".. end of {name}"
        block = f"{begin}\n\n{text}\n\n{end}"
        found = re.search(re.escape(begin) + r"\n.*?\n" + re.escape(end) + r"$", page, re.S | re.M)
        if found:
            page = page[: found.start()] + block + page[found.end() :]
        else:
            page = f"{page.rstrip()}\n\n{title}\n{'-' * len(title)}\n\n{block}\n"
    write_at_once(path, page)


def _published(paper):
    if paper is None:
        return "\\-"
    return f"sim {paper}" if paper.kind == "simulator" else str(paper)


def _measured(row):
    if not len(row.values):
        return ["\\-"] * 4
    spread = f"{number(row.low)} to {number(row.high)}"
    deviation = "\\-" if row.deviation is None else f"{round(row.deviation, 2) + 0.0:+.2f}"
    return [number(row.mean), spread, str(len(row.values)), deviation]


def _tolerance(row, tolerances):
    for tolerance in tolerances:
        if row.case == tolerance.case and row.scheme in tolerance.schemes:
            if not len(row.values):
                return [str(tolerance), "no result"]
            return [str(tolerance), "yes" if tolerance.holds(row) else "**no**"]
    return ["", ""]


def _band(row, figure):
    band = figure.bands.get(row.scheme)
    if band is None or row.case != figure.cases[0]:
        return ["", ""]
    inside = len(row.values) and band[0] <= row.mean <= band[1]
    return [f"{band[0]:g} to {band[1]:g}", ("yes" if inside else "no") if len(row.values) else ""]


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


def _exponents(entry):
    found = (entry.mean_exponent, entry.longest_exponent)
    texts = ["\\-" if exponent is None else str(exponent) for exponent in found]
    return [*texts, entry.stage.replace("_", " "), str(len(entry.means))]


def _lengths_head(frames):
    ends = frames[:1] + frames[-1:]
    return [f"{what} at {m:,}" for what in ("Mean", "Longest") for m in ends]


def _lengths(entry, frames):
    ends = frames[:1] + frames[-1:]
    found = [entry.at(m, lengths) for lengths in (entry.means, entry.longest) for m in ends]
    return ["\\-" if value is None else number(value) for value in found]
