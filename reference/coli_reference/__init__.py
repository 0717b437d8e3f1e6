"""The smallest honest engine: what the contract asks, and nothing else."""
