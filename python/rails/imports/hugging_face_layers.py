# SPDX-License-Identifier: GPL-2.0-only
"""Which layers of a configuration have experts, and which have another kind of attention."""

import re

from .errors import ImportRefused
from .hugging_face_keys import (
    BEYOND,
    FIRST,
    HYBRID,
    KINDS,
    LAST,
    LAYER_WORDS,
    LISTS,
    STEPS,
    WITH_EXPERTS,
    WITHOUT_EXPERTS,
)
from .model import lay_dense
from .values import as_count, is_off, ours, refuse


_HYBRID = "its layers are not all of attention, which rails does not have"


def lay_layers(config, model):
    """A list of the layers counts alone; otherwise all that makes a layer dense is put together."""
    layers = model.number("layers")
    found = _listed(config, layers, model)
    given = {name: config.one(name) for name in (*FIRST, *LAST)}
    given |= {name: config.get(name) for name in (*WITHOUT_EXPERTS, *STEPS)}
    offsets = {name: config.count(name, least=0) for _, name in STEPS.values() if name}
    if found is not None:
        config.ask(("first_last_k_dense_replace",))  # says the same in fewer words
        lay_dense(model, *found)
        return
    dense, origins = [False] * layers, []
    for law, value in _laws(config, given, offsets, layers):
        made = [was or law(layer) for layer, was in enumerate(dense)]
        origins += [value] if made != dense else []
        dense = made
    origin = origins[0] if origins else next((value for value in given.values() if value), None)
    config.defaults |= {"dense_layers"} if origin is None else set()
    lay_dense(model, dense, origin or ours(0, "all layers have experts"))


def _listed(config, layers, model):
    """Whether each layer is dense, and the value that says so."""
    for name in (*LISTS, *STEPS):
        found = config.get(name)
        if found is not None and (name in LISTS or isinstance(found.value, list)):
            return [_is_dense(found, word) for word in words_of(found, layers, model)], found
    found = config.first(*WITH_EXPERTS)
    if found is None:
        return None
    numbers = _numbers(found, layers)
    return [layer not in numbers for layer in range(layers)], found


def words_of(found, layers, model):
    """A list with an entry for each layer, without those of multi-token prediction."""
    words = found.value
    if not isinstance(words, list) or not layers <= len(words) <= layers + model.predictions:
        refuse(found, f"a list with a word for each of the {layers} layers")
    return words[:layers]


def _is_dense(found, word):
    if isinstance(word, str):
        if re.fullmatch(r"dense|mlp|ffn", word):
            return True
        if re.fullmatch(r".*(sparse|moe|expert).*", word):
            return False
    elif word in (0, 1):  # false and true as well
        return not word
    return refuse(found.but(word), "dense, sparse or moe, or whether it has experts, of each layer")


def _laws(config, given, offsets, layers):
    """What makes a layer dense, with the value that says so."""
    first = [value.but(as_count(value, 0)) for value in map(given.get, FIRST) if value]
    for value in first[:1]:
        yield (lambda layer, most=value.value: layer < most), value
    for value in map(given.get, LAST):
        if value and value.value != -1:
            yield (lambda layer, last=as_count(value, 0): layer > last), value
    for name in WITHOUT_EXPERTS:
        value = given[name]
        if value:
            numbers = range(value.value) if isinstance(value.value, int) else _numbers(value, layers)
            yield (lambda layer, dense=numbers: layer in dense), value
    for name, (more, offset) in STEPS.items():
        if given[name]:
            less = offsets[offset].value if offset and offsets[offset] else 0
            every = as_count(given[name])
            yield (lambda layer, by=more - less, every=every: layer + by < 0 or (layer + by) % every != 0), given[name]


def _numbers(found, layers):
    """Numbers of layers, as a list or as a text such as 2,3,4."""
    values = found.value
    if isinstance(values, str) and re.fullmatch(r"[\d\s,]*", values):
        values = values.replace(",", " ").split()
    if not isinstance(values, list):
        refuse(found, "a list of numbers of layers")
    numbers = {as_count(found.but(number), 0) for number in values}
    if numbers and max(numbers) >= layers:
        refuse(found, f"numbers of layers below {layers}")
    return numbers


def refuse_hybrids(config):
    """Refuses layers of other kinds than attention, unless layer_types says of each layer what it is."""
    given = {name: config.peek(name) for name in config.names() if HYBRID.fullmatch(name)}
    given = [value for value in given.values() if not is_off(value) and not _are_numbers(value)]
    if given and "layer_types" not in config:
        raise ImportRefused(given[0].place, f"{given[0].origin}: {_HYBRID}")


def check_attention(config, model):
    """Says which kinds of attention count as full, and refuses layers of other kinds in layer_types."""
    found = config.get("layer_types")
    if found is None:
        return
    kinds = [_kind_of(found, word) for word in words_of(found, model.number("layers"), model)]
    # It says of each layer what others say of some.
    told = "|".join(pattern for pattern, said in BEYOND for kind in (*kinds, "window") if said == KINDS.get(kind))
    config.ask(name for name in config.names() if HYBRID.fullmatch(name) or re.fullmatch(told, name))
    for kind, consequence in KINDS.items():
        if kind in kinds:
            model.unmapped.append(f"{found.origin}, {kinds.count(kind)} of {len(kinds)} {kind}: {consequence}")


def _are_numbers(found):
    return isinstance(found.value, list) and all(isinstance(value, int) for value in found.value)


def _kind_of(found, word):
    for pattern, kind in LAYER_WORDS:
        if isinstance(word, str) and pattern.fullmatch(word.lower()):
            if kind is None:
                raise ImportRefused(found.place, f"{found.origin} has {word}: {_HYBRID}")
            return kind
    return refuse(found.but(word), "kinds of attention, such as full_attention or sliding_attention")
