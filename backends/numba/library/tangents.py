"""Vectorised hyperbolic tangents of doubles, computed like NumPy's loop (numpys_tanh.py).

Each item loads its coefficients from memory, which takes a third of the time of NumPy's look-ups in
registers. Tiny, huge and non-finite numbers are left to NumPy, whose loop raises no flags; code
here raises only "inexact".
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from .numpys_tanh import FIRST, PARTS, ROWS, SHIFT
from .numpys_tanh import table as numpys_table
from .patched import line_of
from .vectors import (
    DOUBLE,
    DOUBLES,
    I32,
    I64,
    INTS,
    LANES,
    SIZE,
    bits_of,
    fma,
    ints,
    table,
)

LEAST, MOST = 2.0**-900, 2.0**900
"""Magnitudes of arguments computed here, besides zeros; smaller ones might raise "underflow"."""


def tangents() -> dict[str, Any]:
    """Return `tangents(loop, data, source, step, target, step, count)` by its name in kernels."""
    return {"tangents": line_of("framejit.tangents", _evaluate)}


def _evaluate(builder: Any, given: Any, more: Any) -> tuple[Any, Any]:
    """Return tangents, and a mask of those that were computed."""
    least, most = ints(bits_of(LEAST)), ints(bits_of(MOST))
    bits = builder.bitcast(given, INTS)
    size = builder.and_(bits, ints(SIZE))
    nothing = builder.icmp_unsigned("==", size, ints(0))
    usual = builder.icmp_unsigned("<=", builder.sub(size, least), builder.sub(most, least))
    inside = builder.or_(usual, nothing)
    size = builder.select(inside, size, ints(0))

    past = builder.sub(size, ints(FIRST))
    past = builder.select(builder.icmp_signed("<", past, ints(0)), ints(0), past)
    part = builder.lshr(past, ints(SHIFT))
    last = ints(PARTS - 1)
    part = builder.select(builder.icmp_signed("<", part, last), part, last)

    middle, *coefficients = _rows(builder, part)
    y = builder.fsub(builder.bitcast(size, DOUBLES), middle)
    result = coefficients.pop()
    for coefficient in reversed(coefficients):
        result = fma(builder, result, y, coefficient)
    sign = builder.and_(bits, ints(-SIZE - 1))
    return builder.bitcast(builder.or_(builder.bitcast(result, INTS), sign), DOUBLES), inside


def _rows(builder: Any, part: Any) -> list[Any]:
    """Return the interior point and the coefficients of each item."""
    numbers = numpys_table()
    assert numbers is not None, "kernels name this function where the table is known"
    base = table(builder, "framejit.table.of.tangents", DOUBLE, list(numbers))
    pointer = DOUBLE.as_pointer()
    at = [
        builder.inttoptr(
            builder.add(base, builder.shl(builder.extract_element(part, I32(lane)), I64(3))),
            pointer,
        )
        for lane in range(LANES)
    ]
    rows = []
    for row in range(ROWS):
        items = ir.Constant(DOUBLES, ir.Undefined)
        for lane in range(LANES):
            item = builder.load(builder.gep(at[lane], [I64(row * PARTS)]))
            items = builder.insert_element(items, item, I32(lane))
        rows.append(items)
    return rows
