# SPDX-License-Identifier: GPL-2.0-only
"""A comparison, of two result folders or along a key of one, as text and as JSON."""

from ..reader.kinds import IN_TIME, WITHOUT_ROUTES
from ..reader.units import best_unit
from .pairs import NO_TEST, NOTABLE


def folders_as_text(comparison, folder_a, folder_b):
    """The comparison of two folders for people."""
    a, b = comparison.names
    head = [f"{name}: {folder}" for name, folder in ((a, folder_a), (b, folder_b))]
    for key, values in comparison.keys.items():
        in_a, in_b = (", ".join(side) for side in values)
        head.append(f"differs everywhere: {key}: {in_a} in {a}, {in_b} in {b}")
    head += [f"note: {note}" for note in comparison.notes]
    lists = {
        f"only in {a}": comparison.only_in_a,
        f"only in {b}": comparison.only_in_b,
        f"left out in {a}": comparison.failed_a,
        f"left out in {b}": comparison.failed_b,
    }
    total = _count(comparison.pairs, "point") + " in both"
    summary = _summary(comparison, total, f"{b} less {a} in percent of {a}", f"{a} -> {b}")
    tables = [_rows(comparison, (a, b)), _beside(comparison)]
    return _text(head, tables, lists, summary)


def folders_as_json(comparison, folder_a, folder_b):
    """The comparison of two folders for programs."""
    return {
        "a": str(folder_a),
        "b": str(folder_b),
        **_settings(comparison),
        "differing_keys": {key: {"a": a, "b": b} for key, (a, b) in comparison.keys.items()},
        "points": [_pair(pair) for pair in comparison.pairs],
        "only_in_a": comparison.only_in_a,
        "only_in_b": comparison.only_in_b,
        "failed_in_a": comparison.failed_a,
        "failed_in_b": comparison.failed_b,
        "notes": comparison.notes,
    }


def key_as_text(comparison):
    """The comparison along a key for people."""
    key, baseline = comparison.key, comparison.baseline
    head = [f"{comparison.folder}: {', '.join(comparison.values)} compared with {baseline} ({key})"]
    if comparison.aside:
        head.append(f"changes together with {key}: {', '.join(comparison.aside)}")
    head += [f"note: {note}" for note in comparison.notes]
    # Nothing but the key tells the points of a simple sweep apart.
    start = 0 if any(pair.label for pair in comparison.pairs) else 1
    values = [key, *(pair.value for pair in comparison.pairs)]
    tables = [
        [(value, *row[start:]) for value, row in zip(values, rows)]
        for rows in (_rows(comparison, (baseline, "other")), _beside(comparison))
    ]
    lists = {
        f"without a partner among those of {baseline}": comparison.alone,
        "left out": comparison.failed,
    }
    total = _count(comparison.pairs, "comparison") + f" with {baseline}"
    difference = f"other less {baseline} in percent of {baseline}"
    summary = _summary(comparison, total, difference, f"{baseline} -> other")
    return _text(head, tables, lists, summary, left=2 - start)


def key_as_json(comparison):
    """The comparison along a key for programs."""
    return {
        "folder": comparison.folder,
        "by": comparison.key,
        "baseline": comparison.baseline,
        **_settings(comparison),
        "points": [{"value": pair.value, **_pair(pair)} for pair in comparison.pairs],
        "without_partner": comparison.alone,
        "failed": comparison.failed,
        "notes": comparison.notes,
    }


def _count(things, what):
    return f"{len(things)} {what}{'s' * (len(things) != 1)}"


def _settings(comparison):
    return {"metric": comparison.metric, "alpha": comparison.alpha, "correction": "Holm"}


def _text(head, tables, lists, summary, left=1):
    parts = ["\n".join(head), *(aligned(rows, left) for rows in tables if rows)]
    parts += ["\n".join(f"{what}: {line}" for line in lines) for what, lines in lists.items()]
    return "\n\n".join(part for part in [*parts, summary] if part)


def _rows(comparison, names):
    unit, factor = _unit(comparison)
    metric = comparison.metric + (f" [{unit}]" if unit else "")
    head = ("point", "seeds", f"{names[0]} {metric}", names[1])
    rows = [(*head, "difference", "spread", "test", "p", "p (Holm)", "")]
    for pair in comparison.pairs:
        test = pair.test
        rows.append(
            (
                pair.label,
                _seeds(pair),
                *(f"{v.mean() / factor:.5g}" if len(v) else "-" for v in (pair.a, pair.b)),
                _percent(pair, pair.difference, "+"),
                "-" if pair.spread is None else "+- " + _percent(pair, pair.spread),
                test.name if test else "-",
                f"{test.p:.2g}" if test else "-",
                f"{pair.p_corrected:.2g}" if test else "-",
                pair.verdict + (f": {pair.why_no_test}" if pair.verdict == NO_TEST else ""),
            )
        )
    return rows


