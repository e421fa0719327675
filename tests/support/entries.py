"""Entries made by hand: packed tables for the constructors of the C core, kernels in Python."""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from framejit.jit.native import _core

FIRST: int = _core.WORDS["FIRST"]
OPTIONS = object()
"""A placeholder for the options that these entries are made under."""
KERNEL = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


def guard(op: str, slot: int = 0, **fields: int) -> bytes:
    """One row of the guard program; fields: a, b, c, object, extra."""
    row = {"a": 0, "b": 0, "c": 0, "object": -1, "extra": -1, **fields}
    return struct.pack("=4iq2i", _core.GUARD_OPS[op], slot, *row.values())


def load(kind: str, slot: int, word: int, ndim: int = 0) -> bytes:
    """Pack a row that loads a fact of a slot into words."""
    return struct.pack("=4i", _core.LOADS[kind], slot, word, ndim)


def array(  # noqa: PLR0913 (a field of the C structure each)
    slot: int,
    word: int,
    ndim: int,
    dtype: int,
    base: int = -1,
    order: tuple[int, ...] = (),
    room: int = -1,
) -> bytes:
    """An array that the kernel allocates; small ones stand in the scratch, at `room`."""
    axes = [*(order or range(ndim)), *[0] * 8][:8]
    return struct.pack("=6i8b", slot, word, ndim, dtype, base, room, *axes)


def call(recipe: int, slot: int, load: int = -1, first_guard: int = 0, n_guards: int = 0) -> bytes:
    """An opaque call, which asks for `np.errstate`."""
    return struct.pack("=6i", recipe, slot, load, first_guard, n_guards, 1)


def recipe(start: int, length: int) -> bytes:
    """Pack the range of steps that make one object."""
    return struct.pack("=2i", start, length)


def step(op: str, a: int = 0, b: int = 0) -> bytes:
    """One step of a recipe."""
    return struct.pack("=3i", _core.RECIPE_OPS[op], a, b)


class Owner:
    """The Python side of an entry, as launch.c sees it; tests give it other methods."""

    def __init__(self, **methods: Callable[..., Any]) -> None:
        self.told: list[Any] = []
        vars(self).update(methods)

    def bailed(self, why: str, flags: int, check: int) -> None:
        assert check == 0
        self.told.append((why, flags))

    def may_attribute(self) -> bool:
        return True

    def took_long(self) -> None:
        """A loop took long that cannot be halted."""

    def warn(self, kernel: Any, log: list[tuple[int, int]]) -> None:
        self.told.append(log)


def entry(**fields: Any) -> Any:
    """An entry that takes one live-in and gives it back; `fields` are those of the constructor."""
    made = {
        "objects": (),
        "guards": b"",
        "n_guards": len(fields.get("guards", b"")) // 32,
        "loads": b"",
        "n_loads": len(fields.get("loads", b"")) // 16,
        "arrays": b"",
        "calls": b"",
        "recipes": recipe(0, 1),
        "steps": step("SLOT") if fields.get("n_live", 1) else step("TUPLE"),
        "words": bytes(8 * (FIRST + 32)),
        "n_live": 1,
        "n_slots": fields.get("n_live", 1),
        "n_exits": 1,
        "scratch": 0,
        "reports": 0,
        "kernel": 0,
        "keepalive": None,
        "python_kernel": None if "kernel" in fields else lambda *slots: (0, slots[0]),
        "owner": Owner(),
        "options": OPTIONS,
        "bails": bytes([*[1] * (fields.get("n_exits", 1) - 1), 0][-fields.get("n_exits", 1) :]),
        **fields,
    }
    return _core.Entry(**made)


def machine_entry(kernel: Callable[[Words], int], **fields: Any) -> Any:
    """An entry whose kernel is reached by address, as machine code is."""
    address = KERNEL(lambda words: kernel(Words(words)))
    pointer = ctypes.cast(address, ctypes.c_void_p).value
    return entry(kernel=pointer, keepalive=address, **fields)


def calling_code() -> tuple[Any, int]:
    """(What keeps it, the address of) x86-64 code that makes the first opaque call."""
    call = bytes([0xFF, 0x57, 8 * _core.WORDS["CALL"]])  # call [rdi + ...], rdi: the words
    code = b"\x48\x83\xec\x08\x31\xf6" + call + b"\x48\x83\xc4\x08\xc3"  # rsi: number 0
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    return memory, ctypes.addressof(ctypes.c_char.from_buffer(memory))


class Words:
    """The words of a launch, for a kernel that is written in Python."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.words = ctypes.cast(address, ctypes.POINTER(ctypes.c_int64))

    def __getitem__(self, index: int) -> int:
        return self.words[index]

    def __setitem__(self, index: int, value: int) -> None:
        self.words[index] = value

    def ask(self, name: str, *numbers: int) -> int:
        """Calls one of the functions that a kernel may use."""
        types = [ctypes.c_int64] * len(numbers)
        function = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *types)
        return int(function(self.words[_core.WORDS[name]])(self.address, *numbers))


def segment(*entries: Any, n_exits: int = 1) -> Any:
    """A segment that captures nothing and has these entries."""
    made = _core.Segment(None, n_exits)
    made.closed = True
    for one in entries:
        made.add(one)
    return made


@contextmanager
def options(now: Any = OPTIONS) -> Iterator[None]:
    """The options in force are these."""
    token = _core.push_options(now)
    try:
        yield
    finally:
        _core.pop_options(token)
