# SPDX-License-Identifier: GPL-2.0-only
"""Points of the shipped experiments, reduced so that each is over in seconds."""

import json
import random
import subprocess
from pathlib import Path

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"

_PAIRS = ("workload.matrix.bytes_per_pair=64KiB",)
_FRAMES = "engine=frames"  # where a descriptor compares engines, or has another one
_FLOW = "engine=flow"
_MATRICES = ("sweep.workload=[{type: all-to-all, matrix: {type: uniform, bytes_per_pair: 16KB}}, "
             "{type: all-to-all, matrix: {type: sparse, density: 0.1, mean: 1MB}}, "
             "{type: all-to-all, matrix: {type: zipf, exponent: 1.2, bytes_per_gpu: 1MB}}, "
             "{type: all-to-all, matrix: {type: moe, tokens_per_gpu: 128, experts: 64, "
             "popularity: dirichlet}, phases: [dispatch, combine]}]")
_OUTAGE = ("{schedule: [{at: 300us, link: [rail1-leaf0, rail1-spine0], state: down}, "
           "{at: 400us, link: [rail1-leaf0, rail1-spine0], state: up}]")
_SMALL_TRAINING = ("workload.batch.sequence=64", "workload.layers=2", "workload.microbatches=1",
                   "workload.iterations=1", "workload.model.hidden=256",
                   "workload.model.expert_ffn=64")
_MIXNET_8X22B = ("workload.layers=8", "workload.microbatches=1")
_MIXNET_8X7B = ("workload.layers=4", "workload.microbatches=1")
_DESIGN = ("workload.layers=8", "workload.microbatches=1", "workload.batch.sequence=32",
           "workload.model.hidden=256", "workload.model.expert_hidden=128",
           "workload.model.expert_ffn=64")
