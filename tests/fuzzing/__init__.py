"""NumPy programs that Hypothesis writes, and their comparison with eager."""

from fuzzing.comparing import FUSED, Fuzzer, Tally, compare
from fuzzing.expressions import CALLS
from fuzzing.programs import Program, programs

__all__ = ["CALLS", "FUSED", "Fuzzer", "Program", "Tally", "compare", "programs"]
