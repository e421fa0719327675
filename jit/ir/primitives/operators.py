"""Rows of Python's operators and conversions, and of the functions of numbers that graphs add.

OPERATOR nodes carry these: Python's arithmetic if all operands are Python's, NumPy's scalar
arithmetic if one is a NumPy scalar.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .. import intervals, numbers
from .schema import Alike, Answers, Comparison, Family, Growth, Linear, Primitive

_NO_METHOD = "no operator of the language stands for it"
_TYPE_TELLS = "the result is a bool or float, whose type tells all that is known"
_NO_GROWTH = "nothing useful is known of the bits"
_NO_BOUND = {"growth": _NO_GROWTH, "interval": _NO_GROWTH}

ARITHMETIC = Family(
    "an operator of arithmetic",
    ("symbol", "ufunc", "methods", "in_place", "growth", "interval", "answers", "alike"),
)
COMPARISON = Family(
    "a comparison",
    ("symbol", "ufunc", "methods", "compares", "answers", "alike"),
    {"in_place": "no statement assigns it", "growth": _TYPE_TELLS, "interval": _TYPE_TELLS},
)
UNARY = Family(
    "an operator of one number",
    ("ufunc", "methods", "growth", "interval", "answers", "alike"),
    {"symbol": "it is written before its operand", "in_place": "no statement assigns it"},
)
CONVERSION = Family(
    "a conversion or a choice",
    ("growth", "interval", "answers", "alike"),
    {
        "symbol": _NO_METHOD,
        "methods": _NO_METHOD,
        "in_place": _NO_METHOD,
        "ufunc": "NumPy converts and chooses without a ufunc",
    },
)
OF_GRAPHS = Family(
    "a function that only graphs have",
    ("growth", "interval", "answers"),
    {
        **CONVERSION.lacks,
        "ufunc": "the operator that it stands in for has one",
        "alike": "capture adds it where it has decided that",
    },
)
OF_MATH = Family(
    "a function of the math module",
    ("alike",),
    {
        **CONVERSION.lacks,
        "ufunc": "NumPy's has other bits",
        "growth": "most results are floats; of the others nothing is known",
        "interval": "most results are floats; of the others nothing is known",
        "answers": "it may raise ValueError or OverflowError",
    },
)

_MAY_RAISE = "it may raise, or warn of NumPy's numbers"
_TO_FLOATS = "the result is a float"
_NUMPYS_DIFFER = "results of NumPy's numbers differ"


def _arithmetic(symbol: str, name: str, ufunc: np.ufunc, word: str, /, **more: Any) -> Primitive:
    """Return the row of a binary operator, whose methods are `__word__` and so on."""
    return Primitive(
        name,
        getattr(operator, name),
        ARITHMETIC,
        symbol=symbol,
        ufunc=ufunc,
        methods=(f"__{word}__", f"__r{word}__"),
        in_place=getattr(operator, f"i{word}"),
        **more,
    )


def _comparison(sign: str, name: str, ufunc: np.ufunc, mirrored: Any, /, **more: Any) -> Primitive:
    return Primitive(
        name,
        getattr(operator, name),
        COMPARISON,
        symbol=sign,
        ufunc=ufunc,
        methods=(f"__{name}__", f"__{mirrored.__name__}__"),
        compares=Comparison(sign, mirrored),
        answers=Answers.REALS,
        alike=Alike.ONE_TYPE,
        plain_constants="f",
        **more,
    )


ROWS: tuple[Primitive, ...] = (
    _arithmetic(
        *("+", "add", np.add, "add"),
        commutes=True,
        elides=True,
        wrapping=numbers.wrapping_add,
        linear=Linear.SUM,
        overflows=True,
        growth=Growth.SUM,
        interval=intervals.plus,
        answers=Answers.PYTHON_INTS,
        alike=Alike.FLOATS_AND_INTS,
        converts_ints=True,
        plain_constants="f",
    ),
    _arithmetic(
        *("-", "sub", np.subtract, "sub"),
        elides=True,
        wrapping=numbers.wrapping_sub,
        linear=Linear.DIFFERENCE,
        overflows=True,
        growth=Growth.SUM,
        interval=intervals.minus,
        answers=Answers.PYTHON_INTS,
        alike=Alike.FLOATS_AND_INTS,
        converts_ints=True,
        plain_constants="f",
    ),
    _arithmetic(
        *("*", "mul", np.multiply, "mul"),
        commutes=True,
        elides=True,
        wrapping=numbers.wrapping_mul,
        linear=Linear.PRODUCT,
        overflows=True,
        growth=Growth.PRODUCT,
        interval=intervals.times,
        answers=Answers.PYTHON_INTS,
        alike=Alike.FLOATS_AND_INTS,
        converts_ints=True,
        plain_constants="f",
    ),
    _arithmetic(
        *("/", "truediv", np.divide, "truediv"),
        linear=Linear.QUOTIENT,
        elides=True,
        alike=Alike.FLOATS_AND_INTS,
        converts_ints=True,
        lacks={"growth": _TO_FLOATS, "interval": _TO_FLOATS, "answers": _MAY_RAISE},
    ),
    _arithmetic(
        *("//", "floordiv", np.floor_divide, "floordiv"),
        elides=True,
        loop_of_floats=True,
        growth=Growth.QUOTIENT,
        interval=intervals.quotient,
        alike=Alike.INTS,
        lacks={"answers": _MAY_RAISE},
    ),
    _arithmetic(
        *("%", "mod", np.remainder, "mod"),
        loop_of_floats=True,
        growth=Growth.REMAINDER,
        interval=intervals.remainder,
        alike=Alike.INTS,
        lacks={"answers": _MAY_RAISE},
    ),
    _arithmetic(
        *("**", "pow", np.power, "pow"),
        lacks={
            "growth": "it may grow beyond any bound",
            "interval": "it may grow beyond any bound",
            "answers": _MAY_RAISE,
            "alike": _NUMPYS_DIFFER,
        },
    ),
    _arithmetic(
        *("@", "matmul", np.matmul, "matmul"),
        lacks=dict.fromkeys(
            ("growth", "interval", "answers", "alike"), "numbers have no matrix product"
        ),
    ),
    _arithmetic(
        *("&", "and_", np.bitwise_and, "and"),
        selects_bits=True,
        commutes=True,
        elides=True,
        interval=intervals.common_bits,
        answers=Answers.PYTHON_INTS,
        lacks={"growth": _NO_GROWTH, "alike": _NUMPYS_DIFFER},
    ),
    _arithmetic(
        *("|", "or_", np.bitwise_or, "or"),
        commutes=True,
        elides=True,
        answers=Answers.PYTHON_INTS,
        lacks={**_NO_BOUND, "alike": _NUMPYS_DIFFER},
    ),
    _arithmetic(
        *("^", "xor", np.bitwise_xor, "xor"),
        commutes=True,
        elides=True,
        passes_bits=True,
        answers=Answers.PYTHON_INTS,
        lacks={**_NO_BOUND, "alike": _NUMPYS_DIFFER},
    ),
    _arithmetic(
        *("<<", "lshift", np.left_shift, "lshift"),
        elides=True,
        lacks={**_NO_BOUND, "answers": _MAY_RAISE, "alike": "NumPy's ints lose bits"},
    ),
    _arithmetic(
        *(">>", "rshift", np.right_shift, "rshift"),
        elides=True,
        alike=Alike.INTS,
        lacks={**_NO_BOUND, "answers": _MAY_RAISE},
    ),
    _comparison("<", "lt", np.less, operator.gt),
    _comparison("<=", "le", np.less_equal, operator.ge),
    _comparison(">", "gt", np.greater, operator.lt),
    _comparison(">=", "ge", np.greater_equal, operator.le),
    _comparison("==", "eq", np.equal, operator.eq, passes_bits=True),
    _comparison("!=", "ne", np.not_equal, operator.ne, passes_bits=True),
    Primitive(
        *("neg", operator.neg, UNARY),
        ufunc=np.negative,
        methods=("__neg__", ""),
        passes_nan=True,
        linear=Linear.NEGATION,
        overflows=True,
        growth=Growth.LARGEST,
        interval=intervals.negated,
        answers=Answers.PYTHON_INTS,
        alike=Alike.FLOATS_AND_INTS,
        keeps_all=True,
    ),
    Primitive(
        *("pos", operator.pos, UNARY),
        ufunc=np.positive,
        methods=("__pos__", ""),
        returns_operand="fc",
        passes_nan=True,
        linear=Linear.SAME,
        growth=Growth.LARGEST,
        interval=intervals.same,
        answers=Answers.PYTHON_INTS,
        alike=Alike.FLOATS_AND_INTS,
        keeps_all=True,
    ),
    Primitive(
        *("invert", operator.invert, UNARY),
        ufunc=np.invert,
        methods=("__invert__", ""),
        lacks={
            **_NO_BOUND,
            "answers": "it warns of bools",
            "alike": _NUMPYS_DIFFER,
        },
    ),
    Primitive(
        *("abs", abs, UNARY),
        ufunc=np.absolute,
        loop_of_floats=True,
        overflows=True,
        growth=Growth.LARGEST,
        interval=intervals.magnitude,
        answers=Answers.PYTHON_INTS,
        alike=Alike.FLOATS_AND_INTS,
        keeps_all=True,
        lacks={"methods": "it is called by name, in handlers of builtins"},
    ),
    Primitive(
        *("conjugate", complex.conjugate, UNARY),
        passes_nan=True,
        lacks={
            "ufunc": "NumPy's takes numbers of any type",
            "methods": "it is a method itself",
            **_NO_BOUND,
            "answers": "the result is complex",
            "alike": _NUMPYS_DIFFER,
        },
    ),
    # ---- conversions and choices
    Primitive(
        *("truth", operator.truth, CONVERSION),
        answers=Answers.REALS,
        alike=Alike.CONVERSIONS,
        passes_bits=True,
        lacks={"growth": _TYPE_TELLS, "interval": _TYPE_TELLS},
    ),
    Primitive(
        *("bool", bool, CONVERSION),
        answers=Answers.REALS,
        alike=Alike.CONVERSIONS,
        lacks={"growth": _TYPE_TELLS, "interval": _TYPE_TELLS},
    ),
    Primitive(
        *("not_", operator.not_, CONVERSION),
        answers=Answers.PYTHON_INTS,
        alike=Alike.CONVERSIONS,
        passes_bits=True,
        lacks={"growth": _TYPE_TELLS, "interval": _TYPE_TELLS},
    ),
    Primitive(
        *("index", operator.index, CONVERSION),
        linear=Linear.SAME,
        growth=Growth.LARGEST,
        interval=intervals.same,
        answers=Answers.PYTHON_INTS,
        alike=Alike.CONVERSIONS,
        keeps_positive=True,
    ),
    Primitive(
        *("int", int, CONVERSION),
        linear=Linear.SAME,
        growth=Growth.LARGEST,
        interval=intervals.same,
        answers=Answers.PYTHON_INTS,
        alike=Alike.CONVERSIONS,
    ),
    Primitive(
        *("float", float, CONVERSION),
        answers=Answers.REALS,
        alike=Alike.CONVERSIONS,
        keeps_all=True,
        lacks={"growth": _TO_FLOATS, "interval": _TO_FLOATS},
    ),
    Primitive(
        *("int64", np.int64, CONVERSION),
        growth=Growth.LARGEST,
        interval=intervals.same,
        keeps_positive=True,
        lacks={"answers": _MAY_RAISE, "alike": "the result is NumPy's"},
    ),
    Primitive(
        *("bool", np.bool_, CONVERSION),
        lacks={
            "growth": _TYPE_TELLS,
            "interval": _TYPE_TELLS,
            "answers": "nobody needed it",
            "alike": "the result is NumPy's",
        },
    ),
    Primitive(
        *("max", max, CONVERSION),
        growth=Growth.LARGEST,
        interval=intervals.largest,
        chooses=operator.gt,
        lacks={"answers": "nobody needed it", "alike": "it returns one of its operands"},
    ),
    Primitive(
        *("min", min, CONVERSION),
        growth=Growth.LARGEST,
        interval=intervals.smallest,
        chooses=operator.lt,
        lacks={"answers": "nobody needed it", "alike": "it returns one of its operands"},
    ),
    # ---- functions that only graphs have
    Primitive(
        *("pick", numbers.pick, OF_GRAPHS),
        growth=Growth.PICKED,
        interval=intervals.picked,
        answers=Answers.REALS,
    ),
    Primitive(
        *("quotient", numbers.quotient, OF_GRAPHS),
        lacks={"growth": _TO_FLOATS, "interval": _TO_FLOATS, "answers": _MAY_RAISE},
    ),
    *(
        Primitive(
            *(function.__name__, function, OF_GRAPHS),
            lacks={
                "growth": "it wraps around",
                "interval": "it wraps around",
                "answers": "nobody needed it",
            },
        )
        for function in (numbers.wrapping_add, numbers.wrapping_sub, numbers.wrapping_mul)
    ),
    # ---- functions of the math module
    *(
        Primitive(
            *(name, function, OF_MATH),
            alike=Alike.CONVERSIONS,
            tests_infinity=function is math.isinf,
        )
        for name, function in vars(math).items()
        if callable(function) and not name.startswith("_")
    ),
)

STORED = Primitive(
    *("stored as", numbers.StoredAs, OF_GRAPHS),
    growth=Growth.LARGEST,
    interval=intervals.same,
    lacks={"answers": "it raises if the number does not fit"},
)
"""The row of every `StoredAs`, whatever its dtype."""
