"""The code of each function of numbers, one row for each; `rows.py` has the columns.

Names are those of the rows of primitives, after "math." for functions of the math module. A square
is a power of two.

Ints: the kernel bails if a Python int leaves 64 bits, or if a NumPy int leaves its type, where
NumPy warns. NumPy's shifts silently drop bits. Complex numbers are computed by parts as in Python
and in NumPy's scalars; NumPy's array loops use fused multiplications, which round differently.
"""

from __future__ import annotations

from ..native import Flags
from .libm import TWO, functions
from .rows import NEVER, Code, ScalarRow

_ZERO = "{1} == 0"
_NO_QUOTIENT = "uint64({1} + 1) < 2 and ({1} == 0 or sub_overflows(0, {0}))"
"""Matches divisors that raise, and -1 if the quotient would overflow."""
_ALL_EXACT = "{1} == 0 or abs({0}) >= 9007199254740992 or abs({1}) >= 9007199254740992"
_EXACT_QUOTIENT = ScalarRow("float64({0}) / float64({1})", bail=_ALL_EXACT)
"""Correctly rounded, as Python guarantees, if both are exact as doubles."""
_REPORTED_QUOTIENT = ScalarRow("float64({0}) / float64({1})", Flags.REPORTS)
_NO_INT64 = "{0} > uint64(9223372036854775807)"
_NO_POWER = (
    "not (fabs({0}) < inf and fabs({1}) < inf) or ({0} == 0 and {1} < 0) "
    "or ({0} < 0 and {1} != floor({1}))"
)
"""Operands for which Python has an answer of its own: infinities, errors, complex numbers."""
_OVERFLOWS = "not (fabs({r}) < inf)"
_NO_NUMBER = "{1}.real != {1}.real or {1}.imag != {1}.imag"
"""NumPy compares the parts of the divisor, which may raise "invalid" for NaN."""
_INFINITE = "fabs({r}.real) == inf or fabs({r}.imag) == inf"
_NO_COMPLEX_QUOTIENT = "{1}.real == 0 and {1}.imag == 0"
_ONE = "complex128(complex(1.0, 0.0))"
"""Powers start from the product of one and the number."""
_TRUNCATED = ScalarRow("truncated(float64({0}))", check="{r} < -9223372036854775807")


def _compared(sign: str) -> Code:
    template = f"{{0}} {sign} {{1}}"
    return Code(ints=ScalarRow(template), floats=ScalarRow(template, Flags.SILENT), compares=True)


def _equal(sign: str, joined: str) -> Code:
    template = f"{{0}} {sign} {{1}}"
    parts = (f"{{0}}.{part} {sign} {{1}}.{part}" for part in ("real", "imag"))
    return Code(
        ints=ScalarRow(template),
        floats=ScalarRow(template, Flags.SILENT),
        complexes=ScalarRow(f"({f' {joined} '.join(parts)})", Flags.SILENT),
        compares=True,
    )


def _truth(sign: str, joined: str) -> Code:
    """Return the row of the truth of a number; NaN raises no flag."""
    real = ScalarRow(f"{{0}} {sign} 0")
    parts = f"({{0}}.real {sign} 0 {joined} {{0}}.imag {sign} 0)"
    return Code(ints=real, floats=real, complexes=ScalarRow(parts), truth=True, converts=True)


def _picked(sign: str) -> Code:
    template = f"{{1}} if {{1}} {sign} {{0}} else {{0}}"
    return Code(ints=ScalarRow(template), floats=ScalarRow(template, Flags.SILENT), picks=True)


def _bits(sign: str) -> Code:
    row = ScalarRow(f"{{0}} {sign} {{1}}")
    return Code(ints=row, bools=row)


def _wrapping(name: str, sign: str) -> Code:
    return Code(
        numpy_ints=ScalarRow(f"wrapped_{name}({{0}}, {{1}})"),
        uint64=ScalarRow(f"{{0}} {sign} {{1}}"),
        wraps=True,
    )


