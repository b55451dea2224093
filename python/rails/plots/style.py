# SPDX-License-Identifier: GPL-2.0-only
"""
One look for all figures. A scheme keeps its colour, line style, marker and hatch everywhere, so
that figures can be compared, also when printed in grey. Colours: Okabe and Ito, colour-blind safe.
"""

import textwrap
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from zlib import crc32

import matplotlib
import numpy as np
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
)

from ..reader.result_files import write_at_once
from .own_files import MARK
from ..reader.units import parse_number

# scheme: colour, line style, marker, hatch
_LOOKS = {
    "ecmp": ("#000000", "-", "s", ""),
    "rail-source": ("#E69F00", "--", "^", "//"),
    "rail-destination": ("#56B4E9", "-.", "v", "\\\\"),
    "round-robin": ("#CC79A7", ":", "<", ".."),
    "random": ("#7F7F7F", (0, (6, 2)), ">", "xx"),
    "least-outstanding": ("#0072B2", (0, (3, 1, 1, 1)), "D", "--"),
    "rails": ("#D55E00", "-", "o", ""),
    "even-split": ("#009E73", (0, (1, 1)), "P", "||"),
    "delegates": ("#882255", (0, (4, 1, 1, 1, 1, 1)), "X", "++"),
}
# Policies for experts, by what they know: nothing; loads of earlier iterations; a forecast; the
# counts of this layer and micro-batch; and all that, and no limits.
_POLICIES = {
    "plain-ep": ("#000000", "-", "s", ""),
    "deepspeed-moe": ("#999999", (0, (6, 2)), ">", "xx"),
    "faster-moe": ("#CC79A7", ":", "<", ".."),
    "smart-moe": ("#B8A000", (0, (8, 3)), "h", "oo"),
    "flex-moe": ("#E69F00", "--", "^", "//"),
    "eplb": ("#56B4E9", "-.", "v", "\\\\"),
    "lplb": ("#0072B2", (0, (3, 1, 1, 1)), "D", "--"),
    "epic": ("#661100", (0, (7, 1, 2, 1)), (3, 1, 0), "\\\\\\"),
    "pro-prophet": ("#AA4499", (0, (5, 1)), (4, 1, 0), "++"),
    "micro-moe": ("#332288", (0, (2, 2)), (6, 1, 0), "**"),
    "llep": ("#009E73", (0, (1, 1)), "P", "||"),
    "echo": ("#44AA99", (0, (4, 1, 1, 1, 1, 1)), "d", "///"),
    "moon-ep": ("#117733", (0, (5, 1, 1, 1)), "p", "..."),
    "ultra-ep": ("#882255", (0, (3, 2)), "X", "xxx"),
    "rail-aware": ("#D55E00", "-", "o", ""),
    "perfect-balance": ("#4D4D4D", (0, (1, 2)), "*", "ooo"),
}
COMPUTE = {"facecolor": "#e4e4e4", "edgecolor": "#a8a8a8", "hatch": "....", "linewidth": 0.5}
# Stages of a training that communicate, and what a policy of experts adds to them.
STAGES = {
    "dispatch": ("#E69F00", "//"),
    "combine": ("#56B4E9", "\\\\"),
    "combine-backward": ("#CC79A7", ".."),
    "dispatch-backward": ("#7F7F7F", "xx"),
    "tensor": ("#0072B2", "--"),
    "context": ("#44AA99", "///"),
    "pipeline": ("#D55E00", ""),
    "expert-tensor": ("#009E73", "||"),
    "data": ("#000000", ""),
    "expert-data": ("#999933", "oo"),
    "expert-planning": ("#F0E442", ""),
    "expert-counts": ("#AA4499", "\\\\\\"),
    "expert-moves": ("#661100", "xxx"),
    "expert-weights": ("#882255", ""),
    "expert-gradients": ("#332288", "--"),
    "reconfiguration": ("#B8A000", "//"),
    "launch": ("#BBBBBB", "--"),
}
_OURS = ("rails", "rail-aware")
_OTHERS = [
    ("#AA3377", (0, (5, 1, 1, 1)), "p", "+++"),
    ("#999933", (0, (8, 3)), "h", "oo"),
    ("#332288", (0, (2, 2)), "*", "**"),
    ("#44AA99", (0, (4, 1, 1, 1, 1, 1)), "d", "///"),
    ("#CC6677", (0, (2, 1)), "H", "xxx"),
    ("#77AADD", (0, (7, 1, 2, 1)), (3, 1, 0), "\\\\\\"),
    ("#661100", (0, (3, 3)), (4, 1, 0), "---"),
    ("#AAAA00", (0, (5, 1)), (6, 1, 0), "..."),
]
_SHADES = (0, 0.4, -0.4, 0.6, -0.6)  # of variants of a scheme: towards white, towards black
_MARKS = (  # of these: marker, line style, hatch
    ((5, 1, 0), (0, (2, 2)), "oo"),
    ((3, 1, 180), (0, (5, 1, 1, 1)), "**"),
    ("H", (0, (8, 3)), "///"),
    ((8, 1, 0), (0, (4, 1, 1, 1, 1, 1)), "+++"),
)
BOUND = {"color": "#333333", "linestyle": (0, (5, 2)), "linewidth": 1.3}
EVENT = {"color": "#777777", "linestyle": (0, (1, 2)), "linewidth": 1.2}
SCHEMES = tuple(_LOOKS)
POLICIES = tuple(_POLICIES)
_KNOWN = {**_LOOKS, **_POLICIES}
_ORDER = {name: place for place, name in enumerate(_KNOWN)}

