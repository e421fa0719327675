"""Branches, loops and calls: the ways through a frame, and what stands where ways meet."""
