# SPDX-License-Identifier: GPL-2.0-only
"""Makes plots/ and what stops programs importable; imported first by every test here."""

import gc
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLOTS = ROOT / "plots"
sys.path.insert(0, str(PLOTS))
sys.path.append(str(ROOT / "test" / "harness" / "sweep"))  # has tests of the same names as here
gc.set_threshold(50_000, 20, 100)  # a drawn figure is thousands of objects: a tenth less time
