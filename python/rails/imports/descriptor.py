# SPDX-License-Identifier: GPL-2.0-only
"""Writes a training as a descriptor: every value with its origin behind it, and what is not in it at the end."""

import re
import textwrap

from .errors import note
from .parameters import count, told

WIDTH = 120
_BEGIN, _TELLS = "A training of", "Behind each value is where it is from."
_COLUMN = 34  # where origins begin
_LONGEST_NAME, _LONGEST_LABEL = 100, 60  # bytes
_LEAF_PORTS = 64  # servers of a leaf, beyond which rails need spines of their own


def write(training):
    """The text of a descriptor."""
    lines = [
        *_comment(
            f"{_BEGIN} {training.model.label}, from {training.source}. {_TELLS}" + _size(training.model)
        )
    ]
    lines += ["", f"name: {_scalar(_name(training.model.label))}", *_topology(training)]
    lines += ["transport: {congestion_control: none}", "workload:", "  type: training"]
    lines += _model(training.model)
    lines += _block("parallel", training.parallel)
    lines += _block("batch", training.batch)
    lines += _block("experts", training.policy)
    lines += _block("bytes", training.bytes)
    lines += _block("compute", training.compute)
    lines += _block("data", training.data)
    for key, value in training.other.items():
        lines += _block(key, value) if isinstance(value, dict) else [_line(2, key, value)]
    if training.load:
        lines += [_line(2, "load", training.load, f"{{type: synthetic, preset: {training.load.value}}}")]
    lines += ["engine: flow", "balance: rails"]
    if training.unmapped:
        lines += ["", "# Not in this descriptor, and what follows from that:"]
        for line in training.unmapped:
            lines += _comment(line, "# - ", "#   ")
    return "\n".join(lines) + "\n"


def is_written(text):
    """Whether a text is a descriptor of write(), by the comment that it begins with."""
    comment = re.match(r"(?:# .*\n)*", text).group().replace("\n# ", " ")
    return comment.startswith(f"# {_BEGIN} ") and _TELLS in comment


def _size(model):
    if model.is_named:
        return ""
    parameters = count(model)
    return f" The model has {told(parameters.total)} parameters, and a token meets {told(parameters.active)} of them."


def _name(label):
    """A label as the name of an experiment, which becomes a folder."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", label).lstrip(".")[:_LONGEST_NAME] or "imported"


def _topology(training):
    gpus, server = training.gpus, training.server
    servers = gpus.value // server.value
    lines = [
        "topology:",
        _line(2, "type", None, "rail", "the network is not part of the input: our choice"),
        _line(2, "domains", gpus, str(servers), f"{gpus.value} GPUs ({gpus.origin})"),
        _line(2, "gpus_per_domain", server),
    ]
    if servers > _LEAF_PORTS:
        lines.append(_line(2, "rail_spines", None, "8", f"more servers than the {_LEAF_PORTS} of a leaf: our choice"))
    return lines


def _model(model):
    lines = [
        "  model:",
        _line(
            4,
            "type",
            None,
            model.type,
            f"./rails describe {model.type}" if model.is_named else "all its keys are given anew below",
        ),
        f"    label: {_scalar(model.label.encode()[:_LONGEST_LABEL].decode(errors='ignore'))}",
    ]
    return lines + [_line(4, key, value) for key, value in model.in_order().items()]


def _block(name, values):
    if not values:
        return []
    return [f"  {name}:"] + [_line(4, key, value) for key, value in values.items()]


def _line(indent, key, value, text=None, origin=None):
    text = _scalar(value.value) if text is None else text
    origin = value.origin if origin is None else origin
    begin = f"{' ' * indent}{key}: {text}"
    line = f"{begin:<{_COLUMN}} # {note(origin)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([*_comment(origin, " " * indent + "# ", " " * indent + "# "), begin])


def _scalar(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_scalar(part) for part in value) + "]"
    text = str(value)
    if isinstance(value, str) and not re.fullmatch(r"[A-Za-z][\w.-]*|[0-9]+[A-Za-z]+", text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if text.lower() in ("true", "false", "yes", "no", "on", "off", "null"):
        return f'"{text}"'
    return text


def _comment(text, first="# ", other="# "):
    return textwrap.wrap(
        note(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    )
