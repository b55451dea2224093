# SPDX-License-Identifier: GPL-2.0-only
"""
Figures of an iteration of a graph, such as a training: what its time went to, and what policies of
experts do to it. Each function takes results and a title and returns a figure, with a panel for
each case of a sweep, or raises Skip with the reason why there is none to draw.
"""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ..reader.units import best_unit
from . import figure_table, layout, style
from .cases import cases_of
from .layout import Skip
from .stage_data import (
    OF_EXPERTS,
    change,
    dropped,
    iteration_s,
    mean,
    stage_s,
    stage_types,
    waiting_s,
)

_THREE_PANELS = 6  # inches that bars with texts beside them need
_MOST_ROWS = 120  # of a figure that people look at
_BEFORE = {"color": "#8c8c8c", "marker": "|", "markersize": 11, "markeredgewidth": 2.2}
_CHANGE = {"color": "#c4c4c4", "linewidth": 3, "solid_capstyle": "butt", "zorder": 2}
_MEMORY = {"color": "#9fb4c7", "edgecolor": "white", "linewidth": 0.5}


def critical_path(results, title):
    """The critical path of an iteration, by its stages: a bar for each scheme."""
    cases = _cases(results)
    stages = stage_types(results.points)
    times = [iteration_s(point) for point in results.points]
    scale = _Scale(times, "s")
    figure, grid = layout.bar_panels([[row.label for row in case.rows] for case in cases])
    drawn = {}
    means = [mean(row.points, iteration_s) for case in cases for row in case.rows if row.points]
    bars = layout.Bars(grid[0, 0], [scale.of(value) for value in means])
    seeds = [scale.of(np.array([*map(iteration_s, row.points)])) for case in cases for row in case.rows if row.points]
    for case, (axes,) in zip(cases, grid):
        bars.axes = axes
        for place, row in enumerate(case.rows):
            is_torn = _stack(bars, place, row, stages, "critical_s", scale, drawn)
            if not is_torn:
                layout.spread(axes, place, scale.of(np.array([iteration_s(p) for p in row.points])))
            layout.mean_text(axes, place, _time(row, case.row_of(results.baseline), scale))
        bars.limit(seeds)
    words = ["mean"] * (len(results.seeds) > 1)
    words += [f"against {results.baseline}"] * (results.baseline is not None)
    layout.mean_heading(grid[0, 0], ", ".join(words))
    grid[-1, 0].set_xlabel(f"critical path of an iteration [{scale.unit}]{bars.note}")
    handles = _patches(stages, drawn)
    if len(results.seeds) > 1:
        handles.append(layout.seeds_handle())
    _headings(figure, grid, cases, title)
    _keep(figure, cases, {f"{name} on the path": (name, "critical_s") for name in drawn}, scale)
    layout.legend_beside(figure, grid[:, 0], handles)
    return figure


def balance_and_cost(results, title):
    """
    How evenly each policy of experts loads the GPUs, how long they wait for its planning and for
    parameters of experts, and the memory that they need.
    """
    if not any(point.number("expert_max_over_mean") for point in results.points):
        raise Skip("no policy decides anything")
    if style.narrower_than(_THREE_PANELS):
        raise Skip(f"its three panels need a width of {_THREE_PANELS} inches")
    cases = _cases(results)
    types = stage_types(results.points)
    stages = {name: types[name] for name in types if name in OF_EXPERTS}
    waits = _Scale([waiting_s(point) for point in results.points], "s")
    sizes = _Scale([_memory(point) or 0 for point in results.points], "B")
    has_memory = any(_memory(point) for point in results.points)  # a shortened training has none
    labels = [[row.label for row in case.rows] for case in cases]
    figure, grid = layout.bar_panels(labels, 3 if has_memory else 2)
    drawn = {}
    waiting = [mean(row.points, waiting_s) for case in cases for row in case.rows if row.points]
    bars = layout.Bars(grid[0, 1], [waits.of(value) for value in waiting])
    for case, panels in zip(cases, grid):
        bars.axes = panels[1]
        for place, row in enumerate(case.rows):
            _balance(panels[0], place, row, results.schemes)
            _stack(bars, place, row, stages, "exposed_s", waits, drawn)
            layout.mean_text(panels[1], place, waits.text(mean(row.points, waiting_s)))
            if has_memory:
                memory = mean(row.points, _memory)
                panels[2].barh(place, sizes.of(memory or 0), height=0.4, **_MEMORY)
                layout.mean_text(panels[2], place, sizes.text(memory))
        panels[0].axvline(1, zorder=1, **style.BOUND)
        bars.limit([[waits.of(max(map(waiting_s, results.points))) or 1]])
    layout.mean_heading(grid[0, 0], "without → with")
    grid[-1, 0].set_xlabel("load of the busiest GPU\nover the mean")
    what = "waiting for plans and experts'\nparameters in an iteration"
    grid[-1, 1].set_xlabel(f"{what} [{waits.unit}]{bars.note}")
    if has_memory:
        grid[-1, 2].set_xlabel(f"memory of the fullest\nGPU [{sizes.unit}]")
    _headings(figure, grid, cases, title)
    without = Line2D([], [], linestyle="none", label="load without the policy", **_BEFORE)
    handles = [layout.bound_handle("even load"), without, *_patches(stages, drawn)]
    _keep_costs(figure, cases, stages, waits, sizes)
    layout.legend_beside(figure, grid[:, -1], handles)
    return figure


