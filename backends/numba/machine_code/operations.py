"""Types and code of the operations in the text of a kernel.

Numba's typing and code generation of single operations are used, so that `uint8 + int` or the
quotient of two ints mean what they mean in Numba. Answers are cached, as they depend only on
function and types.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numba.core import types
from numba.core.callconv import create_error_model
from numba.core.extending import _Intrinsic
from numba.core.registry import cpu_target
from numba.np.numpy_support import from_dtype

from ....jit.frozen import dataclass


class NotInKernels(NotImplementedError):  # noqa: N818 (named for its reason)
    """A kernel's text uses something that the lowering does not support: a bug in framejit."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation on operands of given types."""

    operands: tuple[Any, ...]
    """Types to which the operands are converted first."""
    result: Any
    emit: Callable[[Any, Sequence[Any]], Any]
    """Emits the operation: (builder, operands)."""


@cache
def contexts() -> tuple[Any, Any]:
    """Return Numba's typing context, and its target context with NumPy's division by zero."""
    typing, target = cpu_target.typing_context, cpu_target.target_context
    typing.refresh()
    target.refresh()
    ours = target.subtarget(error_model=create_error_model("numpy", target))
    ours._codelib_stack = [_NoLibrary()]
    return typing, ours


class _NoLibrary:
    """Stands in for a Numba library that code might link to."""

    def add_linking_library(self, library: Any) -> None:
        """Raise NotInKernels: code must be inline or call a function of ours."""
        raise NotInKernels(f"{library} is a library of Numba's")


@lru_cache(maxsize=4096)
def operation(function: Any, *operands: Any) -> Operation:
    """Return the operation of a function on operands of these types.

    Raises:
        NotInKernels: Numba would have to compile a function for it, or does not know it.
    """
    if isinstance(function, type) and issubclass(function, np.generic):
        function = from_dtype(np.dtype(function))
    if isinstance(function, types.Type):
        return Operation(operands, function, partial(_cast_one, operands[0], function))
    if function is int:
        to = operands[0] if isinstance(operands[0], types.Integer) else types.intp
        return Operation(operands, to, partial(_cast_one, operands[0], to))
    if isinstance(function, _Intrinsic):
        signature, generate = function._defn(contexts()[0], *operands)
        return _of_intrinsic(signature, generate)
    if function in _CHOOSES:
        return _choosing(_CHOOSES[function], operands)
    direct = _direct(function, operands)
    return direct or _numbas(function, operands)


def cast(builder: Any, value: Any, given: Any, wanted: Any) -> Any:
    """Convert a value between two types."""
    if given == wanted:
        return value
    return contexts()[1].cast(builder, value, given, wanted)


@cache
def llvm_type(type_: Any) -> Any:
    """Return the LLVM type of values."""
    return contexts()[1].get_value_type(type_)


@lru_cache(maxsize=4096)
def unified(first: Any, second: Any) -> Any:
    """Return the type of a variable to which values of both types are assigned."""
    if first == second:
        return first
    found = contexts()[0].unify_types(first, second)
    if found is None:
        raise NotInKernels(f"a variable of {first} and {second}")
    return found


def constant_type(value: object) -> Any:
    """Return the type of a literal."""
    if isinstance(value, bool):
        return types.boolean
    if isinstance(value, int):
        return types.int64 if -(2**63) <= value < 2**63 else types.uint64
    if isinstance(value, np.float32):
        return types.float32
    if isinstance(value, float):
        return types.float64
    raise NotInKernels(f"a constant {value!r}")


def constant(value: Any, wanted: Any) -> Any:
    """Return a literal as a constant of a type; None if it needs a conversion at run time."""
    if isinstance(wanted, types.Float):
        return llvm_type(wanted)(float(value))
    if constant_type(value) == wanted:
        return llvm_type(wanted)(value)
    return None


# ---- how they are emitted ------------------------------------------------------------------------


def _cast_one(given: Any, wanted: Any, builder: Any, values: Sequence[Any]) -> Any:
    return cast(builder, values[0], given, wanted)


def _of_intrinsic(signature: Any, generate: Any) -> Operation:
    target = contexts()[1]

    def emit(builder: Any, values: Sequence[Any]) -> Any:
        return generate(target, builder, signature, values)

    return Operation(signature.args, signature.return_type, emit)


