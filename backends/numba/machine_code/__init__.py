"""Turns the text of kernels into machine code, with Numba and LLVM, and keeps it on disk."""
