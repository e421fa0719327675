"""The run time of a function: manager, segments, capture points, entries, and their captures."""
