# SPDX-License-Identifier: GPL-2.0-only
"""
Figures of one case, that is schemes and seeds with all else equal. Each function takes results and
a title and returns a figure, or raises Skip with the reason why there is none to draw.
"""

import textwrap

import numpy as np
from matplotlib.patches import Patch

from ..reader.units import best_unit
from . import figure_data, figure_table, layout, style
from .cdf import empirical_cdf, histogram_ccdf, thin
from .iteration_figures import critical_path
from .layout import Skip, read

_DIRECTIONS = {"sent": "nic_tx_bytes", "received": "nic_rx_bytes"}
_MOST_SERVERS = 40  # of a map of NICs
_MOST_LINES = 4  # above a panel

def completion(results, title):
    """Completion time per scheme: mean, single seeds, and the lower bound."""
    unit, factor = best_unit([point.cct_s for point in results.points], "s")
    figure, axes = layout.scheme_bars(results.schemes + results.failed_schemes)
    for row, _ in enumerate(results.failed_schemes, len(results.schemes)):
        layout.mean_text(axes, row, "did not finish")
    times = {s: np.array([p.cct_s for p in results.of(s)]) / factor for s in results.schemes}
    bars = layout.Bars(axes, [own.mean() for own in times.values()])
    for row, (scheme, own) in enumerate(times.items()):
        if not bars.draw(row, own.mean(), **style.bar(scheme, results.schemes)):
            layout.spread(axes, row, own)
        over = figure_data.ratios(results.of(scheme))
        text = f"{over.mean():.2f} × bound" if len(over) else "no bound"
        if bars.is_cut(own.mean()):
            text = f"{own.mean():.3g} {unit}, {text}"
        if results.absent_of(scheme):
            text += f"\n({results.left_out_of(scheme)})"
        layout.mean_text(axes, row, text)
    layout.mean_heading(axes, "mean" if len(results.seeds) > 1 else "")
    layout.bound_line(axes, np.array([point.bound_s for point in results.points]) / factor)
    bars.limit(times.values())
    axes.set_xlabel(f"completion time [{unit}]{bars.note}")
    if len(results.seeds) > 1:
        bound = layout.bound_handle("lower bound (band: range over seeds)")
        handles = [bound, layout.seeds_handle()]
    else:
        handles = [layout.bound_handle()]
    layout.title_and_legend(axes, title, handles)
    _keep_means(figure, times, unit)
    return figure


def _keep_means(figure, values, unit):
    """The table of a bar for each scheme."""
    rows = [[scheme, *figure_table.of_mean(own), unit] for scheme, own in values.items()]
    figure_table.keep(figure, ["scheme", *figure_table.OF_A_MEAN, "unit"], rows)


def completion_cdf(results, title):
    """Distribution of the completion time over seeds; of few of them each one."""
    if len(results.seeds) < 2:
        raise Skip("a distribution over seeds needs at least two seeds")
    unit, factor = best_unit([point.cct_s for point in results.points], "s")
    times = {s: [p.cct_s / factor for p in results.of(s)] for s in results.schemes}
    if min(map(len, times.values())) < layout.LEAST_OF_A_DISTRIBUTION:
        figure, axes = layout.strip(times, results.schemes, "seeds")
    else:
        figure, [[axes]] = style.new_figure(6.8, 3.4)
        for scheme, own in times.items():
            own, share = empirical_cdf(own)
            axes.plot(
                np.concatenate([own[:1], own]),
                np.concatenate([[0], share]),
                drawstyle="steps-post",
                marker=style.look(scheme, results.schemes)[2],
                markevery=range(1, len(own) + 1),
                markersize=4.5,
                **style.line(scheme, results.schemes),
            )
        axes.set(ylabel="fraction of seeds", ylim=(0, 1.05))
        style.legend(axes)
    curves = {scheme: empirical_cdf(own) for scheme, own in times.items()}
    figure_table.keep_curves(figure, curves, unit)
    _scale_of_times(axes, [time for own in times.values() for time in own])
    axes.set_xlabel(f"completion time [{unit}]")
    layout.title(axes, title)
    return figure


def _scale_of_times(axes, times):
    """Logarithmic where some are many times as long as others."""
    if max(times) > 4 * min(times) > 0:
        axes.set_xlim(min(times) / 1.1, max(times) * 1.1)
        style.plain_log(axes.xaxis)
    else:
        margin = 0.05 * (max(times) - min(times)) or 0.05 * max(times) or 1
        axes.set_xlim(min(times) - margin, max(times) + margin)


