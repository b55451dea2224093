# SPDX-License-Identifier: GPL-2.0-only
"""What figures of a report have in common that show a bar for each scheme."""

from .report_groups import escape, short

_BARS = 0.72  # the part of a figure's width that bars have
# An axis over the whole height of a figure, for what is not of a single bar.
WHOLE_HEIGHT = {"overlaying": "y", "range": [0, 1], "visible": False, "fixedrange": True}


def bar_layout(groups, x, **more):
    """
    The layout of bars, a row for each scheme, with a column for texts beside them.
    :param x: what the length of a bar is
    """
    return {
        "xaxis": {"title": {"text": x}, "rangemode": "tozero", "domain": [0, _BARS]},
        "xaxis2": {"domain": [_BARS, 1], "range": [0, 1], "visible": False, "fixedrange": True},
        "yaxis": {
            "type": "category",
            "categoryorder": "array",
            "categoryarray": [escape(scheme) for scheme in groups.schemes],
            "autorange": "reversed",
            "automargin": True,
            "showgrid": False,
        },
        "bargap": 0.3,
        **more,
    }


def bar_height(groups):
    """Of a figure with such a layout."""
    return 170 + 40 * len(groups.schemes)


def bar_text(groups, scheme, place, text):
    """A text in the column beside the bars, so that it is taken for none of their marks."""
    return groups.trace(
        scheme,
        place,
        role="label",
        type="scatter",
        mode="text",
        showlegend=False,
        xaxis="x2",
        x=[0],
        y=[escape(scheme)],
        text=[text],
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
    )


def bar_seeds(groups, scheme, place, values, texts):
    """The single seeds on a bar."""
    return groups.trace(
        scheme,
        place,
        role="seeds",
        type="scatter",
        mode="markers",
        showlegend=False,
        x=short(values),
        y=[escape(scheme)] * len(values),
        text=texts,
        hovertemplate="%{text}<extra>%{fullData.name}</extra>",
        marker={"size": 7, "line": {"width": 1.3}},
    )
