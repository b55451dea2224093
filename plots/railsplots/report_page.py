# SPDX-License-Identifier: GPL-2.0-only
"""
The page of a report: everything that it needs is in it, so that it can be sent and kept as one
file. Libraries come from the system's packages when it is written.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timezone
from html import escape
from pathlib import Path
from string import Template

from plotly.offline import get_plotlyjs

from .html_table import breakable, note
from .report_explain import explain
from .report_figures import Groups, figures
from .report_means import means
from .report_outages import outages
from .report_table import table
from .errors import ResultError
from .result_files import write_at_once
from .result_folder import read_sweep
from .versions import version_text

_JAVASCRIPT = Path("/usr/share/javascript")
_LIBRARIES = {  # file: Debian package; the second needs the first
    "jquery/jquery.min.js": "libjs-jquery",
    "jquery-datatables/jquery.dataTables.min.js": "libjs-jquery-datatables",
}
_HERE = Path(__file__).parent


@dataclass
class Written:
    """What is to be said of a page, in lines for people."""

    notes: list  # which figures were left out, and why
    damaged: list  # files that cannot be read


def write_report(results, path, conditions=()):
    """
    Writes the page.
    :param conditions: what the results were narrowed down by, in words
    """
    folder = results.folder.path
    sweep = read_sweep(folder)
    groups = Groups(results)
    drawn, notes = figures(groups)
    title = ", ".join([_name(results, sweep, folder), *conditions])
    data = {
        "figures": [
            {
                "key": _id(f.key),
                "traces": f.traces,
                "layout": f.layout,
                "height": f.height,
                "narrow": f.narrow,
            }
            for f in drawn
        ],
        "schemes": results.all_schemes,
    }
    page = Template((_HERE / "report_page.html").read_text(encoding="utf-8")).substitute(
        title=escape(title),
        style=_file("report_page.css"),
        warnings=_warnings(results),
        failed=_failed(results),
        facts=_facts(results, sweep if not conditions else {**sweep, "points": 0}),
        descriptor=_descriptor(results, sweep),
        choice=_choice(groups, drawn),
        figures="\n".join([_figure(figure) for figure in drawn] + list(map(note, notes))),
        explain=explain(results),
        outages=outages(groups, drawn),
        means=means(groups),
        table=f'<div class="table">{table(results, folder)}</div>',
        # No text of a user can end the script that it is in.
        data=json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"),
        libraries="\n".join(_script(text) for text in _libraries()),
        script=_file("report_page.js"),
    )
    write_at_once(path, page)
    return Written(notes, groups.damaged)


def _libraries():
    texts = [get_plotlyjs()]
    for name, package in _LIBRARIES.items():
        path = _JAVASCRIPT / name
        if not path.exists():
            raise ResultError(path, f"no such file; please install {package}")
        texts.append(path.read_text(encoding="utf-8"))
    return texts


def _script(text):
    return "<script>" + re.sub("</(script)", r"<\\/\1", text, flags=re.IGNORECASE) + "</script>"


def _file(name):
    return (_HERE / name).read_text(encoding="utf-8")


def _name(results, sweep, folder):
    named = [sweep, *(point.result for point in results.points + results.failed)]
    return next((str(n["name"]) for n in named if n.get("name")), Path(folder).resolve().name)


def _warnings(results):
    """What is to be known of the folder, and what its points were warned of, each thing once."""
    points = results.points + results.failed
    counts = Counter()
    for point in points:
        notes = map(str, point.result.get("notes") or [])
        counts.update({note for note in notes if note.startswith("warning: ")})
    lines = [escape(note) for note in results.folder.notes]
    lines += [
        f"<strong>{_of(count, len(points))}:</strong> {escape(note)}"
        for note, count in counts.items()
    ]
    return "\n".join(f'<p class="warning" role="status">{line}</p>' for line in lines)


def _failed(results):
    failed = len(results.failed) + len(results.unreadable)
    if not failed:
        return ""
    total = failed + len(results.points)
    return (
        f'<p class="failures" role="status"><strong>{_of(failed, total)} did not finish or '
        "failed.</strong> "
        f'{"They come" if failed > 1 else "It comes"} first <a href="#points-title">in the table'
        "</a>; a row opens to its last lines and the command that repeats it.</p>"
    )


def _of(count, total):
    return "The only point" if total == 1 else f"{count} of {total} points"


def _facts(results, sweep):
    points = results.points + results.failed
    unfinished = sum(point.has_result for point in results.failed)
    failed = len(results.failed) - unfinished + len(results.unreadable)
    missing = sweep.get("points", 0) - len(results.points) - unfinished - failed
    versions = _different(version_text(p.version) for p in points)
    engines = sorted({point.engine for point in points})
    counts = {"did not finish": unfinished, "failed": failed, "not run yet": missing}
    facts = {
        "Points": ", ".join(
            [f"{len(results.points)} done"]
            + [f"{count} {what}" for what, count in counts.items() if count > 0]
        ),
        results.kind.words: ", ".join(results.all_schemes),
        "Seeds": _ranges(sorted({point.seed for point in points})),
        **{axis.key: ", ".join(axis.ticks) for axis in results.axes},
        "Engine": ", ".join(engines) if {*engines} - {*results.kind.engines} else "",
        "Versions": "; ".join(versions),
        "Written": _when(points),
        results.kind.took: _wall_time(points),
        "Descriptor": sweep.get("source", ""),
        "Set on the command line": " ".join(map(str, sweep.get("sets") or [])),
    }
    rows = (f"<dt>{breakable(k)}</dt><dd>{escape(str(v))}</dd>" for k, v in facts.items() if v)
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _descriptor(results, sweep):
    points = results.points + results.failed
    parts = []
    if sweep.get("text"):
        parts.append(("The descriptor", str(sweep["text"])))
    if points:
        what = "Effective configuration" + (" of the first point" if len(points) > 1 else "")
        parts.append((what, json.dumps(points[0].result["config"], indent=2, ensure_ascii=False)))
    return "\n".join(
        f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"
        for title, text in parts
    )


def _choice(groups, drawn):
    """What to show: a value on each axis, and which schemes."""
    if not drawn:
        return ""
    first, parts = groups.first_choice(), []
    for axis in groups.axes:
        options = "".join(
            f'<option value="{number}"{" selected" * (number == first[axis.key])}>'
            f"{escape(tick)}</option>"
            for number, tick in enumerate(axis.ticks)
        )
        name = escape(axis.key)
        parts.append(f'<label>{name} <select name="{name}">{options}</select></label>')
    boxes = []
    for scheme in groups.schemes:
        look = groups.meta((), scheme)
        boxes.append(
            f'<label><input type="checkbox" value="{escape(scheme)}" checked> '
            f'<span class="swatch" data-light="{look["light"]}" data-dark="{look["dark"]}"></span>'
            f"{escape(scheme)}</label>"
        )
    parts.append(f"<fieldset><legend>{escape(groups.results.kind.words)}</legend>{''.join(boxes)}</fieldset>")
    return f'<form id="choice" aria-label="What the figures show">{"".join(parts)}</form>'


def _figure(figure):
    key = escape(_id(figure.key))
    text = " ".join([figure.text, *figure.notes])
    return (
        f'<section aria-labelledby="title-{key}"><h2 id="title-{key}">{escape(figure.title)}</h2>'
        f'<figure><figcaption>{escape(text)}</figcaption><div id="figure-{key}" role="img" '
        f'aria-labelledby="title-{key}" style="height: {figure.height}px"></div></figure></section>'
    )


def _id(key):
    return re.sub(r"[^\w-]", "-", key)


def _different(texts):
    """Each text once, without those that are but the beginning of another."""
    texts = list(dict.fromkeys(text for text in texts if text))
    return [t for t in texts if not any(o != t and o.startswith(t) for o in texts)]


def _ranges(numbers):
    """1, 2, 3, 7 as "1 to 3, 7"."""
    ranges = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    words = {0: "{0}", 1: "{0}, {1}"}
    return ", ".join(words.get(b - a, "{0} to {1}").format(a, b) for a, b in ranges)


def _when(points):
    """When the files of points were written."""
    names = ("result.json", "failure.json")
    files = [point.folder / name for point in points for name in names]
    times = sorted(path.stat().st_mtime for path in files if path.exists())
    if not times:
        return ""
    ends = [datetime.fromtimestamp(time, timezone.utc) for time in (times[0], times[-1])]
    first, last = (f"{end:%Y-%m-%d %H:%M}" for end in ends)
    return f"{first} UTC" if first == last else f"{first} to {last} UTC"


def _wall_time(points):
    seconds = sum(point.result.get("wall_s") or 0 for point in points)
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit} of one core"
    return f"{seconds:.1f} s of one core"
