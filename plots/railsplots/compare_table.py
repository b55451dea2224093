# SPDX-License-Identifier: GPL-2.0-only
"""A comparison of two result folders as text and as JSON."""

from .folder_comparison import NO_TEST
from .table import aligned
from .units import best_unit


def as_text(comparison, folder_a, folder_b):
    """The comparison for people."""
    parts = [_head(comparison, folder_a, folder_b), aligned(_rows(comparison))]
    lists = (
        ("only in A", comparison.only_in_a),
        ("only in B", comparison.only_in_b),
        ("failed in A", comparison.failed_a),
        ("failed in B", comparison.failed_b),
    )
    parts += ["\n".join(f"{what}: {line}" for line in lines) for what, lines in lists if lines]
    parts.append(_summary(comparison))
    return "\n\n".join(parts)


def as_json(comparison, folder_a, folder_b):
    """The comparison for programs."""
    return {
        "a": str(folder_a),
        "b": str(folder_b),
        "metric": comparison.metric,
        "alpha": comparison.alpha,
        "correction": "Holm",
        "differing_keys": {key: {"a": a, "b": b} for key, (a, b) in comparison.keys.items()},
        "points": [_pair(pair) for pair in comparison.pairs],
        "only_in_a": comparison.only_in_a,
        "only_in_b": comparison.only_in_b,
        "failed_in_a": comparison.failed_a,
        "failed_in_b": comparison.failed_b,
    }


def _head(comparison, folder_a, folder_b):
    lines = [f"A: {folder_a}", f"B: {folder_b}"]
    for key, values in comparison.keys.items():
        a, b = (", ".join(side) for side in values)
        lines.append(f"differs everywhere: {key}: {a} in A, {b} in B")
    a, b = ("; ".join(sorted(side)) for side in comparison.versions)
    if a != b:
        lines.append(f"versions: {a} in A, {b} in B")
    return "\n".join(lines)


def _rows(comparison):
    unit, factor = _unit(comparison)
    name = comparison.metric + (f" [{unit}]" if unit else "")
    head = ("point", "seeds", f"A {name}", "B", "difference", "spread", "test", "p", "p (Holm)", "")
    rows = [head]
    for pair in comparison.pairs:
        counts = {len(pair.a), len(pair.b)}
        test = pair.test
        rows.append(
            (
                pair.label,
                str(len(pair.a)) if len(counts) == 1 else f"{len(pair.a)}, {len(pair.b)}",
                f"{pair.a.mean() / factor:.5g}",
                f"{pair.b.mean() / factor:.5g}",
                _percent(pair, pair.difference, "+"),
                "-" if pair.spread is None else "+- " + _percent(pair, pair.spread),
                test.name if test else "-",
                f"{test.p:.2g}" if test else "-",
                f"{pair.p_corrected:.2g}" if test else "-",
                pair.verdict + (f": {pair.why_no_test}" if pair.verdict == NO_TEST else ""),
            )
        )
    return rows


def _summary(comparison):
    """Counts of verdicts, and what the words mean."""
    verdicts = [pair.verdict for pair in comparison.pairs]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
    return (
        f"{len(verdicts)} points in both: {counts}\n"
        "Means over seeds. Difference: B less A in percent of A; spread: its standard deviation "
        f"over seeds.\ndiffers: p (Holm) below {comparison.alpha:g} and a difference larger than "
        "its spread; identical: equal fingerprints."
    )


def _unit(comparison):
    values = [value for pair in comparison.pairs for value in (*pair.a, *pair.b)]
    for end, base in (("_s", "s"), ("_bytes", "B")):
        if comparison.metric.endswith(end):
            return best_unit(values, base)
    return "", 1


def _percent(pair, value, sign=""):
    percent = pair.percent(value)
    return f"{value:{sign}.3g}" if percent is None else f"{percent:{sign}.2f} %"


def _pair(pair):
    test = pair.test
    return {
        "point": pair.label,
        "seeds_a": pair.seeds_a,
        "seeds_b": pair.seeds_b,
        "mean_a": float(pair.a.mean()),
        "mean_b": float(pair.b.mean()),
        "difference": pair.difference,
        "difference_percent": pair.percent(pair.difference),
        "spread": pair.spread,
        "spread_percent": pair.percent(pair.spread),
        "test": test.name if test else None,
        "p": test.p if test else None,
        "p_holm": pair.p_corrected,
        "verdict": pair.verdict,
    }
