# SPDX-License-Identifier: GPL-2.0-only
"""Reads result folders of the rails module and draws them."""