CODE: dict[str, Code] = {
    # ---- arithmetic
    "add": Code(
        ints=ScalarRow(
            "{0} + {1}",
            bail="add_overflows({0}, {1})",
            late="({0} ^ {r}) & ({1} ^ {r})",
            wrapped="wrapped_add({0}, {1})",
        ),
        uint64=ScalarRow("{0} + {1}", check="{r} < {0}"),
        floats=ScalarRow("{0} + {1}", Flags.REPORTS),
        complexes=ScalarRow("{0} + {1}", Flags.REPORTS),
        real_left=ScalarRow("complex({1}.real + {0}.real, {1}.imag)", Flags.SILENT),
        real_right=ScalarRow("complex({0}.real + {1}.real, {0}.imag)", Flags.SILENT),
    ),
    "sub": Code(
        ints=ScalarRow(
            "{0} - {1}",
            bail="sub_overflows({0}, {1})",
            late="({0} ^ {1}) & ({0} ^ {r})",
            wrapped="wrapped_sub({0}, {1})",
        ),
        uint64=ScalarRow("{0} - {1}", bail="{0} < {1}"),
        floats=ScalarRow("{0} - {1}", Flags.REPORTS),
        complexes=ScalarRow("{0} - {1}", Flags.REPORTS),
        real_left=ScalarRow("complex({0}.real - {1}.real, -{1}.imag)", Flags.SILENT),
        real_right=ScalarRow("complex({0}.real - {1}.real, {0}.imag)", Flags.SILENT),
    ),
    "mul": Code(
        ints=ScalarRow(
            "{0} * {1}", bail="mul_overflows({0}, {1})", wrapped="wrapped_mul({0}, {1})"
        ),
        uint64=ScalarRow("{0} * {1}", bail="umul_overflows({0}, {1})"),
        floats=ScalarRow("{0} * {1}", Flags.REPORTS),
        complexes=ScalarRow("times({0}, {1})", Flags.REPORTS),
        by_parts=ScalarRow("times_again({0}, {1})", Flags.SILENT),
        real_left=ScalarRow("complex({1}.real * {0}.real, {1}.imag * {0}.real)", Flags.SILENT),
        real_right=ScalarRow("complex({0}.real * {1}.real, {0}.imag * {1}.real)", Flags.SILENT),
    ),
    "truediv": Code(
        python_ints=_EXACT_QUOTIENT,
        numpy_ints=_REPORTED_QUOTIENT,
        uint64=_REPORTED_QUOTIENT,
        floats=ScalarRow("{0} / {1}", Flags.REPORTS),
        python_floats=ScalarRow("{0} / {1}", Flags.SILENT, bail="{1} == 0.0"),
        complexes=ScalarRow("over({0}, {1})", Flags.REPORTS, bail=_NO_NUMBER),
        single_complexes=ScalarRow("overf({0}, {1})", Flags.REPORTS, bail=_NO_NUMBER),
        python_complexes=ScalarRow("through({0}, {1})", Flags.SILENT, bail=_NO_COMPLEX_QUOTIENT),
        by_parts=ScalarRow("through_again({0}, {1})", Flags.SILENT, bail=_NO_COMPLEX_QUOTIENT),
        real_left=ScalarRow("real_through({0}.real, {1})", Flags.SILENT, bail=_NO_COMPLEX_QUOTIENT),
        real_right=ScalarRow(
            "complex({0}.real / {1}.real, {0}.imag / {1}.real)", Flags.SILENT, bail="{1}.real == 0"
        ),
    ),
    "quotient": Code(
        numpy_ints=_EXACT_QUOTIENT,
        doubles=ScalarRow("{0} / {1}", Flags.REPORTS, bail=_ZERO),
        python_floats=NEVER,
    ),
    "floordiv": Code(
        ints=ScalarRow("{0} // {1}", bail=_NO_QUOTIENT, by_natural="natural_quotient({0}, {1})"),
        uint64=ScalarRow("{0} // {1}", bail=_ZERO),
        doubles=ScalarRow("floor_divide({f}, {0}, {1})", Flags.REPORTS, library="fmod"),
        python_floats=ScalarRow(
            "floor_divide({f}, {0}, {1})", Flags.SILENT, bail="{1} == 0.0", library="fmod"
        ),
    ),
    "mod": Code(
        ints=ScalarRow("{0} % {1}", bail=_NO_QUOTIENT, by_natural="natural_rest({0}, {1})"),
        uint64=ScalarRow("{0} % {1}", bail=_ZERO),
        doubles=ScalarRow("remainder({f}, {0}, {1})", Flags.REPORTS, library="fmod"),
        python_floats=ScalarRow(
            "remainder({f}, {0}, {1})", Flags.SILENT, bail="{1} == 0.0", library="fmod"
        ),
    ),
    "pow": Code(
        doubles=ScalarRow("libm2({f}, {0}, {1})", Flags.REPORTS, library="pow"),
        python_floats=ScalarRow(
            *("libm2({f}, {0}, {1})", Flags.SILENT),
            bail=_NO_POWER,
            check=_OVERFLOWS,
            library="pow",
        ),
        singles=ScalarRow("libm2f({f}, {0}, {1})", Flags.REPORTS, library="powf"),
    ),
    "square": Code(
        ints=ScalarRow("{0} * {0}", bail="mul_overflows({0}, {0})"),
        uint64=NEVER,
        doubles=ScalarRow("square({f}, {0})", Flags.REPORTS, library="pow"),
        python_floats=ScalarRow("square({f}, {0})", Flags.SILENT, check=_OVERFLOWS, library="pow"),
        python_complexes=ScalarRow(
            f"times({_ONE}, times({{0}}, {{0}}))", Flags.SILENT, check=_INFINITE
        ),
        by_parts=ScalarRow(
            f"times_again({_ONE}, times_again({{0}}, {{0}}))", Flags.SILENT, check=_INFINITE
        ),
    ),
    "neg": Code(
        ints=ScalarRow("-{0}", bail="sub_overflows(0, {0})"),
        uint64=NEVER,
        floats=ScalarRow("-{0}"),
        complexes=ScalarRow("complex(-{0}.real, -{0}.imag)"),
    ),
    "pos": Code(
        ints=ScalarRow("{0}"),
        floats=ScalarRow("{0}"),
        complexes=ScalarRow("{0}"),
        python_complexes=NEVER,
    ),
    "abs": Code(
        ints=ScalarRow("abs({0})", bail="sub_overflows(0, {0})"),
        uint64=ScalarRow("{0}"),
        floats=ScalarRow("fabs({0})"),
        complexes=ScalarRow("libm2({f}, {0}.real, {0}.imag)", Flags.REPORTS, library="hypot"),
        single_complexes=ScalarRow(
            "libm2f({f}, {0}.real, {0}.imag)", Flags.REPORTS, library="hypotf"
        ),
        python_complexes=ScalarRow(
            "libm2({f}, {0}.real, {0}.imag)", Flags.SILENT, check=_OVERFLOWS, library="hypot"
        ),
    ),
    "conjugate": Code(python_complexes=ScalarRow("complex({0}.real, -{0}.imag)", Flags.SILENT)),
    "wrapping_add": _wrapping("add", "+"),
    "wrapping_sub": _wrapping("sub", "-"),
    "wrapping_mul": _wrapping("mul", "*"),
    # ---- bits
    "and_": _bits("&"),
    "or_": _bits("|"),
    "xor": _bits("^"),
    "invert": Code(ints=ScalarRow("~{0}"), wraps=True),
    "lshift": Code(
        # Bits shifted out would belong to a bigger int.
        python_ints=ScalarRow(
            "{0} << {1}", bail="{1} < 0 or {1} > 62 or ({0} << {1}) >> {1} != {0}"
        ),
        numpy_ints=ScalarRow("({0} << {1} if 0 <= {1} < {bits} else 0)"),
        uint64=ScalarRow("({0} << {1} if {1} < uint64(64) else uint64(0))"),
        wraps=True,
    ),
    "rshift": Code(
        python_ints=ScalarRow("{0} >> {1}", bail="{1} < 0 or {1} > 63"),
        numpy_ints=ScalarRow("({0} >> {1} if 0 <= {1} < {bits} else {0} >> 63)"),
        uint64=ScalarRow("({0} >> {1} if {1} < uint64(64) else uint64(0))"),
        wraps=True,
    ),
    # ---- comparisons, truth and choices
    "lt": _compared("<"),
    "le": _compared("<="),
    "gt": _compared(">"),
    "ge": _compared(">="),
    "eq": _equal("==", "and"),
    "ne": _equal("!=", "or"),
    "truth": _truth("!=", "or"),
    "bool": _truth("!=", "or"),
    "not_": _truth("==", "and"),
    "max": _picked(">"),
    "min": _picked("<"),
    "pick": Code(ints=ScalarRow("{1} if {0} != 0 else {2}")),
    # ---- conversions
    "index": Code(ints=ScalarRow("{0}"), uint64=ScalarRow("{0}", bail=_NO_INT64), converts=True),
    "int": Code(
        ints=ScalarRow("{0}"),
        uint64=ScalarRow("{0}", bail=_NO_INT64),
        floats=_TRUNCATED,
        converts=True,
    ),
    "float": Code(ints=ScalarRow("float64({0})"), floats=ScalarRow("float64({0})"), converts=True),
}


