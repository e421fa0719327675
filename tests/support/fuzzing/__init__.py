"""Programs that a seed writes, and their comparison with eager.

`rules`: programs of Python's features around arrays; `arrays`: of array expressions of every dtype
and layout; `calls`: of one call, right or wrong; `tables`: of one nearly right call of a function
that the machine has a row, a handler or a decomposition for; `modules`: those of `rules` with their
statements at module level.
"""

from fuzzing.array_programs import program_of_arrays
from fuzzing.by_rules import program_at_module_level, program_by_rules
from fuzzing.calls import program_of_a_call
from fuzzing.comparing import FUSED, Fuzzer, Tally, compare
from fuzzing.expressions import CALLS
from fuzzing.programs import Program
from fuzzing.table_calls import program_of_a_table

KINDS = {
    "rules": program_by_rules,
    "arrays": program_of_arrays,
    "calls": program_of_a_call,
    "tables": program_of_a_table,
    "modules": program_at_module_level,
}
"""The function that writes programs of each kind."""

__all__ = ["CALLS", "FUSED", "KINDS", "Fuzzer", "Program", "Tally", "compare", "program_by_rules"]
