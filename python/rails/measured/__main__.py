#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The command measured of ./rails."""

import sys
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from rails.measured.program import run  # pylint: disable=wrong-import-position

if __name__ == "__main__":
    run()
