"""Building blocks for functions on vectors of eight doubles, and loops over lines of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from ....jit.platforms import PROCESSOR
from ..machine_code.objects import features

LANES = 8
I1, I8, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
DOUBLE = ir.DoubleType()
DOUBLES, INTS = ir.VectorType(DOUBLE, LANES), ir.VectorType(I64, LANES)
SIZE = 2**63 - 1
"""All bits of a double except the sign."""
WHOLE = 1.5 * 2.0**52
"""Adding this number rounds another one to an int, which is then in the lowest bits."""


def doubles(number: float) -> Any:
    """Return a vector with this double in each lane."""
    return ir.Constant(DOUBLES, [number] * LANES)


def ints(number: int) -> Any:
    """Return a vector with this int in each lane."""
    return ir.Constant(INTS, [number] * LANES)


def bits_of(number: float) -> int:
    """Return the bits of a double as an int."""
    bits: int = struct.unpack("q", struct.pack("d", number))[0]
    return bits


def spread(builder: Any, number: Any) -> Any:
    """Return a vector with the register's number in each lane."""
    nothing = ir.Constant(ir.VectorType(number.type, LANES), ir.Undefined)
    one = builder.insert_element(nothing, number, I32(0))
    first = ir.Constant(ir.VectorType(I32, LANES), [0] * LANES)
    return builder.shuffle_vector(one, nothing, first)


def fma(builder: Any, left: Any, right: Any, more: Any) -> Any:
    """Return `left * right + more`, rounded once."""
    function = declared(builder.module, f"llvm.fma.v{LANES}f64", DOUBLES, [DOUBLES] * 3)
    return builder.call(function, [left, right, more])


def declared(module: Any, name: str, result: Any, operands: list[Any]) -> Any:
    """Declare an LLVM vector intrinsic, which llvmlite supports for scalars only."""
    if name not in module.globals:
        ir.Function(module, ir.FunctionType(result, operands), name)
    return module.globals[name]


def table(builder: Any, name: str, kind: Any, numbers: list[Any]) -> Any:
    """Return the address of a table of constants."""
    module = builder.module
    if name not in module.globals:
        constants = ir.GlobalVariable(module, ir.ArrayType(kind, len(numbers)), name)
        constants.linkage, constants.global_constant, constants.align = "internal", True, 64
        constants.initializer = ir.Constant(constants.value_type, numbers)
    return builder.ptrtoint(module.globals[name], I64)


def gather(builder: Any, vector: Any, base: Any, offset: Any) -> Any:
    """Load eight numbers at byte offsets from a base.

    The gather instruction beats single loads only if it fills a whole vector register.
    """
    if PROCESSOR.vector_bytes(features()) < 8 * LANES:
        return _loaded(builder, vector, base, offset)
    pointers = ir.VectorType(vector.element.as_pointer(), LANES)
    mask = ir.VectorType(I1, LANES)
    name = f"llvm.masked.gather.v{LANES}{'f' if vector is DOUBLES else 'i'}64.v{LANES}p0"
    function = declared(builder.module, name, vector, [pointers, I32, mask, vector])
    at = builder.inttoptr(builder.add(offset, spread(builder, base)), pointers)
    nothing = ir.Constant(vector, ir.Undefined)
    return builder.call(function, [at, I32(8), ir.Constant(mask, [1] * LANES), nothing])


def _loaded(builder: Any, vector: Any, base: Any, offset: Any) -> Any:
    items = ir.Constant(vector, ir.Undefined)
    for lane in range(LANES):
        at = builder.add(builder.extract_element(offset, I32(lane)), base)
        item = builder.load(builder.inttoptr(at, vector.element.as_pointer()))
        items = builder.insert_element(items, item, I32(lane))
    return items


def is_directed(builder: Any) -> Any:
    """Return a value that is true if the rounding mode is not to nearest."""
    slot = builder.alloca(I32)
    kind = ir.FunctionType(ir.VoidType(), [slot.type])
    builder.asm(kind, PROCESSOR.store_control, "r,~{memory}", [slot], side_effect=True)
    bits = builder.and_(builder.load(slot), I32(PROCESSOR.to_nearest))
    return builder.icmp_signed("!=", bits, I32(0))


@contextmanager
def in_range(builder: Any, stop: Any, step: int = 1) -> Iterator[Any]:
    """Emit `for place in range(0, stop, step)`."""
    with while_(builder, I64(0), lambda place: builder.icmp_signed("<", place, stop)) as place:
        yield place
        place.next = builder.add(place, I64(step))


@contextmanager
def set_bits(builder: Any, word: Any) -> Iterator[Any]:
    """Emit a loop over the set bits of a word."""
    with while_(builder, word, lambda left: builder.icmp_signed("!=", left, I64(0))) as left:
        yield builder.cttz(left, I1(1))
        left.next = builder.and_(left, builder.sub(left, I64(1)))


@contextmanager
def while_(builder: Any, start: Any, condition: Callable[[Any], Any]) -> Iterator[Any]:
    """Emit a loop over an int; the body sets the attribute `next` to its next value."""
    before = builder.block
    head, body, end = (builder.append_basic_block() for _ in range(3))
    builder.branch(head)
    builder.position_at_end(head)
    number = builder.phi(I64)
    number.add_incoming(start, before)
    builder.cbranch(condition(number), body, end)
    builder.position_at_end(body)
    yield number
    number.add_incoming(number.next, builder.block)
    builder.branch(head)
    builder.position_at_end(end)
