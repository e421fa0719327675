"""Calls of SciPy's functions become nodes, or go on as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from samples import captured, sample

from framejit.frontends.numpy.purity import is_pure


def test_what_libraries_keep_for_themselves_is_not_asked() -> None:
    """Compiled code of private modules trusts its arguments; made-up ones may be out of bounds."""
    from scipy import linalg
    from scipy.interpolate import _bsplines, make_interp_spline
    from scipy.spatial import distance

    for function in vars(_bsplines._dierckx).values():
        assert not is_pure(function)
    assert not is_pure(_bsplines._make_periodic_spline)
    assert not is_pure(np._core.multiarray._vec_string)
    assert not any(map(is_pure, (linalg.qr_insert, linalg.qr_delete, linalg.qr_update)))
    assert not is_pure(distance._correlation_pdist_wrap)  # it writes as many numbers as X asks for
    assert is_pure(make_interp_spline)
    assert is_pure(linalg.issymmetric)  # compiled, and public


def test_public_functions_of_c_of_scipy_are_not_asked_with_examples() -> None:
    """No Python looks at their arguments: this one writes beyond the end of small images."""
    signal = pytest.importorskip("scipy.signal")
    assert not is_pure(signal.sepfir2d)

    def f(image: Any, taps: Any) -> Any:
        return signal.sepfir2d(image + 1.0, taps, taps) * 2.0

    check(f, sample("f8", (12, 12)), np.array([1.0, 2.0, 4.0, 2.0, 1.0]))


def test_scipy() -> None:
    """Pure functions of SciPy are opaque; those that draw random numbers are breaks."""
    stats = pytest.importorskip("scipy.stats")
    linalg = pytest.importorskip("scipy.linalg")
    x = np.eye(3) * 2.0
    captured(lambda x: linalg.inv(x) * 2.0, x)
    check(lambda x: linalg.solve(x, np.ones(3), overwrite_b=True) + 1.0, x)

    def draw(x: Any) -> Any:
        return x * 2.0 + stats.norm.rvs(size=3)

    check(draw, x)


def test_functions_of_splines() -> None:
    """Knots of examples do not rise; the Fortran of splint wrote beyond its memory with them."""
    from scipy import interpolate

    for name in ("splev", "splint", "sproot", "spalde", "insert", "splder", "bisplev"):
        assert not is_pure(getattr(interpolate, name))
    assert is_pure(interpolate.splrep)


def test_integrals_of_a_spline() -> None:
    """A spline that is made and integrated in one segment."""
    from scipy import interpolate

    def integral(x: Any, y: Any) -> Any:
        spline = interpolate.splrep(x, y * 2, s=1.0)
        return interpolate.splint(0, 1, spline) * x, interpolate.splev(x, spline) - y

    x = np.linspace(0, 3, 30)
    check(integral, x, x**2 % 1.5)


def test_systems_of_one_equation() -> None:
    """There is no second row to exchange the first one with: lu_solve wrote beyond its memory."""
    from scipy import linalg

    def solved(a: Any, b: Any) -> Any:
        return linalg.lu_solve(linalg.lu_factor(a), b) * 2, b + 1

    assert not is_pure(linalg.lu_solve)
    for size in range(5, 15):
        check(solved, np.array([[2.0]]), np.ones((1, size)), backends=["numpy"])
    check(solved, np.eye(3) + 1, np.ones(3))


def test_windows_of_filters() -> None:
    """An example of a window of one item may be false, and C then read where nothing is."""
    from scipy import ndimage

    def eroded(x: Any, footprint: Any, structure: Any) -> Any:
        return ndimage.grey_erosion(x + 1, footprint=footprint, structure=structure) * 2

    x = np.arange(30.0).reshape(5, 6)
    for shape in ((1, 1), (3, 3)):
        check(eroded, x, np.ones(shape, bool), np.ones(shape), backends=["numpy"])
    (jitted,) = check(lambda x: ndimage.grey_erosion(x + 1, 3) * 2, x, backends=["numpy"])
    assert_counts([jitted], breaks=0)

    def shifted(x: Any, k: int) -> Any:
        for origin in range(-k, k + 1):
            x = x + ndimage.binary_dilation(x > 9, origin=origin)
        return x

    check(shifted, x, 1)  # an example of the origin may lie outside of the structure
