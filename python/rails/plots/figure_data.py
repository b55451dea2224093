# SPDX-License-Identifier: GPL-2.0-only
"""
The numbers that figures show, from the points that belong together, that is the seeds of a scheme
in one case. What reads a file of a point raises MissingFile where it was not recorded.
"""

import numpy as np

_INTERVALS = 120  # of the time that is seen of a throughput
PORT_CLASSES = {  # in the order in which a frame meets them
    "nic_tx": "NIC to first switch",
    "circuit": "server to server, by the patch panel",
    "leaf_up": "leaf to spine",
    "edge_up": "edge to aggregation or spine",
    "agg_up": "aggregation to core",
    "spine_down": "spine to leaf or edge",
    "rail_spine_down": "spine of a rail to leaf",
    "core_down": "core to aggregation",
    "agg_down": "aggregation to edge",
    "leaf_down": "last switch to NIC",
    "optical_down": "optical switch to NIC",
    "relay_down": "server to its own NIC, from the patch panel",
}


def in_order(classes):
    """Port classes in the order in which a frame meets them, those of other fabrics behind."""
    known = {name: place for place, name in enumerate(PORT_CLASSES)}
    return sorted(classes, key=lambda name: (known.get(name, len(known)), name))


def class_name(name):
    """A port class for people."""
    return f"{PORT_CLASSES[name]} ({name})" if name in PORT_CLASSES else name


def message_times(points):
    """Completion times of the messages between servers, in seconds."""
    return np.concatenate([point.message_times() for point in points])


def queue_histograms(points):
    """By port class: upper edges of the bins in bytes, and the seconds spent in each."""
    histograms = {}
    for table in (point.queue_bins() for point in points):
        for name, upper, spent in zip(*table.values()):
            uppers, seconds = histograms.setdefault(name, ([], []))
            if spent > 0:
                uppers.append(upper)
                seconds.append(spent)
    return histograms


def queue_ranges(curves):
    """
    What curves of histogram_ccdf() are to be seen over: the longest queue, the shortest one worth
    showing, and a power of ten below the smallest share.
    """
    largest = max((x[-1] for x, _ in curves), default=1.0)
    shares = [y[y > 0].min() for _, y in curves if np.any(y > 0)]
    least = 10 ** np.floor(np.log10(max(min(shares, default=0.1), 1e-6)))
    return largest, min(1e3, largest / 10), least  # below 1 KB a queue holds ACKs at most


def link_loads(points):
    """By port class: the utilisation of every link over the run in percent, busiest first."""
    loads = {}
    for table in (point.links("utilisation") for point in points):
        for name, share in zip(*table.values()):
            if not np.isnan(share):
                loads.setdefault(name, []).append(100 * share)
    return {name: np.sort(values)[::-1] for name, values in loads.items()}


def link_places(loads):
    """Where links stand that are sorted by their load: percent of their class."""
    return (np.arange(len(loads)) + 0.5) / len(loads) * 100


def events(point):
    """What failed, came back or changed its rate in a run."""
    return (point.result.get("failures") or {}).get("events") or []


def time_of_interest(points):
    """
    Until when failures and what follows from them are to be seen, in seconds: well beyond the last
    change, and what the run would have taken without, but not all of a time-out.
    """
    times = [event["at_s"] for point in points for event in events(point)]
    for point in points:
        times += point.result["failures"].get("convergences_s") or []
    longest = max(point.cct_s for point in points)
    bound = max(point.bound_s for point in points)
    return min(longest, max(4 * max(times), 1.5 * bound)) or 1e-6


def throughput(points, seen_s):
    """
    Payload between servers that arrived, in bytes per second, mean over the points.

    :param seen_s: until when it is of interest
    :return: middles of intervals in seconds, and the rate in each
    """
    last = max(point.cct_s for point in points)
    edges = np.linspace(0, seen_s, _INTERVALS + 1)
    if last > seen_s:
        edges = np.append(edges, np.linspace(seen_s, last, _INTERVALS // 4 + 1)[1:])
    arrived = np.mean([_arrived(point.messages(), edges) for point in points], axis=0)
    return (edges[1:] + edges[:-1]) / 2, np.diff(arrived) / np.diff(edges)


def _arrived(table, edges):
    """Payload that had arrived at each of some times."""
    there = (table["rail"] >= 0) & ~np.isnan(table["end_s"])
    table = {name: values[there] for name, values in table.items()}
    order = np.lexsort((table["end_s"], table["rail"], table["destination"], table["source"]))
    way = np.stack([table[name][order] for name in ("source", "destination", "rail")])
    start, end = table["start_s"][order], table["end_s"][order]
    follows = np.append(False, np.all(way[:, 1:] == way[:, :-1], axis=0))[: len(end)]
    before = np.where(follows, np.roll(end, 1), 0)
    start = np.minimum(np.maximum(start, before), end)
    # Each message is a ramp; the sum of ramps is a line between their ends.
    took = np.maximum(end - start, 1e-9)
    slopes = table["bytes"][order] / took
    times = np.concatenate([start, start + took])
    changes = np.concatenate([slopes, -slopes])
    order = np.argsort(times, kind="stable")
    times, rates = times[order], np.cumsum(changes[order])
    total = np.concatenate([[0], np.cumsum(rates[:-1] * np.diff(times))]) if len(times) else []
    return np.interp(edges, times, total) if len(times) else np.zeros(len(edges))


def values_along(points, axis, measure):
    """By the place of a value on an axis: the measure of every point there."""
    found = {}
    for place, value in zip(axis.places, axis.values):
        there = values_of((p for p in points if p.config.get(axis.key) == value), measure)
        if len(there):
            found[place] = there
    return found


def values_of(points, measure):
    """The measure of points, where they have it."""
    values = (point.number(measure.key) for point in points)
    return np.array([value for value in values if value is not None])


def ratios(points):
    """Completion times over the bound, or what else points of their kind have, where they do."""
    return np.array([point.ratio for point in points if point.ratio is not None])

