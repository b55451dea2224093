# SPDX-License-Identifier: GPL-2.0-only
"""
The points of one folder along a key: those of each value with those of a baseline that are equal in
everything else.
"""

from dataclasses import dataclass, field

from ..errors import ResultError
from ..reader.key_names import declared_name
from ..reader.nearest_name import suggest
from ..reader.work_keys import is_inside, is_work
from .pairs import (
    NOT_COMPARED,
    count_unfinished,
    differing_keys,
    judge,
    label_of,
    make_pair,
    metric_of,
    place_of,
    seeds_text,
    unfinished,
    what_does_not_compare,
    what_hashing_decides,
    what_is_lacking,
)
from .results import find_axes, tell_schemes_apart
from .style import in_order

# Keys whose product is how many GPUs there are.
_SIZES = ("topology.domains", "topology.gpus_per_domain")


@dataclass
class KeyComparison:
    """What compare_by() found."""

    folder: str
    key: str
    baseline: str
    metric: str
    alpha: float
    pairs: list  # those that differ by more than their spread first
    values: list  # compared with the baseline
    alone: list = field(default_factory=list)  # points without a partner, a line each
    failed: list = field(default_factory=list)  # the same for those that did not finish
    aside: list = field(default_factory=list)  # keys that change together with the compared one
    notes: list = field(default_factory=list)  # lines on what computed the results


def compare_by(folder, key, baseline=None, metric=None, alpha=0.05):
    """
    Compares the points of a ResultFolder along a key.
    :param baseline: its value that all others are compared with; by default that of the sweep, the
        scheme that does nothing, or the first
    :param metric: by default that of the kind of the points
    """
    key = declared_name(key)
    if not any(point.finished for point in folder.points):
        raise folder.nothing()
    tell_schemes_apart(folder.points)
    metric = metric or metric_of(folder.kind, folder.points)
    values = _values(folder.points, key)
    good = {v: [p for p in points if p.finished] for v, points in values.items()}
    baseline = _choose_baseline(good, key, baseline, _named_baseline(folder, key))
    found = KeyComparison(folder.text, key, baseline, metric, alpha, [], [])
    found.values = [value for value in values if value != baseline]
    axes = find_axes(folder.points)
    elsewhere = []  # values whose fabrics are all of other types than the baseline's
    for value in filter(good.get, found.values):
        keys = differing_keys(good[baseline], good[value])
        if "topology.type" in keys and not is_inside(key, "topology"):
            elsewhere.append(value)
        else:
            _compare(found, value, good[baseline], good[value], axes, keys)
    if not found.pairs:
        reason = f"no point of {baseline} is equal to another one in everything else"
        if elsewhere:
            reason += f"; those of {', '.join(elsewhere)} have another topology.type: expected --by topology"
        raise ResultError(f"--by {key}", reason)
    found.pairs = judge(found.pairs)
    count_unfinished(found.pairs, folder.points, folder.points)
    found.failed = unfinished(folder, axes)
    found.notes += folder.notes + what_is_lacking(found.pairs, metric)
    found.notes += [
        f"not compared: all points of {value} have another topology.type than those of {baseline} (--by topology)"
        for value in elsewhere
    ]
    found.notes += what_does_not_compare(found.pairs, metric)
    found.notes += what_hashing_decides(good)
    return found


def _compare(found, value, base_points, points, axes, keys):
    """Adds the pairs of one value with the baseline. :param keys: what differing_keys() says of both"""
    found.aside += [k for k in keys if not is_inside(k, found.key) and k not in found.aside]
    ignored = NOT_COMPARED | keys.keys()
    base_groups = _group(base_points, ignored)
    # What is inside a component that was varied as a whole belongs to its value, also of those that
    # change together with the compared one.
    whole = [found.key, *(key for key in keys if key.endswith(".type"))]
    inside = ignored.union(*(_keys_of_value(key, base_points + points) for key in whole))
    whole_groups = _group(base_points, inside)
    # Keys of the compared component itself tell its variants apart.
    shown = [
        axis
        for axis in axes
        if axis.key not in (found.key, f"{found.key}.type")
        and (axis.key not in keys or is_inside(axis.key, found.key))
    ]
    for place, variants in _group(points, ignored).items():
        base = base_groups.get(place)
        for seeds in variants:
            point = next(iter(seeds.values()))
            label = label_of(point, shown, with_scheme=found.key != point.kind.component)
            if base is None:
                wider = whole_groups.get(place_of(point, inside), [])
                if len(wider) > 1 and _several(found) not in found.notes:
                    found.notes.append(_several(found))
                if len(wider) != 1:
                    found.alone.append(f"{value}: {label}, {seeds_text(seeds)}")
                    continue
                found.aside += [k for k in _apart(wider[0], seeds) if k not in (*found.aside, found.key)]
            partners = base or wider
            if len(partners) > 1:
                raise _ambiguous(found.baseline, partners)
            _check_alike(found, value, partners[0], seeds)
            pair = make_pair(label, partners[0], seeds, found.metric, found.alpha)
            pair.value = value
            found.pairs.append(pair)


def _several(found):
    """A line where points stay alone because more than one could be their partner."""
    return (
        f"some points have no partner because several of {found.baseline} could be it, which differ in other "
        "keys: choose by --where KEY=VALUE, or name the folders of the points (DIR/POINT) in place of DIR"
    )


