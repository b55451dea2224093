# SPDX-License-Identifier: GPL-2.0-only
"""
What of each paper is modelled and how near: mechanisms, baselines, workloads and metrics from experiments/mechanisms.csv,
figures from the catalogue with their computed verdict.
"""

from dataclasses import dataclass

from rails.errors import ResultError
from .catalogue import EXPERIMENTS, PAPERS
from .comparison_page import replace_block
from .csv_rows import read_rows
from .reproduced import verdict_of
from .verdict import WORDS as VERDICTS

FILE = EXPERIMENTS / "mechanisms.csv"
PAGE = EXPERIMENTS.parent / "doc" / "faithful.rst"
COLUMNS = ["paper", "kind", "item", "verdict", "where", "why", "changed"]
KINDS = {"mechanism": "Mechanisms", "baseline": "Baselines", "workload": "Workloads", "metric": "Metrics", "figure": "Figures and tables"}
RIGHT = "right"
WORDS = (RIGHT, "near", "differs", "unknown", "not built")


@dataclass(frozen=True)
class Mechanism:
    """A row of the file. Of a figure it only has what changed: the rest follows from the catalogue."""

    paper: object
    kind: str
    item: str
    verdict: str
    where: str  # a file of the repository, behind a colon a word that must be in it
    why: str
    changed: str  # what it was before, where it was otherwise


def read_mechanisms(path=FILE):
    """All rows, in the order of the file."""
    return [_mechanism(row, place) for row, place in read_rows(path, COLUMNS)]


def _mechanism(row, place):
    if row["paper"] not in PAPERS or row["kind"] not in KINDS:
        raise ResultError(place, f"unknown paper {row['paper']} or kind {row['kind']}")
    found = Mechanism(PAPERS[row["paper"]], *(row[name] for name in COLUMNS[1:]))
    if found.kind == "figure":
        if found.verdict or found.where or found.why or not found.changed:
            raise ResultError(place, "a figure has what changed alone; its verdict is computed")
        return found
    if found.verdict not in WORDS:
        raise ResultError(place, f"unknown verdict {found.verdict}; there are {', '.join(WORDS)}")
    if found.verdict != RIGHT and not found.why:
        raise ResultError(place, f"'{found.verdict}' needs a reason")
    _check_place(found.where, place)
    return found


def _check_place(where, place):
    name, _, word = where.partition(":")
    path = EXPERIMENTS.parent / name
    if not path.is_file():
        raise ResultError(place, f"no file {name}")
    if word and word not in path.read_text(encoding="utf-8"):
        raise ResultError(place, f"no {word} in {name}")


def blocks(mechanisms, entries):
    """The tables of each paper, and a count of verdicts, by the name of its block."""
    found, mechanical, drawn = {}, [["Paper", *WORDS]], [["Paper", *VERDICTS]]
    for paper in PAPERS.values():
        own = [row for row in mechanisms if row.paper is paper and row.kind != "figure"]
        figures = [entry for entry in entries if entry.paper is paper]
        changed = {row.item: row.changed for row in mechanisms if row.paper is paper and row.kind == "figure"}
        lost = set(changed) - {entry.figure for entry in figures}
        if lost:
            raise ResultError(FILE, f"no figure {', '.join(sorted(lost))} of {paper.name} in the catalogue")
        mechanical.append(_counts(paper, WORDS, [row.verdict for row in own]))
        drawn.append(_counts(paper, VERDICTS, [verdict_of(entry).word for entry in figures]))
        parts = [_table(KINDS[kind], [row for row in own if row.kind == kind]) for kind in KINDS]
        found[paper.name] = "\n\n".join(part for part in (*parts, _figures(figures, changed)) if part)
    rest = "Mechanisms, baselines, workloads and metrics"
    tables = _grid(rest, mechanical, [40] + [12] * 5), _grid(KINDS["figure"], drawn, [34] + [11] * len(VERDICTS))
    return {"verdicts": "\n\n".join(tables), **found}


def _counts(paper, words, verdicts):
    return [paper.title, *(str(verdicts.count(word)) for word in words)]


def fill_page(text, entries):
    """The page with all blocks written anew."""
    for name, block in blocks(read_mechanisms(), entries).items():
        text = replace_block(text, name, block, PAPERS[name].title if name in PAPERS else "All five")
    return text


def _table(title, rows):
    if not rows:
        return ""
    lines = [["", "Verdict", "Why", "Changed", "Where"]]
    lines += [[row.item, row.verdict, row.why, row.changed, f"``{row.where.partition(':')[0]}``"] for row in rows]
    return _grid(title, lines, [22, 8, 30, 20, 20])


def _figures(entries, changed):
    lines = [["", "Verdict", "Shows", "Why", "Changed"]]
    for entry in entries:
        lines.append([entry.figure, verdict_of(entry).word, entry.shows, entry.reason, changed.get(entry.figure, "")])
    return _grid(KINDS["figure"], lines, [12, 10, 26, 32, 20])


def _grid(title, rows, widths):
    """A table whose cells hold prose."""
    lines = [f".. list-table:: {title}", "   :header-rows: 1", f"   :widths: {' '.join(map(str, widths))}", ""]
    for row in rows:
        for number, cell in enumerate(row):
            lines.append(f"   {'* -' if not number else '  -'} {_prose(cell)}".rstrip())
    return "\n".join(lines)


def _prose(text):
    """Code of Markdown as that of reStructuredText."""
    return text if "``" in text else text.replace("`", "``")
