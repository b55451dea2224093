# SPDX-License-Identifier: GPL-2.0-only
"""How a training of Megatron is divided over GPUs, and what a step goes through."""

import bisect
import itertools
from math import lcm

from . import layers
from .errors import ImportRefused, shown
from .megatron_model import idle_layers
from .training import USUAL_SERVER, fewest_gpus
from .values import as_count, as_words, is_off, ours


def read_parallel(settings, model):
    """The keys of parallel, and what is not among them."""
    tensor = settings.count("tensor_model_parallel_size") or ours(1, "Megatron's default")
    stages = settings.count("pipeline_model_parallel_size") or ours(1, "Megatron's default")
    expert_tensor = settings.count("expert_tensor_parallel_size")
    parallel = {
        "tp": tensor,
        "cp": settings.count("context_parallel_size") or ours(1, "Megatron's default"),
        "pp": stages,
        "ep": settings.count("expert_model_parallel_size") or ours(1, "Megatron's default"),
        "etp": expert_tensor or ours(tensor.value, "as tp, Megatron's default"),
    }
    if not expert_tensor and parallel["ep"].origin.endswith("--moe-expert-parallel-size"):
        if not settings.is_on("enable_expert_tensor_parallelism"):
            parallel["etp"] = ours(1, "no --enable-expert-tensor-parallelism")
    if settings.is_on("moe_tp_extend_ep"):  # of MindSpeed: experts are divided by tp too, and none of them is
        parallel["ep"] = parallel["ep"].but(parallel["ep"].value * tensor.value, f" x tp {tensor.value}")
        parallel["etp"] = settings.flag("moe_tp_extend_ep").but(1)
    if model.is_dense:
        parallel.pop("ep")
        parallel.pop("etp")
    unmapped = []
    _read_layout(settings, model, parallel, unmapped)
    return parallel, unmapped


def _read_layout(settings, model, parallel, unmapped):
    count, stages = model.number("layers"), parallel["pp"].value
    predictions = settings.count("mtp_num_layers", least=0)
    ahead = predictions.value if predictions else 0
    if ahead:
        model.set("mtp_layers", predictions)
    first = settings.count("num_layers_in_first_pipeline_stage", least=0)
    last = settings.count("num_layers_in_last_pipeline_stage", least=0)
    embedding, loss = (settings.is_on(f"account_for_{name}_in_pipeline_split") for name in ("embedding", "loss"))
    layout = settings.get("pipeline_model_parallel_layout")
    if layout is not None:
        settings.ask(("num_virtual_stages_per_pipeline_rank",))
        _take_layout(layout, model, parallel, ahead)
        return
    idle = idle_layers(settings)
    count += len(idle)
    chunks = _chunks(settings, count + embedding + loss, stages)
    if chunks and chunks.value > 1 and stages < 2:
        unmapped.append(f"{chunks.origin} {chunks.value}: a single stage interleaves nothing, as in Megatron")
        chunks = None
    several = chunks.value if chunks else 1
    listed = settings.get("num_layer_list")  # of MindSpeed
    listed = None if listed is None or is_off(listed) else listed
    if listed:
        first, last, counts = listed, None, [as_count(listed.but(number)) for number in as_words(listed)]
        counts = counts if len(counts) == stages and sum(counts) == count and several == 1 else None
    else:
        counts = layers.deal(
            count, stages, several, first.value if first else None, last.value if last else None, embedding, loss
        )
    origin = first or last or (settings.get("account_for_embedding_in_pipeline_split") if embedding else None)
    origin = origin or (settings.get("account_for_loss_in_pipeline_split") if loss else None)
    if counts is None:
        found = origin or (chunks if several > 1 else None) or parallel["pp"]
        raise ImportRefused(
            found.spot,
            f"{count} layers cannot be dealt over {stages} stages of {several} chunks by {found.origin}, by Megatron's "
            "rule: give --pipeline-model-parallel-layout, or other numbers",
        )
    if several > 1:
        parallel["vpp"] = chunks
    if idle:
        ends = list(itertools.accumulate(counts))
        counts = [end - bisect.bisect_left(idle, end) for end in ends]
        counts = [count - before for count, before in zip(counts, [0, *counts])]
        origin, embedding, loss = settings.get("noop_layers"), False, False
        first = first or origin
    if (embedding or loss) and not (first or last) and len(counts) > 1:
        words = ["even"] + ["embedding"] * embedding + ["loss"] * loss
        parallel["layout"] = origin.but("+".join(words))
    elif len(set(counts)) > 1:
        parallel["layout"] = ours(counts, ", ".join(value.origin for value in (first, last) if value))


