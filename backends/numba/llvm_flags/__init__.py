"""Keeps LLVM from losing the floating point flags that eager reports as warnings.

NumPy reads the processor's flags after each of its loops. A kernel reads them once, after many
operations, and to LLVM no instruction has flags as a result. So it is free to

- compute an operation at compile time, if it knows all operands: no flag is ever raised;
- drop an operation whose result nobody reads, or needs for some elements only, as with `np.where`;
- move an operation across code that reads, saves or clears flags, or out of the loop or branch that
  it belongs to;
- know the result without the operation: NaN and anything is NaN.

Three tricks prevent that, where an operation needs it and only there, as they hinder LLVM. A number
that goes through an empty statement of assembly is unknown to LLVM: *hidden* if the statement may
be moved or dropped, *pinned* if it has to be executed where it is (`library/intrinsics.py`).
Results whose computation only must not be dropped are *gathered*: their bits are combined into one
variable, which is pinned after the loop, so that the loop itself can be vectorised. And where one
operand has to be unknown, a hidden -0.0 is *added*, which changes no number.

Which operations need a trick:

- `constant_to_llvm` finds floats of which LLVM may know some values, and NaN in particular;
- `clearing` finds operations next to code that reads or clears flags;
- `flag_barriers` finds numbers that LLVM computes anyway, since a store in a loop depends on them;
- `magnitudes` finds operations of clusters that cannot raise a flag, whatever LLVM knows.

Which trick is applied:

- `scalar_results` pins, hides or gathers operands and results of operations on single numbers;
- `deferred_checks` checks once after an innermost loop what was gathered, and overflow of ints;
- `folding` adds -0.0 to operands in clusters, where LLVM may know all;
- `forced_results` gathers results of clusters that LLVM could skip for some elements.

What each of them costs, and the programs that lost warnings without it: docs/decisions/flags.md.
How flags get to the lines of the program is another matter: `attribution.py` and `trapped.py`.
"""
