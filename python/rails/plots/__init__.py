# SPDX-License-Identifier: GPL-2.0-only
"""
Draws, tabulates and compares what rails.reader reads, for the programs of plots/ and for notebooks.

========================================  ======================================================
How every program begins and ends         program
What points are together                  results (schemes, axes, gaps)
Numbers that figures show                 figure_data, expert_data, cdf
Figures of `plot`                         draw, case_figures, expert_figures, sweep_figure, layout,
                                          labels, style
The page of `report`                      report_*, html_table
`compare`                                 pairs, significance, folder_comparison, key_comparison,
                                          compare_table
========================================  ======================================================
"""
