"""Arrays of the machine: views, stores, advanced indices, and ownership of memory."""
