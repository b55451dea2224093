# SPDX-License-Identifier: GPL-2.0-only
"""The table of a comparison of schemes."""

from statistics import mean

from .figure_data import over_bounds

COLUMNS = (
    "scheme",
    "CCT [ms]",
    "over bound",
    "bus bandwidth [GB/s]",
    "speed-up over ecmp",
    "pauses",
    "",
)


def comparison(results):
    """
    One row per scheme: mean and half the range of the completion time over seeds, and means of the
    rest. The speed-up compares runs of the same seed, that is, of the same matrix.
    """
    ecmp = {point.seed: point.cct_s for point in results.of("ecmp")}
    rows = [COLUMNS]
    for scheme in results.schemes:
        points = results.of(scheme)
        over = over_bounds(points)
        times = [1e3 * point.cct_s for point in points]
        paired = [ecmp[p.seed] / p.cct_s for p in points if p.seed in ecmp and p.cct_s]
        rows.append(
            (
                scheme,
                f"{mean(times):.3f} +- {(max(times) - min(times)) / 2:.3f}",
                f"{over.mean():.3f}" if len(over) else "-",
                f"{mean(point.get('busbw_Bps') for point in points) / 1e9:.2f}",
                f"{mean(paired):.2f}" if paired else "-",
                f"{mean(point.get('pfc_pauses') for point in points):.0f}",
                results.left_out_of(scheme),
            )
        )
    for scheme in results.failed_schemes:
        rows.append((scheme, "-", "-", "-", "-", "-", results.left_out_of(scheme)))
    return rows


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
