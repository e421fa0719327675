"""np.linalg is NumPy's Python around gufuncs: the kernel calls their loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

RNG = np.random.default_rng(5)
A = RNG.normal(size=(4, 4))
S = A @ A.T + np.eye(4)
V = np.array([1.0, -2.0, 0.5, 3.0])
STACK = RNG.normal(size=(3, 4, 4)) + 2 * np.eye(4)
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
TALL, WIDE = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 5))


def inverse(a: Any) -> Any:
    return np.linalg.inv(a * 2) + a


def solution(a: Any, b: Any) -> Any:
    return np.linalg.solve(a + a, b * 2) - 1


def determinant(a: Any) -> Any:
    return np.linalg.det(a * 2) + 1


def log_determinant(a: Any) -> Any:
    sign, size = np.linalg.slogdet(a * 2)
    return sign * 2, size + 1, np.linalg.slogdet(a).logabsdet


def triangle(a: Any) -> Any:
    return np.linalg.cholesky(a * 2) @ a, np.linalg.cholesky(a, upper=True) * 2


def symmetric(a: Any) -> Any:
    values, vectors = np.linalg.eigh(a * 2)
    return values + 1, vectors * 2, np.linalg.eigvalsh(a + a), np.linalg.eigh(a, "U")


def eigen(a: Any) -> Any:
    values, vectors = np.linalg.eig(a * 2)
    return values * 2, vectors + 1, np.linalg.eigvals(a + a)


def singular_values(a: Any) -> Any:
    u, s, vt = np.linalg.svd(a * 2, full_matrices=False)
    return u + 1, s * 2, vt, np.linalg.svd(a + a), np.linalg.svdvals(a) + 1


def least_squares(a: Any, b: Any) -> Any:
    x, _, rank, s = np.linalg.lstsq(a * 2, b)
    return x + 1, rank, s * 2


def pseudo_inverse(a: Any) -> Any:
    return np.linalg.pinv(a * 2) + 1


def conditions(a: Any) -> Any:
    return np.linalg.cond(a * 2) + 1, np.linalg.cond(a, 1), np.linalg.matrix_rank(a + a)


def powers(a: Any) -> Any:
    return np.linalg.matrix_power(a * 2, 3), np.linalg.matrix_power(a, -2) + 1


def factors(a: Any) -> Any:
    q, r = np.linalg.qr(a * 2)
    return q + 1, r * 2


def newton(a: Any, b: Any) -> Any:
    """Refine a solution by Newton's method, as programs do."""
    x = np.zeros_like(b)
    for _ in range(4):
        residual = a @ x - b
        x = x - np.linalg.solve(a, residual)
        if np.abs(residual).max() < 1e-12:
            break
    return x, np.linalg.inv(a) @ b


OF_ONE = (inverse, determinant, log_determinant, triangle, symmetric, eigen, singular_values)
OF_ONE_TOO = (pseudo_inverse, conditions, powers, factors)
OF_TWO = (solution, least_squares, newton)
ON_NUMPY: Any = {"backends": ["numpy"]}
"""Options for small variations of another case: a kernel each would take a second."""
FUSED = (inverse, determinant, log_determinant, triangle, symmetric, singular_values, solution)


def layouts(a: Any) -> list[Any]:
    """A matrix in Fortran order, with gaps, backwards and with other strides."""
    spread = np.zeros((*a.shape[:-2], 2 * a.shape[-2], 3 * a.shape[-1]), a.dtype)
    spread[..., ::2, ::3] = a
    made = [a, np.asfortranarray(a), a.swapaxes(-1, -2), spread[..., ::2, ::3]]
    return [*made, a[..., ::-1, :], a[..., ::-1]]


@pytest.mark.parametrize("program", [*OF_ONE, *OF_ONE_TOO])
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "c8", "i8", "?"])
def test_dtypes(program: Any, dtype: str) -> None:
    """Single precision is computed in double, and ints are floats."""
    with np.errstate(all="ignore"):
        a = (S * 2).astype(dtype) if dtype != "?" else S > 0.5
        check(program, a)


@pytest.mark.parametrize("program", [*OF_ONE, *OF_ONE_TOO])
def test_layouts(program: Any) -> None:
    """Loops copy what they get: where it lies does not matter, what is computed of it does."""
    for a in (*layouts(S), STACK, layouts(STACK)[3]):
        check(program, a)
    for a in layouts(STACK)[1:3] + layouts(STACK)[4:]:
        check(program, a, **ON_NUMPY)


