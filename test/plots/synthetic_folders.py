# SPDX-License-Identifier: GPL-2.0-only
"""Made-up result folders of all kinds, as wide, long, many and unequal as they come, for tests only."""

import json
from pathlib import Path

import synthetic
import synthetic_studies
import synthetic_trainings
from rails.plots.draw import figures_of
from rails.plots.results import load
from synthetic_failures import OUTAGE

USERS = ("my-own-balancer-with-a-long-name", "zigzag", "alternate", "least-loaded-uplink", "hash-of-hashes")
LONG = "a-name-that-somebody-gave-to-an-experiment-of-sixty-four-gpus-and-eight-rails"
OUTAGES = (
    "[]",
    '[{"at": "30us", "link": ["rail1-leaf0", "rail1-spine0"], "state": "down"}]',
    '[{"at": "0s", "nic": "server3-nic2", "state": "down"}, {"at": "0s", "switch": "spine2", "state": "down"}]',
)


def points(folder, schemes=("ecmp", "rails"), seeds=(1,), over_bound=None, **options):
    """Schemes and seeds; :param over_bound: by scheme, that of the first seed"""
    options = {"messages": 60, **options}
    for scheme in schemes:
        for seed in seeds:
            ratio = (over_bound or {}).get(scheme, synthetic.SCHEMES.get(scheme, 1.4))
            place = Path(folder) / f"{scheme},{seed}"
            synthetic.write_point(place, scheme, seed, over_bound=ratio * (1 + 0.01 * seed), **options)


def along(folder, key, values, schemes=("ecmp", "rails"), seeds=(1,), others=(), ratios=None, **options):
    """Points along an axis, and inside others: pairs of a key and its values."""
    if others:
        (other, own), *rest = others
        for number, value in enumerate(own):
            inside = {**options, "config": {**options.get("config", {}), other: value}}
            along(Path(folder) / str(number), key, values, schemes, seeds, rest, ratios, **inside)
        return
    for number, value in enumerate(values):
        config = {**options.get("config", {}), key: value}
        over_bound = {s: ratios(s, number) for s in schemes} if ratios else None
        place = Path(folder) / f"{number}"
        points(place, schemes, seeds, over_bound, **{**options, "config": config})


def loads(servers, rails):
    """What NICs of a large fabric sent."""
    return [[(7 * s + 3 * r) % 11 * 1e6 + 4e7 for r in range(rails)] for s in range(servers)]


def big(servers, rails):
    table = loads(servers, rails)
    return {"nic_tx_bytes": table, "nic_rx_bytes": table[::-1]}


def graph(folder, schemes=("ecmp", "rails"), count=3, **options):
    """Iterations of a graph with stages of a user's own."""
    kinds = [
        {"name": f"stage-of-my-own-{n}", "type": "communication" if n % 2 else "compute", "critical_s": 1e-3 * (n + 1)}
        for n in range(count)
    ]
    took = sum(kind["critical_s"] for kind in kinds)
    points(folder, schemes, iterations=2, iteration_s=took, graph={"iterations": 2, "kinds": kinds}, **options)


def trainings_of_models(folder, models, slow=()):
    """Trainings of models under balancers; :param slow: models that take 31 times as long"""
    for model in models:
        for scheme in ("ecmp", "rails"):
            place = Path(folder) / f"{model},{scheme}"
            slower = 31.0 if (model in slow and scheme == "ecmp") else 1.0
            synthetic_trainings.write_training(
                place, "eplb", 1, scheme, slower=slower, config={"workload.model.type": model}
            )


def circuits(folder, servers):
    """Circuits of all pairs of servers, in turns."""
    points(folder, ("rails",))
    header = "start_s,end_s,region,server_a,server_b,circuits,bytes,dark_s\n"
    rows = [
        f"{n * 1e-4:g},{n * 1e-4 + 2e-4:g},0,{one},{other},{1 + n % 3},{1000000 * (n + 1)},{5e-5 * (n > 0):g}\n"
        for n, (one, other) in enumerate((a, b) for a in range(servers) for b in range(a))
    ]
    place = folder / "rails,1"
    (place / "circuits.csv").write_text(header + "".join(rows))
    result = json.loads((place / "result.json").read_text())
    result["artefacts"] = [{"file": "circuits.csv", "bytes": len(header + "".join(rows))}]
    (place / "result.json").write_text(json.dumps(result))


