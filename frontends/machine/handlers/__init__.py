"""Handlers of the neutral instructions, by family; importing this package fills the tables."""

from .. import numpy_dtypes, numpy_writes
from . import (
    attributes,
    bodies,
    builtins,
    calls,
    collections,
    containers,
    displays,
    indexing,
    iteration,
    joins,
    matching,
    methods,
    names,
    objects,
    operators,
    quiet,
    stack,
)

__all__ = [
    "attributes",
    "bodies",
    "builtins",
    "calls",
    "collections",
    "containers",
    "displays",
    "indexing",
    "iteration",
    "joins",
    "matching",
    "methods",
    "names",
    "numpy_dtypes",
    "numpy_writes",
    "objects",
    "operators",
    "quiet",
    "stack",
]