def message_cdf(results, title):
    """Distribution of the completion times of messages between servers, all seeds together."""
    times = {
        scheme: read(figure_data.message_times, results.of(scheme)) for scheme in results.schemes
    }
    times = {scheme: values for scheme, values in times.items() if len(values)}
    if not times:
        raise Skip("there is no message between servers")
    unit, factor = best_unit([np.median(values) for values in times.values()], "s")
    times = {scheme: values / factor for scheme, values in times.items()}
    if min(map(len, times.values())) < layout.LEAST_OF_A_DISTRIBUTION:
        figure, axes = layout.strip(times, results.schemes, "messages")
        _scale_of_times(axes, np.concatenate(list(times.values())))
    else:
        figure, [[axes]] = style.new_figure(6.8, 3.4)
        for scheme, values in times.items():
            axes.plot(*thin(*empirical_cdf(values)), **style.line(scheme, results.schemes))
        axes.set_xlim(
            min(np.quantile(values, 0.001) for values in times.values()) / 1.05,
            max(values.max() for values in times.values()) * 1.05,
        )
        style.plain_log(axes.xaxis)
        axes.set(ylabel=style.wrapped("fraction of messages between servers"), ylim=(0, 1.02))
        style.legend(axes)
    curves = {scheme: thin(*empirical_cdf(values)) for scheme, values in times.items()}
    figure_table.keep_curves(figure, curves, unit)
    axes.set_xlabel(style.wrapped(f"from posting to the last byte in GPU memory [{unit}]", 48))
    layout.title(axes, title)
    return figure


def queue_ccdf(results, title):
    """Share of time that a queue is longer than a length, per port class."""
    bins = {}
    for scheme in results.schemes:
        for name, entry in read(figure_data.queue_histograms, results.of(scheme)).items():
            bins.setdefault(name, {})[scheme] = entry
    if not bins:
        raise Skip("queues.csv has no rows")
    curves = {
        (name, scheme): histogram_ccdf(*entry)
        for name, entries in bins.items()
        for scheme, entry in entries.items()
    }
    largest, smallest, least = figure_data.queue_ranges(curves.values())
    unit, factor = best_unit([largest / 1e3], "B")
    figure, panels, corner = layout.panels(len(bins), title)
    for axes, name in zip(panels, figure_data.in_order(bins)):
        for scheme in bins[name]:
            x, y = curves[name, scheme]
            look = style.line(scheme, results.schemes)
            x, y = np.maximum(x, smallest) / factor, np.maximum(y, least / 10)
            axes.plot(x, y, drawstyle="steps-post", **look)
        axes.set(title=_heading(name), yscale="log", ylim=(least, 1.3))
        style.decades_in_percent(axes.yaxis)
        axes.set_xlim(smallest / factor, largest * 1.1 / factor)
        style.plain_log(axes.xaxis, most=4)
    shown = {place: (x / factor, 100 * y) for place, (x, y) in curves.items()}
    figure_table.keep_curves(figure, shown, unit)
    layout.label(figure, f"queue length [{unit}]", "share of time that it is longer [%]")
    style.legend(corner, handles=layout.scheme_handles(panels, results.schemes))
    return figure


def throughput(results, title):
    """Payload that arrived over time, mean over seeds, and when something failed."""
    failing = [point for point in results.points if figure_data.events(point)]
    if not failing:
        raise Skip("nothing failed")
    seen_s = figure_data.time_of_interest(failing)
    rates = {
        scheme: read(lambda points: figure_data.throughput(points, seen_s), results.of(scheme))
        for scheme in results.schemes
    }
    unit, factor = best_unit([rate.max() for _, rate in rates.values()], "B")
    time_unit, time_factor = best_unit([seen_s], "s")
    figure, [[axes]] = style.new_figure(6.8, 3.4)
    for scheme, (times, rate) in rates.items():
        look = style.line(scheme, results.schemes)
        axes.plot(times / time_factor, rate / factor, **look)
    shown = {s: (times / time_factor, rate / factor) for s, (times, rate) in rates.items()}
    figure_table.keep_curves(figure, shown, time_unit, f"{unit}/s")
    for at in sorted({event["at_s"] for event in figure_data.events(failing[0])}):
        axes.axvline(at / time_factor, zorder=1, **style.EVENT)
    axes.set_xlim(0, seen_s / time_factor)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time since the first post [{time_unit}]")
    axes.set_ylabel(style.wrapped(f"payload between servers [{unit}/s]"))
    layout.title(axes, title)
    handles = layout.scheme_handles([axes], results.schemes) + [layout.event_handle()]
    style.legend(axes, handles=handles)
    return figure


