"""Python objects: lists, dicts, attributes, objects of user classes, and identity."""
