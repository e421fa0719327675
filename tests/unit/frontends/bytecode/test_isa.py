"""The neutral instruction set: one complete table, and numbers that agree with CPython's own."""

import dis
import functools
import inspect
import opcode

import pytest
from roundtrip import codes_of, some_modules

from framejit.frontends.bytecode import isa
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.errors import UnsupportedPythonError
from framejit.frontends.bytecode.kinds import RESULTS, SPECIAL
from framejit.frontends.bytecode.version import LAYOUT, layout_of, rows_of

ROWS = rows_of(LAYOUT.version)


@functools.cache
def sample():
    """Some modules of the standard library, decoded."""
    return [decode(code) for path in some_modules() for code in codes_of(path)]


def real_opcodes():
    """Return the opcodes that the compiler may write: no pseudo, specialised or tool opcodes."""
    return {
        name
        for name, number in dis.opmap.items()
        if number < 256 and not name.startswith("INSTRUMENTED_")
    }


def test_every_opcode_has_a_row():
    """The table of the running version is complete, and has no row too many."""
    assert set(ROWS) == real_opcodes()


def test_caches_are_the_interpreters():
    """The room behind each opcode; a wrong number makes an instruction of it."""
    counts = opcode._inline_cache_entries  # before 3.13 a list, by number
    by_name = not isinstance(counts, list)
    caches = {
        name: counts.get(name, 0) if by_name else counts[dis.opmap[name]] for name in real_opcodes()
    }

    assert dict(LAYOUT.caches) == {name: count for name, count in caches.items() if count}


def test_jumps_are_the_interpreters():
    """The opcodes that jump, and their directions, are the interpreter's."""
    directions = {
        dis.opname[number]: -1 if dis._is_backward_jump(number) else 1
        for number in dis.hasjrel
        if dis.opname[number] in real_opcodes()
    }

    assert dict(LAYOUT.jumps) == directions


def test_names_are_their_own_constants():
    """Each operation is a constant of the same name, so handler tables can use it as a key."""
    constants = {name: value for name, value in vars(isa).items() if name in isa.OPS}

    assert constants == {name: name for name in isa.OPS}
    assert 90 <= len(isa.OPS) <= 115


def test_fixed_stack_effects_agree_with_their_text():
    """The words of `stack` agree with the numbers `pops` and `pushes`."""
    checked = 0
    for info in isa.OPS.values():
        if not isinstance(info.pops, int) or not isinstance(info.pushes, int):
            continue
        effect = info.stack.partition("|")[0]
        before, _, after = (part.split() for part in effect.partition("--"))
        if "..." in before + after:
            continue
        checked += 1
        assert (len(before), len(after)) == (info.pops, info.pushes), info

    assert checked > 75


def test_special_kinds_are_known_operations():
    """The kinds table only speaks of operations that exist, with the right number of results."""
    assert set(SPECIAL) | set(RESULTS) <= set(isa.OPS)
    for name, kinds in RESULTS.items():
        assert isa.OPS[name].pushes == len(kinds)


def test_jumps_and_ends_come_last():
    """Falling through always means going on with the next instruction."""
    seen = set()
    for decoded in sample():
        for instruction in decoded.instructions:
            for op in instruction.ops[:-1]:
                info = isa.OPS[op.name]
                assert not info.jumps
                assert not info.ends
            seen.update(op.name for op in instruction.ops)

    assert len(seen) > 75


# CPython's own numbers leave out what only the interpreter loop does for these.
ODD = {
    *("END_FOR", "SEND", "FOR_ITER", "END_ASYNC_FOR", "CLEANUP_THROW", "RETURN_GENERATOR"),
    "RETURN_VALUE",  # since 3.14 with what its caller gets
}


def test_stack_effects_agree_with_dis():
    """The operations of an instruction change the depth by what `dis.stack_effect` says."""
    checked = 0
    for decoded in sample():
        for one in decoded.instructions:
            number = dis.opmap[one.opcode]
            if one.opcode in ODD or one.opcode in LAYOUT.prefixes:
                continue
            arg = one.arg if number >= dis.HAVE_ARGUMENT else None
            change = sum(isa.pushes(op) - isa.pops(op) for op in one.ops)
            if one.opcode in ("PRECALL", "CALL") and LAYOUT.version == (3, 11):
                # there PRECALL is booked for the arguments that CALL takes
                continue
            checked += 1
            assert change == dis.stack_effect(number, arg, jump=False), one

    assert checked > 20_000


def test_every_operation_is_documented():
    """People read the table: no function stands for a number without an argument."""
    for info in isa.OPS.values():
        if not isinstance(info.pops, int) or not isinstance(info.pushes, int):
            assert info.arg, info
    assert inspect.getdoc(isa)


@pytest.mark.parametrize("version", [(3, 10), (3, 16), (4, 0)])
def test_unknown_versions_are_refused(version):
    """The exception is an ImportError, which the face of the package catches."""
    with pytest.raises(UnsupportedPythonError, match="CPython"):
        layout_of("cpython", version)
    assert issubclass(UnsupportedPythonError, ImportError)


def test_other_implementations_are_refused():
    """PyPy has the same version numbers and other bytecode."""
    with pytest.raises(UnsupportedPythonError, match="pypy"):
        layout_of("pypy", (3, 11))


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14), (3, 15)])
def test_all_tables_can_be_looked_at_anywhere(version):
    """A table is data about one version; importing it does not depend on the running one."""
    layout, rows = layout_of("cpython", version), rows_of(version)

    assert layout.version == version
    assert {*layout.caches, *layout.jumps} | layout.prefixes <= rows.keys()
    assert {*layout.no_stub_at, *layout.no_stub_after} <= rows.keys()
