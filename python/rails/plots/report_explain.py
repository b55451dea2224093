# SPDX-License-Identifier: GPL-2.0-only
"""
The section of a report that says why points are slower than their bound, from what a run found out
about itself (`explain` in result.json).
"""

from html import escape
from math import prod

from .html_table import html_table, note, number, section, word
from .results import describe
from .shortened_runs import shortened

_TEXT = (
    "Completion time over the bound as a product: plan (what was put on each NIC), routes (what "
    "hashing or spraying put on each cable), repeats (ACKs and what was sent again), outages "
    "(cables down or slower), waiting (all that is left: congestion control, pauses, order). The bars "
    "show how the NIC and the cable that finished last spent their time."
)
_PATH = (
    "Of iterations: the time of the critical path over what it would be with every transfer on it at "
    "its best, in the same chain, and below it each kind of transfer."
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
    head += [(name.capitalize(), True) for name in factors]
    paths = [point for point in points if "kinds" in point.result["explain"]]
    head += [("Over best" if paths else "Over bound", True)]
    rows = [row for point in points for row in _rows(point, factors, results.axes)]
    return section(
        f"{part.id}explain",
        part.heading("Why is it this slow?"),
        *(note(text) for text in [_TEXT] * (len(paths) < len(points)) + [_PATH] * bool(paths)),
        _legend(points),
        html_table(
            f"{part.id}explain", "Factors and shares of time", head, rows, shortened(points)
        ),
        *(note(line) for line in _what_is_missing(results, points)),
    )


def _rows(point, factors, axes):
    """A row of a point, and one of each kind of transfer on its critical path."""
    found = point.result["explain"]
    name = describe(point.place(axes), axes)
    whole = point.result.get("cct_over_bound")
    if "kinds" in found:
        whole = _product(found["factors"])
    chains = [(_name_and_last(name, found), found["factors"], whole)]
    chains += [
        (word(f"{name}: {kind['name']}"), kind["factors"], _product(kind["factors"]))
        for kind in found.get("kinds", [])
    ]
    return [
        [title, *(number(chain.get(factor), ".3f") for factor in factors), number(product, ".3f")]
        for title, chain, product in chains
    ]


def _product(factors):
    known = [factor for factor in factors.values() if factor is not None]
    return prod(known) if known else None


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
