"""Tests of the interop matrix, with a browser and the writers of each generation to play it with."""
