#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs random trainings over all that a workload training can say, and checks what must hold of all.

    RAILS_EXPERIMENT=program test/generated/checked_iterations.py [COUNT] [FIRST]

Goes on until COUNT were accepted. Prints what is wrong, how often each refusal was, and how far flows
were from frames.
"""

import collections
import csv
import os
import re
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from flow_notes import get_range
from folded_trainings import OWN, is_same
from generated_iterations import FOLDS, LONG, get_kind, make_iteration
from programs import REFUSED, run_whole

FLOWS = ("engine=flow", "engine.symmetry=off")
SAME = ("status", "fingerprint", "cct_s", "cct_sender_s", "iteration_s", "phases", "frames",
        "frame_hops", "nic_tx_bytes", "nic_rx_bytes")
PART = 1e-9  # flows are added up in floating point
BAND = 0.05  # of frames' time, by which flows without a note may be off
TREE_BAND = 0.1  # where trees share NICs: queues do by what arrives, flows evenly
FORWARDED = 0.001  # of the time, by which a part of the micro-batches may be off


class Checked(NamedTuple):
    """What came of a training."""

    name: str
    refusal: str  # why it was refused; empty where it was not
    mistakes: list  # what is wrong, in words
    part: float | None = None  # of the frames' time that flows take
    folded: bool = False
    forwarded: float | None = None  # by which part a run of a part is off


def check(seed):
    """Draws the training of a seed, runs it and says what is wrong."""
    descriptor = make_iteration(seed)
    name = descriptor["name"]
    frames, flows = run_whole(descriptor), run_whole(descriptor, FLOWS)
    if REFUSED in (frames.status, flows.status):
        refusal = re.sub(r".*?:\d+:\d+: error: ", "", frames.refusal.strip(), flags=re.DOTALL)
        wrong = frames.refusal != flows.refusal or refusal == frames.refusal.strip()
        return Checked(name, refusal, [f"refused as {frames.refusal} and {flows.refusal}"] * wrong)
    mistakes = [f"{engine} end with {outcome.status}: {outcome.result.get('report')}"
                for engine, outcome in (("frames", frames), ("flows", flows)) if outcome.status]
    if mistakes:
        return Checked(name, "", mistakes)
    for engine, outcome, least in (("frames", frames, 1), ("flows", flows, 1 - PART)):
        mistakes += [f"{engine}: {mistake}" for mistake in [
            *_find_below_bound(outcome.result, least), *_find_lost(descriptor, outcome)]]
    mistakes += _find_other_bytes(frames.result, flows.result)
    punctual = run_whole(descriptor, ["record.punctual=true"])
    mistakes += [f"punctual servers: another {key}" for key in SAME
                 if punctual.result[key] != frames.result[key]]
    mistakes += ["punctual servers: other messages"] * (punctual.messages != frames.messages)
    part = flows.result["iteration_s"] / frames.result["iteration_s"]
    has_trees = descriptor["workload"]["collectives"]["algorithm"] == "tree"
    low, high = get_range(flows.result, TREE_BAND if has_trees else BAND)
    mistakes += [f"flows take {part:.3f} of the frames' time"] * (not low <= part <= high)
    folded = get_kind(seed) == FOLDS and _check_symmetry(descriptor, flows, mistakes)
    forwarded = _check_forwarding(descriptor, flows, mistakes) if get_kind(seed) == LONG else None
    return Checked(name, "", mistakes, part, folded, forwarded)


def _find_below_bound(result, least):
    return [f"{time} of {result[time]} is below {result[bound]}" for time, bound in (
        ("cct_s", "lower_bound_s"), ("cct_sender_s", "lower_bound_sender_s"))
        if result[time] < least * result[bound]]


def _find_lost(descriptor, outcome):
    """Whether all that is sent arrives: messages, bytes of NICs, and of cables at each switch."""
    result = outcome.result
    rows = list(csv.DictReader(outcome.messages.splitlines()))
    mistakes = []
    of_kinds = collections.Counter()
    for row in rows:
        of_kinds[row["kind"]] += int(row["bytes"])
    if sum(row["rail"] != "-1" for row in rows) != result["messages"]:
        mistakes.append(f"{len(rows)} messages, between servers not {result['messages']}")
    for name, number in {kind["name"]: kind["bytes"] for kind in result["graph"]["kinds"]}.items():
        if of_kinds[name] != number:
            mistakes.append(f"messages of {name} have {of_kinds[name]} B, and not {number}")
    if any(not row["end_s"] or float(row["end_s"]) < float(row["start_s"]) for row in rows):
        mistakes.append("messages that never arrived")
    gpus = descriptor["topology"]["gpus_per_domain"]
    sent, received = collections.Counter(), collections.Counter()
    for row in rows:
        if row["rail"] != "-1":
            sent[int(row["source"]) // gpus] += int(row["bytes"])
            received[int(row["destination"]) // gpus] += int(row["bytes"])
    for key, counted in (("nic_tx_bytes", sent), ("nic_rx_bytes", received)):
        found = [sum(nics) for nics in result[key]]
        if found != [counted[server] for server in range(len(found))]:
            mistakes.append(f"{key} are not those of the messages")
    links = list(csv.DictReader(outcome.links.splitlines()))
    into, out = collections.Counter(), collections.Counter()
    for row in links:
        into[row["peer"]] += int(row["bytes"])
        out[row["node"]] += int(row["bytes"])
    servers = {str(server) for server in range(descriptor["topology"]["domains"])}
    mistakes += [f"switch {node} has {into[node]} B in and {out[node]} out"
                 for node in {*into, *out} - servers if into[node] != out[node]]
    return mistakes


def _find_other_bytes(one, other):
    mistakes = [f"engines have other {key}"
                for key in ("bytes", "messages", "nic_tx_bytes", "nic_rx_bytes", "matrix_hash",
                            "lower_bound_s", "memory_bytes") if one[key] != other[key]]
    kinds = [[(kind["name"], kind["bytes"]) for kind in result["graph"]["kinds"]]
             for result in (one, other)]
    return mistakes + ["engines have other bytes of kinds"] * (kinds[0] != kinds[1])


def _check_symmetry(descriptor, flows, mistakes):
    """Whether replicas answered for others; adds what is not the same as without that."""
    folded = run_whole(descriptor, ["engine=flow", "engine.symmetry=exact"])
    mistakes += [f"symmetry: another {key}" for key in flows.result
                 if key not in (*OWN, "artefacts") and not is_same(flows.result[key], folded.result.get(key))]
    mistakes += [f"symmetry: other {name}" for name in ("messages", "links")
                 if getattr(flows, name) != getattr(folded, name)]
    return folded.result.get("symmetry", {"mode": "none"})["mode"] != "none"


def _check_forwarding(descriptor, flows, mistakes):
    """By how much a run of a part is off, or None where all was run; adds what is wrong."""
    forwarded = run_whole(descriptor, [*FLOWS, "workload.fast_forward=true"]).result
    if "fast_forward" not in forwarded:
        same = forwarded["fingerprint"] == flows.result["fingerprint"]
        mistakes += ["fast_forward: all was run, and ends elsewhere"] * (not same)
        return None
    off = abs(forwarded["cct_s"] / flows.result["cct_s"] - 1)
    mistakes += [f"fast_forward: {off:.2e} of the time off"] * (off > FORWARDED)
    mistakes += [f"fast_forward: other {key}" for key in (
        "bytes", "messages", "nic_tx_bytes", "nic_rx_bytes", "matrix_hash", "lower_bound_s")
        if forwarded[key] != flows.result[key]]
    return off


def check_until_accepted(count, first=1):
    """Checks trainings, several at a time, until so many were accepted; yields all, by their seeds."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while count > 0:
            for one in pool.map(check, range(first, first + count)):
                first += 1
                count -= 0 if one.refusal else 1
                yield one


