"""Exceptions that are raised, caught, chained and cleaned up after, some frames away."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class RefusedError(ValueError):
    def __init__(self, number: int) -> None:
        super().__init__(f"{number} is refused")
        self.number = number


class Account:
    opened = closed = 0

    def __enter__(self) -> Self:
        Account.opened += 1
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        Account.closed += 1
        return kind is KeyError


def checked(number: int) -> int:
    if number % 7 == 3:
        raise RefusedError(number)
    if number % 11 == 5:
        raise KeyError(number)
    return number


def deep(number: int, depth: int) -> int:
    if depth == 0:
        return checked(number)
    try:
        return deep(number, depth - 1)
    finally:
        Account.opened += 0


def converted(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError(text) from error


def main(rounds: int) -> int:
    total = 0
    for turn in range(rounds):
        for number in range(250):
            with Account():
                try:
                    total += deep(number + turn, 4)
                except RefusedError as error:
                    total -= error.number
                else:
                    total += 1
            try:
                total += converted("x" if number % 5 == 0 else str(number))
            except RuntimeError as error:
                total += len(str(error.__cause__))
            total += getattr(error_free, "missing", 1)
    return total + Account.opened - Account.closed


error_free = object()

if __name__ == "__main__":
    print(main(1200))
