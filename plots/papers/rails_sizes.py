# SPDX-License-Identifier: GPL-2.0-only
"""Which scheme for which size of a collective: times over the bound with ACKs, with and without DCQCN."""

from . import rails_grid as grid
from rails.plots import style
from rails.reader.units import parse_number

_ORDER = ("rail-source", *grid.CUTS, grid.OPTIMUM, "rails-plus", "rails-plus, counts free")
_TICKS = (1, 1.2, 1.5, 2, 3)


def size(config):
    """Where a point of the grid of sizes stands: bytes that a GPU sends in the mean, and congestion control."""
    return parse_number(config["workload.matrix.bytes_per_gpu"]), grid.control_of(config)


def _over_bound(points):
    return grid.mean(point.cct_s / point.get("lower_bound_acks_s") for point in points.values())


def _schemes(found):
    there = {key[0] for key in found}
    return [name for name in _ORDER if name in there] + sorted(there - set(_ORDER))


def table(found):
    """A row for each size: the fastest scheme of each congestion control, and all over the bound."""
    schemes, controls = _schemes(found), grid.controls_of(found)
    rows = [["A GPU sends", "Congestion control", *schemes, "Fastest"]]
    for sent in sorted({key[1] for key in found}):
        for control in controls:
            ratios = {
                name: _over_bound(found[name, sent, control]) for name in schemes if (name, sent, control) in found
            }
            if ratios:
                shown = [f"{ratios[name]:.3f}" if name in ratios else "" for name in schemes]
                rows.append([grid.size_text(sent), control, *shown, _fastest(ratios)])
    return rows


def _fastest(ratios):
    """Schemes that take at most 1 % longer than the fastest."""
    least = min(ratios.values())
    return ", ".join(name for name, ratio in ratios.items() if ratio <= 1.01 * least)


def draw(found):
    """A panel for each congestion control: over the size, each scheme's time over the bound."""
    schemes, controls = _schemes(found), grid.controls_of(found)
    sizes = sorted({key[1] for key in found})
    figure, axes = style.new_figure(10.5, 3.6, 1, len(controls), sharex=True, sharey=True)
    for axis, control in zip(axes[0], controls):
        for name in schemes:
            drawn = [(sent, _over_bound(found[name, sent, control])) for sent in sizes if (name, sent, control) in found]
            if drawn:
                marker = {"marker": style.look(name, schemes)[2], "markersize": 4}
                axis.plot(*zip(*drawn), **style.line(name, schemes), **marker)
        axis.axhline(1, **style.BOUND)
        axis.set_title(grid.CONTROLS[control])
        axis.set_xlabel("a GPU sends")
        axis.set_xscale("log")
        axis.set_xticks(sizes, [grid.size_text(sent) for sent in sizes], rotation=30)
        axis.minorticks_off()
    axes[0, 0].set_ylabel("completion time over the bound with ACKs")
    axes[0, 0].set_yscale("log")
    axes[0, 0].set_yticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
    axes[0, 0].minorticks_off()
    style.legend(axes[0, -1])
    return figure
