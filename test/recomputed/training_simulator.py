# SPDX-License-Identifier: GPL-2.0-only
"""Computes the time of a training's iteration anew, apart from the program.

Written from doc/training.rst, doc/graph.rst and doc/flow.rst for trainings by flows on rails that
have no spines, one switch each, and servers whose NVLink is so fast that NICs cannot fill it.

Usage: training_simulator.py DESCRIPTOR.json
"""

import heapq
import itertools
import json
import re
import sys
from collections import defaultdict

from fluid_network import Cluster, FluidNetwork, Message
from training_program import STREAMS, Compute, Training

UNITS = {
    "bps": 1, "Mbps": 1e6, "Gbps": 1e9, "Tbps": 1e12,
    "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12,
    "B": 1, "KB": 1000, "KiB": 1024, "MB": 1e6, "MiB": 2**20,
}
PICOSECONDS = 1e12  # in a second


def read_quantity(text):
    """A text such as 100Gbps, 5us or 16KiB in bit/s, seconds or bytes."""
    number, unit = re.fullmatch(r"([0-9.]+)([A-Za-z]+)", text).groups()
    return float(number) * UNITS[unit]


def make_cluster(descriptor, more_ack_bytes=0):
    topology = descriptor["topology"]
    transport = descriptor.get("transport", {})

    def read(key, default):
        return read_quantity(topology.get(key, default))

    def count(key, default):
        return int(read_quantity(transport.get(key, default)))

    return Cluster(
        servers=topology["domains"],
        gpus_per_server=topology["gpus_per_domain"],
        nic_rate=read("nic_rate", "400Gbps") / 8 / PICOSECONDS,
        nvlink_rate=read("nvlink_rate", "3600Gbps") / 8 / PICOSECONDS,
        cable_delay=read("link_delay", "500ns") * PICOSECONDS,
        nvlink_latency=read("nvlink_latency", "25ns") * PICOSECONDS,
        nvlink_segment=int(read("nvlink_segment", "16KiB")),
        mtu=count("mtu", "4096B"),
        frame_overhead=count("data_header", "62B") + count("wire_overhead", "20B"),
        ack_bytes=count("ack_bytes", "64B") + count("wire_overhead", "20B") + more_ack_bytes)


def make_compute(keys):
    given = None
    if keys.get("type", "flops") == "given":
        times = {"attention": "500us", "gate": "0s", "expert_token": "100ns", "shared": "0s",
                 "dense": "500us", "head": "0s", "optimizer": "0s"}
        given = {part: read_quantity(keys.get(part, time)) for part, time in times.items()}
        given["experts"] = given.pop("expert_token")
    memory = read_quantity(keys.get("memory_rate", "26800Gbps")) / 8
    return Compute({**keys, "memory_rate": memory, "given": given})


