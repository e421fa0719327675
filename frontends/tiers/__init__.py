"""Decides when code is captured and compiled: accounts of time, sites, and the ledger on disk."""

PERIOD = 0.004
"""Seconds between two samples of a program's stack."""
