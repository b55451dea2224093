# SPDX-License-Identifier: GPL-2.0-only
"""Small trainings that between them reach every kind of operation, schedule and traffic.

Shipped trainings are shortened to two layers and a micro-batch, so that most of what a pipeline does
never runs in them. These have all that a layer can have, in few bytes: each takes a tenth of a second.
"""

# A dense layer and seven with experts, of a model with latent attention and shared experts.
BASE = {
    "name": "training",
    "topology": {"type": "rail", "domains": 4, "gpus_per_domain": 4, "spines": 2},
    "transport": {"congestion_control": "none"},
    "workload": {
        "type": "training",
        "model": {"type": "deepseek-v3", "layers": 8, "dense_layers": 1, "hidden": 64, "heads": 4,
                  "kv_heads": 4, "head_width": 16, "experts": 16, "expert_ffn": 32,
                  "shared_ffn": 32, "ffn": 128, "vocabulary": 500, "query_rank": 16, "kv_rank": 16,
                  "rope_width": 8, "top_k": 4},
        "parallel": {"pp": 2, "ep": 4},
        "batch": {"global": 32, "sequence": 64},
        "compute": {"type": "flops", "peak": 1e13},
    },
    "balance": {"type": "rails"},
    "engine": {"type": "flow"},
}

_FRAMES = ("engine=frames", "switch.buffer=1GiB")
_FOUR = "workload.parallel={pp: 4, ep: 4}"
_CHUNKS = ("workload.parallel={pp: 2, vpp: 2, ep: 4}", "workload.schedule=interleaved")
_DEDUPLICATED = "workload.exchange=deduplicated"
_AGAIN = "workload.recompute=full"
_SLOW_PLANS = "workload.experts.planning_time=2ms"
_UNEVEN = "workload.load.preset=no-aux"
_MERGED = "workload.schedule={type: 1f1b, overlap: exchange}"
_OPTICAL = ("topology={type: nic-groups, domains: 8, gpus_per_domain: 2, nics_per_domain: 4, fabrics: "
            "{ocs: {type: optical, region: 4}, eps: {type: leaf-spine, leaf_ports: 32, spines: 0}}, "
            "nic_groups: [{nics: [0, 1, 2], fabric: ocs}, {nics: [3], fabric: eps}]}",
            "balance={type: delegates, other: {type: delegates, uses_circuits: false}}",
            "workload.parallel={pp: 2, ep: 8}", "optical.reconfiguration_delay=10us",
            "optical.moves=always")


def _copies(policy, *sets):
    """Returns the settings of a training in which a policy of experts moves or copies some."""
    return (f"workload.experts={policy}", "workload.warm_up=1", "workload.iterations=2",
            _UNEVEN, *sets)


