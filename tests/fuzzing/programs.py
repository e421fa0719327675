"""Whole programs: a function and the arguments of its calls, as text that runs by itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fuzzing.arrays import arguments
from fuzzing.choices import Choices, weighted
from fuzzing.statements import RESULTS, Ended, Statements, TooLarge, bounded_call

ERRSTATES = weighted(ignore=10, warn=5, **{"raise": 1})
MOST_RESULTS = 3


@dataclass(frozen=True, slots=True)
class Program:
    """A function, and the arguments of some calls of it."""

    source: str
    """Of the function `program`."""
    parameters: str
    calls: tuple[str, ...]
    """For each call the statements that make its arguments."""
    errstate: str
    """What np.errstate(all=...) stands outside."""
    filtered: bool
    """Whether warnings are also looked at under the filters "default" and "error"."""

    def function(self) -> Callable[..., Any]:
        """Made anew."""
        names: dict[str, Any] = {"np": np, "__name__": "program"}
        exec(compile(self.source, "<program>", "exec"), names)
        made: Callable[..., Any] = names["program"]
        return made

    def arguments(self, call: str) -> tuple[Any, ...]:
        """Of one call, made anew."""
        names: dict[str, Any] = {"np": np, "inf": np.inf, "nan": np.nan}
        exec(call, names)
        made: tuple[Any, ...] = eval(f"({self.parameters},)", names)
        return made

    def ends_late(self) -> bool:
        """Whether a call runs for too long: the last statement drawn, or one that was shrunk."""
        return any(ending(self, call) == "too large" for call in self.calls)

    def script(self, backend: str = "numba") -> str:
        """Prints what eager and jitted make of each call, the jitted one cold and cached."""
        head = "import numpy as np\nfrom numpy import inf, nan\n\nfrom framejit import jit\n\n\n"
        calls = []
        for k, call in enumerate(self.calls):
            lines = [*call.split("\n"), f"return {self.parameters}"]
            body = "".join(f"    {line}\n" for line in lines)
            calls.append(f"def arguments{k}():\n{body}\n\n")
        loop = (
            f"jitted = jit(program, backend={backend!r})\n"
            f"np.seterr(all={self.errstate!r})\n"
            f"for make in ({', '.join(f'arguments{k}' for k in range(len(self.calls)))},):\n"
            "    for function in (program, jitted, jitted):\n"
            "        given = make()\n"
            "        try:\n"
            "            print(function(*given), given)\n"
            "        except Exception as error:\n"
            "            print(repr(error))\n"
        )
        return f"{head}{self.source}\n\n{''.join(calls)}{loop}"


@st.composite
def programs(draw: Any) -> Program:
    """Programs of some statements, each with the arguments of one or two calls."""
    choices = Choices(draw)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _program(choices)


def _program(choices: Choices) -> Program:
    plan = arguments(choices)
    first = plan.text(choices)
    body = Statements(choices, plan.names, first)
    try:
        body.simple(0)
        for _ in range(choices.one((1, 2, 1, 2, 3, 8))):
            body.statement()
    except Ended:
        pass
    errstate = choices.one(ERRSTATES)
    known = [name for name in (*RESULTS, "v", "s", "t") if name in body.values]
    results = known[:MOST_RESULTS] or ["a"]
    source = body.source(f"return {', '.join(results)}")
    program = Program(source, plan.names, (first,), errstate, filtered=choices.chance(15))
    if choices.chance(60):
        second = plan.text(choices)
        if ending(program, second) != "too large":
            return replace(program, calls=(first, second))
    return program


def ending(program: Program, call: str) -> str:
    """How a call of the plain function ends: "return", the name of an exception, or "too large"."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            bounded_call(program.function(), *program.arguments(call))
        except TooLarge:
            return "too large"
        except Exception as error:
            return type(error).__name__
    return "return"
