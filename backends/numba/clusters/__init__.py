"""Clusters: elementwise nodes, and reductions of their results, in one pass over memory."""
