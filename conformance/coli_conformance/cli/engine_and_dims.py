"""The options `--engine NAME` and `--dims LxE`: which engine and which dimensions files are held against."""

from __future__ import annotations

import re

import click

import coli_spec
from coli_conformance.check.asked import Asked, is_possible
from coli_conformance.selection import nearest
from coli_spec.model import Dimensions

_DIMENSIONS = re.compile(r"([0-9]{1,10})x([0-9]{1,10})", re.ASCII)


def asked_for(engine_name: str | None, dims: str | None) -> Asked:
    """Return what the options ask for; an engine alone asks for any of the dimensions its models are known to have.

    Raises click.UsageError for a name that is not registered, and for dimensions that are none.
    """
    sizes: tuple[Dimensions, ...] = ()
    if engine_name is not None:
        engine = coli_spec.load().engine(engine_name)
        if engine is None:
            names = [engine.name for engine in coli_spec.load().engines]
            raise click.UsageError(f"no engine called {engine_name!r} is registered. {nearest(engine_name, names)}")
        sizes = engine.dimensions
    if dims is not None:
        found = _DIMENSIONS.fullmatch(dims)
        if found is None or not is_possible(int(found[1]), int(found[2])):
            raise click.UsageError(f"--dims {dims!r} are no model's; write layers, x, experts, such as 78x256.")
        sizes = (Dimensions(int(found[1]), int(found[2])),)
    return Asked(engine_name, sizes)
