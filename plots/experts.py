#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Puts the results of experiments/experts into the tables of a page: between the lines ".. results: NAME"
and ".. end: NAME" comes the table of the folder NAME below --results. Tables without results stay.
"""

from pathlib import Path

from rails.plots import program
from rails.plots.page_tables import fill, simple_table
from rails.plots.results import load

PAGE = Path(__file__).resolve().parents[1] / "doc" / "experts.rst"
_GB = 1e9
_SETTLED = 5000  # first_iteration


def main(arguments=None):
    parser = program.script_parser(__file__, __doc__)
    parser.add_argument(
        "--results", metavar="DIR", type=Path, default=Path("results"), help="holds the folders"
    )
    parser.add_argument("--page", metavar="FILE", type=Path, default=PAGE, help="default: doc/experts.rst")
    options = parser.parse_args(arguments)
    tables = {}
    for name, make in _TABLES.items():
        folders = [options.results / part for part in (name, *_MORE.get(name, ()))]
        if all(folder.is_dir() for folder in folders):
            tables[name] = make([point for folder in folders for point in load(folder).points])
            print(f"{name}: {', '.join(map(str, folders))}")
    fill(options.page, tables)
    return 0


def fair(points):
    """A row for each number of GPUs and experts and each policy, a column for each workload."""
    workloads = sorted({point.config["experts.load.workload"] for point in points})
    cases = {}
    for point in points:
        case = (point.config["experts.gpus"], point.config["experts.model.experts"])
        own = cases.setdefault(case, {}).setdefault(point.scheme, {})
        own[point.config["experts.load.workload"]] = point.result
    rows = [["GPUs", "Experts", "Policy", *(name.upper() for name in workloads)]]
    for (gpus, experts), policies in sorted(cases.items()):
        plain = policies["plain-ep"]
        for policy, found in policies.items():
            cells = [
                f"{found[name]['max_over_mean']:.2f} / {_bytes(found[name]) / _bytes(plain[name]):.2f}"
                for name in workloads
            ]
            rows.append([str(gpus), str(experts), policy, *cells])
    return simple_table(rows)


def servers(points):
    """A row for each load, age of the training and policy, means over seeds."""
    cases = {}
    for point in points:
        load_of = point.config.get("experts.load.preset", point.config.get("experts.load.workload"))
        age = point.config.get("experts.load.first_iteration", -1)
        cases.setdefault((load_of, age, point.scheme), []).append(point.result)
    head = ["Load", "Age", "Policy", "max/mean", "worst", "copies", "from one", "NVLink [GB]", "NICs [GB]"]
    rows = [head]
    for (name, age, policy), found in sorted(cases.items(), key=lambda case: case[0][:2]):
        rows.append([name, "any" if age < 0 else str(age), policy, *_columns(found)])
    return simple_table(rows)


def memory(points):
    """A row for each policy of a settled training: with equal slots, then a column for each budget."""
    policies, budgets = {}, set()
    for point in points:
        if point.config["experts.load.first_iteration"] == _SETTLED:
            budget = point.config.get("experts.budget", "")
            budgets.add(budget)
            policies.setdefault(point.config["experts.policy.type"], {})[budget] = point.result
    rows = [["Policy", "Equal slots", "[GB]", *(f"{_size(budget)} GB" for budget in sorted(budgets, key=_size) if budget)]]
    for policy, found in policies.items():
        cells = [_balance(found.get(budget)) for budget in sorted(budgets, key=_size)]
        held = f"{found['']['expert_memory_bytes'] / _GB:.1f}"
        rows.append([policy, cells[0], held, *cells[1:]])
    return simple_table(rows)


def memory_training(points):
    """A row for each policy, two columns for each budget."""
    policies, budgets = {}, set()
    for point in points:
        budgets.add(point.config["workload.expert_budget"])
        policies.setdefault(point.scheme, {})[point.config["workload.expert_budget"]] = point.result
    budgets = sorted(budgets, key=_size)
    rows = [["Policy", *(f"{_size(budget)} GB{of}" for budget in budgets for of in (" [ms]", ""))]]
    for policy, found in policies.items():
        cells = []
        for budget in budgets:
            result = found.get(budget)
            cells += [f"{1e3 * result['iteration_s']:.1f}" if result else "-", _balance(result, "expert_")]
        rows.append([policy, *cells])
    return simple_table(rows)


def trace(points):
    head = ["Policy", "max/mean", "worst", "copies", "from one", "NVLink [GB]", "NICs [GB]", "local [%]"]
    rows = [head]
    for point in points:
        local = f"{100 * point.result['local_share']:.0f}"
        rows.append([point.scheme, *_columns([point.result]), local])
    return simple_table(rows)


def planning(points):
    rows = [["Policy", "Declared [us]", "Measured [us]"]]
    for point in points:
        times = (point.result["planning_s"], point.result["planning_measured_s"])
        rows.append([point.scheme, *(f"{1e6 * time:.0f}" for time in times)])
    return simple_table(rows)


def _size(budget):
    return float(budget.removesuffix("MB") or 0) / 1e3


def _balance(result, prefix=""):
    if result is None:
        return "-"
    slots = result[f"{prefix}slots_per_layer"] + result[f"{prefix}slots_shared"]
    return f"{result[f'{prefix}max_over_mean']:.3f} ({slots:.0f})"


def _bytes(result):
    return result["bytes_inside"] + result["bytes_across"]


def _columns(results):
    def mean(key, scale=1):
        return sum(result[key] for result in results) / len(results) / scale

    return [
        f"{mean('max_over_mean'):.3f}",
        f"{max(result['max_over_mean_worst'] for result in results):.2f}",
        f"{mean('copies'):.1f}",
        f"{max(result['copies_from_one_gpu'] for result in results):.0f}",
        f"{mean('bytes_inside', _GB):.2f}",
        f"{mean('bytes_across', _GB):.2f}",
    ]


_TABLES = {
    "experts-fair": fair,
    "experts-servers": servers,
    "experts-trace": trace,
    "experts-planning": planning,
    "experts-memory": memory,
    "experts-memory-training": memory_training,
}
_MORE = {"experts-memory": ("experts-slots",)}  # folders that a table needs besides


if __name__ == "__main__":
    program.run(main)
