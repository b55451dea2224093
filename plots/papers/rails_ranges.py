# SPDX-License-Identifier: GPL-2.0-only
"""Ranges that the paper of RailS publishes, beside the distribution of ours over a grid."""

from dataclasses import dataclass
from statistics import median

from . import rails_grid as grid
from .csv_rows import read_rows

COLUMNS = ["name", "quantity", "loads", "low", "high", "unit", "source"]


@dataclass(frozen=True)
class Range:
    """
    A published range, as changes: -0.78 to -0.17, or 1 to 2 where a value is two to three times
    another. A range that begins at 0 is a bound alone.
    """

    quantity: str
    loads: str
    low: float
    high: float
    unit: str
    source: str

    @property
    def text(self):
        if self.unit == "times":
            return f"{self.low + 1:g} to {self.high + 1:g} times"
        if self.high == 0:
            return f"up to {100 * self.low:+g} %"
        ends = sorted((self.low, self.high), key=abs)
        return f"{100 * ends[0]:+g} to {100 * ends[1]:+g} %"

    @property
    def is_reduction(self):
        return self.high <= 0

    def of_times(self, changes):
        """Changes of time as changes of its quantity, the least gain first."""
        if self.quantity == "bus bandwidth":
            return sorted(map(inverse, changes))
        return sorted(changes, reverse=True)

    def split(self, changes):
        """
        How many changes of its quantity lie inside, how many gain less, how many more; rounded as
        the range itself is.
        """
        digits = 2 if all(abs(100 * end - round(100 * end)) < 1e-6 for end in (self.low, self.high)) else 3
        rounded = [round(value, digits) for value in changes]
        below, above = sum(value < self.low for value in rounded), sum(value > self.high for value in rounded)
        inside = len(rounded) - below - above
        return (inside, above, below) if self.is_reduction else (inside, below, above)

    def holds(self, value):
        return self.split([value])[0] == 1


def inverse(change):
    """A gain of bandwidth as a cut of time, and back."""
    return 1 / (1 + change) - 1


def read_ranges(path):
    """Ranges of a paper.csv by name."""
    found = {}
    for row, _ in read_rows(path, COLUMNS):
        low, high = (float(row[key]) for key in ("low", "high"))
        low, high = (low - 1, high - 1) if row["unit"] == "times" else (round(low / 100, 6), round(high / 100, 6))
        found[row["name"]] = Range(row["quantity"], row["loads"], low, high, row["unit"], row["source"])
    return found


def span(published, ordered):
    """Least gain, median, most."""
    ends = ordered[0], median(ordered), ordered[-1]
    if published.unit == "times":
        return " / ".join(f"{value + 1:.2f}" for value in ends)
    return " / ".join(grid.percent(value).removesuffix(" %") for value in ends)


def changes(found, scheme, baselines, places):
    """Changes of time for all pairs of a place and a baseline that there are."""
    values = (grid.change(found, scheme, baseline, place) for place in places for baseline in baselines)
    return [value for value in values if value is not None]


def summary_table(found, ranges):
    """Each published range beside ours, by control and chunks."""
    rows = [["Range", "Published", "Congestion control", "Chunks", "Cells", "Inside", "Less", "More"]]
    rows[0].append("Ours: least / median / most [%]")
    for published in ranges.values():
        if published.quantity not in ("completion time", "bus bandwidth"):
            continue
        for control in grid.controls_of(found):
            where = [
                place
                for place in grid.places(found)
                if place[1] == control and published.loads in ("all", place[0].kind)
            ]
            for scheme in grid.cuts_of(found):
                own = published.of_times(changes(found, scheme, grid.baselines_of(found), where))
                if own:
                    name = published.quantity + (f", {published.loads}" if published.loads != "all" else "")
                    shares = [f"{100 * part / len(own):.0f} %" for part in published.split(own)]
                    row = [name, published.text, grid.CONTROLS[control], grid.CUTS[scheme], str(len(own))]
                    rows.append([*row, *shares, span(published, own)])
    return rows


def baseline_table(found, published, scheme=None):
    """By baseline: all loads of both sizes. In the unit of the range."""
    scheme = scheme or grid.rails_of(found)
    controls = grid.controls_of(found)
    rows = [["Baseline"]]
    for control in controls:
        rows[0] += [f"{_head(control)} [%]", "in / less / more"]
    for baseline in grid.baselines_of(found):
        row = [baseline]
        for control in controls:
            where = [place for place in grid.places(found) if place[1] == control]
            row += _cells(published, changes(found, scheme, [baseline], where))
        rows.append(row)
    return rows


