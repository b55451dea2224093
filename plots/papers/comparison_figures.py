# SPDX-License-Identifier: GPL-2.0-only
"""Figures of measured values beside published ones. Each function returns a figure."""

import math

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rails.plots import layout, style
from .balancers import look, order

_PAPER = {"color": "#333333", "linestyle": "none", "marker": "D", "markersize": 4.2}
_PAPER.update(markerfacecolor="white", markeredgewidth=1.0, zorder=7, clip_on=False)  # whole at 0
_BOUNDS = {"below": ("v", "paper: below"), "above": ("^", "paper: above"), "range": ("^", "paper: from here on")}
_MEAN_QUEUE = "mean queue, most loaded\nstage [frames]"
_NOTHING = 1e-6  # of the largest: what is less is 0
_SHADES = ("#30475e", "#8fb0cc", "#e0a458", "#8a5a2b")  # of settings


def bars(comparison, figure):
    """A panel per case with two bars per scheme: the paper's, hollow, and ours."""
    cases = comparison.cases
    schemes = max(len(_schemes(comparison.of(case))) for case in cases)
    letters = max(len(row.scheme) for row in comparison.rows)
    size = (2.3 + (3.3 + 0.06 * max(letters, 10)) * len(cases), 1.3 + 0.42 * schemes)
    drawing, grid = style.new_figure(*size, 1, len(cases))
    units = figure.unit.split(" | ")
    for index, (axes, case) in enumerate(zip(grid[0], cases)):
        _bar_panel(axes, comparison.of(case))
        axes.set(xlabel=units[index % len(units)])
        axes.set_title(case, fontsize=8.5, loc="left")
    drawing.suptitle(figure.title, fontsize=9.5)
    handles = [
        Patch(facecolor="white", edgecolor="#555555", linestyle="--", label="paper"),
        Patch(facecolor="#777777", label="ours, mean"),
        layout.seeds_handle(),
    ]
    style.legend(grid[0, -1], 1.16, handles=handles)
    return drawing


