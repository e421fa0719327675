"""How NumPy parts lines of floats that it adds up; pairwise.py asks whether it does so."""

LANES = 8
"""Sums side by side; fewer numbers are added up one by one."""
MOST = 128
"""Numbers that are added up without halving the line."""
