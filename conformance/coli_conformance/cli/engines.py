"""`coli-conformance engines`: the registered names, and what a new name runs into."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

import coli_spec
from coli_conformance.escape import shown_text
from coli_reference.identity import engine_id

_NAME = re.compile(r"[a-z0-9_]{1,63}", re.ASCII)
"""What the driver protocol lets a name be made of."""


@click.group("engines")
def command() -> None:
    """The registered engine names and their ids; whether a new name is free."""


@command.command("list")
def list_names() -> None:
    """List the registered names with ids (FNV-1a of the name, clause W07) and known dimensions."""
    for engine in coli_spec.load().engines:
        dimensions = " ".join(known.text for known in engine.dimensions) or "-"
        history = "" if engine.history else "  keeps no history"
        click.echo(
            f"{engine.name:<14} {engine_id(engine.name):>10}  {dimensions:<17} {engine.models}{history}".rstrip()
        )


@command.command("check")
@click.argument("name")
@click.pass_context
def check_name(context: click.Context, name: str) -> None:
    """Say what id a new name has, and whether anything stands against it (exit status 1)."""
    problems = list(problems_of(name))
    if _NAME.fullmatch(name):
        click.echo(f"{name}: id {engine_id(name)}, 0x{engine_id(name):08x} (FNV-1a, 32 bits, over the name: W07)")
        for note in notes_on(engine_id(name)):
            click.echo(f"note: {note}")
    for problem in problems:
        click.echo(f"error: {problem}", err=True)
    if not problems:
        click.echo("Nothing stands against it.")
    context.exit(1 if problems else 0)


def problems_of(name: str) -> Iterator[str]:
    """Yield a sentence for each reason why `name` cannot be the name of a new engine (W07)."""
    if not _NAME.fullmatch(name):
        yield (
            f"{shown_text(repr(name))} is no name: one to 63 of the characters a to z, 0 to 9 and _ are. The id is a "
            "hash of the bytes, so another letter case or a blank makes another engine."
        )
        return
    if coli_spec.load().engine(name) is not None:
        yield f"{name} is registered already; whoever takes it would read the other's histories as its own (R05)."
        return
    number = engine_id(name)
    for engine in coli_spec.load().engines:
        if engine_id(engine.name) == number:
            yield (
                f"{name} has the id of the registered engine {engine.name}, {number}: each would read the other's "
                "histories as its own (R05). Choose another name."
            )
    if number == _iku1_magic():
        yield f"{name} has the id {number}, the first four bytes of every IKU1 file (I02). Choose another name."


def notes_on(number: int) -> Iterator[str]:
    """Yield what is worth knowing about an id, in 0..4294967295, that stands in the third field (R16)."""
    second, third = coli_spec.load().fields[1:]
    if number in (third.minimum, second.maximum, second.maximum + 1, third.maximum):
        yield f"{number} is at a boundary of the field types; readers go wrong there first (R16)."
    if not second.holds(number):
        yield (
            f"the id is above {second.maximum}: it fits the third field alone, and a reader that keeps it in a signed "
            "32-bit variable refuses its own history (R16)."
        )


def _iku1_magic() -> int:
    from coli_spec import iku1  # noqa: PLC0415 - construct takes time to import

    return iku1.MAGIC
