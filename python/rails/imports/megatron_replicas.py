# SPDX-License-Identifier: GPL-2.0-only
"""What replicas of a training of Megatron share: workload.data."""

from .values import as_number, ours, refuse

_LARGEST = 10**12  # elements of a bucket
_ELEMENTS, _OF_REPLICA = 40_000_000, 1_000_000  # of a bucket, by Megatron's default

# --data-parallel-sharding-strategy, by what a descriptor calls it.
_STRATEGIES = {
    "no_shard": "plain",
    "optim": "distributed-optimizer",
    "optim_grads": "distributed-optimizer",
    "optim_grads_params": "fsdp",
}


def count_replicas(training):
    """How many replicas attention has."""
    degrees = [training.parallel[name].value for name in ("tp", "cp", "pp")]
    return training.gpus.value // (degrees[0] * degrees[1] * degrees[2])


def read_replicas(settings, training):
    names = ("use_distributed_optimizer", "overlap_grad_reduce", "overlap_param_gather", "ddp_bucket_size")
    kind, is_sharded = _kind(settings, training)
    on = {name: settings.flag(name) for name in names[:3]}
    size = settings.get("ddp_bucket_size")
    clip = settings.get("clip_grad")
    if count_replicas(training) < 2:
        return
    data = {"type": kind}
    if not is_sharded:
        data["bucket"] = _bucket(on["overlap_grad_reduce"], size, training)
    gather = on["overlap_param_gather"]
    if gather and gather.value and kind.value == "distributed-optimizer":
        data["overlap_parameters"] = gather
    if clip is None:
        data["norm"] = ours(True, "Megatron's default of --clip-grad, 1.0")
    else:
        data["norm"] = clip.but(as_number(clip) > 0, f" {clip.value}")
    training.data = data


def _kind(settings, training):
    """The type of data, and whether Megatron's or PyTorch's FSDP does it."""
    strategy = settings.text("data_parallel_sharding_strategy")
    fsdp = settings.flag("use_megatron_fsdp")
    torch = settings.flag("use_torch_fsdp2")
    divided = settings.flag("use_distributed_optimizer")
    if torch and torch.value:
        return torch.but("fsdp"), True
    if fsdp and fsdp.value:
        name = strategy.value if strategy else "no_shard"
        if name == "optim_grads":
            told = "gradients are reduced once for all micro-batches, and whole till then: fewer bytes, more memory"
            training.unmapped.append(f"{strategy.origin} {name}: {told}")
        origin = strategy or fsdp
        told = f" {name}" if strategy else ", strategy no_shard by default"
        return origin.but(_STRATEGIES.get(name, "fsdp"), told), True
    if divided and divided.value:
        return divided.but("distributed-optimizer"), False
    return (divided.but("plain", " false") if divided else ours("plain", "no --use-distributed-optimizer")), False


def _bucket(overlap, size, training):
    if not (overlap and overlap.value):
        return overlap.but("whole", " false") if overlap else ours("whole", "no --overlap-grad-reduce")
    gradient = training.other.get("bytes_per_gradient")
    each = 2 if gradient and gradient.value == "2B" else 4
    if size is not None:
        count = int(as_number(size))
        if not 0 <= count <= _LARGEST:
            refuse(size, f"a number from 0 to {_LARGEST}")
        return size.but(f"{count * each}B", f" {size.value} elements of {each} B")
    elements = max(_ELEMENTS, _OF_REPLICA * count_replicas(training))
    return ours(f"{elements * each}B", f"Megatron's default of --ddp-bucket-size, {elements} elements of {each} B")