def print_summary(checked):
    """Prints what came of trainings, and how often each refusal was."""
    refusals = collections.Counter(re.sub(r"\d+", "N", one.refusal) for one in checked
                                   if one.refusal)
    for refusal, times in refusals.most_common():
        print(f"{times:4} refused: {refusal}")
    accepted = [one for one in checked if not one.refusal]
    print(f"{len(accepted)} accepted, {len(checked) - len(accepted)} refused, "
          f"{sum(bool(one.mistakes) for one in checked)} with mistakes")
    parts = [one.part for one in accepted if one.part]
    far, farther = (sum(abs(part - 1) > off for part in parts) for off in (0.01, 0.05))
    print(f"flows over frames: {min(parts):.4f} to {max(parts):.4f}, in the median "
          f"{statistics.median(parts):.5f}, {far} more than 1 % apart, {farther} more than 5 %")
    forwarded = [one.forwarded for one in accepted if one.forwarded is not None]
    print(f"{sum(one.folded for one in accepted)} folded; {len(forwarded)} fast-forwarded, "
          f"{sum(off == 0 for off in forwarded)} to the picosecond, others at most "
          f"{max(forwarded, default=0):.1e} off")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    checked = []
    for one in check_until_accepted(count, int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        checked.append(one)
        for mistake in one.mistakes:
            print(f"{one.name}: {mistake}", flush=True)
    print_summary(checked)
    return 1 if any(one.mistakes for one in checked) else 0


if __name__ == "__main__":
    sys.exit(main())
