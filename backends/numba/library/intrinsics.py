"""Intrinsics of kernels: typed pointers, calls of the run time, the floating point status.

A kernel reaches everything through one pointer to int64 words. Addresses of functions are words
too, so that compiled code contains no address.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from ....jit.native import FP_FLAGS, WORDS
from ....jit.platforms import PROCESSOR
from .arithmetic import arithmetic
from .exits import SHARED, copy_bytes, of_lists
from .exponentials import exponentials
from .logarithms import logarithms
from .names import RUN_TIME, STORAGE
from .powers import powers
from .quotients import quotients
from .remainders import remainders
from .row_products import row_products
from .sines import sines
from .sums import sums
from .tangents import tangents

# Numba initialises the assembly printer only; instructions given as text need the parser.
binding.initialize_native_asmparser()

_I64 = ir.IntType(64)
_I32 = ir.IntType(32)
_BYTE_POINTER = ir.IntType(8).as_pointer()
WORD_POINTER = types.CPointer(types.int64)

_HELD_AS: dict[str, Any] = {"float16": types.uint16}
"""Storage types that Numba does not have under the same name."""
STORED: dict[str, Any] = {name: _HELD_AS.get(name, getattr(types, name)) for name in STORAGE}
"""Numba types by their names in STORAGE."""


def _pointer_intrinsic(element: Any) -> Any:
    @intrinsic
    def pointer(typing: Any, address: Any) -> Any:
        signature = types.CPointer(element)(types.int64)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            target = context.get_value_type(signature.return_type)
            return builder.inttoptr(args[0], target)

        return signature, generate

    return pointer


POINTERS = {f"{name}_at": _pointer_intrinsic(element) for name, element in STORED.items()}
"""Intrinsics such as `float64_at(address)`, which make a typed pointer from an address."""


def _runtime_intrinsic(word: int, arity: int) -> Any:
    """Return an intrinsic that calls the run time function whose address is in words[word]."""

    def make(context: Any, builder: Any, args: Any) -> Any:
        function_type = ir.FunctionType(_I64, [_I64.as_pointer()] + [_I64] * arity)
        slot = builder.gep(args[0], [ir.Constant(_I32, word)])
        function = builder.inttoptr(builder.load(slot), function_type.as_pointer())
        return builder.call(function, args)

    if arity == 1:

        @intrinsic
        def call(typing: Any, words: Any, first: Any) -> Any:
            return types.int64(WORD_POINTER, types.int64), lambda c, b, s, a: make(c, b, a)

        return call

    @intrinsic
    def call2(typing: Any, words: Any, first: Any, second: Any) -> Any:
        signature = types.int64(WORD_POINTER, types.int64, types.int64)
        return signature, lambda c, b, s, a: make(c, b, a)

    return call2


@intrinsic
def get_status(typing: Any) -> Any:
    """Read the floating point status."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slot = _entry_slot(builder)
        _status(builder, PROCESSOR.store_status, slot)
        return builder.zext(builder.load(slot), _I64)

    return types.int64(), generate


@intrinsic
def set_status(typing: Any, status: Any) -> Any:
    """Write the floating point status."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slot = _entry_slot(builder)
        builder.store(builder.trunc(args[0], _I32), slot)
        _status(builder, PROCESSOR.load_status, slot)
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def raised_flags(typing: Any) -> Any:
    """Return the flags that are set, of those that NumPy reports."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slot = _entry_slot(builder)
        _status(builder, PROCESSOR.store_status, slot)
        return builder.zext(builder.and_(builder.load(slot), ir.Constant(_I32, FP_FLAGS)), _I64)

    return types.int64(), generate


def _x87(text: str) -> Any:
    """Return an intrinsic for the flags of the x87 unit.

    libc's feraiseexcept() sets overflow there, and NumPy's integer loops and vectorised loops (exp
    of float32) use it to report one.
    """

    @intrinsic
    def flags(typing: Any) -> Any:
        return types.int64(), lambda context, builder, signature, args: _x87_word(builder, text)

    return flags


def _x87_word(builder: Any, text: str) -> Any:
    word = ir.IntType(16)
    status = builder.asm(ir.FunctionType(word, []), text, PROCESSOR.further_status, [], True)
    return builder.zext(builder.and_(status, ir.Constant(word, FP_FLAGS)), _I64)


@intrinsic
def poll(typing: Any, words: Any, work: Any, raised: Any) -> Any:
    """Call the run time's POLL: returns the flags raised so far, or -1 to leave the kernel.

    The call preserves all general registers, so that loops need not spill them around a call that
    is rarely reached; spilling cost small loops a tenth of their time.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.call(_polling(builder.module), args, cconv="preserve_mostcc")

    return types.int64(WORD_POINTER, types.int64, types.int64), generate


def _polling(module: Any) -> Any:
    """Return the module's function that calls the run time's POLL.

    x87 flags set before belong to the kernel, those set by handlers are dropped. The convention
    preserve_allcc is not used: LLVM clears the upper halves of vectors after restoring them.
    """
    name = "framejit.poll"
    if name in module.globals:
        return module.globals[name]
    pointer = _I64.as_pointer()
    function = ir.Function(module, ir.FunctionType(_I64, [pointer, _I64, _I64]), name)
    function.linkage, function.calling_convention = "internal", "preserve_mostcc"
    function.attributes.add("noinline")
    words, work, raised = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    done = builder.gep(words, [_I32(WORDS["WORK"])])
    builder.store(builder.add(builder.load(done), work), done)
    raised = builder.or_(raised, _x87_word(builder, PROCESSOR.take_further_status))
    slot = builder.gep(words, [_I32(WORDS["POLL"])])
    target = builder.inttoptr(
        builder.load(slot), ir.FunctionType(_I64, [pointer, _I64]).as_pointer()
    )
    stays = builder.icmp_signed("==", builder.call(target, [words, raised]), _I64(0))
    _x87_word(builder, PROCESSOR.take_further_status)
    builder.ret(builder.select(stays, builder.and_(raised, _I64(FP_FLAGS)), _I64(-1)))
    return function


def _opaque(*attributes: str, stays: bool) -> Any:
    """Return an intrinsic that returns its argument unchanged, in a way that is opaque to LLVM."""

    @intrinsic
    def opaque(typing: Any, value: Any) -> Any:
        def pin(builder: Any, number: Any) -> Any:
            signature = ir.FunctionType(number.type, [number.type])
            register = "r" if isinstance(number.type, ir.IntType) else "x"
            made = builder.asm(signature, "", f"={register},0", [number], side_effect=stays)
            made.attributes.update(attributes)  # llvmlite's `add` knows only some of them
            return made

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if not isinstance(value, types.Complex):
                return pin(builder, args[0])
            made = args[0]
            for place in range(2):
                part = pin(builder, builder.extract_value(args[0], place))
                made = builder.insert_value(made, part, place)
            return made

        return value(value), generate

    return opaque


pinned = _opaque("inaccessiblememonly", "nounwind", "willreturn", stays=True)
"""Returns a number that LLVM must not compute earlier than here.

