# SPDX-License-Identifier: GPL-2.0-only
"""A figure or table of a paper: where its numbers come from, how they are drawn, what is required of them."""

from dataclasses import dataclass, field
from pathlib import Path

from rails.errors import ResultError
from rails.reader.result_folder import load_folder
from .balancers import balancer
from .comparison import Sample, compare
from .published import read_published


@dataclass(frozen=True)
class Figure:
    """
    One figure. Its samples are those of `measure`, point by point, or of `gather`, of all points together.
    """

    name: str
    title: str
    sources: dict  # folder of results: case, or a function of a point that tells it
    measure: object = None  # of the points of a folder: pairs of a point and its value, perhaps with x
    cases: tuple = ()
    style: str = "bars"  # a function of comparison_figures
    unit: str = ""
    across: str = ""  # what x is
    x: object = staticmethod(lambda _: "")  # of a point
    words: tuple = ()  # values of x that are words, in order
    tolerances: tuple = ()
    checks: tuple = ()  # functions of a comparison: lists of Check
    bands: dict = field(default_factory=dict)  # by scheme: measured with the authors' simulator
    gather: object = None  # of points by folder, of which there may be none: samples
    published: object = None  # of experiments/PAPER: published values by place; default: those of NAME/paper.csv
    repeated: str = "seed"  # what several values of a place differ in


@dataclass(frozen=True)
class Check:
    """A requirement on several schemes at once."""

    text: str
    holds: object  # None where there is no result


def load_figure(figure, results, experiments):
    """
    Reads what was measured for a figure and what was published.
    :param results: folder with a folder per descriptor
    :param experiments: experiments/PAPER
    """
    failures = []
    points = {source: read_points(results, source, failures) for source in figure.sources}
    if figure.gather:
        samples = list(figure.gather(points))
    else:
        samples = [sample for source, found in points.items() for sample in _measured(figure, source, found)]
    return compare(samples, published_of(figure, experiments), figure.cases, failures, figure.words)


def published_of(figure, experiments):
    """What the paper has, by case, scheme and x."""
    if figure.published:
        return figure.published(Path(experiments))
    return read_published(Path(experiments) / figure.name / "paper.csv")


def _measured(figure, source, points):
    case = figure.sources[source]
    for point, value, *x in figure.measure(points):
        place = case(point) if callable(case) else case
        yield Sample(place, balancer(point.config), x[0] if x else figure.x(point), point.seed, value)


def read_points(results, source, failures):
    """Points that ended well; a line in `failures` for each that did not."""
    try:
        folder = load_folder(Path(results) / source)
    except ResultError as error:
        failures.append(f"{error.place}: {error.reason}")
        return []
    failures += [f"{source}/{entry}" for entry in folder.unreadable]
    bad = [point for point in folder.points if not point.finished]
    failures += [f"{source}/{point.folder.name}: {point.outcome}" for point in bad]
    return [point for point in folder.points if point.finished]


def critical_seconds(point, *kinds):
    """What kinds of stages have on the critical path of a graph, together; nothing where it has none of them."""
    found = {kind["name"]: kind["critical_s"] for kind in point.get("graph")["kinds"]}
    return sum(found.get(name, 0) for name in kinds)
