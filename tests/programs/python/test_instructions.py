"""Each instruction that the compiler writes stands in a program of the ladder."""

from __future__ import annotations

import ast
import dis
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

from framejit.frontends.bytecode.decode import decode
from framejit.frontends.capture.capturing import handlers
from framejit.frontends.capture.state.machine import HANDLERS

assert handlers, "their import fills the table"
ENDS = {"RETURN_VALUE", "YIELD_VALUE"}
"""Instructions at which a segment may end, or go on in the caller."""

FAMILIES = Path(__file__).parent / "families"

NOT_IN_FUNCTIONS = {
    "CACHE": "room behind an instruction",
    "EXTENDED_ARG": "part of the instruction behind it",
    "RESERVED": "no instruction",
    "INTERPRETER_EXIT": "of the frame that C calls",
    "ENTER_EXECUTOR": "of the optimiser",
    "TRACE_RECORD": "of the optimiser",
    "EXIT_INIT_CHECK": "of the frame behind `__init__`",
    "PRINT_EXPR": "of the prompt, 3.11",
    "IMPORT_STAR": "of modules, 3.11",
}


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """The code objects inside of one, at any depth."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from codes_of(constant)


def functions() -> Iterator[CodeType]:
    """All code of the programs but that of modules."""
    for file in FAMILIES.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        yield from codes_of(compile(tree, str(file), "exec"))
        for node in ast.walk(tree):  # programs of newer Pythons are texts
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and "\n" in node.value
            ):
                try:
                    yield from codes_of(compile(node.value, str(file), "exec"))
                except SyntaxError:
                    continue  # of a Python that is newer than this one, or no program


def instructions() -> dict[str, bool]:
    """Opcodes in the programs, and whether the symbolic machine runs them."""
    found: dict[str, bool] = {}
    for code in functions():
        for instruction in decode(code).instructions:
            handled = all(op.name in ENDS | HANDLERS.keys() for op in instruction.ops)
            found[instruction.opcode] = found.get(instruction.opcode, False) or handled
    return found


def test_every_instruction_is_met() -> None:
    """Each instruction that the compiler writes into functions is in some program here."""
    written = {
        name
        for name, number in dis.opmap.items()
        if number < 256 and not name.startswith("INSTRUMENTED_")
    }

    assert written - set(instructions()) - set(NOT_IN_FUNCTIONS) == set()


if __name__ == "__main__":
    table = instructions()
    print(f"{len(table)} instructions, {sum(table.values())} of them captured; breaks:")
    print(*sorted(name for name, handled in table.items() if not handled))
