# SPDX-License-Identifier: GPL-2.0-only
"""What computed results: the versions of the module, of ns-3, of the program and its libraries."""

from collections import Counter

_SHOWN = 12  # digits of a SHA-256 that tell builds apart
_NAMES = {"module": "rails", "ns3": "ns-3", "program": "program"}


def version_text(version):
    """The versions of a point in one line."""
    names = {"module": "rails {}", "ns3": "ns-3 {}", "compiler": "{}", "build": "{} build"}
    known = [form.format(version[key]) for key, form in names.items() if version.get(key)]
    libraries = version.get("libraries") or {}
    return ", ".join(known + [f"{n} {sha[:_SHOWN]}" for n, sha in libraries.items()])


def mixture(points):
    """
    A line for each part of what computed them in which points differ: which there are, and how many
    points each has. A point that does not tell a part is not counted.
    """
    lines = []
    for part in _parts(points):
        counts = Counter(text for text in (_part(point, part) for point in points) if text)
        if len(counts) > 1:
            found = ", ".join(f"{text} ({_points(n)})" for text, n in counts.most_common())
            lines.append(f"{part} {found}")
    return lines


def difference(names, sides):
    """
    A line for each part in which two groups of points differ, with the names of the groups.
    """
    lines = []
    for part in _parts([point for side in sides for point in side]):
        texts = [sorted({_part(point, part) or "unknown" for point in side}) for side in sides]
        if texts[0] != texts[1]:
            there = (f"{', '.join(text)} in {name}" for text, name in zip(texts, names))
            lines.append(f"{part} {'; '.join(there)}")
    return lines


def _parts(points):
    """Names of what can differ; libraries after the program."""
    found = set()
    for point in points:
        found |= (point.version.get("libraries") or {}).keys()
    return [*_NAMES.values(), *sorted(f"library {name}" for name in found)]


def _part(point, part):
    if part.startswith("library "):
        libraries = point.version.get("libraries")
        return (libraries or {}).get(part.removeprefix("library "), "")[:_SHOWN]
    key = next(key for key, name in _NAMES.items() if name == part)
    return str(point.version.get(key) or "")[:_SHOWN]


def _points(count):
    return f"{count} point{'s' * (count > 1)}"
