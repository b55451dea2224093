# SPDX-License-Identifier: GPL-2.0-only
"""What each GPU does in a training, in order (doc/training.rst, "What a GPU does").

Times are picoseconds, sizes bytes, computing is counted in floating-point operations.
"""

import csv
import math
from collections import defaultdict
from dataclasses import dataclass, field

from collective_steps import ALL_GATHER, REDUCE_SCATTER, Choice, Step, choose, make_lanes

COMPUTE, COMMUNICATION, PIPELINE, DATA, EXCHANGE = STREAMS = range(5)
COMMUNICATORS = {
    kind: number for number, kind in enumerate(
        ["dispatch", "combine", "tensor", "context", "pipeline", "expert-tensor", "data",
         "expert-data"])}
BACKWARD = 2  # times what the way forward takes
WEIGHTS = 1  # of these, for gradients of parameters
OPTIMIZER_BYTES = 24  # read and written of a parameter's master weight and moments
# When pieces of a layer are begun, where a pass forward and one backward are merged.
COMBINE_BACK, ATTENTION, EXPERTS_BACK, DISPATCH, DISPATCH_BACK, EXPERTS, COMBINE, ATTENTION_BACK = (
    PIECES) = range(8)
ALMOST = 1e-4  # of a picosecond: what is whole already does not become one more


@dataclass
class Operation:
    """A part of a stream.

    waits -- (stream, how many operations of it have to be over)
    lanes -- of what communicates: (rails by GPU or None, this GPU's steps)
    name -- the same at all that take part, so that what comes is told apart
    place -- iteration, stage and number in it: in this order goes what is posted in one instant
    party -- GPUs of the server that plan it together, when the last has come to it; else None
    """

    waits: list
    duration: int | None = None
    lanes: list = field(default_factory=list)
    name: tuple = ()
    place: tuple = ()
    communicator: int = 0
    party: tuple | None = None


@dataclass
class Layout:
    """Who holds what: coordinates of GPUs among attention and among experts."""

    gpus: int
    tp: int
    cp: int
    pp: int
    ep: int
    etp: int
    order: str

    def __post_init__(self):
        self.dp = self.gpus // (self.tp * self.cp * self.pp)
        self.edp = self.gpus // (self.etp * self.ep * self.pp)
        attention = {"tp": self.tp, "cp": self.cp, "dp": self.dp, "pp": self.pp}
        experts = {"tp": self.etp, "ep": self.ep, "dp": self.edp, "pp": self.pp}
        self._places = {}
        for name, sizes in (("attention", attention), ("experts", experts)):
            axes = [(axis, sizes[axis]) for axis in self.order.split("-") if axis in sizes]
            self._places[name] = [self._divide(gpu, axes) for gpu in range(self.gpus)]
        self._groups = {}

    @staticmethod
    def _divide(gpu, axes):
        place = {}
        for axis, size in axes:
            gpu, place[axis] = divmod(gpu, size)
        return place

    def stage_of(self, gpu):
        return self._places["attention"][gpu]["pp"]

    def find_at_stage(self, gpu, stage):
        """The GPU with the same place in another stage."""
        wanted = {**self._places["attention"][gpu], "pp": stage}
        return self._places["attention"].index(wanted)

    def list_groups(self, what, axes):
        """Groups of GPUs that differ in some axes alone, by GPU, in the order of numbers."""
        key = what, axes
        if key not in self._groups:
            members = defaultdict(list)
            for gpu, place in enumerate(self._places[what]):
                members[tuple(at for axis, at in place.items() if axis not in axes)].append(gpu)
            self._groups[key] = {gpu: group for group in members.values() for gpu in group}
        return self._groups[key]


