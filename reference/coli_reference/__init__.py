"""The smallest honest engine, in plain functions that read like the contract; beside it the old reader."""
