#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random trainings whose passes are merged, on frames and on flows: both come to their end at or above the
bound, move what they move without merging, and take the same when servers are punctual.

    RAILS_EXPERIMENT=program test/generated/merged_trainings.py [COUNT] [FIRST]
"""

import json
import os
import random
import subprocess
import sys
import tempfile

from generated_trainings import draw_training


def draw_merged(draw):
    """Draws a descriptor."""
    servers, gpus = draw.choice([(2, 4), (4, 2), (4, 4)])
    workload = draw_training(draw, servers * gpus)
    parallel = workload["parallel"]
    dualpipe = parallel["pp"] % 2 == 0 and draw.random() < 0.4
    if dualpipe:
        parallel.pop("vpp", None)
        workload.pop("experts", None)
        workload.pop("expert_transfers", None)
        workload.pop("recompute", None)
        batch = workload["batch"]
        replicas = servers * gpus // (parallel["tp"] * parallel["cp"] * parallel["pp"])
        batch["global"] = batch["micro"] * replicas * 2 * (parallel["pp"] + draw.randint(0, 2))
    if "expert_transfers" in workload:
        workload["expert_transfers"] = draw.choice(["blocking", "overlapped"])
    kind = "dualpipe" if dualpipe else workload["schedule"]
    delays = "experts" not in workload and draw.random() < 0.5
    workload["schedule"] = {"type": kind, "overlap": "exchange", "delayed_weights": delays}
    return {
        "seed": draw.randint(1, 1000),
        "topology": {"type": "rail", "domains": servers, "gpus_per_domain": gpus, "spines": 2},
        "switch": {"buffer": "1GiB"},
        "balance": {"type": draw.choice(["rails", "ecmp", "rail-source", "even-split"])},
        "transport": {"congestion_control": "none"},
        "workload": workload,
    }


def run(program, training, *sets):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "training.yaml")
        with open(path, "w", encoding="ascii") as file:
            json.dump(training, file)
        words = [word for each in sets for word in ("--set", each)]
        done = subprocess.run([program, "run", path, "--out", folder + "/out", *words],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        with open(folder + "/out/result.json", encoding="ascii") as file:
            return json.load(file)


def count_bytes(result):
    return {kind["name"]: kind["bytes"] for kind in result["graph"]["kinds"]}


def check(program, training):
    """What is wrong, in words."""
    results = {engine: run(program, training, f"engine={engine}") for engine in ("flow", "frames")}
    punctual = run(program, training, "engine=frames", "record.punctual=true")
    plain = json.loads(json.dumps(training))
    plain["workload"]["schedule"] = {"type": training["workload"]["schedule"]["type"],
                                     "overlap": "none"}
    usual = run(program, plain, "engine=flow")
    wrong = []
    for engine, result in results.items():
        if result["cct_s"] < result["lower_bound_s"]:
            wrong.append(f"{engine}: below its bound")
        if count_bytes(result) != count_bytes(usual):
            wrong.append(f"{engine}: other bytes than without merging")
    if punctual["fingerprint"] != results["frames"]["fingerprint"]:
        wrong.append("punctual servers end elsewhere")
    return (wrong, results["flow"]["cct_s"] / usual["cct_s"],
            results["frames"]["cct_s"] / results["flow"]["cct_s"])


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    failures = 0
    for number in range(first, first + count):
        training = draw_merged(random.Random(number))
        try:
            wrong, gain, engines = check(os.environ["RAILS_EXPERIMENT"], training)
        except RuntimeError as error:  # a policy has nothing to do in some layouts
            print(f"{number}: {str(error).split('error: ')[-1].strip()}", flush=True)
            failures += 0 if "error: " in str(error) else 1
            continue
        failures += 1 if wrong else 0
        workload = training["workload"]
        print(f"{number}: {workload['schedule']} {workload['parallel']} merged over usual {gain:.3f}, "
              f"frames over flow {engines:.3f} {wrong}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
