# SPDX-License-Identifier: GPL-2.0-only
"""runtime.conf of Megatron-MoE-ModelZoo: a row of numbers for each model, for the variables of its YAML."""

import re
from pathlib import Path

from ..reader.nearest_name import suggest
from .errors import ImportRefused, shown
from .values import Value

_COLUMNS = (
    "TP PP EP CP VPP MBS GBS LAYERS DISPATCHER GROUPED_GEMM NNODES RUN_TIME PRETRAIN SLEN DATASET PP_FIRST PP_LAST"
)
_NAMES = {
    "LAYERS": "NUM_LAYERS",
    "SLEN": "SEQ_LEN",
    "GROUPED_GEMM": "MOE_GROUPED_GEMM",
    "DISPATCHER": "MOE_TOKEN_DISPATCHER",
}
_USUAL_DISPATCHER = "deepep"  # of the script that begins its trainings


def read_variables(path, given, model, budget):
    """
    Variables by name, from a file and from what is given, which counts more.

    :param model: the name of the row; None where there is only one
    """
    text = budget.read(path)
    budget.spend(len(text) * 2 + 20 * text.count("\n"))
    name, rows, columns = Path(path).name, {}, _COLUMNS.split()
    found = dict(_assignments(path, name, text))
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*#\s*MODEL:?\s+(TP\b.*)", line)
        row = re.match(r"""\s*\[([\w.+-]+)\]=(["'])(.*?)\2""", line)
        if header:
            columns = header.group(1).replace("[", " ").replace("]", " ").split()
        elif row:
            rows[row.group(1)] = (number, row.group(3).split(), columns)
    if rows:
        chosen = _choose(path, rows, model)
        number, words, columns = rows[chosen]
        for column, word in zip(columns, words):
            value = Value(word, f"{name}: {chosen} {column}", f"{path}:{number}")
            found.setdefault(_NAMES.get(column, column), value)  # as its script does
        found.setdefault("MODEL", Value(chosen, f"{name}: {chosen}", f"{path}:{number}"))
    elif not found:
        raise ImportRefused(path, 'expected rows such as [Mixtral-8x7B]="1 4 8 ...", or NAME=VALUE')
    found.update(given)
    _derive(found)
    return found


def _assignments(path, name, text):
    """Lines NAME=VALUE and NAME=${NAME:-VALUE}, outside of functions; ${NAME} of one that is set otherwise later."""
    known = set()
    for number, line in enumerate(text.split("\n"), 1):
        plain = re.match(r"""(?:export\s+)?([A-Z][A-Z0-9_]*)=["']?([\w./:+-]*)["']?\s*(?:#.*)?$""", line)
        usual = re.match(
            r"""(?:export\s+)?([A-Z][A-Z0-9_]*)=["']?\$\{\1:-["']?([\w./:+-]*)["']?\}["']?\s*(?:#.*)?$""", line
        )
        found = plain or usual
        again = re.match(r"\s*(?:\w+\s+(?:-\w+\s+)*)?([A-Z][A-Z0-9_]*)(?:\+?=)(?!.?\$\{\1:-)", line)
        if found and found.group(2) and not (found is usual and found.group(1) in known):
            known.add(found.group(1))
            yield found.group(1), Value(found.group(2), f"{name}: {found.group(1)}", f"{path}:{number}")
        elif again and again.group(1) in known:
            value = f"${{{again.group(1)}}}"  # not followed
            yield again.group(1), Value(value, f"{name}: {again.group(1)}", f"{path}:{number}")


def _choose(path, rows, model):
    if model in rows or (model is None and len(rows) == 1):
        return model or next(iter(rows))
    if model is None:
        raise ImportRefused(
            path, f"it has {len(rows)} models: add MODEL=NAME or the model's YAML; known: {', '.join(rows)}"
        )
    raise ImportRefused(path, f"it has no model {shown(model)}{suggest(model, rows)}")


def _derive(found):
    """What runtime.conf computes of its variables."""
    values = [found.get(name) for name in ("NUM_LAYERS", "PP", "VPP")]
    if any(value is None or not _is_number(value) for value in values):
        return
    layers, stages, chunks = (int(value.value) for value in values)
    if chunks > 1 and stages > 0:
        found.setdefault("LAYERS_PER_VP", found["VPP"].but(layers // stages // chunks, ", LAYERS over PP and VPP"))
    else:
        found.setdefault("LAYERS_PER_VP", found["VPP"].but("false"))
    if stages and layers % stages == 0:
        for name in ("PP_FIRST", "PP_LAST"):
            found.pop(name, None)


def _is_number(value):
    return re.fullmatch(r"[0-9]{1,12}", str(value.value)) is not None


def arguments_of(variables, settings):
    """What the script that begins trainings adds to the arguments, by its variables."""
    names = [name for name, _ in settings]

    def has(*wanted):
        return any(name in names for name in wanted)

    pairs = []
    chunks = variables.get("VPP")
    by_layers = (
        "pipeline_model_parallel_layout",
        "num_virtual_stages_per_pipeline_rank",
        "num_layers_per_virtual_pipeline_stage",
    )
    if chunks and _is_number(chunks) and int(chunks.value) > 1 and not has(*by_layers):
        pairs.append(("num_virtual_stages_per_pipeline_rank", chunks))
    if not has("pipeline_model_parallel_layout"):
        for end in ("first", "last"):
            value = variables.get(f"PP_{end.upper()}")
            if value and _is_number(value):
                pairs.append((f"decoder_{end}_pipeline_num_layers", value))
    if variables.get("NNODES"):
        pairs.append(("nnodes", variables["NNODES"]))
        is_gb = variables.get("GB200_CLUSTER")
        server = is_gb.but(4) if is_gb and is_gb.value == "1" else Value(8, "GPUs of a server as its script has it")
        pairs.append(("gpus_per_node", server))
    pairs += _dispatcher(variables)
    precision = variables.get("PR")
    if precision and precision.value in ("fp8", "mxfp8"):
        pairs += [
            ("fp8", precision.but("e4m3")),
            ("fp8_recipe", precision.but("mxfp8" if precision.value == "mxfp8" else "blockwise")),
        ]
        pairs.append(("use_precision_aware_optimizer", precision.but(True)))
    elif precision is None or precision.value == "bf16":
        pairs.append(("tp_comm_overlap", (precision or Value("", "its script, for BF16")).but(True)))
    overlap = variables.get("A2A_OVERLAP")
    if overlap and overlap.value == "1":
        pairs += [("overlap_moe_expert_parallel_comm", overlap.but(True)), ("delay_wgrad_compute", overlap.but(True))]
    offload = variables.get("OPTIMIZER_OFFLOAD")
    if offload and offload.value == "1":
        pairs.append(("optimizer_cpu_offload", offload.but(True)))
    return pairs


def _dispatcher(variables):
    found = variables.get("DISPATCHER") or Value(_USUAL_DISPATCHER, "no DISPATCHER, its script's default")
    if found.value == "alltoall":
        return [("moe_token_dispatcher_type", found)]
    if found.value in ("deepep", "hybridep"):
        return [("moe_token_dispatcher_type", found.but("flex")), ("moe_flex_dispatcher_backend", found)]
    raise ImportRefused(found.spot, f"expected alltoall, deepep or hybridep, found {shown(found.value)}")
