# SPDX-License-Identifier: GPL-2.0-only
"""Predicted over measured steps by study, the null model beside them."""

from __future__ import annotations

from matplotlib.lines import Line2D

from rails.plots import style

from .communication import error_of
from .comparison import NEAR, predictions_of

_OURS = {"color": "#D55E00", "marker": "o", "markersize": 4.5, "linestyle": "none", "markeredgewidth": 0}
_NULL = {
    "color": "#333333",
    "marker": "D",
    "markersize": 3.6,
    "linestyle": "none",
    "markerfacecolor": "white",
    "markeredgewidth": 0.8,
}


def ratio_figure(outcomes, anchors):
    """A line of dots for each study: what was predicted over what was measured."""
    predictions = predictions_of(outcomes, anchors)
    ours = [(p.row.study, p.step_s / p.row.step_s) for p in predictions]
    null = [(p.row.study, p.null_s / p.row.step_s) for p in predictions]
    drawing, axes = _studies(ours, [(_OURS, ours, -0.17), (_NULL, null, 0.17)])
    axes.set_xlabel("predicted over measured step")
    handles = [
        Line2D([], [], **_OURS, label="predicted"),
        Line2D([], [], **_NULL, label="null: constant operations a second"),
    ]
    style.legend(axes, handles=handles)
    return drawing


def exchange_figure(values):
    """The same of exchanges, by the time they take."""
    ours = [(row.study, 1 + error_of(row, value)) for row, value, _ in values if value is not None]
    drawing, axes = _studies(ours, [(_OURS, ours, 0)])
    axes.set_xlabel("predicted over measured time of an exchange")
    return drawing


def _studies(counted, kinds):
    studies = list(dict.fromkeys(study for study, _ in counted))
    drawing, grid = style.new_figure(7.2, 1.4 + 0.62 * len(studies), 1, 1)
    axes = grid[0, 0]
    axes.axvspan(1 - NEAR, 1 + NEAR, color="#dddddd", alpha=0.5, linewidth=0)
    axes.axvline(1, **style.BOUND)
    for place, study in enumerate(studies):
        for look, ratios, aside in kinds:
            _dots(axes, place + aside, [ratio for name, ratio in ratios if name == study], look)
    names = [f"{study} ({sum(name == study for name, _ in counted)})" for study in studies]
    axes.set_yticks(range(len(studies)), names)
    axes.set_ylim(len(studies) - 0.5, -0.5)
    axes.set_xscale("log")
    style.plain_log(axes.xaxis)
    axes.grid(False, axis="y")
    return drawing, axes


def _dots(axes, place, ratios, look):
    """Dots that would hide each other step aside."""
    tracks = []  # the last dot of each, from the middle outwards
    for ratio in sorted(ratios):
        offset = next((track for track, last in enumerate(tracks) if ratio / last >= 1.012), len(tracks))
        tracks[offset : offset + 1] = [ratio]
        axes.plot(ratio, place + 0.05 * (-1) ** offset * ((offset + 1) // 2), **look)
