# SPDX-License-Identifier: GPL-2.0-only
"""Labels beside marks such that none covers another one, nor a mark."""

from itertools import product

from matplotlib.patheffects import withStroke

from . import style

_ASKED = "_rails_labels"
_HALO = [withStroke(linewidth=2.5, foreground="white")]
_ANGLES = ((1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1), (0, 1), (0, -1), (-1, 0))
_DISTANCES = (7, 13, 20, 28, 38, 50, 64, 80)  # in points
_MARK = 6  # half the size of one, in points


def ask(axes, place, text, bold=False):
    """Remembers a label for place()."""
    wanted = getattr(axes, _ASKED, [])
    wanted.append((place, text, bold))
    setattr(axes, _ASKED, wanted)


def place(figure, axes):
    """Writes what was asked for, each at the first free place around its mark."""
    figure.draw_without_rendering()  # from here on it is known where things are
    scale = figure.dpi / 72
    wanted = getattr(axes, _ASKED, [])
    marks = [axes.transData.transform(at) for at, *_ in wanted]
    taken = [_around(x, y, _MARK * scale) for x, y in marks]
    frame = axes.get_window_extent()
    for (at, text, bold), mark in sorted(zip(wanted, marks), key=lambda item: -item[1][1]):
        label = axes.annotate(text, at, (0, 0), textcoords="offset points", fontsize=style.points(8), zorder=5)
        label.set(in_layout=False, fontweight="bold" if bold else "normal", path_effects=_HALO)
        box = label.get_window_extent()
        size = (box.width, box.height)
        best = None
        for distance, angle in product(_DISTANCES, _ANGLES):
            found = _box(mark, size, angle, distance * scale)
            cost = sum(map(lambda other: _overlap(found, other), taken)) + 4 * _outside(found, frame)
            if best is None or cost < best[0]:
                best = (cost, found, angle, distance)
            if cost == 0:
                break
        _, found, angle, distance = best
        taken.append(found)
        label.set_position(((found[0] - mark[0]) / scale, (found[1] - mark[1]) / scale))
        if distance > _DISTANCES[1]:
            _lead(axes, at, mark, found)


def _lead(axes, at, mark, box):
    """A thin line from a mark to the nearest point of its label."""
    end = [min(max(m, low), high) for m, low, high in zip(mark, box[:2], box[2:])]
    scale = axes.figure.dpi / 72
    offset = [(e - m) / scale for e, m in zip(end, mark)]
    look = {"arrowstyle": "-", "color": "#999999", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 4}
    line = axes.annotate("", at, offset, textcoords="offset points", arrowprops=look, zorder=2)
    line.set_in_layout(False)


def _around(x, y, half):
    return (x - half, y - half, x + half, y + half)


def _box(mark, size, angle, distance):
    """Where a label of a size is that begins so far from a mark."""
    low = []
    for at, extent, side in zip(mark, size, angle):
        low.append(at + side * distance - (extent if side < 0 else extent / 2 if side == 0 else 0))
    return (*low, low[0] + size[0], low[1] + size[1])


def _overlap(one, other):
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, width) * max(0, height) if width > 0 and height > 0 else 0


def _outside(box, frame):
    """How much of a box is beyond a frame."""
    whole = (box[2] - box[0]) * (box[3] - box[1])
    return whole - _overlap(box, (frame.x0, frame.y0, frame.x1, frame.y1))