def load_table(found, published):
    """By load: all baselines."""
    scheme = grid.rails_of(found)
    controls = grid.controls_of(found)
    rows = [["Load", "A GPU sends"]]
    for control in controls:
        rows[0] += [f"{_head(control)} [%]", "in / less / more"]
    for load in dict.fromkeys(place[0] for place in grid.places(found)):
        row = [load.name, f"{load.size} MB"]
        for control in controls:
            row += _cells(published, changes(found, scheme, grid.baselines_of(found), [(load, control)]))
        rows.append(row)
    return rows


def _head(control):
    name = grid.CONTROLS[control]
    return name[0].upper() + name[1:]


def _cells(published, times):
    own = published.of_times(times)
    return [span(published, own), " / ".join(map(str, published.split(own)))] if own else ["", ""]


def cell_table(found, published, control):
    """Change of time cell by cell: loads and baselines; bold where it is inside the range."""
    scheme = grid.rails_of(found)
    baselines = grid.baselines_of(found)
    rows = [["Load", "A GPU sends", *baselines]]
    for load, own in grid.places(found):
        if own != control:
            continue
        row = [load.name, f"{load.size} MB"]
        for baseline in baselines:
            value = grid.change(found, scheme, baseline, (load, control))
            text = "" if value is None else grid.percent(value)
            row.append(f"**{text}**" if value is not None and published.holds(value) else text)
        rows.append(row)
    return rows


def arithmetic_table(ranges):
    """What the ends of each range are in the other quantity, at one matrix."""
    rows = [["Stated", "As bus bandwidth", "As completion time"]]
    for published in ranges.values():
        if published.quantity not in ("completion time", "bus bandwidth"):
            continue
        for end in sorted({published.low, published.high} - {0}, key=abs):
            gain, cut = (end, inverse(end)) if published.quantity == "bus bandwidth" else (inverse(end), end)
            stated = f"{end + 1:g} times" if published.unit == "times" else f"{100 * end:+g} %"
            row = [f"{published.quantity} {stated}", f"{100 * gain:+.0f} %, {1 + gain:.2f} times"]
            rows.append([*row, f"{100 * cut:+.1f} %"])
    return rows


def describe(found, ranges):
    """Lines: shares of all cells, what gives the same as what, and the identity of time and bandwidth."""
    yield f"{sum(map(len, found.values()))} runs, {len(grid.places(found))} cells of a load, a size and a congestion control"
    for name, other in grid.SAME.items():
        values = [grid.change(found, name, other, place) for place in grid.places(found)]
        values = [abs(value) for value in values if value is not None]
        if values:
            yield f"{name} over {other}: times differ by at most {100 * max(values):.3f} %"
    for control in grid.controls_of(found):
        spreads = sorted(100 * spread for spread in _spreads(found, control))
        if spreads:
            ends = f"{median(spreads):.1f} points of change in the median, {spreads[-1]:.0f} at most"
            yield f"seeds of a cell differ, {grid.CONTROLS[control]}: {ends}"
    yield f"bus bandwidth times completion time: the same for all schemes of a matrix to {identity(found):.1e}"
    both = [
        (key, baseline)
        for key in found
        if key[0] in grid.CUTS
        for baseline in grid.baselines_of(found)
        if _both_upper_ends(grid.change(found, key[0], baseline, key[1:]), ranges)
    ]
    yield f"cells with both upper ends, the time cut of at least 78 % and at most 78 % more bandwidth: {len(both)}"


def _spreads(found, control):
    """From the least to the largest change of a single seed, of each cell that has several."""
    for place in [place for place in grid.places(found) if place[1] == control]:
        own = found.get((grid.rails_of(found), *place), {})
        for baseline in grid.baselines_of(found):
            other = found.get((baseline, *place), {})
            changes = [own[seed].cct_s / other[seed].cct_s for seed in sorted(own) if seed in other]
            if len(changes) > 1:
                yield max(changes) - min(changes)


def _both_upper_ends(value, ranges):
    if value is None or "time" not in ranges or "busbw" not in ranges:
        return False
    return value <= ranges["time"].low and inverse(value) <= ranges["busbw"].high


def identity(found):
    """How far bus bandwidth times completion time is from the same for all schemes of a matrix, at most."""
    products = {}
    for (_, *place), points in found.items():
        for seed, point in points.items():
            products.setdefault((place[0], seed), []).append(point.get("busbw_Bps") * point.cct_s)
    return max(max(own) / min(own) - 1 for own in products.values())
