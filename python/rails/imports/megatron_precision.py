# SPDX-License-Identifier: GPL-2.0-only
"""Numbers in which matrices are multiplied, of Megatron, and the GPU that does it."""

import re

from .values import is_off, ours

# As `./rails describe profile` lists them.
DEVICES = ("h100", "h200", "h800", "h20", "b200", "b300", "gb200", "gb300", "mi300x", "mi355x")
_BF16 = 2  # bytes
_MXFP8 = 1.03125  # with a scale for 32 elements
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
        settings.ask(("moe_dispatch_fwd_dtype", "moe_combine_bwd_dtype"))
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
    there, back = settings.text("moe_dispatch_fwd_dtype"), settings.text("moe_combine_bwd_dtype")
    is_low = [bool(value and value.value == "mxfp8") for value in (there, back)]
    if all(is_low):
        training.bytes["dispatch"] = there.but(_MXFP8, " mxfp8")
    elif any(is_low):
        mean = (_BF16 + _MXFP8) / 2
        training.bytes["dispatch"] = (there if is_low[0] else back).but(mean, ": one way of two in MXFP8")
    else:
        why = "tokens travel in BF16 unless --moe-dispatch-fwd-dtype says otherwise"
        training.bytes["dispatch"] = ours(_BF16, why)
    # Parameters in MXFP8 are gathered in BF16, and cast then.
    if gathers and recipe != "mxfp8":
        training.bytes["parameters"] = found.but(1, ", gathered in FP8")


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
