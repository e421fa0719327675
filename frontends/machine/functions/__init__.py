"""What calls of functions and methods of NumPy and SciPy mean to the graph."""
