"""The suite that holds an engine to the contract."""

__version__ = "0.1.0"
