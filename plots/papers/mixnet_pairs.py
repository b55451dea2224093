# SPDX-License-Identifier: GPL-2.0-only
"""
Whether circuits have to move where pairs of servers differ, what makes models differ from the paper, and
what differs by packets: results of experiments/mixnet/mixnet-pairs, mixnet-qwen-why and mixnet-packets.
"""

from itertools import combinations
from statistics import fmean

from matplotlib.lines import Line2D

from . import mixnet
from rails.plots import style
from rails.reader.units import parse_number

# With few layers and micro-batches gradients, which have two of eight NICs on MixNet, would count too much.
WHOLE = "whole_iteration_s"
STATIC = "static"
SPRAYED = "sprayed"
NEEDED = "MN, no stall"
TRACE, PUBLIC = 0.026, 0.046  # pair skew: the median of the traces of SmartMoE; MixNet's public matrix
SHOWN_SPREADS = (0.065, 0.5, 10)  # of a table
SHOWN_RATES = (100, 400)
LOADS = {"no-aux": "no balancing loss", "model": "of the model", "uniform": "equal"}
MODELS = {"qwen1.5-moe-a2.7b": "Qwen-MoE", "llama-moe-6.7b": "LLaMA-MoE"}
ENGINES = {"flow": "flows", "none": "packets", "dcqcn": "DCQCN", "swift": "Swift"}
_CONTROLS = ("dcqcn", "swift")
_COLOURS = ("#D55E00", "#E69E66", "#CC79A7", "#803800")  # of delays, the shortest first


USUAL_DELAY = 25e-3  # of the device that is meant where none is named


def _way_of(point):
    """How servers are joined: a fabric, `static`, or the seconds that circuits take to move."""
    fabric = mixnet.find_fabric(point)
    if fabric != "MN":
        return SPRAYED if point.config.get("balance.host.type") == "spray" else fabric
    if point.config["optical.circuits.type"] == "static":
        return STATIC
    delay = point.config.get("optical.reconfiguration_delay")
    return parse_number(delay) if delay else USUAL_DELAY


def name_of(way):
    """A way as it is called in tables and legends."""
    if isinstance(way, str):
        names = {STATIC: "circuits that stay", SPRAYED: "fat-tree, sprayed", NEEDED: "MixNet without stalls"}
        return names.get(way) or mixnet.NAMES[way]
    return f"circuits that move, {_delay_text(way)}"


def _delay_text(delay):
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if delay >= size * 0.999:
            return f"{delay / size:g} {unit}"
    return f"{delay * 1e6:g} us"


# Pair skew and delay


def pairs(points):
    """Means over seeds of whole iterations and of pair skews, by servers of a region, rate, spread and way."""
    found = {}
    for point in points:
        key = (
            int(point.config["workload.parallel.ep"]),
            mixnet.find_rate(point),
            float(point.config["workload.load.spread"]),
            _way_of(point),
        )
        found.setdefault(key, []).append((point.number(WHOLE), point.number("expert_pair_skew")))
    return {key: tuple(fmean(values) for values in zip(*own)) for key, own in found.items()}


def _ways(found):
    moving = sorted({key[3] for key in found if not isinstance(key[3], str)})
    return [*moving, STATIC, "FT", "RO"]


def _cases(found):
    return sorted({key[:2] for key in found})


def _spreads(found, case):
    return sorted({key[2] for key in found if key[:2] == case})


def _over_static(found, case, spread, way):
    """An iteration over that on circuits that stay; none where one of them is missing."""
    own, base = found.get((*case, spread, way)), found.get((*case, spread, STATIC))
    return own[0] / base[0] if own and base else None


def _skew(found, case, spread):
    return found[(*case, spread, STATIC)][1]


def describe_pairs(found):
    for case in _cases(found):
        for spread in _spreads(found, case):
            parts = [
                f"{name_of(way)} {ratio:.3f}"
                for way in _ways(found)
                if way != STATIC and (ratio := _over_static(found, case, spread, way))
            ]
            skew = 100 * _skew(found, case, spread)
            named = f"{case[0]} servers, {case[1]}G, spread {spread:g}, pair skew {skew:.1f} %"
            base = found[(*case, spread, STATIC)][0]
            yield f"pairs, {named}: iteration over circuits that stay ({base:.3f} s): " + ", ".join(parts)