def order_passes(stage, stages, chunks, microbatches, merges=False):
    """The schedule of a stage: 1F1B, or interleaved with several chunks (arXiv 2104.04473).

    merges -- a pass forward goes with one backward that does not depend on it
    returns a list of turns, each a list of (whether forward, micro-batch, chunk)
    """
    passes = microbatches * chunks

    def find(number, is_forward):
        if chunks == 1:
            return is_forward, number, 0
        turn, at = divmod(number, stages * chunks)
        chunk = at // stages
        return (is_forward, turn * stages + at % stages,
                chunk if is_forward else chunks - 1 - chunk)

    behind = stages - 1 - stage
    ahead = behind if chunks == 1 and not merges else 2 * behind + (chunks - 1) * stages + merges
    ahead = min(passes, ahead)
    order = [[find(number, True)] for number in range(ahead)]
    for number in range(passes):
        turn = [find(number + ahead, True)] if number + ahead < passes else []
        turn.append(find(number, False))
        order += [turn] if merges else [[each] for each in turn]
    return order


def order_zero_bubble(stage, stages, microbatches):
    """The schedule ZB-H1 of a stage (arXiv 2401.10241): the passes of 1F1B, gradients of parameters
    as many micro-batches later as there are stages before.

    returns a list of (what, micro-batch, chunk), what being "forward", "inputs" or "weights"
    """
    order, later = [], list(range(microbatches))
    for (is_forward, microbatch, _), in order_passes(stage, stages, 1, microbatches):
        order.append(("forward" if is_forward else "inputs", microbatch, 0))
        if not is_forward and microbatch >= stage:
            order.append(("weights", later.pop(0), 0))
    return order + [("weights", microbatch, 0) for microbatch in later]


class Model:
    """Parameters of a model, and operations for a token."""

    def __init__(self, keys):
        self.layers = keys["layers"]
        self.dense_layers = keys.get("dense_layers", 0)
        self.hidden = keys["hidden"]
        self.heads = keys["heads"]
        self.kv_heads = keys["kv_heads"]
        self.head_width = keys["head_width"]
        self.ffn = keys.get("ffn", 0)
        self.experts = keys["experts"]
        self.top_k = keys["top_k"]
        self.expert_hidden = keys.get("expert_hidden", 0) or self.hidden
        self.expert_ffn = keys["expert_ffn"]
        self.shared_ffn = keys.get("shared_ffn", 0)
        self.vocabulary = keys["vocabulary"]
        self.query_rank = keys.get("query_rank", 0)
        self.kv_rank = keys.get("kv_rank", 0)
        self.rope_width = keys.get("rope_width", 0)
        self.matrices = 3 if keys.get("gated", True) else 2

    @property
    def ends(self):
        """Parameters of the embedding, and as many of the head."""
        return self.vocabulary * self.hidden

    @property
    def attention(self):
        """Parameters of the projections of a layer."""
        width = self.heads * self.head_width
        if self.kv_rank == 0:
            return 2 * self.hidden * (width + self.kv_heads * self.head_width)
        rotated = self.heads * (self.head_width + self.rope_width)
        queries = (self.query_rank * (self.hidden + rotated) if self.query_rank
                   else self.hidden * rotated)
        return (queries + self.hidden * (self.kv_rank + self.rope_width)
                + self.kv_rank * 2 * width + width * self.hidden)

    @property
    def projected_again(self):
        """Parameters that take compressed queries, keys and values to heads."""
        if self.kv_rank == 0:
            return 0
        return (self.query_rank * self.heads * (self.head_width + self.rope_width)
                + self.kv_rank * 2 * self.heads * self.head_width)

    @property
    def core(self):
        """Multiplications of attention for a token and one before it."""
        return self.heads * (2 * self.head_width + self.rope_width)

    def count_kv(self, tp):
        """Elements of a token's keys and values that a GPU sends to another."""
        if self.kv_rank:
            return self.kv_rank + self.rope_width
        return max(1.0, self.kv_heads / tp) * 2 * self.head_width

    def count_ffn(self, hidden, width):
        return self.matrices * hidden * width

    @property
    def expert(self):
        return self.count_ffn(self.expert_hidden, self.expert_ffn)

    def count_replicated(self, layer):
        """Parameters of a layer besides its routed experts."""
        if layer < self.dense_layers:
            return self.attention + self.count_ffn(self.hidden, self.ffn)
        return (self.attention + self.count_ffn(self.hidden, self.shared_ffn)
                + self.hidden * self.experts)


