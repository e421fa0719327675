"""The symbolic machine: runs bytecode on symbolic values and records a graph."""
