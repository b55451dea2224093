# SPDX-License-Identifier: GPL-2.0-only
"""What a report opens on: a sentence on which option is best, and all of them with their spread."""

from html import escape

import numpy as np

from ..reader.units import significant
from .html_table import MISSING, Cell, html_table, note, word
from .report_groups import on_dark
from .report_sentence import sentence, summary
from .shortened_runs import shortened
from .style import look

_FAR = 6  # times the median: a longer bar would flatten all others
_SHOWN = 4  # cases that are open
_TEXT = (
    "Bars begin at zero and are means over seeds, the lines on them go from the lowest to the "
    "highest seed. sd: standard deviation over n seeds. Level: the difference from the best, taken "
    "seed by seed, is within its standard deviation, or below 0.1 %. More seeds would tell: it is "
    "beyond that, but its 95 % interval includes zero."
)
_BASELINES = " × NAME: over the option that has this value and is the same in all else."


def answer(part):
    """The opening of a part of the page, as HTML."""
    if not part.cases:
        return ""
    cases = [_case(part, case, number) for number, case in enumerate(part.cases)]
    text = _TEXT + _BASELINES * any(case.baselines for case in part.cases)
    return "\n".join([quote(summary(part.cases)), *cases, note(text)])


def quote(text):
    """A sentence that the page opens with; nothing where there is none."""
    return f'<p class="answer">{escape(text)}</p>' if text else ""


def _case(part, case, number):
    """The sentence of a case and its table."""
    found = _table(part, case, f"{part.id}options{number}")
    return framed(case, number, quote(sentence(case, part.words)) + found)


def framed(case, number, content):
    """What a page says of a case, below its name. Of many cases the later ones open on a click."""
    if number >= _SHOWN:
        return f'<details class="case"><summary>{escape(case.name)}</summary>{content}</details>'
    heading = f"<h3>{escape(case.name)}</h3>" if case.name else ""
    return f'<div class="case">{heading}{content}</div>'


def _table(part, case, key):
    unit, factor = case.measure.unit([option.mean for option in case.options])
    title = case.measure.title + (f" [{unit}]" if unit else "")
    columns = _columns(part, case, title, factor)
    end = _end(case)
    rows = []
    for place, option in enumerate([*case.options, *case.without]):
        name = word(option.name, markup=_swatch(part, option) + escape(option.name))
        bar = word("", place, markup=_bar(part, option, end) if option.values else "")
        rows.append([name, bar, *(cell(option) for _, _, cell in columns)])
    head = [("Option", False), ("", False), *((title, numeric) for title, numeric, _ in columns)]
    caption = f"Options by {case.measure.label}" + (f", {case.name}" if case.name else "")
    return html_table(key, caption, head, rows, shortened(case.points), "options")


def _columns(part, case, title, factor):
    """Titles, whether they hold numbers, and what makes a cell of an option."""
    best = case.rivals[0] if case.options else None
    columns = [(title, True, lambda o: _number(o.mean / factor if o.values else None))]
    if any(option.n > 1 for option in case.options):
        columns.append(("sd", True, lambda o: _number(o.sd / factor if o.n > 1 else None, 2)))
    columns.append(("n", True, lambda o: Cell(str(o.n), o.n)))
    if case.count > 1:
        columns.append(("× best", True, lambda o: _over(o, best)))
    for baseline in case.baselines:
        if any(case.base_of(option, baseline) for option in case.options):
            columns.append(_over_baseline(case, baseline))
    if case.rate:
        columns.append(("tokens/s", True, lambda o: _rate(o, case.rate)))
    if any(_words(option, best) for option in [*case.options, *case.without]):
        columns.append(("Note", False, lambda o: word(_words(o, best) or MISSING)))
    if part.has_folders:
        columns.append(("Folder", False, lambda o: word(part.folders_of(o) or MISSING)))
    return columns


def _over_baseline(case, baseline):
    """A column of what options have over what a sweep compares them with."""
    name = ", ".join(f"{key.rpartition('.')[2]} {text}" for key, text in baseline.items())
    return f"× {name}", True, lambda option: _over(option, case.base_of(option, baseline))


def _number(value, digits=3):
    if value is None:
        return Cell(MISSING, "")
    return Cell(significant(value, digits), repr(value))


def _over(option, best):
    if not option.values or best is None:
        return Cell(MISSING, "")
    ratio = option.mean / best.mean if best.mean else 1.0
    # Options that differ by 0.2 % are no rarity among fabrics: 1.00 would call them the same.
    return Cell(f"{ratio:.3f}" if ratio < 10 else significant(ratio), repr(ratio))


def _rate(option, key):
    mean = option.mean_of(key)
    return Cell(MISSING, "") if mean is None else Cell(f"{float(f'{mean:.3g}'):,.0f}", repr(mean))


def _words(option, best):
    """What is to be known of an option beside its numbers."""
    if not option.values:
        reasons = {point.outcome for point in option.failed}
        return "; ".join(sorted(reasons)) or "did not finish"
    dropped = option.mean_of("dropped_share") or option.mean_of("expert_dropped_share")
    texts = [option.no_rival, option.left_out]
    texts.append(f"drops {100 * dropped:.2g} % of its tokens" if dropped else "")
    if option is not best and not option.no_rival:
        texts.append(best.verdict_on(option) if option.n > 1 else "")
    return "; ".join(filter(None, texts))


def _end(case):
    """What the longest bar stands for."""
    longest = [max(option.values.values()) for option in case.options]
    if not longest:
        return 1
    median = float(np.median(longest))
    near = [value for value in longest if value <= _FAR * median]
    return (max(near) if len(near) == len(longest) else 1.15 * max(near)) or 1


def _bar(part, option, end):
    """A bar from zero, and where its seeds are."""
    style = f"width: {100 * min(1, option.mean / end):.2f}%; {_colours(part, option)}"
    is_cut = option.mean > end
    bar = f'<i class="{"cut" if is_cut else "whole"}" style="{style}"></i>'
    low, high = (100 * edge(option.values.values()) / end for edge in (min, max))
    if high > low and high <= 100:
        bar += f'<i class="range" style="left: {low:.2f}%; width: {high - low:.2f}%"></i>'
    return f'<span class="bar">{bar}</span>'


def _swatch(part, option):
    return f'<i class="swatch" style="{_colours(part, option)}"></i>'


def _colours(part, option):
    colour = look(option.scheme, part.groups.schemes)[0]
    return f"--light: {colour}; --dark: {on_dark(colour)}"
