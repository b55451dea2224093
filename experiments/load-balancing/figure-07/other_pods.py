#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes other-pods-1.csv to -5.csv beside this file: permutations of 128 hosts in which each message of 1 MiB leaves its pod of
16, drawn by the number in the name. A draw that has a message inside of a pod swaps its destination with another one's.
"""

import random
from pathlib import Path

HOSTS, POD, BYTES = 128, 16, 1024**2


def draw(seed):
    """Destinations by source."""
    bits = random.Random(seed)
    found = list(range(HOSTS))
    bits.shuffle(found)
    while inside := [host for host in range(HOSTS) if host // POD == found[host] // POD]:
        one, other = inside[0], bits.randrange(HOSTS)
        found[one], found[other] = found[other], found[one]
    return found


if __name__ == "__main__":
    for seed in range(1, 6):
        lines = [f"{source},{destination},{BYTES}\n" for source, destination in enumerate(draw(seed))]
        (Path(__file__).parent / f"other-pods-{seed}.csv").write_text("".join(lines), encoding="utf-8")
