# SPDX-License-Identifier: GPL-2.0-only
"""Which layers each chunk of each stage of a pipeline has, as Megatron deals them and as a descriptor says it."""

import itertools
import re

from .errors import shown

_LETTERS = {"embedding": "E", "decoder": "t", "mtp": "m", "loss": "L"}
_MOST = 100_000


def deal(layers, stages, chunks, first=None, last=None, embedding=False, loss=False):
    """
    The number of layers of each chunk, the first chunks of all stages first; None where Megatron refuses it.

    :param first: layers of the first stage, :param last: of the last one, where they are given
    :param embedding: whether the embedding counts as a layer, :param loss: and head and loss
    """
    if stages * chunks > _MOST:
        return None
    given = [(0, first)] if first is not None else []
    given += [(stages - 1, last)] if last is not None and stages > 1 else []
    left = layers + embedding + loss - sum(count for _, count in given)
    free = stages - len(given)
    if left < 0 or (left % free if free else left):
        return None
    of_stage = [left // free if free else 0] * stages
    for stage, count in given:
        of_stage[stage] = count
    if any(count % chunks for count in of_stage):
        return None
    counts = [count // chunks for _ in range(chunks) for count in of_stage]
    counts[0] -= embedding
    counts[-1] -= loss
    return counts if min(counts) >= 0 else None


def _run(letter, count):
    return letter * count if count <= 3 else f"{letter}*{count}"


def expand(text):
    """A layout in letters without repetitions; ValueError says what is wrong with it."""
    text, at = re.sub(r"[\s,]", "", text), 0
    if len(text) > _MOST:
        raise ValueError(f"this has more than {_MOST} letters")
    stack = [""]
    while at < len(text):
        letter, at = text[at], at + 1
        if letter == "(":
            stack.append("")
            continue
        if letter == ")":
            if len(stack) == 1:
                raise ValueError("')' closes nothing")
            letter = stack.pop()
        elif letter not in "EtmL|":
            raise ValueError(f"unexpected {shown(letter)}")
        times = re.compile(r"\*([0-9]+)").match(text, at)
        count = min(int(times.group(1)[:9]), _MOST + 1) if times else 1
        if (len(stack[-1]) + len(letter)) * max(count, 1) > _MOST:
            raise ValueError(f"this makes more than {_MOST} layers and parts")
        stack[-1] += letter * count
        at = times.end() if times else at
    if len(stack) > 1:
        raise ValueError("'(' is not closed")
    return stack[0]


def letters_of(parts):
    """A layout in words, as recipes of Megatron-Bridge have it: a list of the layers of each chunk."""
    chunks = []
    for part in parts:
        words = part if isinstance(part, list) else [part]
        unknown = [word for word in words if not isinstance(word, str) or word not in _LETTERS]
        if unknown:
            raise ValueError(f"unexpected {shown(unknown[0])}")
        chunks.append("".join(_run(_LETTERS[word], len(list(group))) for word, group in itertools.groupby(words)))
    return "|".join(chunks)
