"""Decoding and encoding again changes no byte; `roundtrip.py` does it for everything."""

import random
import subprocess
import sys

import pytest
from programs import PROGRAMS
from roundtrip import codes_of, differences, modules, nested

from framejit.frontends.bytecode.assemble import encode
from framejit.frontends.bytecode.codetables import read_exception_table, write_exception_table
from framejit.frontends.bytecode.decode import decode

MODULES = random.Random(7).sample([path for path in modules() if path.stat().st_size < 60_000], 60)


def test_standard_library():
    """Sixty modules, the same ones each time."""
    count = 0
    for path in MODULES:
        for code in codes_of(path):
            count += 1
            assert differences(code, encode(decode(code))) == []

    assert count > 1_000


@pytest.mark.parametrize("function", [f for f, _ in PROGRAMS], ids=lambda f: f.__name__)
def test_programs(function):
    """Long jumps, generators, class bodies."""
    for code in nested(function.__code__):
        assert differences(code, encode(decode(code))) == []


def test_large_numbers_in_the_exception_table():
    """More than six and more than twelve bits."""
    regions = [(0, 70, 5000, 3, True), (70, 71, 300_000, 64, False)]

    assert list(read_exception_table(write_exception_table(regions))) == regions


def test_code_without_columns():
    """Positions of code compiled with -X no_debug_ranges: lines only.

    CPython drops the columns from a finished table, so its entries are finer than ours.
    """
    script = (
        "import sys; sys.path[:] = " + repr(sys.path) + "\n"
        "from framejit.frontends.bytecode.assemble import encode\n"
        "from framejit.frontends.bytecode.decode import decode\n"
        "code = compile('try:\\n  a = (b +\\n    1)\\nfinally:\\n  a.b', 'x', 'exec')\n"
        "again = encode(decode(code))\n"
        "assert list(code.co_positions()) == list(again.co_positions())\n"
        "assert list(code.co_lines()) == list(again.co_lines())\n"
        "assert code.co_code == again.co_code\n"
        "assert all(column is None for _, _, column, _ in code.co_positions())\n"
    )
    command = [sys.executable, "-X", "no_debug_ranges", "-c", script]
    result = subprocess.run(command, capture_output=True, text=True)

    assert result.stderr == ""
