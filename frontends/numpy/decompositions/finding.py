"""Functions that find indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...capture.values.python_bodies import decomposes


@decomposes(np.nonzero, np.ndarray.nonzero, np.where)
def nonzero(a: Any) -> Any:
    """Return the indices at which a matrix is true, as columns of one array."""
    if not isinstance(a, np.ndarray) or a.ndim != 2:
        raise NotImplementedError
    columns = a.shape[1]
    if columns < 1:
        raise NotImplementedError
    (places,) = np.nonzero(a.reshape(-1))
    if len(places) < 1:  # an array without rows has other strides than NumPy's
        raise NotImplementedError
    found = np.empty((len(places), 2), np.intp)
    found[:, 0] = places // columns
    found[:, 1] = places % columns
    return found[:, 0], found[:, 1]
