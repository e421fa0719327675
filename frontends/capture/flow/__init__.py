"""Control flow: branches, loops and calls, and merged values where paths meet."""
