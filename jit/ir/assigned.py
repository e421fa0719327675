"""Numbers that say whether turns of a loop have assigned a local: inputs of HALTED.

An exit to the header of a halted loop does not hand on locals that no turn reads. Eager that goes
on there comes to have them all if the turns that it repeats assign each that was assigned before.
"""

NEVER = 0
"""It is unbound as long as no turn has assigned it, and none has."""
BEFORE = 1
"""It has been bound before the last place where the kernel noted that the loop may be halted."""
SINCE = 2
"""A turn has assigned it since."""
