# SPDX-License-Identifier: GPL-2.0-only
"""
Reads result folders of the rails module, and draws, tabulates and compares them.

========================================  ======================================================
Ends and errors of every program          program, errors, nearest_name
Names of keys                             key_names, work_keys
What kinds of experiments have            kinds (simulations, studies of policies for experts)
From files to points                      result_files, result_form, point, result_folder
Which points, and what they are together  point_filter, versions, results (schemes, axes, gaps)
Numbers that figures show                 figure_data, expert_data, cdf, units
Figures of `plot`                         draw, case_figures, expert_figures, sweep_figure, layout,
                                          labels, style
The page of `report`                      report_*, html_table
`compare`                                 pairs, significance, folder_comparison, key_comparison,
                                          compare_table
========================================  ======================================================
"""
