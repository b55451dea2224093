# SPDX-License-Identifier: GPL-2.0-only
"""
What else decides on RailS: grids of experiments/rails that vary one thing apart. Pieces, rates of NICs, recorded
routing, a rail that fails, one copy of a token to each server, neighbours, and iterations by frames.
"""

import json
from itertools import product

from . import rails_grid as grid
from rails.plots import style
from rails.reader.units import parse_number

PIECES = ("whole", "16 MB", "4 MB", "1 MB", "256 KB", "automatic")
WHOLE, DEAD, HALF = "whole", "dead", "half"
PATHS = {"flow": "hashed", "spray": "sprayed"}  # over the spines of a rail
_ORDER = (*grid.SCHEMES, "rails-plus", "rails-plus, counts free", "rails-plus-row")
_UNCUT = ("rail-source", grid.OPTIMUM)  # without a size of chunks
_SOON = 1e-6  # counts of a graph, which cannot be known at once, take so much where they are to be free


def over_bound(points, bound="lower_bound_s"):
    """Mean over the seeds of a cell."""
    return grid.mean(point.cct_s / point.get(bound) for point in points.values())


def _schemes(found):
    return sorted({key[0] for key in found}, key=_ORDER.index)


def _loads(found, at=1):
    return sorted({key[at] for key in found}, key=lambda load: load.order)


def _text(points, value=over_bound):
    return f"{value(points):.3f}" if points else ""


def name_of(config):
    """The scheme beside a neighbour, whose paths are not its own; counts of a microsecond are as good as free."""
    counts = config.get("balance.count_exchange")
    free = {"balance.count_exchange": "0s"} if counts is not None and parse_number(counts) == _SOON else {}
    return grid.scheme_of({**config, "balance.host.type": "flow", **free})


# Pieces


def piece(config):
    uncut = config["balance.type"] in _UNCUT
    return grid.load_of(config), "" if uncut else grid.size_text(config["balance.chunk"])


def type_of(config):
    return config["balance.type"]


def piece_table(found):
    """Each scheme over the bound, by the size of its chunks."""
    rows = [["Load", "Scheme", "Without chunks", *PIECES]]
    for load in _loads(found):
        for scheme in _schemes(found):
            own = {size: points for (name, place, size), points in found.items() if (name, place) == (scheme, load)}
            rows.append([load.name, scheme, *(_text(own.get(size)) for size in ("", *PIECES))])
    return rows


def draw_pieces(found):
    """A panel for each load: over the size of chunks, each scheme's time over the bound."""
    schemes, loads = _schemes(found), _loads(found)
    figure, axes = style.new_figure(12, 3.4, 1, len(loads), sharex=True)
    for axis, load in zip(axes[0], loads):
        for scheme in schemes:
            own = {size: points for (name, place, size), points in found.items() if (name, place) == (scheme, load)}
            drawn = [(at, over_bound(own[size])) for at, size in enumerate(PIECES) if size in own]
            drawn = drawn or [(at, over_bound(own[""])) for at in range(len(PIECES)) if "" in own]
            marker = {} if "" in own else {"marker": style.look(scheme, schemes)[2], "markersize": 4}
            axis.plot(*zip(*drawn), **style.line(scheme, schemes), **marker)
        axis.axhline(1, **style.BOUND)
        axis.set_title(load.name)
        axis.set_xlabel("chunk")
        axis.set_xticks(range(len(PIECES)), PIECES, rotation=30)
    axes[0, 0].set_ylabel("completion time over the bound")
    style.legend(axes[0, -1])
    return figure


# Rates


def rate(config):
    return grid.load_of(config), round(parse_number(config["topology.nic_rate"]) / 1e9)


def rate_table(found):
    """Each scheme over the bound, by the rate of NICs."""
    rates = sorted({key[2] for key in found})
    rows = [["Load", "Scheme", *(f"{own}G" for own in rates)]]
    for load in _loads(found):
        for scheme in _schemes(found):
            rows.append([load.name, scheme, *(_text(found.get((scheme, load, own))) for own in rates)])
    return rows


# Recorded routing


def moment(config):
    return config["workload.matrix.iteration"], config["workload.matrix.layer"]


