"""Handlers of the neutral instructions, by family; importing this package fills the table."""

from . import builtins, calls, indexing, loops, names, operators, stack

__all__ = ["builtins", "calls", "indexing", "loops", "names", "operators", "stack"]
