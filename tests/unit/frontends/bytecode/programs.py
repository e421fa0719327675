"""Hand-written functions that between them use every kind of bytecode, and arguments for each.

`PROGRAMS` is a list of (function, calls); a call is a tuple of arguments.  Arguments are made
anew for each run, because some functions change them.  All of them are deterministic.
"""

from __future__ import annotations

import programs_flow
import programs_more
import programs_scopes
from program_list import PROGRAMS, arguments

__all__ = ["PROGRAMS", "arguments", "programs_flow", "programs_more", "programs_scopes"]