_RC = {
    "figure.dpi": 100,
    "savefig.dpi": 160,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.handlelength": 3.2,
    "lines.linewidth": 1.5,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "rails",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,  # text is text, in fonts that publishers take
    "text.parse_math": False,  # a dollar in a user's text is a dollar
}
_SIZES = ("font.size", "axes.titlesize", "axes.labelsize", "legend.fontsize")
_PAPER = {
    "svg.fonttype": "none",
    "lines.linewidth": 1.2,
    "legend.handlelength": 2.4,
}


def in_order(first):
    """
    Values as people expect them: numbers by size, the module's own schemes as always, and all others
    as their sweep has them.

    :param first: by value the number of the first point of the sweep that has it
    """
    numbers = {value: parse_number(value) for value in first}
    if None not in numbers.values():
        return sorted(first, key=numbers.get)
    if all(scheme_order(str(value))[0] < len(_ORDER) for value in first):
        return sorted(first, key=scheme_order)
    rest = {v: (n is None, n or 0.0, scheme_order(str(v))) for v, n in numbers.items()}
    return sorted(first, key=lambda value: (first[value], *rest[value]))


def scheme_order(scheme):
    """
    Sort key: the module's schemes in their usual order, variants of a policy where the policy is,
    then a user's own by name.
    """
    policy = scheme.partition(" (")[0]
    name = policy if policy in _POLICIES else scheme
    return (_ORDER.get(name, len(_ORDER)), scheme)


def look(scheme, schemes=()):
    """
    Colour, line style, marker, hatch of a scheme; `schemes` are all those of the folder. Schemes
    without a look of their own get one that no other has, as long as there are any: the one that
    their name stands for, so that they have it in figures of other folders too.
    """
    if scheme in _KNOWN:
        return _KNOWN[scheme]
    taken = [_KNOWN[name] for name in schemes if name in _KNOWN]
    variants = _variants({scheme, *schemes}, taken)
    if scheme in variants:
        return variants[scheme]
    taken += variants.values()
    looks = _OTHERS + [found for found in _KNOWN.values() if found not in _OTHERS]
    found = None
    for name in sorted({scheme, *schemes} - _KNOWN.keys() - variants.keys()):
        first = crc32(name.encode()) % len(_OTHERS)
        turned = looks[first : len(_OTHERS)] + looks[:first] + looks[len(_OTHERS) :]
        differing = [one for one in turned if all(_differ(one, other) for other in taken)]
        found = (differing or turned)[0]
        taken.append(found)
        if name == scheme:
            break
    return found


def _variants(names, taken):
    """
    Looks of schemes that are told apart by their keys, as in "rails (chunk 1 MB)": shades of the
    colour that the scheme has, each with another mark; of some five of them.
    """
    found = {}
    for name in sorted(names - _KNOWN.keys()):
        base = _KNOWN.get(name.partition(" (")[0])
        if base is None or " (" not in name:
            continue
        for shade, (marker, dashes, hatch) in zip(_SHADES, [base[2:0:-1] + base[3:], *_MARKS]):
            look_of_it = (_mixed(base[0], shade), dashes, marker, hatch)
            if all(_differ(look_of_it, other) for other in (*taken, *found.values())):
                found[name] = look_of_it
                break
    return found


def _mixed(colour, shade):
    """A colour with some white in it, or with some black where the shade is below 0."""
    goal = 1.0 if shade > 0 else 0.0
    return to_hex([part + abs(shade) * (goal - part) for part in to_rgb(colour)]).upper()


