# SPDX-License-Identifier: GPL-2.0-only
"""config.json of Hugging Face: the dimensions of a model, whose names differ from family to family."""

import re
from pathlib import Path

from . import parameters
from .budget import STDIN, Budget
from .errors import ImportRefused, shown
from .hugging_face_config import plain, read_config, with_value
from .hugging_face_keys import (
    BESIDE,
    BEYOND,
    BIAS,
    DEFAULTS,
    DROPS,
    ENDINGS,
    FAMILIES,
    FIRST,
    FLAG,
    GATED,
    GUARD,
    LAST,
    LISTS,
    NAMES,
    STEPS,
    TIES,
    WITH_EXPERTS,
    WITH_GATE,
    WITHOUT_EXPERTS,
    WITHOUT_GATE,
    Family,
    is_without_effect,
)
from .hugging_face_layers import check_attention, lay_layers, refuse_hybrids
from .json_text import parse_json
from .model import MOST_EXPERTS, MOST_LAYERS, TIED, Model, set_dense
from .values import as_count, as_number, is_off, ours, refuse

_INDEX = "model.safetensors.index.json"
_LARGEST_INDEX = 64 << 20  # bytes: a line for each of some 100,000 matrices
_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2, "fp8": 1}  # of a parameter in files


def read_model(path, budget=None):
    """The model of a config.json, or of a folder that has one, or params.json of Mistral."""
    if Path(path).is_dir():
        names = [name for name in ("config.json", "params.json") if (Path(path) / name).exists()]
        path = str(Path(path) / (names[0] if names else "config.json"))
    budget = budget or Budget(path)
    config, inside = read_config(path, budget)
    kind = config.text("model_type")
    name = kind.value if kind else ""
    model = Model("mixtral-8x7b", _label(config, path))
    family = FAMILIES.get(ENDINGS.sub("", name))
    if kind and family is None:
        model.unmapped.append(
            f"{Path(path).name}: model_type {shown(name)} is not known here: keys are read by their names, compare them"
        )
    family = family or Family()
    if family.refused and not (name == "doge" and not config.is_on("is_moe")):
        raise ImportRefused(kind.place, f"{kind.origin} {name}: {family.refused}")
    if inside:
        model.unmapped.append(
            f"{Path(path).name}: what is outside of {'.'.join(inside)} (vision, speech) is left out"
        )
    _read_dimensions(config, model, family, path)
    model.complete()
    model.check()
    _list_beyond(config, model)
    _compare(config, model, path, bool(inside), budget)
    return model


def _label(config, path):
    """What the model is called, by its name on the Hub or else by its folder."""
    found = config.text("_name_or_path")
    if path == STDIN and not (found and found.value):
        return "imported"
    folder = Path(path).absolute().parent
    if folder.parent.name == "snapshots":  # of the library's cache: models--WHO--NAME/snapshots/REVISION
        folder = Path(folder.parent.parent.name.rsplit("--", 1)[-1])
    name = found.value if found and found.value else folder.name
    name = name.rstrip("/").rsplit("/", 1)[-1]
    return name if re.fullmatch(r"[\w.+-]+", name) else "imported"


def _read_dimensions(config, model, family, path):
    if any(_is_given(config, name) for name in ("is_encoder_decoder", "encoder_layers", "num_decoder_layers")):
        raise ImportRefused(path, "a model with encoder and decoder: expected a decoder alone")
    refuse_hybrids(config)
    _read_predictions(config, model)
    # Where layers are halved, num_hidden_layers may count the halves.
    halves = config.count("num_layers", most=MOST_LAYERS) if family.halves else None
    model.set("layers", halves or config.need("layers", path, "the number of layers", most=MOST_LAYERS))
    check_attention(config, model)
    _read_attention(config, model, path)
    model.set("gated", _gate(config, model, family))
    width, dense = config.of("width", least=0), config.of("dense_width", least=0)
    experts = _experts(config, path)
    if experts is None:
        config.ask((*LISTS, *WITH_EXPERTS, *WITHOUT_EXPERTS, *FIRST, *LAST, *STEPS))
        ffn = width if width and width.value else dense
        if ffn is None or ffn.value == 0:
            ffn = config.need("width", path, "the width of a layer")
        set_dense(model, ffn, "the model has no experts")
    else:
        model.set("experts", experts)
        _read_experts(config, model, family, path, width, dense)
    if family.halves and experts is not None:
        _halve(model, config.need("width", path, "the width of a layer"))


