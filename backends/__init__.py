"""Backends: how a graph is computed."""
