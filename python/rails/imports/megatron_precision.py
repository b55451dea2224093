# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in which matrices are multiplied, of Megatron, and the GPU that does it."""

import re

from .values import is_off, ours, refuse

# As `./rails describe profile` lists them.
DEVICES = ("h100", "h200", "h800", "h20", "b200", "b300", "gb200", "gb300", "mi300x", "mi355x")
_BF16 = 2  # bytes
_FP8 = 1.03125  # with a byte of scale for 32 elements, as MXFP8 has, or four for 128
# Names of mixed_precision, of Megatron-Bridge: what they set of fp8_recipe and fp8_param_gather.
_NAMED = (
    ("mxfp8", "mxfp8", True),
    ("subchannel_scaling", "blockwise", False),
    ("current_scaling", "tensorwise", True),
    ("delayed_scaling", "delayed", True),
)


def read_precision(settings, training, gpu):
    """
    Sets precision, bytes of what is sent in it, and computing by a GPU's data sheet.

    :param gpu: its name, where the input says it; otherwise empty
    """
    found, recipe, gathers = _read_recipe(settings)
    if recipe:
        _set_precision(found, recipe, gathers, settings, training)
    else:
        _set_dispatch(settings, training)
    if recipe or gpu in DEVICES:
        training.compute["type"] = (found or ours("", f"a recipe for {gpu}")).but("profile")
        if gpu in DEVICES:
            training.compute["device"] = ours(gpu, "the name of the recipe")
        else:
            device = "b200" if training.other["precision"].value == "mxfp8" else "h100"
            training.compute["device"] = ours(device, "nothing says it: our choice")
        _read_graphs(settings, training)


def _read_recipe(settings):
    """What says that products are in FP8, by which recipe, and whether parameters are gathered in it."""
    named = settings.get("mixed_precision")
    low = settings.get("fp8")
    recipe = settings.get("fp8_recipe")
    gathers = settings.flag("fp8_param_gather", "fp8_param")
    if low and not is_off(low):
        name = str(recipe.value) if recipe and not is_off(recipe) else "delayed"
        origin = low.but(name, f" {low.value} {name}")
        return origin, name, bool(gathers and gathers.value)
    if named and isinstance(named.value, str):
        for part, name, gathers_too in _NAMED:
            if part in named.value:
                return named.but(name, f" {named.value}"), name, gathers_too if gathers is None else gathers.value
    return None, "", False


def _set_precision(found, recipe, gathers, settings, training):
    training.other["precision"] = found.but("mxfp8" if recipe == "mxfp8" else "fp8-block")
    if recipe not in ("mxfp8", "blockwise"):
        training.unmapped.append(f"{found.origin}: scales are those of blocks, not of whole tensors: casts move more")
    if not _set_dispatch(settings, training):
        why = "tokens travel in BF16 unless --moe-dispatch-fwd-dtype says otherwise"
        training.bytes["dispatch"] = ours(_BF16, why)
    # Parameters in MXFP8 are gathered in BF16, and cast then.
    if gathers and recipe != "mxfp8":
        training.bytes["parameters"] = found.but(1, ", gathered in FP8")


def _set_dispatch(settings, training):
    """Sets the bytes of what is sent to experts where one way at least is in FP8; says whether it is."""
    ways = [settings.text(name) for name in ("moe_dispatch_fwd_dtype", "moe_combine_bwd_dtype")]
    low = [value for value in ways if value and not is_off(value) and _is_low(value)]
    if training.model.is_dense or not low:
        return False
    if len(low) == 2:
        told = "" if low[0].value == "mxfp8" else ", a scale of 4 bytes for 128 elements"
        training.bytes["dispatch"] = low[0].but(_FP8, f" {low[0].value}{told}")
    else:
        training.bytes["dispatch"] = low[0].but((_BF16 + _FP8) / 2, f" {low[0].value}: one way of two in FP8")
    return True


def _is_low(found):
    if not re.fullmatch(r"(mx)?fp8\w*|(float8_?)?e[45]m[32]\w*|float8\w*|bf16|bfloat16|fp16|float16|half", found.value):
        refuse(found, "bf16, mxfp8 or another FP8")
    return "8" in found.value or "m" in found.value


def _read_graphs(settings, training):
    kind = settings.text("cuda_graph_impl")
    flags = [settings.flag(name) for name in ("enable_cuda_graph", "external_cuda_graph")]
    on = next((flag for flag in flags if flag and flag.value), None)
    if kind and not is_off(kind) and kind.value != "none":
        on = kind
    if on is None:
        return
    training.compute["graphs"] = on.but(True, f" {on.value}" if on is kind else "")
    modules = settings.first("cuda_graph_modules", "cuda_graph_scope")
    text = re.sub(r"[\[\]'\"]", "", str(modules.value)) if modules and not is_off(modules) else ""
    if text and text not in ("full", "full_iteration"):
        training.unmapped.append(f"{modules.origin} {text}: all kernels are launched as graphs, not those of these alone")
