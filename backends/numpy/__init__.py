"""The reference backend: op by op with NumPy, exactly what the op table says."""

from .backend import NumpyBackend

__all__ = ["NumpyBackend"]