def table_pairs(found):
    """Some rates and spreads; outcome.txt has all."""
    ways = _ways(found)
    shown = [ways[0], ways[-4], "FT", "RO"]
    heads = [_delay_text(way) if not isinstance(way, str) else way for way in shown]
    rows = [["Servers", "Rate", "Pair skew", *heads]]
    for case in _cases(found):
        for spread in _spreads(found, case):
            if case[1] in SHOWN_RATES and spread in SHOWN_SPREADS:
                ratios = [_over_static(found, case, spread, way) for way in shown]
                skew = f"{100 * _skew(found, case, spread):.1f} %"
                rows.append([str(case[0]), f"{case[1]}G", skew, *(f"{ratio:.2f}" for ratio in ratios)])
    return rows


def find_win(found, case, way, other):
    """The least pair skew from which on a way is faster than another at all that were run; none: never."""
    least = None
    for spread in reversed(_spreads(found, case)):
        own, others = found.get((*case, spread, way)), found.get((*case, spread, other))
        if not own or not others or own[0] >= others[0]:
            break
        least = _skew(found, case, spread)
    return least


def table_wins(found):
    """From which pair skew on circuits that move are faster, by delay and by what stands against them."""
    moving = [way for way in _ways(found) if not isinstance(way, str)]
    rows = [["Servers", "Rate", "Against", *(_delay_text(way) for way in moving)]]
    for case in _cases(found):
        for other in (STATIC, "FT", "RO"):
            wins = [find_win(found, case, way, other) for way in moving]
            if other == STATIC or any(win is not None for win in wins):
                texts = ["never" if win is None else f"{100 * win:.1f} %" for win in wins]
                rows.append([str(case[0]), f"{case[1]}G", name_of(other), *texts])
    return rows


def draw_pairs(found):
    """A panel for each size of a region and each shown rate."""
    sizes = sorted({case[0] for case in _cases(found)})
    rates = [rate for rate in SHOWN_RATES if any(case[1] == rate for case in _cases(found))]
    figure, axes = style.new_figure(4.4 * max(1, len(rates)), 2.9 * max(1, len(sizes)), len(sizes), len(rates))
    ways = [way for way in _ways(found) if way != STATIC]
    looks = {way: (colour, "o") for way, colour in zip([way for way in ways if not isinstance(way, str)], _COLOURS)}
    looks.update({name: mixnet.LOOKS[name] for name in ("FT", "RO")})
    for axis, case in zip(axes.flat, [(size, rate) for size in sizes for rate in rates]):
        for way in ways:
            values = [
                (100 * _skew(found, case, spread), ratio)
                for spread in _spreads(found, case)
                if (ratio := _over_static(found, case, spread, way))
            ]
            if values:
                colour, marker = looks[way]
                axis.plot(*zip(*values), color=colour, marker=marker, markersize=4)
        axis.axhline(1, color="#117733", linewidth=1)
        for skew, line in ((TRACE, "--"), (PUBLIC, ":")):
            axis.axvline(100 * skew, color="#888888", linestyle=line, linewidth=1)
        axis.set_xscale("log")
        axis.set_xticks([0.5, 1, 2, 5, 10, 20, 50], ["0.5", "1", "2", "5", "10", "20", "50"])
        axis.minorticks_off()
        axis.set_xlabel("pair skew [%]")
        axis.set_ylabel("iteration over circuits that stay")
        axis.set_title(f"region of {case[0]} servers, {case[1]}G")
    handles = [
        Line2D([], [], color=looks[way][0], marker=looks[way][1], markersize=4, label=name_of(way)) for way in ways
    ]
    handles.append(Line2D([], [], color="#117733", label=name_of(STATIC)))
    handles.append(Line2D([], [], color="#888888", linestyle="--", label="a real trace, 2.6 %"))
    handles.append(Line2D([], [], color="#888888", linestyle=":", label="MixNet's public matrix, 4.6 %"))
    style.below(figure, handles)
    return figure


# Qwen-MoE and LLaMA-MoE


def causes(points):
    """Seconds of a whole iteration by model, load, rate and way."""
    found = {}
    for point in points:
        way = _way_of(point)
        if not isinstance(way, str):
            way = NEEDED if point.config["optical.moves"] == "needed" else "MN"
        model = MODELS[point.config["workload.model.type"]]
        key = model, point.config["workload.load.preset"], mixnet.find_rate(point), way
        found[key] = point.number(WHOLE)
    return found


