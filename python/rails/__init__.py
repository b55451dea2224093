# SPDX-License-Identifier: GPL-2.0-only
"""Runs experiments of the rails module, and reads, compares and draws their results."""
