"""Object files in the format ELF64, made by hand: sections, symbols, relocations."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

WRITE, ALLOC, EXECUTE, TLS = 1, 2, 4, 0x400
PROGBITS, SYMBOLS, STRINGS, RELOCATIONS, NOBITS = 1, 2, 3, 4, 8
FUNCTION, OBJECT, THREAD, INDIRECT = 2, 1, 6, 10
UNDEFINED, COMMON = 0, 0xFFF2
ABSOLUTE64, PC32, GOTPCREL, PLT32, PC64, GOTPCRELX, REX_GOTPCRELX = 1, 2, 9, 4, 24, 41, 42


@dataclass
class Section:
    """Its contents, and (offset, type, symbol's number, addend) of each relocation."""

    name: str
    contents: bytes
    flags: int = ALLOC
    kind: int = PROGBITS
    align: int = 16
    relocations: Sequence[tuple[int, int, int, int]] = ()


@dataclass
class Symbol:
    """`section`: its number, from 1 on."""

    name: str
    section: int
    value: int = 0
    kind: int = FUNCTION


@dataclass
class ObjectFile:
    """Sections of a program, and symbols; number 0 of both is none."""

    sections: list[Section]
    symbols: list[Symbol] = field(default_factory=list)
    machine: int = 62

    def packed(self) -> bytes:
        """The bytes of the file."""
        names, strings = bytearray(b"\0"), bytearray(b"\0")
        table = bytes(24)
        for symbol in self.symbols:
            table += struct.pack(
                "<I2BH2Q", len(strings), 0x10 | symbol.kind, 0, symbol.section, symbol.value, 0
            )
            strings += symbol.name.encode() + b"\0"
        body, headers = bytearray(64), [bytes(64)]
        n_own = len(self.sections)

        def add(name: str, kind: int, flags: int, contents: bytes, *rest: int) -> None:
            link, info, align, entry = rest
            body.extend(bytes(-len(body) % 16))
            headers.append(
                struct.pack(
                    "<2I4Q2I2Q",
                    *(len(names), kind, flags, 0, len(body), len(contents)),
                    *(link, info, align, entry),
                )
            )
            names.extend(name.encode() + b"\0")
            body.extend(contents)

        for section in self.sections:
            add(section.name, section.kind, section.flags, section.contents, 0, 0, section.align, 0)
        add(".symtab", SYMBOLS, 0, table, n_own + 2, 1, 8, 24)
        add(".strtab", STRINGS, 0, bytes(strings), 0, 0, 1, 0)
        for number, section in enumerate(self.sections, 1):
            if section.relocations:
                packed = b"".join(
                    struct.pack("<2Qq", offset, symbol << 32 | kind, addend)
                    for offset, kind, symbol, addend in section.relocations
                )
                add(".rela" + section.name, RELOCATIONS, 0, packed, n_own + 1, number, 8, 24)
        add(".shstrtab", STRINGS, 0, bytes(names) + b".shstrtab\0", 0, 0, 1, 0)
        head = struct.pack(
            "<16s2HI3QI6H",
            *(b"\x7fELF\x02\x01\x01", 1, self.machine, 1, 0, 0, len(body)),
            *(0, 64, 0, 0, 64, len(headers), len(headers) - 1),
        )
        return head + bytes(body[64:]) + b"".join(headers)
