"""Functions that a kernel calls and that are lowered with it: the library's, and parts of a text.

A part stands in the text of a kernel beside it: a sequence of statements that the kernel needs
several times (outlining.py). LLVM leaves parts where they are.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from types import FunctionType
from typing import Any

from ..library.exits import KEPT_APART
from .inference import Inference
from .operations import Operation, operation


class Part:
    """A function of a text."""

    def __init__(self, tree: ast.FunctionDef, names: Mapping[str, Any]) -> None:
        """`names` are what global names stand for there, other parts among them."""
        self._tree, self._names = tree, names
        self._found: dict[tuple[Any, ...], Inference] = {}

    def operation(self, *operands: Any) -> Operation:
        """The operation of a call with operands of some types."""
        if operands not in self._found:
            self._found[operands] = Inference(self._tree, operands, self._names, call_of)
        found = self._found[operands]
        return Operation(operands, found.result, partial(self._call, operands))

    def _call(self, operands: tuple[Any, ...], builder: Any, values: Sequence[Any]) -> Any:
        return _called(self._tree.name, operands, self._found[operands], builder, values, True)


def call_of(function: Any, *operands: Any) -> Operation:
    """The operation of a call."""
    if isinstance(function, Part):
        return function.operation(*operands)
    if not isinstance(function, FunctionType):
        return operation(function, *operands)
    found = _inferred(function, operands)
    return Operation(operands, found.result, partial(_call, function, operands))


@lru_cache(maxsize=256)
def _inferred(function: FunctionType, operands: tuple[Any, ...]) -> Inference:
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    known = inspect.getclosurevars(function)
    names = {**known.builtins, **known.globals, **known.nonlocals}
    return Inference(tree, operands, names, call_of)


def _call(
    function: FunctionType, operands: tuple[Any, ...], builder: Any, values: Sequence[Any]
) -> Any:
    """Calls the function in the module of the builder, which gets it with the first call."""
    found, is_apart = _inferred(function, operands), function.__name__ in KEPT_APART
    return _called(function.__name__, operands, found, builder, values, is_apart)


def _called(
    function: str,
    operands: tuple[Any, ...],
    found: Inference,
    builder: Any,
    values: Sequence[Any],
    is_apart: bool,
) -> Any:
    from .lowering import emitted  # which needs calls

    module, name = builder.module, ".".join(("framejit", function, *map(str, operands)))
    if name not in module.globals:
        made = emitted(module, name, found)
        made.linkage = "internal"
        if is_apart:
            made.attributes.add("noinline")
    return builder.call(module.globals[name], values)
