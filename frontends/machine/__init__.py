"""The symbolic machine: executes bytecode on symbolic values and records a graph."""
