"""Object code of kernels: what it needs of the outside, and how it becomes code that can be called.

Nothing here knows Numba: LLVM's linker alone is loaded, which costs a tenth of it.
"""

from __future__ import annotations

import struct
from functools import cache
from itertools import count
from typing import Any

from ....jit.frozen import dataclass
from ....jit.kernels import LOADING

LIBRARY = frozenset({b"memcmp", b"memcpy", b"memmove", b"memset", b"bcmp"})
"""Functions of the C library that LLVM makes of loops: each process has them."""

_FORMAT = b"\x7fELF\x02\x01"
_HEADER = struct.Struct("<16s2HI3QI6H")
"""Of a file in the format ELF64, see elf(5): the sections' offset, size and number at 6, 11, 12."""
_SECTION = struct.Struct("<2I4Q2I2Q")
_SYMBOL = struct.Struct("<I2BH2Q")
_SYMBOL_TABLE = 2
_numbers = count()


@dataclass(frozen=True, slots=True)
class Code:
    """Machine code in memory: the address of the kernel, and what keeps it there."""

    address: int
    keepalive: Any


def is_self_contained(code: bytes) -> bool:
    """Whether object code of ELF's needs nothing but what each process has."""
    try:
        return _undefined(code) <= LIBRARY
    except (struct.error, IndexError, ValueError):
        return False


def _undefined(code: bytes) -> set[bytes]:
    """The names of what object code needs."""
    header = _HEADER.unpack_from(code)
    if not header[0].startswith(_FORMAT):
        raise ValueError("not in the format ELF64")
    sections = [
        _SECTION.unpack_from(code, header[6] + number * header[11]) for number in range(header[12])
    ]
    found = set()
    for _, kind, _, _, offset, size, link, *_ in sections:
        if kind != _SYMBOL_TABLE:
            continue
        names = sections[link][4]
        for place in range(offset + _SYMBOL.size, offset + size, _SYMBOL.size):  # the first is none
            name, _, _, section, _, _ = _SYMBOL.unpack_from(code, place)
            if section == 0:
                found.add(code[names + name : code.index(b"\0", names + name)])
    return found


def load(code: bytes, symbol: str) -> Code | None:
    """Links object code into this process; None where LLVM does not."""
    from llvmlite.binding import JITLibraryBuilder

    builder = JITLibraryBuilder().add_object_img(code).add_current_process()
    builder.export_symbol(symbol)
    with LOADING:
        try:
            linked = builder.link(_linker(), f"framejit.{next(_numbers)}")
        except RuntimeError:
            return None
    return Code(linked[symbol], linked)


@cache
def _linker() -> Any:
    """One for the process; each kernel is a library by itself, so that names never meet."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler()


@cache
def machine() -> dict[str, str]:
    """What code is made for, and by which LLVM, as Numba sees it."""
    import llvmlite
    from llvmlite import binding

    binding.initialize_native_target()
    return {
        "llvmlite": llvmlite.__version__,
        "llvm": ".".join(map(str, binding.llvm_version_info)),
        "triple": binding.get_process_triple(),
        "cpu": binding.get_host_cpu_name(),
        "features": binding.get_host_cpu_features().flatten(),
    }


def features() -> frozenset[str]:
    """The instructions that kernels may have, such as "+fma"; Numba's settings limit them not."""
    return frozenset(machine()["features"].split(","))
