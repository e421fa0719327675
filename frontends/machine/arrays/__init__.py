"""Arrays on the symbolic stack: windows, places, stores, and whose memory it is."""
