"""Object code in memory: what is loaded runs, what does not fit is refused, all of it is freed."""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import random
import struct
import sys
import weakref
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from object_files import (
    ABSOLUTE64,
    ALLOC,
    COMMON,
    EXECUTE,
    FUNCTION,
    GOTPCREL,
    GOTPCRELX,
    INDIRECT,
    NOBITS,
    OBJECT,
    PC32,
    PC64,
    PLT32,
    REX_GOTPCRELX,
    STRINGS,
    THREAD,
    TLS,
    UNDEFINED,
    WRITE,
    ObjectFile,
    Section,
    Symbol,
)

from framejit.jit.addresses import ADDRESSES
from framejit.jit.native import ObjectCode, code_memory

CODE = ALLOC | EXECUTE
FORTY_TWO = b"\xb8\x2a\0\0\0\xc3"  # mov eax, 42; ret
FOR_AN_ADDRESS = b"\x48\xb8" + bytes(8)  # movabs rax, ...
READ = b"\x48\x8b\0\xc3"  # mov rax, [rax]; ret
MUTANTS = 2000


def small(**changes: Any) -> ObjectFile:
    """A function that returns 42."""
    text = Section(".text", FORTY_TWO, CODE)
    return ObjectFile([text], [Symbol("f", 1)], **changes)


def load(file: ObjectFile | bytes, symbol: str = "f", **addresses: int) -> ObjectCode:
    """Load the code of the file; `addresses` besides those of the C library."""
    content = file if isinstance(file, bytes) else file.packed()
    return ObjectCode(content, symbol, {**ADDRESSES, **addresses})


def call(code: ObjectCode, *args: int) -> int:
    """Return the result of the function."""
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(args))(code.address)
    return int(function(*args))


def rights_at(address: int) -> str:
    """Return the access rights of the memory there, such as "r-xp"."""
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        first, last = (int(one, 16) for one in line.split()[0].split("-"))
        if first <= address < last:
            return line.split()[1]
    return ""


def test_a_function_runs() -> None:
    """And what stands there may be read and executed, never written to."""
    code = load(small())

    assert call(code) == 42
    assert rights_at(code.address) == "r-xp"
    assert code.size == len(FORTY_TWO)


def test_an_address_of_another_section() -> None:
    """As LLVM writes it for any distance; sections are aligned as they want to be."""
    text = Section(".ltext", FOR_AN_ADDRESS + READ, CODE, relocations=[(2, ABSOLUTE64, 2, 8)])
    table = Section(".lrodata", struct.pack("<2q", 1, -7), align=64)
    code = load(ObjectFile([text, table], [Symbol("f", 1), Symbol("table", 2, kind=OBJECT)]))

    assert call(code) == -7
    [address] = struct.unpack("<q", ctypes.string_at(code.address + 2, 8))
    assert (address - 8) % 64 == 0


@pytest.mark.parametrize("kind", [PC32, PC64])
def test_a_distance(kind: int) -> None:
    """From where it is written to the symbol."""
    if kind == PC32:
        text = b"\x48\x8d\x05" + bytes(4) + READ  # lea rax, [rip + ...]
        place = (3, PC32, 2, -4)
    else:
        text = b"\x48\x8d\x15\xf9\xff\xff\xff" + FOR_AN_ADDRESS + b"\x48\x01\xd0" + READ
        place = (9, PC64, 2, 9)  # lea rdx, [rip - 7]; movabs rax, ...; add rax, rdx
    sections = [
        Section(".text", text, CODE, relocations=[place]),
        Section(".rodata", struct.pack("<q", 99)),
    ]
    code = load(ObjectFile(sections, [Symbol("f", 1), Symbol("number", 2, kind=OBJECT)]))

    assert call(code) == 99


def test_a_call_of_the_library() -> None:
    """Near calls reach what is far away, addresses of functions are whole ones."""
    jump = Section(".text", b"\xe9" + bytes(4), CODE, relocations=[(1, PLT32, 2, -4)])
    code = load(ObjectFile([jump], [Symbol("f", 1), Symbol("memset", UNDEFINED, kind=0)]))
    memory = ctypes.create_string_buffer(8)

    assert call(code, ctypes.addressof(memory), 7, 5) == ctypes.addressof(memory)
    assert memory.raw == b"\7\7\7\7\7\0\0\0"


@pytest.mark.parametrize("kind", [GOTPCREL, GOTPCRELX, REX_GOTPCRELX])
def test_a_table_of_addresses(kind: int) -> None:
    """Code that looks an address up finds it, of one of its own symbols and of another's."""
    text = b"\x48\x8b\x05" + bytes(4) + b"\xc3"  # mov rax, [rip + ...]; ret
    for symbol in (Symbol("g", 1, 3), Symbol("other", UNDEFINED, kind=0)):
        section = Section(".text", text, CODE, relocations=[(3, kind, 2, -4)])
        code = load(ObjectFile([section], [Symbol("f", 1), symbol]), other=1234567890123)

        assert call(code) == (code.address + 3 if symbol.section else 1234567890123)


