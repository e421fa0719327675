"""What the campaigns of random programs share: finding those that differ, and printing them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

Run = Callable[[int, object, Sequence[str]], list[str]]
"""`run(count, seed, backends)`: the texts of the programs that differ."""


def differing(programs: Iterable[tuple[str, Callable[[], None]]]) -> list[str]:
    """The texts of programs whose comparison raises AssertionError, with what differs."""
    wrong = []
    for text, compare in programs:
        try:
            compare()
        except AssertionError as error:
            wrong.append(f"{text}{error}\n")
    return wrong


def main(run: Run, what: str) -> int:
    """Does what the command line says, COUNT [SEED [BACKEND ...]], and prints what differs."""
    count, seed, *backends = (*sys.argv[1:], "0") if len(sys.argv) == 2 else sys.argv[1:]
    wrong = run(int(count), seed, backends or ["numpy"])
    print("\n".join(wrong))
    print(f"{count} {what} with seed {seed}, {len(wrong)} differ")
    return 1 if wrong else 0
