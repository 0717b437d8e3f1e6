"""Reports: what a run found, for a person at a terminal and for programs. They know results, not engines."""
