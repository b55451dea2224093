# SPDX-License-Identifier: GPL-2.0-only
"""What computed results: the versions of the module, of ns-3, of the program and its libraries."""

import re
from collections import Counter

_SHOWN = 12  # digits of a SHA-256 that tell builds apart
_NAMES = {"module": "rails", "ns3": "ns-3", "program": "program"}
_DIGEST = "[0-9a-f]{8,}"  # in the name of a file
_NAMELESS = "a library of components"


def version_text(version):
    """The versions of a point in one line."""
    names = {"module": "rails {}", "ns3": "ns-3 {}", "compiler": "{}", "build": "{} build"}
    known = [form.format(version[key]) for key, form in names.items() if version.get(key)]
    return ", ".join(known + [f"{name} {sha}" for name, sha in _libraries(version)])


def mixture(points):
    """
    A line for each part of what computed them in which points differ: which there are, and how many
    points each has. A point that does not tell a part is not counted.
    """
    lines = []
    for part in _parts(points):
        counts = Counter(_texts(points, part))
        if len(counts) > 1:
            found = ", ".join(f"{text} ({_points(n)})" for text, n in counts.most_common())
            lines.append(f"{part} {found}")
    return lines + _mixed_libraries(points)


def difference(names, sides):
    """
    A line for each part in which two groups of points differ, with the names of the groups.
    """
    lines = []
    for part in _NAMES.values():
        texts = [{_part(point, part) or "unknown" for point in side} for side in sides]
        lines += _differing(part, names, texts)
    found = [{pair for point in side for pair in _libraries(point.version)} for side in sides]
    if {sha for _, sha in found[0]} != {sha for _, sha in found[1]}:
        for name in sorted({name for side in found for name, _ in side}):
            texts = [{sha for other, sha in side if other == name} or {"none"} for side in found]
            lines += _differing(name, names, texts)
    return lines


def _differing(part, names, texts):
    """A line, if two sets of texts differ."""
    there = (f"{', '.join(sorted(text))} in {name}" for text, name in zip(texts, names))
    return [f"{part} {'; '.join(there)}"] if texts[0] != texts[1] else []


def _parts(points):
    """Names of what can differ; libraries that have a name of their own after the program."""
    found = {name for point in points for name, _ in _libraries(point.version)}
    return [*_NAMES.values(), *sorted(found - {_NAMELESS})]


def _part(point, part):
    key = next((key for key, name in _NAMES.items() if name == part), None)
    if key is None:
        return ", ".join(sha for name, sha in _libraries(point.version) if name == part)
    return str(point.version.get(key) or "")[:_SHOWN]


def _libraries(version):
    """
    Name and digest of each library. What only makes the name of a file unlike others is left out.
    """
    found = []
    for name, sha in (version.get("libraries") or {}).items():
        stem = re.sub(rf"(^|-){_DIGEST}(\.so)?$", "", name)
        found.append((f"library {stem}" if stem else _NAMELESS, sha[:_SHOWN]))
    return sorted(found)


def _mixed_libraries(points):
    """
    A line, if points of the same components have libraries of other contents, be it under names
    that say nothing. Points of other components come from other libraries rightly.
    """
    known = {part for part in _parts(points) if len(set(_texts(points, part))) > 1}
    groups = {}
    for point in points:
        rest = [pair for pair in _libraries(point.version) if pair[0] not in known]
        if rest:
            by_content = groups.setdefault(_components(point), {})
            by_content.setdefault(frozenset(sha for _, sha in rest), []).append(rest)
    counts = Counter()
    for by_content in groups.values():
        for same in by_content.values() if len(by_content) > 1 else ():
            counts[" and ".join(f"{name} {sha}" for name, sha in same[0])] += len(same)
    found = (f"{text} ({_points(n)})" for text, n in counts.most_common())
    return [", ".join(found)] if counts else []


def _components(point):
    """What decides which libraries a point needs: its types, and lists, which may have some."""
    return frozenset(
        (key, str(value))
        for key, value in point.config.items()
        if key.endswith("type") or str(value).startswith("[")
    )


def _texts(points, part):
    return [text for text in (_part(point, part) for point in points) if text]


def _points(count):
    return f"{count} point{'s' * (count > 1)}"
