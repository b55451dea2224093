# SPDX-License-Identifier: GPL-2.0-only
"""Results of experiments/rails as cells: a scheme, a load, its size and a congestion control, with all seeds."""

import json
from dataclasses import dataclass

from rails.errors import ResultError
from rails.reader.result_folder import load_folder
from rails.reader.units import parse_number

RAILS = "rails"
# How RailS cuts messages in a grid; the first that is there is the one that the grid is about.
CUTS = {RAILS: "automatic", "rails 4 MB": "4 MB", "rails 256 KB": "256 KB"}
OPTIMUM = "even-split"
# A scheme that a result has under two names is counted once: where each GPU has a NIC, affine is rail-source.
SAME = {"affine": "rail-source"}
BASELINES = (
    "ecmp",
    "ecmp plb",
    "ecmp reps",
    "ecmp min-rtt",
    "ecmp spray",
    "rail-destination",
    "rail-source",
    "random",
    "round-robin",
    "least-outstanding",
)
SCHEMES = (*BASELINES, *CUTS, OPTIMUM)
CONTROLS = {"none": "no congestion control", "mellanox": "DCQCN mellanox", "hpcc": "DCQCN hpcc"}
KINDS = ("uniform", "sparse", "zipf", "moe")


@dataclass(frozen=True, order=True)
class Load:
    """What GPUs send each other."""

    kind: str
    detail: str  # density or exponent
    size: int  # bytes of a GPU, in MB

    @property
    def name(self):
        return f"{self.kind} {self.detail}".strip()

    @property
    def order(self):
        return (-self.size, KINDS.index(self.kind), float(self.detail.rstrip(" %") or 0))


def read(folder, place_of, name_of=None):
    """
    Points of a folder that ended well; there may be none yet.

    :param place_of: the key of a point, without its scheme and seed
    :param name_of: its scheme; scheme_of() unless given
    :return: points by (scheme, *key), each by seed
    """
    loaded = load_folder(folder)
    if loaded.damaged:
        raise ResultError(folder, loaded.damaged[0])
    found = {}
    for point in loaded.points:
        if point.finished:
            own = found.setdefault(((name_of or scheme_of)(point.config), *place_of(point.config)), {})
            if point.seed in own:
                raise ResultError(point.folder, f"the same as {own[point.seed].folder.name}")
            own[point.seed] = point
    return found


def collective(config):
    """Where a point of a grid of collectives stands."""
    return load_of(config), control_of(config)


def scheme_of(config):
    """A short name of what an effective descriptor, flat, has for `balance`."""
    name = config["balance.type"]
    host = config.get("balance.host.type", "flow")
    if host != "flow":
        name += f" {host}"
    chunk = config.get("balance.chunk")
    if name == RAILS and chunk not in (None, CUTS[RAILS]):
        name += f" {size_text(chunk)}"
    counts = config.get("balance.count_exchange")
    if counts is not None and parse_number(counts) == 0:
        name += ", counts free"
    return name


def size_text(value):
    """256KB as people write it."""
    number = parse_number(value)
    if number is None:
        return str(value)
    unit, factor = next(unit for unit in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)) if number >= unit[1] or unit[1] == 1e3)
    return f"{number / factor:g} {unit}"


def control_of(config):
    kind = config["transport.congestion_control.type"]
    return config.get("transport.congestion_control.preset", kind)


def load_of(config):
    """The load of a point, with what a GPU sends to the nearest MB."""
    at = "workload.matrix."
    kind = config[f"{at}type"]
    gpus = config["topology.domains"] * config["topology.gpus_per_domain"]
    number = lambda key: parse_number(config[at + key])  # noqa: E731
    if kind == "uniform":
        return Load(kind, "", round(number("bytes_per_pair") * gpus / 1e6))
    if kind == "sparse":
        density = number("density")
        return Load(kind, f"{100 * density:g} %", round(number("mean") * density * gpus / 1e6))
    if kind == "zipf":
        return Load(kind, f"{number('exponent'):g}", round(number("bytes_per_gpu") / 1e6))
    if kind == "moe":
        token = number("top_k") * number("hidden") * number("bytes_per_element")
        return Load(kind, "", round(number("tokens_per_gpu") * token / 1e6))
    raise ResultError("workload.matrix", f"{json.dumps(kind)} is no load of this comparison")


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def seconds(points):
    """Mean over the seeds of a cell."""
    return mean(point.cct_s for point in points.values())


def change(found, scheme, baseline, place):
    """
    Time of a scheme over that of a baseline, less 1; of the seeds that both have. None without both.
    """
    own, other = found.get((scheme, *place)), found.get((baseline, *place))
    seeds = set(own or ()) & set(other or ())
    if not seeds:
        return None
    own, other = ({seed: points[seed] for seed in sorted(seeds)} for points in (own, other))
    return seconds(own) / seconds(other) - 1


def places(found):
    """All keys that there are, in the order of tables."""
    return sorted({key[1:] for key in found}, key=lambda place: (place[0].order, list(CONTROLS).index(place[1])))


def baselines_of(found):
    return [name for name in BASELINES if any(key[0] == name for key in found)]


def cuts_of(found):
    """How RailS cuts messages, by the names in SCHEMES."""
    return [name for name in CUTS if any(key[0] == name for key in found)]


def rails_of(found):
    """RailS as a grid has it; the default where it has none."""
    return (*cuts_of(found), RAILS)[0]


def controls_of(found):
    return [name for name in CONTROLS if any(key[-1] == name for key in found)]


def percent(value, digits=0):
    """-0.5 as text; a zero has no sign before it."""
    text = f"{100 * value:+.{digits}f}"
    return f"{text if text.strip('+-0.') else '+' + text[1:]} %"