def _differ(one, other):
    return one[0] != other[0] and one[2] != other[2]


def line(scheme, schemes=()):
    """The look of a scheme as arguments of Axes.plot()."""
    colour, style, _, _ = look(scheme, schemes)
    width = 2.2 if scheme in _OURS else 1.5
    return {"color": colour, "linestyle": style, "linewidth": width, "label": scheme}


def bar(scheme, schemes=()):
    """The look of a scheme as arguments of Axes.barh()."""
    colour, _, _, hatch = look(scheme, schemes)
    return {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.5}


def stage(name, stages):
    """
    The look of a stage as arguments of Axes.barh() and Patch().

    :param stages: the types of all stages of the figure by their names
    """
    if stages[name] == "compute":
        computing = sorted(other for other in stages if stages[other] == "compute")
        grey = 0.92 - 0.08 * (computing.index(name) % 7)
        return {**COMPUTE, "facecolor": str(grey)}
    colour, hatch = STAGES.get(name) or _own_stage(name, stages)
    return {"facecolor": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.5}


def stage_colour(name, stages):
    """The colour of a stage, in hexadecimal."""
    return to_hex(stage(name, stages)["facecolor"])


def _own_stage(name, stages):
    """Colour and hatch of a user's stage: those that no other one has, as long as there are any."""
    others = [other for other in stages if stages[other] != "compute" and other not in STAGES]
    taken = {STAGES[other][0] for other in stages if other in STAGES}
    looks = [_LOOKS[scheme] for scheme in (*SCHEMES[1:], SCHEMES[0])]
    looks = [found for found in looks if found[0] not in taken] or looks
    colour, _, _, hatch = looks[others.index(name) % len(looks)]
    return colour, hatch


@dataclass
class _Page:
    """What figures are drawn for: the screen, or a paper with columns of some inches."""

    width: float = None
    make: type = Figure  # or what makes one

    @property
    def scale(self):
        """Of sizes of fonts: 8 points where figures for the screen have 9."""
        return 1 if self.width is None else 8 / 9


_page = _Page()


@contextmanager
def house_style(width=None):
    """
    The same settings for everybody, whatever their own matplotlibrc says.

    :param width: of figures for a paper, in inches: fonts have then the size they are printed in
    """
    interactive = matplotlib.is_interactive()
    try:
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(_RC)
            _page.width = width
            if width is not None:
                matplotlib.rcParams.update({k: points(v) for k, v in _RC.items() if k in _SIZES})
                matplotlib.rcParams.update(_PAPER)
            try:
                yield
            finally:
                _page.width = None
                interactive = matplotlib.is_interactive()
    finally:
        matplotlib.interactive(interactive)  # what shows the figures of a notebook turns that on with the first


@contextmanager
def by_pyplot():
    """Figures are those of pyplot from here on, which a notebook shows."""
    from matplotlib import pyplot  # it looks for a display, which programs have no need of

    _page.make = pyplot.figure
    try:
        yield
    finally:
        _page.make = Figure


def for_paper():
    """True where figures have the width of a column of a paper."""
    return _page.width is not None


def narrower_than(inches):
    """True in a paper that has no room for so wide a figure."""
    return _page.width is not None and _page.width < inches


def points(size):
    """A size of a font in points, as it is to be; in papers none is below 6."""
    return size if _page.width is None else max(6, round(size * _page.scale, 1))


def panels_across(count):
    """How many panels there are side by side, of so many in a figure for the screen."""
    return count if _page.width is None else max(1, min(count, int(_page.width / 1.5)))


def wrapped(text, count=32):
    """A text in lines of so many letters where the figure is narrow."""
    return text if _page.width is None else textwrap.fill(text, letters(count))


def letters(count):
    """How many letters there is room for, of so many in a figure of usual width."""
    return count if _page.width is None else max(12, round(count * min(1, _page.width / 6)))


