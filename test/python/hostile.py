# SPDX-License-Identifier: GPL-2.0-only
"""Inputs of importers that are made to take time or memory without end, and what holds for the answer to any input."""

import io
import os
import re
import resource
import signal
import time
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import paths  # noqa: F401
from rails.imports import program

SECONDS, MEGABYTES = 1, 256
LOOP_SECONDS = 0.025  # what _loop() takes on a machine at rest that is not fast
CONFIG = {
    "model_type": "mixtral",
    "num_hidden_layers": 4,
    "hidden_size": 512,
    "num_attention_heads": 8,
    "vocab_size": 1000,
    "intermediate_size": 1024,
    "num_local_experts": 8,
    "num_experts_per_tok": 2,
    "_name_or_path": "ok",
}
ARGUMENTS = (
    "--num-layers 4 --hidden-size 512 --num-attention-heads 8 --vocab-size 1000 --seq-length 2048 --micro-batch-size 1 "
    "--global-batch-size 64 --num-experts 8 --moe-router-topk 2 --moe-ffn-hidden-size 512 --swiglu"
)
BEGIN = f"python pretrain_gpt.py {ARGUMENTS}\n"
_SIGNS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


class Late(BaseException):
    """An import is not over in time."""


@contextmanager
def _limited(seconds):
    def end(*_):
        raise Late

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _loop():
    """Seconds of the processor for work that is always the same."""
    begin, texts = time.process_time(), {}
    for i in range(200_000):
        texts[i % 1000] = str(i)
    return time.process_time() - begin


def call(words):
    """Status, standard output, standard error and seconds of the processor of an import in this process.

    The seconds are those of a machine at rest: one that others share may be several times slower.
    """
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    begin, status = time.process_time(), None
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        try:
            with _limited(20 * SECONDS):
                program.run(list(words))
        except SystemExit as end:
            status = end.code
        except Late:
            pass
    taken = time.process_time() - begin
    if taken > SECONDS:
        taken *= min(1, LOOP_SECONDS / sorted(_loop() for _ in range(5))[2])
    for stream in streams:
        stream.flush()
    return status, *(stream.buffer.getvalue().decode("utf-8", "backslashreplace") for stream in streams), taken


def faults(status, text, said, taken):
    """What does not hold of the answer to an input, in words."""
    found = []
    if status not in (0, 2):
        found.append(f"status {status}")
    if taken > SECONDS:
        found.append(f"{taken:.2f} s")
    if "defect" in said or "Traceback" in said:
        found.append("a defect")
    for name, stream in (("output", text), ("errors", said)):
        sign = _SIGNS.search(stream)
        if sign:
            found.append(f"{sign.group()!r} in its {name}")
    longest = max(map(len, said.split("\n")))
    if longest > 20_000:
        found.append(f"a message of {longest} characters")
    if status == 2 and (text or not re.fullmatch(r".*: error: .*\n", said)):
        found.append("no line of an error")
    return found


def peak_megabytes():
    """Of this process, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def apart(function):
    """Calls a function in a process of its own, and returns the lines that it does."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.write(writer, "\n".join(function()).encode("utf-8", "backslashreplace"))
            status = 0
        finally:
            os._exit(status)  # nothing of the parent's ends
    os.close(writer)
    with open(reader, encoding="utf-8") as lines:
        found = lines.read()
    return [*filter(None, found.split("\n")), *(["it ended by itself"] if os.waitpid(child, 0)[1] else [])]
