"""Decoding and encoding again changes no byte; `roundtrip.py` does it for everything."""

import random

import pytest
from programs import PROGRAMS
from roundtrip import codes_of, differences, modules, nested

from framejit.frontends.bytecode import decode, encode
from framejit.frontends.bytecode.codetables import read_exception_table, write_exception_table

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


def test_code_without_columns(tmp_path):
    """Positions of code compiled with -X no_debug_ranges: lines only."""
    from subprocess import run
    from sys import executable

    script = tmp_path / "columns.py"
    script.write_text(
        "from framejit.frontends.bytecode import decode, encode\n"
        "def f(a):\n"
        "    try:\n"
        "        return (a +\n"
        "            1)\n"
        "    finally:\n"
        "        a.b\n"
        "code = encode(decode(f.__code__))\n"
        "assert code == f.__code__ and code.co_linetable == f.__code__.co_linetable\n"
        "assert all(column is None for _, _, column, _ in f.__code__.co_positions())\n"
    )
    result = run([executable, "-X", "no_debug_ranges", script], capture_output=True, text=True)

    assert result.stderr == ""