Computations with it thus stay after earlier reads and writes of the status. Loads and stores may
move across, as it changes no memory visible to others.
"""
hidden = _opaque("readnone", "nounwind", "willreturn", stays=False)
"""Hides a number's value from LLVM; dropped if unused."""


@intrinsic
def bits_of(typing: Any, value: Any) -> Any:
    """Return the bits of a float as an int of the same size."""
    bits = 32 if value == types.float32 else 64

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(bits))

    whole = types.int32 if bits == 32 else types.int64

    return whole(value), generate


@intrinsic
def unlikely(typing: Any, condition: Any) -> Any:
    """Mark a condition as rarely true, so that no registers are reserved for its branch."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bit = ir.IntType(1)
        expect = ir.FunctionType(bit, [bit, bit])
        function = builder.module.declare_intrinsic("llvm.expect", [bit], expect)
        return builder.call(function, [args[0], bit(0)])

    return types.boolean(types.boolean), generate


@intrinsic
def unpredictable(typing: Any, condition: Any) -> Any:
    """Mark a condition as true about half of the time; the lowering marks the branch."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return types.boolean(types.boolean), generate


def _entry_slot(builder: Any) -> Any:
    with builder.goto_entry_block():
        return builder.alloca(_I32)


def _status(builder: Any, instruction: str, slot: Any) -> None:
    # The address is passed in a register, as llvmlite's typed pointers and the "*m" constraint fail
    # together on some LLVM versions. The memory clobber orders it against stores of the stages.
    function_type = ir.FunctionType(ir.VoidType(), [_I32.as_pointer()])
    builder.asm(function_type, instruction, "r,~{memory}", [slot], side_effect=True)


def _call_of(arity: int) -> Any:
    """Return an intrinsic `call(address, ...)` for C functions without a result."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function_type = ir.FunctionType(ir.VoidType(), [_I64] * arity)
        target = builder.inttoptr(args[0], function_type.as_pointer())
        builder.call(target, args[1:])
        return context.get_dummy_value()

    if arity == 3:

        @intrinsic
        def call3(typing: Any, function: Any, first: Any, second: Any, third: Any) -> Any:
            return types.void(*[types.int64] * 4), generate

        return call3

    @intrinsic
    def call4(typing: Any, function: Any, first: Any, second: Any, third: Any, last: Any) -> Any:
        return types.void(*[types.int64] * 5), generate

    return call4


@intrinsic
def address_of(typing: Any, words: Any, index: Any) -> Any:
    """Return the address of words[index]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(builder.gep(args[0], [args[1]]), _I64)

    return types.int64(WORD_POINTER, types.int64), generate


@cache
def namespace() -> dict[str, Any]:
    """Return the globals of every kernel."""
    from math import fabs, inf, nan, sqrt

    run_time = {name: _runtime_intrinsic(WORDS[word], n) for name, (word, n) in RUN_TIME.items()}
    of_kernels = of_lists(run_time["alloc"], run_time["swap"], copy_bytes)
    return {
        "inf": inf,
        "nan": nan,
        **POINTERS,
        **STORED,
        "sqrt": sqrt,
        "fabs": fabs,
        **run_time,
        **{function.__name__: function for function in (*SHARED, *of_kernels)},
        "copy": copy_bytes,
        "poll": poll,
        "raised_flags": raised_flags,
        "x87_flags": _x87(PROCESSOR.take_further_status),
        "x87_status": _x87(PROCESSOR.read_further_status),
        "bits_of": bits_of,
        "pinned": pinned,
        "hidden": hidden,
        "unlikely": unlikely,
        "unpredictable": unpredictable,
        **dict.fromkeys(("parallel", "chunk")),  # mark functions, see machine_code/functions.py
        "get_status": get_status,
        "set_status": set_status,
        **arithmetic(),
        **sums(),
        **row_products(),
        **sines(),
        **exponentials(),
        **logarithms(),
        **powers(),
        **tangents(),
        **quotients(),
        **remainders(),
        "inner_loop": _call_of(4),  # loop(char **args, intp *dims, intp *steps, void *data)
        "sort": _call_of(3),  # sort(void *items, intp n, void *array)
        "argsort": _call_of(4),  # argsort(void *items, intp *places, intp n, void *array)
        "extreme": _call_of(4),  # extreme(void *items, intp n, intp *place, void *array)
        "address_of": address_of,
    }
