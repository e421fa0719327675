"""Decode and encode the whole standard library: ``tests/unit/frontends/bytecode/roundtrip.py``.

Prints counts and timings; the exit status is 1 when one byte of one function differs.
"""

from __future__ import annotations

import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

from framejit.frontends.bytecode.assemble import encode
from framejit.frontends.bytecode.decode import decode

FIELDS = tuple(name for name in dir(CodeType) if name.startswith("co_") and name != "co_lnotab")


def modules() -> list[Path]:
    """The source files of the standard library, its own tests included."""
    root = Path(sysconfig.get_paths()["stdlib"])
    return [path for path in sorted(root.rglob("*.py")) if "site-packages" not in path.parts]


def some_modules(first: int = 0) -> list[Path]:
    """About thirty of them, spread over all: distributions pack more of them, or fewer."""
    found = modules()
    return found[first :: max(1, len(found) // 30)]


def codes_of(path: Path) -> Iterator[CodeType]:
    """Every code object of a file, the module's own first; nothing when it does not compile."""
    try:
        module = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError):  # files that test the compiler
        return
    yield from nested(module)


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those among its constants."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def differences(code: CodeType, other: CodeType) -> list[str]:
    """The fields of two code objects that differ; positions and line tables included."""
    fields = [name for name in FIELDS if not callable(getattr(code, name))]
    different = [name for name in fields if getattr(code, name) != getattr(other, name)]
    if list(code.co_positions()) != list(other.co_positions()):
        different.append("co_positions")
    return different


def main() -> int:
    """Run over everything and report."""
    count = units = bad = 0
    decoding = encoding = 0.0
    for path in modules():
        for code in codes_of(path):
            started = time.perf_counter()
            decoded = decode(code)
            between = time.perf_counter()
            again = encode(decoded)
            encoding += time.perf_counter() - between
            decoding += between - started
            count += 1
            units += len(decoded.instructions)
            if different := differences(code, again):
                bad += 1
                print(f"{path}:{code.co_firstlineno} {code.co_qualname}: {different}")
    print(
        f"{sys.version.split()[0]}: {count} code objects, {units} instructions, {bad} differ; "
        f"decode {1e3 * decoding / count:.3f} ms, encode {1e3 * encoding / count:.3f} ms each"
    )
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
