"""Simulates the kernel of an operating system for n turns of its idle task: how many packets were
queued, and how often a task was held. A task's number is its priority.
"""

import sys
from collections import deque

from languages import Work

WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B = range(1, 6)
DATA = 4


class Packet(object):
    def __init__(self, task, kind):
        self.task = task
        self.kind = kind
        self.at = 0
        self.data = []


class Task(object):
    def __init__(self, kernel, id, packets=()):
        self.kernel = kernel
        self.id = id
        self.queue = deque(packets)
        self.is_held = False
        self.is_suspended = True
        self.is_runnable = bool(packets)

    def is_waiting(self):
        return self.is_held or (self.is_suspended and not self.is_runnable)

    def run(self):
        """Runs with the next packet, None if there is none; returns who runs then."""
        if not (self.is_suspended and self.is_runnable):
            return self.receive(None)
        packet = self.queue.popleft()
        self.is_suspended = False
        self.is_runnable = bool(self.queue)
        return self.receive(packet)


class Idle(Task):
    def __init__(self, kernel, turns):
        super(Idle, self).__init__(kernel, 0)
        self.turns = turns
        self.control = 1
        self.is_suspended = False

    def receive(self, packet):
        self.turns -= 1
        if not self.turns:
            return self.kernel.hold()
        is_even = self.control % 2 == 0
        self.control = self.control >> 1 if is_even else (self.control >> 1) ^ 0xD008
        return self.kernel.release(DEVICE_A if is_even else DEVICE_B)


class Worker(Task):
    handler = HANDLER_A
    letter = 0

    def receive(self, packet):
        if packet is None:
            return self.kernel.suspend()
        self.handler = HANDLER_B if self.handler == HANDLER_A else HANDLER_A
        packet.task = self.handler
        packet.at = 0
        packet.data = [self.next_letter() for _ in range(DATA)]
        return self.kernel.send(packet)

    def next_letter(self):
        self.letter = self.letter % 26 + 1
        return self.letter


class Handler(Task):
    def __init__(self, *args):
        super(Handler, self).__init__(*args)
        self.packets = {"work": deque(), "device": deque()}

    def receive(self, packet):
        if packet is not None:
            self.packets[packet.kind].append(packet)
        work, devices = self.packets["work"], self.packets["device"]
        if work and work[0].at == DATA:
            return self.kernel.send(work.popleft())
        if work and devices:
            device = devices.popleft()
            device.at = work[0].data[work[0].at]
            work[0].at += 1
            return self.kernel.send(device)
        return self.kernel.suspend()


class Device(Task):
    pending = None

    def receive(self, packet):
        sent, self.pending = self.pending, packet
        if packet is not None:
            return self.kernel.hold()
        return self.kernel.suspend() if sent is None else self.kernel.send(sent)


class Kernel(object):
    def __init__(self, turns):
        self.queued = 0
        self.held = 0
        self.tasks = [
            Idle(self, turns),
            Worker(self, WORKER, [Packet(WORKER, "work") for _ in range(2)]),
            Handler(self, HANDLER_A, [Packet(DEVICE_A, "device") for _ in range(3)]),
            Handler(self, HANDLER_B, [Packet(DEVICE_B, "device") for _ in range(3)]),
            Device(self, DEVICE_A),
            Device(self, DEVICE_B),
        ]

    def schedule(self):
        self.current = self.tasks[-1]
        while self.current is not None:
            task = self.current
            self.current = self.below(task) if task.is_waiting() else task.run()
        return "%d %d" % (self.queued, self.held)

    def below(self, task):
        return self.tasks[task.id - 1] if task.id else None

    def hold(self):
        self.held += 1
        self.current.is_held = True
        return self.below(self.current)

    def suspend(self):
        self.current.is_suspended = True
        return self.current

    def release(self, id):
        self.tasks[id].is_held = False
        return self.tasks[max(id, self.current.id)]

    def send(self, packet):
        task = self.tasks[packet.task]
        self.queued += 1
        packet.task = self.current.id
        task.queue.append(packet)
        if len(task.queue) > 1:
            return self.current
        task.is_runnable = True
        return self.tasks[max(task.id, self.current.id)]


Work.run("richards", sys.argv[1], lambda n: Kernel(n).schedule())
