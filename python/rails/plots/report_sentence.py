# SPDX-License-Identifier: GPL-2.0-only
"""Which of some options is best, in a sentence that can be quoted."""

from collections import Counter

from ..reader.units import significant
from .options import LEVEL, OPEN, UNKNOWN
from .shortened_runs import shortened

_NAMED = 3  # options
_DOUBT = {
    OPEN: ", though more seeds would have to confirm that",
    UNKNOWN: " (single runs do not tell their spread)",
}


def sentence(case, words="options"):
    """What one can say of a case, as text."""
    lines = [*_ranking(case, words), *_left_out(case), shortened(case.points)]
    return " ".join(filter(None, lines))


def summary(cases):
    """In how many cases an option is best, as text; empty for a single case."""
    known = [case for case in cases if case.options]
    if len(known) < 2:
        return ""
    counts = Counter(name for case in known for name in _best_names(case))
    tried = Counter(option.name for case in known for option in case.options)
    (first, most), *others = counts.most_common()
    best = "fastest, or level with the fastest," if known[0].measure.base else "best, or level with it,"
    cases = f"{most} of the {tried[first]} cases that it has results in"
    if tried[first] == len(known):
        cases = f"{most} of {len(known)} cases"
        if most == len(known):
            cases = "both cases" if most == 2 else f"all {most} cases"
    shown = [f"“{name}” in {count} of {tried[name]}" for name, count in others[:_NAMED]]
    more = [f"{len(others) - _NAMED} others in no more"] * (len(others) > _NAMED)
    return "; ".join([f"“{first}” is {best} in {cases}", *shown, *more]) + "."


def _best_names(case):
    best = case.rivals[0]
    return [o.name for o in case.rivals if o is best or best.verdict_on(o) == LEVEL]


def _ranking(case, words):
    if not case.options:
        if case.count == 1:
            return ["The only option has no result: it failed or did not finish."]
        return [f"No option has a result: all {case.count} failed or did not finish."]
    rivals = case.rivals
    best, others = rivals[0], rivals[1:]
    if not others:
        return [f"There is one option, “{best.name}”: {_value(case, best)}."]
    level = [other for other in others if best.verdict_on(other) == LEVEL]
    of = f"Of {len(rivals)} {words}"
    if len(level) == len(others):
        ends = f"{case.measure.text(best.mean)} and {case.measure.text(others[-1].mean)}"
        return [f"All {len(rivals)} {words} are level, between {ends}{_spread(best)}."]
    if level:
        names = _names(level)
        verb = "is" if len(level) == 1 else "are"
        lines = [
            f"{of}, “{best.name}” has the lowest mean: {_value(case, best)}; {names} {verb} level "
            "with it."
        ]
    else:
        next_one = _next(case, best, others[0])
        lines = [f"{of}, “{best.name}” {_is_best(case)}: {_value(case, best)}{next_one}."]
    if others[-1] not in level and len(others) > 1:
        lines.append(_last(case, best, others[-1]))
    return lines


def _next(case, best, other):
    """How far the next one is."""
    if case.measure.base:
        text = f", {_times(best, other)} times as fast as the next, “{other.name}”"
    else:
        text = f"; the next, “{other.name}”, has {case.measure.text(other.mean)}"
    return text + _DOUBT.get(best.verdict_on(other), "")


def _last(case, best, other):
    if case.measure.base:
        return f"The slowest, “{other.name}”, takes {_times(best, other)} times as long."
    return f"The last, “{other.name}”, has {case.measure.text(other.mean)}."


def _is_best(case):
    return "is fastest" if case.measure.base else "has the most even load"


def _value(case, option):
    """Its mean with spread and number of runs."""
    return case.measure.text(option.mean) + _spread(option, case.measure)


def _spread(option, measure=None):
    if option.n == 1:
        return " (one run)"
    sd = f", sd {_sd(option, measure)}" if measure else ""
    left = f", {option.left_out}" if option.left_out else ""
    return f" (n = {option.n}{sd}{left})"


def _sd(option, measure):
    unit, factor = measure.unit([option.mean])
    return f"{significant(option.sd / factor, 2)} {unit}".strip()


def _times(one, other):
    """How many times as much another takes, with as many digits as show that it differs."""
    ratio = other.mean / one.mean if one.mean else float("inf")
    texts = [f"{ratio:.{digits}f}" for digits in range(2, 12)]
    return next((text for text in texts if float(text) != 1), "1.00")


def _names(options):
    names = [f"“{option.name}”" for option in options[:_NAMED]]
    if len(options) > _NAMED:
        return f"{', '.join(names)} and {len(options) - _NAMED} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _left_out(case):
    if case.options and case.without:
        count = len(case.without)
        yield f"{count} further option{'s have' if count > 1 else ' has'} no result."