_SHORT = {NEEDED: "no stall", SPRAYED: "sprayed fat-tree"}
_COMPARED = (("MN", "FT"), (NEEDED, "FT"), ("MN", SPRAYED), (NEEDED, SPRAYED))


def _cause_rows(found, model, load, compared=_COMPARED):
    for way, base in compared:
        yield " / ".join(_SHORT.get(name) or name_of(name) for name in (way, base)), [
            f"{found[model, load, rate, way] / found[model, load, rate, base]:.2f}"
            if (model, load, rate, way) in found and (model, load, rate, base) in found
            else ""
            for rate in mixnet.RATES[0]
        ]


def describe_causes(found):
    compared = (*_COMPARED, ("RO", "FT"), ("RO", SPRAYED))
    for model, load in dict.fromkeys(key[:2] for key in found):
        for name, ratios in _cause_rows(found, model, load, compared):
            yield f"causes, {model}, {LOADS[load]}: {name}: " + ", ".join(
                f"{rate} {ratio}" for rate, ratio in zip(mixnet.RATES[1], ratios) if ratio
            )


def table_causes(found, papers):
    """
    :param papers: published iterations by model
    """
    rows = [["Model", "Load", "Compared", *mixnet.RATES[1]]]
    for model in dict.fromkeys(key[0] for key in found):
        paper = papers[model]
        told = [f"{paper[rate, 'MN'] / paper[rate, 'FT']:.2f}" for rate in mixnet.RATES[0]]
        rows.append([model, "paper", "MixNet / fat-tree", *told])
        for load in LOADS:
            compared = _COMPARED[:: len(_COMPARED) - 1] if load != "model" else _COMPARED
            if any(key[:2] == (model, load) for key in found):
                for name, ratios in _cause_rows(found, model, load, compared):
                    rows.append([model, LOADS[load], name, *ratios])
    return rows


# By packets


def packets(points):
    """Seconds of the simulated layers by rate, way, and engine or congestion control."""
    found = {}
    for point in points:
        is_flow = point.config["engine.type"] == "flow"
        engine = "flow" if is_flow else point.config["transport.congestion_control.type"]
        found[mixnet.find_rate(point), _way_of(point), engine] = point.cct_s
    return found


def _packet_rows(found):
    for rate in sorted({key[0] for key in found}):
        ways = [key[1] for key in found if key[0] == rate and key[2] == "flow"]
        for way in sorted(ways, key=lambda way: (isinstance(way, str), str(way) != STATIC, str(way))):
            yield rate, way


def describe_packets(found):
    for rate, way in _packet_rows(found):
        parts = [
            f"{name} {found[rate, way, engine]:.4f} s"
            for engine, name in ENGINES.items()
            if (rate, way, engine) in found
        ]
        yield f"packets, {rate}G, {name_of(way)}: " + ", ".join(parts)


def table_packets(found):
    """Over the fat-tree by the same engine, and packets over flows."""
    rows = [["Rate", "Fabric", *(f"{name}: over FT" for name in ENGINES.values())]]
    rows[0] += [f"{ENGINES[control]} over flows" for control in _CONTROLS]
    for rate, way in _packet_rows(found):
        ratios = [
            f"{found[rate, way, engine] / found[rate, 'FT', engine]:.2f}" if (rate, way, engine) in found else ""
            for engine in ENGINES
        ]
        own = [found.get((rate, way, control)) for control in _CONTROLS]
        slower = [f"{time / found[rate, way, 'flow']:.2f}" if time else "" for time in own]
        rows.append([f"{rate}G", name_of(way), *ratios, *slower])
    return rows


def table_packet_orders(found):
    """Pairs of fabrics whose order by packets is another than by flows."""
    rows = [["Rate", "Packets", "Inverted pairs"]]
    for rate in sorted({key[0] for key in found}):
        for engine in list(ENGINES)[1:]:
            ways = [way for place, way in _packet_rows(found) if place == rate and (rate, way, engine) in found]
            by_flows = sorted(ways, key=lambda way: found[rate, way, "flow"])
            pairs = list(combinations(by_flows, 2))
            wrong = [pair for pair in pairs if found[rate, pair[0], engine] > found[rate, pair[1], engine]]
            names = "; ".join(f"{name_of(slow)} before {name_of(fast)}" for fast, slow in wrong)
            rows.append([f"{rate}G", ENGINES[engine], f"{len(wrong)} of {len(pairs)}" + f": {names}" * bool(wrong)])
    return rows