REFUSED: dict[str, tuple[Callable[[], ObjectFile | bytes], str]] = {
    "nothing": (lambda: b"", "it is no object code"),
    "text": (lambda: b"x" * 100, "it is no object code"),
    "half a header": (lambda: small().packed()[:40], "it is no object code"),
    "another processor": (lambda: small(machine=183), "it is for another processor"),
    "no sections": (lambda: small().packed()[:-1], "the sections are not in the file"),
    "another function": (lambda: with_symbol(Symbol("g", 1)), "there is no function f"),
    "a function elsewhere": (lambda: with_symbol(Symbol("f", 1, 6)), "there is no function f"),
    "data for a function": (
        lambda: ObjectFile([Section(".data", b"12", ALLOC)], [Symbol("f", 1)]),
        "there is no function f",
    ),
    "unwind tables": (
        lambda: with_section(Section(".eh_frame", b"1")),
        ".eh_frame is for exceptions, and kernels raise none",
    ),
    "exceptions": (
        lambda: with_section(Section(".gcc_except_table.f", b"1")),
        ".gcc_except_table.f is for exceptions, and kernels raise none",
    ),
    "data": (
        lambda: with_section(Section(".data", b"1", ALLOC | WRITE)),
        ".data is memory to write to, and kernels have none of their own",
    ),
    "zeros": (
        lambda: with_section(Section(".bss", b"1", ALLOC, NOBITS)),
        ".bss is of a kind that kernels do not have",
    ),
    "thread": (
        lambda: with_section(Section(".tbss", b"1", ALLOC | WRITE | TLS)),
        ".tbss is memory of a thread",
    ),
    "alignment": (
        lambda: with_section(Section(".rodata", b"1", align=128)),
        ".rodata wants to be aligned as nothing is",
    ),
    "no alignment": (
        lambda: with_section(Section(".rodata", b"1", align=24)),
        ".rodata wants to be aligned as nothing is",
    ),
    "an unknown name": (lambda: with_place(Symbol("puts", 0)), "puts is not known"),
    "a common symbol": (
        lambda: with_place(Symbol("shared", COMMON)),
        "shared is memory to write to, and kernels have none of their own",
    ),
    "a thread's symbol": (
        lambda: with_place(Symbol("own", 1, kind=THREAD)),
        "own is memory of a thread",
    ),
    "a symbol that chooses": (
        lambda: with_place(Symbol("choose", 1, kind=INDIRECT)),
        "choose is found by a function of its own",
    ),
    "a symbol of no section": (lambda: with_place(Symbol("far", 77)), "far stands nowhere"),
    "a symbol behind the end": (lambda: with_place(Symbol("far", 1, 99)), "far stands nowhere"),
    "a type": (
        lambda: with_place(Symbol("g", 1), kind=10),
        "relocations of type 10 are not known",
    ),
    "outside": (lambda: with_place(Symbol("g", 1), at=7), "a relocation is outside of .text"),
    "far outside": (
        lambda: with_place(Symbol("g", 1), at=2**64 - 4),
        "a relocation is outside of .text",
    ),
    "no symbol": (lambda: with_place(Symbol("g", 1), number=9), "a relocation has no symbol"),
    "too far": (
        lambda: with_place(Symbol("memset", 0), kind=PC32, addend=1 << 40),
        "memset is too far away",
    ),
}


def with_symbol(symbol: Symbol) -> ObjectFile:
    """Instead of the function's own."""
    return ObjectFile([Section(".text", FORTY_TWO, CODE)], [symbol])


def with_section(section: Section) -> ObjectFile:
    """One more."""
    made = small()
    made.sections.append(section)
    return made


def with_place(
    symbol: Symbol, kind: int = ABSOLUTE64, at: int = 2, number: int = 2, addend: int = 0
) -> ObjectFile:
    """One relocation."""
    place = (at, kind, number, addend)
    text = Section(".text", FOR_AN_ADDRESS + READ, CODE, relocations=[place])
    return ObjectFile([text], [Symbol("f", 1), symbol])


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what: str) -> None:
    """The error says why the file is refused, and nothing stays in memory."""
    make, why = REFUSED[what]
    before = code_memory()
    with pytest.raises(ValueError, match=r"^object code: ") as caught:
        load(make())

    assert str(caught.value) == f"object code: {why}"
    assert code_memory()[:3] == before[:3]


def test_symbols_that_nobody_needs_are_not_looked_at() -> None:
    """Numba's environments are such: common, and never read."""
    file = small()
    file.symbols += [Symbol("NumbaEnv", COMMON, 8, OBJECT), Symbol("unknown", UNDEFINED)]

    assert call(load(file)) == 42


