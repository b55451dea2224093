# SPDX-License-Identifier: GPL-2.0-only
"""Iterations of Mixtral with RailS beside its baselines: results of experiments/rails/iterations."""

from matplotlib.lines import Line2D

from . import rails_grid as grid
from rails.plots import style
from .rails_ranges import span
from rails.reader.units import parse_number

MODELS = {"mixtral-8x7b": "8x7B", "mixtral-8x22b": "8x22B"}
LOADS = {"no-aux": "no balancing loss", "aux-loss": "balancing loss", "uniform": "equal"}
COLOURS = {"no-aux": "#D55E00", "aux-loss": "#0072B2", "uniform": "#000000"}
EXCHANGES = ("dispatch", "combine", "combine-backward", "dispatch-backward")


def iteration(config):
    """Where a point stands: model, GPUs, tensor parallelism, Gbit/s of a NIC, load."""
    return (
        MODELS.get(config["workload.model.type"], config["workload.model.type"]),
        int(config["topology.domains"]) * int(config["topology.gpus_per_domain"]),
        int(config["workload.parallel.tp"]),
        round(parse_number(config["topology.nic_rate"]) / 1e9),
        config["workload.load.preset"],
    )


def places(found):
    models, loads = list(MODELS.values()), list(LOADS)
    known = {key[1:] for key in found}
    return sorted(known, key=lambda place: (models.index(place[0]), *place[1:4], loads.index(place[4])))


def families(found):
    """Baselines that take the same time in all cells, each family by the first of it."""
    names = [name for name in (*grid.BASELINES, *grid.SAME) if any(key[0] == name for key in found)]
    own = {}
    for name in names:
        times = {key[1:]: round(grid.seconds(points), 12) for key, points in found.items() if key[0] == name}
        own.setdefault(tuple(sorted(times.items())), []).append(name)
    return {group[0]: group for group in own.values()}


def name_of(family):
    """Schemes of one time leave each byte to the NIC of its GPU, where they are several."""
    return "own NIC" if len(family) > 1 and "rail-source" in family else ", ".join(family)


def baseline_table(found, published):
    rows = [["Baseline", "Chunks", "Cells", "in / less / more", "Least / median / most [%]"]]
    for first, family in families(found).items():
        for scheme in grid.cuts_of(found):
            own = _changes(found, scheme, first, places(found))
            if own:
                own = published.of_times(own)
                counts = " / ".join(map(str, published.split(own)))
                rows.append([", ".join(family), grid.CUTS[scheme], str(len(own)), counts, span(published, own)])
    return rows


def _changes(found, scheme, baseline, where):
    values = (grid.change(found, scheme, baseline, place) for place in where)
    return [value for value in values if value is not None]


def cell_table(found, published):
    """Change of an iteration against the first baseline, cell by cell; bold where it is inside the range."""
    baseline = next(iter(families(found)), None)
    loads = [load for load in LOADS if any(key[-1] == load for key in found)]
    cuts = [grid.CUTS[scheme] for scheme in grid.cuts_of(found)]
    rows = [["Model", "GPUs", "TP", "Rate", *(f"{load}, {pieces}" for load in loads for pieces in cuts)]]
    for place in dict.fromkeys(place[:4] for place in places(found)):
        model, gpus, tensor, rate = place
        row = [model, str(gpus), str(tensor), f"{rate}G"]
        for load in loads:
            for scheme in grid.cuts_of(found):
                value = grid.change(found, scheme, baseline, (*place, load))
                text = "" if value is None else grid.percent(value)
                row.append(f"**{text}**" if value is not None and published.holds(value) else text)
        rows.append(row)
    return rows


def path_shares(point):
    """Shares of an iteration that computing, exchanges of tokens and the rest have on its critical path."""
    parts = {"compute": 0.0, "exchange": 0.0, "rest": 0.0}
    for kind in point.get("graph")["kinds"]:
        name = "compute" if kind["type"] == "compute" else "exchange" if kind["name"] in EXCHANGES else "rest"
        parts[name] += kind["critical_s"]
    return {name: seconds / point.cct_s for name, seconds in parts.items()}


