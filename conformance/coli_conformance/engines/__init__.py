"""Ways to reach an engine: a process for each case, one process for many, a Python class."""
