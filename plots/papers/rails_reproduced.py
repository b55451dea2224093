# SPDX-License-Identifier: GPL-2.0-only
"""
Claims of RailS' abstract beside ours. No value of a figure of its paper is known, nor any setting: what stands here is
which share of a grid of settings lies inside of a published range.
"""

from pathlib import Path

from . import rails_grid as grid
from . import rails_iterations, rails_ranges
from .comparison import Sample
from .figure import Figure

_PLACES = ("% inside", "% with less", "% with more")
_PAPER = Path(__file__).resolve().parents[2] / "experiments" / "rails" / "paper.csv"
_RANGES = rails_ranges.read_ranges(_PAPER)
_GRIDS = {"collectives-8x8-automatic": grid.collective, "iterations": rails_iterations.iteration}


def _found(points, place_of):
    """Points by (scheme, *place), each by seed, as rails_grid.read() has them."""
    found = {}
    for point in points:
        found.setdefault((grid.scheme_of(point.config), *place_of(point.config)), {})[point.seed] = point
    return found


def _shares(name, folder):
    """Percent of cells inside of a range, with less and with more gain, by congestion control and chunks."""
    published = _RANGES[name]

    def gather(points):
        found = _found(points[folder], _GRIDS[folder])
        for control, places in _controls(found, published).items():
            for scheme in grid.cuts_of(found):
                changes = rails_ranges.changes(found, scheme, _baselines(found, folder), places)
                own = published.of_times(changes)
                for x, part in zip(_PLACES, published.split(own)) if own else ():
                    yield Sample(published.text, f"{control}{grid.CUTS[scheme]}", x, 0, 100 * part / len(own))

    return gather


def _baselines(found, folder):
    """Baselines, of which those that take the same time in all iterations count once."""
    return list(rails_iterations.families(found)) if folder == "iterations" else grid.baselines_of(found)


def _controls(found, published):
    """Places by congestion control, in words; all together where there is none."""
    if not grid.controls_of(found):
        return {"": sorted({key[1:] for key in found})}
    chosen = [place for place in grid.places(found) if published.loads in ("all", place[0].kind)]
    return {f"{grid.CONTROLS[own]} ": [place for place in chosen if place[1] == own] for own in grid.controls_of(found)}


def _figure(name, claim, folder="collectives-8x8-automatic"):
    published = _RANGES[claim]
    loads = "" if published.loads == "all" else f", {published.loads} loads"
    return Figure(
        name,
        f"RailS, {published.quantity} {published.text}{loads}: which cells are inside",
        {folder: ""},
        gather=_shares(claim, folder),
        cases=(published.text,),
        style="stages",
        unit="share of cells [%]",
        across="of the range",
        words=_PLACES,
        published=lambda _: {},
    )


FIGURES = (
    _figure("abstract-bandwidth", "busbw"),
    _figure("abstract-time", "time"),
    _figure("abstract-iteration", "iteration", "iterations"),
    _figure("review-sparse", "sparse"),
    _figure("review-up-to", "up-to"),
)
