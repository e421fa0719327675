"""Frontends: the decorator, the frame hook and the symbolic machine, which capture functions."""