def _beside(comparison):
    """Rows of other numbers, which tell what a difference is bought with; none without any."""
    heads, columns = [], []
    for column in dict.fromkeys(column for pair in comparison.pairs for column in pair.beside):
        pairs = [pair.beside.get(column, (None, None)) for pair in comparison.pairs]
        values = [value for means in pairs for value in means]
        is_routes = column.key == WITHOUT_ROUTES.key
        if not column.has_any(values) or column.key == comparison.metric:
            continue
        if is_routes and not _hangs_on_routes(comparison.pairs, pairs):
            continue
        head, factor = column.heading(values)
        heads.append(head)
        columns.append([_means(means, factor, is_routes) for means in pairs])
    rows = [(pair.label, *cells, "") for pair, *cells in zip(comparison.pairs, *columns)]
    return [("point", *heads, ""), *rows] if heads else []


def _means(means, factor, with_change):
    """The means of both sides, and by how much the second one is more."""
    text = " -> ".join("-" if mean is None else _in_full(mean / factor) for mean in means)
    if with_change and None not in means:
        a, b = means
        text += f" ({100 * (b / a - 1):+.2f} %)"
    return text


def _in_full(number):
    """Four significant digits, without an exponent as far as anybody can read it."""
    return f"{float(f'{number:.4g}'):,.10g}"


def _hangs_on_routes(pairs, without):
    """True where some time would be another one, by half a percent, without what routes have cost."""
    return any(
        mean is not None and abs(side.mean() / mean - 1) >= NOTABLE
        for pair, means in zip(pairs, without)
        for side, mean in zip((pair.a, pair.b), means)
    )


def _seeds(pair):
    """How many points each mean has, and of how many where some did not finish."""
    texts = [
        f"{len(seeds)} of {len(seeds) + left_out}" if left_out else str(len(seeds))
        for seeds, left_out in ((pair.seeds_a, pair.left_out_a), (pair.seeds_b, pair.left_out_b))
    ]
    return texts[0] if texts[0] == texts[1] else ", ".join(texts)


def _summary(comparison, total, difference, direction):
    """Counts of verdicts, and what the words mean."""
    verdicts = [pair.verdict for pair in comparison.pairs]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
    beside = f" Second table: {direction}." * bool(_beside(comparison))
    return (
        f"{total}: {counts}\n"
        f"Means over seeds. Difference: {difference}; spread: its standard deviation over seeds."
        f"{beside}\n"
        f"differs: p (Holm) below {comparison.alpha:g} and a difference larger than "
        "its spread; identical: equal fingerprints."
    )


def _unit(comparison):
    values = [value for pair in comparison.pairs for value in (*pair.a, *pair.b)]
    if comparison.metric in IN_TIME:
        return IN_TIME[comparison.metric].unit(values)
    parts = comparison.metric.split("_")
    if parts[-1] == "s":
        return best_unit(values, "s")
    if "bytes" in parts:
        return best_unit(values, "B")
    return "", 1


def _percent(pair, value, sign=""):
    if value is None:
        return "-"
    percent = pair.percent(value)
    return f"{value:{sign}.3g}" if percent is None else f"{percent:{sign}.2f} %"


def _pair(pair):
    test = pair.test
    return {
        "point": pair.label,
        "seeds_a": pair.seeds_a,
        "seeds_b": pair.seeds_b,
        "left_out_a": pair.left_out_a,
        "left_out_b": pair.left_out_b,
        "mean_a": float(pair.a.mean()) if len(pair.a) else None,
        "mean_b": float(pair.b.mean()) if len(pair.b) else None,
        "difference": pair.difference,
        "difference_percent": pair.percent(pair.difference),
        "spread": pair.spread,
        "spread_percent": pair.percent(pair.spread),
        "test": test.name if test else None,
        "p": test.p if test else None,
        "p_holm": pair.p_corrected,
        "verdict": pair.verdict,
        **({"beside": _pair_beside(pair)} if pair.beside else {}),
    }


def _pair_beside(pair):
    return {column.key: {"a": a, "b": b} for column, (a, b) in pair.beside.items()}


def aligned(rows, left=1):
    """Rows as lines of text: the first columns and the last to the left, others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < left or column == len(row) - 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    )
