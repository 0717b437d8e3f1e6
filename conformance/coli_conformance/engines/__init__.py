"""How the suite reaches an engine: transports play cases against it and hand back what was seen."""
