"""Makes the records of a report from a function's manager and journal."""
