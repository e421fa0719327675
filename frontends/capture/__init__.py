"""The symbolic machine: executes bytecode on symbolic values and records a graph.

The folders are storeys: values < state < objects < arrays < `frontends/numpy` < flow < handlers.
"""
