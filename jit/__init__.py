"""The engine: graphs, passes, the C core, and what drives and configures them."""
