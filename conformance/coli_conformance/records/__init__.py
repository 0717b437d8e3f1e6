"""Agreeing a new record type: its proposal, the rules it keeps, the evidence for it, and its way into the registry."""
