"""np.fft is NumPy's Python around gufuncs whose loops the kernel calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

RNG = np.random.default_rng(6)
X = RNG.normal(size=12)
Z = X + 1j * X[::-1]
TABLE = RNG.normal(size=(4, 6))
CUBE = RNG.normal(size=(3, 4, 5))


def there_and_back(x: Any) -> Any:
    y = np.fft.fft(x * 2)
    return y * 0.5, np.fft.ifft(y) + 1


def of_real(x: Any) -> Any:
    y = np.fft.rfft(x + 1)
    return np.abs(y) ** 2, np.fft.irfft(y) * 2, np.fft.irfft(y, len(x))


def of_symmetric(x: Any) -> Any:
    return np.fft.hfft(x * 2) + 1, np.fft.hfft(x, 7), np.fft.hfft(x, norm="ortho")


def to_symmetric(x: Any) -> Any:
    return np.fft.ihfft(x * 2) + 1, np.fft.ihfft(x, 9, norm="forward")


def norms(x: Any) -> Any:
    made = [np.fft.fft(x, norm=norm) for norm in (None, "backward", "ortho", "forward")]
    back = [np.fft.ifft(x * 1j, norm=norm) for norm in ("backward", "ortho", "forward")]
    return made[0] + made[2], made[3] * made[1], back


def lengths(x: Any) -> Any:
    return np.fft.fft(x, 5), np.fft.ifft(x * 2, n=16), np.fft.fft(x, 1), np.fft.fft(x, len(x) + 3)


def along_axes(x: Any) -> Any:
    y = np.fft.fft(x * 2, axis=0)
    return y + 1, np.fft.ifft(x, axis=-2, norm="ortho"), np.fft.fft(x, 3, 0)


def real_along_axes(x: Any) -> Any:
    return np.fft.rfft(x * 2, axis=0), np.fft.irfft(x + 1j, axis=-2, n=7), np.fft.rfft(x, 4, axis=0)


def of_two_axes(x: Any) -> Any:
    y = np.fft.fft2(x * 2)
    return y * 2, np.fft.ifft2(y) + 1, np.fft.fft2(x, s=(4, 8)), np.fft.fft2(x, axes=(0, 1))


def of_all_axes(x: Any) -> Any:
    return np.fft.fftn(x * 2) + 1, np.fft.ifftn(x, norm="ortho"), np.fft.fftn(x, axes=(0,))


def real_of_all_axes(x: Any) -> Any:
    y = np.fft.rfftn(x * 2)
    return y * 2, np.fft.irfftn(y) + 1, np.fft.rfft2(x), np.fft.irfft2(y, norm="forward")


def shifted(x: Any) -> Any:
    y = np.fft.fftshift(x * 2)
    return y, np.fft.ifftshift(y) + 1, np.fft.fftshift(x, axes=0), np.fft.ifftshift(x, (0,))


def spectrum(signal: Any, rate: Any) -> Any:
    """Compute a smoothed power spectrum, as programs do."""
    window = np.hanning(len(signal))
    power = np.abs(np.fft.rfft(signal * window)) ** 2
    kernel = np.exp(-(np.arange(len(signal)) ** 2) / rate)
    smooth = np.fft.ifft(np.fft.fft(signal) * np.fft.fft(kernel)).real
    return power / power.sum(), smooth


OF_ANY = (there_and_back, norms, lengths, shifted)
OF_REAL = (of_real, to_symmetric)
OF_TABLES = (along_axes, of_two_axes, of_all_axes)
OF_REAL_TABLES = (real_along_axes, real_of_all_axes)
ALL = (*OF_ANY, *OF_REAL, of_symmetric, *OF_TABLES, *OF_REAL_TABLES)


def layouts(x: Any) -> list[Any]:
    """In Fortran order, with gaps, backwards, other axes first, of one item."""
    spread = np.zeros([2 * n for n in x.shape], x.dtype)
    spread[(slice(None, None, 2),) * x.ndim] = x
    made = [x, np.asfortranarray(x), spread[(slice(None, None, 2),) * x.ndim], x[::-1]]
    return [*made, x.T, x[..., ::-1], x[:1]]


@pytest.mark.parametrize("program", [*OF_ANY, *OF_REAL, of_symmetric])
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "c8", "i8", "u1", "?", "f2"])
def test_dtypes(program: Any, dtype: str) -> None:
    """Single precision stays single; what cannot be transformed eager refuses."""
    with np.errstate(all="ignore"):
        check(program, (Z if "c" in dtype else X * 3).astype(dtype))


@pytest.mark.parametrize("program", [*OF_ANY, *OF_REAL, of_symmetric])
def test_lengths(program: Any) -> None:
    """Even and odd ones, primes, of one item, of none."""
    for n in (0, 1, 2, 3, 7, 16, 31, 100, 1009):
        check(program, RNG.normal(size=n))
    check(program, X[::-1])
    check(program, np.repeat(X, 3)[::3])


@pytest.mark.parametrize("program", [*OF_TABLES, *OF_REAL_TABLES, shifted, norms])
def test_tables(program: Any) -> None:
    """The order of memory of the result follows from that of the operand."""
    for x in layouts(CUBE):
        check(program, x, backends=["numpy"] if program is shifted else None)
    for x in layouts(TABLE):
        check(program, x, backends=["numpy"])
    check(program, TABLE.astype("f4"))
    check(program, TABLE.T.astype("i4"), backends=["numpy"])
    if program not in OF_REAL_TABLES:
        check(program, TABLE * 1j)
        check(program, (CUBE.T * 1j).astype("c8"))


@pytest.mark.parametrize("program", ALL)
def test_one_kernel_of_many_lengths(program: Any) -> None:
    """Lengths are not fixed by the capture."""
    tables = program in (*OF_TABLES, *OF_REAL_TABLES)
    jitted = check(program, TABLE if tables else X, backends=["numba"])
    for n in (2, 5, 8, 13):
        x = RNG.normal(size=(n, n + 1) if tables else n)
        for f in jitted:
            for actual, expected in zip(flat(f(x)), flat(program(x)), strict=True):
                assert actual.tobytes() == expected.tobytes()
                assert actual.strides == expected.strides


def flat(result: Any) -> list[Any]:
    return [y for x in result for y in (flat(x) if isinstance(x, list) else [x])]


def test_a_program() -> None:
    for n in (12, 13, 256):
        jitted = check(spectrum, RNG.normal(size=n), 10.0)
        assert_counts(jitted, segments=1, breaks=0)


def test_lengths_that_are_given() -> None:
    """A length may be a number that only the call knows, or one that is refused."""

    def program(x: Any, n: Any) -> Any:
        return np.fft.fft(x * 2, n) + 1, np.fft.rfft(x, n), np.fft.irfft(x, n)

    for n in (4, 5, 30, 1, 0, -3, np.int64(6), 4.0, None):
        check(program, X, n)


def test_outputs() -> None:
    """An array that is given is written to, and handed back."""

    def program(x: Any, out: Any) -> Any:
        return np.fft.fft(x * 2, out=out) is out, out + 1

    check(program, X, np.zeros(12, complex))
    check(program, X, np.zeros(11, complex))


def test_wrong_arguments() -> None:
    """Axes and norms that there are not."""

    def of_axis(x: Any, axis: int) -> Any:
        return np.fft.fft(x * 2, axis=axis)

    def of_norm(x: Any) -> Any:
        return np.fft.fft(x * 2, norm="loud")  # type: ignore[call-overload]

    def of_lengths(x: Any) -> Any:
        return np.fft.fft2(x * 2, s=(3,)), np.fft.rfft(x * 1j)

    for axis in (0, -1, 1, -3, 2):
        check(of_axis, TABLE, axis)
    check(of_norm, X)
    check(of_lengths, TABLE)


def test_flags() -> None:
    """Invalid results and overflows are told at NumPy's line, or raise where a block says so."""

    def program(x: Any) -> Any:
        return np.fft.fft(x) * 2, np.fft.irfft(x) + 1

    def raises(x: Any) -> Any:
        with np.errstate(all="raise", under="ignore"):
            y = np.fft.rfft(x)
        return y / 0

    for data in (X, np.full(5, np.inf), np.full(6, 1e308), np.array([np.nan, 1, 2])):
        for f in (program, raises):
            check(f, data, calls=4)


@pytest.mark.counts("how much of a kernel is fused")
def test_nothing_is_called() -> None:
    """The loops are called from the kernel, and nothing else."""
    for program in ALL:
        tables = program in (*OF_TABLES, *OF_REAL_TABLES)
        jitted = check(program, TABLE if tables else X, backends=["numba"])

        assert "opaque" not in jitted[0].inspect("graph"), program.__name__
        assert " call(w" not in jitted[0].inspect("numba"), program.__name__
        assert_counts(jitted, segments=1, breaks=0, bails=0)
