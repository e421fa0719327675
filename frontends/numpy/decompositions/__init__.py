"""Decompositions: functions of NumPy and builtins in plain Python that the machine can capture.

Results and errors are NumPy's. For arguments where that is uncertain they raise
NotImplementedError, and the original function is called.
"""

from . import (
    calling,
    computing,
    finding,
    hashed_dicts,
    heaps,
    linear_algebra,
    lists,
    numpy_functions,
    products,
    quantiles,
    queues,
    series,
    sets,
    sorting,
    transforms,
    walking,
)
from .numpy_functions import decomposed_class

__all__ = [
    "calling",
    "computing",
    "decomposed_class",
    "finding",
    "hashed_dicts",
    "heaps",
    "linear_algebra",
    "lists",
    "numpy_functions",
    "products",
    "quantiles",
    "queues",
    "series",
    "sets",
    "sorting",
    "transforms",
    "walking",
]
