# SPDX-License-Identifier: GPL-2.0-only
"""Predicted over measured steps by study, the null model beside them."""

from __future__ import annotations

from matplotlib.lines import Line2D

from rails.plots import style

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
    studies = list(dict.fromkeys(prediction.row.study for prediction in predictions))
    drawing, grid = style.new_figure(7.2, 1.4 + 0.62 * len(studies), 1, 1)
    axes = grid[0, 0]
    axes.axvspan(1 - NEAR, 1 + NEAR, color="#dddddd", alpha=0.5, linewidth=0)
    axes.axvline(1, **style.BOUND)
    for place, study in enumerate(studies):
        members = [prediction for prediction in predictions if prediction.row.study == study]
        _dots(axes, place - 0.17, [p.step_s / p.row.step_s for p in members], _OURS)
        _dots(axes, place + 0.17, [p.null_s / p.row.step_s for p in members], _NULL)
    counts = {study: sum(p.row.study == study for p in predictions) for study in studies}
    axes.set_yticks(range(len(studies)), [f"{study} ({counts[study]})" for study in studies])
    axes.set_ylim(len(studies) - 0.5, -0.5)
    axes.set_xscale("log")
    style.plain_log(axes.xaxis)
    axes.set_xlabel("predicted over measured step")
    axes.grid(False, axis="y")
    handles = [
        Line2D([], [], **_OURS, label="predicted"),
        Line2D([], [], **_NULL, label="null: constant operations a second"),
    ]
    style.legend(axes, handles=handles)
    return drawing


def _dots(axes, place, ratios, look):
    """Dots that would hide each other step aside."""
    last, offset = None, 0
    for ratio in sorted(ratios):
        offset = offset + 1 if last is not None and ratio / last < 1.012 else 0
        last = ratio
        axes.plot(ratio, place + 0.05 * (-1) ** offset * ((offset + 1) // 2), **look)
