# SPDX-License-Identifier: GPL-2.0-only
"""What is wrong with a drawn figure: texts on each other, what is cut off, ticks without a label."""

import json
from itertools import combinations
from unittest import mock

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.legend import Legend
from matplotlib.text import Annotation, Text

_SLACK = 1.0  # pixels that boxes of texts may share: letters do not fill theirs


def faults(figure, least_points=0):
    """
    Lines on what is wrong; none where all can be read.

    :param least_points: the smallest font that there may be
    """
    texts = _drawn_texts(figure)
    return [
        *(f"{text.get_text()!r} is small" for text in texts if text.get_fontsize() < least_points),
        *_overlaps(texts),
        *_joined_titles(figure),
        *_outside(figure, texts),
        *_cut_marks(figure),
        *_hidden_marks(figure),
        *_odd_texts(texts),
        *_bare_axes(figure),
        *_twice(figure),
        *_empty(figure),
    ]


def _drawn_texts(figure):
    """Texts that the figure really draws, which is fewer than it holds: ticks are made in advance."""
    found, draw = {}, Text.draw

    def note(text, renderer, *arguments, **options):
        if text.get_visible() and text.get_text().strip():
            found[id(text)] = text
        return draw(text, renderer, *arguments, **options)

    def note_annotation(text, renderer, *arguments, **options):
        if text.get_visible() and text._check_xy(renderer):
            note(text, renderer, *arguments, **options)

    FigureCanvasAgg(figure)
    with mock.patch.object(Text, "draw", note), mock.patch.object(Annotation, "draw", note_annotation):
        figure.draw_without_rendering()
    return list(found.values())


def _corners(text):
    """The corners of a text's box, which is turned with the text, in pixels."""
    angle = text.get_rotation()
    if angle % 90 == 0:
        box = text.get_window_extent()
        return np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    anchor = np.array(text.get_transform().transform(text.get_unitless_position()))
    around = text.get_window_extent()
    text.set_rotation(0)
    level = _corners(text)
    text.set_rotation(angle)
    if text.get_rotation_mode() != "anchor":  # the box around it is what stands at its place
        anchor = np.array([(around.x0 + around.x1) / 2, (around.y0 + around.y1) / 2])
        level = level - level.mean(axis=0) + anchor
    turn = np.radians(angle)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return (level - anchor) @ matrix.T + anchor


def _share(one, other):
    """How deep two boxes are in each other, in pixels; below 0 where they are apart."""
    depth = np.inf
    for box in (one, other):
        for side in (box[1] - box[0], box[3] - box[0]):
            length = np.hypot(*side)
            if length == 0:
                continue
            along = side / length
            a, b = one @ along, other @ along
            depth = min(depth, min(a.max(), b.max()) - max(a.min(), b.min()))
    return depth


def _overlaps(texts):
    if not texts:
        return
    boxes = np.array([_corners(text) for text in texts])
    low, high = boxes.min(axis=1), boxes.max(axis=1)
    near = (np.minimum(high[:, None], high) - np.maximum(low[:, None], low) > _SLACK).all(axis=2)
    for one, other in np.argwhere(np.triu(near, 1)):
        if _share(boxes[one], boxes[other]) > _SLACK:
            yield f"{texts[one].get_text()!r} and {texts[other].get_text()!r} overlap"


def _joined_titles(figure):
    """Titles of panels side by side that read as one line."""
    titles = [axes.title for axes in figure.axes if axes.get_visible() and axes.get_title().strip()]
    boxes = [title.get_window_extent().padded(0.25 * figure.dpi * title.get_fontsize() / 72) for title in titles]
    for (one, box), (other, beside) in combinations(zip(titles, boxes), 2):
        if box.overlaps(beside):
            yield f"{one.get_text()!r} and {other.get_text()!r} are not apart"


def _outside(figure, texts):
    """Texts, legends, panels beyond the canvas."""
    width, height = figure.bbox.width, figure.bbox.height
    boxes = [(repr(text.get_text()), _corners(text)) for text in texts]
    others = figure.findobj(lambda artist: isinstance(artist, Legend)) + list(figure.axes)
    for thing in others:
        if thing.get_visible():
            box = thing.get_window_extent()
            boxes.append((type(thing).__name__, box.get_points()))
            is_scale = hasattr(thing, "_colorbar")
            if not is_scale and (box.width < 20 or box.height < 8):
                yield f"a {type(thing).__name__} has no room: {box.width:.0f} x {box.height:.0f}"
    for name, points in boxes:
        low, high = points.min(axis=0), points.max(axis=0)
        if low.min() < -0.5 or high[0] > width + 0.5 or high[1] > height + 0.5:
            yield f"{name} is outside the canvas"


