"""Engines that are wrong on purpose, each in one way, so that the suite itself can be held to what it claims to catch."""