# ---- functions of the math module ----------------------------------------------------------------


def _library(name: str) -> Code:
    """Return the row of a libm call; it bails if the result is not finite, as `math` may raise."""
    operands = 2 if name in TWO else 1
    listed = ", ".join(f"{{{k}}}" for k in range(operands))
    finite = " and ".join(f"fabs({{{k}}}) < inf" for k in range(operands))
    return Code(
        of_math=ScalarRow(
            f"libm{operands}({{f}}, {listed})",
            Flags.SILENT,
            bail=f"not ({finite})",
            check=_OVERFLOWS,
            library=name,
        )
    )


def _rounded(template: str) -> Code:
    """Return the row of a function from floats to ints; it leaves ints as they are."""
    row = ScalarRow(template, check=_TRUNCATED.check)
    return Code(of_math=row, kinds="f")


CODE |= {f"math.{name}": _library(name) for name in functions().values()}
CODE |= {
    "math.sqrt": Code(of_math=ScalarRow("sqrt({0})", Flags.SILENT, bail="{0} < 0")),
    "math.fabs": Code(of_math=ScalarRow("fabs({0})")),
    "math.floor": _rounded("truncated(floor({0}))"),
    "math.ceil": _rounded("truncated(ceil({0}))"),
    "math.trunc": _rounded("truncated(float64({0}))"),
    "math.isqrt": Code(
        of_math=ScalarRow("int64(sqrt({0}))", bail="not (0 <= {0} < 4503599627370496)"),
        kinds="biu",
    ),
    "math.isnan": Code(of_math=ScalarRow("{0} != {0}", Flags.SILENT)),
    "math.isinf": Code(of_math=ScalarRow("fabs({0}) == inf", Flags.SILENT)),
    "math.isfinite": Code(of_math=ScalarRow("fabs({0}) < inf", Flags.SILENT)),
}
