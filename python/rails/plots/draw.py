# SPDX-License-Identifier: GPL-2.0-only
"""Which figures a folder gets, and their names."""

import itertools
from dataclasses import dataclass, field

from ..errors import ResultError
from ..reader.kinds import SIMULATION, STUDY, TRAINING
from ..reader.point_filter import condition, file_name
from ..reader.result_files import write_at_once
from . import case_figures, circuit_figure, expert_figures, figure_table, intervals, iteration_figures, style
from .figure_data import events
from .layout import Skip
from .own_files import is_own, refuse_folder, refuse_foreign
from .sweep_figure import along_axes

_OF_THE_NETWORK = {
    "message-cdf": case_figures.message_cdf,
    "queue-ccdf": case_figures.queue_ccdf,
    "nic-load": case_figures.nic_load,
    "link-utilisation": case_figures.link_utilisation,
}
_OF_ONE_CASE = {
    SIMULATION: {
        "cct": case_figures.completion,
        "cct-cdf": case_figures.completion_cdf,
        **_OF_THE_NETWORK,
    },
    TRAINING: _OF_THE_NETWORK,
    STUDY: {
        "gpu-loads": expert_figures.gpu_loads,
        "balance-over-time": expert_figures.balance_over_time,
        "bytes-and-balance": expert_figures.bytes_and_balance,
    },
}
_OF_ALL_CASES = {
    TRAINING: {
        "iteration": case_figures.iteration,
        "balance-and-cost": iteration_figures.balance_and_cost,
    },
}
_OF_SOME = {
    "iteration": case_figures.iteration,
    "throughput": case_figures.throughput,
    "circuits": circuit_figure.circuits,
}


@dataclass(frozen=True)
class Form:
    """How figures are drawn: for the screen unless said otherwise."""

    formats: tuple = style.USUAL_FORMATS
    width: float = None  # in inches, of a paper
    interval: float = None  # percent, in place of the range over seeds
    tables: bool = False  # CSV beside each


@dataclass
class Drawing:
    """What draw() did, in lines for people."""

    files: list = field(default_factory=list)  # those written
    notes: list = field(default_factory=list)  # which figures were left out, and why
    damaged: list = field(default_factory=list)  # files that cannot be read


def figures_of(results):
    """The functions that draw what applies to results, by the names of their figures."""
    of_all = _OF_ALL_CASES.get(results.kind, {})
    if results.axes:
        return {**of_all, f"{results.measure.figure}-by-{_names_of(results.axes)}": along_axes}
    figures = {**of_all, **_OF_ONE_CASE[results.kind]}
    if all(point.result.get("iteration_s") is not None for point in results.points):
        figures["iteration"] = _OF_SOME["iteration"]
    if any(events(point) for point in results.points):
        figures["throughput"] = _OF_SOME["throughput"]
    if any(circuit_figure.has_circuits(point) for point in results.points):
        figures["circuits"] = _OF_SOME["circuits"]
    return figures


def _names_of(axes):
    """Axes in the name of a file, which a key of any characters can be part of."""
    return file_name(["-".join(axis.name for axis in axes)])


def draw(results, folder, title, prefix="", form=Form(), force=None):
    """
    Draws all figures that apply into a folder, and removes those of a former time that do not.

    :param force: replaces what it has not drawn as well; None where no option says so
    """
    drawing, figures = Drawing(), figures_of(results)
    endings = (*form.formats, *["csv"] * form.tables)
    refuse_folder(folder, force)
    files = (folder / f"{prefix}{name}.{ending}" for name, ending in itertools.product(figures, endings))
    refuse_foreign(files, force, is_named=False)
    known = (*_OF_ONE_CASE.values(), *_OF_ALL_CASES.values(), _OF_SOME)
    stale = {name for names in known for name in names}
    if results.axes:
        measures = (results.kind.ratio, *results.kind.in_time)
        stale.update(f"{measure.figure}-by-{_names_of(results.axes)}" for measure in measures)
        case = " ".join(f"--where {condition(results.points[-1], a.key)}" for a in results.axes)
        drawing.notes.append(f"for all figures of one case, name it, as in: {case}")
    for name, function in figures.items():
        with style.house_style(form.width), intervals.shown(form.interval):
            try:
                figure = function(results, title)
            except Skip as reason:
                drawing.notes.append(f"{prefix}{name} left out: {reason}")
            except ResultError as error:
                drawing.notes.append(f"{prefix}{name} left out: {error.reason}")
                drawing.damaged.append(str(error))
            else:
                drawing.files += style.save(figure, folder, prefix + name, form.formats)
                if form.tables:
                    path = folder / f"{prefix}{name}.csv"
                    write_at_once(path, figure_table.as_csv(figure))
                    drawing.files.append(path)
                stale.discard(name)
    # What was drawn of other results would stand beside these as if it were theirs.
    for name, kind in itertools.product(sorted(stale), (*style.FORMATS, "csv")):
        path = folder / f"{prefix}{name}.{kind}"
        if is_own(path):
            path.unlink()
    return drawing
