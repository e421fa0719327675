"""Entries on disk: later processes load the captures of earlier ones instead of capturing anew.

`writing.py` stores entries at the end of a process; `reading.py` loads them at the first call of
the function. Objects are stored by name (`names.py`), resolved (`resolving.py`) and compared by
their contents (`fingerprints.py`): never by files or times.
"""