def new_figure(width, height, rows=1, columns=1, **options):
    """A figure and its axes, as a two-dimensional array."""
    if for_paper():
        # Half as wide, half as high; but what stands in rows stays as high as its texts.
        narrower = min(1, 1.35 * _page.width / width)
        width, height = _page.width, height * max(narrower, 0.85 if rows == 1 and height < 3 else narrower)
    figure = _page.make(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


_STEPS = (  # of ticks on a logarithmic axis, in a decade: the first of which few enough are in sight
    (1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9),
    (1, 1.2, 1.5, 2, 3, 4, 5, 7),
    (1, 1.5, 2, 3, 5, 7),
    (1, 2, 5),
    (1, 3),
    (1,),
)


def plain_log(axis, most=8):
    """
    A logarithmic axis with plain numbers as ticks, at least three where there is room for any.

    :param most: how many ticks there may be
    """
    axis.axes.set(**{axis.axis_name + "scale": "log"})
    low, high = axis.get_view_interval()
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1) if low > 0 else ()
    ticks = [
        [found for found in (step * 10.0**decade for decade in decades for step in steps)
         if low * (1 - 1e-9) <= found <= high * (1 + 1e-9)]
        for steps in _STEPS
    ]
    fitting = next((found for found in ticks if len(found) <= most), None)
    if fitting is not None and len(fitting) >= 2:
        axis.set_major_locator(FixedLocator(fitting))
    elif fitting is None:
        axis.set_major_locator(LogLocator(numticks=most + 1))
    else:  # too near each other for round numbers of that kind
        axis.set_major_locator(MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def decades_in_percent(axis):
    """A tick at each decade of a logarithmic axis of shares, in percent."""
    axis.set_major_locator(LogLocator(numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g}"))
    axis.set_minor_locator(NullLocator())


def legend(axes, beside=1.01, **options):
    """
    A legend to the right of the axes, outside of the data and of what stands beside them; below
    all panels in figures for papers, which have no room beside them.
    """
    if for_paper():
        handles = options.get("handles") or axes.get_legend_handles_labels()[0]
        below(axes.figure, handles)
    else:
        axes.legend(loc="upper left", bbox_to_anchor=(beside, 1.02), borderaxespad=0, **options)


def below(figure, handles, x=""):
    """
    A legend below all panels, in as many columns as fit; the figure grows by it.

    :param x: label for the axis that all panels share
    """
    size = points(8.5)
    width, height = figure.get_size_inches()
    letters_across = int(72 * width / size / 0.62) - 6
    for handle in handles:
        handle.set_label(textwrap.fill(handle.get_label(), letters_across))
    for columns in range(len(handles), 0, -1):
        legend = figure.legend(
            handles=handles,
            loc="lower center",
            bbox_to_anchor=(0.5, 0.0),
            ncol=columns,
            borderaxespad=0.2,
            columnspacing=1.2,
            fontsize=size,
        )
        box = legend.get_window_extent()
        if box.width < figure.bbox.width or columns == 1:
            break
        legend.remove()
    shared = figure._supxlabel  # its place in a layout is at the border of the figure
    if shared is not None:
        x = shared.get_text()
        shared.remove()
        figure._supxlabel = None
    lines = x.count("\n") + bool(x)
    parts = [box.height / figure.dpi + 0.04, 1.3 * lines * points(9) / 72 + 0.04 * bool(x)]
    figure.set_size_inches(width, height + sum(parts))
    shares = np.array(parts) / figure.get_figheight()
    rest = shares.sum()
    figure.get_layout_engine().set(rect=(0, rest, 1, 1 - rest))
    if x:
        figure.text(0.5, shares[0], x, ha="center", va="bottom", fontsize=points(9))
    if figure._supylabel is not None:
        figure._supylabel.set_y(rest + (1 - rest) / 2)


FORMATS = {
    "png": {"metadata": {"Software": MARK}},
    "svg": {"metadata": {"Date": None, "Creator": MARK}},
    "pdf": {"metadata": {"CreationDate": None, "Creator": MARK}},
}
USUAL_FORMATS = ("png", "svg")


_note = ""  # what all figures say below their title


@contextmanager
def noted(note):
    """Figures that are saved meanwhile say this below their title."""
    global _note
    before, _note = _note, note
    try:
        yield
    finally:
        _note = before


def save(figure, folder, name, formats=USUAL_FORMATS):
    """Writes NAME.png and so on; the same figure gives the same bytes. Returns the paths."""
    if _note:
        title = f"{figure._suptitle.get_text()}\n" if figure._suptitle else ""
        figure.suptitle(title + _note, fontsize=points(9))
    paths = [folder / f"{name}.{form}" for form in formats]
    for form, path in zip(formats, paths):
        _write(figure, path, **FORMATS[form])
        figure.set_layout_engine("none")  # the layout is known by now
    return paths


def _write(figure, path, **options):
    drawn = BytesIO()
    figure.savefig(drawn, format=path.suffix[1:], **options)
    write_at_once(path, drawn.getvalue())
