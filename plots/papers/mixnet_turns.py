# SPDX-License-Identifier: GPL-2.0-only
"""
Circuits of one direction that take turns beside those of MixNet, over the delay of circuits. Results
of experiments/mixnet/mixnet-birkhoff.
"""

from dataclasses import dataclass

from matplotlib.lines import Line2D

from . import mixnet, mixnet_grids
from rails.plots import style
from rails.reader.units import parse_number

LOOKS = {
    "greedy": ("MixNet's circuits", *mixnet.CIRCUITS["greedy"]),
    "birkhoff": ("circuits that take turns", *mixnet.CIRCUITS["birkhoff"]),
}


@dataclass(frozen=True)
class Turn:
    """What came out of a run."""

    iteration: float  # s
    moves: float  # sets of circuits that were laid, of all regions


def turns(points):
    """What came out by setting, Gbit/s, type of circuits and seconds of delay."""
    found = {}
    for point, place in mixnet_grids.by_model(points):
        delay = parse_number(point.config["optical.reconfiguration_delay"])
        optical = point.result["optical"]
        key = place.setting, place.rate, point.config["optical.circuits.type"], delay
        found[key] = Turn(point.cct_s, optical["reconfigurations"])
    return found


def cases_of(found):
    order = list(mixnet.LINES)
    return sorted({key[:2] for key in found}, key=lambda key: (order.index(key[0]), key[1]))


def pairs(found, case):
    """Both kinds of circuits by delay, where both were run."""
    delays = sorted({key[3] for key in found if key[:2] == case})
    own = {delay: tuple(found.get((*case, name, delay)) for name in LOOKS) for delay in delays}
    return {delay: both for delay, both in own.items() if all(both)}


def describe(found):
    for case in cases_of(found):
        parts = []
        for delay, (moving, turning) in pairs(found, case).items():
            ratio = turning.iteration / moving.iteration
            parts.append(f"{delay:g} s {ratio:.3f} ({turning.moves / moving.moves:.0f} times as many moves)")
        yield f"circuits that take turns, {case[0]}, {case[1]}G: iteration over MixNet's: " + ", ".join(parts)


def table(found):
    """Iterations over MixNet's with the least delay."""
    delays = sorted({key[3] for key in found})
    rows = [["Experts of a layer", "Rate", "Circuits", "Moves", *(_delay_text(delay) for delay in delays)]]
    for case in cases_of(found):
        own = pairs(found, case)
        base = own[min(own)][0].iteration if own else None
        for number, (name, *_) in enumerate(LOOKS.values()):
            cells = [f"{own[delay][number].iteration / base:.3f}" if delay in own else "" for delay in delays]
            moves = f"{own[min(own)][number].moves:,.0f}" if own else ""
            rows.append([case[0], f"{case[1]}G", name, moves, *cells])
    return rows


def draw(found):
    """A panel for each rate."""
    rates = sorted({key[1] for key in found})
    figure, axes = style.new_figure(4.8 * max(1, len(rates)), 3.5, 1, len(rates))
    for axis, rate in zip(axes.flat, rates):
        for case in cases_of(found):
            own = pairs(found, case)
            if case[1] != rate or not own:
                continue
            base = own[min(own)][0].iteration
            for number, (_, colour, marker) in enumerate(LOOKS.values()):
                values = [(delay, both[number].iteration / base) for delay, both in own.items()]
                axis.plot(*zip(*values), mixnet.LINES[case[0]], color=colour, marker=marker, markersize=4)
        axis.set_xscale("log")
        axis.set_yscale("log")
        delays = sorted({key[3] for key in found})
        axis.set_xticks(delays, [_delay_text(delay) for delay in delays])
        axis.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
        axis.minorticks_off()
        axis.set_xlabel("delay before each set of circuits")
        axis.set_ylabel("iteration over MixNet's with the least delay")
        axis.set_title(f"Mixtral 8x22B, {rate}G")
    handles = [Line2D([], [], color=colour, marker=marker, label=name) for name, colour, marker in LOOKS.values()]
    handles += mixnet.setting_handles({case[0] for case in cases_of(found)})
    style.below(figure, handles)
    return figure


def _delay_text(delay):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if delay >= size * 0.999:
            return f"{delay / size:g} {unit}"
    return f"{delay:g} s"
