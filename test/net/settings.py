# SPDX-License-Identifier: GPL-2.0-only
"""Settings that neither shipped experiments nor drawn descriptors have, one run for each."""

# Small, yet with marks, pauses and several ways between any two servers.
BASE = {
    "name": "settings",
    "topology": {"type": "rail", "domains": 4, "gpus_per_domain": 2, "nic_rate": "100Gbps",
                 "leaf_ports": 2, "rail_spines": 2, "spines": 2},
    "switch": {"buffer": "1MB", "ecn": {"kmin": "20KB", "kmax": "80KB", "pmax": 0.5}},
    "workload": {"type": "all-to-all",
                 "matrix": {"type": "sparse", "density": 0.8, "mean": "400KB"}},
    "balance": {"type": "ecmp"},
}
_GPUS = range(8)
MATRIX = "".join(
    ",".join(str(1000 * (3 * row + 5 * column) if row // 2 != column // 2 else 0)
             for column in _GPUS) + "\n" for row in _GPUS)

# Each rank computes, sends to the next one and waits for the last.
GOAL = "num_ranks 8\n" + "".join(
    f"rank {rank} {{\nc: calc {1000 * (rank + 1)}\ns: send {50000 + 7 * rank}b to {(rank + 1) % 8} tag 1\n"
    f"r: recv {50000 + 7 * ((rank + 7) % 8)}b from {(rank + 7) % 8} tag 1\nd: calc 500\n"
    "s requires c\nd requires r\nd requires s\n}\n" for rank in _GPUS)

_PARTS = ("attention", "gate", "experts", "shared", "dense", "head", "optimizer")
_TIMES = "part,pass,tokens,seconds\n" + "".join(
    f"{part},forward,{tokens},{1e-6 * (1 + number) * (1 + tokens / 64)}\n"
    for number, part in enumerate(_PARTS) for tokens in (16, 256))
# What settings may name.
FILES = {"matrix.csv": MATRIX, "schedule.goal": GOAL, "times.csv": _TIMES}

_FAT_TREE = "topology={type: fat-tree, k: 4, domains: 8, gpus_per_domain: 2}"
_LEAF_SPINE = ("topology={type: leaf-spine, domains: 4, gpus_per_domain: 2, leaf_ports: 2, "
               "spines: 2}")
_SELECTIVE = "transport.loss_recovery=selective-repeat"
_LOSSY = ("switch.pfc=false", "switch.port_buffer=60KB", _SELECTIVE)
_PAUSED = ("transport.congestion_control=none", "switch.buffer=400KB")
_FLOW = ("engine=flow", "transport.congestion_control=none")
_MOE = "workload.matrix.type=moe"

# What each run sets.
SETTINGS = (
    # Fabric.
    ("topology.nvlink_latency=200ns", "workload.matrix.intra=true"),
    ("topology.nvlink_segment=1KiB", "workload.matrix.intra=true"),
    ("topology.uplink_rate=40Gbps",),
    ("topology.uplinks_per_spine=3",),
    ("topology.rail_spines=0", "topology.rail_fabric=fat-tree", "topology.rail_k=4",
     "topology.leaf_ports=64", "topology.spines=0", "balance=rails"),
    ("topology.routes=rail0-leaf0 > rail0-leaf1 via spine0", "balance=rail-source"),
    (_FAT_TREE, "topology.edge_oversubscription=2"),
    (_FAT_TREE, "topology.core_oversubscription=4"),
    (_LEAF_SPINE, "topology.uplink_rate=200Gbps", "topology.uplinks_per_spine=2"),
    ("switch.headroom=20KB", *_PAUSED),
    ("switch.xon_offset=20KB", *_PAUSED),
    ("switch.pause_quanta=200", *_PAUSED),
    ("failures.random={probability: 0.3, port_class: leaf_up}", _SELECTIVE),
    ("watchdog.no_progress_after=40us", "transport.loss_recovery.timeout=30us",
     "failures.schedule=[{at: 20us, nic: server1-nic0, state: down}]"),
    ("watchdog.storm_after=1us", *_PAUSED),
    ("topology.link_loss=0.01", "transport.loss_recovery.nak_interval=1us"),
    # Transport.
    ("transport.window=30KB",),
    ("transport.congestion_control={type: dcqcn, gain: 0.25, initial_alpha: 0.5}",),
    ("transport.congestion_control={type: fixed-rate, rate: 30Gbps}",),
    ("transport.congestion_control={type: fixed-rate, random_start: false}",),
    ("transport.congestion_control={type: hpcc, base_round_trip: 5us}",),
    ("transport.congestion_control={type: hpcc, base_round_trip: 5us, max_stage: 0, target: 0.8}",),
    ("transport.congestion_control={type: hpcc, additive_increase: 500B}", "balance.switch=conga",
     _LEAF_SPINE),
    ("transport.congestion_control={type: hpcc, base_round_trip: 5us}", "balance.host=spray",
     _SELECTIVE),
    ("transport.congestion_control={type: swift, base_target: 4us}",),
    ("transport.congestion_control={type: swift, additive_increase: 3, largest_decrease: 0.2}",),
    ("transport.congestion_control={type: swift, flow_scaling_maximum: 10, "
     "flow_scaling_minimum: 1, flow_scaling_range: 9us}",),
    ("transport.congestion_control={type: swift, maximum_window: 100KB, minimum_window: 1}",),
    ("transport.congestion_control={type: swift, median_of: 5, multiplicative_decrease: 0.3}",),
    ("transport.congestion_control={type: swift, react_to_loss: false}", *_LOSSY),
    ("transport.congestion_control={type: swift, start_window: 20KB}",),
    (*_LOSSY, "transport.loss_recovery={type: selective-repeat, adaptive_timeout: true, "
     "minimum_timeout: 20us}"),
    ("switch.pfc=false", "switch.port_buffer=60KB", "transport.qp_per=message",
     "transport.loss_recovery={type: ideal, minimum_timeout: 20us}"),
    # Workloads.
    ("workload.matrix={type: file, path: matrix.csv}",),
    ("workload.matrix.type=zipf", "workload.matrix.bytes_per_gpu=1MB",
     "workload.matrix.jitter=0.9"),
    (_MOE, "workload.matrix.experts=4", "workload.matrix.top_k=3", "workload.matrix.hidden=64",
     "workload.matrix.tokens_per_gpu=300", "workload.matrix.bytes_per_element=1B"),
    (_MOE, "workload.matrix.experts=8", "workload.matrix.hidden=64",
     "workload.matrix.popularity={type: zipf, exponent: 0.7}"),
    (_MOE, "workload.matrix.experts=8", "workload.matrix.hidden=64",
     "workload.matrix.popularity={type: dirichlet, concentration: 0.1}"),
    (_MOE, "workload.matrix.experts=8", "workload.matrix.hidden=64",
     "workload.matrix.popularity={type: given, shares: [1, 2, 3, 4, 5, 6, 7, 8]}"),
    ("workload={type: incast, senders: 5, receiver: 3, bytes: 300KB}",),
    ("workload={type: ring, bytes: 1000001B, operation: all-reduce}", "balance=rails"),
    *((f"workload={{type: ring, bytes: 1000001B, {keys}}}", *more) for keys in (
        "operation: all-gather, algorithm: tree", "operation: reduce-scatter, algorithm: tree",
        "algorithm: hierarchical", "operation: all-gather, algorithm: direct", "rings: 3",
        "algorithm: automatic") for more in (("balance=rails",), _FLOW)),
    *((f"workload={{type: graph, iterations: 2, stages: [{stages}]}}", *more) for stages in (
        "{type: broadcast, bytes: 100001B, algorithm: ring, root: 3, chunks: 5}, {type: reduce, "
        "bytes: 2B, algorithm: ring, root: 1, groups: {size: 4, layout: strided}}",
        "{type: broadcast, bytes: 100001B, algorithm: hierarchical, root: 3, chunks: 5}, {type: "
        "reduce, bytes: 70007B, algorithm: hierarchical, root: 1, groups: {size: 4}}",
        "{type: all-reduce, bytes: 100001B, rings: 3}, {type: all-gather, bytes: 70007B, "
        "algorithm: hierarchical, after: [start], stream: other}",
        "{type: reduce-scatter, bytes: 100001B, algorithm: tree, groups: {size: 4, layout: "
        "strided}}, {type: all-reduce, bytes: 70007B, algorithm: direct}")
      for more in (("balance=rails",), _FLOW)),
    ("workload={type: goal, path: schedule.goal}",),
    ("workload={type: goal, path: schedule.goal}", *_FLOW),
    # Schemes.
    ("balance={type: rails, tie: lowest, chunk: 100KB}",),
    ("balance={type: rails, balances: destinations, chunk: 100KB}",),
    ("balance={type: least-outstanding, depth: 7, chunk: 20KB}",),
    ("balance.host={type: min-rtt, gain: 0.5, paths: 3, probe_every: 5}", _SELECTIVE),
    ("balance.host={type: plb, ack_window: 3, marked_acks: 1, minimum_wait: 1, maximum_wait: 2}",
     _SELECTIVE),
    (*_LOSSY, "balance.host={type: plb, initial_rto: 10us, minimum_rto: 5us}"),
    ("balance.host={type: reps, explorations: 3, lifetime: 3, pool: 20, ring: 3}", _SELECTIVE),
    (*_LOSSY, "balance.host={type: reps, freezing: false, initial_rto: 10us, minimum_rto: 5us}"),
    (*_LOSSY, "balance.host={type: reps, freeze_time: 5us, initial_rto: 10us, minimum_rto: 5us}"),
    ("balance.host={type: spray, entropy: random}", _SELECTIVE),
    ("balance.host={type: subflow, count: 3}", _SELECTIVE),
    (*_LOSSY, "balance.host={type: uec-bitmap, paths: 32, loss_penalty: 1, mark_penalty: 2, "
     "maximum_penalty: 3, timeout_penalty: 2}"),
    (*_LOSSY, "balance.host={type: uec-mixed, paths: 32, ring: 3, loss_penalty: 1, "
     "mark_penalty: 2, maximum_penalty: 3, timeout_penalty: 2}"),
    ("balance.host={type: uec-oblivious, paths: 32}", _SELECTIVE),
    ("balance.switch={type: adaptive, buffer: 100KB, low_threshold: 0.1, middle_threshold: 0.3, "
     "high_threshold: 0.6, refresh: 1us}", _SELECTIVE),
    ("balance.switch={type: conga, aging: 20us, alpha: 0.5, bits: 5, decay_interval: 10us, "
     "flowlet_entries: 16, flowlet_gap: 1us}", _LEAF_SPINE, _SELECTIVE),
    ("balance.switch={type: drill, memory: 2, samples: 1}", _SELECTIVE),
    ("balance.switch={type: flowlet, choice: least-loaded, entries: 16, gap: 1us}", _SELECTIVE),
    ("balance.switch={type: ofan, skip_after: 2}", _FAT_TREE, _SELECTIVE),
    ("balance.switch={type: round-robin, order: nic, reshuffle: 1}", _SELECTIVE),
)
