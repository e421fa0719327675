"""Arrays: nodes of the graph, arguments of calls, views and stores."""
