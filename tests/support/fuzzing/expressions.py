"""Expressions as text, each tried on the values that its names have at that place of the program.

NumPy itself says which dtypes and shapes go together: what raises is replaced by something simpler.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from equality import elementwise_ufuncs

from fuzzing.choices import Choices, weighted

MOST_ITEMS = 2_100
LARGEST_INT = 2**130
KINDS = "biufc"

_UFUNCS = {name: getattr(np, name) for name in elementwise_ufuncs()}
UNARY = tuple(f"np.{name}" for name, ufunc in _UFUNCS.items() if ufunc.nin == 1)
BINARY = tuple(f"np.{name}" for name, ufunc in _UFUNCS.items() if ufunc.nin == 2)
COMMON_UNARY = ("-", "abs", "np.sqrt", "np.square", "np.exp", "np.sin", "~", "np.floor", "np.abs")
OPERATORS = ("+", "-", "*", "+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
COMMON_BINARY = ("np.minimum", "np.maximum", "np.add", "np.multiply", "np.hypot", "np.copysign")
LITERALS = ("1", "2", "0.5", "3", "-1", "0", "1.5", "-0.0", "True", "100", "255", "-128", "1e300")
NUMPY_LITERALS = ("np.float32(1.5)", "np.int8(3)", "np.uint8(200)", "np.float64(-2.0)", "np.pi")
EXPONENTS = ("2", "0.5", "3", "-1", "1", "0", "-0.5", "2.0", "1.5")
INDICES = (
    *("[1:]", "[:-1]", "[::-1]", "[::2]", "[0]", "[-1]", "[:, 0]", "[..., 1:]", "[None]", "[:n]"),
    *("[:, ::-1]", "[1:-1]", "[..., None]", "[-2:]", "[n:]", "[::-2]", "[..., -1]", "[:, None]"),
    *("[n]", "[()]", "[1:3, :2]", "[[0, -1]]", "[:0]", "[n, 0]", "[..., ::n]"),
    *("[n : n + 1]", "[n - 1 : n]", "[..., n : n + 1]", "[n : n + len(b)]", "[2 * n : 3 * n]"),
)
REDUCTIONS = (
    *("sum", "max", "min", "mean", "prod", "any", "all", "argmax", "argmin", "std", "var", "ptp"),
    *("count_nonzero", "median", "nansum", "nanmax", "average"),
)
METHODS = {"sum", "max", "min", "mean", "prod", "any", "all", "argmax", "argmin", "std", "var"}
AXES = ("", "axis=0", "axis=-1", "axis=1", "axis=None", "axis=(0, 1)", "axis=-2")
MORE = ("", "", "", "keepdims=True", "keepdims=True", "dtype='f8'", "initial=1", "where={} > 0")
CASTS = (
    *("float", "'f4'", "int", "'i4'", "bool", "'u1'", "'f2'", "'i1'", "complex", "'c8'", "'u8'"),
    *("np.float32", "'i2'", "np.int64", "'u4'"),
)
SHAPERS = (
    *(
        "{}.T",
        "{}.copy()",
        "{}.ravel()",
        "{}.reshape(-1)",
        "{}.reshape(1, -1)",
        "np.zeros_like({})",
    ),
    *("{}.real", "{}.imag", "{}.flatten()", "np.ones_like({})", "np.ascontiguousarray({})"),
    *("{}.transpose()", "np.expand_dims({}, 0)", "{}.squeeze()", "{}.conj()", "+{}"),
)
ALL_CALLED = (
    *("({} @ {}.T)", "({} @ {})"),
    *("np.cumsum({})", "np.sort({}, axis=-1)", "np.concatenate([{}, {}])", "np.diff({})"),
    *("np.stack([{}, {}])", "np.roll({}, 1)", "np.cumprod({}, axis=0)", "np.dot({}, {})"),
    *("np.nan_to_num({})", "np.flip({})", "np.isclose({}, {})", "np.outer({}, {})"),
    *("np.argmax({}, axis=0)", "np.sort({}, axis=0)", "np.argsort({})", "np.unique({} // 1)"),
    *("np.nonzero({})[0]", "np.searchsorted(np.sort({}.ravel()), {})", "np.fft.fft({}).real"),
    *("np.bincount(abs({}.ravel().astype(int)) % 7)", "np.linalg.inv({} @ {}.T + 1)", "{}.trace()"),
    *("np.histogram({}, 4)[0]", "np.pad({}, 1)", "np.kron({}, {})", "np.rot90({})"),
    *(
        "np.digitize({}, np.array([0.0, 1.0, 2.0]))",
        "np.column_stack([{}, {}])",
        "np.fft.rfft({}).imag",
    ),
    *("np.inner({}, {})", "np.vdot({}, {})", "np.tensordot({}, {}, 1)", "np.linalg.norm({})"),
    *("np.cov({})", "np.corrcoef({})", "{}.T.dot({})", "np.percentile({}, 30, axis=0)"),
    *("np.quantile({}, [0.2, 0.5])", "np.nanmedian({})", "np.interp({}.ravel()[:1], {}, {})"),
    *("({} * (0.5, 2.0, -1.0)[n % 3])", "({} + [3, 1, 2, 5][-n % 4])"),
    *("np.interp({}, {}, {})", "np.repeat({}, 2)", "np.argsort({}, kind='stable')", "{}.round(1)"),
)
KEYS = (
    *("{places}", "{places}", ":, {places}", "{places}, 0", "..., {places}", "{places}, {places}"),
    *(
        "({places}).ravel()",
        "({places}).astype(int)",
        "({places}).astype('i2'), 1:",
        "-1, {places}",
    ),
    *("({left} > 0).any(axis=-1)", "[0, -1, 0]", "np.argsort({left}.ravel()) % {left}.shape[0]"),
)
"""Indices that are arrays, masks and lists."""
CALLS = "FUZZING_CALLS"
"""A variable of the environment with texts, line by line: the only calls, and many of them."""
_TEXTS = [text for text in os.environ.get(CALLS, "").split("\n") if text]
CALLED = tuple(form for form in ALL_CALLED if not _TEXTS or any(one in form for one in _TEXTS))
SHAPES = weighted(
    binary=12, where=3, unary=7, ufunc=3, compared=2, clip=2, cast=2, index=4, reduced=2, shaped=2,
    outer=1,
    power=1, select=1, fused=2, called=30 if _TEXTS else 3, masked=1, taken=2,
)  # fmt: skip


class Expressions:
    """Writes expressions over the names of `values`."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.values: dict[str, Any] = {}
        """The value of each name of the program, at the place that is being written."""

    # ---- what names and texts come to ------------------------------------------------------------

    def value(self, text: str) -> Any:
        """Return the value of an expression; None where it raises or gives nothing usable."""
        try:
            value = eval(text, {**self.values})
        except Exception:
            return None
        return value if usable(value) else None

    def is_array(self, text: str) -> bool:
        """True if the expression gives an array to work with."""
        return isinstance(self.value(text), np.ndarray)

    def arrays(self) -> list[str]:
        """Names of arrays, the arguments first."""
        return [name for name, value in self.values.items() if isinstance(value, np.ndarray)]

    def numbers(self) -> list[str]:
        """Names of numbers, of Python and of NumPy."""
        kinds = (bool, int, float, complex, np.generic)
        return [name for name, value in self.values.items() if isinstance(value, kinds)]

    def first(self, *texts: str) -> str:
        """The first text that gives an array; the last one where none does."""
        for text in texts[:-1]:
            if self.is_array(text):
                return text
        return texts[-1]

    # ---- numbers ---------------------------------------------------------------------------------

    def number(self) -> str:
        """An expression of one number, mostly."""
        pick = self.choices.one
        kind = pick(("name", "literal", "name", "literal", "element", "reduced", "numpy", "sum"))
        if kind == "numpy":
            return pick(NUMPY_LITERALS)
        text = "2"
        if kind == "name" and self.numbers():
            return pick(self.numbers())
        if kind == "element":
            text = pick(("{0}[0]", "{0}[-1]", "{0}[0, 0]", "{0}[n]", "{0}.shape[0]", "len({0})"))
        elif kind == "reduced":
            text = f"{{0}}.{pick(('sum', 'max', 'min', 'mean'))}()"
        elif kind == "sum" and self.numbers():
            # No power or shift: Python's ints have no end.
            text = f"({pick(self.numbers())} {pick(('+', '-', '*', '/'))} {pick(LITERALS)})"
        text = text.format(pick(self.arrays()))
        value = self.value(text)
        return pick(LITERALS) if value is None or isinstance(value, np.ndarray) else text

    def condition(self) -> str:
        """An expression for `if` and `while`, mostly of one truth value."""
        pick = self.choices.one
        kinds = ("number", "number", "array", "any", "size", "both", "truth")
        kind, name = pick(kinds), pick(self.arrays())
        if kind == "any":
            how = pick(("any", "all"))
            return f"({name} {pick(COMPARISONS)} {self.number()}).{how}()"
        if kind == "size":
            return pick((f"{name}.size", f"len({name}) > 2", f"{name}.ndim == 2", "n % 2 == 0"))
        one = f"{self.number()} {pick(COMPARISONS)} {self.number()}"
        if kind == "array":
            one = f"{name}.{pick(('sum', 'max', 'mean'))}() {pick(COMPARISONS)} {self.number()}"
        if kind == "both":
            other = f"{self.number()} {pick(COMPARISONS)} {self.number()}"
            return f"{one} {pick(('and', 'or'))} {pick(('', 'not '))}{other}"
        return self.number() if kind == "truth" else one

    # ---- arrays ----------------------------------------------------------------------------------

    def operand(self, depth: int) -> str:
        """An array, or at times a number."""
        return self.number() if self.choices.chance(30) else self.array(depth)

    def array(self, depth: int) -> str:
        """An expression of an array, `depth` ops deep at most."""
        if depth <= 0 or self.choices.chance(12):
            return self.choices.one(self.arrays())
        left = self.array(depth - 1)
        shape = self.choices.one(SHAPES)
        text: str = getattr(self, f"_{shape}")(left, depth)
        return self.first(text, f"({left} + 1)", left)

    def _binary(self, left: str, depth: int) -> str:
        right, symbol = self.operand(depth - 1), self.choices.one(OPERATORS)
        if symbol == "**":
            right = self.choices.one((right, *EXPONENTS))
        turned = self.choices.chance(25)
        text = f"({right} {symbol} {left})" if turned else f"({left} {symbol} {right})"
        simpler = f"({left} {self.choices.one(OPERATORS[:3])} {right})"
        return self.first(text, simpler, f"({left} * 2)")

    def _outer(self, left: str, depth: int) -> str:
        """Each item of one array with each of another."""
        right, symbol = self.array(depth - 1), self.choices.one(OPERATORS[:6])
        return f"({left}[..., None] {symbol} {right})"

    def _ufunc(self, left: str, depth: int) -> str:
        names = COMMON_BINARY if self.choices.chance(50) else BINARY
        right = self.operand(depth - 1)
        text = f"{self.choices.one(names)}({left}, {right})"
        return self.first(text, f"np.maximum({left}, {right})", f"np.minimum({left}, 1)")

    def _unary(self, left: str, depth: int) -> str:
        name = self.choices.one(COMMON_UNARY if self.choices.chance(60) else UNARY)
        text = f"({name}{left})" if name in ("-", "~") else f"{name}({left})"
        return self.first(text, f"abs({left})")

    def _compared(self, left: str, depth: int) -> str:
        return f"({left} {self.choices.one(COMPARISONS)} {self.operand(depth - 1)})"

    def _where(self, left: str, depth: int) -> str:
        mask = self._compared(self.array(depth - 2), 1)
        return f"np.where({mask}, {left}, {self.operand(depth - 1)})"

    def _clip(self, left: str, depth: int) -> str:
        low, high = self.operand(0), self.operand(0)
        texts = (f"np.clip({left}, {low}, {high})", f"{left}.clip({low}, {high})")
        return self.choices.one((*texts, f"np.clip({left}, None, {high})"))

    def _cast(self, left: str, depth: int) -> str:
        return f"{left}.astype({self.choices.one(CASTS)})"

    def _index(self, left: str, depth: int) -> str:
        return self.first(f"{left}{self.choices.one(INDICES)}", f"{left}[1:]")

    def _reduced(self, left: str, depth: int) -> str:
        """One that keeps an axis, if it can."""
        return self.reduction(left, self.choices.one(AXES[1:]))

    def _shaped(self, left: str, depth: int) -> str:
        return self.choices.one(SHAPERS).format(left)

    def _power(self, left: str, depth: int) -> str:
        return f"({left} ** {self.choices.one(EXPONENTS)})"

    def _select(self, left: str, depth: int) -> str:
        masks = [self._compared(self.array(0), 0) for _ in range(2)]
        values = f"{left}, {self.operand(0)}"
        return f"np.select([{masks[0]}, {masks[1]}], [{values}], {self.choices.one(LITERALS)})"

    def _fused(self, left: str, depth: int) -> str:
        """A chain of ops that stay within one kernel."""
        text = left
        for _ in range(3):
            longer = f"({text} {self.choices.one(OPERATORS[:7])} {self.operand(0)})"
            text = self.first(longer, text)
        return text

    def _called(self, left: str, depth: int) -> str:
        form = self.choices.one(CALLED)
        return form.format(left, *(self.array(0) for _ in range(form.count("{}") - 1)))

    def _masked(self, left: str, depth: int) -> str:
        mask = f"({left} {self.choices.one(COMPARISONS)} {self.choices.one(LITERALS)})"
        return f"{left}[{mask}]"

    def _taken(self, left: str, depth: int) -> str:
        """Read by an array of ints, or by one beside other parts of a key."""
        array = self.choices.one(self.arrays())
        key = self.choices.one(KEYS).format(left=left, places=f"{array} % {left}.shape[0]")
        return self.first(f"{left}[{key}]", f"{left}[{array} % {left}.shape[0]]")

    def reduction(self, text: str, axis: str) -> str:
        """A reduction of an array."""
        pick = self.choices.one
        name = pick(REDUCTIONS) if self.choices.chance(50) else pick(REDUCTIONS[:4])
        more = ", ".join(word for word in (axis, pick(MORE).format(text)) if word)
        if name in METHODS and self.choices.chance(60):
            return f"{text}.{name}({more})"
        return f"np.{name}({text}, {more})" if more else f"np.{name}({text})"


def usable(value: Any) -> bool:
    """True if a program can go on with the value, and does not become too large."""
    if isinstance(value, np.ndarray):
        plain = value.dtype.kind in KINDS and value.dtype.char not in "gG"
        return plain and small(value)
    if isinstance(value, bool | int):
        return small(value)
    if isinstance(value, np.generic):
        return value.dtype.kind in KINDS and value.dtype.char not in "gG"
    return isinstance(value, float | complex)


def small(value: Any) -> bool:
    """True if an array or an int is not too large."""
    if isinstance(value, np.ndarray):
        return value.size <= MOST_ITEMS and value.ndim <= 4
    return not isinstance(value, int) or abs(value) < LARGEST_INT
