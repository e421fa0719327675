"""Translates code objects to one neutral instruction set and back, and rewrites code in place.

Importing `bytecode.version` on a CPython without a table raises `UnsupportedPythonError`, an
`ImportError`: the caller then runs everything eagerly.
"""
