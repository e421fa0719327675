"""The reference backend: runs a graph op by op with NumPy, as the op table defines it."""

from .backend import NumpyBackend

__all__ = ["NumpyBackend"]
