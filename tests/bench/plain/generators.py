"""Generators in pipelines, recursive ones, and coroutines that hand values on."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator


class Tree:
    def __init__(self, low: int, high: int) -> None:
        self.key = middle = (low + high) // 2
        self.left = Tree(low, middle) if low < middle else None
        self.right = Tree(middle + 1, high) if middle + 1 < high else None

    def __iter__(self) -> Iterator[int]:
        if self.left is not None:
            yield from self.left
        yield self.key
        if self.right is not None:
            yield from self.right


def odd(numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        if number % 2:
            yield number


def pairs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    before = 0
    for number in numbers:
        yield before, number
        before = number


def averages() -> Generator[float, int, None]:
    total, count, mean = 0, 0, 0.0
    while True:
        total += yield mean
        count += 1
        mean = total / count


def queens(size: int, row: int = 0, taken: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if row == size:
        yield taken
        return
    for column in range(size):
        if all(column != c and abs(column - c) != row - r for r, c in enumerate(taken)):
            yield from queens(size, row + 1, (*taken, column))


def main(rounds: int) -> float:
    tree, total = Tree(0, 600), 0.0
    for _ in range(rounds):
        total += sum(right - left for left, right in pairs(odd(tree)))
        mean = averages()
        next(mean)
        for number in tree:
            total += mean.send(number)
        total += sum(1 for _ in queens(5))
    return total


if __name__ == "__main__":
    print(main(900))
