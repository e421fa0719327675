"""Functions compiled along with a kernel: those of the library, and parts of its text.

A part stands beside the kernel in its text: an outlined sequence of statements (outlining.py), or a
loop that threads may share (parallel.py). LLVM does not inline parts.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from types import FunctionType
from typing import Any

from llvmlite import ir

from ....jit.frozen import dataclass
from ....jit.native import WORDS
from ....jit.parsing import parse
from ..library.exits import NOT_INLINED
from .function_emitter import emitted
from .inference import Inference
from .operations import Operation, llvm_type, operation

_I32, _I64 = ir.IntType(32), ir.IntType(64)


class Part:
    """A function in the text of a kernel."""

    on_error: int | None = None
    """Result where Numba's code would raise an exception; None if no place would."""

    def __init__(self, tree: ast.FunctionDef, names: Mapping[str, Any]) -> None:
        """Create it; `names` maps the global names in its text, other parts included."""
        self._tree, self._names, self.name = tree, names, tree.name
        self._found: dict[tuple[Any, ...], Inference] = {}

    def operation(self, *operands: Any) -> Operation:
        """Return the operation of calling it with these types."""
        if operands not in self._found:
            self._found[operands] = Inference(self._tree, operands, self._names, call_of)
        found = self._found[operands]
        return Operation(operands, found.result, partial(self._call, operands))

    def _call(self, operands: tuple[Any, ...], builder: Any, values: Sequence[Any]) -> Any:
        found, name = self._found[operands], self._tree.name
        callee = _Callee(name, operands, found, no_inline=True, on_error=self.on_error)
        return callee.called(builder, values)


class Chunk(Part):
    """Some iterations of a loop that threads share, which such a loop calls (row_loops.py)."""

    on_error = 0  # steps are at least 1


class ParallelPart(Chunk):
    """A loop shared by threads: `part(w, begin, end, step, size, ...)`, see jit/native/parallel.c.

    A call goes to the run time, which calls the function for one chunk of iterations after another,
    in several threads. All arguments except the words and bounds are passed in memory.
    """

    def operation(self, *operands: Any) -> Operation:
        """Return the operation of a call; its result combines the bits of all chunks."""
        made = super().operation(*operands)
        return Operation(operands, made.result, partial(self._share, operands))

    def _share(self, operands: tuple[Any, ...], builder: Any, values: Sequence[Any]) -> Any:
        words, begin, end, *common = values
        with builder.goto_entry_block():
            place = builder.alloca(ir.LiteralStructType([value.type for value in common]))
        for number, value in enumerate(common):
            builder.store(value, builder.gep(place, [_I32(0), _I32(number)]))
        chunk = self._chunk(operands, builder.module, place.type)
        kind = ir.FunctionType(_I64, [words.type, *[_I64] * 6]).as_pointer()
        slot = builder.gep(words, [_I32(WORDS["PARALLEL"])])
        shared = [builder.ptrtoint(each, _I64) for each in (chunk, place)]
        function = builder.inttoptr(builder.load(slot), kind)
        return builder.call(function, [words, *shared, begin, end, *common[:2]])

    def _chunk(self, operands: tuple[Any, ...], module: Any, place: Any) -> Any:
        """Return the C function `chunk(words, address of common arguments, begin, end)`."""
        name = f"framejit.{self.name}.chunk"
        if name not in module.globals:
            kinds = [llvm_type(operands[0]), *[_I64] * 3]
            made = ir.Function(module, ir.FunctionType(_I64, kinds), name)
            made.linkage = "internal"
            builder = ir.IRBuilder(made.append_basic_block())
            words, shared, begin, end = made.args
            at = builder.inttoptr(shared, place)
            common = [
                builder.load(builder.gep(at, [_I32(0), _I32(number)]))
                for number in range(len(place.pointee.elements))
            ]
            builder.ret(self._call(operands, builder, [words, begin, end, *common]))
        return module.globals[name]


_PARTS = {"": Part, "parallel": ParallelPart, "chunk": Chunk}
"""The kinds of parts, by decorators in the text."""


def part_of(tree: ast.FunctionDef, names: Mapping[str, Any]) -> Part:
    """Return the part defined by a function in the syntax tree of a text."""
    kinds = [each.id for each in tree.decorator_list if isinstance(each, ast.Name)]
    return _PARTS[" ".join(kinds)](tree, names)


def call_of(function: Any, *operands: Any) -> Operation:
    """Return the operation of calling a function."""
    if isinstance(function, Part):
        return function.operation(*operands)
    if not isinstance(function, FunctionType):
        return operation(function, *operands)
    found = _inferred(function, operands)
    return Operation(operands, found.result, partial(_call, function, operands))


@lru_cache(maxsize=256)
def _inferred(function: FunctionType, operands: tuple[Any, ...]) -> Inference:
    [tree] = parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    known = inspect.getclosurevars(function)
    names = {**known.builtins, **known.globals, **known.nonlocals}
    return Inference(tree, operands, names, call_of)


def _call(
    function: FunctionType, operands: tuple[Any, ...], builder: Any, values: Sequence[Any]
) -> Any:
    """Emit a call; the first call in a module adds the function to it."""
    found, no_inline = _inferred(function, operands), function.__name__ in NOT_INLINED
    return _Callee(function.__name__, operands, found, no_inline).called(builder, values)


@dataclass(frozen=True, slots=True)
class _Callee:
    """A function of a module for one combination of operand types."""

    function: str
    operands: tuple[Any, ...]
    found: Inference
    no_inline: bool
    """True if LLVM shall not inline it."""
    on_error: int | None = None

    def called(self, builder: Any, values: Sequence[Any]) -> Any:
        """Emit a call; the first call in a module adds the function to it."""
        name = ".".join(("framejit", self.function, *map(str, self.operands)))
        functions = builder.module.globals
        if name not in functions:
            made = emitted(builder.module, name, self.found, self.on_error)
            made.linkage = "internal"
            if self.no_inline:
                made.attributes.add("noinline")
        return builder.call(functions[name], values)
