"""What binaries already shipped make of a file: recovered, invented, changed and lost records (W15, G05, G06)."""
