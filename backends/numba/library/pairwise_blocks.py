"""Sizes by which NumPy splits a line of floats to sum it; pairwise.py tests that it does so."""

LANES = 8
"""Number of sums kept side by side; fewer numbers are added one by one."""
MOST = 128
"""Longest line that is summed without halving."""