def trace_table(found):
    """A row for each recorded load: all schemes over the bound."""
    schemes = _schemes(found)
    rows = [["Layer", "Iteration", "Bound [ms]", *schemes]]
    for layer, iteration in sorted({key[:0:-1] for key in found}):
        own = {scheme: found.get((scheme, iteration, layer)) for scheme in schemes}
        bound = next(point.bound_s for points in own.values() for point in (points or {}).values())
        rows.append([str(layer), str(iteration), f"{1e3 * bound:.3f}", *(_text(own[scheme]) for scheme in schemes)])
    return rows


# A rail that fails


def failure(config):
    """:return: load, and what happened to a rail"""
    schedule = json.loads(config["failures.schedule"])
    state = WHOLE if not schedule else DEAD if "switch" in schedule[0] else HALF
    return grid.load_of(config), state


def failure_table(found):
    """Each scheme on whole rails, and what a rail costs that is dead or at half rate."""
    rows = [["Load", "Scheme", "Whole [ms]", "A rail dead", "At half rate"]]
    for load in _loads(found):
        for scheme in _schemes(found):
            whole, dead, half = (found.get((scheme, load, state)) for state in (WHOLE, DEAD, HALF))
            if whole:
                row = [load.name, scheme, f"{1e3 * grid.seconds(whole):.3f}"]
                rows.append(row + [_times(own, whole) for own in (dead, half)])
    return rows


def _times(points, other, seconds=grid.seconds):
    return f"{seconds(points) / seconds(other):.3f}" if points else ""


# One copy to each server


def copies(config):
    return grid.load_of(config), grid.control_of(config), config["workload.exchange.type"]


def copy_table(found):
    """Both exchanges: the bound with ACKs, and all schemes over it."""
    schemes = _schemes(found)
    rows = [["A GPU sends", "Congestion control", "Exchange", "Bound [us]", *schemes]]
    for load in _loads(found):
        for control in ("none", *(name for name in grid.CONTROLS if name != "none")):
            for exchange in ("pairs", "deduplicated"):
                own = {scheme: found.get((scheme, load, control, exchange)) for scheme in schemes}
                points = [point for points in own.values() for point in (points or {}).values()]
                if points:
                    bound = grid.mean(point.get("lower_bound_acks_s") for point in points)
                    row = [f"{load.size} MB", control, exchange, f"{1e6 * bound:.1f}"]
                    rows.append(row + [_text(own[scheme], _over_acks) for scheme in schemes])
    return rows


def _over_acks(points):
    return over_bound(points, "lower_bound_acks_s")


# Wrong counts


def miscount(config):
    """:return: load, control, and by how many percent at least and at most sums are wrong"""
    wrong = (0, 0)
    if config["balance.type"] == "miscounted":
        wrong = tuple(round(100 * (parse_number(config[f"balance.{key}"]) - 1)) for key in ("least", "most"))
    return grid.load_of(config), grid.control_of(config), wrong


def _no_name(_):
    return "rails-plus, counts free"


def miscount_table(found):
    """rails-plus over the bound with ACKs, and its marks, by how wrong its counts are."""
    wrongs = sorted({key[3] for key in found}, key=lambda wrong: (wrong != (0, 0), wrong))
    names = ["right" if wrong == (0, 0) else _range(*wrong) for wrong in wrongs]
    rows = [["Load", "A GPU sends", "Congestion control", *names, *(f"Marks, {name}" for name in names)]]
    for load in _loads(found):
        for control in grid.CONTROLS:
            own = [found.get((_no_name(None), load, control, wrong)) for wrong in wrongs]
            if any(own):
                marks = [_marks(points) if points else "" for points in own]
                ratios = [_text(points, _over_acks) for points in own]
                rows.append([load.name, f"{load.size} MB", control, *ratios, *marks])
    return rows


def _range(least, most):
    return f"{least:+d} %" if least == most else f"{least:+d} to {most:+d} %"


# Neighbours


def neighbour(config):
    """:return: the load of the dispatch, congestion control, and whether somebody else sends"""
    stages = json.loads(config["workload.stages"])
    load = {key: config[key] for key in ("topology.domains", "topology.gpus_per_domain")}
    load.update({f"workload.matrix.{key}": value for key, value in stages[0]["matrix"].items()})
    return grid.load_of(load), grid.control_of(config), len(stages) > 1


def dispatch_seconds(points):
    """Mean over seeds of the time that a GPU's dispatch takes, the mean over GPUs."""
    kinds = ({kind["name"]: kind for kind in point.result["graph"]["kinds"]} for point in points.values())
    return grid.mean(own["dispatch"]["busy_s"] for own in kinds)


