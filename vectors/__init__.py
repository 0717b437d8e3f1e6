"""The generated cases, committed as data."""
