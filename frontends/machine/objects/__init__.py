"""Python's objects on the symbolic stack: lists, dicts, objects of the user's classes."""
