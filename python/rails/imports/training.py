# SPDX-License-Identifier: GPL-2.0-only
"""A training as a descriptor has it: values by key, each with its origin, and what is not in it."""

from dataclasses import dataclass, field
from math import gcd, lcm

from . import parameters
from .errors import ImportRefused
from .values import name_of, ours

USUAL_SERVER = 8  # GPUs
_MOST_PASSES = 2_000_000
_MOST_GPUS, _LARGEST_SERVER, _LONGEST_SEQUENCE, _MOST_PREDICTIONS = 65_536, 1024, 10_000_000, 100
_CAPACITIES = 1e-6, 1e6
# Above all models, and so that no GPU computes for a day without a pause.
_MOST_PARAMETERS, _MOST_OPERATIONS = 1e15, 2e19


@dataclass
class Training:
    """What is written."""

    source: str  # what it is from, in words
    model: object
    gpus: object
    server: object  # GPUs of one
    parallel: dict = field(default_factory=dict)
    batch: dict = field(default_factory=dict)
    other: dict = field(default_factory=dict)  # other keys of the workload, and keys of these
    load: object = None
    policy: dict = field(default_factory=dict)  # of experts
    bytes: dict = field(default_factory=dict)  # of an element, by kind
    compute: dict = field(default_factory=dict)
    data: dict = field(default_factory=dict)  # what replicas share
    unmapped: list = field(default_factory=list)


def of_model(model, source, gpus=None):
    """A training of a model of which nobody says how it is divided: experts over all GPUs."""
    server = ours(USUAL_SERVER, "nothing says it: our choice")
    experts = model.number("experts")
    if gpus is None:
        gpus = ours(USUAL_SERVER * USUAL_SERVER, "nothing says it: our choice, see --gpus")
    why = f"nothing says it: what {gpus.value} GPUs and {experts} experts share"
    parallel = {} if model.is_dense else {"ep": ours(gcd(experts, gpus.value), why)}
    batch = {
        "micro": ours(1, "nothing says it: our choice"),
        "global": ours(gpus.value, "nothing says it: one on each GPU"),
        "sequence": ours(4096, "nothing says it: our choice"),
    }
    training = Training(source, model, gpus, fit_server(gpus, server), parallel, batch)
    training.unmapped = [*model.unmapped, *filter(None, [model.ahead])]
    if model.capacity and not model.is_dense:
        set_capacity(training, model.capacity)
    return training


def set_capacity(training, factor):
    """Lets experts take no more than a part of the tokens; says so where a descriptor has no such experts."""
    degrees = {name: training.parallel.get(name, ours(1, "")).value for name in ("ep", "etp")}
    if degrees["ep"] < 2 or degrees["etp"] > 1:
        told = "no token is dropped, which needs experts that ep divides and etp does not"
        training.unmapped.append(f"{factor.origin} {factor.value:g}: {told}")
    else:
        training.policy = {"type": factor.but("plain-ep"), "capacity_factor": factor}


def fit_server(gpus, server):
    """Servers are whole; fewer GPUs than one has are a smaller one."""
    if gpus.value % server.value == 0:
        return server
    return server.but(gcd(gpus.value, server.value), f", as {gpus.value} GPUs are")


def fewest_gpus(parallel):
    """The fewest GPUs that a layout goes over, in whole servers."""
    degrees = {name: value.value for name, value in parallel.items() if name not in ("layout", "order")}
    stages = degrees.get("pp", 1)
    attention = degrees.get("tp", 1) * degrees.get("cp", 1) * stages
    experts = degrees.get("etp", 1) * degrees.get("ep", 1) * stages
    return lcm(attention, experts)


