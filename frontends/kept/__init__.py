"""Entries on disk: what C runs of a function, for later processes, which then capture nothing.

`writing.py` puts down at the end of a process what was captured in it; `reading.py` brings it back
at the first call of the function. Objects are put down by name (`names.py`), found again
(`resolving.py`) and compared by what they are (`fingerprints.py`): never by files or times.
"""