def _bar_panel(axes, rows):
    rows = sorted(rows, key=lambda row: order(row.scheme))
    ends = [row.high for row in rows if row.count]
    ends += [row.paper.value for row in rows if row.paper]
    lowest = min([row.mean for row in rows if row.count] + [0])
    positive = [end for end in ends if end > _NOTHING * max(ends)]
    log = len(positive) > 0 and max(positive) > 25 * min(positive) and lowest >= 0
    start = 0.5 * min(positive) if log else 0
    schemes = _schemes(rows)
    for place, row in enumerate(rows):
        colour = look(row.scheme, schemes)[0]
        if row.paper:
            paper = row.paper.value
            outline = {"facecolor": "white", "edgecolor": colour, "linestyle": "--"}
            axes.barh(place - 0.2, paper - start, left=start, height=0.34, linewidth=1, **outline)
            layout.bar_text(axes, place - 0.2, max(paper, start), str(row.paper))
        if row.count:
            mean = max(row.mean, start) if log else row.mean
            axes.barh(place + 0.2, mean - start, left=start, height=0.38, color=colour)
            shown = row.values if not log else row.values[row.values > start]
            lowest = min(lowest, *shown) if len(shown) and not log else lowest
            layout.spread(axes, place + 0.2, shown)
            layout.mean_text(axes, place + 0.2, number(row.mean))
    layout.mean_heading(axes, "mean")
    axes.set_yticks(range(len(rows)), [row.scheme for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    if ends and log:
        axes.set_xlim(start, max(ends) * 3)
        style.plain_log(axes.xaxis)
    elif ends:
        axes.set_xlim(1.1 * min(lowest, *ends, 0), max(max(ends), 1e-9) * 1.25)


def lines(comparison, figure):
    """A panel per case: ours as a line through means and a band, the paper's hollow and dashed."""
    cases = comparison.cases
    drawing, grid = style.new_figure(1.9 + 3.6 * len(cases), 3.4, 1, len(cases))
    schemes = sorted({row.scheme for row in comparison.rows}, key=order)
    for axes, case in zip(grid[0], cases):
        _line_panel(axes, comparison.of(case), schemes)
        axes.set(xlabel=figure.across)
        axes.set_title(case, fontsize=8.5, loc="left")
    grid[0, 0].set_ylabel(figure.unit)
    drawing.suptitle(figure.title, fontsize=9.5)
    handles = [
        Line2D([], [], color=look(name, schemes)[0], marker=look(name, schemes)[2], markersize=4.5, label=name)
        for name in schemes
    ]
    handles += [
        Line2D([], [], color="#555555", label="ours: mean"),
        Patch(facecolor="#555555", alpha=0.2, label=f"ours: lowest to highest {figure.repeated}"),
        Line2D([], [], color="#555555", linestyle=":", **_hollow("s"), label="paper"),
    ]
    for kind, (marker, label) in _BOUNDS.items():
        if any(row.paper and row.paper.kind == kind for row in comparison.rows):
            handles.append(Line2D([], [], color="#555555", linestyle="none", marker=marker, label=label))
    style.legend(grid[0, -1], handles=handles)
    return drawing


def _line_panel(axes, rows, schemes):
    finite = sorted({row.x for row in rows if math.isfinite(row.x)})
    positive = [x for x in finite if x > 0]
    log = len(positive) == len(finite) and max(finite) >= 8 * min(finite)
    far = finite[-1] * (2 if log else 1.2)  # where infinity stands
    place = {x: x if math.isfinite(x) else far for x in {row.x for row in rows}}
    values = []
    for name in schemes:
        colour, _, marker = look(name, schemes)
        own = [row for row in rows if row.scheme == name]
        ours = [row for row in own if row.count]
        if ours:
            x = [place[row.x] for row in ours]
            mean = [row.mean for row in ours]
            low, high = [row.low for row in ours], [row.high for row in ours]
            axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(x, mean, color=colour, marker=marker, markersize=4.5)
            values += mean
        theirs = [row for row in own if row.paper and row.paper.is_value]
        x, paper = [place[row.x] for row in theirs], [row.paper.value for row in theirs]
        axes.plot(x, paper, color=colour, linestyle=":", **_hollow(marker))
        values += paper
        for row in own:
            if row.paper and not row.paper.is_value:
                marked = _BOUNDS.get(row.paper.kind, _BOUNDS["above"])[0]
                axes.plot(place[row.x], row.paper.value, color=colour, marker=marked, alpha=0.7)
    if log:
        axes.set_xscale("log")
        axes.minorticks_off()
    ticks = sorted(place.values())
    names = {place[x]: "∞" if math.isinf(x) else f"{x:g}" for x in place}
    axes.set_xticks(ticks, [names[tick] for tick in ticks])
    positive = [value for value in values if value > 0]
    if positive and max(positive) > 25 * min(positive):
        style.plain_log(axes.yaxis)
    else:
        low, high = min(0, 0, *values), max(0, 0, *values)
        axes.set_ylim(bottom=low - 0.04 * (high - low or 1))  # marks at 0 are whole


def stages(comparison, figure):
    """A panel per case, a group of bars per stage, a bar per scheme; the paper's as diamonds."""
    schemes = _schemes(comparison.rows)
    styles = {name: {"color": look(name, schemes)[0], "label": name} for name in schemes}
    xs = sorted({row.x for row in comparison.rows}, key=figure.words.index)
    return _groups(comparison, figure, xs, schemes, styles, lambda row: (row.x, row.scheme))


def settings(comparison, figure):
    """A panel per case, a group of bars per scheme, a bar per setting; the paper's as diamonds."""
    names = sorted({row.x for row in comparison.rows}, key=figure.words.index)
    styles = {name: {"color": shade, "label": name} for name, shade in zip(names, _SHADES)}
    groups = _schemes(comparison.rows)
    return _groups(comparison, figure, groups, names, styles, lambda row: (row.scheme, row.x))


def _groups(comparison, figure, groups, series, styles, place):
    """Grouped vertical bars, panels one below the other."""
    cases = comparison.cases
    drawing, grid = style.new_figure(8.2, 0.9 + 2.3 * len(cases), len(cases), 1)
    width = 0.8 / len(series)
    for axes, case in zip(grid[:, 0], cases):
        rows = comparison.of(case)
        shown = [group for group in groups if any(place(row)[0] == group for row in rows)]
        tops = []
        for row in rows:
            group, name = place(row)
            middle = shown.index(group) + width * (series.index(name) - (len(series) - 1) / 2)
            if row.count:
                options = {**styles[name], "label": None}
                axes.bar(middle, row.mean, width=0.9 * width, **options)
                axes.plot([middle] * 2, [row.low, row.high], color="black", linewidth=1)
                tops.append(row.mean)
            if row.paper:
                axes.plot(middle, row.paper.value, **_PAPER)
                tops.append(row.paper.value)
        axes.set_xticks(range(len(shown)), shown)
        axes.set_xlim(-0.5, len(shown) - 0.5)
        axes.grid(False, axis="x")
        axes.set_title(case, fontsize=8.5, loc="left")
        positive = [top for top in tops if top > 0]
        if positive and len(positive) == len(tops) and max(positive) > 25 * min(positive):
            style.plain_log(axes.yaxis)
    drawing.supylabel(figure.unit, fontsize=9)
    drawing.suptitle(figure.title, fontsize=9.5)
    handles = [Patch(facecolor=styles[name]["color"], label=name) for name in series]
    handles.append(Line2D([], [], color="black", linewidth=1, label=f"lowest to highest {figure.repeated}"))
    handles.append(Line2D([], [], **_PAPER, label="paper"))
    style.legend(grid[0, 0], handles=handles)
    return drawing


def queue_growth(queues, title):
    """Mean and longest queue against the length of a message, on log-log scales."""
    drawing, grid = style.new_figure(9.2, 5.2, 1, 2, sharex=True)
    names = sorted(queues, key=order)
    panels = (
        (_MEAN_QUEUE, lambda q: (q.means, q.mean_exponent)),
        ("longest queue [frames]", lambda q: (q.longest, q.longest_exponent)),
    )
    for axes, (label, pick) in zip(grid[0], panels):
        for name in names:
            lengths, exponent = pick(queues[name])
            colour, _, marker = look(name)
            _growth_line(axes, lengths, f"{name}: {_exponent(exponent)}", colour, marker)
        _growth_axes(axes, label)
    drawing.suptitle(title, fontsize=9.5)
    return drawing


def simple_rr_growth(queues, title):
    """The mean queue of simple round robin in the details that the paper leaves open."""
    sizes = sorted({place[0] for place in queues}, key=lambda text: (len(text), text))
    drawing, grid = style.new_figure(2 + 3.6 * len(sizes), 4.2, 1, len(sizes), sharey=True)
    for axes, size in zip(grid[0], sizes):
        for place in sorted(place for place in queues if place[0] == size):
            _, counter, jitter = place
            colour = "#882255" if counter == "own" else "#0072B2"
            exponent = _exponent(queues[place].mean_exponent)
            text = f"ACK counter {counter}, jitter {jitter}: {exponent}"
            marker = "o" if jitter == "none" else "^"
            dashes = "-" if jitter == "none" else "--"
            _growth_line(axes, queues[place].means, text, colour, marker, dashes)
        _growth_axes(axes, _MEAN_QUEUE if size == sizes[0] else "")
        axes.set_title(size, fontsize=8.5, loc="left")
    drawing.suptitle(title, fontsize=9.5)
    return drawing


def _growth_line(axes, lengths, text, colour, marker, dashes="-"):
    places = sorted({frames for by_frames in lengths.values() for frames in by_frames})
    found = [[by[frames] for by in lengths.values() if frames in by] for frames in places]
    low, high = [min(values) for values in found], [max(values) for values in found]
    axes.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
    mean = [float(np.mean(values)) for values in found]
    axes.plot(places, mean, dashes, color=colour, marker=marker, markersize=4.5, label=text)


def _growth_axes(axes, label):
    axes.set(xscale="log", yscale="log", xlabel="message [frames]", ylabel=label)
    places = sorted({x for line in axes.get_lines() for x in line.get_xdata()})
    axes.minorticks_off()
    axes.set_xticks(places, [f"{place:g}" for place in places])
    style.plain_log(axes.yaxis)
    axes.legend(
        title="exponent and its 95 % interval over seeds",
        title_fontsize=7.5,
        fontsize=7.5,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.13),
        handlelength=2,
        ncol=1,
    )


def _exponent(exponent):
    return "no fit" if exponent is None else str(exponent)


def _hollow(marker):
    return {"marker": marker, "markersize": 5.5, "markerfacecolor": "white"}


def _schemes(rows):
    return sorted({row.scheme for row in rows}, key=order)


def number(value):
    """Three significant digits, without an exponent."""
    value = float(f"{value:.3g}")
    if value == 0 or not math.isfinite(value):
        return f"{abs(value):g}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 3)}f}"
