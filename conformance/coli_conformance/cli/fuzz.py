"""`coli-conformance fuzz`: search for inputs to which an engine does not do what the contract asks."""

from __future__ import annotations

import math
import os
import sys
import tempfile
from pathlib import Path
from random import SystemRandom

import click

from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.cli.driver_command import DriverCommand
from coli_conformance.cli.engine_choice import WRAP_EXAMPLE, EngineChoice, chosen
from coli_conformance.engines.transport import EngineUnusable
from coli_conformance.score import NO_ENGINE, USAGE

DEFAULT_CORPUS = Path(".coli-fuzz")
SHORT_TIMEOUT = 2.0
"""Seconds that one input may take; it is small, and an engine that hangs in many would leave no time for the rest."""
_DEFAULT_SECONDS = 60.0
_IN_MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: files made, read and removed are most of the work of an input."""


@click.command("fuzz", cls=DriverCommand, context_settings={"allow_interspersed_args": False})
@click.option("--engine", "python_class", metavar="KIND:MODULE:CLASS", help="A Python engine, as for `run`.")
@click.option("--manifest", "manifest_path", type=click.Path(path_type=Path), help="A coli-engine.yaml, as for `run`.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, max=1_000_000),
    metavar="S",
    help="Search for so long; to shrink what was found takes 25 seconds more at most. [default: 60, and no limit where "
    "--count is given]",
)
@click.option("--count", type=click.IntRange(min=0), metavar="N", help="Search through so many inputs.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Where the inputs come from. [default: any]")
@click.option(
    "--corpus",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEFAULT_CORPUS,
    show_default=True,
    metavar="DIR",
    help="What was found is saved here, and tried first.",
)
@click.option("--strict", is_flag=True, help="A broken should counts, too.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes at a time. [default: the cores]")
@click.option(
    "--timeout", type=float, default=SHORT_TIMEOUT, show_default=True, metavar="S", help="Seconds for an input."
)
@click.option("--wrap", metavar="COMMAND", help=f"Put before the driver's command, such as {WRAP_EXAMPLE!r}.")
@click.argument("command_words", metavar="-- COMMAND [ARG...]", nargs=-1, type=click.UNPROCESSED)
def command(
    python_class: str | None,
    manifest_path: Path | None,
    seconds: float | None,
    count: int | None,
    seed: int | None,
    folder: Path,
    strict: bool,
    jobs: int | None,
    timeout: float,
    wrap: str | None,
    command_words: tuple[str, ...],
) -> int:
    """Search for inputs to which an engine does not do what the contract asks.

    Made up are histories, sound ones and ones with bytes changed, IKU1 blocks, texts derived from the grammar, and
    whole sessions. Of a sound input it is known what must be seen; of any other it is asked that the engine survives
    (R17), keeps its bounds, and credits no number that does not stand there (R21, R23). The reference engine has to do
    what is expected before another one is blamed. A difference is shrunk, for 10 seconds at most, shown like a failing
    case, and saved.

    A driver that claims `reusable` is searched many times faster.

    \b
    Exit status:
      0  no difference in a must was found
      1  one was found (with --strict in a should), or state leaks from session to session
      2  wrong usage, or nothing can be asked of this engine
      3  the engine did not start, did not speak the protocol or claimed no role
      4  a fault of the suite itself
    """
    choice = chosen(command_words, python_class, manifest_path, wrap, jobs, timeout)
    if seconds is not None and math.isnan(seconds):
        raise click.UsageError("--seconds nan is no number of seconds.")
    if seconds is None and count is None:
        seconds = _DEFAULT_SECONDS
    if seed is None:
        seed = SystemRandom().randrange(1 << 32)
    work_in_memory()
    with complaints():
        return _searched(choice, seconds, count, seed, folder, strict)


def _searched(
    choice: EngineChoice, seconds: float | None, count: int | None, seed: int, folder: Path, strict: bool
) -> int:
    # Imported here, as `--help` needs nothing of these.
    from coli_conformance.cli.shrink import again  # noqa: PLC0415
    from coli_conformance.fuzzing import outcome, shown  # noqa: PLC0415
    from coli_conformance.fuzzing.progress import SearchProgress  # noqa: PLC0415
    from coli_conformance.fuzzing.search import NothingToAskError, search  # noqa: PLC0415
    from coli_conformance.fuzzing.source import entries  # noqa: PLC0415
    from coli_conformance.reports import lines  # noqa: PLC0415

    width = lines.width_of(sys.stdout)
    try:
        with choice.open() as transport, SearchProgress(sys.stderr, seconds, count) as progress:
            lines.write(shown.head_lines(transport.description.roles, seed, width), sys.stdout)
            found = search(
                transport,
                entries(seed, choice.target),
                seconds=seconds,
                count=count,
                folder=folder,
                on_input=progress.on_input,
            )
    except EngineUnusable as error:
        raise Complaint(str(error), NO_ENGINE) from error
    except NothingToAskError as error:
        raise Complaint(str(error), USAGE) from error
    symbols = lines.is_colourful(sys.stdout)
    lines.write(shown.difference_lines(found.differences, again(choice, folder), width, symbols), sys.stdout)
    lines.write(shown.foot_lines(found, folder, width), sys.stdout)
    return outcome.exit_status(found, strict)


def work_in_memory() -> None:
    """Let the working folders be in memory, unless the user has said where temporary files go."""
    if "TMPDIR" not in os.environ and _IN_MEMORY.is_dir() and os.access(_IN_MEMORY, os.W_OK):
        tempfile.tempdir = str(_IN_MEMORY)
