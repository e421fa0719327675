"""Guards: conditions on live-ins under which a cache entry is valid, packed as a program for C."""
