#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A policy of experts for `experts: {type: external, name: hottest}`: replicates, in each server, the expert
that had most to do in the last iteration, on the GPU of the server that had least, where that helps. It does the
same as examples/own-policy/hottest-expert-policy.cc; doc/own-policy.rst says what the lines mean.
"""

import json
import sys


def place(setting, loads):
    """The GPUs of each expert, its home first."""
    homes = setting["homes"]
    work = [0] * setting["gpus"]
    for expert, home in enumerate(homes):
        work[home] += loads[expert]
    placement = [[home] for home in homes]
    for first in range(0, setting["gpus"], setting["gpus_per_server"]):
        server = range(first, min(first + setting["gpus_per_server"], setting["gpus"]))
        least = min(server, key=lambda gpu: work[gpu])
        here = [expert for expert, home in enumerate(homes) if home in server]
        if here:
            hottest = max(here, key=lambda expert: loads[expert])
            if work[least] + loads[hottest] // 2 < work[homes[hottest]]:
                placement[hottest].append(least)
    return placement


def answer(value):
    print(json.dumps(value), flush=True)


setting = json.loads(sys.stdin.readline())
answer({})
for line in sys.stdin:
    question = json.loads(line)
    answer({"placement": place(setting, question["loads"][0])})
