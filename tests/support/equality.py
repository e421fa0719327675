"""Kernels against eager, op by op: hostile operands, every layout, values by bits, flags by op.

    batch = Batch(ufunc_texts("f8", "f8"))          # one function, one result an op
    batch.check(*arranged("strided", *pairs("f8", "f8", 1025)))

The results of the ops come from one kernel, so that a combination of dtypes and layouts costs one
compilation. Each op has a line of its own: a warning names its op by its line.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from oracle import assert_counts, assert_normally, check
from samples import namespace

import framejit

Array = np.ndarray[Any, Any]

REALS = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
"""The dtypes of casts and ufuncs of real numbers."""
LIMIT = 30
"""Results of one function: a longer display is not captured whole."""


def hostile(dtype: str) -> Array:
    """The values of a dtype on which loops differ if they ever do, and some plain ones."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return np.array([0, 1, 2, 128, 255], np.uint8).view(bool)  # as masks of images are read
    if kind.kind in "iu":
        info = np.iinfo(kind)
        near = [info.min, info.min + 1, info.max - 1, info.max]
        signed = [-1, -2, -3, -7] if kind.kind == "i" else []
        return np.array([0, 1, 2, 3, 7, 31, 63, 100, *signed, *near], kind)
    limits = np.finfo(kind)
    tiny, normal, most = limits.smallest_subnormal, limits.smallest_normal, limits.max
    half_bits = 2.0 ** (limits.nmant // 2 + 1)  # its square is rounded
    positive = [0.0, 1.0, 0.5, 1.5, 3.0, 0.1, 100.7, half_bits + 1, tiny, 3 * tiny, normal, most]
    with np.errstate(all="ignore"):
        both = np.array([*positive, np.sqrt(most), np.inf, np.nan], kind)
        return np.concatenate([both, -both])


def pairs(left: str, right: str, length: int) -> tuple[Array, Array]:
    """Two operands that hold each pair of hostile values, as often as the length allows."""
    x, y = hostile(left), hostile(right)
    return np.resize(np.repeat(x, len(y)), length), np.resize(np.tile(y, len(x)), length)


# ---- layouts -------------------------------------------------------------------------------------


def _within(values: Array, room: int, part: slice) -> Array:
    """These values in a part of longer memory."""
    memory = np.ones(room, values.dtype)
    memory[part] = values
    return memory[part]


def _table(values: Array) -> Array:
    """Three rows, the lines that loops over two axes take."""
    return np.resize(values, (3, len(values) // 3))


def _in_wider_rows(values: Array) -> Array:
    table = _table(values)
    wide = np.ones((table.shape[0], table.shape[1] + 3), table.dtype)
    wide[:, 1:-2] = table
    return wide[:, 1:-2]


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "contiguous": lambda v: v.copy(),
    "offset": lambda v: _within(v, len(v) + 1, slice(1, None)),
    "strided": lambda v: _within(v, 2 * len(v), slice(None, None, 2)),
    "reversed": lambda v: _within(v, len(v), slice(None, None, -1)),
    "strided reversed": lambda v: _within(v, 3 * len(v), slice(None, None, -3)),
    "broadcast": lambda v: np.broadcast_to(v[len(v) // 2], len(v)),
    "one": lambda v: v[:1].copy(),
    "empty": lambda v: v[:0].copy(),
    "0-d": lambda v: v[:1].reshape(()).copy(),
    "table": lambda v: _table(v).copy(),
    "Fortran": lambda v: np.asfortranarray(_table(v)),
    "rows of a wider table": _in_wider_rows,
    "transposed": lambda v: _in_wider_rows(v).T,
    "row of a table": lambda v: _table(v)[0].copy(),
    "column of a table": lambda v: np.resize(v, (3, 1)),
}
"""By name: the given values, as many as the layout has room for, in memory of that layout."""

LAYOUT_PAIRS = (
    *((name, name) for name in LAYOUTS if name != "column of a table"),
    ("contiguous", "strided"),
    ("reversed", "contiguous"),
    ("broadcast", "contiguous"),
    ("contiguous", "broadcast"),
    ("one", "contiguous"),
    ("contiguous", "0-d"),
    ("0-d", "strided"),
    ("table", "Fortran"),
    ("table", "row of a table"),
    ("column of a table", "rows of a wider table"),
    ("column of a table", "row of a table"),
    ("Fortran", "column of a table"),
)
"""Layouts of two operands that broadcast."""


def arranged(layouts: tuple[str, str], x: Array, y: Array) -> tuple[Array, Array]:
    """Two operands in these layouts."""
    return LAYOUTS[layouts[0]](x), LAYOUTS[layouts[1]](y)


# ---- ops -----------------------------------------------------------------------------------------


def elementwise_ufuncs() -> list[str]:
    """All ufuncs of NumPy with one result and no signature, each under one name."""
    found = [value for value in vars(np).values() if isinstance(value, np.ufunc)]
    return sorted({u.__name__ for u in found if u.nout == 1 and u.signature is None})


def ufunc_texts(left: str, right: str, names: Sequence[str] = ()) -> list[str]:
    """Calls of the ufuncs that take operands of these dtypes, of all ufuncs or of these."""
    texts = []
    x, y = np.ones(3, left), np.ones(3, right)
    for name in names or elementwise_ufuncs():
        ufunc = getattr(np, name)
        arguments = (x, y)[: ufunc.nin]
        with contextlib.suppress(TypeError), np.errstate(all="ignore"):
            result = ufunc(*arguments)
            signed = name == "power" and result.dtype.kind == "i"  # negative exponents raise
            if not signed and result.dtype.kind in "biuf" and result.dtype.char != "g":
                texts.append(f"np.{name}({', '.join('xy'[: ufunc.nin])})")
    return texts


def cast_texts(targets: Sequence[str] = REALS) -> list[str]:
    """Casts of `x` to these dtypes."""
    return [f"x.astype({target!r})" for target in targets]


# ---- comparison ----------------------------------------------------------------------------------


class Batch:
    """Expressions in `x` and `y`, computed by one kernel."""

    def __init__(self, texts: Sequence[str], arguments: str = "x, y") -> None:
        assert 0 < len(texts) <= LIMIT
        self.texts = list(texts)
        lines = [f"    r{k} = {text}" for k, text in enumerate(texts)]
        results = ", ".join(f"r{k}" for k in range(len(texts)))
        source = "\n".join([f"def batch({arguments}):", *lines, f"    return ({results},)"])
        self.function = namespace(source)["batch"]
        self.jitted = framejit.jit(self.function)

    def check(self, *args: Any, flags: bool = True) -> None:
        """Values where nothing is reported, then the warnings of each op in program order.

        The first call that warns is answered by eager, the second one by the kernel that keeps the
        flags of each op apart.
        """
        with np.errstate(all="ignore"):
            self._check(args, calls=1)
        if flags:
            with np.errstate(all="warn"):
                self._check(args, calls=2)

    def _check(self, args: tuple[Any, ...], calls: int) -> None:
        options: dict[str, Any] = {"backends": ("numba",), "filters": ("always",)}
        try:
            check(
                self.function,
                *args,
                calls=calls,
                jit=lambda function, backend: self.jitted,
                **options,
            )
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self._legend()}") from None

    def _legend(self) -> str:
        """List the expression of each result and of each line of a warning."""
        return "\n".join(f"result[{k}], line {k + 2}: {t}" for k, t in enumerate(self.texts))

    def check_flags(self, x: Array, y: Array) -> int:
        """The warnings of each op for each single pair, alone and among plain values.

        What one pair raises would hide behind what all pairs together raise. Returns the number of
        calls that warned.
        """
        warned = 0
        for size in (1, 2, 9):
            one, other = np.ones((2, size), x.dtype), np.ones((2, size), y.dtype)
            for k, (left, right) in enumerate(zip(x, y, strict=True)):
                one[:], other[:] = 1, 1
                one[0, -1], other[0, -1] = left, right
                one[1], other[1] = left, right
                for case in zip(one, other, strict=True):
                    expected = self._warnings(self.function, case)
                    self._warnings(self.jitted, case)
                    actual = self._warnings(self.jitted, case)
                    assert actual == expected, f"pair {k}: {case}\n{self._legend()}"
                    warned += bool(expected)
        return warned

    @staticmethod
    def _warnings(function: Callable[..., Any], args: tuple[Array, ...]) -> list[tuple[int, str]]:
        with np.errstate(all="warn"), warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter("always")
            function(*args)
        return [(item.lineno, str(item.message)) for item in shown]

    def assert_compiled(self, opaque: int = 0) -> None:
        """A kernel answered, and computed all but `opaque` of the results itself."""
        assert_counts([self.jitted], breaks=0, failures=0)
        assert_normally(self.jitted.stats()["hits"] > 0)
        calls = self.jitted.inspect("numba").count("call(w, ")
        assert_normally(calls, opaque * self.jitted.stats()["captures"])
