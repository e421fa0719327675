"""When compiled code may be reused: sources, guards, and the program that C checks."""
