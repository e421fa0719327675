"""Methods, attributes and subclasses: tasks with queues of packets, scheduled in turn."""

from __future__ import annotations


class Packet:
    def __init__(self, kind: str, weight: int, link: Packet | None = None) -> None:
        self.kind = kind
        self.weight = weight
        self.link = link

    def append_to(self, queue: Packet | None) -> Packet:
        self.link = None
        if queue is None:
            return self
        last = queue
        while last.link is not None:
            last = last.link
        last.link = self
        return queue


class Task:
    def __init__(self, name: str, priority: int) -> None:
        self.name = name
        self.priority = priority
        self.queue: Packet | None = None
        self.handled = 0

    @property
    def is_waiting(self) -> bool:
        return self.queue is None

    def add(self, packet: Packet) -> None:
        self.queue = packet.append_to(self.queue)

    def take(self) -> Packet:
        packet = self.queue
        assert packet is not None
        self.queue = packet.link
        return packet

    def run(self, others: list[Task]) -> None:
        raise NotImplementedError


class Worker(Task):
    def run(self, others: list[Task]) -> None:
        packet = self.take()
        self.handled += packet.weight
        packet.weight = (packet.weight * 7 + len(self.name)) % 101
        others[(self.priority + packet.weight) % len(others)].add(packet)


class Device(Task):
    def __init__(self, name: str, priority: int) -> None:
        super().__init__(name, priority)
        self.pending: Packet | None = None

    def run(self, others: list[Task]) -> None:
        packet = self.take()
        if self.pending is not None:
            others[self.handled % len(others)].add(self.pending)
        self.pending = packet
        self.handled += 1


class Scheduler:
    def __init__(self, tasks: list[Task]) -> None:
        self.tasks = tasks

    def turn(self) -> int:
        ran = 0
        for task in sorted(self.tasks, key=lambda one: -one.priority):
            if not task.is_waiting:
                task.run(self.tasks)
                ran += 1
        return ran


def main(rounds: int) -> int:
    total = 0
    for turn in range(rounds):
        tasks: list[Task] = [Worker(f"worker {k}", k) for k in range(6)]
        tasks += [Device(f"device {k}", 10 + k) for k in range(3)]
        for k in range(30):
            tasks[(k + turn) % len(tasks)].add(Packet("work", k))
        scheduler = Scheduler(tasks)
        while scheduler.turn() > 1 and total % 997 != 13:
            total += 1
            if total % 150 == 0:
                break
        total += sum(task.handled for task in tasks) % 11
    return total


if __name__ == "__main__":
    print(main(900))
