# SPDX-License-Identifier: GPL-2.0-only
"""
Made-up result folders in the form of real ones, for tests of the plots only. The numbers come from
load arithmetic and a random generator: shapes are plausible, values mean nothing.
"""

import csv
import json
from pathlib import Path

import numpy as np
import paths  # noqa: F401
from rails.reader.point import OF_FRAMES

SCHEMES = {
    "ecmp": 2.6,
    "rail-source": 2.3,
    "rail-destination": 2.2,
    "round-robin": 1.12,
    "random": 1.2,
    "least-outstanding": 1.06,
    "rails": 1.03,
    "even-split": 1.01,
}
DOMAINS, RAILS = 8, 8
RATE_BPS = 400_000_000_000


def write_point(
    folder,
    scheme="rails",
    seed=1,
    over_bound=None,
    config=None,
    iterations=0,
    messages=300,
    **changes,
):
    """
    One run's folder.
    :param messages: how many there are in messages.csv
    :param config: keys of the effective descriptor by dotted name, beside scheme and seed
    :param changes: keys of result.json to replace
    """
    folder = Path(folder)
    folder.mkdir(parents=True)
    random = np.random.default_rng([seed, len(scheme), ord(scheme[-1])])
    bound = 1.1e-3 * (1 + 0.08 * seed)
    ratio = over_bound or SCHEMES[scheme] * random.uniform(1, 1.06)
    cct = bound * ratio
    spread = (ratio - 1) / 2.5
    sent, received = (
        50e6 * np.maximum(0, 1 + spread * random.uniform(-1, 1, (DOMAINS, RAILS))) for _ in range(2)
    )
    result = {
        "name": "synthetic",
        "status": 0,
        "seed": seed,
        "config": _nested({"seed": seed, "balance.type": scheme, **(config or {})}),
        "cct_s": cct,
        "lower_bound_s": bound,
        "algbw_Bps": 64e6 / cct,
        "busbw_Bps": 63e6 / cct,
        "pfc_pauses": int(900 * spread),
        "nic_tx_bytes": sent.round().astype(int).tolist(),
        "nic_rx_bytes": received.round().astype(int).tolist(),
        "phases": [{"name": "dispatch", "iteration": 0, "start_s": 0, "end_s": cct}],
    }
    if iterations:
        compute, step = 4e-3, 4e-3 + cct
        result["cct_s"] = iterations * step
        result["lower_bound_s"] = iterations * (compute + bound)
        result["iteration_s"] = step
        result["phases"] = []
        for number in range(iterations):
            start, middle, end = number * step, number * step + compute, (number + 1) * step
            result["phases"] += [
                {"name": "compute", "iteration": number, "start_s": start, "end_s": middle},
                {"name": "dispatch", "iteration": number, "start_s": middle, "end_s": end},
            ]
    result.update(changes)
    if "cct_over_bound" not in result:
        result["cct_over_bound"] = result["cct_s"] / result["lower_bound_s"]
    (folder / "result.json").write_text(json.dumps(result))
    _write(folder / "messages.csv", _messages(random, cct, messages))
    _write(folder / "queues.csv", _queues(random, cct, spread))
    _write(folder / "links.csv", _links(sent, received, cct, scheme, random))


def write_flows(folder, scheme="rails", seed=1, config=None, notes=(), **options):
    """The same of a run without frames: it knows neither frames nor queues."""
    config = {"engine.type": "flow", "engine.tolerance": 0, **(config or {})}
    changes = {"engine": "flow", "notes": list(notes), **dict.fromkeys(OF_FRAMES)}
    write_point(folder, scheme, seed, config=config, **{**changes, **options})
    folder = Path(folder)
    (folder / "queues.csv").unlink()
    with open(folder / "links.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.update(dict.fromkeys(("queue_max_bytes", "pauses", "paused_s", "marks", "drops"), ""))
    _write(folder / "links.csv", [rows[0], *(row.values() for row in rows)])


def write_sweep(folder, schemes=SCHEMES, seeds=(1, 2, 3), **options):
    for scheme in schemes:
        for seed in seeds:
            write_point(Path(folder) / f"balance={scheme},seed={seed}", scheme, seed, **options)


def _nested(flat):
    tree = {}
    for key, value in flat.items():
        *above, last = key.split(".")
        place = tree
        for part in above:
            place = place.setdefault(part, {})
        place[last] = value
    return tree


def _messages(random, cct, count):
    yield ("phase", "pair_id", "source", "destination", "rail", "bytes", "start_s", "end_s")
    ends = cct * random.beta(4, 2, count)
    for number, end in enumerate(ends):
        rail = -1 if number % 10 == 0 else number % RAILS
        yield (0, number, number % 64, (number * 7) % 64, rail, 250_000, 0.0, end)


def _queues(random, cct, spread):
    yield ("port_class", "bytes_low", "bytes_high", "seconds")
    edges = [0, 1] + [int(1024 * 2 ** (step / 2)) for step in range(25)]
    idle_shares = {"nic_tx": 0.02, "leaf_up": 0.9, "spine_down": 0.85, "leaf_down": 0.3}
    for name, idle in idle_shares.items():
        size = 2e4 + 4e5 * spread
        weights = np.diff(1 - np.exp(-np.array(edges) / size), prepend=0)
        weights[1] += idle
        for low, high, weight in zip(edges, edges[1:], weights[1:]):
            yield (name, low, high, weight * cct * 64)


def _links(sent, received, cct, scheme, random):
    yield (
        "node port peer peer_port port_class rate_bps bytes utilisation queue_max_bytes pauses "
        "paused_s marks drops"
    ).split()
    for domain in range(DOMAINS):
        for rail in range(RAILS):
            nic, port = (domain, rail), (8 + rail, domain)
            up, spine = (8 + rail, 64 + domain), (16 + domain, rail)
            crossing = 30e6 * random.uniform(0.4, 2) if scheme == "ecmp" else 0
            loads = (
                ("nic_tx", sent[domain, rail], nic, port),
                ("leaf_down", received[domain, rail], port, nic),
                ("leaf_up", crossing, up, spine),
                ("spine_down", crossing, spine, up),
            )
            for name, load, here, there in loads:
                share = min(1, load * 8 / RATE_BPS / cct)
                yield (*here, *there, name, RATE_BPS, int(load), share, 100_000, 0, 0, 0, 0)


def _write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
