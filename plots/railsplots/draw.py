# SPDX-License-Identifier: GPL-2.0-only
"""Which figures a folder gets, and their names."""

from . import case_figures, style
from .layout import Skip
from .sweep_figure import over_bound

_OF_ONE_CASE = {
    "cct": case_figures.completion,
    "cct-cdf": case_figures.completion_cdf,
    "message-cdf": case_figures.message_cdf,
    "queue-cdf": case_figures.queue_cdf,
    "nic-load": case_figures.nic_load,
    "link-utilisation": case_figures.link_utilisation,
}


def draw(results, folder, title, prefix=""):
    """
    Draws all figures that apply into a folder.
    :return: the files written, and for each figure left out one line that says why
    """
    figures, notes = _OF_ONE_CASE, []
    if all("iteration_s" in point.result for point in results.points):
        figures = {**figures, "iteration": case_figures.iteration}
    if results.axes:
        figures = {"cct-by-" + "-".join(axis.name for axis in results.axes): over_bound}
        one = " ".join(f"--where {axis.key}={axis.values[-1]}" for axis in results.axes)
        notes = [f"for all figures of one case, name it, as in: {one}"]
    written = []
    for name, function in figures.items():
        try:
            with style.house_style():
                written += style.save(function(results, title), folder, prefix + name)
        except Skip as reason:
            notes.append(f"{prefix}{name} left out: {reason}")
    return written, notes
