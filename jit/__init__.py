"""What a program is, and what may be done to it: the engine."""
