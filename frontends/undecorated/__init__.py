"""Functions that nobody decorated: how they are found, judged and captured."""
