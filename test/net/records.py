# SPDX-License-Identifier: GPL-2.0-only
"""Records of what runs resulted in: what is taken from a run, and what differs between two."""

import hashlib
import json
import os

# What depends on the machine (the number of events, too: some show progress) or on the build, and
# what went into a run.
LEFT_OUT = {"artefacts", "axes", "config", "events", "key", "name", "peak_rss_bytes",
            "planning_each_s", "planning_measured_on", "planning_measured_s", "version", "wall_s"}
MEASURED = b",planning_measured_s"  # the last column of plans.csv
MISSING = object()
LONGEST_LIST = 200


class RecordError(Exception):
    """A file that is no record."""


class NetError(Exception):
    """A record cannot be made."""


def find_program():
    """Returns the path of the program that is recorded."""
    program = os.environ.get("RAILS_EXPERIMENT", "")
    if not os.access(program, os.X_OK):
        raise NetError("RAILS_EXPERIMENT: error: names no program")
    return os.path.abspath(program)


def digest(content):
    """Returns the beginning of the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()[:24]


def _flatten(value, name, flat):
    if isinstance(value, dict):
        for key, item in value.items():
            _flatten(item, f"{name}.{key}" if name else key, flat)
    elif isinstance(value, list):
        text = json.dumps(value, sort_keys=True)
        flat[name] = value if len(text) <= LONGEST_LIST else digest(text.encode())
    else:
        flat[name] = value


def summarise(folder):
    """Returns what a folder with a result holds: counters by their dotted names, digests of long
    lists and of the files beside result.json."""
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    flat = {}
    _flatten({key: item for key, item in result.items() if key not in LEFT_OUT}, "", flat)
    for path in sorted(folder.iterdir()):
        if path.name != "result.json":
            flat[path.name] = digest(_without_measured(path.read_bytes()))
    return flat


def _without_measured(content):
    """Returns a table without its last column where that has times that were measured."""
    lines = content.split(b"\n")
    if not lines[0].endswith(MEASURED):
        return content
    return b"\n".join(line.rpartition(b",")[0] for line in lines)


def write_record(path, points, program):
    """Writes a record.

    points -- results (as summarise() returns them) by the names of points
    program -- SHA-256 of the program that ran them
    """
    record = {"program": program, "points": points}
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_record(path):
    """Returns what write_record() wrote; RecordError when it did not write that."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if not record["points"] or not record["program"]:
            raise RecordError(f"{path}: error: no points in it")
        return record
    except OSError as error:
        raise RecordError(f"{path}: error: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path}: error: not a record of results-net") from error


def compare(before, after):
    """Compares the points of two records.

    returns a list of (point, key, before, after), where MISSING stands for what is not there;
    key is None for a point that only one record has
    """
    differences = []
    for point in sorted(before.keys() | after.keys()):
        if point not in before or point not in after:
            here = "a point"
            differences.append((point, None, here if point in before else MISSING,
                                here if point in after else MISSING))
            continue
        one, other = before[point], after[point]
        for key in sorted(one.keys() | other.keys()):
            values = one.get(key, MISSING), other.get(key, MISSING)
            # 1 and 1.0 and true are equal in Python, not in a result.
            same = MISSING not in values and json.dumps(values[0]) == json.dumps(values[1])
            if not same:
                differences.append((point, key, *values))
    return differences


def sort_points(names):
    """Returns pairs of a kind of points and those of that kind."""
    drawn = {kind: {name for name in names if name.startswith(kind + " ")}
             for kind in ("settings", "training", "generated", "damaged")}
    shipped = set(names).difference(*drawn.values())
    return [(kind, points) for kind, points in {"shipped": shipped, **drawn}.items() if points]


def describe(difference):
    """Returns a difference as a line."""
    point, key, *values = difference
    if key is None:
        return f"{point}: only in the record {'after' if values[0] is MISSING else 'before'}"
    texts = ["missing" if value is MISSING else json.dumps(value) for value in values]
    return f"{point}: {key}: {texts[0]} -> {texts[1]}"
