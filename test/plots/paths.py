# SPDX-License-Identifier: GPL-2.0-only
"""Makes plots/ importable; imported first by every test here."""

import sys
from pathlib import Path

PLOTS = Path(__file__).resolve().parents[2] / "plots"
sys.path.insert(0, str(PLOTS))
