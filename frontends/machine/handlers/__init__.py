"""Handlers of the neutral instructions, by family; importing this package fills the table."""

from . import calls, indexing, loops, names, operators, stack

__all__ = ["calls", "indexing", "loops", "names", "operators", "stack"]