def _marks(points):
    return f"{sum(point.number('ecn_marks') or 0 for point in points.values()):,}"


def neighbour_table(found):
    """What traffic on the same NICs costs a dispatch, and both together over their bound."""
    rows = [["Load", "Congestion control", "Scheme", "Alone [ms]", "Beside", "Both over the bound", "Marks alone", "beside"]]
    for load in _loads(found):
        for control in grid.CONTROLS:
            for scheme in _schemes(found):
                alone, beside = (found.get((scheme, load, control, own)) for own in (False, True))
                if alone and beside:
                    row = [load.name, control, scheme, f"{1e3 * dispatch_seconds(alone):.3f}"]
                    row += [_times(beside, alone, dispatch_seconds), _text(beside)]
                    rows.append([*row, _marks(alone), _marks(beside)])
    return rows


def servers(config):
    return grid.control_of(config), config["workload.jobs.neighbour.runs"]


def _job_seconds(points, name="exchange"):
    jobs = ({job["name"]: job for job in point.result["graph"]["jobs"]} for point in points.values())
    return grid.mean(own[name]["end_s"] - own[name]["start_s"] for own in jobs)


def server_table(found):
    """What a job on other servers costs a dispatch."""
    rows = [["Congestion control", "Scheme", "Alone [ms]", "Beside"]]
    for control in grid.CONTROLS:
        for scheme in _schemes(found):
            alone, beside = (found.get((scheme, control, own)) for own in (False, True))
            if alone and beside:
                rows.append([control, scheme, f"{1e3 * _job_seconds(alone):.3f}", _times(beside, alone, _job_seconds)])
    return rows


def uplinks(config):
    """:return: how frames choose among spines, congestion control, and whether somebody else sends"""
    return PATHS[config["balance.host.type"]], grid.control_of(config), config["workload.jobs.neighbour.runs"]


def uplink_table(found):
    """What a job costs a dispatch that sends over the same uplinks, how long it takes itself, and marks."""
    rows = [["Paths", "Congestion control", "Scheme", "Alone [ms]", "Beside", "Neighbour [ms]", "Marks alone", "beside"]]
    for paths, control in product(PATHS.values(), grid.CONTROLS):
        for scheme in _schemes(found):
            alone, beside = (found.get((scheme, paths, control, own)) for own in (False, True))
            if alone and beside:
                row = [paths, control, scheme, f"{1e3 * _job_seconds(alone):.3f}"]
                row += [_times(beside, alone, _job_seconds), f"{1e3 * _job_seconds(beside, 'neighbour'):.3f}"]
                rows.append([*row, _marks(alone), _marks(beside)])
    return rows


# Iterations by frames


def iteration(config):
    return config["workload.parallel.tp"], config["engine.type"]


def frame_table(found):
    """Each iteration by flows and by frames, and RailS over the own NIC in both."""
    rows = [["TP", "Scheme", "Flows [ms]", "Frames [ms]", "Frames over flows", "Over rail-source: flows", "frames"]]
    for tensor in sorted({key[1] for key in found}):
        for scheme in _schemes(found):
            own = {engine: found.get((scheme, tensor, engine)) for engine in ("flow", "frames")}
            base = {engine: found.get(("rail-source", tensor, engine)) for engine in own}
            if all([*own.values(), *base.values()]):
                row = [str(tensor), scheme, *(f"{1e3 * grid.seconds(points):.2f}" for points in own.values())]
                row.append(_times(own["frames"], own["flow"]))
                rows.append(row + [_times(own[engine], base[engine]) for engine in own])
    return rows


# By the name of a grid, which is that of its table.
TABLES = {
    "apart-pieces": (piece, type_of, piece_table),
    "apart-rates": (rate, grid.scheme_of, rate_table),
    "apart-trace": (moment, grid.scheme_of, trace_table),
    "apart-failures": (failure, grid.scheme_of, failure_table),
    "apart-deduplicated": (copies, grid.scheme_of, copy_table),
    "miscounted": (miscount, _no_name, miscount_table),
    "apart-neighbour-nics": (neighbour, name_of, neighbour_table),
    "apart-neighbour-servers": (servers, name_of, server_table),
    "apart-neighbour-uplinks": (uplinks, name_of, uplink_table),
    "iterations-frames": (iteration, grid.scheme_of, frame_table),
}
