"""One call or more of each public function of NumPy, and of each method of its arrays.

`FORMS` holds expressions with `@` where the name goes, each with the names that it is written for.
The names of other values in them are those of `VALUES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np


def values() -> dict[str, Any]:
    """Fresh arguments by name."""
    square = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
    return {
        "x": np.array([0.5, -1.5, 2.25, 3.0, -0.75, 1.0]),
        "y": np.array([1.5, 2.5, 0.25, 1.0, 4.0, 2.0]),
        "u": np.array([0.1, -0.5, 0.9, 0.0]),
        "n": np.array([3, 1, 2, 2, 5, 7]),
        "m": np.array([2, 1, 1, 3, 2, 4]),
        "b": np.array([True, False, True, True, False, False]),
        "z": np.array([1 + 2j, 0.5 - 1j, -2j]),
        "q": np.array([1, 2, 200], np.uint8),
        "A": square,
        "B": np.arange(12.0).reshape(3, 4),
        "T": np.arange(24.0).reshape(2, 3, 4),
        "v": np.array([1.0, -2.0, 0.5]),
        "w": np.array([0.5, 2.0, 1.0]),
        "s": np.array(["one", "Two", "three 3"]),
        "d": np.array(["2024-01-31", "2024-02-29"], "M8[D]"),
        "r": np.array([(1, 2.5), (3, 4.5)], [("a", "i8"), ("b", "f8")]),
    }


FORMS: Final = {
    "np.@(x)": """
        abs absolute angle argmax argmin argsort argwhere around array asanyarray asarray
        asarray_chkfinite ascontiguousarray asfortranarray asinh arcsinh atan arctan atleast_1d
        atleast_2d atleast_3d all any amax amin average cbrt ceil conj conjugate copy corrcoef cos
        cosh count_nonzero cov cumprod cumsum cumulative_prod cumulative_sum deg2rad degrees diag
        diagflat diff ediff1d empty_like exp exp2 expm1 fabs flatnonzero flip floor frexp
        gradient histogram histogram_bin_edges i0 imag iscomplex iscomplexobj isfinite isfortran
        isinf isnan isneginf isposinf isreal isrealobj isscalar iterable max mean median min
        min_scalar_type modf nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean
        nanmedian nanmin nanprod nanstd nansum nanvar ndim negative nonzero ones_like poly positive
        prod ptp rad2deg radians ravel real real_if_close reciprocal require rint roots round
        shape sign signbit sin sinc sinh size sort sort_complex spacing square squeeze std sum tan
        tanh trapezoid trim_zeros trunc unique unique_all unique_counts unique_inverse
        unique_values unwrap vander var zeros_like array2string array_repr array_str from_dlpack
    """,
    "np.@(y)": "log log10 log1p log2 sqrt",
    "np.@(u)": "acos arccos asin arcsin atanh arctanh",
    "np.@(y + 1)": "acosh arccosh",
    "np.@(x, y)": """
        add arctan2 atan2 array_equal array_equiv convolve copysign correlate divide dot equal
        float_power floor_divide fmax fmin fmod greater greater_equal heaviside histogram2d hypot
        inner isclose allclose kron less less_equal logaddexp logaddexp2 maximum minimum mod
        multiply nextafter not_equal outer polyadd polydiv polymul polysub polyval remainder
        result_type subtract true_divide vdot vecdot meshgrid divmod logical_and logical_or
        logical_xor broadcast_arrays common_type copyto shares_memory may_share_memory
    """,
    "np.@(y, x)": "pow power",
    "np.@(n, m)": """
        bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift left_shift
        right_shift gcd lcm in1d intersect1d setdiff1d setxor1d union1d isin ldexp
    """,
    "np.@(n)": "bincount bitwise_count bitwise_invert bitwise_not invert",
    "np.@(b)": "logical_not packbits",
    "np.@(q)": "unpackbits",
    "np.@([x, y])": "column_stack concat concatenate dstack hstack stack vstack block",
    "np.@(x, 2)": "array_split hsplit split repeat roll",
    "np.@(B, 3)": "vsplit",
    "np.@(T, 2)": "dsplit",
    "np.@(B, axis=0)": """
        argmax argmin argsort all any amax amin average count_nonzero cumprod cumsum diff
        flip max mean median min nanmax nanmean nanmin nansum prod ptp sort std sum var
        cumulative_sum cumulative_prod gradient trapezoid nanmedian nanstd nanvar
    """,
    "np.@(B)": """
        fliplr flipud matrix_transpose permute_dims rot90 transpose tril triu trace
        tril_indices_from triu_indices_from diagonal unstack
    """,
    "np.@(A)": "diag_indices_from asmatrix bmat",
    "np.@(A, v)": "matvec",
    "np.@(v, A)": "vecmat",
    "np.@(A, B)": "matmul",
    "np.@(v, w)": "cross",
    "np.@(A, A)": "tensordot",
    "np.@(x, 0.5, 2.0)": "clip",
    "np.@(x, 3)": "append argpartition partition resize",
    "np.@(x, 0.3)": "quantile nanquantile",
    "np.@(x, 30)": "percentile nanpercentile",
    "np.@(x, 1, 9.0)": "insert",
    "np.@(x, 1)": "delete",
    "np.@(x, 0)": "expand_dims",
    "np.@(B, (4, 3))": "reshape",
    "np.@(v, (2, 3))": "broadcast_to tile",
    "np.@(T, 0, 2)": "moveaxis rollaxis swapaxes",
    "np.@(x, (1, 2))": "pad",
    "np.@(n > 2, x)": "compress extract",
    "np.@(n > 2, x, y)": "where",
    "np.@(m - 1, [x, y, x, y])": "choose",
    "np.@([x > 0, x < -1], [x, y], 7.0)": "select",
    "np.@(x, [x < 0, x >= 0], [-1.0, 1.0])": "piecewise",
    "np.@(x, np.array([0, 2]))": "take take_along_axis",
    "np.@(np.sort(y), x)": "searchsorted",
    "np.@(x, np.array([0.0, 1.0]))": "digitize",
    "np.@(x, np.sort(y), y)": "interp",
    "np.@(np.array([0, 2]), np.array([1, 3]))": "ix_",
    "np.@((x, y))": "lexsort",
    "np.@((n, m), (9, 9))": "ravel_multi_index",
    "np.@(n, (3, 4))": "unravel_index",
    "np.@(v, w, 1)": "polyfit",
    "np.@(v)": "polyder polyint",
    "np.@(np.stack([x, y], 1))": "histogramdd",
    "np.@('ij,jk->ik', A, B)": "einsum",
    "np.@('ij,jk->ik', A, B, optimize=False)": "einsum_path",
    "np.@(x, np.float32)": "astype",
    "np.@(4)": """
        bartlett blackman hamming hanning diag_indices eye identity tri tril_indices triu_indices
    """,
    "np.@(4, 2.0)": "kaiser",
    "np.@((2, 3))": "empty ones zeros indices",
    "np.@((2, 3), 1.5)": "full",
    "np.@(x, 1.5)": "full_like",
    "np.@(6)": "arange",
    "np.@(0.5, 2.0, 4)": "linspace geomspace logspace",
    "np.@((2, 3), (3,))": "broadcast_shapes",
    "np.@(x.dtype, np.float64)": "can_cast promote_types issubdtype",
    "np.@(x.dtype, 'real floating')": "isdtype",
    "np.@('d')": "mintypecode",
    "np.@(10, 2)": "base_repr",
    "np.@(10)": "binary_repr",
    "np.@(2.5)": "format_float_positional format_float_scientific",
    "np.@(x, out=y)": "exp negative",
    "np.@(x, y, out=y)": "add multiply",
    "np.@(x, [1, 2], [8.0, 9.0])": "put",
    "np.@(x, np.array([1]), np.array([8.0]), 0)": "put_along_axis",
    "np.@(x, b, np.array([8.0]))": "place putmask",
    "np.@(A, 0.0)": "fill_diagonal",
    "np.@(lambda row: row.sum(), 0, B)": "apply_along_axis",
    "np.@(np.sum, B, [0])": "apply_over_axes",
    "np.@(lambda i: i * 2.0, (4,))": "fromfunction",
    "np.@((i * 2.0 for i in range(4)), float)": "fromiter",
    "np.@('1 2 3', sep=' ')": "fromstring",
    "np.@(b'12345678', np.uint8)": "frombuffer",
    "np.@(lambda v: v, 1, 1)": "frompyfunc",
    "np.@(3, np.tril)": "mask_indices",
    "np.@()": """
        get_include get_printoptions getbufsize geterr geterrcall printoptions
    """,
    "np.@(8192)": "setbufsize",
    "np.@(d, '2024-03-01')": "busday_count",
    "np.@(d, 1, roll='forward')": "busday_offset",
    "np.@(d)": "is_busday isnat datetime_as_string",
    "np.@(d.dtype)": "datetime_data",
    "np.linalg.@(A)": """
        cholesky cond det eig eigh eigvals eigvalsh inv matrix_norm matrix_rank matrix_transpose
        norm pinv qr slogdet svd svdvals trace diagonal
    """,
    "np.linalg.@(A, v)": "solve lstsq",
    "np.linalg.@(A, B)": "matmul",
    "np.linalg.@(A, 3)": "matrix_power",
    "np.linalg.@([A, A, B])": "multi_dot",
    "np.linalg.@(v, w)": "cross outer vecdot",
    "np.linalg.@(v)": "vector_norm",
    "np.linalg.@(A, A)": "tensordot",
    "np.linalg.@(np.eye(6).reshape(2, 3, 6), ind=2)": "tensorinv",
    "np.linalg.@(np.eye(6).reshape(2, 3, 6), B[:2, :3])": "tensorsolve",
    "np.fft.@(x)": "fft ifft rfft ihfft fftshift ifftshift fftn ifftn rfftn",
    "np.fft.@(B)": "fft2 ifft2 rfft2",
    "np.fft.@(z)": "hfft irfft irfftn",
    "np.fft.@(z.reshape(1, 3))": "irfft2",
    "np.fft.@(6)": "fftfreq rfftfreq",
    "np.emath.@(x)": "log log10 log2 sqrt",
    "np.emath.@(x * 2)": "arccos arcsin arctanh",
    "np.emath.@(x, 2)": "power",
    "np.emath.@(2, x)": "logn",
    "np.lib.stride_tricks.@(x, 3) + 0": "sliding_window_view",
    "np.lib.stride_tricks.@(x, (2, 2), (8, 8)) + 0": "as_strided",
    "np.polynomial.polynomial.@(v, w)": "polyadd polydiv polymul polysub",
    "np.polynomial.polynomial.@(v)": """
        polycompanion polyder polyfromroots polyint polymulx polyroots polytrim
    """,
    "np.polynomial.polynomial.@(v, 2)": "polypow polyvander",
    "np.polynomial.polynomial.@(x, v)": "polyval polyvalfromroots",
    "np.polynomial.polynomial.@(v, w, 1)": "polyfit",
    "np.polynomial.polynomial.@(1.0, 2.0)": "polyline",
    "np.polynomial.polynomial.@(v, w, B)": "polygrid2d polyval2d",
    "np.polynomial.polynomial.@(v, w, v, T)": "polygrid3d polyval3d",
    "np.polynomial.polynomial.@([v, w], B)": "polyvalnd",
    "np.polynomial.polynomial.@(v, w, [1, 2])": "polyvander2d",
    "np.polynomial.polynomial.@(v, w, v, [1, 1, 1])": "polyvander3d",
    "np.strings.@(s)": """
        capitalize isalnum isalpha isdecimal isdigit islower isnumeric isspace istitle isupper lower
        lstrip rstrip str_len strip swapcase title upper expandtabs encode
    """,
    "np.strings.@(s, 'e')": "count endswith find rfind startswith partition rpartition",
    "np.strings.@(s, '')": "index rindex",
    "np.strings.@(s, 9)": "center ljust rjust zfill multiply",
    "np.strings.@(s, s)": "add equal greater greater_equal less less_equal not_equal",
    "np.strings.@(s, 'e', 'a')": "replace",
    "np.strings.@(s, 1, 3)": "slice",
    "np.strings.@(np.array(['%d']), 3)": "mod",
    "np.strings.@(np.array([b'ab']))": "decode",
    "np.strings.@(s, {101: 97})": "translate",
    "np.random.@()": "rand randn random random_sample standard_cauchy standard_exponential "
    "standard_normal normal uniform get_state",
    "np.random.@(5)": "randint permutation bytes seed default_rng",
    "np.random.@(x)": "choice shuffle",
    "np.random.@(2.0, 3.0)": "beta gamma f gumbel laplace logistic lognormal vonmises wald",
    "np.random.@(2.0)": "chisquare exponential pareto poisson power rayleigh standard_gamma "
    "standard_t weibull zipf",
    "np.random.@(0.3)": "geometric logseries",
    "np.random.@(5, 0.3)": "binomial negative_binomial",
    "np.random.@(v * v)": "dirichlet",
    "np.random.@(5, 6, 4)": "hypergeometric",
    "np.random.@(5, [0.2, 0.8])": "multinomial",
    "np.random.@(v, A)": "multivariate_normal",
    "np.random.@(2.0, 1.0)": "noncentral_chisquare",
    "np.random.@(2.0, 3.0, 1.0)": "noncentral_f",
    "np.random.@(1.0, 2.0, 3.0)": "triangular",
    "x.@()": """
        all any argmax argmin argsort conj conjugate copy cumprod cumsum dumps flatten max mean min
        nonzero prod ravel round squeeze std sum tobytes tolist transpose var view sort
    """,
    "B.@(axis=1)": "all any argmax argmin argsort cumprod cumsum max mean min prod std sum var",
    "x.@(np.float32)": "astype",
    "x.@(3)": "argpartition item partition",
    "n.@([x, y, x, y, x, y, x, y])": "choose",
    "x.@(0.5, 2.0)": "clip",
    "x.@([True, False, True])": "compress",
    "B.@()": "diagonal trace",
    "A.@(v)": "dot",
    "x.@(2)": "repeat",
    "x.@(2, 3)": "reshape",
    "B.@(0, 1)": "swapaxes",
    "x.@([0, 2])": "take",
    "x.@(1.5)": "fill searchsorted",
    "x.@([0, 1], 8.0)": "put",
    "x.@(False)": "byteswap",
    "x.@(np.float64)": "getfield",
    "x.@(1.0, np.float64)": "setfield",
    "x.@(write=False)": "setflags",
    "x.@(4, refcheck=False)": "resize",
    "z.@": "real imag T",
    "x.@": "T base data dtype flags flat itemsize nbytes ndim shape size strides",
    "B.@": "T mT",
}
"""Methods and attributes by the form of the call."""

LEFT_OUT: Final = {
    "fix": "is deprecated",
    "row_stack": "is deprecated",
    "typename": "is deprecated",
    "fromfile": "reads a file",
    "fromregex": "reads a file",
    "genfromtxt": "reads a file",
    "info": "prints",
    "load": "reads a file",
    "loadtxt": "reads a file",
    "nested_iters": "gives iterators that change arrays",
    "save": "writes a file",
    "savetxt": "writes a file",
    "savez": "writes a file",
    "savez_compressed": "writes a file",
    "set_printoptions": "changes the process",
    "seterr": "see tests of errstate",
    "seterrcall": "see tests of errstate",
    "show_config": "prints",
    "show_runtime": "prints",
    "test": "runs NumPy's tests",
    "get_bit_generator": "gives the generator of the process",
    "set_bit_generator": "changes the process",
    "set_state": "changes the process",
    "random_integers": "is deprecated",
    "ranf": "is another name of random_sample",
    "sample": "is another name of random_sample",
}
"""Public functions without an example, and why."""


@dataclass(frozen=True, slots=True)
class Example:
    """One call."""

    function: str
    """With its module: `np.linalg.inv`, `ndarray.sum`."""
    expression: str

    def make(self) -> Callable[..., Any]:
        """A function of `values()` that gives the value of the expression."""
        arguments = ", ".join(values())
        namespace = {"np": np}
        source = (
            f"def example({arguments}):\n"
            f"    around = v * w + 1\n"
            f"    result = {self.expression}\n"
            f"    return result, around - w\n"
        )
        exec(compile(source, f"<example {self.expression}>", "exec"), namespace)
        function: Callable[..., Any] = namespace["example"]
        return function


def examples() -> Iterator[Example]:
    """All of them, in the order of the table."""
    for form, names in FORMS.items():
        for name in names.split():
            if _exists(form, name):
                owner = form.partition("@")[0].rstrip(".")
                owner = "ndarray" if len(owner) == 1 else owner
                yield Example(f"{owner}.{name}", form.replace("@", name))


def _exists(form: str, name: str) -> bool:
    """True if this NumPy has the function."""
    owner: Any = np.ndarray
    path = form.partition("@")[0].rstrip(".").split(".")
    if path[0] == "np":
        owner = np
        for part in path[1:]:
            owner = getattr(owner, part)
    return hasattr(owner, name)
