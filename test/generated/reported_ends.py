# SPDX-License-Identifier: GPL-2.0-only
"""Every end that a run reports, in result.json and in messages.csv."""

import csv
from collections import defaultdict

ROUNDING_S = 2e-12  # times are whole picoseconds


def get_ends(outcome):
    """What ended when: name to seconds since the start of the run, the job or the phase."""
    result = outcome.result
    ends = {key: result[key] for key in ("cct_s", "cct_sender_s", "iteration_s")
            if result.get(key) is not None}
    for phase in result["phases"]:
        ends[f"phase {phase['name']} {phase['iteration']}"] = phase["end_s"] - phase["start_s"]
    for job in result.get("graph", {}).get("jobs", ()):
        if job["end_s"] is not None:
            ends[f"job {job['name']}"] = job["end_s"] - job["start_s"]
    for name, rows in _group(outcome.messages).items():
        ends |= {f"{name} {number}": end for number, (_, end) in enumerate(rows)}
    return ends


def get_own_times(outcome):
    """How long every message took itself: name to seconds."""
    times = {f"{name} {number}": end - start
             for name, rows in _group(outcome.messages).items()
             for number, (start, end) in enumerate(rows)}
    times["slowest_flow_s"] = outcome.result["slowest_flow_s"] or 0
    return times


def find_off(times, others, part):
    """Names of times that differ by more than a part of theirs.

    returns a list of (by which part, name), the largest first
    """
    return sorted(((abs(others[name] - time) / time, name) for name, time in times.items()
                   if abs(others[name] - time) > part * time + ROUNDING_S), reverse=True)


def _group(messages):
    """Starts and ends of messages that are alike, in the order of their starts; of messages.csv."""
    groups = defaultdict(list)
    for row in csv.DictReader(messages.splitlines()):
        groups[f"message of {row['kind']} {row['source']} > {row['destination']} over "
               f"{row['rail']}, {row['bytes']} B,"].append(
                   (float(row["start_s"]), float(row["end_s"])))
    return {name: sorted(rows) for name, rows in groups.items()}
