# SPDX-License-Identifier: GPL-2.0-only
"""Which layers of a configuration have experts, and which have another kind of attention."""

import re

from .errors import ImportRefused
from .hugging_face_config import with_value
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
    listed, laws = list(_listed(config, layers, model)), list(_laws(config, layers))
    if listed:
        config.ask(("first_last_k_dense_replace",))  # says the same in fewer words
        dense, found = listed[0]
        others = [value for other, value in listed[1:] if other != dense]
        others += [value for kind, other, value in laws if not _agrees(kind, other, dense)]
        for other in others:
            config.doubles.append(f"{with_value(other)}: {found.origin} counts, which has other dense layers")
        lay_dense(model, dense, found)
        return
    dense, origins = [False] * layers, []
    for _, law, value in laws:
        made = [was or more for was, more in zip(dense, law)]
        origins += [value] if made != dense else []
        dense = made
    _tell_differing(config, laws)
    origin = origins[0] if origins else next((value for _, _, value in laws), None)
    config.defaults |= {"dense_layers"} if origin is None else set()
    lay_dense(model, dense, origin or ours(0, "all layers have experts"))


def _agrees(kind, law, dense):
    """Whether a law says of layers what a list of them says, as far as such a law can."""
    if kind == "first":
        return law.index(False) == dense.index(False) if False in law and False in dense else law == dense
    if kind == "numbers":
        return not any(law) or law == dense
    return all(was or not more for was, more in zip(dense, law))


def _tell_differing(config, laws):
    """Of several steps, and of several lists of numbers, a layer is dense where one of them says so."""
    for kind in ("steps", "numbers"):
        found = [(law, value) for other, law, value in laws if other == kind and (kind == "steps" or any(law))]
        for law, value in found[1:]:
            if law != found[0][0]:
                told = f"with {found[0][1].origin} beside it, layers are dense where one of them says so"
                config.doubles.append(f"{with_value(value)}: {told}")


def _listed(config, layers, model):
    """Lists that say of each layer whether it is dense, with the value of each; the first one counts."""
    for name in (*LISTS, *STEPS):
        found = config.get(name)
        if found is not None and (name in LISTS or isinstance(found.value, list)):
            yield [_is_dense(found, word) for word in words_of(found, layers, model)], found
    for found in filter(None, map(config.get, WITH_EXPERTS)):
        numbers = _numbers(found, layers)
        yield [layer not in numbers for layer in range(layers)], found


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


def _laws(config, layers):
    """What makes layers dense: its kind, for each layer whether it does, and the value that says so."""

    def law(kind, is_dense, value):
        return kind, [is_dense(layer) for layer in range(layers)], value

    first, last = config.one(*FIRST), config.one(*LAST)
    if first:
        most = as_count(first, 0)
        yield law("first", lambda layer: layer < most, first.but(most))
    if last:
        end = layers if last.value == -1 else as_count(last, 0)
        yield law("last", lambda layer: layer > end, last)
    for value in filter(None, map(config.get, WITHOUT_EXPERTS)):
        numbers = range(value.value) if isinstance(value.value, int) else _numbers(value, layers)
        yield law("numbers", lambda layer, dense=numbers: layer in dense, value)
    offsets = {name: config.count(name, least=0) for _, name in STEPS.values() if name}
    for name, (more, offset) in STEPS.items():
        value = config.get(name)
        if value and not isinstance(value.value, list):
            by, every = more - (offsets[offset].value if offsets.get(offset) else 0), as_count(value)
            yield law(
                "steps", lambda layer, by=by, every=every: layer + by < 0 or (layer + by) % every != 0, value
            )


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
