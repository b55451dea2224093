# SPDX-License-Identifier: GPL-2.0-only
"""Every figure and table of the papers, from experiments/figures.csv."""

import re
from dataclasses import dataclass
from pathlib import Path

from rails.errors import ResultError
from .csv_rows import read_rows

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"
DATA = EXPERIMENTS.parent / "doc" / "figures"
FILE = EXPERIMENTS / "figures.csv"
COLUMNS = ["paper", "figure", "shows", "descriptors", "published", "draws", "quick", "reason"]


@dataclass(frozen=True)
class Paper:
    """One of the five: its name here, its title and its number."""

    name: str
    title: str
    arxiv: str
    others: tuple = ()  # names that it has as well

    @property
    def folder(self):
        return EXPERIMENTS / self.name


PAPERS = {
    paper.name: paper
    for paper in (
        Paper("rails", "RailS", "2510.19262"),
        Paper("load-balancing", "Load Balancing for AI Training Workloads", "2507.21372", ("ofan",)),
        Paper("mixnet", "MixNet", "2501.03905"),
        Paper("pro-prophet", "Pro-Prophet", "2411.10003"),
        Paper("micro-moe", "MicroMoE", "2511.16947"),
    )
}


@dataclass(frozen=True)
class Entry:
    """A row of the file."""

    paper: Paper
    figure: str
    shows: str
    descriptors: tuple  # paths
    published: Path  # None where its values are not known, or there are none
    draws: str  # a program of plots/, besides the comparison
    quick: tuple  # `--where` of a quick run, and descriptors that it does without, as -NAME
    reason: str  # why it is not built, or differs

    @property
    def data(self):
        """Where its last outcome is kept, be it there or not."""
        return DATA / f"{self.paper.name}-{self.figure}.csv"

    @property
    def is_built(self):
        return bool(self.descriptors or self.draws or self.published)

    @property
    def quick_where(self):
        return [word for word in self.quick if not word.startswith("-")]

    @property
    def quick_descriptors(self):
        left = {word[1:] for word in self.quick if word.startswith("-")}
        return tuple(path for path in self.descriptors if path.stem not in left)


def read_catalogue(path=FILE):
    """All entries, in the order of the file."""
    return [_entry(row, place) for row, place in read_rows(path, COLUMNS)]


def _entry(row, place):
    if row["paper"] not in PAPERS:
        raise ResultError(place, f"unknown paper {row['paper']}")
    paper = PAPERS[row["paper"]]
    descriptors = []
    for pattern in row["descriptors"].split():
        found = sorted(paper.folder.glob(pattern))
        if not found:
            raise ResultError(place, f"no descriptor {pattern}")
        descriptors += found
    published = paper.folder / row["published"] if row["published"] else None
    words = (row["figure"], row["shows"]), (tuple(descriptors), published), (row["draws"], tuple(row["quick"].split()))
    return Entry(paper, *words[0], *words[1], *words[2], row["reason"])


def find_paper(word):
    """The paper that a user means, None if there is none: its name, or its number with or without arXiv:."""
    word = re.sub(r"^arxiv:", "", word.lower())
    for paper in PAPERS.values():
        if word in (paper.name, paper.arxiv, paper.name.replace("-", ""), *paper.others):
            return paper
    return None


def find_entries(entries, word):
    """
    Entries of a paper that a user means: figure-01, 1, figure-1, fig. 12, table-iv, or 12 for 12a, 12b and so on.
    """
    wanted = _plain(word)
    exact = [entry for entry in entries if _plain(entry.figure) == wanted]
    return exact or [entry for entry in entries if re.fullmatch(re.escape(wanted) + "[a-z]", _plain(entry.figure))]


def _plain(word):
    """A name without zeros before its number: of a number alone that of the figure."""
    word = re.sub(r"^fig(ure|\.)?[-_ ]*", "", word.strip().lower())
    return re.sub(r"\b0+(?=\d)", "", re.sub(r"[ _]+", "-", word))
