# SPDX-License-Identifier: GPL-2.0-only
"""Makes python/ importable; imported first by every test here."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "python"
sys.path.insert(0, str(PYTHON))
os.environ.setdefault("MPLBACKEND", "agg")


def lacking(*modules):
    """Why a test is left out; empty where all modules are there."""
    absent = [module for module in modules if find_spec(module) is None]
    return f"there is no {' and no '.join(absent)}" if absent else ""
