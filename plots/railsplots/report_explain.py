# SPDX-License-Identifier: GPL-2.0-only
"""
The section of a report that says why points are slower than their bound, from what a run found out
about itself (`explain` in result.json).
"""

from html import escape

from .html_table import html_table, note, number, section, word
from .results import describe
from .shortened_runs import shortened

_TEXT = (
    "Completion time over the bound as a product: plan (what was put on each NIC), routes (what "
    "hashing or spraying put on each cable), repeats (ACKs and what was sent again), outages "
    "(cables down or slower), waiting (all that is left: rate control, pauses, order). The bars "
    "show how the NIC and the cable that finished last spent their time."
)


def explain(part):
    """The section as HTML; empty where no result has the key."""
    results = part.results
    points = [point for point in results.points if point.result.get("explain")]
    if not points:
        return ""
    # All results name the same factors and states, in the order in which they are shown.
    factors = points[0].result["explain"]["factors"]
    head = [("Point, and what finished last in it", False)]
    head += [(name.capitalize(), True) for name in factors] + [("Over bound", True)]
    rows = [_row(point, factors, results.axes) for point in points]
    return section(
        f"{part.id}explain",
        part.heading("Why is it this slow?"),
        note(_TEXT),
        _legend(points),
        html_table(
            f"{part.id}explain", "Factors and shares of time", head, rows, shortened(points)
        ),
        *(note(line) for line in _what_is_missing(results, points)),
    )


def _row(point, factors, axes):
    found = point.result["explain"]
    return [
        _name_and_last(describe(point.place(axes), axes), found),
        *(number(found["factors"].get(name), ".3f") for name in factors),
        number(point.result.get("cct_over_bound"), ".3f"),
    ]


def _name_and_last(name, found):
    """A point, its sentence, and the bars of the NIC and the cable that finished last."""
    lines = [f"<strong>{escape(name)}</strong>"]
    if found.get("sentence"):
        lines.append(escape(found["sentence"]))
    lines += [_bar(found[what]) for what in ("nic", "cable") if found.get(what)]
    return word(name, markup=f'<div class="last">{"<br>".join(lines)}</div>')


def _bar(port):
    """The shares of a port's time, one beside the other."""
    known = {key: share for key, share in port.items() if key != "name" and share}
    words = escape(", ".join(f"{_words(key)} {share:.0%}" for key, share in known.items()))
    parts = "".join(
        f'<i class="{escape(key)}" style="width: {100 * share:.2f}%"></i>' for key, share in known.items()
    )
    bar = f'<span class="shares" role="img" title="{words}" aria-label="{words}">{parts}</span>'
    return f"{bar} {escape(port['name'])}"


def _legend(points):
    """What the colours of the bars mean; empty where no point has bars."""
    ports = (point.result["explain"].get(what) for point in points for what in ("nic", "cable"))
    shares = {key: None for port in filter(None, ports) for key, share in port.items() if share is not None}
    keys = (key for key in shares if key != "name")
    entries = "".join(f'<span><i class="{escape(key)}"></i>{escape(_words(key))}</span>' for key in keys)
    return f'<p class="legend">{entries}</p>' if entries else ""


def _words(key):
    return key.replace("_", " ")


def _what_is_missing(results, points):
    short = sum(p.result["explain"]["factors"].get("routes") is None for p in points)
    if short:
        yield (
            f"{short} of {len(points)} points know their plan only; run them with "
            "--set record.explain=true for the other factors, the bars and the sentence."
        )
    unfinished = sum(not point.finished for point in results.failed)
    if unfinished:
        yield f"{unfinished} point{'s' * (unfinished > 1)} did not finish: nothing to explain."