def _give_gpus(training):
    """Arguments by which the GPUs are as many as layout and batch take: whole servers, or else the fewest."""
    parallel, batch, replica = training.parallel, training.batch, 1
    for name in ("tp", "cp", "pp"):
        replica *= parallel.get(name, ours(1, "")).value
    for server in (USUAL_SERVER, USUAL_SERVER // 2, 2, 1):
        gpus = lcm(fewest_gpus(parallel), server)
        together = batch["micro"].value * (gpus // replica)
        if gpus > 1 and (not batch["global"].place or batch["global"].value % together == 0):
            return ("--gpus", str(gpus))
    return ()


def _check_sizes(training, passes):
    """What of a training that could be is too large to simulate."""
    batch, found = training.batch, training.batch["global"]
    if passes > _MOST_PASSES:
        told = f"{passes} passes of micro-batches through stages are more than {_MOST_PASSES}: give a smaller batch"
        raise ImportRefused(found.spot, told)
    tokens = batch["micro"].value * batch["sequence"].value * training.model.number("top_k")
    if tokens >= 2**31:
        found = batch["sequence"]
        raise ImportRefused(
            found.spot, f"a micro-batch sends {tokens} tokens to experts, more than 2^31: give a shorter one"
        )
    _check_work(training)


def _check_ranges(training):
    """Numbers that a descriptor can have."""
    model, batch = training.model, training.batch
    for found, most, what in (
        (training.gpus, _MOST_GPUS, "GPUs"),
        (training.server, _LARGEST_SERVER, "GPUs of a server"),
        (batch["sequence"], _LONGEST_SEQUENCE, "tokens of a sequence"),
        (model.keys.get("mtp_layers", ours(0, "")), _MOST_PREDICTIONS, "layers of multi-token prediction"),
    ):
        if found.value > most:
            raise ImportRefused(found.spot, f"{name_of(found)}{found.value} {what}: expected {most} at most")
    factor = training.policy.get("capacity_factor")
    if factor is not None and not _CAPACITIES[0] <= factor.value <= _CAPACITIES[1]:
        told = f"{name_of(factor)}expected a factor from {_CAPACITIES[0]:g} to {_CAPACITIES[1]:g}, found {factor.value:g}"
        raise ImportRefused(factor.spot, told)


def _check_work(training):
    """Refuses a model of which a GPU computes for a day without a pause."""
    model, batch = training.model, training.batch
    if model.is_named:
        return
    size, tokens = parameters.count(model), batch["micro"].value * batch["sequence"].value
    attention = model.number("layers") * model.number("heads") * model.number("head_width")
    parts = training.parallel.get("tp", ours(1, "")).value * training.parallel.get("cp", ours(1, "")).value
    operations = tokens * (6 * size.active + 12 * attention * batch["sequence"].value) / parts
    if size.total > _MOST_PARAMETERS or operations > _MOST_OPERATIONS:
        found = model.keys["hidden"]
        told = f"a model of {parameters.told(size.total)} parameters and micro-batches of {tokens} tokens are too large"
        raise ImportRefused(found.spot, f"{told} to simulate: give smaller sizes")


def check(training):
    """Refuses what `validate` would, in the words of the input."""
    _check_ranges(training)
    gpus = training.gpus
    if gpus.value < 2:
        told = f"{gpus.value} GPU is no cluster: expected 2 at least, give --gpus"
        raise ImportRefused(gpus.spot, told, _give_gpus(training))
    degrees = {name: training.parallel.get(name, ours(1, "")).value for name in ("tp", "cp", "pp", "etp", "ep", "vpp")}
    for names in (("tp", "cp", "pp"), ("etp", "ep", "pp")):
        product = 1
        for name in names:
            product *= degrees[name]
        if gpus.value % product:
            raise ImportRefused(
                gpus.spot,
                f"{' x '.join(names)} is {product}, which does not divide {gpus.value} GPUs: change one of them, or "
                "give --gpus",
                _give_gpus(training),
            )
    model, batch = training.model, training.batch
    part = training.parallel.get("ep")
    if part is not None and model.number("experts") % part.value:
        raise ImportRefused(
            part.spot,
            f"{part.value} GPUs do not divide the {model.number('experts')} experts: change one of them",
        )
    replicas = gpus.value // (degrees["tp"] * degrees["cp"] * degrees["pp"])
    together = batch["micro"].value * replicas
    if batch["global"].value % together:
        found = batch["global"]
        raise ImportRefused(
            found.spot,
            f"{found.value} sequences are no multiple of {together}, micro-batch x replicas = {batch['micro'].value} x "
            f"{replicas}: change the batch, or give --gpus",
            _give_gpus(training),
        )
    _check_sizes(training, batch["global"].value // together * degrees["pp"] * degrees["vpp"])
    parts = degrees["tp"] * degrees["cp"]
    if batch["sequence"].value % parts:
        found = batch["sequence"]
        raise ImportRefused(
            found.spot, f"{found.value} tokens are no multiple of tp x cp = {parts}: change one of them"
        )
    if degrees["pp"] * degrees["vpp"] > model.number("layers") and "layout" not in training.parallel:
        found = training.parallel["pp"]
        raise ImportRefused(
            found.spot,
            f"{model.number('layers')} layers for pp x vpp = {degrees['pp'] * degrees['vpp']} chunks: each has one at "
            "least",
        )
    microbatches = batch["global"].value // together
    if degrees["vpp"] > 1 and microbatches % degrees["pp"]:
        found = batch["global"]
        raise ImportRefused(
            found.spot,
            f"{microbatches} micro-batches are no multiple of the {degrees['pp']} stages of an interleaved schedule, "
            "which rails needs: change the batch",
        )
