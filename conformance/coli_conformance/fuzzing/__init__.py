"""Searches for a difference between an engine and the contract, and the smallest session that shows it."""
