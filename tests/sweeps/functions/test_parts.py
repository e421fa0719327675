"""Real and imaginary parts are windows on the numbers; outputs of no axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import check_whole

Z = np.random.default_rng(2).normal(size=(4, 6)) * np.exp(1j * np.arange(6))


def parts(z: Any) -> Any:
    return z.real * 2 + z.imag, z.real, np.imag(z), (z * 2).imag.sum(axis=0), np.real(z)[1:]


def power(z: Any) -> Any:
    spectrum = z * z.conj()
    return (spectrum.real + z.imag**2).mean(), np.sqrt(spectrum.real), spectrum.imag.T


def written(z: Any) -> Any:
    z.real[...] = 1
    z.imag[1:] += z.real[1:]
    made = np.zeros(z.shape, complex)
    made.real = z.imag
    made.imag[0] = 5
    return z, made


@pytest.mark.parametrize("dtype", ["F", "D"])
def test_parts(dtype: str) -> None:
    """They share memory with the numbers, with the steps of these."""
    z = Z.astype(dtype)
    for array in (z, z.T, z[::2, ::-1], z[0], z[:, :1], z[:0]):
        check(parts, array)
        check(power, array)
        check(written, array)


def test_parts_in_loops() -> None:
    def turned(z: Any, n: int) -> Any:
        total = 0.0
        for k in range(n):
            z = z * 1j
            total += z.real.sum() - z.imag[0] * k
        return total, z.real

    check_whole(turned, (Z[0], 5))


def of_numbers(a: float, b: Any) -> Any:
    return np.true_divide(a, 4, out=...), np.add(b, 1, out=...) + b, np.sqrt(a, out=...).shape


def test_outputs_of_no_axes() -> None:
    check(of_numbers, 3.0, np.float32(2))
    check(of_numbers, 5.5, np.ones(3))
