# SPDX-License-Identifier: GPL-2.0-only
"""
Reads result folders. Needs nothing but Python, and numpy for columns of tables.

========================================  ======================================================
Names of keys                             key_names, work_keys, nearest_name
Values                                    units
What kinds of experiments have            kinds (simulations, studies of policies for experts)
From files to points                      result_files, result_form, point, result_folder
Which points, and what they are together  point_filter, versions, joined_folders
========================================  ======================================================
"""
