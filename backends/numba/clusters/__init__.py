"""Clusters: elementwise nodes, and reductions of what these make, in one pass over memory."""
