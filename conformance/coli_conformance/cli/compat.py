"""`coli-conformance compat`: what binaries already shipped make of a file, or of all that an engine writes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.cli.engine_and_dims import asked_for
from coli_conformance.cli.engine_choice import DEFAULT_TIMEOUT, EngineChoice, chosen
from coli_conformance.compat import given
from coli_conformance.compat.compiled import LoopError, compiled_readers
from coli_conformance.compat.dense_block import dense_block
from coli_conformance.compat.examined import examine
from coli_conformance.compat.readers import Reader, modelled
from coli_conformance.compat.shown import dense_lines, history_lines
from coli_conformance.compat.shown_engine import engine_lines
from coli_conformance.compat.written import play, saving
from coli_conformance.engines.transport import EngineUnusable
from coli_conformance.reports import lines
from coli_conformance.score import NO_ENGINE, USAGE
from coli_reference.identity import engine_id
from coli_spec.model import Dimensions

_COMMAND = "coli_conformance.compat.command"
"""Where the words after `--` are kept: click itself does not tell them from those before."""


class _FilesOrCommand(click.Command):
    """A command that takes files, or a driver's command after `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put aside the words from the first `--` on, and parse the others."""
        at = args.index("--") if "--" in args else None
        ctx.meta[_COMMAND] = None if at is None else tuple(args[at + 1 :])
        return super().parse_args(ctx, args if at is None else args[:at])


@click.command("compat", cls=_FilesOrCommand)
@click.option("--engine", "engine_name", metavar="NAME", help="The registered engine whose binaries read the files.")
@click.option("--dims", metavar="LxE", help="Its layers and experts. [default: the engine's, else the file's own]")
@click.option("--compiled", is_flag=True, help="Also ask the loop itself, compiled with each compiler that is here.")
@click.argument("paths", metavar="FILE... | -- COMMAND [ARG...]", nargs=-1, type=click.Path(path_type=Path))
@click.pass_context
def command(
    context: click.Context, engine_name: str | None, dims: str | None, compiled: bool, paths: tuple[Path, ...]
) -> int:
    """Say what binaries already shipped make of history files, or of every history that an engine writes.

    Their loop is while(fscanf(f,"%d %d %u",&l,&e,&c)==3) if(l>=0 && ...). It is modelled as measured on four platforms:
    64-bit long, musl, 32-bit long, Windows; with --compiled it is built and run as well. What it recovers is held
    against what the lines mean, each for itself. After -- stands a driver command: every case that saves is played, and
    every history it wrote is read.

    \b
    Exit status:
      0  every old reader recovers what is meant
      1  one does not, on ground that C defines
      2  wrong usage, a file that cannot be read, or an engine that wrote no history
      3  the engine did not start, did not speak the protocol or claimed no role, or the run was given up
      4  a fault of the suite itself

    A number outside its C type, and a header record that an older build's save erases, are told and not counted.
    """
    words: tuple[str, ...] | None = context.meta[_COMMAND]
    if words is not None and (paths or engine_name or dims):
        raise click.UsageError("files, --engine and --dims do not go with a driver command; its cases say all that.")
    if not paths and not words:
        raise click.UsageError("nothing to read; name files, or a driver command as `-- COMMAND [ARG...]`.")
    asked = _dimensions(engine_name, dims)
    with ExitStack() as stack:
        readers = modelled()
        if compiled:
            built, absent = stack.enter_context(compiled_readers())
            readers += built
            for sentence in absent:
                click.echo(f"not compiled: {sentence}.", err=True)
        try:
            if words is not None:
                return _engine(chosen(words, None, None, None, None, DEFAULT_TIMEOUT), readers)
            return _files(paths, readers, asked, engine_id(engine_name) if engine_name else None)
        except LoopError as error:
            raise Complaint(f"{error}; leave out --compiled to ask the models alone.", USAGE) from error


def _dimensions(engine_name: str | None, dims: str | None) -> Dimensions | None:
    """Return the dimensions that the options ask for, or None where the file itself says them."""
    asked = asked_for(engine_name, dims)
    if len(asked.sizes) > 1:
        raise click.UsageError(f"{engine_name} has models of {asked.sizes_text}; choose one with --dims.")
    return asked.only_size


def _files(paths: Sequence[Path], readers: Sequence[Reader], asked: Dimensions | None, identity: int | None) -> int:
    width = lines.width_of(sys.stdout)
    differs = False
    for path in paths:
        try:
            data = given.read(path)
        except given.FileError as error:
            raise Complaint(str(error), USAGE) from error
        block = dense_block(data)
        if block is not None:
            differs |= block.differs
            lines.write(dense_lines(str(path), block, width), sys.stdout)
            continue
        (examined,) = examine([data], readers, asked, identity)
        differs |= examined.differs
        lines.write(history_lines(str(path), examined, width), sys.stdout)
    return 1 if differs else 0


def _engine(choice: EngineChoice, readers: Sequence[Reader]) -> int:
    from coli_conformance.corpus import vectors  # noqa: PLC0415 - files need no cases

    with complaints():
        cases, _ = vectors.committed()
    try:
        with choice.open() as transport:
            files, finished = play(transport, saving(cases))
    except EngineUnusable as error:
        raise Complaint(str(error), NO_ENGINE) from error
    if finished.gave_up is not None:
        raise Complaint(finished.gave_up, NO_ENGINE)
    if not files:
        raise Complaint(
            f"{finished.engine.name} wrote no history, so nothing was verified; a driver that writes them claims the "
            "role save and answers `save PATH` with ok.",
            USAGE,
        )
    contents = list(dict.fromkeys(file.data for file in files))
    examined = dict(zip(contents, examine(contents, readers, None, None), strict=True))
    width = lines.width_of(sys.stdout)
    lines.write(engine_lines(finished.engine.name, files, examined, readers, choice.reproduce, width), sys.stdout)
    return 1 if any(one.differs for one in examined.values()) else 0