# What each run sets.
POINTS = (
    # Schedules.
    (),
    _FRAMES,
    (_FOUR,),
    (_FOUR, "workload.batch.global=8"),
    ("workload.iterations=2",),
    _CHUNKS,
    (*_CHUNKS, *_FRAMES),
    ("workload.parallel={pp: 4, vpp: 2, ep: 4}", "workload.schedule=interleaved"),
    (*_CHUNKS, "workload.iterations=2", "workload.layers=7"),
    ("workload.schedule=zero-bubble",),
    ("workload.schedule=zero-bubble", _FOUR, *_FRAMES),
    ("workload.schedule=zero-bubble", "workload.parallel={tp: 2, cp: 2, pp: 2, ep: 4, etp: 2}",
     _DEDUPLICATED, "workload.iterations=2"),
    ("workload.parallel={pp: 4, ep: 4, layout: [3, 2, 2, 1]}",),
    ("workload.parallel={pp: 2, vpp: 2, ep: 4, layout: Et|(tt|)*2tttmL}",
     "workload.schedule=interleaved"),
    # What is computed again.
    (_AGAIN,),
    (_AGAIN, *_CHUNKS),
    ("workload.recompute=[mla_up_proj]", _FOUR),
    # Tensor, context and expert-tensor parallelism.
    ("workload.parallel={tp: 2, cp: 2, pp: 2, ep: 4}",),
    ("workload.parallel={tp: 2, cp: 2, pp: 2, ep: 4}", _AGAIN, *_FRAMES),
    ("workload.parallel={tp: 4, pp: 2, ep: 2, etp: 4}",),
    ("workload.parallel={cp: 4, pp: 2, ep: 2, etp: 2}", _AGAIN),
    ("workload.parallel={tp: 2, pp: 2, vpp: 4, ep: 2, etp: 2}", "workload.schedule=interleaved"),
    ("workload.parallel={tp: 2, cp: 2, ep: 8, etp: 2}", _DEDUPLICATED),
    # Exchanges.
    (_DEDUPLICATED, "workload.parallel={pp: 2, ep: 8}"),
    (_DEDUPLICATED, "workload.parallel={pp: 2, ep: 8}", _AGAIN, *_FRAMES),
    (_DEDUPLICATED, *_CHUNKS),
    # Gradients and parameters.
    ("workload.collectives.algorithm=hierarchical",),
    ("workload.collectives.algorithm=tree",),
    ("workload.collectives.rings=1", "workload.ring_steps=2"),
    ("workload.communicators=shared",),
    ("balance.other=even-split",),
    # Parameters.
    ("workload.data=fsdp", "workload.parallel={ep: 4}", "workload.iterations=2"),
    ("workload.data=fsdp", "workload.parallel={ep: 4}", *_FRAMES),
    ("workload.data=plain",),
    # Compute.
    ("workload.compute={type: given, attention: 20us, gate: 2us, shared: 3us, dense: 4us, "
     "head: 5us, optimizer: 6us, expert_token: 50ns}",),
    ("workload.compute={type: table, path: times.csv}",),
    ("workload.compute.slow_gpu=3", "workload.compute.slow_factor=1.5"),
    # Copies of experts, and experts that move.
    _copies("ultra-ep"),
    _copies("ultra-ep", *_FRAMES),
    _copies("ultra-ep", *_CHUNKS, _DEDUPLICATED),
    _copies("ultra-ep", _AGAIN, "workload.expert_transfers=blocking"),
    _copies("{type: pro-prophet, balance_tolerance: 0, excluded: 0}", _SLOW_PLANS),
    _copies("{type: pro-prophet, balance_tolerance: 0, excluded: 0}", *_CHUNKS, _AGAIN),
    _copies("{type: pro-prophet, balance_tolerance: 0, excluded: 0}",
            "workload.expert_transfers=overlapped"),
    _copies("{type: faster-moe}"),
    _copies("{type: micro-moe, slots: 1}", "workload.merged_groups=2"),
    _copies("{type: flex-moe, period: 1}", _FOUR),
    _copies("{type: smart-moe, period: 1}", *_CHUNKS),
    _copies("{type: plain-ep, padding: max}"),
    _copies("{type: eplb, period: 1}", _SLOW_PLANS),
    _copies("{type: epic, period: 1}"),
    _copies("{type: epic, period: 1}", *_FRAMES),
    # Circuits.
    _OPTICAL,
    (*_OPTICAL, _AGAIN, "workload.exchange=deduplicated"),
    (*_OPTICAL, "optical.backward=charged", "workload.experts=ultra-ep"),
    (*_OPTICAL, "optical.prediction=copilot"),
    (*_OPTICAL, "optical.prediction=previous"),
    (*_OPTICAL, "optical.circuits=birkhoff"),
    (*_OPTICAL, "optical.circuits={type: patient, proposed: exact}"),
    (*_OPTICAL, "workload.schedule=interleaved", "workload.parallel.vpp=2"),
    (*_OPTICAL, "workload.schedule=zero-bubble"),
    # Passes that are merged.
    (_MERGED,),
    (_MERGED, *_FRAMES, "workload.parallel={tp: 2, cp: 2, ep: 4, etp: 2}"),
    (*_CHUNKS[:1], _MERGED.replace("1f1b", "interleaved"), _DEDUPLICATED),
    (_MERGED.replace("}", ", delayed_weights: true}"), _FOUR),
    (_MERGED, *_copies("{type: ultra-ep, slots: 1}")),
    (_FOUR, "workload.schedule=dualpipe"),
    (_FOUR, "workload.schedule=dualpipe", *_FRAMES, _DEDUPLICATED),
)