class Loads:
    """How many tokens each GPU of a group has for each expert."""

    def __init__(self, load, model, layout, tokens):
        self._model = model
        self._ep = layout.ep
        self._tokens = tokens
        self._recorded = None
        self._known = {}
        if load["type"] == "trace":
            self._read(load["path"])
        elif (load["type"], load["workload"]) != ("imbalance", "w0"):
            raise ValueError(f"cannot compute the load {load}")
        elif tokens * model.top_k % model.experts and model.dense_layers < model.layers:
            raise ValueError(f"{tokens} x {model.top_k} tokens are not alike for all experts")

    def _read(self, path):
        self._recorded = {}
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                place = tuple(int(row[key]) for key in ("iteration", "layer", "microbatch", "rank"))
                self._recorded[place] = [int(row[f"e{expert}"])
                                         for expert in range(self._model.experts)]

    def count(self, iteration, layer, microbatch):
        """Tokens of each member for the experts of each other: a matrix."""
        place = (iteration, layer - self._model.dense_layers, microbatch)
        if place not in self._known:
            self._known[place] = [self._sum(self._find(*place, rank)) for rank in range(self._ep)]
        return self._known[place]

    def _find(self, iteration, layer, microbatch, rank):
        if self._recorded is None:
            return [self._tokens * self._model.top_k // self._model.experts] * self._model.experts
        return self._recorded[iteration, layer, microbatch, rank]

    def _sum(self, row):
        each = self._model.experts // self._ep
        return [sum(row[first:first + each]) for first in range(0, len(row), each)]


@dataclass
class Slot:
    """What a GPU is writing: a micro-batch's way through a chunk of layers.

    computed -- the last computing in it, as a wait
    awaited -- what the next computing waits for
    times -- what has parameters takes on its way back, in ways forward
    delays -- gradients of parameters come behind those of activations
    """

    iteration: int
    microbatch: int
    times: int = BACKWARD
    delays: bool = False
    computed: tuple | None = None
    awaited: tuple | None = None

    def exchange(self, awaited):
        before, self.awaited = self.awaited, awaited
        return before


class Training:
    """A training as operations of each GPU and stream."""

    def __init__(self, workload, cluster, compute):
        keys = workload["parallel"]
        self.cluster = cluster
        self.compute = compute
        self.model = Model(workload["model"])
        if workload.get("layers"):
            self.model.layers = min(self.model.layers, workload["layers"])
        self.layout = Layout(cluster.gpus, *(keys.get(axis, 1) for axis in (
            "tp", "cp", "pp", "ep", "etp")), keys.get("order", "tp-cp-ep-dp-pp"))
        self.chunks = keys.get("vpp", 1)
        schedule = workload.get("schedule", "1f1b")
        schedule = schedule if isinstance(schedule, dict) else {"type": schedule}
        self.schedule = schedule["type"]
        self.merges = schedule.get("overlap", "none") == "exchange"
        self.delays = schedule.get("delayed_weights", False)
        self._dealt = keys.get("layout", "even")
        batch = workload["batch"]
        self.sequence = batch["sequence"]
        self.group_tokens = batch["micro"] * self.sequence / self.layout.cp
        self.tokens = batch["micro"] * self.sequence // (self.layout.cp * self.layout.tp)
        self.microbatches = batch["global"] // (batch["micro"] * self.layout.dp)
        if workload.get("microbatches"):
            self.microbatches = min(self.microbatches, workload["microbatches"])
        self.loads = Loads(workload["load"], self.model, self.layout, self.tokens)
        self.recompute = workload.get("recompute", "none")
        self.iterations = workload.get("iterations", 1)
        self.element = 2
        self.gradient = 4
        self._collectives = workload["collectives"]
        self._shared_queues = workload.get("communicators", "separate") == "shared"
        self._lanes = {}

    def find_communicator(self, kind):
        return 0 if self._shared_queues else COMMUNICATORS[kind]

    def find_layers(self, part):
        """Layers of a chunk, counted over all stages; what is left over goes to the first, unless
        a list says how many each has."""
        if self._dealt != "even":
            first = sum(self._dealt[:part])
            return range(first, first + self._dealt[part])
        parts = self.layout.pp * self.chunks
        each, more = divmod(self.model.layers, parts)
        return range(each * part + min(part, more), each * (part + 1) + min(part + 1, more))

    def get_lanes(self, gpu, kind, operation, size):
        """A GPU's lanes of a collective."""
        groups, choice = self._choose(kind)
        group = groups[gpu]
        key = kind, tuple(group), operation, size
        if key not in self._lanes:
            self._lanes[key] = make_lanes(group, self.cluster.gpus_per_server, operation, size,
                                          choice)
        return [(rails, steps[gpu]) for rails, steps in self._lanes[key]]

    def _choose(self, kind):
        what, axes = {"tensor": ("attention", ("tp",)), "context": ("attention", ("cp",)),
                      "data": ("attention", ("cp", "dp")),
                      "expert-data": ("experts", ("dp",))}[kind]
        groups = self.layout.list_groups(what, axes)
        if kind == "context":
            return groups, Choice("ring", 1)
        every = list({tuple(group): group for group in groups.values()}.values())
        return groups, choose(every, self.cluster.gpus_per_server, **self._collectives)

    def write(self, gpu):
        """returns the streams of a GPU, lists of operations"""
        return GpuWriter(self, gpu).write()


class GpuWriter:
    """Writes down what a GPU does."""

    def __init__(self, training, gpu):
        self._training = training
        self._model = training.model
        self._layout = training.layout
        self._gpu = gpu
        self._stage = self._layout.stage_of(gpu)
        self._streams = [[] for _ in STREAMS]
        self._begun = [0 for _ in STREAMS]  # operations of the iterations before
        self._slot = None
        self._drained = None  # computing of turns before

    def write(self):
        for iteration in range(self._training.iterations):
            self._begun = [len(stream) for stream in self._streams]
            for turn in self._order():
                self._take_turns(iteration, turn)
            self._slot = Slot(iteration, -1)
            self._update()
        return self._streams

    def _take_turns(self, iteration, passes):
        """Writes passes that are merged: of each it is known when its next piece is begun."""
        under_way = []
        self._drained = COMPUTE, len(self._streams[COMPUTE])
        for what, microbatch, chunk in passes:
            self._slot = Slot(iteration, microbatch)
            pieces = what(chunk * self._layout.pp + self._stage)
            under_way.append([next(pieces), self._slot, pieces])
        while under_way:
            first = min(under_way, key=lambda each: each[0])
            _, self._slot, pieces = first
            first[0] = next(pieces, None)
            if first[0] is None:
                under_way.remove(first)

    def _order(self):
        """returns what the stage does, as turns of (function of a part, micro-batch, chunk)"""
        training = self._training
        if training.schedule == "zero-bubble":
            does = {"forward": self._go_forward, "inputs": self._go_back_alone,
                    "weights": self._compute_gradients}
            order = [[each] for each in
                     order_zero_bubble(self._stage, self._layout.pp, training.microbatches)]
        else:
            does = {True: self._go_forward, False: self._go_back}
            order = order_passes(self._stage, self._layout.pp, training.chunks,
                                 training.microbatches, training.merges)
        return [[(does[what], microbatch, chunk) for what, microbatch, chunk in turn]
                for turn in order]

    def _add(self, stream, operation):
        """returns what waits for it as (stream, count)"""
        operations = self._streams[stream]
        if len(operations) == self._begun[stream]:
            operation.waits += list(enumerate(self._begun))
        operations.append(operation)
        operation.place = (self._slot.iteration, self._stage, sum(map(len, self._streams)))
        return stream, len(operations)

    def _compute(self, duration):
        waits = [wait for wait in [self._slot.exchange(None)] if wait]
        slowed = self._training.compute.slow(self._gpu, duration)
        self._slot.computed = self._add(COMPUTE, Operation(waits, duration=slowed))

    def _communicate(self, stream, kind, name, lanes, party=None, waits=()):
        waits = [wait for wait in (self._slot.computed, *waits) if wait]
        name = (kind, self._slot.iteration, self._slot.microbatch, *name)
        return self._add(stream, Operation(
            waits, lanes=lanes, name=name, party=party,
            communicator=self._training.find_communicator(kind)))

    def _await(self, *arguments, stream=COMMUNICATION, waits=(), **more):
        """What is computed next waits for this, and this for what that waited for."""
        self._slot.awaited = self._communicate(
            stream, *arguments, waits=[*waits, self._slot.awaited], **more)

    def _collective(self, stream, kind, operation, size, name):
        """returns the operation as a wait; None where a GPU is alone"""
        lanes = self._training.get_lanes(self._gpu, kind, operation, size)
        return self._communicate(stream, kind, (operation, *name), lanes)

    # A layer

    def _tensor(self, operation, name):
        if self._layout.tp > 1:
            size = round(self._training.group_tokens * self._model.hidden) * self._training.element
            lanes = self._training.get_lanes(self._gpu, "tensor", operation, size)
            self._await("tensor", (operation, *name), lanes)

    def _attend(self, projections, core):
        """Computes so many times the projections of attention, and its core."""
        training = self._training
        tokens = training.group_tokens / self._layout.tp
        of_projections = 2 * tokens * self._model.attention
        of_core = tokens * training.sequence * self._model.core
        part = projections * of_projections + core * of_core
        share = part / (of_projections + of_core)
        self._compute(training.compute.count("attention", part, 1, share=share))

    def _attention(self, times, name):
        training = self._training
        projections = self._slot.times if times == BACKWARD else times
        if self._layout.cp == 1:
            self._attend(projections, times)
            return
        self._attend(projections / 2, 0)
        block = training.group_tokens * self._model.count_kv(self._layout.tp)
        size = round(block * times) * training.element * self._layout.cp
        ring = self._collective(COMMUNICATION, "context", ALL_GATHER, size, name)
        self._attend(0, times)
        self._slot.awaited = ring
        self._attend(projections / 2, 0)

    def _compute_dense(self, times):
        flops = 2 * self._training.group_tokens / self._layout.tp * self._model.count_ffn(
            self._model.hidden, self._model.ffn)
        self._compute(self._training.compute.count("dense", flops, times))

    def _dense(self, times, name):
        self._tensor(ALL_GATHER, (*name, "dense"))
        self._compute_dense(times)
        self._tensor(REDUCE_SCATTER, (*name, "dense"))

    def _gate(self, times):
        flops = 2 * self._training.tokens * self._model.hidden * self._model.experts
        self._compute(self._training.compute.count("gate", flops, times))

    def _shared(self, times):
        if self._model.shared_ffn == 0:
            return
        flops = 2 * self._training.tokens * self._model.count_ffn(
            self._model.hidden, self._model.shared_ffn)
        self._compute(self._training.compute.count("shared", flops, times))

    def _shared_beside_tokens(self, times, before):
        """Shared experts are computed while tokens travel, unless others compute meanwhile."""
        if not self._training.merges:
            tokens = self._slot.exchange(before)
            self._shared(times)
            self._slot.exchange(tokens)

    def _shared_beside_gate(self, times):
        if self._training.merges:
            self._shared(times)

    def _count_tokens(self, layer):
        return self._training.loads.count(self._slot.iteration, layer, self._slot.microbatch)

    def _count_received(self, gpu, layer):
        at = self._layout.list_groups("experts", ("ep",))[gpu].index(gpu)
        return sum(row[at] for row in self._count_tokens(layer))

    def _experts(self, layer, times):
        group = self._layout.list_groups("experts", ("tp",))[self._gpu]
        tokens = sum(self._count_received(gpu, layer) for gpu in group) / len(group)
        flops = 2 * tokens * self._model.expert
        self._compute(self._training.compute.count("experts", flops, times, tokens=tokens))

    def _route(self, is_there, kind, layer, name):
        """Tokens go to their experts, or come back."""
        group = self._layout.list_groups("experts", ("ep",))[self._gpu]
        if len(group) == 1:
            return
        counts = self._count_tokens(layer)
        own = group.index(self._gpu)
        there = counts[own]
        here = [row[own] for row in counts]
        sent, got = (there, here) if is_there else (here, there)
        self._trade(kind, (*name, is_there), group, sent, got)

    def _gather_tokens(self, is_gathered, layer, name):
        """GPUs that share experts give each other their tokens, or return the sums."""
        group = self._layout.list_groups("experts", ("tp",))[self._gpu]
        if len(group) == 1:
            return
        held = [self._count_received(gpu, layer) for gpu in group]
        own = [held[group.index(self._gpu)]] * len(group)
        sent, got = (own, held) if is_gathered else (held, own)
        self._trade("expert-tensor", (*name, is_gathered), group, sent, got)

    def _trade(self, kind, name, group, sent, got):
        """An exchange, planned with those of the group on the same server."""
        unit = self._model.expert_hidden * self._training.element
        step = Step([(gpu, tokens * unit) for gpu, tokens in zip(group, sent)
                     if gpu != self._gpu and tokens > 0])
        step.received = sum(tokens * unit for gpu, tokens in zip(group, got) if gpu != self._gpu)
        server_of = self._training.cluster.server_of
        party = tuple(gpu for gpu in group if server_of(gpu) == server_of(self._gpu))
        stream = EXCHANGE if self._training.merges else COMMUNICATION
        self._await(kind, name, [(None, [step])], party=party, stream=stream)

    def _layer_forward(self, layer, way):
        """yields pieces as they are begun"""
        name = (layer, way)
        yield ATTENTION
        self._tensor(ALL_GATHER, name)
        self._attention(1, name)
        self._tensor(REDUCE_SCATTER, name)
        if layer < self._model.dense_layers:
            yield EXPERTS
            self._dense(1, name)
            return
        self._shared_beside_gate(1)
        self._gate(1)
        before = self._slot.awaited
        yield DISPATCH
        self._route(True, "dispatch", layer, name)
        self._gather_tokens(True, layer, name)
        yield EXPERTS
        self._shared_beside_tokens(1, before)
        self._experts(layer, 1)
        yield COMBINE
        self._gather_tokens(False, layer, name)
        self._route(False, "combine", layer, name)

    def _layer_back(self, layer):
        """yields pieces as they are begun"""
        name = (layer, "back")
        times, delays = self._slot.times, self._slot.delays
        is_last = self._completes()
        if layer < self._model.dense_layers:
            yield EXPERTS_BACK
            self._dense(times, name)
            yield DISPATCH_BACK
            if delays:
                self._meanwhile(lambda: self._compute_dense(WEIGHTS))
            yield ATTENTION_BACK
        else:
            before = self._slot.awaited
            self._route(True, "dispatch", layer, name)
            self._gather_tokens(True, layer, name)
            yield EXPERTS_BACK
            self._shared_beside_tokens(times, before)
            self._experts(layer, times)
            if is_last and not delays:
                self._reduce("expert-data", self._count_experts(), name)
            yield DISPATCH_BACK
            self._gather_tokens(False, layer, name)
            self._route(False, "combine", layer, name)
            if delays:
                self._meanwhile(lambda: self._expert_gradients(layer))
            yield ATTENTION_BACK
            self._gate(BACKWARD if delays else times)
            self._shared_beside_gate(times)
        if self._training.merges and self._training.recompute not in ("none", "full"):
            self._project_again()
        self._tensor(ALL_GATHER, name)
        self._attention(BACKWARD, name)
        self._tensor(REDUCE_SCATTER, name)
        if is_last and not delays:
            self._reduce("data", self._model.count_replicated(layer) / self._layout.tp, name)

    def _meanwhile(self, compute):
        """Computes beside what is awaited."""
        computed, awaited = self._slot.computed, self._slot.exchange(None)
        compute()
        self._slot.exchange(awaited)
        self._slot.computed = computed

    def _expert_gradients(self, layer):
        self._experts(layer, WEIGHTS)
        if self._completes():
            self._reduce("expert-data", self._count_experts(), (layer, "back"))

    def _attention_gradients(self, layer):
        if layer >= self._model.dense_layers:
            self._shared(WEIGHTS)
        self._attend(WEIGHTS, 0)
        if self._completes():
            self._reduce("data", self._model.count_replicated(layer) / self._layout.tp,
                         (layer, "back"))

    def _layer_gradients(self, layer):
        """Gradients of parameters alone."""
        name = (layer, "back")
        if layer < self._model.dense_layers:
            self._compute_dense(WEIGHTS)
        else:
            self._shared(WEIGHTS)
            self._experts(layer, WEIGHTS)
            if self._completes():
                self._reduce("expert-data", self._count_experts(), name)
            self._gate(WEIGHTS)
        self._attend(WEIGHTS, 0)
        if self._completes():
            self._reduce("data", self._model.count_replicated(layer) / self._layout.tp, name)

    def _completes(self):
        """Whether gradients of parameters are complete behind this."""
        return ((self._slot.times == BACKWARD or self._slot.delays)
                and self._slot.microbatch == self._training.microbatches - 1)

    # Replicas

    def _count_replicas(self, kind):
        return self._layout.dp * self._layout.cp if kind == "data" else self._layout.edp

    def _count_experts(self):
        """Parameters of a layer's experts on a GPU."""
        return self._model.expert * (self._model.experts // self._layout.ep) / self._layout.etp

    def _replicate(self, kind, operation, size, name):
        if self._count_replicas(kind) > 1 and size > 0:
            self._collective(DATA, kind, operation, size, name)

    def _reduce(self, kind, parameters, name):
        size = math.floor(parameters * self._training.gradient + 0.5)
        self._replicate(kind, REDUCE_SCATTER, size, name)

    def _count_ends(self, is_first, is_last):
        return (is_first + is_last) * self._model.ends / self._layout.tp

    def _update(self):
        training, model, layout = self._training, self._model, self._layout
        dense = self._count_ends(self._stage == 0, self._stage == layout.pp - 1)
        experts = 0
        for chunk in range(training.chunks):
            for layer in training.find_layers(chunk * layout.pp + self._stage):
                dense += model.count_replicated(layer) / layout.tp
                experts += 0 if layer < model.dense_layers else self._count_experts()
        traffic = (OPTIMIZER_BYTES + training.gradient + training.element) * (
            dense / self._count_replicas("data") + experts / self._count_replicas("expert-data"))
        self._slot.awaited = (DATA, len(self._streams[DATA]))
        self._compute(training.compute.count_optimizer(traffic))
        for kind, parameters in (("data", dense), ("expert-data", experts)):
            size = math.floor(parameters * training.element + 0.5)
            self._replicate(kind, ALL_GATHER, size, ("update", self._stage))

    # A micro-batch on its way through a chunk of layers

    def _go_forward(self, part):
        """yields when its pieces are begun, as the others do, as numbers"""
        is_first, is_last = part == 0, part == self._layout.pp * self._training.chunks - 1
        layers = self._training.find_layers(part)
        yield ATTENTION
        if not is_first:
            self._receive(("there", part))
        for number, layer in enumerate(layers):
            for piece in self._layer_forward(layer, "there"):
                yield number * len(PIECES) + piece
        if not is_last:
            self._send(("there", part + 1), part + 1)
            return
        yield len(layers) * len(PIECES) + ATTENTION
        self._head(1)

    def _go_back(self, part):
        is_first, is_last = part == 0, part == self._layout.pp * self._training.chunks - 1
        delays = self._training.delays
        yield 0
        if not is_last:
            self._receive(("back", part))
        else:
            self._head(self._slot.times)
        if delays:
            self._slot.delays, self._slot.times = True, BACKWARD - WEIGHTS
        layers = list(reversed(self._training.find_layers(part)))
        for number, layer in enumerate(layers):
            yield number * len(PIECES) + COMBINE_BACK
            if self._training.recompute == "full":
                for _ in self._layer_forward(layer, "again"):
                    pass
            elif self._training.recompute != "none" and not self._training.merges:
                self._project_again()
            for piece in self._layer_back(layer):
                yield number * len(PIECES) + piece
            if delays and layer != layers[-1]:
                self._meanwhile(lambda of=layer: self._attention_gradients(of))
        if self._completes():
            self._reduce("data", self._count_ends(is_first, is_last), ("ends", part))
        if not is_first:
            self._send(("back", part - 1), part - 1)
        if delays and layers:
            self._meanwhile(lambda: self._attention_gradients(layers[-1]))

    def _go_back_alone(self, part):
        """Gradients of activations alone."""
        self._slot.times = BACKWARD - WEIGHTS
        yield from self._go_back(part)

    def _compute_gradients(self, part):
        yield 0
        is_first, is_last = part == 0, part == self._layout.pp - 1
        if is_last:
            self._head(WEIGHTS)
        for layer in reversed(self._training.find_layers(part)):
            self._layer_gradients(layer)
        if self._completes():
            self._reduce("data", self._count_ends(is_first, is_last), ("ends", part))

    def _project_again(self):
        tokens = self._training.group_tokens / self._layout.tp
        flops = 2 * tokens * self._model.projected_again
        whole = tokens * (2 * self._model.attention + self._training.sequence * self._model.core)
        self._compute(self._training.compute.count("attention", flops, 1, share=flops / whole))

    def _head(self, times):
        flops = 2 * self._training.group_tokens / self._layout.tp * self._model.ends
        self._compute(self._training.compute.count("head", flops, times))

    def _pipeline_bytes(self):
        return self._training.tokens * self._model.hidden * self._training.element

    def _receive(self, name):
        """A micro-batch comes; what was computed in turns before is over first."""
        self._await("pipeline", name, [(None, [Step([], self._pipeline_bytes())])],
                    waits=[self._drained])

    def _send(self, name, part):
        peer = self._layout.find_at_stage(self._gpu, part % self._layout.pp)
        self._communicate(PIPELINE, "pipeline", name,
                          [(None, [Step([(peer, self._pipeline_bytes())])])],
                          waits=[self._slot.awaited])


class Compute:
    """How long GPUs compute, in whole picoseconds."""

    def __init__(self, keys):
        self._peak = keys.get("peak", 989e12) * keys.get("efficiency", 0.5)
        self._memory = keys["memory_rate"]
        self._given = keys.get("given")
        self._slow = keys.get("slow_gpu", 0), keys.get("slow_factor", 1)

    @staticmethod
    def _round(seconds):
        return math.ceil(seconds * 1e12 - ALMOST)

    def count(self, part, flops, times, share=1.0, tokens=1.0):
        """
        part -- of a layer
        times -- how many times what the way forward takes
        share -- of attention
        tokens -- of experts
        """
        if self._given is None:
            return self._round(flops / self._peak * times)
        amount = {"attention": share, "experts": tokens}.get(part, 1)
        return self._round(self._given[part] * amount * times)

    def count_optimizer(self, traffic):
        """traffic -- bytes read and written"""
        if self._given is None:
            return self._round(traffic / self._memory)
        return self._round(self._given["optimizer"])

    def slow(self, gpu, duration):
        slow, factor = self._slow
        return math.ceil(duration * factor) if gpu == slow and factor != 1 else duration