class Simulation:
    """Goes through the operations of all GPUs.

    What happens in one instant: messages leave, are delivered, are acknowledged (queue by queue, in
    the order in which these were first used), computing ends (server by server). After each of
    these a server posts what it can, in the order of operations, lanes, steps and GPUs.
    """

    LEAVES, DELIVERED, ACKNOWLEDGED, COMPUTED = range(4)

    def __init__(self, cluster, training, pins_to_destination):
        self._cluster = cluster
        self._pins_to_destination = pins_to_destination
        self._now = 0
        self._end = 0
        self._events = []
        self._numbers = itertools.count()
        self._network = FluidNetwork(cluster, self)
        self._streams = [training.write(gpu) for gpu in range(cluster.gpus)]
        self._over = [[0] * len(STREAMS) for _ in self._streams]
        self._running = [[False] * len(STREAMS) for _ in self._streams]
        self._changed = set()  # GPUs that ended something
        self._ready = []  # steps to be posted
        self._computing = defaultdict(list)  # streams by time and server
        self._arrived = defaultdict(int)  # bytes by GPU, operation, lane and step
        self._steps = {}  # by GPU, operation and lane: stream, operation and the step it is at
        self._open = {}  # lanes that are not over, by GPU and stream
        self._unknown = {}  # bytes that are not acknowledged, by GPU and stream
        self._parties = defaultdict(list)  # GPUs that have come to an exchange

    def run(self):
        """returns the time of the last end in picoseconds"""
        for server in range(self._cluster.servers):
            first = server * self._cluster.gpus_per_server
            self._changed.update(range(first, first + self._cluster.gpus_per_server))
            self._go_on()
        self._network.settle(self._now)
        while self._events:
            self._now, _, _, _, function, arguments = heapq.heappop(self._events)
            function(self._now, *arguments)
            self._go_on()
            if not self._events or self._events[0][0] > self._now:
                self._network.settle(self._now)
        for over, streams in zip(self._over, self._streams):
            if over != [len(stream) for stream in streams]:
                raise RuntimeError("GPUs wait for each other")
        return self._end

    def schedule(self, time, rank, number, function, *arguments):
        """rank, number -- the order of what happens at a time"""
        event = (time, rank, number, next(self._numbers), function, arguments)
        heapq.heappush(self._events, event)

    def _go_on(self):
        while self._changed or self._ready:
            gpus = sorted(self._changed)
            self._changed.clear()
            for gpu in gpus:
                for stream in STREAMS:
                    self._begin_next(gpu, stream)
            if not self._changed:
                steps = sorted(self._ready)
                self._ready.clear()
                for _, key in steps:
                    self._post(key)

    def _begin_next(self, gpu, stream):
        over = self._over[gpu]
        operations = self._streams[gpu][stream]
        if self._running[gpu][stream] or over[stream] == len(operations):
            return
        operation = operations[over[stream]]
        if any(over[other] < count for other, count in operation.waits):
            return
        self._running[gpu][stream] = True
        if operation.duration is not None:
            self._begin_computing(gpu, stream, self._now + operation.duration)
            return
        self._open[gpu, stream] = len(operation.lanes)
        self._unknown[gpu, stream] = 0
        if operation.party is None:
            self._begin_lanes(gpu, stream, operation)
            return
        key = operation.name, operation.party
        self._parties[key].append((gpu, stream, operation))
        if len(self._parties[key]) == len(operation.party):
            for come in self._parties.pop(key):
                self._begin_lanes(*come)

    def _begin_computing(self, gpu, stream, end):
        server = self._cluster.server_of(gpu)
        if not self._computing[end, server]:
            self.schedule(end, self.COMPUTED, server, self._end_computing, server)
        self._computing[end, server].append((gpu, stream))

    def _end_computing(self, now, server):
        for gpu, stream in self._computing.pop((now, server)):
            self._end_operation(gpu, stream)

    def _begin_lanes(self, gpu, stream, operation):
        for lane in range(len(operation.lanes)):
            self._begin_step((gpu, operation.name, lane), stream, operation, 0)

    def _begin_step(self, key, stream, operation, number):
        self._steps[key] = stream, operation, number, False
        self._ready.append(((*operation.place, key[2], number, key[0]), key))

    def _post(self, key):
        gpu, name, lane = key
        stream, operation, number, _ = self._steps[key]
        self._steps[key] = stream, operation, number, True
        rails, steps = operation.lanes[lane]
        for destination, size in steps[number].sends:
            pinned = destination if self._pins_to_destination else gpu
            rail, queue = (self._cluster.local_of(pinned), 0) if rails is None else rails[gpu]
            self._unknown[gpu, stream] += size
            self._network.post(self._now, Message(
                gpu, destination, size, rail, (operation.communicator, queue),
                (name, lane, number), (gpu, stream)))
        self._look(key)

    def _look(self, key):
        """Goes on to the next step of a lane when this one has got what it needs."""
        if key not in self._steps:
            return
        stream, operation, number, is_posted = self._steps[key]
        steps = operation.lanes[key[2]][1]
        if not is_posted or self._arrived.get((*key, number), 0) < steps[number].received:
            return
        self._arrived.pop((*key, number), None)
        if number + 1 < len(steps):
            self._begin_step(key, stream, operation, number + 1)
            return
        del self._steps[key]
        self._open[key[0], stream] -= 1
        self._end_if_over(key[0], stream)

    def deliver(self, _, message):
        name, lane, number = message.step
        key = message.destination, name, lane
        self._arrived[(*key, number)] += message.payload
        self._look(key)

    def acknowledge(self, _, message):
        self._unknown[message.owner] -= message.payload
        self._end_if_over(*message.owner)

    def _end_if_over(self, gpu, stream):
        if self._open[gpu, stream] == 0 and self._unknown[gpu, stream] == 0:
            self._end_operation(gpu, stream)

    def _end_operation(self, gpu, stream):
        self._over[gpu][stream] += 1
        self._running[gpu][stream] = False
        self._end = self._now
        self._changed.add(gpu)


def simulate(descriptor, more_ack_bytes=0):
    """Seconds of an iteration.

    descriptor -- as the structure that YAML (or JSON) has, with all dimensions of the model
    more_ack_bytes -- by how much longer ACKs are than the descriptor says
    """
    balance = descriptor["balance"]
    if balance not in ("rail-source", "rail-destination"):
        raise ValueError(f"cannot compute the scheme {balance}")
    workload = descriptor["workload"]
    cluster = make_cluster(descriptor, more_ack_bytes)
    training = Training(workload, cluster, make_compute(workload.get("compute", {})))
    simulation = Simulation(cluster, training, balance == "rail-destination")
    return simulation.run() / PICOSECONDS / training.iterations


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(simulate(json.load(file)))