def path_table(found):
    """Means over models, GPUs and loads."""
    rows = [["TP", "Rate", "Scheme", "Computing", "Exchanges", "Gradients, parameters", "Over even-split"]]
    names = {first: name_of(family) for first, family in families(found).items()}
    schemes = [*names, *grid.cuts_of(found), grid.OPTIMUM]
    for tensor, rate in dict.fromkeys(sorted(place[2:4] for place in places(found))):
        where = [place for place in places(found) if place[2:4] == (tensor, rate)]
        for scheme in schemes:
            own = [point for place in where for point in found.get((scheme, *place), {}).values()]
            if not own:
                continue
            shares = [path_shares(point) for point in own]
            row = [str(tensor), f"{rate}G", names.get(scheme, scheme)]
            row += [f"{100 * grid.mean(one[name] for one in shares):.0f} %" for name in ("compute", "exchange", "rest")]
            over = _changes(found, scheme, grid.OPTIMUM, where)
            rows.append([*row, f"{1 + grid.mean(over):.2f}" if over else ""])
    return rows


def describe(found, published):
    yield f"{sum(map(len, found.values()))} runs, {len(places(found))} cells"
    for first, family in families(found).items():
        if len(family) > 1:
            yield f"the same times in all cells: {', '.join(family)}: {name_of(family)}"
        for tensor in sorted({place[2] for place in places(found)}):
            for rate in sorted({place[3] for place in places(found)}):
                where = [place for place in places(found) if place[2:4] == (tensor, rate)]
                for scheme in grid.cuts_of(found):
                    own = published.of_times(_changes(found, scheme, first, where))
                    if own:
                        counts = " / ".join(map(str, published.split(own)))
                        what = f"TP {tensor}, {rate}G, chunks of {grid.CUTS[scheme]}, against {name_of(family)}"
                        yield f"{what}: least / median / most {span(published, own)} %; inside / less / more {counts}"


def draw(found, published):
    """A panel for each size of chunks, and a column for each family of baselines and rate."""
    first = {first: name_of(family) for first, family in families(found).items()}
    cuts = grid.cuts_of(found)
    figure, axes = style.new_figure(10.5, 3.4, 1, max(1, len(cuts)), sharey=True)
    rates = sorted({place[3] for place in places(found)})
    ticks = [(baseline, rate) for baseline in first for rate in rates]
    for axis, scheme in zip(axes[0], cuts):
        axis.axhspan(100 * published.low, 100 * published.high, color="#bbbbbb", alpha=0.45, linewidth=0, zorder=0)
        axis.axhline(0, **style.BOUND)
        for place in places(found):
            for baseline in first:
                value = grid.change(found, scheme, baseline, place)
                if value is not None:
                    _draw_cell(axis, ticks.index((baseline, place[3])), place, value)
        names = [f"{first[baseline]} {rate}G" for baseline, rate in ticks]
        axis.set_xticks(range(len(ticks)), names, rotation=50, ha="right", rotation_mode="anchor")
        axis.set_title(f"rails, chunks of {grid.CUTS[scheme]}")
    axes[0, 0].set_ylabel("iteration [%]")
    loads = [load for load in LOADS if any(key[-1] == load for key in found)]
    handles = [Line2D([], [], linestyle="none", marker="o", color=COLOURS[load], label=LOADS[load]) for load in loads]
    for label, face in (("TP 1", "#444444"), ("TP 4", "none")):
        handles.append(Line2D([], [], linestyle="none", marker="o", color="#444444", markerfacecolor=face, label=label))
    handles.append(Line2D([], [], color="#bbbbbb", linewidth=8, alpha=0.6, label=f"published,\n{published.text}"))
    style.legend(axes[0, -1], handles=handles)
    return figure


def _draw_cell(axis, at, place, value):
    at += 0.22 * (list(LOADS).index(place[4]) - 1)
    look = {"color": COLOURS[place[4]], "markersize": 3.6, "markeredgewidth": 0.9}
    if place[2] > 1:
        look["markerfacecolor"] = "none"
    axis.plot(at, 100 * value, "o", **look)