def _experts(config, path):
    """How many experts there are; none where there are none, or where they are switched off."""
    experts = config.of("experts", least=0, most=MOST_EXPERTS)
    if config.is_off("experts") or (experts is not None and experts.value == 0):
        return None
    if experts is None and not any(config.peek(name) for name in NAMES["experts"]):  # nor null
        config.defaults.add("experts")
        if any(_is_given(config, name) for meaning in ("top_k", "expert_ffn") for name in NAMES[meaning]):
            config.need("experts", path, "the number of experts")
    return experts


def _read_predictions(config, model):
    ahead, is_off = config.of("predictions", least=0), config.is_off("predictions")
    if ahead and ahead.value and not is_off:
        model.predictions = ahead.value
        told = "multi-token prediction is left out, model.mtp_layers adds it"
        model.ahead = f"{ahead.origin} {ahead.value}: {told}"


def _read_attention(config, model, path):
    hidden = config.need("hidden", path, "the width of the model")
    model.set("hidden", hidden)
    heads = config.need("heads", path, "the number of heads")
    model.set("heads", heads)
    kv_heads = _heads_of_keys(config, heads)
    model.set("kv_heads", kv_heads or heads)
    model.set("vocabulary", config.need("vocabulary", path, "the vocabulary"))
    latent, rank = config.switch("latent"), config.of("kv_rank", least=0)
    if latent and latent.value and rank is None:
        config.need("kv_rank", path, f"the width of latent keys and values ({with_value(latent)})")
    if rank and rank.value and (latent is None or latent.value):
        _read_latent_attention(config, model, rank, path)
    else:
        config.defaults |= set() if kv_heads else {"kv_heads"}
        width = config.of("head_width", least=0)
        model.set("head_width", width if width and width.value else _even_heads(hidden, heads))
    _say_compressed(config, model)
    values = config.of("value_width")
    if values and values.value != model.number("head_width"):
        told = f"values are as wide as keys here, {model.number('head_width')}"
        model.unmapped.append(f"{values.origin} {values.value}: {told}")


