"""What surrounds every test of this package: a mark on all that an engine starts, and a look at what is left of it."""

from tests.leftovers import mark, roles, temporary  # noqa: F401 - fixtures of every test here
