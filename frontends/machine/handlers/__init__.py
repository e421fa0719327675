"""Handlers of the neutral instructions, by family; importing this package fills the table."""

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
    "objects",
    "operators",
    "stack",
]