# What is set in each descriptor. Fabric, scheme, transport and failures stay as they are; where
# messages are shorter, so are the buffers and the times that were chosen to go with them.
REDUCTIONS = {
    "buffer.yaml": ("workload.matrix.mean=4MB", "sweep.switch.buffer=[1MiB, 4MiB]"),
    "chunk.yaml": ("workload.matrix.mean=1MB", "switch.buffer=1MiB"),
    "demo-free.yaml": (),
    "demo-mixtral.yaml": ("workload.matrix.tokens_per_gpu=512",),
    "demo-sparse.yaml": (),
    "density.yaml": ("workload.matrix.mean=1MB", "switch.buffer=1MiB"),
    "design/failures.yaml": _DESIGN,
    "design/frames.yaml": (_FRAMES, *_DESIGN, "workload.batch.sequence=8"),
    "design/hashing.yaml": _DESIGN,
    "design/mixnet.yaml": _DESIGN,
    "design/packet.yaml": _DESIGN,
    "design/what-if.yaml": _DESIGN,
    "engines-changes.yaml": (_FRAMES, "workload.matrix.tokens_per_gpu=128"),
    "engines-dcqcn.yaml":
        (_FRAMES, "sweep.workload.matrix=[{type: uniform, bytes_per_pair: 32KB}, "
         "{type: sparse, density: 0.1, mean: 1MB}, {type: zipf, bytes_per_gpu: 2MB}]"),
    "engines-failures.yaml":
        (_FRAMES, "workload.matrix.bytes_per_pair=1MB", f"sweep.failures=[{_OUTAGE}, "
         f"convergence: 0s}}, {_OUTAGE}, convergence: 20us}}, {_OUTAGE}, convergence: never}}, "
         "{schedule: [{at: 300us, link: [rail1-leaf0, rail1-spine0], rate: 25Gbps}]}, "
         "{schedule: [{at: 300us, nic: server0-nic1, state: down}, "
         "{at: 400us, nic: server0-nic1, state: up}]}]"),
    "engines-fat-tree.yaml":
        (_FRAMES, "sweep.zip={topology.k: [4, 8], workload: [{type: permutation, bytes: 1MB}, "
         "{type: all-to-all, matrix: {type: uniform, bytes_per_pair: 8KB}}]}"),
    "engines-incast.yaml": (_FRAMES, "sweep.workload.bytes=[100KB, 1MB]"),
    "engines-interior.yaml":
        (_FRAMES, "sweep.workload=[{type: all-to-all, matrix: {type: uniform, "
         "bytes_per_pair: 64KB}}, {type: all-to-all, matrix: {type: sparse, density: 0.3, "
         "mean: 256KB}}]"),
    "engines-short.yaml": (_FRAMES, "sweep.workload.matrix.bytes_per_pair=[256B, 4KB]"),
    "engines-spread.yaml": (_FRAMES, _MATRICES),
    "engines.yaml": (_FRAMES, _MATRICES),
    "experts/copies-break-even.yaml": (),
    "experts/copies-deduplicated.yaml": ("sweep.workload.batch.sequence=[64, 512]",),
    "experts/engines-copies.yaml": (_FRAMES, "workload.batch.sequence=128"),
    "experts/experts-age.yaml": _SMALL_TRAINING,
    "experts/experts-fair.yaml":
        ("experts.tokens=256", "experts.iterations=4", "sweep.experts.load.workload=[w1, w5]",
         "sweep.zip={experts.gpus: [8, 64], experts.gpus_per_domain: [8, 64]}"),
    "experts/experts-memory.yaml":
        ("experts.tokens=256", "experts.microbatches=1", "experts.iterations=1",
         "sweep.experts.budget=[8.27GB, 12.3GB]"),
    "experts/experts-memory-training.yaml":
        ("workload.batch.sequence=128", "workload.microbatches=1",
         "sweep.workload.experts=[plain-ep, eplb, ultra-ep]"),
    "experts/experts-overlap.yaml":
        ("workload.batch.sequence=64", "workload.layers=2", "workload.microbatches=2",
         "workload.model.hidden=256", "workload.model.expert_ffn=64"),
    "experts/experts-planning.yaml": ("experts.layers=2",),
    "experts/experts-rails-deepseek.yaml": _SMALL_TRAINING,
    "experts/experts-rails-frames.yaml":
        (_FRAMES, "workload.batch.sequence=64",
         "sweep.zip=[{topology: [{type: rail, domains: 4, spines: 8}, {type: fat-tree, k: 4, "
         "domains: 4, gpus_per_domain: 4, edge_oversubscription: 3}], workload.model: "
         "[{type: mixtral-8x7b, hidden: 256, expert_ffn: 64}, {type: deepseek-v3, "
         "dense_layers: 1, hidden: 256, expert_ffn: 64, experts: 32}], workload.parallel: "
         "[{ep: 8, order: tp-cp-dp-ep-pp}, {ep: 16}]}, {balance: [ecmp, rails, rails], "
         "workload.exchange: [pairs, pairs, deduplicated], workload.experts: "
         "[faster-moe, {type: micro-moe, slots: 2}, {type: rail-aware, slots: 2}]}]"),
    "experts/experts-rails-mixtral.yaml": _SMALL_TRAINING,
    "experts/experts-rails-trace-frames.yaml": (_FLOW,),
    "experts/experts-rails-trace.yaml":
        ("workload.layers=2", "workload.microbatches=1", "workload.iterations=1"),
    "experts/experts-servers.yaml":
        ("experts.tokens=256", "experts.layers=2", "experts.microbatches=2",
         "experts.iterations=2"),
    "experts/experts-slots.yaml":
        ("experts.tokens=256", "experts.layers=2", "experts.microbatches=1",
         "experts.iterations=1"),
    "experts/experts-trace.yaml": ("experts.layers=1", "experts.microbatches=1"),
    "incast.yaml": ("workload.bytes=4MB",),
    "iteration.yaml": (_FRAMES, "workload.iterations=1"),
    "micro-moe/micro-moe-dispatch.yaml": (),
    "micro-moe/micro-moe-iteration.yaml": ("workload.layers=4", "workload.microbatches=2"),
    "micro-moe/micro-moe-nodes.yaml": ("sweep.seed=[1]",),
    "micro-moe/micro-moe-one-stage.yaml": ("workload.layers=2", "workload.microbatches=2"),
    "micro-moe/micro-moe-replacement.yaml": ("workload.layers=4", "workload.microbatches=2"),
    "micro-moe/micro-moe-scheduling.yaml": (),
    "micro-moe/micro-moe-zipf.yaml": (),
    "mixnet/mixnet-8x22b.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-8x7b.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-alpha.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-balanced-8x22b.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-balanced-8x7b.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-birkhoff.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-compute.yaml": ("workload.microbatches=1",),
    "mixnet/mixnet-delay.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-experts-8x22b.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-experts-8x7b.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-failures-detour.yaml":
        ("workload.jobs.training.workload.microbatches=1",
         "workload.jobs.training.workload.layers=8",
         "sweep.workload.jobs.training.workload.compute=[{type: flops, efficiency: 0.4}]"),
    "mixnet/mixnet-failures-r1.yaml":
        ("workload.jobs.training.workload.microbatches=1",),
    "mixnet/mixnet-failures-where.yaml":
        ("workload.jobs.training.workload.microbatches=1",
         "workload.jobs.training.workload.layers=8",
         "sweep.workload.jobs.training.workload.compute=[{type: flops, efficiency: 0.4}]"),
    "mixnet/mixnet-failures.yaml":
        ("workload.jobs.training.workload.microbatches=1",
         "workload.jobs.training.workload.layers=8"),
    "mixnet/mixnet-fixed-8x22b.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-fixed-8x7b.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-llama.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-options.yaml": ("workload.microbatches=1",),
    "mixnet/mixnet-oversubscribed.yaml": ("workload.microbatches=1",),
    "mixnet/mixnet-packets.yaml": ("workload.batch.sequence=64", "workload.layers=1"),
    "mixnet/mixnet-pairs.yaml": ("sweep.seed=[1]", "sweep.workload.load.spread=[0.14]", "workload.microbatches=1"),
    "mixnet/mixnet-pooled.yaml": ("workload.microbatches=1",),
    "mixnet/mixnet-qwen-ep16.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-qwen-ep32.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-qwen-loads.yaml": ("workload.layers=4", "workload.microbatches=1"),
    "mixnet/mixnet-qwen-why.yaml": ("sweep.workload.load=[{type: synthetic, preset: model}]", "workload.microbatches=1"),
    "mixnet/mixnet-rings-8x22b.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-rings-8x7b.yaml": _MIXNET_8X7B,
    "mixnet/mixnet-servers-large.yaml":
        ("workload.microbatches=1", "sweep.zip={topology: [{type: fat-tree, domains: 128, "
         "gpus_per_domain: 8, k: 16}, {type: rail, domains: 128, gpus_per_domain: 8, "
         "leaf_ports: 32, rail_spines: 32}], balance: [ecmp, rail-source]}",
         "workload.batch={micro: 8, global: 2048}"),
    "mixnet/mixnet-servers.yaml": ("workload.microbatches=1",),
    "mixnet/mixnet-static.yaml": ("workload.microbatches=1",),
    "mixnet/mixnet-topoopt-8x22b.yaml": _MIXNET_8X22B,
    "mixnet/mixnet-topoopt-8x7b.yaml": _MIXNET_8X7B,
    "mixtral.yaml": ("workload.matrix.tokens_per_gpu=128",),
    "pro-prophet/pro-prophet-bandwidth.yaml": (),
    "pro-prophet/pro-prophet-hpwnv.yaml":
        ("workload.layers=2", "workload.iterations=1", "sweep.workload.model.top_k=[2]",
         "sweep.workload.model.vocabulary=[50257]", "sweep.workload.compute.efficiency=[0.25]"),
    "pro-prophet/pro-prophet-iterations.yaml":
        ("workload.layers=2", "sweep.workload.load.first_iteration=[0, 90]"),
    "pro-prophet/pro-prophet-layers.yaml": ("sweep.workload.layers=[1, 2]",),
    "pro-prophet/pro-prophet-overlap.yaml": ("workload.layers=2", "sweep.workload.load.first_iteration=[0]"),
    "pro-prophet/pro-prophet-rules.yaml":
        ("workload.layers=2", "workload.iterations=1", "sweep.workload.model.vocabulary=[50257]",
         "sweep.workload.compute.efficiency=[0.25]"),
    "pro-prophet/pro-prophet-skew.yaml": ("workload.layers=2", "workload.copy_pieces=64"),
    "pro-prophet/pro-prophet-tables.yaml":
        ("workload.layers=2", "workload.iterations=1", "sweep.workload.model.top_k=[2]",
         "sweep.workload.model.vocabulary=[50257]", "sweep.workload.compute.efficiency=[0.25]"),
    "pro-prophet/pro-prophet-hot.yaml": (),
    "pro-prophet/pro-prophet-terms.yaml":
        ("sweep.workload.copy_pieces=[16, 64]", "sweep.points=[{workload.experts.excluded: 8}]"),
    "quickstart.yaml": ("workload.matrix.mean=4MB",),
    "rails/apart/apart-deduplicated.yaml": ("sweep.seed=[1]", "sweep.workload.matrix.tokens_per_gpu=[64]"),
    "rails/apart/apart-failures.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: zipf, "
         "exponent: 0.8, bytes_per_gpu: 1MB}]"),
    "rails/apart/apart-neighbour-nics.yaml":
        ("sweep.seed=[1]", "sweep.workload.stages=[[{name: dispatch, type: exchange, matrix: {type: zipf, "
         "exponent: 0.8, bytes_per_gpu: 1MB}}, {name: neighbour, type: send, bytes: 256KB, distance: 9, "
         "stream: neighbour, after: [start]}]]"),
    "rails/apart/apart-neighbour-servers.yaml":
        ("sweep.seed=[1]", "workload.jobs.exchange.workload.matrix.bytes_per_gpu=1MB",
         "workload.jobs.neighbour.workload.bytes=16KB"),
    "rails/apart/apart-neighbour-uplinks.yaml":
        ("sweep.seed=[1]", "workload.jobs.exchange.workload.matrix.bytes_per_pair=200KB",
         "workload.jobs.neighbour.workload.stages=[{name: neighbour, type: send, bytes: 4MB, distance: 16}]"),
    "rails/apart/apart-pieces.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: sparse, density: 0.1, mean: 1MB}]"),
    "rails/apart/apart-rates.yaml": ("sweep.seed=[1]", "sweep.topology.nic_rate=[100Gbps]",
         "sweep.workload.matrix=[{type: moe, tokens_per_gpu: 128, experts: 64, popularity: dirichlet}]"),
    "rails/apart/apart-trace.yaml": ("sweep.seed=[1]", "sweep.workload.matrix.layer=[4]",
         "sweep.workload.matrix.iteration=[1]", "workload.matrix.hidden=256"),
    "rails/chunks/chunks-others.yaml": (_FRAMES, "sweep.engine.type=[frames]", "sweep.seed=[4]",
                                        "sweep.workload.matrix=[{type: zipf, exponent: 0.4, bytes_per_gpu: 3MB}]"),
    "rails/chunks/chunks.yaml": (_FRAMES, "sweep.engine.type=[frames]", "sweep.seed=[1]", "sweep.workload.matrix=["
                                 "{type: uniform, bytes_per_pair: 15625B}, {type: zipf, exponent: 0.8, bytes_per_gpu: 1MB}]"),
    "rails/collectives/after-16x8.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: zipf, "
         "exponent: 1.2, bytes_per_gpu: 1MB}]"),
    "rails/collectives/after-8x8.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: sparse, density: 0.1, mean: 1MB}]"),
    "rails/collectives/collectives-16x8-automatic.yaml": ("sweep.workload.matrix=[{type: zipf, "
         "exponent: 1.2, bytes_per_gpu: 1MB}]",),
    "rails/collectives/collectives-16x8.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: zipf, "
         "exponent: 1.2, bytes_per_gpu: 1MB}]"),
    "rails/collectives/collectives-8x8.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: uniform, "
         "bytes_per_pair: 16KB}, {type: sparse, density: 0.1, mean: 1MB}, {type: moe, "
         "tokens_per_gpu: 128, experts: 64, popularity: dirichlet}]"),
    "rails/collectives/collectives-8x8-automatic.yaml":
        ("sweep.seed=[1]", "sweep.workload.matrix=[{type: sparse, density: 0.1, mean: 625KB}]"),
    "rails/iterations/iterations-frames.yaml": (_FRAMES, "workload.batch.sequence=64", "workload.layers=1",
         "workload.microbatches=1", "workload.model.hidden=256", "workload.model.expert_ffn=64"),
    "measured/primus-chunks.yaml": ("workload.batch.global=256", "workload.layers=16"),
    "rails/iterations/iterations-overlap.yaml":
        ("workload.microbatches=2", "workload.batch.sequence=256", "sweep.topology.nic_rate=[400Gbps]"),
    "rails/iterations/iterations.yaml": ("workload.microbatches=1", "sweep.zip=[{workload.parallel.tp: "
         "[1, 4], workload.parallel.etp: [1, 4]}]", "sweep.topology.nic_rate=[400Gbps]"),
    "rails/published/published-fast.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: sparse, density: 0.1, "
                                            "mean: 1MB}]"),
    "rails/published/published-nimble.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: sparse, density: 0.1, "
                                              "mean: 1MB}]"),
    "rails/sizes/sizes.yaml": ("sweep.workload.matrix.bytes_per_gpu=[256KB]",),
    "rails/theorems/channels-queue-pairs.yaml":
        ("sweep.topology.nvlink_rate=[400Gbps, 2800Gbps]", "workload.matrix.bytes_per_pair=64KB"),
    "rails/theorems/channels.yaml":
        ("sweep.topology.nvlink_rate=[400Gbps, 2800Gbps]", "sweep.workload.matrix=[{type: uniform, "
         "bytes_per_pair: 64KB}]"),
    "rails/theorems/loads.yaml":
        ("sweep.repeat=1", "sweep.workload.matrix=[{type: sparse, mean: 1MB}, {type: zipf, "
         "bytes_per_gpu: 1MB}]", "sweep.zip=[{balance: [rail-source, {type: rails, chunk: whole}, "
         "{type: rails, chunk: 256KB}]}]"),
    "rails/theorems/planning.yaml":
        ("sweep.repeat=1", "sweep.zip=[{workload.matrix: [{type: moe, tokens_per_gpu: 128, experts: 64, "
         "popularity: dirichlet}, {type: moe, tokens_per_gpu: 64, experts: 64}], balance: "
         "[{type: rails, chunk: 64KB, planning_time: 62us}, {type: rails-plus, planning_time: 14us}]}]"),
    "rails/turns/turns.yaml": ("sweep.seed=[1]", "sweep.workload.matrix=[{type: zipf, exponent: 0.8, bytes_per_gpu: 1MB}]"),
    "routing/routing.yaml": (),
    "scale.yaml":
        (_FRAMES, "sweep.topology.domains=[64]", "sweep.workload.matrix=[{type: uniform, "
         "bytes_per_pair: 8KB}, {type: zipf, exponent: 1.2, bytes_per_gpu: 512KB}]"),
    "servers.yaml": ("workload.matrix.mean=1MB",),
    "skew.yaml": ("workload.matrix.bytes_per_gpu=16MB", "switch.buffer=1MiB"),
    "trace.yaml": (),
    "training/training-deepseek.yaml": ("topology.domains=4", "workload.parallel={pp: 4, ep: 8}",
                               "workload.batch.global=16", "workload.batch.sequence=64",
                               "workload.layers=4", "workload.microbatches=1"),
    "training/training-mixtral.yaml": ("workload.batch.sequence=64", "workload.layers=2",
                              "workload.microbatches=1"),
    "training/training-neighbour.yaml":
        ("workload.jobs.training.workload.batch.sequence=64",
         "workload.jobs.training.workload.layers=2",
         "workload.jobs.training.workload.microbatches=1",
         "workload.jobs.neighbour.workload.iterations=1",
         "workload.jobs.neighbour.workload.matrix.tokens_per_gpu=128"),
    "load-balancing/ack-echo/ack-echo-permutation-plb.yaml": (),
    "load-balancing/ack-echo/ack-echo-permutation.yaml": (),
    "load-balancing/figure-01/figure-01-all-to-all-plb.yaml": _PAIRS,
    "load-balancing/figure-01/figure-01-all-to-all.yaml": _PAIRS,
    "load-balancing/figure-01/figure-01-permutation-plb.yaml": (),
    "load-balancing/figure-01/figure-01-permutation.yaml": (),
    "load-balancing/figure-03/figure-03-all-to-all.yaml": _PAIRS,
    "load-balancing/figure-03/figure-03-permutation.yaml": (),
    "load-balancing/figure-04/figure-04-all-to-all.yaml":
        (*_PAIRS, "sweep.failures.convergence=[0s, 7816ns, 31265ns, never]"),
    "load-balancing/figure-04/figure-04-permutation.yaml": (),
    "load-balancing/figure-05/figure-05.yaml": (),
    "load-balancing/figure-06/figure-06.yaml": (),
    "load-balancing/figure-07/figure-07-other-pods.yaml": (),
    "load-balancing/figure-07/figure-07.yaml": (),
    "load-balancing/figure-08/figure-08-all-to-all-250.yaml":
        ("workload.matrix.bytes_per_pair=16KiB",),
    "load-balancing/figure-08/figure-08-all-to-all.yaml": _PAIRS,
    "load-balancing/figure-08/figure-08-permutation.yaml": (),
    "load-balancing/figure-09/figure-09-all-to-all.yaml": _PAIRS,
    "load-balancing/figure-09/figure-09-permutation.yaml": (),
    "load-balancing/figure-10/figure-10-all-to-all-long.yaml":
        ("sweep.workload.matrix.bytes_per_pair=[64KiB, 128KiB]",),
    "load-balancing/figure-10/figure-10-all-to-all.yaml": _PAIRS,
    "load-balancing/figure-10/figure-10-permutation-long.yaml":
        ("sweep.workload.bytes=[3MiB, 12MiB]",),
    "load-balancing/figure-10/figure-10-permutation.yaml":
        ("sweep.workload.bytes=[128KiB, 256KiB, 512KiB, 1MiB, 2MiB]",),
    "load-balancing/figure-11/figure-11-long.yaml": ("workload.bytes=2MiB",),
    "load-balancing/figure-11/figure-11-short.yaml": (),
    "load-balancing/figure-12/figure-12-all-to-all.yaml": _PAIRS,
    "load-balancing/figure-12/figure-12-permutation.yaml": (),
    "load-balancing/figure-13/figure-13.yaml": ("sweep.workload.bytes=[1MiB, 4MiB]",),
    "load-balancing/figure-14/figure-14.yaml": ("sweep.workload.bytes=[416KiB]",),
    "load-balancing/figure-16/figure-16-8192.yaml": ("topology.k=8", "workload.bytes=128KiB"),
    "load-balancing/figure-16/figure-16.yaml": ("workload.bytes=128KiB",),
    "load-balancing/figure-17/figure-17.yaml": ("workload.bytes=64KiB",),
    "load-balancing/figure-18/figure-18.yaml": ("workload.bytes=64KiB",),
    "load-balancing/figure-19/figure-19.yaml": ("workload.bytes=64KiB",),
    "load-balancing/queue-growth/queue-growth-simple-rr-k16.yaml":
        ("sweep.workload.bytes=[64KiB, 128KiB, 256KiB, 512KiB]",),
    "load-balancing/queue-growth/queue-growth-simple-rr-k8.yaml":
        ("sweep.workload.bytes=[256KiB, 512KiB, 1MiB, 2MiB, 4MiB, 8MiB]",),
    "load-balancing/queue-growth/queue-growth.yaml":
        ("sweep.workload.bytes=[256KiB, 512KiB, 1MiB, 2MiB, 4MiB, 8MiB]",),
    "load-balancing/queue-growth/theorems.yaml":
        ("sweep.workload.bytes=[64KiB, 128KiB, 256KiB, 512KiB, 1MiB]",),
    "load-balancing/reps-marks/reps-marks-failures-all-to-all.yaml": _PAIRS,
    "load-balancing/reps-marks/reps-marks-failures-permutation.yaml": (),
    "load-balancing/reps-marks/reps-marks.yaml": ("sweep.workload.bytes=[1MiB, 2MiB]",),
}
_TRACES = {"experts/experts-rails-trace.yaml": "workload.load.path",
           "experts/experts-rails-trace-frames.yaml": "workload.load.path"}
