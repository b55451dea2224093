# SPDX-License-Identifier: GPL-2.0-only
"""
The numbers that figures show, from the points that belong together, that is the seeds of a scheme
in one case. What reads a file of a point raises MissingFile where it was not recorded.
"""

import numpy as np

PORT_CLASSES = {  # in the order in which a frame meets them
    "nic_tx": "NIC to leaf",
    "edge_up": "edge to aggregation",
    "agg_up": "aggregation to core",
    "leaf_up": "leaf to spine",
    "spine_down": "spine to leaf",
    "core_down": "core to aggregation",
    "agg_down": "aggregation to edge",
    "leaf_down": "leaf to NIC",
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


def link_loads(points):
    """By port class: the utilisation of every link over the run in percent, busiest first."""
    loads = {}
    for table in (point.links("utilisation") for point in points):
        for name, share in zip(*table.values()):
            loads.setdefault(name, []).append(100 * share)
    return {name: np.sort(values)[::-1] for name, values in loads.items()}


def link_places(loads):
    """Where links stand that are sorted by their load: percent of their class."""
    return (np.arange(len(loads)) + 0.5) / len(loads) * 100


def over_bound_along(points, axis):
    """By the place of a value on an axis: completion time over the bound of every point there."""
    ratios = {}
    for place, value in zip(axis.places, axis.values):
        found = [point.over_bound for point in points if point.config.get(axis.key) == value]
        if found:
            ratios[place] = np.array(found)
    return ratios

