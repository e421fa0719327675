"""Polynomial series by Clenshaw's recursion, as in NumPy.

Its two terms start as coefficients (arrays of one item if the points are arrays) and have the
points' shape after two iterations. Loops of the graph need constant shapes, so these iterations
precede the loop, and fewer than five coefficients are handled separately.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre

from ...capture.values.python_bodies import decomposes

Step = Callable[[Any, Any, Any, Any, int], tuple[Any, Any]]
"""Returns the next two terms from: coefficient, the two terms, points, degree."""
Last = Callable[[Any, Any, Any], Any]
"""Returns the values from: the two terms, points."""


def _values(x: Any, c: Any, tensor: Any, step: Step, last: Last) -> Any:
    """Evaluate a series. Remainders let captures with few coefficients see all paths."""
    c = np.array(c, ndmin=1, copy=None)
    if c.dtype.char in "?bBhHiIlLqQpP":
        c = c.astype(np.double)
    if isinstance(x, tuple | list):
        x = np.asarray(x)
    if isinstance(x, np.ndarray) and tensor:
        c = c.reshape(c.shape + (1,) * x.ndim)
    count = len(c)
    if count < 1:
        raise NotImplementedError
    if count == 1:
        return last(c[0], 0, x)
    a, b = c[(count - 2) % count], c[-1]
    if count == 2:
        return last(a, b, x)
    a, b = step(c[(count - 3) % count], a, b, x, count - 1)
    if count == 3:
        return last(a, b, x)
    a, b = step(c[(count - 4) % count], a, b, x, count - 2)
    for i in range(5, count + 1):
        a, b = step(c[-i], a, b, x, count + 2 - i)
    return last(a, b, x)


def _sum(a: Any, b: Any, x: Any) -> Any:
    return a + b * x


def _chebyshev(c: Any, a: Any, b: Any, x: Any, degree: int) -> tuple[Any, Any]:
    return c - b, a + b * (2 * x)


@decomposes(chebyshev.chebval)
def chebval(x: Any, c: Any, tensor: Any = True) -> Any:
    """Evaluate a Chebyshev series."""
    return _values(x, c, tensor, _chebyshev, _sum)


def _legendre(c: Any, a: Any, b: Any, x: Any, degree: int) -> tuple[Any, Any]:
    return c - b * ((degree - 1) / degree), a + b * x * ((2 * degree - 1) / degree)


@decomposes(legendre.legval)
def legval(x: Any, c: Any, tensor: Any = True) -> Any:
    """Evaluate a Legendre series."""
    return _values(x, c, tensor, _legendre, _sum)


def _hermite(c: Any, a: Any, b: Any, x: Any, degree: int) -> tuple[Any, Any]:
    return c - b * (2 * (degree - 1)), a + b * (x * 2)


def _sum_of_hermite(a: Any, b: Any, x: Any) -> Any:
    return a + b * (x * 2)


@decomposes(hermite.hermval)
def hermval(x: Any, c: Any, tensor: Any = True) -> Any:
    """Evaluate a (physicists') Hermite series."""
    return _values(x, c, tensor, _hermite, _sum_of_hermite)


def _hermite_e(c: Any, a: Any, b: Any, x: Any, degree: int) -> tuple[Any, Any]:
    return c - b * (degree - 1), a + b * x


@decomposes(hermite_e.hermeval)
def hermeval(x: Any, c: Any, tensor: Any = True) -> Any:
    """Evaluate a (probabilists') Hermite series."""
    return _values(x, c, tensor, _hermite_e, _sum)


def _laguerre(c: Any, a: Any, b: Any, x: Any, degree: int) -> tuple[Any, Any]:
    return c - (b * (degree - 1)) / degree, a + (b * ((2 * degree - 1) - x)) / degree


def _sum_of_laguerre(a: Any, b: Any, x: Any) -> Any:
    return a + b * (1 - x)


@decomposes(laguerre.lagval)
def lagval(x: Any, c: Any, tensor: Any = True) -> Any:
    """Evaluate a Laguerre series."""
    return _values(x, c, tensor, _laguerre, _sum_of_laguerre)