def _cut_marks(figure):
    """Marks that the border of their panel cuts off, in part or as a whole."""
    for axes in figure.axes:
        frame = axes.get_window_extent()
        for line in axes.lines:
            if line.get_marker() in ("None", None, "", " ", ",") or not line.get_visible():
                continue
            if not line.get_clip_on():
                continue
            half = 0.5 * line.get_markersize() * figure.dpi / 72 * 0.8  # marks are not round boxes
            places = line.get_transform().transform(np.column_stack(line.get_data()).astype(float))
            for x, y in places[_seldom(line, len(places))]:
                if not np.isfinite([x, y]).all():
                    continue
                out = max(frame.x0 - x, x - frame.x1, frame.y0 - y, y - frame.y1)
                if out + half > 0.5:
                    yield f"a mark of {line.get_label()!r} is cut off in {axes.get_title()!r}"
                    break


def _hidden_marks(figure):
    """Marks that the legend of their panel stands on."""
    for axes in figure.axes:
        legend = axes.get_legend()
        if legend is None or not axes.get_visible():
            continue
        (left, low), (right, high) = legend.get_window_extent().get_points()
        for line in axes.lines:
            if line.get_marker() in ("None", None, "", " "):
                continue
            places = line.get_transform().transform(np.column_stack(line.get_data()).astype(float))
            if any(left < x < right and low < y < high for x, y in places):
                yield f"a mark of {line.get_label()!r} is below the legend in {axes.get_title()!r}"


def _seldom(line, count):
    every = line.get_markevery()
    if every is None:
        return slice(None)
    return list(every) if isinstance(every, range) else slice(None)


def _odd_texts(texts):
    """Texts that are for programs."""
    for text in texts:
        words = text.get_text()
        if any(mark in words for mark in ('{"', '[{', '":', "['", '["', "nan")):
            yield f"{words!r} is not for people"


def _bare_axes(figure):
    """Axes of numbers whose ticks say too little, and ticks without a label."""
    for axes in figure.axes:
        if not axes.get_visible() or not axes.axison:
            continue
        for axis in (axes.xaxis, axes.yaxis):
            ticks = [tick for tick in axis._update_ticks() if tick.label1.get_visible()]
            shown = [tick.label1.get_text() for tick in ticks]
            if not ticks or not axis.get_visible():
                continue
            if any(not text.strip() for text in shown):
                yield f"a tick of {axes.get_title()!r} has no label"
            if len(set(shown)) < len(shown):
                yield f"ticks of {axes.get_title()!r} have the same labels: {shown}"
            if _is_of_numbers(axis, shown) and len(ticks) < 2:
                yield f"an axis of {axes.get_title()!r} has one label: {shown}"


def _is_of_numbers(axis, shown):
    """True where the ticks are chosen by matplotlib, and so no list of categories."""
    return not hasattr(axis.get_major_locator(), "locs") and bool(shown)


def _empty(figure):
    if not any(axes.get_visible() and axes.has_data() for axes in figure.axes):
        yield "nothing is drawn"


def _twice(figure):
    """Panels that show the same under the same title, and maps that show the same under any."""
    seen = set()
    for axes in figure.axes:
        if not axes.get_visible():
            continue
        drawn = [axes.get_title(), axes.get_title("left")]
        if not any(drawn) and not axes.images:
            continue
        drawn = [] if axes.images else drawn
        for line in axes.lines:
            drawn.append(np.array(line.get_xydata(), dtype=float).round(6).tolist())
        drawn += [np.array(image.get_array()).tolist() for image in axes.images]
        drawn += [[patch.get_window_extent().width, patch.get_facecolor()] for patch in axes.patches]
        key = json.dumps(drawn, default=str)
        if key in seen:
            yield f"the panel {axes.get_title()!r} is there twice"
        seen.add(key)
