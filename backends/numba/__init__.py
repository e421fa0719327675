"""The default backend: fused loops, compiled by Numba from text that can be read."""
