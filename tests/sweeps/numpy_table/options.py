"""Calls of NumPy's functions with an option that is told at run time, from the table of examples.

The options are the parameters with default values that NumPy's signatures name, and the values that
they are given follow from these default values. So a function that gets an example gets these too.
"""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from inspect import Parameter
from typing import Any, Final

import numpy as np
from every_function import Example, examples, values

WAYS: Final = {
    "argument": "option",
    "comparison": "number == 1",
    "of an array": "(v < number).any()",
}
"""Texts of an option in the call: any value, or a bool that the graph computes."""
NUMBERS: Final = {"comparison": (1, 0, 1), "of an array": (-9, 9, -9)}
UNFILLED: Final = frozenset(("empty", "empty_like"))
"""Functions whose result holds what was in the memory before."""
ELSEWHERE: Final = frozenset(("out", "like", "dtype"))
"""Options that take objects other than flags and numbers."""
TEXTS: Final = (
    *("C", "F", "K", "A", "left", "right", "valid", "same", "full", "no", "safe", "unsafe"),
    *("same_kind", "stable", "quicksort", "linear", "lower", "edge", "constant", "reflect"),
    *("raise", "wrap", "clip", "ij", "xy", "big", "little", "ortho", "forward", "L", "U", "sort"),
    *("reduced", "complete", "r", "fb", "b", "f", "cpu", "neither"),
)
"""Values for options that are a str."""


MOST_REFUSED: Final = 2
"""Values of an option that are errors."""


@dataclass(frozen=True, slots=True)
class Option:
    """A parameter of the function of an example."""

    example: Example
    name: str
    way: str
    given: tuple[Any, ...]
    """The values that are passed, call by call."""

    def __str__(self) -> str:
        return f"{self.example.expression}, {self.name}, {self.way}"

    def with_fewer(self) -> Option:
        """The option with the values that NumPy takes, and a few of those that it refuses."""
        taken, refused = [], []
        function = self.function()
        for one in self.given:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    function(**values(), option=one, number=0)
                except Exception:
                    refused.append(one)
                else:
                    taken.append(one)
        return replace(self, given=(*taken, *refused[:MOST_REFUSED], *taken[:1]))

    def function(self) -> Callable[..., Any]:
        """A function of `values()`, the option and a number; it writes into what the call gives."""
        names = ", ".join(values())
        expression = _with_keyword(self.example.expression, self.name, WAYS[self.way])
        is_filled = self.name != "where" and self.example.function.split(".")[-1] not in UNFILLED
        source = (
            f"def example({names}, option, number):\n"
            f"    around = v * w + 1\n"
            f"    result = {expression}\n"
            f"    before = {'np.array(result)' if is_filled else 'None'}\n"
            f"    if type(result) is np.ndarray and result.dtype.kind in 'iufc':\n"
            f"        result[...] = 1\n"
            f"    return result, before, around - w + x[0]\n"
        )
        namespace: dict[str, Any] = {"np": np}
        exec(compile(source, f"<option {self.name} of {expression}>", "exec"), namespace)
        function: Callable[..., Any] = namespace["example"]
        return function


def options() -> Iterator[Option]:
    """Each option of each function, in the first example that takes several values for it.

    Ufuncs have the same options, and go the same way: one with so many operands stands for all.
    """
    done: set[Any] = set()
    for example in examples():
        call = _call_in(example.expression)
        if call is None:
            continue
        function = _function(example.function)
        of = function.nin if isinstance(function, np.ufunc) else example.function
        said = {keyword.arg for keyword in call.keywords}
        for name, default in _defaults(example.function, len(call.args)):
            if name in said | ELSEWHERE or (of, name) in done:
                continue
            found = Option(example, name, "argument", _values_for(default)).with_fewer()
            if len(found.given) > MOST_REFUSED + 1:
                done.add((of, name))
                yield found
                if isinstance(default, bool):
                    yield from (Option(example, name, way, given) for way, given in NUMBERS.items())


def _values_for(default: Any) -> tuple[Any, ...]:
    if isinstance(default, bool):
        return (default, not default, 1, np.bool(not default), np.int64(0))
    if isinstance(default, int):
        return (default, 1, 0, -1, np.int64(2))
    if isinstance(default, float):
        return (default, 0.5, 2, True)
    if isinstance(default, str):
        return (default, *TEXTS, 1)
    return (default, 1, True, 0, False, np.True_)


def _call_in(expression: str) -> ast.Call | None:
    """The call that the example is about: the outermost one."""
    body = ast.parse(expression, mode="eval").body
    body = body.left if isinstance(body, ast.BinOp) else body
    return body if isinstance(body, ast.Call) else None


def _with_keyword(expression: str, name: str, value: str) -> str:
    tree = ast.parse(expression, mode="eval")
    call = tree.body.left if isinstance(tree.body, ast.BinOp) else tree.body
    assert isinstance(call, ast.Call)
    call.keywords.append(ast.keyword(name, ast.parse(value, mode="eval").body))
    return ast.unparse(tree)


def _function(name: str) -> Any:
    """The function of an example, by its name with its module."""
    found: Any = np
    for part in name.removeprefix("np.").split("."):
        found = getattr(found, part)
    return found


@cache
def _defaults(function: str, count: int) -> list[tuple[str, Any]]:
    """The parameters that may have a keyword behind so many arguments, with their defaults."""
    try:
        parameters = [*inspect.signature(_function(function)).parameters.values()]
    except (TypeError, ValueError):
        return []
    is_method = function.startswith("ndarray")
    count += is_method
    free = [one for one in parameters[count:] if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
    free += [one for one in parameters if one.kind is Parameter.KEYWORD_ONLY]
    more = [one for one in parameters if one.kind is Parameter.VAR_KEYWORD]
    known = [(one.name, one.default) for one in free if one.default is not Parameter.empty]
    return known + ([("keepdims", False)] if more and is_method else [])
