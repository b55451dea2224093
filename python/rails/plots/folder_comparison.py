# SPDX-License-Identifier: GPL-2.0-only
"""
Two result folders point by point. Points of the same effective configuration belong together,
seed and name aside, and aside from keys in which the folders have no value in common.
"""

from dataclasses import dataclass, field
from pathlib import Path

from ..errors import ResultError
from ..reader.versions import difference
from .pairs import (
    NOT_COMPARED,
    count_unfinished,
    differing_keys,
    judge,
    label_of,
    make_pair,
    metric_of,
    normal,
    place_of,
    seeds_text,
    unfinished,
    what_does_not_compare,
    what_hashing_decides,
    what_is_lacking,
)
from .results import find_axes, tell_schemes_apart


@dataclass
class FolderComparison:
    """What compare_folders() found."""

    names: tuple  # of both folders, different ones
    metric: str
    alpha: float
    pairs: list  # those that differ by more than their spread first
    only_in_a: list  # labels, with seeds
    only_in_b: list
    failed_a: list  # a line each
    failed_b: list
    keys: dict  # by key in which the folders differ everywhere: values in A, and in B
    notes: list = field(default_factory=list)  # lines on what computed the results


def compare_folders(folder_a, folder_b, metric=None, alpha=0.05):
    """
    Compares two ResultFolders; ResultError when nothing can be compared.
    :param metric: by default that of the kind of the points
    """
    folders, names = (folder_a, folder_b), tell_apart(folder_a, folder_b)
    sides = [[point for point in folder.points if point.finished] for folder in folders]
    for folder, good in zip(folders, sides):
        if not good:
            raise folder.nothing()
    kind = folder_a.kind
    if folder_b.kind is not kind:
        reason = f"holds {folder_b.kind.names}, {folder_a.path} {kind.names}"
        raise ResultError(folder_b.path, f"{reason}; expected results of one kind")
    everything = folder_a.points + folder_b.points
    tell_schemes_apart(everything)
    metric = metric or metric_of(kind, everything)
    keys = differing_keys(*sides)
    axes = [axis for axis in find_axes(everything) if axis.key not in keys]
    groups = [_group(folder.path, points, keys) for folder, points in zip(folders, sides)]
    shared = [place for place in groups[0] if place in groups[1]]
    if not shared:
        raise ResultError(
            folder_b.path,
            f"no point has the configuration of a point of {folder_a.path}; expected results of "
            "the same experiment" + describe_nearest(*sides),
        )
    pairs = []
    for place, label in zip(shared, _labels(shared, groups, axes)):
        a, b = (group[place] for group in groups)
        pairs.append(make_pair(label, a, b, metric, alpha))
    count_unfinished(pairs, folder_a.points, folder_b.points)
    only = [
        sorted(
            f"{label_of(next(iter(group.values())), axes)}, {seeds_text(group)}"
            for place, group in mine.items()
            if place not in other
        )
        for mine, other in (groups, groups[::-1])
    ]
    failed = [unfinished(folder, axes) for folder in folders]
    notes = [f"{name}: {note}" for name, f in zip(names, folders) for note in f.notes]
    notes += [f"computed by different versions: {d}" for d in difference(names, sides)]
    notes += _engines(names, groups, shared) + what_is_lacking(pairs, metric)
    notes += what_does_not_compare(pairs, metric)
    notes += what_hashing_decides(dict(zip(names, sides)))
    return FolderComparison(names, metric, alpha, judge(pairs), *only, *failed, keys, notes)


def _engines(names, groups, shared):
    """A line where the points that are compared were simulated by different engines."""
    engines = [
        sorted({point.engine for place in shared for point in side[place].values()})
        for side in groups
    ]
    if engines[0] == engines[1]:
        return []
    found = "; ".join(f"{', '.join(side)} in {name}" for side, name in zip(engines, names))
    return [f"simulated by different engines, which is a difference of its own: {found}"]


def tell_apart(folder_a, folder_b):
    """Names of two folders, as short as they can be."""
    if folder_a.name != folder_b.name:
        return folder_a.name, folder_b.name
    a, b = str(folder_a.path), str(folder_b.path)
    return (a, b) if a != b else (f"{folder_a.name} (first)", f"{folder_b.name} (second)")


def _group(path, points, keys):
    """By configuration without the differing keys: the points by seed."""
    ignored, groups = NOT_COMPARED | keys.keys(), {}
    for point in points:
        group = groups.setdefault(place_of(point, ignored), {})
        other = group.setdefault(point.seed, point)
        if other is not point:
            apart = [key for key in keys if other.config.get(key) != point.config.get(key)]
            names = f"{Path(other.folder).name} and {Path(point.folder).name}"
            reason = f"{names} have the same configuration and seed; expected one of them"
            if apart:
                reason = (
                    f"{names} differ only in {', '.join(apart)}, of which the other folder has no value; "
                    f"expected one point for each: choose fewer by --where KEY=VALUE, or compare "
                    f"the points of both folders by --by {_axis_of(point, apart[0])}"
                )
            raise ResultError(path, reason)
    return groups


def _axis_of(point, key):
    """The axis of a sweep that a key belongs to, or the key."""
    axes = point.result.get("axes") or {}
    return next((axis for axis in axes if f"{key}.".startswith(f"{axis}.")), key)


def _labels(shared, groups, axes):
    """What the points of both folders at each place have in common, as long as it is different."""
    labels = []
    for place in shared:
        a, b = (next(iter(group[place].values())) for group in groups)
        parts = [a.scheme] if a.scheme == b.scheme else []
        key = a.kind.type_key
        if not parts and a.config[key] == b.config[key]:
            parts = [str(a.config[key])]
        parts.append(label_of(a, axes, with_scheme=False))
        labels.append(", ".join(filter(None, parts)) or "all else equal")
    if len(set(labels)) == len(labels):
        return labels
    return [label_of(next(iter(groups[0][place].values())), axes) for place in shared]


def describe_nearest(a, b):
    """What keeps the most similar of points on two sides apart."""
    keys = min(
        (
            [
                key
                for key in sorted({*one.identity, *other.identity} - NOT_COMPARED)
                if normal(one.config.get(key)) != normal(other.config.get(key))
            ]
            for one in a
            for other in b
        ),
        key=len,
    )
    named = ", ".join(keys[:6]) + (", ..." if len(keys) > 6 else "")
    return f"; the most similar points differ in {named}"
