"""Decoding: what instructions mean, and where they are."""

import dis
from itertools import pairwise

import pytest
from programs import PROGRAMS
from roundtrip import codes_of, nested, some_modules

from framejit.frontends.bytecode import isa
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.isa import Binary, Call, Op
from framejit.frontends.bytecode.model import SlotKind
from framejit.frontends.bytecode.version import LAYOUT, rows_of
from framejit.jit.errors import UnsupportedCodeError

ALL_CODE = [code for function, _ in PROGRAMS for code in nested(function.__code__)]

ROWS = rows_of(LAYOUT.version)


def ops_of(function):
    """All operations of a function in a row."""
    return [op for one in decode(function.__code__).instructions for op in one.ops]


def args_of(function, name):
    """The arguments of all operations of one name."""
    return [op.arg for op in ops_of(function) if op.name == name]


@pytest.mark.parametrize("code", ALL_CODE, ids=lambda code: code.co_qualname)
def test_instructions_agree_with_dis(code):
    """Opcodes, arguments, offsets and positions are those of the standard library's `dis`."""
    ours = decode(code).instructions
    theirs = [one for one in dis.get_instructions(code) if one.opname != "EXTENDED_ARG"]

    assert [one.opcode for one in ours] == [one.opname for one in theirs]
    assert [one.arg for one in ours] == [one.arg or 0 for one in theirs]
    assert [one.positions for one in ours] == [tuple(one.positions) for one in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        # ours counts EXTENDED_ARG as part of the instruction
        assert mine.offset <= other.offset <= mine.offset + 6
        if mine.target is not None:
            assert ours[mine.target].offset == other.argval


@pytest.mark.parametrize("code", ALL_CODE, ids=lambda code: code.co_qualname)
def test_index_at_finds_what_f_lasti_means(code):
    """Any byte of an instruction leads to it."""
    decoded = decode(code)
    starts = [one.offset for one in decoded.instructions] + [len(code.co_code)]
    for index, (start, end) in enumerate(pairwise(starts)):
        assert decoded.index_at(start) == decoded.index_at(end - 1) == index
    with pytest.raises(IndexError):
        decoded.index_at(len(code.co_code))


def test_slots_are_the_interpreters():
    """The localsplus names are those by which the interpreter itself calls its slots."""
    checked = 0
    for path in some_modules():
        for code in codes_of(path):
            decoded = decode(code)
            names = [code._varname_from_oparg(n) for n in range(len(decoded.localsplus))]
            assert list(decoded.localsplus) == names
            checked += len(names)

    assert checked > 2_000


def test_slot_kinds_and_arguments():
    """An argument that an inner function uses is a cell in an argument's slot."""

    def outer(a, b, /, *args, c=1, **kwargs):
        d = 1

        def inner(x):
            y = a, d
            return x, y

        return inner

    decoded = decode(outer.__code__)
    kinds = dict(zip(decoded.localsplus, decoded.kinds, strict=True))

    assert decoded.arguments == 5
    assert decoded.localsplus[:5] == ("a", "b", "c", "args", "kwargs")
    assert kinds["a"] is kinds["d"] is SlotKind.CELL
    assert kinds["b"] is kinds["inner"] is SlotKind.LOCAL
    (inner,) = (one for one in outer.__code__.co_consts if hasattr(one, "co_code"))
    assert decode(inner).kinds[-2:] == (SlotKind.FREE, SlotKind.FREE)


def test_calls_carry_their_keywords():
    """Names of keywords are the same on the stack and in KW_NAMES."""

    def function(f, x):
        return f(1, x, key=x if x else 2, other=3), f(x), x.method(a=1)

    assert args_of(function, isa.CALL) == [
        Call(4, ("key", "other")),
        Call(1, ()),
        Call(1, ("a",)),
    ]


def test_methods_are_one_operation():
    """LOAD_METHOD or LOAD_ATTR with a flag."""

    def function(x):
        return x.method(1), x.attribute

    (method,) = args_of(function, isa.LOAD_METHOD)
    assert method.name == "method"
    assert args_of(function, isa.LOAD_ATTR) == ["attribute"]


def test_a_called_global_comes_with_its_null():
    """In the order in which the version pushes the two."""

    def function():
        return len

    def caller():
        return len()

    assert [op.name for op in ops_of(function) if op.name != isa.RETURN_VALUE] == ["LOAD_GLOBAL"]
    names = [op.name for op in ops_of(caller)]
    assert sorted(names[:2]) == ["LOAD_GLOBAL", "PUSH_NULL"]
    assert names[2] == isa.CALL


def test_operators_are_written_out():
    """BINARY_OP, COMPARE_OP, IS_OP and CONTAINS_OP."""

    def function(a, b):
        a += b
        a **= b
        return a - b, a <= b, a is not b, a in b

    assert args_of(function, isa.BINARY_OP) == [
        Binary("+", True),
        Binary("**", True),
        Binary("-", False),
    ]
    assert args_of(function, isa.COMPARE_OP) == ["<="]
    assert args_of(function, isa.IS_OP) == [True]
    assert args_of(function, isa.CONTAINS_OP) == [False]


def test_conditions_are_the_same_everywhere():
    """The truth test that 3.13 splits off is an operation of its own there."""

    def function(a, b):
        if a < b:
            return -a
        return b

    names = [op.name for op in ops_of(function) if op.name != isa.TO_BOOL]
    assert names[:4] == [isa.LOAD_FAST, isa.LOAD_FAST, isa.COMPARE_OP, isa.POP_JUMP_IF_FALSE]


def test_constants_returned():
    """RETURN_CONST is a load and a return."""

    def function():
        return 7

    assert ops_of(function) == [Op(isa.LOAD_CONST, 7), Op(isa.RETURN_VALUE)]


def test_format_and_functions():
    """FORMAT_VALUE and MAKE_FUNCTION in their parts, with the same net result everywhere."""

    def function(x):
        return f"{x!r:>{x}}", lambda y=x, *, z=2: x

    assert args_of(function, isa.CONVERT_VALUE) == ["repr"]
    assert len(args_of(function, isa.FORMAT_WITH_SPEC)) == 1
    assert args_of(function, isa.SET_FUNCTION_ATTRIBUTE) == ["closure", "kwdefaults", "defaults"]
    assert len(args_of(function, isa.LOAD_CLOSURE)) == 1


def test_handlers():
    """Each protected instruction knows its handler, its depth, and whether lasti is kept."""

    def function(x):
        with x:
            x.inside()

    decoded = decode(function.__code__)
    (call,) = (one for one in decoded.instructions for op in one.ops if op.name == isa.LOAD_METHOD)
    assert call.handler is not None
    assert decoded.instructions[call.handler.target].opcode == "PUSH_EXC_INFO"
    exit_of_with = 1 if "BEFORE_WITH" in ROWS else 2
    assert (call.handler.depth, call.handler.lasti) == (exit_of_with, True)
    assert decoded.instructions[0].handler is None


def test_an_exhausted_loop_goes_on_behind_its_end():
    """FOR_ITER's neutral target is never END_FOR nor the POP_TOP that belongs to it."""

    def function(items):
        for _ in items:
            pass
        return 1

    decoded = decode(function.__code__)
    (target,) = (op.arg for one in decoded.instructions for op in one.ops if op.name == "FOR_ITER")
    assert decoded.instructions[target].ops[0] == Op(isa.LOAD_CONST, 1)


def test_foreign_code_is_refused():
    """Opcodes and jumps that no compiler writes."""
    code = (lambda: 0).__code__
    with pytest.raises(UnsupportedCodeError, match="CACHE"):
        decode(code.replace(co_code=bytes(2) + code.co_code))
    jump = bytes((dis.opmap["JUMP_FORWARD"], 200))
    with pytest.raises(UnsupportedCodeError, match="jump"):
        decode(code.replace(co_code=jump + code.co_code))


@pytest.mark.skipif("LOAD_COMMON_CONSTANT" not in ROWS, reason="only newer compilers do so")
def test_builtins_that_are_written_out():
    """Where a loop may stand for the call of a builtin, the machine goes the way of the call."""

    def function(x):
        return any(v > 1 for v in x)

    decoded = decode(function.__code__)
    (asks,) = (one for one in decoded.instructions if one.opcode == "IS_OP")
    assert [op.name for op in asks.ops] == [
        isa.POP_TOP,
        isa.POP_TOP,
        isa.LOAD_CONST,
        isa.TO_BOOL,
    ]
    assert asks.ops[2].arg is False
    assert decoded.instructions[asks.index + 1].opcode == "POP_JUMP_IF_FALSE"
