"""Handlers of the neutral instructions, by family; importing this package fills the tables."""

from .. import numpy_dtypes, numpy_writes
from . import (
    attributes,
    builtins,
    calls,
    collections,
    containers,
    displays,
    indexing,
    iteration,
    matching,
    methods,
    names,
    objects,
    operators,
    stack,
)

__all__ = [
    "attributes",
    "builtins",
    "calls",
    "collections",
    "containers",
    "displays",
    "indexing",
    "iteration",
    "matching",
    "methods",
    "names",
    "numpy_dtypes",
    "numpy_writes",
    "objects",
    "operators",
    "stack",
]