def failing(folder):
    """Some points that did not finish, and a scheme that never did."""
    points(folder, ("ecmp", "rails", "random"), (1, 2, 3))
    points(folder, ("zigzag",), status=3)
    for name in ("rails,2", "random,1"):
        path = folder / name / "result.json"
        result = json.loads(path.read_text())
        path.write_text(json.dumps({**result, "status": 3}))


def outlier(scheme, number):
    """Multiples of the bound, one of which is 31."""
    return 31.0 if (scheme, number) == ("ecmp", 2) else 1.0 if scheme == "rails" else 1.3


ALL = tuple(synthetic.SCHEMES)
SIXTEEN = tuple(name for name in (
    "plain-ep deepspeed-moe faster-moe smart-moe flex-moe eplb lplb epic pro-prophet micro-moe llep echo "
    "moon-ep ultra-ep rail-aware perfect-balance"
).split())
STUDIED = {"experts.gpus": 64}

FOLDERS = {
    "one run": lambda f: points(f, ("rails",)),
    "all schemes, one seed": lambda f: points(f, ALL),
    "all schemes, three seeds": lambda f: points(f, ALL, (1, 2, 3)),
    "twelve seeds": lambda f: points(f, ("ecmp", "rails", "even-split"), range(1, 13)),
    "one scheme takes 31 times the bound": lambda f: points(f, ALL, (1, 2), {**synthetic.SCHEMES, "ecmp": 31}),
    "schemes of users": lambda f: points(f, (*ALL, "delegates", *USERS), (1, 2)),
    "a long name": lambda f: points(f, name=LONG),
    "strategies at hosts and switches": lambda f: [
        points(f / f"{host}{switch}", ("ecmp", "rails"),
               config={"balance.host.type": host, "balance.switch.type": switch})
        for host, switch in (("flow", "ecmp"), ("uec-oblivious", "adaptive"), ("destination-rotation", "drill"))
    ],
    "some did not finish": failing,
    "phases of an iteration": lambda f: points(f, ALL[:3], (1, 2), iterations=2),
    "stages of a graph": lambda f: graph(f, count=3),
    "many stages of a graph": lambda f: graph(f, ALL[:3], count=14),
    "outages": lambda f: points(f, ("ecmp", "rails"), failures=OUTAGE),
    "512 servers": lambda f: points(f, ("ecmp", "rails", "random"), **big(512, 8)),
    "16 servers of 4 NICs": lambda f: points(f, ALL[:3], **big(16, 4)),
    "one NIC a server": lambda f: points(f, **big(32, 1)),
    "all schemes on a large fabric": lambda f: points(f, (*ALL, "delegates"), **big(128, 8)),
    "flows": lambda f: [synthetic.write_flows(f / s, s, messages=60) for s in ("ecmp", "rails")],
    "times that are close together": lambda f: points(f, ALL[:3], over_bound=dict.fromkeys(ALL, 1.0123)),
    "few circuits": lambda f: circuits(f, 3),
    "many circuits": lambda f: circuits(f, 12),
    "a number along": lambda f: along(f, "workload.matrix.density", (0.05, 0.1, 0.3, 1.0), ALL, (1, 2)),
    "twenty numbers along": lambda f: along(f, "workload.matrix.density", [0.05 * n for n in range(1, 21)]),
    "few close numbers along": lambda f: along(f, "transport.gain", (0.1, 0.12, 0.13)),
    "sizes along": lambda f: along(f, "balance.chunk", ("64KiB", "1MB", "4MB", "whole"), ("rails",), (1, 2)),
    "outages along": lambda f: along(f, "failures.schedule", OUTAGES, ALL, (1, 2)),
    "probabilities and outages along": lambda f: [
        along(f / str(n), "failures.schedule", (schedule,), config={"failures.random.probability": share})
        for n, (schedule, share) in enumerate(((OUTAGES[0], 0.0), (OUTAGES[0], 0.01), (OUTAGES[1], 0.0)))
    ],
    "labels along": lambda f: [
        points(f / str(number), labels={"failures": label}, axes={"failures": label},
               config={"failures.schedule": json.loads(schedule)})
        for number, (label, schedule) in enumerate(zip(("healthy", "one cable", "a NIC and a switch"), OUTAGES))
    ],
    "topologies along": lambda f: along(
        f, "topology.type", ("rail", "fat-tree", "leaf-spine", "nic-groups"), ALL, (1, 2, 3),
        cct_s=2e-3,
    ),
    "servers along": lambda f: along(
        f, "topology.server", ("dgx-h100", "h20-4nic", "micro-moe", "pro-prophet-hpwnv"), ALL[:5], (1, 2)),
    "31 bars in fifteen panels": lambda f: along(
        f, "topology.server", ("one", "two", "three"), others=(
            ("topology.nic_rate", ("100Gbps", "200Gbps", "400Gbps", "800Gbps", "1600Gbps")),
            ("workload.matrix.type", ("sparse", "uniform", "zipf"))), ratios=outlier),
    "one value far off on a line": lambda f: along(f, "workload.matrix.density", (0.1, 0.2, 0.3), ratios=outlier),
    "long names along": lambda f: along(
        f, "workload.matrix.path", [f"traces/recorded-on-a-cluster/layer-{n}-of-a-model.csv" for n in range(4)],
        others=(("topology.type", ("rail", "leaf-spine")),)),
    "times, as bounds differ": lambda f: [
        points(f / rate, ALL, lower_bound_s=1e-3 * n, cct_s=1.2e-3 * n, config={"topology.nic_rate": rate})
        for n, rate in enumerate(("800Gbps", "400Gbps", "200Gbps"), 1)
    ],
    "studies": lambda f: synthetic_studies.write_studies(f),
    "studies of all policies": lambda f: synthetic_studies.write_studies(f, SIXTEEN, (1,)),
    "studies of all policies, two seeds": lambda f: synthetic_studies.write_studies(f, SIXTEEN, (1, 2), iterations=8),
    "a study of one micro-batch": lambda f: synthetic_studies.write_studies(f, ("eplb", "llep"), (1,), iterations=1),
    "studies of which some move far more": lambda f: [
        synthetic_studies.write_study(f / policy, policy, max_over_mean=load, bytes_inside=moved, copies=copies)
        for policy, load, moved, copies in (
            ("plain-ep", 8.0, 1e8, 0.0), ("eplb", 1.05, 1.4e8, 0.0), ("deepspeed-moe", 31.0, 3.6e9, 0.0),
            ("pro-prophet", 3.1, 4.1e9, 1291.0), ("llep", 1.1, 1.3e8, 42.0))
    ],
    "studies along gpus": lambda f: [
        synthetic_studies.write_studies(f / str(gpus), ("plain-ep", "eplb"), config={"gpus": gpus})
        for gpus in (8, 16, 32)
    ],
    "trainings": lambda f: synthetic_trainings.write_trainings(f, seeds=(1, 2)),
    "trainings over balancers": lambda f: synthetic_trainings.write_trainings(f, schemes=("ecmp", "rails")),
    "trainings of fifteen models, one of which is slow": lambda f: trainings_of_models(
        f, [f"model-{n}" for n in range(15)], slow=("model-3",)),
}

# Figures that look alike here where schemes and the fabric do.
_SAME = {"message_cdf", "queue_ccdf", "nic_load", "link_utilisation"}


def each_figure(folder, names):
    """
    Writes folders into one, and yields of each figure the name of its folder, its own, the function that draws it,
    and the results; of those that look alike the first.
    """
    known = set()
    for number, what in enumerate(names):
        FOLDERS[what](folder / str(number))
        results = load(folder / str(number))
        for name, function in figures_of(results).items():
            own = (function, *_form(results))
            if own not in known or function.__name__ not in _SAME:
                known.add(own)
                yield what, name, function, results


def _form(results):
    """How many schemes there are, whether names are long, and how many servers."""
    names = [len(scheme) > 20 for scheme in results.schemes]
    servers = len(results.points[0].result.get("nic_tx_bytes") or ())
    return len(names) // 3, any(names), servers
