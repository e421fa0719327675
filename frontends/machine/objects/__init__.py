"""Python objects of the machine: lists, dicts, attributes and objects of user classes."""