def nic_load(results, title):
    """
    What every NIC sent and received, per scheme, all on one scale; of the first seed. Where there
    are too many NICs for a map, they are sorted.
    """
    loads = {}
    for scheme in results.schemes:
        point = results.of(scheme)[0]
        for direction, key in _DIRECTIONS.items():
            loads[scheme, direction] = np.array(point.get(key), dtype=float)
    seed = f", seed {results.seeds[0]}" if len(results.seeds) > 1 else ""
    if max(len(load) for load in loads.values()) > _MOST_SERVERS:
        return _sorted_nics(results, loads, title + seed)
    panels = {}  # headings by what a panel shows: the same map once
    for place, load in loads.items():
        panels.setdefault((load.shape, load.tobytes()), []).append(place)
    panels = [(_nic_heading(places), loads[places[0]]) for places in panels.values()]
    largest = max(load.max() for load in loads.values())
    unit, factor = best_unit([largest], "B")
    columns = min(len(panels), style.panels_across(4))
    rows = -(-len(panels) // columns)
    lines = max(heading.count("\n") for heading, _ in panels)
    size = (2.15 * columns + 0.9, (1.55 + 0.15 * lines) * rows + 0.7)
    figure, grid = style.new_figure(*size, rows, columns, sharex=True, sharey=True)
    for number, (axes, (heading, load)) in enumerate(zip(grid.flat, panels)):
        image = axes.imshow(
            load / factor, cmap="cividis", vmin=0, vmax=largest / factor, aspect="auto"
        )
        # Against the busiest server's load, spread evenly over its NICs: 1 cannot be beaten.
        even = load.mean(axis=1).max()
        worst = f"\nworst NIC {load.max() / even:.2f} × even" if even > 0 else ""
        axes.set_title(heading + worst, fontsize=style.points(8))
        axes.grid(False)
        axes.set(xticks=_some(load.shape[1]), yticks=_some(load.shape[0]))
        is_lowest = number + columns >= len(panels)
        axes.tick_params(length=2, labelsize=style.points(7.5), labelbottom=is_lowest)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    layout.label(figure, "rail (NIC of the server)", "domain (server)")
    layout.headline(figure, title + seed)
    _keep_nics(figure, loads, unit, factor)
    figure.colorbar(image, ax=grid, label=f"payload [{unit}]", aspect=12 * rows, pad=0.02)
    return figure


def _keep_nics(figure, loads, unit, factor):
    """A row for each NIC, a column for each scheme and direction."""
    shape = next(iter(loads.values())).shape
    columns = [f"{scheme}:{direction}" for scheme, direction in loads]
    rows = [
        [server, rail, *(load[server, rail] / factor for load in loads.values()), unit]
        for server, rail in np.ndindex(shape)
    ]
    figure_table.keep(figure, ["server", "rail", *columns, "unit"], rows)


def _nic_heading(places):
    """What a panel is of: schemes with their directions, those together that have the same load."""
    directions = {}
    for scheme, direction in places:
        directions.setdefault(scheme, []).append(direction)
    parts = [f"{scheme}, {' and '.join(found)}" for scheme, found in directions.items()]
    lines = [line for part in parts for line in textwrap.wrap(part, style.letters(36))]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"... ({len(parts)} alike)"]
    return "\n".join(lines)


def _sorted_nics(results, loads, title):
    """Loads of NICs over what the busiest server's would be, spread evenly; the busiest first."""
    figure, panels, corner = layout.panels(len(_DIRECTIONS), title)
    for axes, direction in zip(panels, _DIRECTIONS):
        for scheme in results.schemes:
            load = loads[scheme, direction]
            even = load.mean(axis=1).max() or 1
            shares = np.sort(load.ravel())[::-1] / even
            places = figure_data.link_places(shares)
            axes.plot(*thin(places, shares), **style.line(scheme, results.schemes))
        axes.axhline(1, **style.BOUND)
        axes.set(title=direction, xlim=(0, 100))
        axes.set_ylim(bottom=0)
    servers, rails = loads[results.schemes[0], "sent"].shape
    unit, factor = best_unit([max(load.max() for load in loads.values())], "B")
    _keep_nics(figure, loads, unit, factor)
    layout.label(figure, f"NICs, busiest first [% of {servers} servers × {rails}]",
                 "payload of a NIC over an even share\nof the busiest server's")
    handles = layout.scheme_handles(panels, results.schemes)
    style.legend(corner, handles=[*handles, layout.bound_handle("even share")])
    return figure


