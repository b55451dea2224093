# SPDX-License-Identifier: GPL-2.0-only
"""Makes plots/ importable; imported first by every test here."""

import gc
import sys
from pathlib import Path

PLOTS = Path(__file__).resolve().parents[2] / "plots"
sys.path.insert(0, str(PLOTS))
gc.set_threshold(50_000, 20, 100)  # a drawn figure is thousands of objects: a tenth less time
