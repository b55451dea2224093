# SPDX-License-Identifier: GPL-2.0-only
"""How many parameters a model has, and whether others count as many."""

import re
from dataclasses import dataclass

_SIZE = re.compile(r"(?<![a-zA-Z\d.])(?:(\d+)x)?(a)?(\d+(?:\.\d+)?)([mbt])(?:-(\d+)e)?(?![a-z\d])", re.IGNORECASE)
_TOO_LONG = re.compile(r"\d{301}")
_UNITS = {"m": 1e6, "b": 1e9, "t": 1e12}


@dataclass(frozen=True)
class Parameters:
    """
    :param total: all of them, embedding and head included
    :param active: those that a token meets, with the head and without the embedding
    """

    total: float
    active: float


def count(model, predictions=0):
    """
    The parameters of a model with all its keys, as rails counts them; norms and biases are left out.

    :param predictions: layers of multi-token prediction to count as well
    """
    of = model.number
    hidden, queries, latent = of("hidden"), of("heads") * of("head_width"), of("kv_rank")
    if latent:
        rotated = of("heads") * (of("head_width") + of("rope_width"))
        query = of("query_rank") * (hidden + rotated) if of("query_rank") else hidden * rotated
        attention = query + hidden * (latent + of("rope_width")) + (2 * latent + hidden) * queries
    else:
        attention = hidden * (2 * queries + 2 * of("kv_heads") * of("head_width"))
    matrices = 3 if of("gated") else 2
    expert = matrices * (of("expert_hidden") or hidden) * of("expert_ffn")
    common = attention + matrices * hidden * of("shared_ffn") + hidden * of("experts")
    dense, sparse = of("dense_layers"), of("layers") - of("dense_layers")
    head = of("vocabulary") * hidden
    met = dense * (attention + matrices * hidden * of("ffn")) + sparse * common + head
    ahead = predictions * (common + of("experts") * expert + 2 * hidden * hidden)
    total = met + sparse * of("experts") * expert + (0 if model.is_tied else head) + ahead
    return Parameters(total, met + sparse * of("top_k") * expert)


def sizes_of(name):
    """
    What a name such as Qwen3-235B-A22B, OLMoE-1B-7B, Mixtral-8x7B or Llama-4-Scout-17B-16E says: ranges for all
    parameters and for those that a token meets, each of which may be none.
    """
    total = active = product = None
    for times, is_active, number, unit, experts in _SIZE.findall(name) if not _TOO_LONG.search(name) else ():
        size, last = float(number) * _UNITS[unit.lower()], 10.0 ** -len(number.partition(".")[2]) * _UNITS[unit.lower()]
        if is_active or experts:
            active = active or (size, size, last)
        elif times:  # experts share the rest, so the whole is smaller
            product = product or (int(times) * size * 0.6, int(times) * size, last)
        elif total is None:
            total = size, size, last
        elif active is None and 1 < max(size / total[1], total[1] / size) < 100:
            total, active = max(total, (size, size, last)), min(total, (size, size, last))
    return total or product, active


def told(number):
    return f"{number / 1e9:.4g} billion"


def compare(model, name, origin, parts=(0.1, 0.3)):
    """
    Lines on where a name promises other numbers than the model has.

    :param parts: how far apart all parameters, and those that a token meets, may be beside half a digit of the name:
        the latter are counted with embedding and head or without
    """
    ours = count(model)
    lines = []
    for claim, number, part, what in zip(sizes_of(name), (ours.total, ours.active), parts, ("", " that a token meets")):
        if claim is None:
            continue
        least, most, last = claim
        if not (least - last / 2) * (1 - part) <= number <= (most + last / 2) * (1 + part):
            lines.append(_apart(f"{origin}: {told(most)} parameters{what}", number, part))
    return lines


def compare_total(model, total, origin, part):
    """Lines on a file with another number of parameters than the model, with multi-token prediction or without."""
    least, most = count(model).total, count(model, model.predictions).total
    if (1 - part) * total <= most and least <= (1 + part) * total:
        return []
    return [_apart(f"{origin}: {told(total)} parameters", least, part)]


def _apart(claim, ours, part):
    return (
        f"{claim}, the model here has {told(ours)}, which is more than {part:.0%} apart: compare its keys, one may be "
        "taken for something else or left out"
    )
