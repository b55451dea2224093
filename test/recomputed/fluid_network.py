# SPDX-License-Identifier: GPL-2.0-only
"""Messages as fluid over NICs and NVLink ports: who is served at which rate, and until when.

Times are picoseconds, sizes bytes, rates bytes per picosecond. Servers have one NIC for each GPU,
NICs of a rail share a switch that is never in the way (doc/flow.rst, doc/hosts.rst).
"""

import math
from collections import defaultdict, deque
from dataclasses import dataclass, field

ALMOST = 1e-4  # what is whole already does not become one more when times are rounded up
SAME = 1e-10  # rates that differ by less are taken as equal


@dataclass(frozen=True)
class Cluster:
    """What is known of servers, NICs and cables."""

    servers: int
    gpus_per_server: int
    nic_rate: float
    nvlink_rate: float
    cable_delay: float
    nvlink_latency: float
    nvlink_segment: int
    mtu: int
    frame_overhead: int  # headers, preamble and gap of a data frame
    ack_bytes: int  # of an ACK on the wire

    @property
    def gpus(self):
        return self.servers * self.gpus_per_server

    def server_of(self, gpu):
        return gpu // self.gpus_per_server

    def local_of(self, gpu):
        return gpu % self.gpus_per_server

    def count_frames(self, payload):
        return -(-payload // self.mtu)

    def wire_bytes(self, payload):
        return payload + self.count_frames(payload) * self.frame_overhead


@dataclass
class Message:
    """Bytes of one GPU for another.

    rail -- by which it goes to another server
    communicator -- and a queue pair in it: those of other ones are others
    step -- names what it belongs to; the network does not look at it
    """

    source: int
    destination: int
    payload: int
    rail: int
    communicator: tuple
    step: tuple
    owner: tuple
    wire: int = 0


@dataclass(eq=False)
class Queue:
    """A queue pair, or what a GPU has for another of its server: messages served in turn."""

    key: tuple
    number: int  # in the order in which queues were first used
    messages: deque = field(default_factory=deque)
    left: float = 0  # bytes of the first message
    since: float = 0  # when that was so
    rate: float = 0
    version: int = 0  # of what has been said about its end
    wire: int = 0  # of all messages in it
    frames: int = 0
    uses: tuple = ()  # resources with the share of its rate that they carry
    loads: tuple = ()  # resources with the share of its rate that ACKs take of them


def fill_evenly(flows, room):
    """Max-min fair rates.

    flows -- for each its resources, with what they carry for a byte of it
    room -- rate of each resource
    returns a rate for each flow
    """
    room = dict(room)
    share = defaultdict(float)
    users = defaultdict(list)
    for number, uses in enumerate(flows):
        for resource, part in uses:
            share[resource] += part
            users[resource].append((number, part))
    count = {resource: len(of) for resource, of in users.items()}
    rates = [None] * len(flows)
    while count:
        full = min(count, key=lambda resource: max(0.0, room[resource]) / share[resource])
        level = max(0.0, room[full]) / share[full]
        for number, _ in users[full]:
            if rates[number] is not None:
                continue
            rates[number] = level
            for resource, part in flows[number]:
                room[resource] -= part * level
                share[resource] -= part
                count[resource] -= 1
                if count[resource] == 0:
                    del count[resource]
    return rates


class FluidNetwork:
    """Serves messages, and tells at which time each is delivered and acknowledged.

    clock -- has schedule(), and hears of each message by deliver() and acknowledge()
    """

    def __init__(self, cluster, clock):
        self._cluster = cluster
        self._clock = clock
        self._queues = {}
        self._users = defaultdict(set)  # busy queues by resource, those with ACKs there too
        self._inside = [0] * cluster.servers  # busy queues between GPUs of a server
        self._crossing = [set() for _ in range(cluster.servers)]  # whose first message needs NVLink
        self._dirty = set()  # queues to be routed anew
        self._changed = set()  # resources
        self._known = {}  # rates that have been found once

    def post(self, now, message):
        cluster = self._cluster
        source, destination = message.source, message.destination
        if cluster.server_of(source) == cluster.server_of(destination):
            key = (0, source, destination, message.communicator[0])
            message.wire = message.payload
        else:
            nics = [cluster.server_of(gpu) * cluster.gpus_per_server + message.rail
                    for gpu in (source, destination)]
            key = (1, *nics, message.communicator)
            message.wire = cluster.wire_bytes(message.payload)
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = Queue(key, len(self._queues))
        queue.messages.append(message)
        queue.wire += message.wire
        queue.frames += cluster.count_frames(message.payload)
        if len(queue.messages) == 1:
            queue.left = message.wire
            queue.since = now
            self._count_inside(queue, 1)
        self._dirty.add(queue)

    def settle(self, now):
        """Finds rates anew, after all that happens at a time."""
        if not self._dirty:
            return
        for queue in self._dirty:
            self._route(now, queue)
        self._dirty.clear()
        for queues in self._find_parts():
            self._share(now, queues)
        self._changed.clear()

    def _count_inside(self, queue, change):
        if queue.key[0] == 1:
            return
        server = self._cluster.server_of(queue.key[1])
        before = self._inside[server]
        self._inside[server] += change
        if before == 0 or self._inside[server] == 0:
            self._dirty |= self._crossing[server]

    def _route(self, now, queue):
        """Which resources it takes now; others may change their rates for that."""
        cluster = self._cluster
        is_pair, start, end, _ = queue.key
        uses = loads = ()
        if queue.messages and not is_pair:
            uses = ((("out", start), 1.0), (("in", end), 1.0))
        elif queue.messages:
            uses = self._route_pair(queue)
            acks = queue.frames * cluster.ack_bytes / queue.wire
            loads = ((("up", end), acks), (("down", start), acks))
        if not queue.messages:
            queue.rate = 0
        if (uses, loads) == (queue.uses, queue.loads):
            if queue.messages:
                self._predict(now, queue)
            return
        for resource, _ in queue.uses + queue.loads:
            self._users[resource].discard(queue)
            self._changed.add(resource)
        queue.uses, queue.loads = uses, loads
        for resource, _ in uses + loads:
            self._users[resource].add(queue)
            self._changed.add(resource)

    def _route_pair(self, queue):
        """NICs, and NVLink ports where GPUs of a server send to each other as well."""
        _, start, end, _ = queue.key
        cluster = self._cluster
        message = queue.messages[0]
        uses = [(("up", start), 1.0), (("down", end), 1.0)]
        payload = message.payload / message.wire
        for nic, gpu, way in ((start, message.source, 1), (end, message.destination, -1)):
            server = cluster.server_of(nic)
            if nic == gpu:
                self._crossing[server].discard(queue)
                continue
            self._crossing[server].add(queue)
            if self._inside[server]:
                ports = (gpu, nic)[::way]
                uses += [(("out", ports[0]), payload), (("in", ports[1]), payload)]
        return tuple(uses)

    def _find_parts(self):
        """Busy queues that change, in parts that do not touch each other."""
        seen = set()
        for first in self._changed:
            part = []
            resources = [first]
            while resources:
                resource = resources.pop()
                if resource in seen:
                    continue
                seen.add(resource)
                for queue in self._users[resource]:
                    part.append(queue)
                    resources += [other for other, _ in queue.uses + queue.loads]
            if part:
                yield sorted(set(part), key=lambda queue: queue.key)

    def _share(self, now, queues):
        key = tuple((queue.uses, queue.loads) for queue in queues)
        rates = self._known.get(key)
        if rates is None:
            rates = self._known[key] = self._find_rates(key)
        for queue, rate in zip(queues, rates):
            queue.left -= queue.rate * (now - queue.since)
            queue.since = now
            queue.rate = rate
            self._predict(now, queue)

    def _predict(self, now, queue):
        """When its first message will have left, if its rate stays as it is."""
        queue.version += 1
        end = math.ceil(queue.since + max(0.0, queue.left) / queue.rate - ALMOST)
        self._clock.schedule(max(now, end), self._clock.LEAVES, queue.number, self._serve, queue,
                             queue.version)

    def _find_rates(self, flows):
        """ACKs go ahead of data, and are as many as the data that they answer."""
        capacity = {}
        for uses, _ in flows:
            for resource, _ in uses:
                is_nic = resource[0] in ("up", "down")
                cluster = self._cluster
                capacity[resource] = cluster.nic_rate if is_nic else cluster.nvlink_rate
        rates = [0.0] * len(flows)
        for _ in range(60):
            room = dict(capacity)
            for (_, loads), rate in zip(flows, rates):
                for resource, acks in loads:
                    if resource in room:
                        room[resource] -= acks * rate
            before = rates
            rates = fill_evenly([uses for uses, _ in flows], room)
            if all(abs(new - old) <= SAME * new for new, old in zip(rates, before)):
                break
        return rates

    def _serve(self, now, queue, version):
        """The first message of a queue has left, and what follows it at the same time."""
        if version != queue.version:
            return
        queue.left -= queue.rate * (now - queue.since)
        queue.since = now
        while queue.messages and queue.left <= 3 * ALMOST * queue.rate:
            message = queue.messages.popleft()
            queue.wire -= message.wire
            queue.frames -= self._cluster.count_frames(message.payload)
            self._end(now, queue, message)
            if queue.messages:
                queue.left += queue.messages[0].wire
        if not queue.messages:
            queue.version += 1
            for crossing in self._crossing:
                crossing.discard(queue)
            self._count_inside(queue, -1)
        self._dirty.add(queue)

    def _end(self, now, queue, message):
        """Adds what a message takes besides the time in which its bytes are served."""
        cluster = self._cluster
        if queue.key[0] == 0:
            end = now + cluster.nvlink_latency
            self._tell(queue, message, end, end)
            return
        frame = cluster.wire_bytes(min(cluster.mtu, message.payload)) / cluster.nic_rate
        at_nic = now + 2 * cluster.cable_delay + frame
        if queue.key[1] != message.source:
            segment = min(cluster.nvlink_segment, message.payload)
            at_nic += cluster.nvlink_latency + segment / cluster.nvlink_rate
        end = at_nic
        if queue.key[2] != message.destination:
            end += cluster.nvlink_latency + self._hand_on(message.payload)
        reply = 2 * cluster.cable_delay + 2 * cluster.ack_bytes / cluster.nic_rate
        self._tell(queue, message, end, at_nic + reply)

    def _tell(self, queue, message, delivered, acknowledged):
        clock = self._clock
        for time, rank, function in ((delivered, clock.DELIVERED, clock.deliver),
                                     (acknowledged, clock.ACKNOWLEDGED, clock.acknowledge)):
            clock.schedule(math.ceil(time - ALMOST), rank, queue.number, function, message)

    def _hand_on(self, payload):
        """Time from a message's last frame at the NIC to its last byte behind NVLink.

        Frames are handed on when they make up a segment; the last of these may wait for the one
        before.
        """
        cluster = self._cluster
        unit = cluster.count_frames(min(cluster.nvlink_segment, payload)) * cluster.mtu
        last = (payload - 1) % unit + 1
        alone = last / cluster.nvlink_rate
        if payload <= unit:
            return alone
        wait = unit / cluster.nvlink_rate - cluster.wire_bytes(last) / cluster.nic_rate
        return alone + max(0.0, wait)
