# SPDX-License-Identifier: GPL-2.0-only
"""Descriptors with a mistake, for what the program says of them."""

import copy
import random

from generated_descriptors import make_descriptor

_WRONG_VALUES = ["", "5", "-3", "1e3", "010", "400GBps", "12parsec", "dcqnc", "9" * 30, True, 0.5,
                 -1, [], [1, 2], {}, {"type": "rials"}, None]


def _find_entries(value):
    """Returns pairs of a map and a key of it, of all maps of a descriptor."""
    entries = []
    if isinstance(value, dict):
        entries += [(value, key) for key in value]
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            entries += _find_entries(item)
    return entries


def make_damaged(seed):
    """Draws a descriptor in which a key is misspelt, missing or has a wrong value.

    seed -- everything follows from it
    returns the descriptor, as the structure that YAML (or JSON) has; perhaps it still is a good one
    """
    draw = random.Random(f"damage {seed}")
    descriptor = copy.deepcopy(make_descriptor(seed, fails=seed % 2 == 0))
    parent, key = draw.choice(_find_entries(descriptor))
    kind = draw.choice(["misspelt", "missing", "value", "value"])
    if kind == "misspelt":
        parent[key[:-1] or "x"] = parent.pop(key)
    elif kind == "missing":
        del parent[key]
    else:
        parent[key] = draw.choice(_WRONG_VALUES)
    return descriptor
