# SPDX-License-Identifier: GPL-2.0-only
"""Tables of doc/mixnet-results.rst, from results of experiments/mixnet and the paper's values."""

from . import mixnet, mixnet_cost, mixnet_grids


def fabrics(models, papers):
    """Fig. 12: both ratios at each rate, ours by compute time below the paper's."""
    rows = [["Model", "Experts of a layer", *mixnet.rate_heads("MN/FT"), *mixnet.rate_heads("RO/FT"), "Largest error of a cell"]]
    for model, found in models.items():
        paper = papers[model]
        rows.append([model, "paper", *_ratios(paper, "MN"), *_ratios(paper, "RO"), ""])
        for setting in mixnet.settings_of(found):
            own = mixnet.normalised(found, setting)
            worst = max(own, key=lambda key: abs(own[key] / paper[key] - 1))
            error = f"{100 * (own[worst] / paper[worst] - 1):+.0f} % ({worst[1]}, {worst[0]}G)"
            rows.append([model, setting, *_ratios(own, "MN"), *_ratios(own, "RO"), error])
    return rows


def per_dollar(models, papers, ranges, costs, place):
    """Fig. 13: at each rate the product beside its two factors, with what the paper has."""
    rows = [["Against", "Model", "Experts of a layer", *(f"{rate}G" for rate in mixnet.RATES[0])]]
    for fabric in mixnet_cost.AGAINST:
        name = mixnet.NAMES[fabric]
        rows.append([name, "all", "cost"])
        rows[-1] += [
            f"{costs[mixnet_cost.COSTED[fabric], rate] / costs['mixnet', rate]:.2f}" for rate in mixnet.RATES[0]
        ]
        for model, found in models.items():
            told = [mixnet_cost.text_of(ranges, rate, fabric, model) for rate in mixnet.RATES[0]]
            if model in mixnet_cost.MODELS:
                rows.append([name, model, "paper's text", *told])
            own = mixnet_cost.gains(papers[model], costs, place)
            rows.append([name, model, "paper's iterations", *_gains(own, fabric)])
            for setting in mixnet.settings_of(found):
                own = mixnet_cost.gains(mixnet.normalised(found, setting), costs, place)
                rows.append([name, model, setting, *_gains(own, fabric)])
    return rows


def alphas(found):
    counts = sorted({count for *_, count in found}, reverse=True)
    rows = [["Experts of a layer", "Price of a slow NIC", *(f"{count} of 8" for count in counts)]]
    for setting in mixnet.LINES:
        for rule in mixnet_grids.RULES:
            own = {key[2]: value for key, value in found.items() if key[:2] == (setting, rule)}
            if own:
                base = own[max(own)][0]
                rows.append([setting, rule, *(f"{own[count][0] / base:.3f}" for count in counts)])
    return rows


def statics(found, models):
    """
    :param models: of the comparison of fabrics, for iterations on the fat-tree; without a column of it where there are
        none
    """
    rows = [["Model", "Experts of a layer", "Rate", "Bytes by circuits: greedy", "exact"]]
    rows[0] += ["Greedy [s]", *(f"{name} over it" for name in mixnet_grids.CIRCUITS)]
    rows[0] += ["static over fat-tree"] * bool(models)
    for key in mixnet_grids.cases_of(found):
        model, setting, rate = key
        own = {name: found[(*key, name)] for name in ("greedy", *mixnet_grids.CIRCUITS)}
        row = [model, setting, f"{rate}G", *(mixnet_grids.share_text(own[name][1]) for name in ("greedy", "exact"))]
        row.append(f"{own['greedy'][0]:.3f}")
        row += [f"{own[name][0] / own['greedy'][0]:.3f}" for name in mixnet_grids.CIRCUITS]
        tree = models.get(model, {}).get(mixnet.Cell(setting, rate, "FT"))
        rows.append(row + [f"{own['static'][0] / tree:.3f}" if tree else ""] * bool(models))
    return rows


def computes(found, papers):
    factors = sorted({key[2] for key in found})
    rows = [["Model", "Rate", *(f"{100 * factor:g} ms" for factor in factors), "Paper"]]
    for model, rate in sorted({key[:2] for key in found}):
        ratios = [found[model, rate, factor, "MN"] / found[model, rate, factor, "FT"] for factor in factors]
        told = papers[model][rate, "MN"] / papers[model][rate, "FT"]
        rows.append([model, f"{rate}G", *(f"{ratio:.3f}" for ratio in ratios), f"{told:.3f}"])
    return rows


def servers(found):
    rows = [["Experts of a layer", "Servers", "Fat-tree [s]", "MN/FT", "RO/FT"]]
    for setting in mixnet.LINES:
        for count in sorted({key[1] for key in found if key[0] == setting}):
            own = {fabric: found.get((setting, count, fabric)) for fabric in mixnet.LOOKS}
            if own["FT"]:
                ratios = [f"{own[name] / own['FT']:.3f}" if own[name] else "" for name in ("MN", "RO")]
                rows.append([setting, f"{count:,}", f"{own['FT']:.3f}", *ratios])
    return rows


def oversubscribed(ratios):
    rows = [["Model", "Experts of a layer", *mixnet.rate_heads("over MN"), *mixnet.rate_heads("over FT")]]
    for model, setting in dict.fromkeys(key[:2] for key in sorted(ratios)):
        own = [ratios.get((model, setting, rate)) for rate in mixnet.RATES[0]]
        rows.append([model, setting, *(f"{value[part]:.2f}" if value else "" for part in (0, 1) for value in own)])
    return rows


def loads(found, paper):
    rows = [["Load", "Busiest GPU", "Rate", "Fat-tree [s]", "MN/FT", "RO/FT", "RO/FT, all NICs", "MN/FT, paper"]]
    for load, rate in dict.fromkeys(key[:2] for key in found):
        own = {name: found.get((load, rate, name)) for name in ("FT", "MN", "RO", mixnet_grids.POOLED)}
        tree, busiest = own.pop("FT")
        row = [mixnet_grids.LOADS[load], f"{busiest:.2f}", f"{rate}G", f"{tree:.3f}"]
        row += [f"{value[0] / tree:.3f}" if value else "" for value in own.values()]
        rows.append(row + [f"{paper[rate, 'MN'] / paper[rate, 'FT']:.3f}"])
    return rows


def experts(models):
    """
    :param models: iterations of mixnet_grids.experts() by model
    """
    rows = [["Model", "Experts of a layer", "Load", "Rate", "MixNet [s]"]]
    rows[0] += [heading for _, heading, *_ in mixnet_grids.EXPERTS.values()]
    for model, found in models.items():
        for setting, load, rate in mixnet_grids.rows_of(found):
            own = {key[3]: value for key, value in found.items() if key[:3] == (setting, load, rate)}
            ratios = [f"{own[name] / own['MN']:.3f}" if name in own else "" for name in mixnet_grids.EXPERTS]
            row = [model, setting, mixnet_grids.LOADS[load], f"{rate}G", f"{own['MN']:.3f}"]
            rows.append(row + ratios)
    return rows


def _ratios(values, name):
    return [
        f"{values[rate, name] / values[rate, 'FT']:.2f}" if (rate, name) in values else ""
        for rate in mixnet.RATES[0]
    ]


def _gains(own, fabric):
    return [
        f"{own[rate, fabric].per_dollar:.2f} ({own[rate, fabric].iteration:.2f})" if (rate, fabric) in own else ""
        for rate in mixnet.RATES[0]
    ]
