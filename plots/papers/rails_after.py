# SPDX-License-Identifier: GPL-2.0-only
"""What comes after RailS: times over the bound with ACKs, beside the goal that was set before they were run."""

from dataclasses import dataclass
from itertools import product

from . import rails_grid as grid
from rails.errors import ResultError

GOALS = {64: 1.01, 4: 1.04}  # by MB of a GPU, without congestion control
WITH_CONTROL = 0.02  # more with a congestion control, which must then mark no frame
BEHIND = 0.01  # a scheme is behind when it takes so much longer than rails
BESIDE = (*grid.CUTS, grid.OPTIMUM)  # of the grid of collectives


@dataclass(frozen=True)
class Cell:
    """A scheme at a place: each seed over the bound with ACKs, and the marks of all."""

    by_seed: dict
    marks: int

    @property
    def ratios(self):
        return self.by_seed.values()

    @property
    def mean(self):
        return grid.mean(self.ratios)

    def over(self, other):
        """Its time over another one's, of the seeds that both have; None without one."""
        seeds = [seed for seed in self.by_seed if seed in other.by_seed]
        if not seeds:
            return None
        return sum(self.by_seed[seed] for seed in seeds) / sum(other.by_seed[seed] for seed in seeds)

    @property
    def text(self):
        ends = f" ({min(self.ratios):.3f}-{max(self.ratios):.3f})" if len(self.ratios) > 1 else ""
        return f"{self.mean:.3f}{ends}"

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
    for (scheme, *place), points in [*before.items(), *after.items()]:
        known = {seed: point for seed, point in sorted(points.items()) if (place[0], seed) in bounds}
        if known and ((scheme, *place) in after or scheme in BESIDE):
            ratios = {seed: point.cct_s / bounds[place[0], seed] for seed, point in known.items()}
            marks = sum(point.number("ecn_marks") or 0 for point in known.values())
            found[scheme, *place] = Cell(ratios, marks)
    return found


def schemes_of(found):
    """What comes after in its order, then what is beside it."""
    names = sorted({key[0] for key in found} - set(BESIDE), key=lambda name: (not name.startswith("rails-plus"), name))
    return [*names, *(name for name in BESIDE if any(key[0] == name for key in found))]


def cell_table(found):
    schemes = schemes_of(found)
    rows = [["Load", "A GPU sends", "Congestion control", *schemes]]
    for place in grid.places(found):
        row = [place[0].name, f"{place[0].size} MB", place[1]]
        for scheme in schemes:
            cell = found.get((scheme, *place))
            row.append(f"{cell.text} {cell.verdict(place)}".strip() if cell else "")
        rows.append(row)
    return rows


def summary_table(found):
    """By scheme, size and control: cells that meet the goal, the worst one, marks, cells behind rails."""
    rows = [["Scheme", "A GPU sends", "Congestion control", "Goal", "Met"]]
    rows[0] += ["In the mean alone", "Worst cell", "Marks", "Behind rails"]
    sizes = sorted({key[1].size for key in found}, reverse=True)
    late = behind(found)
    for scheme, size, control in product(schemes_of(found), sizes, grid.controls_of(found)):
        keys = [(scheme, *place) for place in grid.places(found) if (place[0].size, place[1]) == (size, control)]
        keys = [key for key in keys if key in found]
        if keys:
            verdicts = [found[key].verdict(key[1:]) for key in keys]
            worst = max(keys, key=lambda key: found[key].mean)
            row = [scheme, f"{size} MB", control, goal_text(size, control), f"{verdicts.count('met')} of {len(keys)}"]
            row += [str(verdicts.count("mean")), f"{found[worst].mean:.3f} ({worst[1].name})"]
            behind_rails = str(sum(key in late for key in keys)) if has_rails(found) else ""
            rows.append([*row, f"{sum(found[key].marks for key in keys):,}", behind_rails])
    return rows


def has_rails(found):
    """False where the grid of collectives has not been run."""
    return bool(grid.cuts_of(found))


def goal_text(size, control):
    return f"{GOALS[size] + WITH_CONTROL * (control != 'none'):.2f}" if size in GOALS else ""


def behind(found):
    """Cells that take more than BEHIND longer than rails, and how much: ratios by key."""
    late = {}
    for scheme, place in product(schemes_of(found), grid.places(found)):
        own, other = found.get((scheme, *place)), found.get((grid.rails_of(found), *place))
        ratio = own.over(other) if own and other and scheme not in BESIDE else None
        if ratio is not None and ratio - 1 > BEHIND:
            late[scheme, *place] = ratio
    return late


def behind_table(found):
    rows = [["Scheme", "Load", "A GPU sends", "Congestion control", "Over rails"]]
    for (scheme, load, control), ratio in behind(found).items():
        rows.append([scheme, load.name, f"{load.size} MB", control, f"{ratio:.3f}"])
    return rows if len(rows) > 1 else [*rows, ["none", "", "", "", ""]]


def describe(found):
    for row in summary_table(found)[1:]:
        scheme, size, control, goal, met, mean, worst, marks, late = row
        ends = f"worst {worst}, marks {marks}" + (f", behind rails in {late}" if late else "")
        yield f"{scheme}, {size}, {control}: goal {goal} met in {met} (+{mean} in the mean), {ends}"
