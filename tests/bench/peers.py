"""The peers: each runs the same workload, from NumPy arrays to NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np
from bench.workloads import Function, Workload

THREADS = 2
"""The number of threads that each peer may use, framejit too."""

Prepare = Callable[[Workload, Sequence[Any]], "Function | None"]

PEERS: dict[str, Prepare] = {}
"""By name: what makes a function of a workload, or None where the peer has no way to run it."""


def peer(name: str) -> Callable[[Prepare], Prepare]:
    """Registers a peer."""

    def register(prepare: Prepare) -> Prepare:
        PEERS[name] = prepare
        return prepare

    return register


@peer("numpy")
def _(workload: Workload, arguments: Sequence[Any]) -> Function:
    return workload.function


@peer("framejit")
def _(workload: Workload, arguments: Sequence[Any]) -> Function:
    import framejit

    return framejit.jit(workload.function, compile="now", threads=THREADS)


@peer("framejit alone")
def _(workload: Workload, arguments: Sequence[Any]) -> Function:
    import framejit

    return framejit.jit(workload.function, compile="now", threads=1)


@peer("numexpr")
def _(workload: Workload, arguments: Sequence[Any]) -> Function | None:
    if not workload.expression:
        return None
    import numexpr

    numexpr.set_num_threads(THREADS)
    expression, names = workload.expression, workload.names

    def evaluate(*values: Any) -> Any:
        return numexpr.evaluate(expression, dict(zip(names, values, strict=True)))

    return evaluate


@peer("njit")
def _(workload: Workload, arguments: Sequence[Any]) -> Function:
    import numba

    return numba.njit(workload.function, error_model="numpy")


@peer("njit parallel")
def _(workload: Workload, arguments: Sequence[Any]) -> Function:
    import numba

    return numba.njit(workload.function, error_model="numpy", parallel=True)


@peer("loop")
def _(workload: Workload, arguments: Sequence[Any]) -> Function | None:
    return _loop(workload, arguments, parallel=False)


@peer("loop parallel")
def _(workload: Workload, arguments: Sequence[Any]) -> Function | None:
    return _loop(workload, arguments, parallel=True)


@peer("jax")
def _(workload: Workload, arguments: Sequence[Any]) -> Function:
    import jax

    jax.config.update("jax_enable_x64", True)
    source = workload.function
    names = {**source.__globals__, "np": jax.numpy}
    compiled = jax.jit(FunctionType(source.__code__, names, source.__name__))

    def run(*values: Any) -> Any:
        return jax.tree.map(np.asarray, compiled(*values))

    return run


@peer("torch")
def _(workload: Workload, arguments: Sequence[Any]) -> Function:
    import torch

    torch.set_num_threads(THREADS)
    torch._dynamo.reset()
    return torch.compile(workload.function)


def _loop(workload: Workload, arguments: Sequence[Any], *, parallel: bool) -> Function | None:
    """A loop that somebody wrote, or one over the elements of arrays of one axis."""
    import numba

    options = {"error_model": "numpy", "parallel": parallel}
    if workload.written is not None:
        return numba.njit(workload.written, **options)
    if workload.element is None:
        return None
    element = numba.njit(workload.element, error_model="numpy")
    arrays = [isinstance(argument, np.ndarray) for argument in arguments]
    read = [
        f"{name}[i]" if is_array else name
        for name, is_array in zip(workload.names, arrays, strict=True)
    ]
    first = workload.names[arrays.index(True)]
    text = (
        f"def loop({', '.join(workload.names)}):\n"
        f"    out = np.empty_like({first})\n"
        f"    for i in prange({first}.size):\n"
        f"        out[i] = element({', '.join(read)})\n"
        "    return out\n"
    )
    names: dict[str, Any] = {"np": np, "prange": numba.prange, "element": element}
    exec(text, names)
    return numba.njit(names["loop"], **options)
