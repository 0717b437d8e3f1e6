"""Engines that misbehave, each a real process: what they cost, and what is left of them."""
