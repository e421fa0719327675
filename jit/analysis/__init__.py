"""Analyses of graphs: one solver over values and regions, a module for each kind of facts."""
