"""All questions by which kernels find out whether the installed NumPy computes as they do.

Each is asked where its answer is needed, and cached. Here all are asked at once, for `doctor`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy._core import umath

from ...jit.native import reads_errstate
from ...jit.numpy_versions import is_tested, untested
from .clusters.pairwise import adds_pairwise
from .library import libm_proofs, numpys_tanh
from .native import NATIVE, row_of
from .nodes.accumulations import is_running
from .nodes.searches import is_known as knows_searches
from .proofs import holds

DTYPES = tuple(map(np.dtype, "?bhilBHILfd"))
DOUBLE = np.dtype(np.float64)


def answers() -> Iterator[tuple[str, bool]]:
    """Yield what kernels compute themselves, and True where they get NumPy's answers."""
    for name in NATIVE:
        ufunc = getattr(umath, name)
        for dtype in DTYPES:
            row = row_of(ufunc, (dtype,) * ufunc.nin)
            if row is not None:
                yield f"{name} of {dtype}", holds(ufunc, row, dtype)
    for ufunc in libm_proofs.NAMES:
        number = libm_proofs.loop_of_doubles(ufunc)
        yield f"{ufunc.__name__} of {DOUBLE}", libm_proofs.is_known(ufunc, number)
    yield f"tanh of {DOUBLE}", numpys_tanh.is_known()
    for dtype in (DOUBLE, np.dtype(np.float32)):
        yield f"sum of {dtype}", adds_pairwise(dtype)
        yield f"cumsum of {dtype}", is_running(np.add, dtype)
    yield "searchsorted", knows_searches()
    yield "reading np.errstate", reads_errstate()


def summary() -> str:
    """Return what kernels leave to NumPy, with the reason if this NumPy is a new one."""
    asked = [*answers()]
    left = [name for name, is_same in asked if not is_same]
    text = f"{len(asked) - len(left)} of {len(asked)} hold"
    if left:
        text += f"; kernels leave to NumPy: {', '.join(left)}"
    return text if is_tested() else f"{text}. {untested()}"
