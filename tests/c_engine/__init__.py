"""Tests of what is written in C: the engine, the old reader and the driver kits."""
