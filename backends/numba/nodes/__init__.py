"""Code for nodes outside clusters; each module registers the writers of some ops.

The backend imports all of them.
"""
