# SPDX-License-Identifier: GPL-2.0-only
"""What was run: the section of a report on points, seeds, axes, versions, time and descriptors."""

import json
from datetime import datetime, timezone
from html import escape

from ..reader.versions import version_text
from .html_table import breakable, section


def facts(part, conditions=()):
    """
    The section as HTML.
    :param conditions: what the points were narrowed down by, in words
    """
    return section(
        f"{part.id}facts", part.heading("What was run?"), _list(part, conditions), _descriptors(part)
    )


def _list(part, conditions):
    results, sweeps = part.results, part.sweeps
    points = results.points + results.failed
    engines = sorted({point.engine for point in points})
    found = {
        "Folders": ", ".join(str(folder.path) for folder in part.folders) if part.has_folders else "",
        "Points": _count(part, conditions),
        results.kind.words: ", ".join(results.all_schemes),
        "Seeds": _ranges(sorted({point.seed for point in points})),
        **{axis.key: ", ".join(axis.ticks) for axis in results.axes},
        "Engine": ", ".join(engines) if {*engines} - {*results.kind.engines} else "",
        "Versions": "; ".join(_different(version_text(p.version) for p in points)),
        "Written": _when(points),
        results.kind.took: _wall_time(points),
        "Descriptor": _joined(str(sweep.get("source") or "") for sweep in sweeps),
        "Set on the command line": _joined(" ".join(map(str, s.get("sets") or [])) for s in sweeps),
    }
    rows = (f"<dt>{breakable(k)}</dt><dd>{escape(str(v))}</dd>" for k, v in found.items() if v)
    return f'<dl class="facts">{"".join(rows)}</dl>'


def _count(part, conditions):
    """How many points there are, and how many are missing where their sweeps say so."""
    results = part.results
    unfinished = sum(point.has_result for point in results.failed)
    failed = len(results.failed) - unfinished + len(results.unreadable)
    missing = 0 if conditions else part.missing
    counts = {"did not finish": unfinished, "failed": failed, "not run yet": missing}
    return ", ".join(
        [f"{len(results.points)} done"]
        + [f"{count} {what}" for what, count in counts.items() if count > 0]
    )


def _descriptors(part):
    points = part.results.points + part.results.failed
    found = []
    for folder, sweep in zip(part.folders, part.sweeps):
        if sweep.get("text"):
            of = f" of {folder.path}" if part.has_folders else ""
            found.append((f"The descriptor{of}", str(sweep["text"])))
    if points:
        what = "Effective configuration" + (" of the first point" if len(points) > 1 else "")
        found.append((what, json.dumps(points[0].result["config"], indent=2, ensure_ascii=False)))
    return "\n".join(
        f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"
        for title, text in found
    )


def _joined(texts):
    return "; ".join(dict.fromkeys(filter(None, texts)))


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
