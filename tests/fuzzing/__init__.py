"""NumPy programs that Hypothesis writes, and their comparison with eager."""

from fuzzing.comparing import FUSED, Fuzzer, Tally, compare
from fuzzing.programs import Program, programs

__all__ = ["FUSED", "Fuzzer", "Program", "Tally", "compare", "programs"]