# Studies of experts' policies record nothing of a network.
_STUDIES = {"experts/experts-fair.yaml", "experts/experts-memory.yaml",
            "experts/experts-planning.yaml", "experts/experts-servers.yaml",
            "experts/experts-slots.yaml", "experts/experts-trace.yaml",
            "micro-moe/micro-moe-scheduling.yaml",
            "micro-moe/micro-moe-zipf.yaml", "pro-prophet/pro-prophet-hot.yaml", "routing/routing.yaml"}
# All that can be compared; it changes no result. Some engines have no queues.
_RECORDED = ("record.messages=true", "record.queues=automatic", "record.links=true")
TRACE = "trace.csv"


class ShippedError(Exception):
    """The table does not fit the experiments."""


def check_table():
    """Raises ShippedError unless the table has exactly the experiments that there are."""
    there = {str(path.relative_to(EXPERIMENTS)) for path in EXPERIMENTS.rglob("*.yaml")}
    wrong = sorted(there ^ REDUCTIONS.keys())
    if wrong:
        raise ShippedError(f"{__file__}: error: the table of reductions and the experiments differ "
                           f"in {', '.join(wrong)}")


def write_trace(folder):
    """Writes a trace in place of the recorded one, which is not in this repository."""
    draw = random.Random("trace")
    lines = ["iteration,layer,microbatch,rank," + ",".join(f"e{expert}" for expert in range(32))]
    for iteration in (1, 11, 101, 501, 1001, 3001):
        weights = [draw.random() ** 4 + 0.01 for _ in range(32)]
        for rank in range(16):
            drawn = [weight * draw.uniform(0.5, 1.5) for weight in weights]
            # 2,048 tokens for two experts each: no expert has more than all of them.
            counts = [min(int(4096 * weight / sum(drawn)), 2048) for weight in drawn]
            counts[counts.index(min(counts))] += 4096 - sum(counts)
            lines.append(",".join(map(str, (iteration, 8, 0, rank, *counts))))
    (folder / TRACE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def get_settings(file, folder):
    """Returns what is set in a descriptor, given the folder with the trace."""
    trace = (f"{_TRACES[file]}={folder / TRACE}",) if file in _TRACES else ()
    # A study of experts' policies records nothing of a network.
    recorded = () if file.startswith("experts/experts-") else _RECORDED
    recorded = () if file in _STUDIES else _RECORDED
    return [*REDUCTIONS[file], *trace, *recorded]


def _leaves(value, name=""):
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _leaves(item, f"{name}.{key}")
    else:
        yield name, value


def choose(configurations, seed):
    """Chooses points of a sweep: the first, the last, and as many of the others as it takes for
    every value of every key that varies, seeds excepted.

    configurations -- those of all points, with all defaults
    seed -- decides which of several points with a value is taken
    returns their numbers in order
    """
    values = [set(leaf for leaf in _leaves(configuration) if leaf[0] not in (".seed", ".name"))
              for configuration in configurations]
    chosen = {0, len(values) - 1}
    seen = set().union(*(values[point] for point in chosen))
    order = list(range(len(values)))
    random.Random(seed).shuffle(order)
    for point in order:
        if not values[point] <= seen:
            chosen.add(point)
            seen |= values[point]
    return sorted(chosen)


def _split_objects(text):
    decoder = json.JSONDecoder()
    objects, at = [], 0
    while text[at:].strip():
        at = len(text) - len(text[at:].lstrip())
        found, at = decoder.raw_decode(text, at)
        objects.append(found)
    return objects


def list_points(program, file, settings, folder):
    """Returns the names of the points of a sweep that are to be run.

    folder -- one that is empty
    raises subprocess.CalledProcessError when the program refuses the descriptor
    """
    sets = [word for setting in settings for word in ("--set", setting)]

    def ask(*words):
        return subprocess.run([program, *words, *sets], cwd=EXPERIMENTS, capture_output=True,
                              text=True, check=True).stdout

    configurations = _split_objects(ask("validate", file, "--print"))
    names = [line.split()[1] for line in
             ask("sweep", file, "--dry-run", "--out", folder).splitlines()
             if line.startswith("run ")]
    if len(names) != len(configurations):
        raise ShippedError(f"{file}: error: {len(names)} names of {len(configurations)} points")
    return [names[point] for point in choose(configurations, file)]
