"""Scalars in kernels: how they are computed, and facts about them known before the kernel runs."""
