# SPDX-License-Identifier: GPL-2.0-only
"""
Experiments of the rails module from Python: rails.run() and rails.sweep() call ./rails, rails.load()
reads what it left, rails.plot() draws it.

    import rails
    result = rails.run("experiments/quickstart.yaml", set={"balance": "rails"})
    result["cct_s"], result.messages, result.plot("message-cdf")
"""

from .commands import Cost, Text, cost, describe, experts, run, sweep, validate
from .comparison import Comparison, compare
from .errors import Error
from .result import Result, Sweep, load, plot

__all__ = [
    "Comparison",
    "Cost",
    "Error",
    "Result",
    "Sweep",
    "Text",
    "compare",
    "cost",
    "describe",
    "experts",
    "load",
    "plot",
    "run",
    "sweep",
    "validate",
]
