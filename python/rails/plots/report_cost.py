# SPDX-License-Identifier: GPL-2.0-only
"""
What the fabric of each option costs, and what that buys. The C++ program counts the devices, as it
does for `./rails cost`.
"""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..launcher import SET_UP_FAILED, call
from ..progress import progress_for
from ..reader.units import significant
from .html_table import MISSING, Cell, html_table, note, section, word
from .options import LEVEL
from .report_answer import framed, quote
from .shortened_runs import shortened
from .stage_data import dropped

_TEXT = (
    "Cost is that of NICs, transceivers, fibres and ports, without servers and GPUs. {rule}; prices: "
    "{prices}. {per_dollar}, the most for its money first."
)
_RULES = {
    "wiring": "Devices are counted from the wiring, cable by cable",
    "mixnet": "Devices are counted by the rules of MixNet's paper",
}


@dataclass(frozen=True)
class Cost:
    """What a fabric costs in US dollars, or why that is not known."""

    total: float = None
    per_gpu: float = None
    remark: str = ""


class Costs:
    """
    The costs of fabrics, each asked for once.
    :param options: of `./rails cost`
    """

    def __init__(self, options=()):
        self._options = options
        self._known = {}
        self.rule, self.prices = "", ""

    def of(self, option):
        """The cost of the fabric of an option."""
        config = option.anywhere.result["config"]
        if "topology" not in config:
            return Cost(remark="it has no fabric")
        key = json.dumps(config["topology"], sort_keys=True)
        if key not in self._known:
            self._known[key] = self._ask(config)
        return self._known[key]

    def _ask(self, config):
        """What the program says of a configuration, which is a descriptor too."""
        with tempfile.TemporaryDirectory() as folder:
            descriptor, answer = Path(folder) / "descriptor.yaml", Path(folder) / "cost.json"
            descriptor.write_text(json.dumps(config), encoding="utf-8")
            done = call(["cost", descriptor, "--json", answer, *self._options], progress_for(None))
            if done.status == SET_UP_FAILED:
                raise done.error()
            if done.status:
                return Cost(remark=done.error().reason)
            found = json.loads(answer.read_text(encoding="utf-8"))
        self.rule, self.prices = found["rule"], found["prices"]
        (fabric,) = found["fabrics"]
        remark = "; ".join(text.partition(" ")[2] for text in found["notes"])
        return Cost(fabric["cost_usd"], fabric["cost_per_gpu_usd"], remark)


def cost(part, costs):
    """The section as HTML."""
    if not any("topology" in point.result["config"] for case in part.cases for point in case.points):
        text = "No cost: these are studies of token counts, without a fabric."
        return section(f"{part.id}cost", part.heading("What does it cost?"), note(text))
    tables = [_case(part, case, costs, number) for number, case in enumerate(part.cases)]
    per_dollar = "Per dollar: tokens/s for a US dollar" if _has_rates(part) else (
        "Per dollar: 1 / (time × cost), that of the best being 1"
    )
    rule = _RULES.get(costs.rule, "Nothing could be counted")
    text = _TEXT.format(rule=rule, prices=costs.prices or MISSING, per_dollar=per_dollar)
    return section(f"{part.id}cost", part.heading("What does it cost?"), *tables, note(text))


def _has_rates(part):
    return all(case.rate for case in part.cases)


def _case(part, case, costs, number):
    """The options of a case, those with most for their money first."""
    rows = [(option, costs.of(option)) for option in [*case.options, *case.without]]
    rows.sort(key=lambda row: -_per_dollar(case, *row))
    most = _per_dollar(case, *rows[0])
    unit, factor = case.measure.unit([option.mean for option in case.options])
    head = [("Option", False), ("Cost [USD]", True), ("per GPU [USD]", True)]
    head += [(case.measure.title + (f" [{unit}]" if unit else ""), True)]
    head += [("tokens/s per USD" if case.rate else "Per dollar", True), ("× best", True)]
    remarks = ["; ".join(filter(None, (known.remark, dropped(option.points)))) for option, known in rows]
    has_remarks = any(remarks)
    cells = []
    for (option, known), remark in zip(rows, remarks):
        value = _per_dollar(case, option, known)
        shown = value if case.rate else value / most if most else 0
        cells.append(
            [
                word(option.name),
                _number(known.total, ",.0f"),
                _number(known.per_gpu, ",.0f"),
                Cell(significant(option.mean / factor), option.mean) if option.values else Cell(MISSING, ""),
                Cell(significant(shown), value) if value else Cell(MISSING, ""),
                Cell(f"{value / most:.2f}", value) if value else Cell(MISSING, ""),
                *[word(remark or MISSING)] * has_remarks,
            ]
        )
    head += [("Remark", False)] * has_remarks
    caption = "Cost of options and what it buys" + (f", {case.name}" if case.name else "")
    said = " ".join(filter(None, (_sentence(case, rows), shortened(case.points))))
    found = html_table(f"{part.id}costs{number}", caption, head, cells, shortened(case.points))
    return framed(case, number, quote(said) + found)


def _sentence(case, rows):
    """What one can say of it, as text."""
    known = [row for row in rows if _per_dollar(case, *row) and not row[0].no_rival]
    if not known:
        return "The cost of no option with a result is known."
    (best, price), fastest = known[0], case.rivals[0]
    text = (
        f"“{best.name}” does most for the money of its fabric, without servers and GPUs: "
        f"that costs {price.per_gpu:,.0f} USD for a GPU"
    )
    if best is fastest:
        return text + ", and nothing is faster."
    other = next((found for option, found in rows if option is fastest), Cost())
    if fastest.verdict_on(best) == LEVEL:
        text += f", and it is level with the fastest, “{fastest.name}”"
    else:
        slower = best.mean / fastest.mean
        text += f", and it takes {slower:.2f} times as long as the fastest, “{fastest.name}”"
    return text + (f", which costs {other.per_gpu:,.0f} USD." if other.per_gpu else ".")


def _per_dollar(case, option, known):
    """What a dollar buys; 0 where that is not known."""
    if not known.total or not option.values or not option.mean:
        return 0
    done = option.mean_of(case.rate) if case.rate else 1 / option.mean
    return done / known.total


def _number(value, form):
    return Cell(MISSING, "") if value is None else Cell(format(value, form), repr(value))
