"""Graph breaks, explained: the registry of codes, with causes and programs, and hints."""
