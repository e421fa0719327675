"""Numbers with which a kernel records if loop iterations have assigned a local: inputs of HALTED.

An exit to the header of a halted loop does not store locals that no iteration reads. Eager, which
continues there, gets them back if the iterations that it repeats assign each local that was bound.
"""

NEVER = 0
"""Unbound unless an iteration assigns it, and none has yet."""
BEFORE = 1
"""Bound before the last point at which the kernel recorded that the loop may be halted."""
SINCE = 2
"""Assigned by an iteration since that point."""
