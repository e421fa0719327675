"""Backends: they compile graphs to kernels."""
