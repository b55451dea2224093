# SPDX-License-Identifier: GPL-2.0-only
"""The table as people and programs read it, and its figure."""

from __future__ import annotations

import csv
import io

from statistics import median

from .communication import error_of
from .comparison import APART, NEAR, null_step, predictions_of, summary_of

HEAD = ["row", "GPUs", "layout", "measured s", "predicted s", "error %", "null s", "null error %", "efficiency"]


def rows_of(outcomes, anchors):
    """A list of texts for each row, anchors with their efficiency alone."""
    rows = [HEAD]
    for outcome in outcomes:
        row = outcome.row
        cells = [row.name, str(row.gpus), row.shape, f"{row.step_s:.4g}"]
        efficiency = "" if outcome.efficiency is None else f"{outcome.efficiency:.3f}"
        if outcome.step_s is None:
            cells += ["no result" if outcome.failure else "not run yet", "", "", "", ""]
        elif row.use == "anchor":
            cells += [f"{outcome.step_s:.4g}", "anchor", "", "", efficiency]
        else:
            null = null_step(row, anchors[row.group])
            cells += [f"{outcome.step_s:.4g}", _percent(outcome.step_s, row), f"{null:.4g}", _percent(null, row)]
            cells += [efficiency]
        rows.append(cells)
    return rows


def page_rows(outcomes, anchors):
    """Rows that are predicted, in the width of a page."""
    rows = [["Model", "GPUs", "Layout", "Study", "Measured", "Predicted", "Error %", "Null's %"]]
    for outcome in outcomes:
        row = outcome.row
        if row.use != "predict" or (outcome.step_s is None and not outcome.failure):
            continue
        study = f"{row.study} {row.version}" if row.study == "bridge" else row.study  # others have a version each
        layout = f"{row.precision.removesuffix('-tensor')} {row.shape}"
        cells = [row.model, f"{row.gpus} {row.gpu}", layout, study, f"{row.step_s:.4g}"]
        if outcome.step_s is None:
            cells += ["none", "", ""]
        else:
            cells += [f"{outcome.step_s:.4g}", _percent(outcome.step_s, row)]
            cells += [_percent(null_step(row, anchors[row.group]), row)]
        rows.append(cells)
    return rows


def _percent(step, row):
    return f"{round(100 * (step / row.step_s - 1), 1) + 0.0:+.1f}"


def summary_rows(outcomes, anchors):
    """Of each study and of all: how far off the predictions are, and the null model."""
    predictions = predictions_of(outcomes, anchors)
    head = ["study", "rows", "median error %", "null's %", f"within {NEAR:.0%}", "null's", "orders right", "null's"]
    rows = [head]
    studies = list(dict.fromkeys(prediction.row.study for prediction in predictions))
    for study in [*studies, "all"]:
        members = [prediction for prediction in predictions if study in ("all", prediction.row.study)]
        fixed = [anchor for anchor in anchors.values() if study in ("all", anchor.study)]
        ours, null = summary_of(members, fixed=fixed), summary_of(members, True, fixed)
        rows.append(
            [
                study,
                str(ours.rows),
                f"{100 * ours.median_error:.1f}",
                f"{100 * null.median_error:.1f}",
                f"{ours.near:.0%}",
                f"{null.near:.0%}",
                f"{ours.right} of {ours.pairs}",
                f"{null.right} of {null.pairs}",
            ]
        )
    return rows


def findings(outcomes):
    """Lines behind the tables."""
    failed = [outcome for outcome in outcomes if outcome.failure]
    absent = sum(outcome.step_s is None and not outcome.failure for outcome in outcomes if outcome.row.use == "predict")
    lines = [
        "The null model: a constant number of operations a second, that of the anchor.",
        f"Orders: pairs of a study that do the same work on as many GPUs, with steps more than {APART:.0%} apart.",
    ]
    if absent:
        lines.append(f"{absent} row{'s have' if absent > 1 else ' has'} not been run yet.")
    lines += [f"no result: {outcome.row.name}: {outcome.failure}" for outcome in failed]
    return lines


def exchange_rows(values):
    """A list of texts for each exchange."""
    rows = [["exchange", "system", "GPUs", "unit", "measured", "predicted", "time off %"]]
    for row, value, _ in values:
        cells = [row.name, row.system, str(row.gpus), row.unit, f"{row.value:g}"]
        cells += ["none", ""] if value is None else [f"{value:.4g}", f"{100 * error_of(row, value):+.1f}"]
        rows.append(cells)
    return rows


def exchange_summary(values):
    """Of each study of exchanges and of all: how far off the predictions are."""
    rows = [["study", "rows", "median error %", f"within {NEAR:.0%}"]]
    known = [(row, abs(error_of(row, value))) for row, value, _ in values if value is not None]
    for study in [*dict.fromkeys(row.study for row, _ in known), "all"]:
        errors = [error for row, error in known if study in ("all", row.study)]
        if errors:
            near = sum(error <= NEAR for error in errors) / len(errors)
            rows.append([study, str(len(errors)), f"{100 * median(errors):.1f}", f"{near:.0%}"])
    return rows


def as_csv(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