def _keep(figure, cases, parts, scale):
    """
    A row for each bar.

    :param parts: by the name of a column: a stage, and which of its times
    """
    rows = []
    for case in cases:
        for row in case.rows:
            times = [scale.of(iteration_s(point)) for point in row.points]
            own = [
                mean(row.points, lambda point, stage=stage: stage_s(point, *stage)) for stage in parts.values()
            ]
            own = [value if value is None else scale.of(value) for value in own]
            rows.append([case.heading, row.label, *figure_table.of_mean(times), *own, scale.unit])
    columns = ["case", "scheme", *figure_table.OF_A_MEAN, *parts, "unit"]
    figure_table.keep(figure, columns, rows)


def _keep_costs(figure, cases, stages, waits, sizes):
    """A row for each policy in each case: loads, waiting by stages, memory."""
    keys = ("expert_max_over_mean_before", "expert_max_over_mean")
    rows = []
    for case in cases:
        for row in case.rows:
            loads = [mean(row.points, lambda point, key=key: point.number(key)) for key in keys]
            waited = [mean(row.points, lambda p, name=name: stage_s(p, name, "exposed_s")) for name in stages]
            waited = [value if value is None else waits.of(value) for value in waited]
            memory = mean(row.points, _memory)
            memory = memory if memory is None else sizes.of(memory)
            rows.append([case.heading, row.label, *loads, *waited, waits.unit, memory, sizes.unit])
    columns = ["case", "policy", "before", "with", *stages, "unit", "memory", "memory unit"]
    figure_table.keep(figure, columns, rows)


class _Scale:
    """A unit for some values, and as many digits as it takes to tell them apart."""

    def __init__(self, values, base):
        self.unit, self._factor = best_unit(values, base)
        largest = max(values) / self._factor
        self._form = ".1f" if largest >= 100 else ".2f" if largest >= 10 else ".3f"

    def of(self, value):
        return value / self._factor

    def text(self, value):
        """A value with the unit; a dash where there is none."""
        if value is None:
            return "–"
        return f"{self.of(value):{self._form}} {self.unit}" if value else f"0 {self.unit}"


def _cases(results):
    cases = cases_of(results)
    count = sum(len(case.rows) for case in cases)
    if count > _MOST_ROWS:
        raise Skip(f"{count} bars are too many to look at; --where KEY=VALUE chooses some")
    return cases


def _headings(figure, grid, cases, title):
    """The title, and above each panel its case."""
    if len(cases) == 1:
        layout.title(grid[0, 0], title)
        return
    for number, (case, panels) in enumerate(zip(cases, grid)):
        pad = 16 if number == 0 else None  # clear of what heads the means
        panels[0].set_title(case.heading, loc="left", fontsize=style.points(9), pad=pad)
    layout.headline(figure, title)


def _stack(bars, place, row, stages, number, scale, drawn):
    """
    The times of stages of a row, one behind the other; True where the row is torn.

    :param drawn: gets those that took any
    """
    left, is_torn = 0, False
    for name in stages:
        seconds = mean(row.points, lambda point, name=name: stage_s(point, name, number))
        width = scale.of(seconds or 0)
        if width > 0:
            is_torn = bars.draw(place, width, left=left, **style.stage(name, stages)) or is_torn
            drawn[name] = True
        left += width
    return is_torn


def _balance(axes, place, row, schemes):
    """From the largest load without the policy to that with it."""
    before, after = (
        mean(row.points, lambda point, key=key: point.number(key))
        for key in ("expert_max_over_mean_before", "expert_max_over_mean")
    )
    if None in (before, after):
        layout.mean_text(axes, place, "–" if row.points else row.left_out)
        return
    colour, _, marker, _ = style.look(row.scheme, schemes)
    axes.plot([before, after], [place, place], **_CHANGE)
    axes.plot(before, place, linestyle="none", zorder=3, **_BEFORE)
    axes.plot(after, place, linestyle="none", zorder=4, marker=marker, markersize=8, color=colour)
    texts = dict.fromkeys((f"{before:.2f}", f"{after:.2f}"))  # one where they are the same
    layout.mean_text(axes, place, " → ".join(texts))


def _time(row, base, scale):
    """The time of an iteration against that of a base, and what must be known of it."""
    if not row.points:
        return row.left_out
    time = scale.text(mean(row.points, iteration_s))
    against = change(row.points, base.points) if base not in (None, row) else ""
    notes = "; ".join(filter(None, (row.left_out, dropped(row.points))))
    return ", ".join(filter(None, (time, against))) + f"\n({notes})" * bool(notes)


def _memory(point):
    return point.number("memory_bytes")


def _patches(stages, drawn):
    return [Patch(**style.stage(name, stages), label=name) for name in stages if name in drawn]
