# SPDX-License-Identifier: GPL-2.0-only
"""What the table comes to: errors, orders, and the null model beside them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from statistics import median

APART = 0.05  # steps that differ by more have an order
NEAR = 0.20


def null_step(row, anchor):
    """What a constant number of operations a second, that of the anchor, makes of a row."""
    rate = anchor.operations / anchor.gpus / anchor.step_s
    return row.operations / row.gpus / rate


@dataclass(frozen=True)
class Prediction:
    """A row that is no anchor, with a result."""

    row: object
    step_s: float
    null_s: float

    @property
    def error(self):
        return self.step_s / self.row.step_s - 1

    @property
    def null_error(self):
        return self.null_s / self.row.step_s - 1


def predictions_of(outcomes, anchors):
    return [
        Prediction(outcome.row, outcome.step_s, null_step(outcome.row, anchors[outcome.row.group]))
        for outcome in outcomes
        if outcome.step_s is not None and outcome.row.use == "predict"
    ]


@dataclass(frozen=True)
class Summary:
    """Of some rows, by one model."""

    rows: int
    median_error: float
    near: float  # share within NEAR
    pairs: int  # with an order
    right: int


def summary_of(predictions, null=False, fixed=()):
    """
    :param null: of the null model
    :param fixed: anchors, whose steps are as measured: rows have an order with these too
    """
    steps = [(p.row, p.null_s if null else p.step_s) for p in predictions]
    errors = [abs(step / row.step_s - 1) for row, step in steps]
    pairs = right = 0
    for (one, a), (other, b) in itertools.combinations(steps + [(row, row.step_s) for row in fixed], 2):
        # Steps of different work have an order that says nothing.
        if not comparable(one, other) or (one in fixed and other in fixed):
            continue
        if max(one.step_s, other.step_s) / min(one.step_s, other.step_s) - 1 <= APART:
            continue
        pairs += 1
        right += (a - b) * (one.step_s - other.step_s) > 0  # level steps have no order
    if not errors:
        return Summary(0, float("nan"), float("nan"), pairs, right)
    return Summary(len(errors), median(errors), sum(error <= NEAR for error in errors) / len(errors), pairs, right)


def comparable(one, other):
    """Whether two rows of a study do the same work on as many GPUs, so that which is faster is a question."""
    return (
        one.group == other.group
        and one.model == other.model
        and one.gpus == other.gpus
        and one.batch * one.sequence == other.batch * other.sequence
        and one.sequence == other.sequence
    )
