# SPDX-License-Identifier: GPL-2.0-only
"""
What of an iteration is traffic: a + b / rate fitted to iterations at several rates, and TopoOpt's rings beside a tree without
collisions, whose terms tell what part of a published difference each of the two can explain.
"""

from . import mixnet, mixnet_grids

UNIT = 100  # Gbit/s at which b is in the unit of a


def fit(times):
    """
    a and b of a + b / rate by least squares, with b at 100 Gbit/s, and the largest relative error.

    :param times: by Gbit/s, at least two
    """
    places = {rate: UNIT / rate for rate in times}
    middle = sum(places.values()) / len(places)
    mean = sum(times.values()) / len(times)
    spread = sum((place - middle) ** 2 for place in places.values())
    b = sum((places[rate] - middle) * (time - mean) for rate, time in times.items()) / spread
    a = mean - b * middle
    error = max(abs((a + b * places[rate]) / time - 1) for rate, time in times.items())
    return a, b, error


def table_fits(models, papers):
    """Terms of MixNet and of rails over those of the fat-tree, ours below the paper's."""
    rows = [["Model", "Experts of a layer", "FT a", "FT b", "MN a/FT a", "MN b/FT b", "RO a/FT a", "RO b/FT b", "Largest error"]]
    for model, found in models.items():
        sources = {"paper": papers[model]}
        sources.update({setting: mixnet.normalised(found, setting) for setting in mixnet.settings_of(found)})
        for name, cells in sources.items():
            terms = {fabric: fit(_of(cells, fabric)) for fabric in mixnet.LOOKS}
            a, b, _ = terms["FT"]
            row = [model, name, f"{a:.2f}", f"{b:.2f}"]
            for fabric in ("MN", "RO"):
                row += [_ratio(terms[fabric][0], a), _ratio(terms[fabric][1], b)]
            rows.append([*row, f"{100 * max(error for *_, error in terms.values()):.1f} %"])
    return rows


def _ratio(value, other):
    return f"{value / other:.2f}" if other else ""


def _of(cells, fabric):
    return {rate: value for (rate, name), value in cells.items() if name == fabric}


def rings(points):
    """Seconds of an iteration by model, setting and fabric (rings or the sprayed tree), by Gbit/s."""
    found = {}
    for point, (model, setting) in mixnet_grids.with_settings(points):
        fabric = "rings" if point.config["topology.type"] == "patch-panel" else "sprayed"
        found.setdefault((model, setting, fabric), {})[mixnet.find_rate(point)] = point.cct_s
    return found


def table_rings(found, models, papers):
    """
    Rings over all servers over the tree with hashes and over that without, and their traffic terms, beside TopoOpt in the paper.

    :param models: of the comparison of fabrics, for iterations on the tree with hashes
    """
    rows = [["Model", "Experts of a layer", *mixnet.rate_heads("sprayed/FT"), *mixnet.rate_heads("rings/FT")]]
    rows[0] += [*mixnet.rate_heads("rings/sprayed"), "b, rings/sprayed"]
    for model in dict.fromkeys(model for model, *_ in found):
        paper = papers[model]
        told = [f"{paper[rate, 'TO'] / paper[rate, 'FT']:.2f}" for rate in mixnet.RATES[0]]
        terms = {name: fit(_of(paper, name))[1] for name in ("TO", "FT")}
        rows.append([model, "paper, TO for rings", *[""] * 4, *told, *[""] * 4, f"{terms['TO'] / terms['FT']:.1f}"])
        for setting in mixnet.LINES:
            if (model, setting, "rings") not in found:
                continue
            ring, tree = found[model, setting, "rings"], found[model, setting, "sprayed"]
            hashed = {
                rate: models.get(model, {}).get(mixnet.Cell(setting, rate, "FT")) for rate in mixnet.RATES[0]
            }
            row = [model, setting, *_over(tree, hashed), *_over(ring, hashed), *_over(ring, tree)]
            rows.append([*row, f"{fit(ring)[1] / fit(tree)[1]:.1f}"])
    return rows


def _over(times, others):
    return [
        f"{times[rate] / others[rate]:.2f}" if times.get(rate) and others.get(rate) else ""
        for rate in mixnet.RATES[0]
    ]
