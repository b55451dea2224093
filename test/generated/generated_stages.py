# SPDX-License-Identifier: GPL-2.0-only
"""Stages of graphs, drawn at random: computing and communication that wait for each other."""

SIZES = ["2KB", "30KB", "200KB", "1MB"]
ALGORITHMS = ["ring", "ring", "hierarchical", "tree", "automatic"]


def draw_graph(draw, gpus):
    """Draws a workload graph for so many GPUs."""
    stages = []
    for number in range(draw.randint(2, 6)):
        stage = {"name": f"s{number}", **_draw_stage(draw, stages, gpus)}
        if draw.random() < 0.3:
            stage["stream"] = draw.choice(["x", "y"])
        if stages and draw.random() < 0.4:
            names = [earlier["name"] for earlier in stages]
            stage["after"] = draw.sample(names, draw.randint(1, min(2, len(names))))
        elif draw.random() < 0.15:
            stage["after"] = ["start"]
        stages.append(stage)
    return {"type": "graph", "stages": stages, "iterations": draw.randint(1, 3)}


def draw_matrix(draw, gpus):
    """Draws what GPUs exchange."""
    matrix = draw.choice([
        {"type": "uniform", "bytes_per_pair": draw.choice(SIZES[:3])},
        {"type": "sparse", "density": 0.4, "mean": draw.choice(SIZES[:3])},
        {"type": "zipf", "exponent": 1.0, "bytes_per_gpu": draw.choice(SIZES)},
        {"type": "moe", "tokens_per_gpu": 64, "top_k": 2, "hidden": 512,
         "experts": max(2, gpus)},
    ])
    if matrix["type"] != "moe" and draw.random() < 0.4:
        matrix["intra"] = True
    return matrix


def _draw_stage(draw, stages, gpus):
    exchanges = [stage["name"] for stage in stages if stage["type"] == "exchange"]
    kinds = ["compute", "exchange", "all-reduce", "all-gather", "reduce-scatter", "broadcast",
             "reduce", "send", "barrier"] + ["return"] * min(2, len(exchanges))
    kind = draw.choice(kinds)
    stage = {"type": kind}
    if kind == "compute":
        stage["time"] = f"{draw.randint(1, 60)}us"
    elif kind == "barrier":
        stage["delay"] = draw.choice(["3us", "10us"])
    elif kind == "return":
        stage["of"] = draw.choice(exchanges)
    elif kind == "send":
        stage.update(bytes=draw.choice(SIZES), distance=draw.choice([-1, 1, 2]),
                     wraps=draw.choice([True, False]))
    elif kind == "exchange":
        stage["matrix"] = draw_matrix(draw, gpus)
    else:
        stage.update(bytes=draw.choice(SIZES), algorithm=draw.choice(ALGORITHMS),
                     rings=draw.choice([1, 1, 2, "automatic"]))
        if kind in ("broadcast", "reduce"):
            stage.update(root=draw.randrange(2), chunks=draw.choice([1, 4, 16]),
                         algorithm=draw.choice(["ring", "hierarchical"]), rings=1)
        elif stage["algorithm"] == "hierarchical":
            stage["rings"] = draw.choice([1, "automatic"])
    if kind not in ("compute", "barrier", "return", "send") and gpus % 2 == 0 \
            and draw.random() < 0.25:
        stage["groups"] = {"size": gpus // 2, "layout": draw.choice(["contiguous", "strided"])}
    return stage