def _numbas(function: Any, operands: tuple[Any, ...]) -> Operation:
    """Return Numba's implementation of an operation, if that is inline code."""
    typing, target = contexts()
    kind = typing.resolve_value_type(function)
    signature = kind.get_call_type(typing, operands, {})
    if signature is None:
        raise NotInKernels(f"{function} of {operands}")
    made = target.get_function(kind, signature)
    if getattr(made, "libs", ()):
        raise NotInKernels(f"{function} of {operands} is a function that Numba compiles")
    return Operation(signature.args, signature.return_type, made)


_CHOOSES = {min: operator.lt, max: operator.gt}


def _choosing(comparison: Any, operands: tuple[Any, ...]) -> Operation:
    """Return an operation that picks the second number if the comparison holds, as Python does."""
    kind = unified(*operands)
    compared = operation(comparison, kind, kind)

    def emit(builder: Any, values: Sequence[Any]) -> Any:
        return builder.select(compared.emit(builder, values[::-1]), values[1], values[0])

    return Operation((kind, kind), kind, emit)


_INTS = (types.int64, types.uint64)
_FLOATS = (types.float64, types.float32)
_OF_INTS = {
    **dict.fromkeys((operator.add, operator.iadd), "add"),
    **dict.fromkeys((operator.sub, operator.isub), "sub"),
    **dict.fromkeys((operator.mul, operator.imul), "mul"),
}
_OF_FLOATS = {
    **dict.fromkeys((operator.add, operator.iadd), "fadd"),
    **dict.fromkeys((operator.sub, operator.isub), "fsub"),
    **dict.fromkeys((operator.mul, operator.imul), "fmul"),
    **dict.fromkeys((operator.truediv, operator.itruediv), "fdiv"),
}
_BITS = {
    **dict.fromkeys((operator.or_, operator.ior), "or_"),
    **dict.fromkeys((operator.and_, operator.iand), "and_"),
    **dict.fromkeys((operator.xor, operator.ixor), "xor"),
}
_SIGNS: dict[Any, str] = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}


def _direct(function: Any, operands: tuple[Any, ...]) -> Operation | None:
    """Return common operations on two numbers of one type directly, as Numba emits them."""
    if function is operator.getitem:
        pointer, index = operands
        return Operation((pointer, _index(index)), pointer.dtype, _load)
    if function is operator.setitem:
        pointer, index, _ = operands
        return Operation((pointer, _index(index), pointer.dtype), types.none, _store)
    if len(operands) != 2 or operands[0] != operands[1]:
        return None
    kind = operands[0]
    if kind in _INTS:
        signed = kind == types.int64
        return _direct_of_ints(function, operands, "icmp_signed" if signed else "icmp_unsigned")
    if kind in _FLOATS:
        if function in _OF_FLOATS:
            return Operation(operands, kind, partial(_two, _OF_FLOATS[function]))
        ordered = "fcmp_unordered" if function is operator.ne else "fcmp_ordered"  # true for NaN
        return _comparing(function, operands, ordered)
    if kind == types.boolean and function in _BITS:
        return Operation(operands, kind, partial(_two, _BITS[function]))
    return None


def _direct_of_ints(function: Any, operands: tuple[Any, ...], compare: str) -> Operation | None:
    kind = operands[0]
    if function in _OF_INTS:
        flags = ("nsw",) if kind == types.int64 else ()
        return Operation(operands, kind, partial(_two_with, _OF_INTS[function], flags))
    if function in _BITS:
        return Operation(operands, kind, partial(_two, _BITS[function]))
    return _comparing(function, operands, compare)


def _comparing(function: Any, operands: tuple[Any, ...], name: str) -> Operation | None:
    sign = _SIGNS.get(function)
    return Operation(operands, types.boolean, partial(_compare, name, sign)) if sign else None


def _index(kind: Any) -> Any:
    """Return the type of indices: 64-bit ints."""
    return types.intp if kind.signed else types.uintp


def _load(builder: Any, values: Sequence[Any]) -> Any:
    return builder.load(builder.gep(values[0], [values[1]]))


def _store(builder: Any, values: Sequence[Any]) -> Any:
    pointer, index, value = values
    return builder.store(value, builder.gep(pointer, [index]))


def _two(name: str, builder: Any, values: Sequence[Any]) -> Any:
    return getattr(builder, name)(*values)


def _two_with(name: str, flags: tuple[str, ...], builder: Any, values: Sequence[Any]) -> Any:
    return getattr(builder, name)(*values, flags=flags)


def _compare(name: str, sign: str, builder: Any, values: Sequence[Any]) -> Any:
    return getattr(builder, name)(sign, *values)
