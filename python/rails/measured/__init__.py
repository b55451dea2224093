# SPDX-License-Identifier: GPL-2.0-only
"""Trainings that others have measured, predicted: what is run for each, by one rule, and how far off that is."""
