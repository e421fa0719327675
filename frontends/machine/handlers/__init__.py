"""Handlers of the neutral instructions, by family; importing this package fills the table."""

from . import calls, names, operators, stack

__all__ = ["calls", "names", "operators", "stack"]
