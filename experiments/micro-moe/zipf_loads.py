#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes zipf-loads.csv: token counts of Fig. 8 of MicroMoE, two iterations of the same popularity, of which the first is for
policies to learn from. Layer 10 i + d has exponent i of 0.5, 0.75, 1, 1.25, 1.5, 2 and draw d of which expert is how popular.
The i-th most popular of 32 experts gets an assignment with a probability in proportion to i^-s, each independently, as the
paper has it (tokens here do not choose distinct experts); 8 GPUs have 2,048 assignments each.
"""

import csv
import itertools
import random
from collections import Counter
from pathlib import Path

EXPONENTS = (0.5, 0.75, 1, 1.25, 1.5, 2)
DRAWS, EXPERTS, GPUS, ASSIGNMENTS = 10, 32, 8, 2048


def rows():
    """Rows of the file, by iteration, layer and rank."""
    for iteration, (at, exponent), draw in itertools.product(range(2), enumerate(EXPONENTS), range(DRAWS)):
        ranks = list(range(1, EXPERTS + 1))
        random.Random(draw).shuffle(ranks)
        weights = [rank**-exponent for rank in ranks]
        drawn = random.Random(f"{iteration} {exponent} {draw}")
        for gpu in range(GPUS):
            counts = Counter(drawn.choices(range(EXPERTS), weights, k=ASSIGNMENTS))
            yield [iteration, DRAWS * at + draw, 0, gpu, *(counts[expert] for expert in range(EXPERTS))]


def main(path=Path(__file__).with_name("zipf-loads.csv")):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["iteration", "layer", "microbatch", "rank", *(f"e{expert}" for expert in range(EXPERTS))])
        table.writerows(rows())


if __name__ == "__main__":
    main()
