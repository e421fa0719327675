"""Symbolic values, what they are called, and what can be said of them without a machine."""
