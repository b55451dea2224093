# SPDX-License-Identifier: GPL-2.0-only
"""
The page of a report: everything that it needs is in it, so that it can be sent and kept as one
file. Libraries come from the system's packages when it is written.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

from plotly.offline import get_plotlyjs

from ..errors import ResultError
from ..plain_text import escaped
from ..published import published
from ..reader.result_files import write_at_once
from .html_table import note, section
from .report_answer import answer
from .report_cost import cost
from .report_explain import explain
from .report_facts import facts
from .report_figures import figures
from .report_groups import escape as escape_in_figure
from .report_means import means
from .report_outages import outages
from .report_table import table

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


def write_report(parts, path, conditions=(), costs=None):
    """
    Writes the page.
    :param conditions: what the points were narrowed down by, in words
    :param costs: what tells the costs of fabrics, where they are asked for
    """
    title = ", ".join([_name(parts), *conditions])
    details, data, notes = [], [], []
    for part in parts:
        drawn, left_out = figures(part.groups)
        notes += left_out
        details.append(_details(part, drawn, left_out, conditions))
        data.append(_data(part, drawn))
    said = {
        "title": escape(title),
        "warnings": _warnings(parts, conditions),
        "failed": "\n".join(filter(None, map(_failed, parts))),
        "answers": "\n".join(map(_answer, parts)),
        "costs": "\n".join(cost(part, costs) for part in parts) if costs else "",
        "details": "\n".join(details),
        # No text of a user can end the script that it is in.
        "data": json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"),
    }
    folders = [folder.path for part in parts for folder in part.folders]
    page = Template((_HERE / "report_page.html").read_text(encoding="utf-8")).substitute(
        {key: escaped(published(text, folders)) for key, text in said.items()},
        style=_file("report_page.css"),
        libraries="\n".join(_script(text) for text in _libraries()),
        script=_file("report_page.js"),
    )
    write_at_once(path, page)
    return Written(notes, [line for part in parts for line in part.groups.damaged])


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


def _name(parts):
    """What the folders call themselves, each name once."""
    names = []
    for part in parts:
        for folder, sweep in zip(part.folders, part.sweeps):
            named = [sweep, *(point.result for point in folder.points)]
            names.append(next((str(n["name"]) for n in named if n.get("name")), folder.name))
    return ", ".join(dict.fromkeys(names))


def _warnings(parts, conditions):
    """What is to be known of the folders, and what points were warned of, each thing once."""
    points = [point for part in parts for point in part.results.points + part.results.failed]
    counts = Counter()
    for point in points:
        notes = map(str, point.result.get("notes") or [])
        counts.update({note for note in notes if note.startswith("warning: ")})
    lines = [escape(note) for part in parts for note in part.results.folder.notes]
    missing = 0 if conditions else sum(part.missing for part in parts)
    if missing:
        have = "point has" if missing == 1 else "points have"
        lines.append(f"<strong>{missing} {have} not run yet:</strong> they may change what is said here.")
    lines += [
        f"<strong>{_of(count, len(points))}:</strong> {escape(note)}"
        for note, count in counts.items()
    ]
    return "\n".join(f'<p class="warning" role="status">{line}</p>' for line in lines)


def _failed(part):
    results = part.results
    failed = len(results.failed) + len(results.unreadable)
    if not failed:
        return ""
    total = failed + len(results.points)
    of = f"{escape(part.title)}: " if part.id else ""
    return (
        f'<p class="failures" role="status"><strong>{of}{_of(failed, total)} did not finish or '
        "failed.</strong> "
        f'{"They come" if failed > 1 else "It comes"} first <a href="#{part.id}points-title">in the '
        "table</a>; a row opens to its last lines and the command that repeats it.</p>"
    )


def _of(count, total):
    return "The only point" if total == 1 else f"{count} of {total} points"


def _answer(part):
    return section(f"{part.id}answer", part.heading(part.question), answer(part))


def _details(part, drawn, left_out, conditions):
    """All that stands below the answers on a part."""
    return "\n".join(
        [
            f'<div class="details" id="{part.id}details">',
            _choice(part, drawn),
            *(_figure(part, figure) for figure in drawn),
            *map(note, left_out),
            explain(part),
            outages(part, drawn),
            means(part),
            section(f"{part.id}points", part.heading("Points"), table(part)),
            facts(part, conditions),
            "</div>",
        ]
    )


def _data(part, drawn):
    """What the script needs to know of a part."""
    return {
        "id": part.id,
        "figures": [
            {
                "key": _id(part, f.key),
                "traces": f.traces,
                "layout": f.layout,
                "height": f.height,
                "panels": list(map(escape_in_figure, f.panels)),
            }
            for f in drawn
        ],
        "schemes": part.results.all_schemes,
    }


def _choice(part, drawn):
    """What to show: a value on each axis, and which schemes."""
    groups = part.groups
    if not drawn:
        return ""
    first, found = groups.first_choice(), []
    for axis in groups.axes:
        options = "".join(
            f'<option value="{number}"{" selected" * (number == first[axis.key])}>'
            f"{escape(tick)}</option>"
            for number, tick in enumerate(axis.ticks)
        )
        name = escape(axis.key)
        found.append(f'<label>{name} <select name="{name}">{options}</select></label>')
    boxes = []
    for scheme in groups.schemes:
        look = groups.meta((), scheme)
        boxes.append(
            f'<label><input type="checkbox" value="{escape(scheme)}" checked> '
            f'<i class="swatch" style="--light: {look["light"]}; --dark: {look["dark"]}"></i>'
            f"{escape(scheme)}</label>"
        )
    legend = escape(groups.results.kind.words)
    found.append(f"<fieldset><legend>{legend}</legend>{''.join(boxes)}</fieldset>")
    return (
        f'<form class="choice" id="{part.id}choice" aria-label="What the figures show">'
        f'{"".join(found)}</form>'
    )


def _figure(part, figure):
    key = escape(_id(part, figure.key))
    text = " ".join([figure.text, *figure.notes])
    title = escape(part.heading(figure.title))
    return (
        f'<section aria-labelledby="title-{key}"><h2 id="title-{key}">{title}</h2>'
        f'<figure><figcaption>{escape(text)}</figcaption><div id="figure-{key}" role="img" '
        f'aria-labelledby="title-{key}" style="height: {figure.height}px"></div>'
        f'<p class="nothing" hidden>No result for what is chosen.</p></figure></section>'
    )


def _id(part, key):
    return part.id + re.sub(r"[^\w-]", "-", key)
