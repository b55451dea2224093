# SPDX-License-Identifier: GPL-2.0-only
"""
Chooses points by the values of their keys, by the rules of `./rails sweep --where`
(harness/sweep/rails-point-filter).
"""

import json
import re
import shlex
from hashlib import sha256

from .errors import ResultError
from .nearest_name import suggest

_LONGEST = 120  # bytes of conditions in the name of a file


def values_of(point):
    """
    The texts that each key of a point goes by: its value in the effective configuration, of a
    component its type, and the label that the sweep gives it.
    """
    values = {}
    for key, value in _leaves(point.result["config"]):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        values.setdefault(key, set()).add(text)
        if key.endswith(".type"):
            values.setdefault(key.removesuffix(".type"), set()).add(text)
    for key, label in (point.result.get("axes") or {}).items():
        values.setdefault(key, set()).add(label)
    return values


class PointFilter:
    """:param conditions: KEY=VALUE each; of several all must hold"""

    def __init__(self, conditions):
        self._conditions = []
        for condition in conditions:
            key, _, value = condition.partition("=")
            if not (key and value):
                raise ResultError(
                    f"--where {condition}", "expected KEY=VALUE, such as balance=rails"
                )
            self._conditions.append((key, value))

    def __bool__(self):
        return bool(self._conditions)

    def choose(self, points):
        """The points that fulfil all conditions; ResultError when there is none."""
        known = [(point, values_of(point)) for point in points]
        chosen = [point for point, values in known if self._accepts(values)]
        if self and not chosen:
            raise self._failure([values for _, values in known])
        return chosen

    def _accepts(self, values):
        return all(value in values.get(key, ()) for key, value in self._conditions)

    def _failure(self, known):
        """What no point has: the key, with those there are, or the value, with those there are."""
        for key, value in self._conditions:
            seen = set().union(*(values.get(key, set()) for values in known))
            place = f"--where {key}"
            if not seen:
                keys = sorted(set().union(*known))
                return ResultError(place, "no point has such a key" + suggest(key, keys))
            if value not in seen:
                there = ", ".join(sorted(seen))
                return ResultError(place, f"no point has the value '{value}'; there are {there}")
        return ResultError("--where", "no point has all these values together")


def condition(point, key):
    """KEY=VALUE as one writes it to choose points like this one, quoted for a shell."""
    label = (point.result.get("axes") or {}).get(key)
    text = label if label is not None else min(values_of(point).get(key, {"none"}))
    return shlex.quote(f"{key}={text}")


def file_name(conditions):
    """Conditions as a part of the name of a file, as points are named: balance=rails,seed=1."""
    name = ",".join(re.sub(r"[^\w.=+-]", "-", condition) for condition in conditions).encode()
    if len(name) > _LONGEST:
        digest = sha256("\n".join(conditions).encode("utf-8", "replace")).hexdigest()
        name = name[: _LONGEST - 13] + f"-{digest[:12]}".encode()
    return name.decode(errors="ignore")


def _leaves(value, key=""):
    """Values that hold no others, by dotted key; the places in a list are numbers."""
    if isinstance(value, (dict, list)) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, item in items:
            yield from _leaves(item, f"{key}.{name}" if key else str(name))
    else:
        yield key, None if isinstance(value, (dict, list)) else value
