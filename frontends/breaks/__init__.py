"""Graph breaks, explained: the registry of codes, with causes, programs and hints."""
