"""Calls of functions and methods of NumPy and SciPy: rows, probes, opaque calls."""
