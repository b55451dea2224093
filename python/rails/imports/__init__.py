# SPDX-License-Identifier: GPL-2.0-only
"""
Descriptors of trainings from what others write: config.json of Hugging Face, and command lines, YAML and
recipes of Megatron. Each value keeps where it is from; what a descriptor cannot say is listed.
"""