def _chunks(settings, count, stages):
    """How many chunks a stage has."""
    several = settings.count("num_virtual_stages_per_pipeline_rank")
    each = settings.count("num_layers_per_virtual_pipeline_stage")
    if several or not each:
        return several
    if count % stages or count // stages % each.value:
        raise ImportRefused(
            each.spot,
            f"{count} layers (with embedding and loss where they count) over {stages} stages are no whole chunks of "
            f"{each.value}: change one of them",
        )
    return each.but(count // stages // each.value, f" {each.value}")


def _take_layout(layout, model, parallel, ahead):
    place, stages = layout.spot, parallel["pp"].value
    try:
        text = layers.letters_of(layout.value) if isinstance(layout.value, list) else str(layout.value).strip("'\"")
        parts = layers.expand(text).split("|")
    except ValueError as error:
        raise ImportRefused(
            place, f"{error} in {shown(layout.value)}: expected a layout such as Et|(tt|)*30mL"
        ) from error
    count, layers_ahead = (sum(part.count(letter) for part in parts) for letter in "tm")
    if not parts[0].startswith("E") or not parts[-1].endswith("L"):
        raise ImportRefused(place, f"it does not begin with E and end with L: {shown(text)}")
    if count != model.number("layers"):
        raise ImportRefused(place, f"it has {count} layers, and the model {model.number('layers')}: change one of them")
    if layers_ahead != ahead:
        raise ImportRefused(
            place,
            f"it has {layers_ahead} layers of multi-token prediction, and --mtp-num-layers says {ahead}: change one of "
            "them",
        )
    if len(parts) % stages:
        raise ImportRefused(
            place, f"it has {len(parts)} parts, which {stages} stages do not divide: change one of them"
        )
    if len(parts) > stages and stages > 1:
        parallel["vpp"] = layout.but(len(parts) // stages, f", {len(parts)} parts on {stages} stages")
    parallel["layout"] = layout.but(text)


def count_server(settings, gpus):
    """:param gpus: how many there are, where the user says so, so that those of a server need not be known"""
    found = None if gpus and settings.why_unknown("gpus_per_node") else settings.count("gpus_per_node")
    return found or ours(USUAL_SERVER, "GPUs of a server, nothing says it: our choice")


def count_gpus(settings, server, parallel):
    found = settings.count("num_gpus")
    if found:
        return found
    nodes = settings.count("nnodes")
    if nodes:
        return nodes.but(nodes.value * server.value, f" {nodes.value} x {server.value} GPUs")
    fewest = fewest_gpus(parallel)
    whole = lcm(fewest, server.value)
    batch = settings.count("global_batch_size")
    replica = parallel["tp"].value * parallel["cp"].value * parallel["pp"].value
    together = (settings.count("micro_batch_size") or ours(1, "")).value * (whole // replica)
    if fewest > 1 and batch and batch.value % together:
        return ours(fewest, "nothing says it: the fewest that the layout takes, see --gpus")
    return ours(whole, "nothing says it: the fewest servers that the layout takes, see --gpus")


def _batch_of_rollouts(settings):
    """The sequences of a step of reinforcement learning, where a program around Megatron says how many it makes."""
    prompts, answers = settings.count("rollout_batch_size"), settings.count("n_samples_per_prompt")
    steps = settings.count("num_steps_per_rollout")
    if not (prompts and steps):
        return None
    count = prompts.value * (answers.value if answers else 1) // steps.value
    told = f" {prompts.value} x {answers.value if answers else 1} samples / {steps.value} steps"
    return prompts.but(count, told) if count else None


def read_batch(settings, gpus, parallel):
    micro = settings.count("micro_batch_size") or ours(1, "nothing says it: our choice")
    degrees = [parallel[name].value for name in ("tp", "cp", "pp")]
    product = degrees[0] * degrees[1] * degrees[2]
    together = micro.value * max(1, gpus.value // product)
    return {
        "micro": micro,
        "global": settings.count("global_batch_size")
        or _batch_of_rollouts(settings)
        or ours(together, "Megatron's default: a micro-batch on each replica"),
        "sequence": settings.count("seq_length") or ours(4096, "nothing says it: our choice"),
    }
