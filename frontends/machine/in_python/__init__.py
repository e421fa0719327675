"""Functions of NumPy and builtins in plain Python that can be followed, where their own cannot.

What they give and refuse is NumPy's: an argument for which that is not sure raises here, and the
function itself is called. `NotImplementedError` stands for all that is left to it.
"""

from . import (
    calling,
    computing,
    finding,
    linear_algebra,
    numpy_functions,
    products,
    quantiles,
    series,
    transforms,
    walking,
)
from .numpy_functions import class_in_place_of
from .table import OURS, is_ours

__all__ = [
    "OURS",
    "calling",
    "class_in_place_of",
    "computing",
    "finding",
    "is_ours",
    "linear_algebra",
    "numpy_functions",
    "products",
    "quantiles",
    "series",
    "transforms",
    "walking",
]
