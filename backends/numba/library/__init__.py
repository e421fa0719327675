"""What the text of a kernel may call: functions for Numba and LLVM, each with NumPy's own bits."""
