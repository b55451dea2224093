# SPDX-License-Identifier: GPL-2.0-only
"""The comparison of two engines as text and as CSV, and whether it keeps its limits."""

import csv
import io
from dataclasses import dataclass

import numpy as np

from .compare_table import aligned
from .engine_comparison import ENGINES, SEPARATED

_COLUMNS = (
    "cell",
    "seeds",
    "frames_cct_s",
    "flow_cct_s",
    "mean_error",
    "worst_error",
    "message_error_median",
    "message_error_p99",
    "port_error",
    "pauses",
    "paused_s",
    "limit",
)
_MOST = 8  # lines of a list


@dataclass(frozen=True)
class Limits:
    """How far the mean error of a cell may be from 0."""

    hashed: float = 0.03
    spread: float = 0.05
    change: float = 0.03

    def of(self, cell):
        """That of a cell."""
        return self.spread if cell.is_spread else self.hashed


def find_faults(comparison, limits):
    """A line for everything that is not as it should be."""
    faults = []
    for cell in comparison.cells:
        if cell.pauses:
            faults.append(f"{cell.label}: {cell.pauses} pauses, which flows do not have")
        if abs(cell.mean_error) > limits.of(cell):
            limit = _percent(limits.of(cell), "")
            faults.append(f"{cell.label}: {_percent(cell.mean_error)}, beyond {limit}")
    for disorder in comparison.disorders:
        faults.append(
            f"{disorder.second.label}: takes {_percent(disorder.by_frames)} longer than "
            f"{disorder.first.scheme} by frames, {_percent(disorder.by_flow)} by flows"
        )
    return faults


def find_change_faults(changes, limits):
    """The same for effects of changes."""
    return [
        f"{change.label}: flows differ by {_percent(change.difference)} of the completion time, "
        f"beyond {_percent(limits.change, '')}"
        for change in changes
        if abs(change.difference) > limits.change
    ]


def as_text(comparison, limits):
    """
    The comparison for people.

    :param limits: None where there are none
    """
    rows = [
        (
            "cell",
            "seeds",
            "frames cct [ms]",
            "flow",
            "error",
            "worst run",
            "messages: median",
            "p99",
            "ports",
            "pauses",
            "paused [ms]",
            "",
        )
    ]
    for cell in comparison.cells:
        messages = [_percent(value, "") for value in _message_quantiles(cell)]
        rows.append(
            (
                cell.label,
                str(len(cell.twins)),
                *(f"{1e3 * cell.mean_cct_s(engine):.4g}" for engine in ENGINES),
                _percent(cell.mean_error),
                _percent(cell.worst_error),
                *messages,
                _percent(cell.port_error, ""),
                str(cell.pauses),
                f"{1e3 * cell.paused_s:.4g}",
                _verdict(cell, limits),
            )
        )
    parts = [_head(comparison), aligned(rows), _summary(comparison)]
    return "\n\n".join(part for part in parts if part)


def changes_as_text(changes):
    """Effects of changes for people."""
    rows = [("change", "seeds", "frames", "flow", "difference", "")]
    for change in changes:
        effects = (change.by_frames, change.by_flow, change.difference)
        seeds = str(len(change.cells[1].twins))
        rows.append((change.label, seeds, *map(_percent, effects), ""))
    return aligned(rows)


def as_csv(comparison, limits):
    """The comparison for programs: a line for each cell; errors are parts, not percent."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for cell in comparison.cells:
        values = (
            *(cell.mean_cct_s(engine) for engine in ENGINES),
            cell.mean_error,
            cell.worst_error,
            *_message_quantiles(cell),
            cell.port_error,
        )
        texts = ("" if value is None else f"{value:.6g}" for value in values)
        limit = "" if limits is None else limits.of(cell)
        row = (cell.label, len(cell.twins), *texts, cell.pauses, f"{cell.paused_s:.6g}", limit)
        writer.writerow(row)
    return written.getvalue()


def _head(comparison):
    lines = [
        f"differs everywhere: {key}: {', '.join(frames)} by frames, {', '.join(flow)} by flows"
        for key, (frames, flow) in comparison.keys.items()
        if not key.startswith(("engine.", "record."))
    ]
    for engine, labels in comparison.alone.items():
        more = [f"and {len(labels) - _MOST} more"] if len(labels) > _MOST else []
        lines += [f"only by {engine}: {line}" for line in labels[:_MOST] + more]
    return "\n".join(lines)


def _summary(comparison):
    cells, twins = comparison.cells, comparison.twins
    worst_cell = max(cells, key=lambda cell: abs(cell.mean_error))
    worst = max(twins, key=lambda one: abs(one.error))
    of_worst = next(cell for cell in cells if worst in cell.twins)
    payload = sum(one.has_equal_payload for one in twins)
    lines = [
        f"{len(cells)} cells, {len(twins)} runs by both engines",
        f"worst cell: {worst_cell.label}: {_percent(worst_cell.mean_error)}",
        f"largest error of a run: {of_worst.label}, seed {worst.seed}: {_percent(worst.error)}",
    ]
    fewest, most = (function(len(cell.twins) for cell in cells) for function in (min, max))
    if fewest < most:
        lines.append(f"not complete: cells have {fewest} to {most} seeds")
    errors = [one.message_errors for one in twins if one.message_errors is not None]
    if errors and sum(map(len, errors)):
        size = np.abs(np.concatenate(errors))
        median, p99 = (_percent(np.quantile(size, part), "") for part in (0.5, 0.99))
        lines.append(f"ends of {len(size)} messages: median error {median}, p99 {p99}")
    lines.append(f"payload of every NIC: equal in {payload} of {len(twins)} runs")
    lines.append(
        f"order of schemes: of {comparison.separated} pairs that frames separate by more than "
        f"{100 * SEPARATED:g} %, flows order {len(comparison.disorders)} otherwise"
    )
    lines.append(
        "Errors: flow less frames in percent of frames, the mean over seeds; of messages the size "
        "of that of the time from post to end; of ports the largest difference of bytes, in percent "
        "of those of the busiest port."
    )
    return "\n".join(lines)


def _verdict(cell, limits):
    if limits is None:
        return ""
    if cell.pauses:
        return "paused"
    return "" if abs(cell.mean_error) <= limits.of(cell) else "beyond its limit"


def _message_quantiles(cell):
    """Median and 99th percentile of the size of errors of messages; None where there are none."""
    errors = cell.message_errors
    if errors is None or not len(errors):
        return (None, None)
    return tuple(np.quantile(np.abs(errors), (0.5, 0.99)))


def _percent(part, sign="+"):
    return "-" if part is None else f"{100 * part:{sign}.2f} %"
