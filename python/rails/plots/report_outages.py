# SPDX-License-Identifier: GPL-2.0-only
"""The section of a report on what failed in the fabric: what, when, and what it cost."""

import numpy as np

from ..reader.units import best_unit
from .figure_data import events
from .html_table import MISSING, Cell, axis_cells, html_table, note, section, word
from .shortened_runs import shortened

_MOST_EVENTS = 12  # of a case that are told one by one
_COUNTS = {
    "link_losses": "Frames lost on cables",
    "unroutable_frames": "Frames without a way",
    "retransmitted_frames": "Frames sent again",
    "abandoned_messages": "Messages given up",
}
_TEXT = (
    "Cables, NICs and switches that failed, came back or changed their rate, of the first seed of "
    "each case; and what it cost, mean over the points that finished (lowest to highest)."
)
_FIGURE = "The figure of throughput shows when the payload arrived."


def outages(part, drawn=()):
    """
    The section as HTML; empty where nothing failed.
    :param drawn: the figures of the page
    """
    groups, results = part.groups, part.results
    points = [p for p in results.points + results.failed if events(p)]
    if not points:
        return ""
    return section(
        f"{part.id}outages",
        part.heading("What failed?"),
        note(_TEXT),
        _what_failed(part, points),
        _what_it_cost(part),
        note(_FIGURE) if any(figure.key == "throughput" for figure in drawn) else "",
    )


def _what_failed(part, points):
    axes = [axis for axis in part.groups.axes if not axis.of_scheme]
    cases = {}
    for point in sorted(points, key=lambda point: point.seed):
        cases.setdefault(tuple(point.config.get(axis.key) for axis in axes), point)
    times = [event["at_s"] for point in cases.values() for event in events(point)]
    unit, factor = best_unit(times, "s")
    head = [(axis.key, True) for axis in axes]
    head += [(f"At [{unit}]", True), ("What", False), ("State", False), ("Cables", True)]
    head.append((f"Routing knew at [{unit}]", True))
    cells, rows = axis_cells(axes), []
    for point in cases.values():
        found = events(point)
        known = sorted(point.result["failures"].get("convergences_s") or [])
        for event in found[:_MOST_EVENTS]:
            later = [at for at in known if at >= event["at_s"]]
            rows.append(
                [
                    *cells(point.config),
                    Cell(f"{event['at_s'] / factor:.6g}", event["at_s"]),
                    word(event["what"]),
                    word(event["state"]),
                    Cell(str(event.get("cables", MISSING))),
                    Cell(f"{later[0] / factor:.6g}", later[0]) if later else Cell("never", ""),
                ]
            )
        if len(found) > _MOST_EVENTS:
            more = word(f"and {len(found) - _MOST_EVENTS} more")
            blank = [Cell("", ""), more, word(""), Cell("", ""), Cell("", "")]
            rows.append([*cells(point.config), *blank])
    return html_table(f"{part.id}events", "What failed", head, rows, shortened(points))


def _what_it_cost(part):
    groups = part.groups
    head = [(groups.results.kind.word, False)] + [(axis.key, True) for axis in groups.axes]
    # Some engines count none of them.
    everything = [point for points in groups.of.values() for point in points]
    known = [key for key in _COUNTS if any(p.number(key) is not None for p in everything)]
    head += [(_COUNTS[key], True) for key in known]
    cells, rows = axis_cells(groups.axes), []
    for scheme, place in groups.in_order(groups.of):
        points = groups.of[scheme, place]
        row = [word(scheme), *cells(groups.config_of(place))]
        rows.append(row + [_mean([point.number(key) for point in points]) for key in known])
    if not rows:
        return ""
    remark = shortened(everything)
    return html_table(f"{part.id}losses", "What failures cost", head, rows, remark)


def _mean(values):
    values = np.array([value for value in values if value is not None], dtype=float)
    if not len(values):
        return Cell(MISSING, "")
    text = f"{values.mean():,.4g}" if values.mean() < 1e4 else f"{values.mean():,.0f}"
    if np.ptp(values) > 0:
        text += f" ({values.min():,.0f} to {values.max():,.0f})"
    return Cell(text, float(values.mean()))
