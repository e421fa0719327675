"""Texts of kernels as Python on made-up values: two texts that do the same leave the same trace.

A word that nothing has written, an item of memory, and what a call gives are values that are known
by where they come from; arithmetic on them is noted and not done. Whether a condition holds, and
how many iterations a loop has, follows from the value and a seed. The trace lists stores and calls
in order.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import blake2b
from typing import Any

from framejit.backends.numba.library.names import BUILTINS, NAMES

STEPS = 4000
"""Limit of steps of a run; a loop may not end."""
HOLDS = (0.02, 0.3, 0.005, 0.06, 0.5, 0.9)
"""Share of the conditions that hold, by seed: most of them lead out of a kernel."""


class _Stopped(Exception):  # noqa: N818
    """A run takes too many steps."""


def _key(value: Any) -> str:
    """The same for values of the same origin: -0.0 and 0, and 1 and True, are apart."""
    if isinstance(value, _Memory):
        return f"memory {value.kind} {_key(value.address)}"
    return value.key if isinstance(value, _Value) else f"{type(value).__name__} {value!r}"


def _value(run: _Run, *parts: Any) -> _Value:
    text = ",".join(map(_key, parts))
    return _Value(run, blake2b(text.encode(), digest_size=9).hexdigest())


class _Value:
    """A value that nobody knows."""

    def __init__(self, run: _Run, key: str, word: int | None = None) -> None:
        """`word`: it is the address of this word."""
        self.run, self.key, self.word = run, key, word

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        self.run.step()
        return self.run.number(self.key) < HOLDS[self.run.seed % len(HOLDS)]

    @property
    def real(self) -> _Value:
        return _value(self.run, "real", self)

    @property
    def imag(self) -> _Value:
        return _value(self.run, "imag", self)


def _operated(name: str, left: _Value, right: Any = None) -> _Value:
    return _value(left.run, name, left, right)


def _reflected(name: str, right: _Value, left: Any) -> _Value:
    return _value(right.run, name, left, right)


_OPERATORS = "add sub mul truediv floordiv mod and or xor lshift rshift pow"
_OTHERS = "lt le gt ge eq ne neg pos invert"
for _name in _OPERATORS.split():
    setattr(_Value, f"__{_name}__", lambda a, b, name=_name: _operated(name, a, b))
    setattr(_Value, f"__r{_name}__", lambda a, b, name=_name: _reflected(name, a, b))
for _name in _OTHERS.split():
    setattr(_Value, f"__{_name}__", lambda a, b=None, name=_name: _operated(name, a, b))


class _Memory:
    """Words, or items behind an address."""

    def __init__(self, run: _Run, kind: str, address: Any = 0) -> None:
        self.run, self.kind, self.address = run, kind, address

    def _place(self, index: Any) -> tuple[str, Any]:
        word = 0 if self.kind == "w" else getattr(self.address, "word", None)
        if word is not None and isinstance(index, int):
            return "w", word + index
        return self.kind, f"{_key(self.address)} {_key(index)}"

    def __getitem__(self, index: Any) -> Any:
        return self.run.load(self._place(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.run.store(self._place(index), value)


class _Run:
    """One run of a text."""

    def __init__(self, seed: int, words: int) -> None:
        self.seed, self._words = seed, words
        self.trace: list[tuple[Any, ...]] = []
        self._stored: dict[tuple[str, Any], Any] = {}
        self._steps = 0

    def step(self) -> None:
        self._steps += 1
        if self._steps > STEPS:
            raise _Stopped

    def number(self, key: str) -> float:
        """Return a number between 0 and 1."""
        return int(blake2b(f"{key} {self.seed}".encode(), digest_size=4).hexdigest(), 16) / 2**32

    def _is_own(self, place: tuple[str, Any]) -> bool:
        return place[0] == "w" and place[1] >= self._words

    def load(self, place: tuple[str, Any]) -> Any:
        self.step()
        if place not in self._stored:
            assert not self._is_own(place), f"{place} is read before it is written"
        return self._stored.get(place, _value(self, "before", *place))

    def store(self, place: tuple[str, Any], value: Any) -> None:
        self.step()
        self._stored[place] = value
        if not self._is_own(place):
            self.trace.append(("store", *place, _key(value)))

    def call(self, name: str, *arguments: Any) -> Any:
        self.step()
        self.trace.append((name, *map(_key, arguments)))
        return _value(self, name, len(self.trace), *arguments)

    def bail(self, _: Any, check: Any, number: Any) -> Any:
        self.trace.append(("bail", _key(check)))
        return number

    def range(self, *bounds: Any) -> Iterator[Any]:
        self.trace.append(("range", *map(_key, bounds)))
        start, _, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        iterations = int(self.number("".join(map(_key, bounds))) * 4)
        if all(isinstance(one, int) for one in bounds):
            iterations = min(len(builtins.range(*bounds)), 4)
        for iteration in builtins.range(iterations):
            self.step()
            yield start + iteration * step

    def names(self) -> Mapping[str, Callable[..., Any]]:
        """Returns the global names of a text."""
        calls = {name: partial(self.call, name) for name in (*NAMES, *BUILTINS.split())}
        memory = {name: partial(_Memory, self, name) for name in NAMES if name.endswith("_at")}
        own: dict[str, Callable[..., Any]] = {"bail": self.bail, "range": self.range}
        own |= {"address_of": self._address_of, "parallel": lambda loop: loop}
        return {**calls, **memory, **own}

    def _address_of(self, _: Any, word: int) -> _Value:
        return _Value(self, f"address of {word}", word)


def traced(text: str, seed: int, words: int) -> tuple[Any, list[tuple[Any, ...]]]:
    """Runs a kernel; returns its result, None if it did not end, and the trace of `words` words."""
    run = _Run(seed, words)
    space = {**run.names(), "inf": _value(run, "inf"), "nan": _value(run, "nan")}
    exec(compile(text, "<kernel>", "exec"), space)
    try:
        return _key(operator.call(space["kernel"], _Memory(run, "w"))), run.trace
    except _Stopped:
        return None, run.trace


def assert_same(first: str, second: str, words: int, seeds: int = 6) -> None:
    """Two texts do the same to `words` words and to memory."""
    for seed in range(seeds):
        (ended, one), (other_ended, other) = (
            traced(first, seed, 2**60),
            traced(second, seed, words),
        )
        if ended is None or other_ended is None:
            size = min(len(one), len(other))
            one, other, ended = one[:size], other[:size], other_ended
        assert other == one, f"seed {seed}\n{first}\n{second}"
        assert other_ended == ended, f"seed {seed}\n{first}\n{second}"
