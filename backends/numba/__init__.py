"""The default backend: writes readable kernels with fused loops, compiled by Numba and LLVM."""
