# SPDX-License-Identifier: GPL-2.0-only
"""Which optical circuits a region has when, and how much goes over them."""

from collections import namedtuple

from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from ..reader.units import best_unit
from . import figure_table, layout, style
from .layout import Skip

_MOST_PANELS = 4
_DARK = {"facecolor": "#f2f2f2", "edgecolor": "#bbbbbb", "hatch": "////", "linewidth": 0}

Span = namedtuple("Span", "start end pair circuits rate dark")  # seconds, servers, bytes per second


def circuits(results, title):
    """
    The circuits of the first region over time, a row for each pair of servers: how much a circuit
    carries in its time, and when pairs are dark. Of the first seed, for each scheme up to four.
    """
    panels = {}
    for scheme in results.schemes[:_MOST_PANELS]:
        point = results.of(scheme)[0]
        if has_circuits(point):
            panels[scheme] = _spans(point)
    panels = {scheme: spans for scheme, spans in panels.items() if spans}
    if not panels:
        raise Skip("there are no circuits")
    longest = max(span.end for spans in panels.values() for span in spans)
    time_unit, time_factor = best_unit([longest], "s")
    largest = max(span.rate for spans in panels.values() for span in spans)
    unit, factor = best_unit([largest], "B")
    pairs = {scheme: sorted({span.pair for span in spans}) for scheme, spans in panels.items()}
    heights = [0.17 * len(pairs[scheme]) + 0.45 for scheme in panels]
    figure, grid = style.new_figure(
        6.8, sum(heights) + 0.8, len(panels), 1, sharex=True,
        gridspec_kw={"height_ratios": heights},
    )
    colours = ScalarMappable(Normalize(0, max(largest, 1) / factor), "cividis_r")
    for axes, (scheme, spans) in zip(grid[:, 0], panels.items()):
        rows = {pair: row for row, pair in enumerate(pairs[scheme])}
        for span in spans:
            row, height = rows[span.pair], 0.8
            if span.dark > 0:
                dark = span.dark / time_factor
                axes.barh(row, dark, height, span.start / time_factor - dark, **_DARK)
            axes.barh(
                row,
                (span.end - span.start) / time_factor,
                height,
                span.start / time_factor,
                color=colours.to_rgba(span.rate / factor),
                linewidth=0,
            )
            if span.circuits > 1:
                middle = (span.start + span.end) / 2 / time_factor
                if (span.end - span.start) * 25 > longest:
                    axes.text(middle, row, str(span.circuits), ha="center", va="center",
                              fontsize=style.points(6.5), color="black")
        axes.set_yticks(range(len(rows)), [f"{one} – {other}" for one, other in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0, labelsize=style.points(7))
        axes.grid(False, axis="y")
        if len(panels) > 1:
            axes.set_title(scheme, loc="left", fontsize=style.points(8.5))
    grid[-1, 0].set_xlim(0, longest / time_factor)
    text = f"time [{time_unit}] (hatched: dark; a number: circuits side by side)"
    grid[-1, 0].set_xlabel(style.wrapped(text, 60))
    bar = figure.colorbar(colours, ax=grid[:, 0].tolist(), fraction=0.04, pad=0.02)
    bar.set_label(style.wrapped(f"payload by a circuit [{unit}/s]"), fontsize=style.points(8))
    rows = [
        [scheme, *span.pair, span.start / time_factor, span.end / time_factor, span.circuits,
         span.rate / factor, span.dark / time_factor]
        for scheme, spans in panels.items()
        for span in spans
    ]
    columns = ["scheme", "server", "other", f"start:{time_unit}", f"end:{time_unit}", "circuits"]
    figure_table.keep(figure, [*columns, f"rate:{unit}/s", f"dark:{time_unit}"], rows)
    layout.headline(figure, title, "circuits of region 0, by servers")
    return figure


def has_circuits(point):
    """Whether a run wrote down circuits."""
    return any(entry["file"] == "circuits.csv" for entry in point.result.get("artefacts") or [])


def _spans(point):
    table = point.circuits()
    chosen = table["region"] == 0
    columns = ("start_s", "end_s", "server_a", "server_b", "circuits", "bytes", "dark_s")
    spans = []
    for start, end, one, other, count, carried, dark in zip(*(table[c][chosen] for c in columns)):
        time = end - start
        rate = carried / count / time if time > 0 else 0
        spans.append(Span(start, end, (int(one), int(other)), int(count), rate, dark))
    return spans
