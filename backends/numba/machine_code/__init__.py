"""From the text of a kernel to code that can be called: Numba, and what is kept on disk."""
