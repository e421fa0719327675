"""Single numbers: how they are computed, and what is known of them before the kernel runs."""
