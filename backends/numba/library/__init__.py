"""Functions that the text of a kernel may call, written for Numba and LLVM, with NumPy's bits."""
