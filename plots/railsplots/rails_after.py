# SPDX-License-Identifier: GPL-2.0-only
"""What comes after RailS: times over the bound with ACKs, beside the goal that was set before they were run."""

from dataclasses import dataclass

from . import rails_grid as grid
from .errors import ResultError

GOALS = {64: 1.01, 4: 1.04}  # by MB of a GPU, without rate control
WITH_CONTROL = 0.02  # more with a rate control, which must then mark no frame
BEHIND = 0.01  # a scheme is behind when it takes so much longer than rails
BESIDE = (grid.RAILS, grid.FINE, grid.OPTIMUM)  # of the grid of collectives


@dataclass(frozen=True)
class Cell:
    """A scheme at a place: its seeds over the bound with ACKs."""

    ratios: tuple
    marks: int

    @property
    def mean(self):
        return grid.mean(self.ratios)

    @property
    def text(self):
        return f"{self.mean:.3f} ({min(self.ratios):.3f} to {max(self.ratios):.3f})"

    def verdict(self, place):
        """Whether all seeds meet the goal, or their mean alone; empty for a size without one."""
        goal = GOALS.get(place[0].size)
        if goal is None:
            return ""
        if place[1] != "none":
            goal += WITH_CONTROL
            if self.marks:
                return "not"
        return "met" if max(self.ratios) <= goal else "mean" if self.mean <= goal else "not"


def bounds_of(after):
    """The bound with ACKs by load and seed; it is the same for all schemes and controls."""
    found = {}
    for (_, load, _), points in after.items():
        for seed, point in points.items():
            bound = found.setdefault((load, seed), point.get("lower_bound_acks_s"))
            if abs(bound / point.get("lower_bound_acks_s") - 1) > 1e-12:
                raise ResultError(point.folder, "its lower_bound_acks_s is not that of other schemes")
    return found


def cells(after, before):
    """
    Cells by scheme and place: those that come after, and of the grid before those of BESIDE where
    the bound is known.
    """
    bounds = bounds_of(after)
    found = {}
    for (scheme, *place), points in [*after.items(), *((key, own) for key, own in before.items() if key[0] in BESIDE)]:
        own = [(point.cct_s / bounds[place[0], seed], point.number("ecn_marks") or 0) for seed, point in sorted(points.items()) if (place[0], seed) in bounds]
        if own:
            ratios, marks = zip(*own)
            found.setdefault((scheme, *place), Cell(ratios, sum(marks)))
    return found


def schemes_of(found):
    """What comes after in its order, then what is beside it."""
    names = sorted({key[0] for key in found} - set(BESIDE), key=lambda name: (not name.startswith("rails-plus"), name))
    return [*names, *(name for name in BESIDE if any(key[0] == name for key in found))]


def cell_table(found):
    schemes = schemes_of(found)
    rows = [["Load", "A GPU sends", "Rate control", *schemes]]
    for place in grid.places(found):
        row = [place[0].name, f"{place[0].size} MB", place[1]]
        for scheme in schemes:
            cell = found.get((scheme, *place))
            row.append(f"{cell.text} {cell.verdict(place)}".strip() if cell else "")
        rows.append(row)
    return rows


def summary_table(found):
    """By scheme, size and control: cells that meet the goal, the worst one, marks, cells behind rails."""
    rows = [["Scheme", "A GPU sends", "Rate control", "Goal", "Met", "In the mean alone", "Worst cell", "Marks", "Behind rails"]]
    sizes = sorted({key[1].size for key in found}, reverse=True)
    for scheme in schemes_of(found):
        for size in sizes:
            for control in grid.controls_of(found):
                own = {key[1:]: cell for key, cell in found.items() if key[0] == scheme and key[1].size == size and key[2] == control}
                if not own:
                    continue
                verdicts = [cell.verdict(place) for place, cell in own.items()]
                worst = max(sorted(own), key=lambda place: own[place].mean)  # pylint: disable=cell-var-from-loop
                goal = GOALS.get(size)
                text = "" if goal is None else f"{goal + (WITH_CONTROL if control != 'none' else 0):.2f}"
                rows.append(
                    [
                        *(scheme, f"{size} MB", control, text),
                        f"{verdicts.count('met')} of {len(own)}",
                        str(verdicts.count("mean")),
                        f"{own[worst].mean:.3f} ({worst[0].name})",
                        f"{sum(cell.marks for cell in own.values()):,}",
                        str(sum(place in own for name, *place in behind(found) if name == scheme for place in [tuple(place)])),
                    ]
                )
    return rows


def behind(found):
    """Keys of cells that take more than BEHIND longer than rails, which a scheme after it should not."""
    keys = []
    for scheme in schemes_of(found):
        for place in grid.places(found):
            own, other = found.get((scheme, *place)), found.get((grid.RAILS, *place))
            if scheme not in BESIDE and own and other and own.mean / other.mean - 1 > BEHIND:
                keys.append((scheme, *place))
    return keys


def behind_table(found):
    rows = [["Scheme", "Load", "A GPU sends", "Rate control", "Over rails"]]
    for scheme, load, control in behind(found):
        ratio = found[scheme, load, control].mean / found[grid.RAILS, load, control].mean
        rows.append([scheme, load.name, f"{load.size} MB", control, f"{ratio:.3f}"])
    return rows if len(rows) > 1 else [*rows, ["none", "", "", "", ""]]


def describe(found):
    for row in summary_table(found)[1:]:
        scheme, size, control, goal, met, mean, worst, marks, late = row
        yield f"{scheme}, {size}, {control}: goal {goal} met in {met} (+{mean} in the mean), worst {worst}, marks {marks}, behind rails in {late}"