def _heads_of_keys(config, heads):
    """How many heads keys and values have; none where nothing says it."""
    found, single, grouped = config.of("kv_heads"), config.flag("multi_query"), config.switch("kv_groups")
    each = config.count("num_key_value_groups")
    if single and single.value and not config.is_on("new_decoder_architecture"):
        return single.but(1)
    if grouped and not grouped.value:
        return grouped.but(heads.value, f" false: {heads.origin}")
    if each and found is None:
        if heads.value % each.value:
            refuse(each, f"a divisor of {heads.origin} {heads.value}")
        return each.but(heads.value // each.value, f": {heads.origin} / {each.value}")
    if each and found.value * each.value != heads.value:
        config.tell_double(each, found)
    return found


def _even_heads(hidden, heads):
    if hidden.value % heads.value:
        refuse(heads, f"a divisor of {hidden.origin}: {hidden.value}, or head_dim beside it")
    return hidden.but(hidden.value // heads.value, f" / {heads.origin.rsplit(': ', 1)[-1]}")


def _read_latent_attention(config, model, rank, path):
    model.type = "deepseek-v3"
    model.set("kv_rank", rank)
    model.set("kv_heads", model.keys["heads"])  # those of all heads are made of the latent ones
    model.set("query_rank", config.of("query_rank", least=0) or ours(0, "q_lora_rank: none"))
    model.set("head_width", config.need("position_free", path, "the width of a head"))
    rotated = config.of("rope_width", least=0)
    config.defaults |= set() if rotated else {"rope_width"}
    model.set("rope_width", rotated)


def _say_compressed(config, model):
    """Results that are compressed, and queries without latent keys, are projections in full here."""
    is_latent = model.number("kv_rank") or config.is_off("latent")
    query = None if is_latent else config.of("query_rank", least=0)
    output, groups = config.of("output_rank", least=0), config.of("output_groups")
    found = [value for value in (query, output) if value and value.value]
    if not found:
        return
    hidden, queries = model.number("hidden"), model.number("heads") * model.number("head_width")
    full = hidden * queries
    there = query.value * (hidden + queries) if query in found else full
    there += output.value * (queries + (groups.value if groups else 1) * hidden) if output in found else full
    names = ", ".join(f"{value.origin} {value.value}" for value in found)
    model.unmapped.append(
        f"{names}: queries and results are projected in full here, by {2 * full} parameters of a layer and not by "
        f"{there}: memory, gradients and the time of attention are too large"
    )


def _gate(config, model, family):
    """Whether feed-forward networks have a gate: by a flag, by what is known of the family, by the activation."""
    flag, found = config.any_flag(GATED), config.one(*NAMES["activation"])
    if flag:
        return flag
    name = found and found.value
    name = name.get("name") if isinstance(name, dict) else name
    if family.gated is not None:
        return ours(family.gated, "as the code of its family has it")
    if found is None:
        return ours(True, "nothing says it: our choice")
    if not isinstance(name, str):
        refuse(found, "the name of an activation")
    if WITH_GATE.fullmatch(name.lower()) or not WITHOUT_GATE.fullmatch(name.lower()):
        return found.but(True, f" {name}")
    if "gelu" in name.lower():
        told = "taken as two matrices; where its code has a gate, set model.gated to true"
        model.unmapped.append(f"{found.origin} {name}: feed-forward networks are {told}")
    return found.but(False, f" {name}: no gate")


def _read_experts(config, model, family, path, width, dense):
    model.set("top_k", config.need("top_k", path, "how many experts a token goes to"))
    expert_ffn = config.of("expert_ffn")
    if expert_ffn is None:
        config.defaults.add("expert_ffn")
        expert_ffn = width if width and width.value else config.need("expert_ffn", path, "the width of an expert")
    model.set("expert_ffn", expert_ffn)
    hidden = config.of("expert_hidden", least=0)
    if hidden and hidden.value and not config.is_off("latent_tokens"):
        model.set("expert_hidden", hidden)
    lay_layers(config, model)
    model.set("ffn", ours(0, "no dense layers"))
    if model.number("dense_layers"):
        ffn = dense if dense and dense.value else width
        model.set("ffn", ffn if ffn and ffn.value else config.need("dense_width", path, "the width of a dense layer"))
    _read_shared(config, model, family)
    _read_groups(config, model)
    _read_balancing(config, model, family)
    _read_capacity(config, model)


def _read_capacity(config, model):
    """How many tokens an expert takes, where it does not take all."""
    factor, drops = config.one(*NAMES["capacity"]), config.any_flag(DROPS)
    factor = factor and factor.but(as_number(factor))
    if factor and factor.value > 0 and (drops is None or drops.value):
        model.capacity = factor
    elif drops and drops.value:
        model.unmapped.append(f"{with_value(drops)}: tokens are dropped there, and none here, without a capacity")


def _read_shared(config, model, family):
    """Shared experts by their width, by how many there are of the width of an expert, or both."""
    switch = config.switch("shared")
    if switch and not switch.value:
        model.set("shared_ffn", switch.but(0, " false"))
        return
    width, number = config.of("shared_ffn", least=0), config.of("shared", least=0)
    expert = model.keys["expert_ffn"]
    beside = next((NAMES[meaning] for name, meaning in BESIDE.items() if _is_given(config, name)), None)
    each = width if width and width.value else expert
    if number and number.value:
        name = each.origin.rsplit(": ", 1)[-1]
        model.set("shared_ffn", number.but(number.value * each.value, f" x {name}"))
    elif number is None and each is width:
        model.set("shared_ffn", width)
    elif family.shared:
        told = f", {family.shared} shared as its code has it"
        model.set("shared_ffn", expert.but(family.shared * expert.value, told))
    elif beside:
        found = config.one(*beside)
        if found is not None:
            model.set("shared_ffn", found.but(as_count(found), ", a dense network beside the experts"))
    elif width is None and number is None:
        config.defaults.add("shared_ffn")


def _is_given(config, name):
    found = config.get(name)
    return found is not None and not is_off(found)


def _read_groups(config, model):
    """Groups of experts count where tokens are kept to some of them."""
    method = config.text("topk_method")
    groups, top = config.of("groups", least=0), config.of("top_groups", least=0)
    is_greedy = bool(method and method.value == "greedy")
    if config.is_off("groups") or is_greedy:
        return
    if groups and top and 0 < top.value < groups.value:
        model.set("expert_groups", groups)
        model.set("top_groups", top)
    elif top and top.value > 1 and groups is None:
        told = "how many groups of experts there are is missing: in a copy of the file, add n_group"
        raise ImportRefused(top.place, f"{top.origin} {top.value}: {told}")
    elif (groups is None) != (top is None) and (groups or top).value:
        found = groups or top
        if found is top or found.value > 1:
            told = "tokens go to experts of any group, as no key says more"
            model.unmapped.append(f"{found.origin} {found.value}: {told}")


def _read_balancing(config, model, family):
    method, bias = config.text("topk_method"), config.any_flag(BIAS, tells=False)
    loss = config.number(*NAMES["aux_loss"])
    if method and method.value == "noaux_tc":
        model.set("balancing", method.but("loss-free", f" {method.value}"))
    elif bias and bias.value:
        model.set("balancing", bias.but("loss-free"))
    elif family.balancing and not bias:
        model.set("balancing", ours(family.balancing, "as the code of its family does it"))
    elif loss:
        model.set("balancing", loss.but("aux-loss" if loss.value > 0 else "no-aux", f" {loss.value:g}"))
    else:
        model.set("balancing", ours("aux-loss", "nothing says it: our choice"))


def _halve(model, width):
    """A layer of two halves, experts beside the dense network of the first one, as two layers of rails."""
    layers = model.keys["layers"]
    model.set("layers", layers.but(2 * layers.value, " x 2, halves with an attention each"))
    model.set("dense_layers", layers.but(layers.value, ": second halves"))
    model.set("ffn", width)
    model.set("shared_ffn", width.but(width.value, ", of first halves, beside the experts"))
    model.unmapped.append(
        f"{layers.origin}: second halves of layers, without experts, lie between the first ones: here they are the "
        "first layers, so stages of a pipeline have other layers than there"
    )


def _list_beyond(config, model):
    """Each key that is not taken: with what follows from it, with what it may change, or by its name alone."""
    tied = config.any_flag(TIES)
    if tied and tied.value:
        model.is_tied = True
        model.unmapped.append(f"{tied.origin}: {TIED}")
    config.ask(name for meaning in NAMES.values() for name in meaning)
    _ask_switches(config, model)
    if config.flag("use_sliding_window") and not config.is_on("use_sliding_window"):
        config.ask(("sliding_window",))
    model.unmapped += dict.fromkeys(config.doubles)
    left = {name: value for name, value in config.unasked().items() if value.value is not None}
    for pattern, consequence in BEYOND:
        found = [left.pop(name) for name in list(left) if re.fullmatch(pattern, name.rpartition(".")[2])]
        found = [value for value in found if not is_off(value) and not _is_all_ones(value)]
        if found:
            more = "".join(f", {value.origin.rsplit('.', 1)[-1].rsplit(': ', 1)[-1]}" for value in found[1:])
            model.unmapped.append(f"{with_value(found[0])}{more}: {consequence}")
    left = {name: value for name, value in left.items() if not is_without_effect(name.rpartition(".")[2])}
    _refuse_defaults(config, model, left)
    for pattern, what, keys in GUARD:
        for name in [name for name in left if re.search(pattern, f"_{config.spoken(name)}_")]:
            value = left.pop(name)
            is_told = FLAG.fullmatch(name) if pattern == GUARD[0][0] else "gat" in name
            if not is_off(value) or (is_told and str(value.value).lower() == "false"):
                here = ", ".join(f"{key} {plain(model.number(key))}" for key in keys)
                model.unmapped.append(f"{with_value(value)}: not known, its name speaks of {what}; here {here}")
    if left:
        names = ", ".join(value.origin.partition(": ")[2] for value in left.values())
        model.unmapped.append(f"{next(iter(left.values())).origin.partition(': ')[0]}: nothing is taken of {names}")


def _ask_switches(config, model):
    """Flags that are on say no more where the model has what they switch on."""
    of = model.number
    for what, has in (
        ("experts", not model.is_dense),
        ("shared", of("shared_ffn")),
        ("groups", any(config.get(name) for meaning in ("groups", "top_groups") for name in NAMES[meaning])),
        ("latent_tokens", of("expert_hidden")),
        ("latent", of("kv_rank")),
        ("kv_groups", of("kv_rank") or "kv_heads" not in config.defaults),
        ("predictions", model.predictions),
    ):
        if has:
            config.ask_switches(what)


def _refuse_defaults(config, model, left):
    """A default is not taken where a key that is not known may say otherwise."""
    for key in sorted(config.defaults):
        pattern, what = DEFAULTS[key]
        for name, value in left.items():
            says = isinstance(value.value, (int, list, dict)) and not is_off(value)
            if says and re.match(pattern, config.spoken(name)):
                known = NAMES.get(key) or FIRST
                raise ImportRefused(
                    value.place,
                    f"{with_value(value)}: not known, and its name speaks of {what}, where "
                    f"{plain(model.number(key))} would be our default: in a copy of the file, call it {known[0]} or "
                    "as it is meant, or leave it out",
                )


def _is_all_ones(found):
    return isinstance(found.value, list) and all(value == 1 for value in found.value)


def _compare(config, model, path, has_more, budget):
    """Compares the parameters with the index of the files beside it, and with the name of the model."""
    index = Path(path).with_name(_INDEX)
    if path != STDIN and index.is_file():
        _compare_index(config, model, index, 0.1 if has_more else 0.05, budget)
    model.unmapped += parameters.compare(model, model.label, f"the name {model.label}")


def _compare_index(config, model, index, part, budget):
    try:
        data = parse_json(str(index), budget.read(index, _LARGEST_INDEX), f"an index of files such as {_INDEX}")
    except ImportRefused as error:
        model.unmapped.append(f"{error}: parameters are not compared with it")
        return
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    total, size = metadata.get("total_parameters"), metadata.get("total_size")
    found, precision = config.get("quantization_config"), config.first("torch_dtype", "dtype")
    dtype = precision.value if precision else "bfloat16"
    if found is not None and isinstance(found.value, dict):
        dtype = found.value.get("quant_method")
    each = _BYTES.get(dtype) if isinstance(dtype, str) else None
    for number, by in ((total, 1), (size, each)):
        if by and isinstance(number, (int, float)) and 0 < number < float("inf"):
            model.unmapped += parameters.compare_total(model, number / by, index.name, part)
            return