@pytest.mark.parametrize("program", [*OF_ONE, *OF_ONE_TOO])
def test_sizes(program: Any) -> None:
    """Matrices of one item, of none, of many; stacks of none."""
    for n in (0, 1, 2, 33):
        a = RNG.normal(size=(n, n))
        check(program, a @ a.T + np.eye(n), **({} if n in (1, 33) else ON_NUMPY))
    check(program, STACK[:0])
    check(program, STACK[:1], **ON_NUMPY)
    check(program, STACK[:, :0, :0], **ON_NUMPY)
    check(program, np.stack([STACK, STACK]))


@pytest.mark.parametrize("program", [*OF_ONE, *OF_ONE_TOO])
def test_what_fails(program: Any) -> None:
    """LinAlgError and its words, and what is no matrix, or not square."""
    for a in (SINGULAR, -S, S * np.nan, S * np.inf):
        check(program, a, calls=3)
    for a in (TALL, V, A[0, 0]):
        check(program, a, calls=3, **ON_NUMPY)
    broken = STACK.copy()
    broken[1] = 0
    check(program, broken)


@pytest.mark.parametrize("program", OF_TWO)
def test_right_hand_sides(program: Any) -> None:
    """A vector, columns, a stack, another dtype, a size that does not fit."""
    for b in (V, np.stack([V, V * 2], 1), V.astype("f4"), V * 1j):
        check(program, A, b)
    for b in (np.array([1, 2, 3, 4]), V[:3]):
        check(program, A, b, **ON_NUMPY)
    if program is not newton:
        check(program, A, np.stack([V, V * 2], 1)[:, ::2])
        check(program, A, np.asfortranarray(np.stack([V, V * 2], 1)), **ON_NUMPY)
        check(program, A.astype("f4"), V)
        check(program, np.eye(4, dtype=int), V, **ON_NUMPY)
    check(program, SINGULAR, V[:2], calls=3)
    check(program, A[:0, :0], V[:0])
    check(program, A[:1, :1], V[:1], **ON_NUMPY)


def test_stacked_right_hand_sides() -> None:
    """Axes before the core ones broadcast."""
    b = RNG.normal(size=(3, 4, 2))
    for left, right in ((STACK, b), (STACK[:1], b), (STACK, b[:1]), (A, b), (STACK, b[0])):
        check(solution, left, right)
        check(solution, left.swapaxes(-1, -2), right[..., ::-1])


@pytest.mark.parametrize("program", [singular_values, pseudo_inverse])
def test_not_square(program: Any) -> None:
    """The smaller length is another one in the next call."""
    jitted = check(program, TALL)
    check(program, WIDE)
    for f in jitted:
        assert repr(f(WIDE)) == repr(program(WIDE))
    check(least_squares, TALL, TALL[:, 0])
    check(least_squares, WIDE, WIDE[:, 0])


def test_one_of_several_axes_of_one_item() -> None:
    """`squeeze` of one axis leaves the others, though they have one item too."""

    def squeezed(a: Any) -> Any:
        a = a * 2
        return a.squeeze(axis=-1) + 1, a.squeeze(0), np.squeeze(a, axis=(0,)), a.squeeze() * 2

    for shape in ((1, 1), (1, 3, 1), (1, 1, 1), (1, 1, 3, 1)):
        check(squeezed, np.ones(shape))


def test_flags() -> None:
    """An overflow inside of a determinant warns where NumPy says so."""
    big = np.diag([1e200, 1e200, 1e200])
    check(determinant, big, calls=3)
    check(inverse, np.diag([np.inf, 1.0, 1.0]), calls=3)
    check(determinant, (big / 1e170).astype("f4"), calls=3)

    def around(a: Any) -> Any:
        y = a / 0.0
        with np.errstate(all="raise"):
            return np.linalg.inv(a), np.linalg.det(a), y

    check(around, A, calls=3)
    check(around, big, calls=3)


@pytest.mark.counts("how much of a kernel is fused")
def test_nothing_is_called() -> None:
    """The loops are called from the kernel, and nothing else."""
    for program in FUSED:
        args = (S, V) if program is solution else (S,)
        for stacked in (args, tuple(np.stack([one, one]) for one in args[:1])):
            if len(stacked) < len(args):
                continue
            jitted = check(program, *stacked, backends=["numba"])
            graph = jitted[0].inspect("graph")

            assert "opaque" not in graph, program.__name__
            assert " items(" not in graph, program.__name__
            assert " call(w" not in jitted[0].inspect("numba"), program.__name__
            assert_counts(jitted, segments=1, breaks=0, bails=0)