def link_utilisation(results, title):
    """Utilisation of every link over the run, sorted, per port class; all seeds together."""
    used = {}
    for scheme in results.schemes:
        for name, values in read(figure_data.link_loads, results.of(scheme)).items():
            used.setdefault(name, {})[scheme] = values
    used = {name: loads for name, loads in used.items() if any(map(np.any, loads.values()))}
    if not used:
        raise Skip("links.csv knows no link that carried anything")
    figure, panels, corner = layout.panels(len(used), title)
    for axes, name in zip(panels, figure_data.in_order(used)):
        for scheme, values in used[name].items():
            look = style.line(scheme, results.schemes)
            if len(values) < layout.LEAST_OF_A_DISTRIBUTION:
                look["marker"] = style.look(scheme, results.schemes)[2]
            axes.plot(*thin(figure_data.link_places(values), values), **look)
        axes.set(title=_heading(name), xlim=(0, 100), ylim=(-4, 104))
    shown = {
        (name, scheme): thin(figure_data.link_places(values), values)
        for name, loads in used.items()
        for scheme, values in loads.items()
    }
    figure_table.keep_curves(figure, shown, "percent_of_links")
    layout.label(figure, "links, busiest first [% of the class]", "utilisation [%]")
    style.legend(corner, handles=layout.scheme_handles(panels, results.schemes))
    return figure


def iteration(results, title):
    """Iteration time per scheme, split into what took it."""
    if all(point.result.get("graph") for point in results.points):
        return critical_path(results, title)
    total = {
        scheme: np.array([point.get("iteration_s") for point in results.of(scheme)])
        for scheme in results.schemes
    }
    largest = max(values.max() for values in total.values())
    unit, factor = best_unit([largest], "s")
    figure, axes = layout.scheme_bars(results.schemes)
    bars = layout.Bars(axes, [values.mean() / factor for values in total.values()])
    for row, (scheme, values) in enumerate(total.items()):
        mean = values.mean()
        compute = np.mean([_compute_s(point) for point in results.of(scheme)])
        bars.draw(row, compute / factor, **style.COMPUTE)
        own = style.bar(scheme, results.schemes)
        if not bars.draw(row, (mean - compute) / factor, left=compute / factor, **own):
            layout.spread(axes, row, values / factor)
        text = f"{mean / factor:.1f} {unit}"
        if results.baseline not in (None, scheme):
            change = mean / total[results.baseline].mean() - 1
            text += f", {change:+.0%} to {results.baseline}".replace("-", "−")
        layout.mean_text(axes, row, text)
    layout.mean_heading(axes, "mean" if len(results.seeds) > 1 else "")
    bars.limit(values / factor for values in total.values())
    axes.set_xlabel(f"iteration time [{unit}]{bars.note}")
    handles = [
        Patch(**style.COMPUTE, label="compute (given)"),
        Patch(facecolor="#777777", label="communication"),
    ]
    if len(results.seeds) > 1:
        handles.append(layout.seeds_handle())
    layout.title_and_legend(axes, title, handles)
    _keep_means(figure, {scheme: values / factor for scheme, values in total.items()}, unit)
    return figure


def _heading(port_class):
    """The name of a class of ports above a panel, in two lines."""
    return figure_data.class_name(port_class).replace(" (", "\n(")


def _compute_s(point):
    """Compute time of an iteration."""
    phases = [p for p in point.get("phases") if None not in (p["start_s"], p["end_s"])]
    spent = sum(p["end_s"] - p["start_s"] for p in phases if p["name"] == "compute")
    return spent / (1 + max((p["iteration"] for p in phases), default=0))


def _some(count):
    """Tick positions for so many domains or rails: all when few, else every second, fourth..."""
    step = 1
    while count / step > 8:
        step *= 2
    return range(0, count, step)
