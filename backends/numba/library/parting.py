"""How NumPy splits lines of floats that it sums; pairwise.py tests that it does so."""

LANES = 8
"""Number of sums kept side by side; fewer numbers are added one by one."""
MOST = 128
"""Longest line that is summed without halving."""
