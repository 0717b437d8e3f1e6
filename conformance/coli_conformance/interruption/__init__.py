"""Saves that are interrupted (W16, W17), two savers at once (W24), and what saves and loads cost as files grow."""
