"""Parts of the ladder's tests: functions, arrays, and the claims about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from oracle import assert_counts, assert_normally, check

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
COMPARISONS = ("lt", "le", "eq", "ne", "gt", "ge")
BITS = ("and", "or", "xor", "lshift", "rshift")


def madd(x: Any, y: Any, z: Any) -> Any:
    return x * y + z


def program_of(parameters: str, text: str) -> Function:
    """A function of these parameters that gives the value of a text."""
    namespace: dict[str, Any] = {"np": np}
    exec(f"def program({parameters}):\n    return {text}\n", namespace)
    made: Function = namespace["program"]
    return made


def captured(function: Function, *args: Any, calls: int = 2, **kwargs: Any) -> None:
    """The same as eager, on a kernel from the first call on."""
    jitted = check(function, *args, calls=calls, **kwargs)
    assert_counts(jitted, captures=1, calls=calls, hits=calls, recompiles=0, bails=0, breaks=0)


def decided(function: Function, *args: Any, **kwargs: Any) -> None:
    """The same as eager, by whatever way; framejit stops looking for a better one soon."""
    for jitted in check(function, *args, calls=20, **kwargs):
        stats = jitted.stats()
        assert_normally(stats["captures"] + stats["skipped"] <= 5)


def eager(function: Function, *args: Any, **kwargs: Any) -> None:
    """The same as eager, because it is eager: no kernel runs."""
    jitted = check(function, *args, **kwargs)
    assert_counts(jitted, hits=0)


def sample(dtype: str, shape: tuple[int, ...] = (5,), order: str = "C") -> Array:
    """Small numbers, none of them zero, that any dtype holds."""
    size = int(np.prod(shape))
    flat = np.arange(1, size + 1) % 7 + 1
    return flat.astype(dtype).reshape(shape, order=order)  # type: ignore[call-overload]


def operator_function(name: str) -> Function:
    """A function of the user's that applies an operator, with that operator in its bytecode."""
    symbols = {
        "add": "x + y", "sub": "x - y", "mul": "x * y", "truediv": "x / y", "floordiv": "x // y",
        "mod": "x % y", "pow": "x ** y", "and": "x & y", "or": "x | y", "xor": "x ^ y",
        "lshift": "x << y", "rshift": "x >> y", "lt": "x < y", "le": "x <= y", "eq": "x == y",
        "ne": "x != y", "gt": "x > y", "ge": "x >= y", "neg": "-x", "pos": "+x", "invert": "~x",
    }  # fmt: skip
    arguments = "x, y" if "y" in symbols[name] else "x"
    namespace: dict[str, Any] = {}
    exec(f"def {name}_({arguments}):\n    return {symbols[name]}", namespace)
    made: Function = namespace[f"{name}_"]
    return made


def namespace(source: str, **globals_: Any) -> dict[str, Any]:
    """A module of the user's."""
    made = {"np": np, "__name__": "user_module", **globals_}
    exec(source, made)
    return made
