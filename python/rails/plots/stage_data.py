# SPDX-License-Identifier: GPL-2.0-only
"""The numbers that figures of an iteration of a graph show: times of its stages, point by point."""

from ..reader.point import EXPOSED

OF_EXPERTS = tuple(name for names in EXPOSED.values() for name in names)


def stage_types(points):
    """By name the type of all stages that there are, each behind those that it follows in a run."""
    types, order = {}, []
    for point in points:
        place = 0
        for stage in point.get("graph")["kinds"]:
            name = stage["name"]
            if name not in types:
                types[name] = stage["type"]
                order.insert(place, name)
            place = order.index(name) + 1
    return {name: types[name] for name in order}


def stage_s(point, name, number):
    """A time of a stage in an iteration, such as `critical_s`; 0 where it has no such stage."""
    stages = point.get("graph")["kinds"]
    return sum(stage.get(number) or 0 for stage in stages if stage["name"] == name)


def waiting_s(point):
    """Time that a GPU waits in an iteration for planning and for parameters of experts."""
    return sum(stage_s(point, name, "exposed_s") for name in OF_EXPERTS)


def iteration_s(point):
    """Time of an iteration."""
    return point.get("iteration_s")


def mean(points, number):
    """Mean of what a function says of points; None where there is nothing."""
    values = [value for value in map(number, points) if value is not None]
    return sum(values) / len(values) if values else None


def change(points, base):
    """How much longer the iteration of points is than that of others, in words; or empty."""
    if not (points and base):
        return ""
    percent = round(100 * (mean(points, iteration_s) / mean(base, iteration_s) - 1))
    return f"{percent:+d} %".replace("-", "−") if percent else "±0 %"


def dropped(points):
    """Which part of the tokens is dropped, in words: less to do is no better balance."""
    share = mean(points, lambda point: point.number("expert_dropped_share"))
    return f"drops {100 * share:.2g} % of the tokens" if share else ""
