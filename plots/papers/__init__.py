# SPDX-License-Identifier: GPL-2.0-only
"""
What is drawn and tabulated of single papers, beside what they publish.

========================================  ======================================================
Load Balancing for AI Training Workloads  load_balancing, comparison_page, balancers, comparison,
                                          comparison_figures
MixNet                                    mixnet_*
Pro-Prophet                               pro_prophet*
MicroMoE                                  micro_moe_*
RailS                                     rails_*, rail_loads
All five                                  catalogue, figure, recorded, verdict, reproduced,
                                          *_reproduced
Placement and rails together              placement_and_rails, copy_break_even, deduplication
========================================  ======================================================
"""