def _keys_of_value(key, points):
    """
    Keys of the component that a key stands for, or is the type of, where a sweep varied it as a whole;
    without those that it varied by themselves.
    """
    component = key.removesuffix(".type")
    axes = [point.result.get("axes") or {} for point in points]
    if not all(component in own or f"{component}.type" in own for own in axes):
        return set()
    own = {axis for axis in set().union(*axes) if axis not in (component, f"{component}.type")}
    return {
        k
        for k in set().union(*(point.identity for point in points))
        if is_inside(k, component) and not any(is_inside(k, axis) for axis in own)
    }


def _apart(one, other):
    """Keys in which two groups of seeds differ."""
    a, b = (next(iter(group.values())).identity for group in (one, other))
    return [k for k in sorted({*a, *b} - NOT_COMPARED) if a.get(k) != b.get(k)]


def _check_alike(found, value, base, seeds):
    """ResultError where what is compared does other work, unless that is what was asked for."""
    key, reason = found.key, ""
    if key in _SIZES or is_work(key):
        return
    work = [k for k in _apart(base, seeds) if is_work(k)]
    gpus = [next(iter(group.values())).gpus for group in (base, seeds)]
    if work:
        reason = f"differ in {', '.join(work[:4])} too"
        remedy = f"--where KEY=VALUE for points of one workload, or --by {work[0]}"
    elif None not in gpus and gpus[0] != gpus[1]:
        reason = f"have {gpus[0]:g} and {gpus[1]:g} GPUs"
        remedy = f"points with as many, or --by {_SIZES[0]}"
    if reason:
        raise ResultError(
            f"--by {key}",
            f"the points of {found.baseline} and {value} {reason}, so they do other work; "
            f"expected {remedy}",
        )


def _values(points, key):
    """The points by what they have for a key, its values in the order in which people expect them."""
    values = {}
    for point in points:
        value = _value(point, key)
        if value is not None:
            values.setdefault(value, []).append(point)
    others = ", ".join(_varied(points)) or "nothing"
    if key == "seed":
        raise ResultError("--by seed", f"seeds are repetitions; the points differ in {others}")
    if not values:
        known = sorted(set().union(*(point.config for point in points)))
        if not _varied(points):
            raise ResultError(f"--by {key}", "no point has such a key" + suggest(key, known))
        raise ResultError(f"--by {key}", f"no point has such a key; the points differ in {others}")
    if len(values) < 2:
        raise ResultError(
            f"--by {key}",
            f"there is one value only, {next(iter(values))}; the points differ in {others}",
        )
    first = {value: min(point.order for point in points) for value, points in values.items()}
    return {value: values[value] for value in in_order(first)}


def _value(point, key):
    """What a point has for a key; None where there is none."""
    label = (point.result.get("axes") or {}).get(key)
    is_scheme = key == point.kind.component
    return point.scheme if is_scheme and label is None else point.text(key)


def _varied(points):
    """Keys in which points differ, the seed aside."""
    values = {}
    for point in points:
        for key, label in (point.result.get("axes") or {}).items():
            values.setdefault(key, set()).add(label)
        scheme = point.kind.component
        values.setdefault(scheme, set()).add(_value(point, scheme))
    keys = [key for key, found in values.items() if len(found) > 1 and key != "seed"]
    for axis in find_axes(points):
        key = axis.key.removesuffix(".type")
        if key not in keys:
            keys.append(key)
    return keys


def _named_baseline(folder, key):
    """What the sweep compares with along a key; None where it does not say, or sweeps say different things."""
    named = {baseline[key] for baseline in folder.baselines if key in baseline}
    return named.pop() if len(named) == 1 else None


def _choose_baseline(good, key, wanted, usual=None):
    """
    :param good: the points that finished, by value
    :param usual: what the sweep names
    """
    there = [value for value, points in good.items() if points]
    if len(there) < 2:
        found = f"of {there[0]} only" if there else "of no value"
        raise ResultError(f"--by {key}", f"points {found} finished; expected two values at least")
    if wanted is None:
        return next((value for value in (usual, "ecmp", "plain-ep") if value in there), there[0])
    if wanted not in good:
        reason = f"no point has this value of {key}; there are {', '.join(good)}"
        raise ResultError(f"--baseline {wanted}", reason)
    if wanted not in there:
        reason = f"none of its points finished; there are {', '.join(there)}"
        raise ResultError(f"--baseline {wanted}", reason)
    return wanted


def _group(points, ignored):
    """
    By configuration without some keys: a list of variants, that is of points by seed that are equal
    in those keys too.
    """
    groups = {}
    for point in points:
        variants = groups.setdefault(place_of(point, ignored), {})
        seeds = variants.setdefault(place_of(point, NOT_COMPARED), {})
        other = seeds.setdefault(point.seed, point)
        if other is not point:
            raise ResultError(
                point.folder,
                f"has the same configuration and seed as {other.folder.name}; expected one of them",
            )
    return {place: list(variants.values()) for place, variants in groups.items()}


def _ambiguous(baseline, variants):
    one, other = (next(iter(seeds.values())) for seeds in variants[:2])
    keys = [k for k, v in one.identity.items() if v != other.config.get(k) and k not in NOT_COMPARED]
    return ResultError(
        f"--baseline {baseline}",
        f"its points differ in {', '.join(keys)} too, and each could be the one to compare with; "
        "choose one by --where KEY=VALUE, name the folders of the points (DIR/POINT) in place of DIR, or "
        "take another baseline",
    )