def test_arguments() -> None:
    """Arguments of other types are refused."""
    good = small().packed()
    for args in ((bytearray(good), "f", {}), (good, b"f", {}), (good, "f", None), (good, "f")):
        with pytest.raises(TypeError):
            ObjectCode(*args)  # type: ignore[arg-type, call-arg]
    with pytest.raises((TypeError, OverflowError)):
        load(with_place(Symbol("other", 0)), other="here")  # type: ignore[arg-type]


# ---- memory ------------------------------------------------------------------------------------


def test_kernels_share_pages() -> None:
    """Small ones stand side by side, and the memory of one that has died is used again."""
    before = code_memory()
    codes = [load(small()) for _ in range(100)]
    taken = code_memory()[2] - before[2]
    addresses = {code.address for code in codes}

    assert len(addresses) == 100
    assert {address % 64 for address in addresses} == {0}
    assert max(addresses) - min(addresses) < 256 * 1024
    assert taken < 10 * mmap.PAGESIZE  # some may stand in gaps that others have left
    freed = codes.pop(50).address
    assert load(small()).address == freed
    assert {call(code) for code in codes} == {42}


def test_memory_goes_back() -> None:
    """With the last that holds it; so do the pages of many."""
    gc.collect()
    before = code_memory()
    large = Section(".rodata", bytes(100_000))
    codes = [load(ObjectFile([*small().sections, large], small().symbols)) for _ in range(50)]
    during = code_memory()
    watched = weakref.ref(codes[0])
    codes.clear()

    assert during[1] - before[1] == 50
    assert during[2] - before[2] >= 50 * 100_000
    assert watched() is None
    assert code_memory()[1:3] == before[1:3]
    assert code_memory()[3] <= max(before[3], 256 * 1024)


def test_forks() -> None:
    """A child has the kernels, and neither sees kernels that the other loads afterwards."""
    first = load(small())
    child = os.fork()
    other = ObjectFile([Section(".text", b"\xb8\7\0\0\0\xc3", CODE)], [Symbol("f", 1)])
    if child == 0:
        status = 1
        try:
            mine = load(other)
            status = 0 if (call(first), call(mine)) == (42, 7) else 2
        finally:
            os._exit(status)
    mine = load(small())

    assert os.waitpid(child, 0)[1] == 0
    assert (call(first), call(mine)) == (42, 42)


# ---- files that are damaged --------------------------------------------------------------------


def whole() -> bytes:
    """An object with all that the loader knows."""
    text = b"\x48\x8b\x05" + bytes(4) + FOR_AN_ADDRESS + READ + b"\xe8" + bytes(4)
    places = [(3, REX_GOTPCRELX, 2, -4), (9, ABSOLUTE64, 3, 8), (22, PLT32, 4, -4)]
    sections = [
        Section(".text", b"", CODE),
        Section(".ltext", text, CODE, relocations=places),
        Section(".lrodata", bytes(range(64)), align=64),
        Section(".comment", b"nobody reads this", 0, STRINGS),
    ]
    symbols = [
        *(Symbol("f", 2, 0, FUNCTION), Symbol("g", 2, 7, FUNCTION)),
        *(Symbol("", 3, 0, 3), Symbol("memcpy", UNDEFINED, kind=0)),
    ]
    return ObjectFile(sections, symbols).packed()


NUMBERS = (0, 1, 7, 24, 64, 0xFF, 0xFFF2, 0xFFFF, 2**31, 2**32 - 1, 2**63, 2**64 - 1)


def mutant(content: bytes, chance: random.Random) -> bytes:
    """The file with some bytes or numbers changed, cut off or repeated."""
    made = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at, kind = chance.randrange(len(made)), chance.randrange(6)
        size = chance.choice((1, 2, 4, 8))
        if kind < 2:
            made[at] ^= 1 << chance.randrange(8)
        elif kind < 4:
            at -= at % size
            number = chance.choice(NUMBERS) + chance.choice((0, 0, -1, 1))
            made[at : at + size] = (number % 2 ** (8 * size)).to_bytes(size, "little")
        elif kind == 4:
            del made[at : at + size]
        else:
            made = made[: max(at, 1)]
    return bytes(made)


def test_damaged_files() -> None:
    """They are refused or loaded, and that is all; the code of loaded files is never called."""
    chance = random.Random(5)
    content, before = whole(), code_memory()[1:3]
    assert load(content).size > 64
    reasons: Counter[str] = Counter()
    for _ in range(MUTANTS):
        try:
            load(mutant(content, chance))
            reasons["none"] += 1
        except ValueError as error:
            reasons[str(error).partition(":")[0]] += 1

    assert {*reasons} == {"none", "object code"}
    assert min(reasons.values()) > MUTANTS // 10
    assert code_memory()[1:3] == before


def test_files_that_end_anywhere() -> None:
    """None of them is whole."""
    content = whole()
    for end in range(len(content)):
        with pytest.raises(ValueError, match=r"^object code: "):
            load(content[:end])
    assert sys.getrefcount(content) < 4
