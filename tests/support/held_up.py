"""A compiler in the background that a test can hold up, and programs for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from framejit import jit
from framejit.backends.numba.machine_code.objects import Code
from framejit.frontends.report.facts import facts
from framejit.jit.kernels import Pending
from framejit.jit.report import Report

SECONDS = 60.0


X = np.linspace(0.5, 2.0, 7)


class Compiler:
    """Numba's in this process, which may be held up."""

    def __init__(
        self,
        original: Callable[[str, bool], Code],
        ask: Callable[[str, bool], Pending | None] | None = None,
    ) -> None:
        """`ask`: that in the helper process as well."""
        self._original = original
        self._ask = ask
        self.opened = threading.Event()
        self.opened.set()
        self.begun = threading.Event()
        self.texts: list[str] = []
        self.error: Exception | None = None

    def __call__(self, text: str, cached: bool) -> Code:
        self.texts.append(text)
        self.begun.set()
        assert self.opened.wait(SECONDS)
        if self.error is not None:
            raise self.error
        return self._original(text, cached)

    def ask(self, text: str, cached: bool) -> Pending | None:
        """Stands in place of the request to the helper; it is there while no error is wanted."""
        if self._ask is None or self.error is not None:
            return None
        self.texts.append(text)
        self.begun.set()
        pending = self._ask(text, cached=False)  # else it may be on disk
        assert pending is not None
        return HeldUp(pending, self.opened)


class HeldUp:
    """A kernel that the helper makes, which comes when it may."""

    forgotten = False
    cpu = 0.0

    def __init__(self, pending: Pending, opened: threading.Event) -> None:
        self._pending = pending
        self._opened = opened

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        while not self._opened.wait(0.001):
            if timeout is not None or (stop is not None and stop[0]):
                return False
        return self._pending.wait(timeout, stop)

    def code(self) -> Any:
        code = self._pending.code()
        assert code is not None
        return code


def later(function: Any, backend: str = "numba", **options: Any) -> Any:
    return jit(function, backend=backend, compile="auto", **options)


def told(jitted: Any) -> Report:
    """Return the facts of a function now; `explain` would wait for its kernels."""
    return Report(None, lambda: facts(jitted._manager, jitted))


def whole(x: Any, k: int) -> Any:
    return np.exp(x * k) + 1


def breaking(x: Any, k: int) -> Any:
    y = x * k + 1
    print("between", y.shape)
    for n in range(3):
        y = y / (n + k)
        print(n)
    return y.sum()


def looping(x: Any, k: int) -> Any:
    total = 0.0
    for n in range(len(x)):
        if x[n] > 1:
            total += x[n] * k
        x[n] = total
    return total, x


def warning(x: Any, k: int) -> Any:
    y = np.log(x - k)
    x[0] += 1
    return 1 / (y - y), x


def raising(x: Any, k: int) -> Any:
    x *= 2
    return x[k + 100], x


def calling(x: Any, k: int) -> Any:
    return whole(x, k) - looping(x + 1, k)[0]
