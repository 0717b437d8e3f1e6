"""The judge: a case and what was seen of an engine go in, a result comes out. It never talks to an engine."""
