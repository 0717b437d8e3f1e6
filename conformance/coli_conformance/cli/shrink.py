"""`coli-conformance shrink`: the smallest input that makes an engine fail as it does in one case."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.cli.driver_command import DriverCommand
from coli_conformance.cli.engine_choice import DEFAULT_TIMEOUT, WRAP_EXAMPLE, EngineChoice, chosen
from coli_conformance.cli.fuzz import DEFAULT_CORPUS, SHORT_TIMEOUT, work_in_memory
from coli_conformance.engines.transport import EngineUnusable
from coli_conformance.score import FAILED, NO_ENGINE, USAGE

if TYPE_CHECKING:
    from coli_conformance.case import Case
    from coli_conformance.engines.transport import Transport
    from coli_conformance.fuzzing.search import Difference


_LONGEST = 30.0
"""Seconds that one case may take, three times as long as in a search, where others wait."""
_MOST_TRIES = 4000


@click.command("shrink", cls=DriverCommand, context_settings={"allow_interspersed_args": False})
@click.option("--engine", "python_class", metavar="KIND:MODULE:CLASS", help="A Python engine, as for `run`.")
@click.option("--manifest", "manifest_path", type=click.Path(path_type=Path), help="A coli-engine.yaml, as for `run`.")
@click.option("--case", "case_id", required=True, metavar="ID", help="A case of the corpus, or one saved by `fuzz`.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Look also among the fresh cases of N.")
@click.option(
    "--corpus",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEFAULT_CORPUS,
    show_default=True,
    metavar="DIR",
    help="Look also among what `fuzz` saved here, and save the smallest case here.",
)
@click.option(
    "--timeout", type=float, default=SHORT_TIMEOUT, show_default=True, metavar="S", help="Seconds for an input."
)
@click.option("--wrap", metavar="COMMAND", help=f"Put before the driver's command, such as {WRAP_EXAMPLE!r}.")
@click.argument("command_words", metavar="-- COMMAND [ARG...]", nargs=-1, type=click.UNPROCESSED)
def command(
    python_class: str | None,
    manifest_path: Path | None,
    case_id: str,
    seed: int | None,
    folder: Path,
    timeout: float,
    wrap: str | None,
    command_words: tuple[str, ...],
) -> int:
    """Make a failing case as small as it gets: fewer commands, records, smaller fields, fewer bytes.

    What must be seen of each smaller input follows from the contract. The smallest one that comes to the same verdict
    is shown and saved as a vector, and the next `fuzz` tries it first. After 30 seconds the smallest one found so far
    has to do; name that one as the case to go on.

    \b
    Exit status:
      0  the engine passes the case
      1  it fails, and the smallest case is shown
      2  wrong usage, no such case, or the case cannot be asked of this engine
      3  the engine did not start, did not speak the protocol or claimed no role
      4  a fault of the suite itself
    """
    choice = chosen(command_words, python_class, manifest_path, wrap, None, timeout)
    work_in_memory()
    with complaints():
        case = _case(case_id, choice, seed, folder)
        try:
            with choice.open() as transport:
                return _shrunk(case, transport, choice, folder)
        except EngineUnusable as error:
            raise Complaint(str(error), NO_ENGINE) from error


def again(choice: EngineChoice, folder: Path) -> Callable[[str], str]:
    """Return what gives the command, quoted for a shell, that plays and shrinks one case saved in `folder` again."""
    options = [] if folder == DEFAULT_CORPUS else ["--corpus", str(folder)]
    options += [] if choice.timeout == SHORT_TIMEOUT else ["--timeout", f"{choice.timeout:g}"]
    engine = replace(choice, timeout=DEFAULT_TIMEOUT).words()
    return lambda case_id: shlex.join(["coli-conformance", "shrink", "--case", case_id, *options, *engine])


def _case(case_id: str, choice: EngineChoice, seed: int | None, folder: Path) -> Case:
    """Return the case of that id: saved, committed or made for the engine, fresh, or a twin. Raises SelectionError."""
    # Imported here and below, as `--help` needs nothing of these.
    from coli_conformance.corpus import vectors  # noqa: PLC0415
    from coli_conformance.corpus.fresh import fresh  # noqa: PLC0415
    from coli_conformance.fuzzing.saved import saved  # noqa: PLC0415
    from coli_conformance.selection import select, select_twins  # noqa: PLC0415

    cases = saved(folder)
    if all(case.id != case_id for case in cases):
        if choice.target is not None:
            from coli_conformance.corpus.for_target import made_for  # noqa: PLC0415

            cases += made_for(choice.target)[0]
        else:
            cases += vectors.committed()[0]
        cases += fresh(seed) if seed is not None else ()
    chosen_cases = select(cases, [case_id]) or select_twins(cases, [case_id])
    if len(chosen_cases) != 1:
        raise Complaint(f"{case_id!r} matches {len(chosen_cases)} cases; name one.", USAGE)
    return chosen_cases[0]


def _shrunk(case: Case, transport: Transport, choice: EngineChoice, folder: Path) -> int:
    from coli_conformance.engines.playable import why_not  # noqa: PLC0415
    from coli_conformance.fuzzing import saved  # noqa: PLC0415
    from coli_conformance.fuzzing.asking import ask  # noqa: PLC0415
    from coli_conformance.fuzzing.progress import ShrinkProgress  # noqa: PLC0415
    from coli_conformance.fuzzing.search import Difference  # noqa: PLC0415
    from coli_conformance.fuzzing.shrinking import shrink  # noqa: PLC0415
    from coli_conformance.fuzzing.verdict import key_of  # noqa: PLC0415
    from coli_conformance.runner import run  # noqa: PLC0415

    reason = why_not(transport.description, case)
    if reason is not None:
        raise Complaint(f"{case.id} cannot be asked of this engine. {reason}", USAGE)
    asked = saved.asked_of(case)
    answered = ask(transport, asked) if asked is not None else None
    if answered is None or answered.result.status not in FAILED:
        (result,) = run(transport, [case], on_result=lambda *_: None).results
        if result.status not in FAILED:
            click.echo(f"{case.id}: {result.status.word}. There is nothing to shrink.")
            return 0
        raise Complaint(
            f"{case.id} fails ({result.status.word}, {' '.join(result.broken)}), and it cannot be made smaller: what "
            "it expects does not follow from a few files and the commands of one session alone. `coli-conformance run "
            f"--case {case.id}` shows it as it is.",
            1,
        )
    with ShrinkProgress(sys.stderr) as progress:
        shrunk = shrink(transport, answered, seconds=_LONGEST, tries=_MOST_TRIES, on_try=progress.on_try)
    smallest = shrunk.answered
    asked = saved.about(smallest.asked, key_of(smallest.result)[1])
    result = replace(smallest.result, case_id=asked.case.id)
    size_before = answered.asked.entry.size
    difference = Difference(replace(smallest, asked=asked, result=result), size_before, whole=shrunk.whole)
    path = saved.save(folder, asked.case)
    _show(difference, path, again(choice, folder))
    return 1


def _show(difference: Difference, path: Path, again_of: Callable[[str], str]) -> None:
    from coli_conformance.fuzzing import shown  # noqa: PLC0415
    from coli_conformance.reports import lines  # noqa: PLC0415

    width = lines.width_of(sys.stdout)
    symbols = lines.is_colourful(sys.stdout)
    lines.write(shown.difference_lines([difference], again_of, width, symbols), sys.stdout)
    size = difference.answered.asked.entry.size
    words = f"from {difference.size_before} bytes of files and commands to {size}; saved as {path}"
    words += "" if difference.whole else "; there was no time to make it as small as it gets"
    lines.write(lines.wrapped(words, width, "  "), sys.stdout)
