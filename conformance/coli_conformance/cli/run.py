"""`coli-conformance run`: hold an engine to the contract."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from coli_conformance.case import Case
from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.cli.driver_command import DriverCommand
from coli_conformance.cli.engine_choice import CANARIES, DEFAULT_TIMEOUT, WRAP_EXAMPLE, EngineChoice, chosen
from coli_conformance.cli.known_option import known_option
from coli_conformance.cli.limit_option import LIMIT_HELP
from coli_conformance.cli.listener import Listener
from coli_conformance.cli.report_option import FORMATS, report_path
from coli_conformance.cli.run_end import Asked, ended
from coli_conformance.corpus import vectors
from coli_conformance.corpus.target import Target
from coli_conformance.engines.playable import why_not
from coli_conformance.engines.transport import EngineUnusable
from coli_conformance.interruption.ids import means_them_alone, of_the_corpus
from coli_conformance.reports import lines
from coli_conformance.reports.kept import Keeper
from coli_conformance.reports.progress import RunProgress
from coli_conformance.reports.summary import head_lines
from coli_conformance.score import NO_ENGINE
from coli_conformance.selection import check_roles, every_id, narrowed, select, select_twins, up_to
from coli_conformance.whole_run import WholeRun, whole_run


@click.command("run", cls=DriverCommand, context_settings={"allow_interspersed_args": False})
@click.option(
    "--engine",
    "python_class",
    metavar="KIND:MODULE:CLASS",
    help="A Python engine: python: or inprocess:. Or fault:NAME, one that is wrong on purpose, to see your own CI go "
    f"red: {', '.join(CANARIES)}, or any that self-test names.",
)
@click.option(
    "--manifest",
    "manifest_path",
    type=click.Path(path_type=Path),
    help="A coli-engine.yaml: command or load, and more.",
)
@click.option("--case", "globs", multiple=True, metavar="GLOB", help="Only the cases whose id matches. Repeatable.")
@click.option(
    "--clause",
    "clauses",
    multiple=True,
    metavar="ID",
    help="Only the cases that test a clause, be they about it or about another one. Repeatable.",
)
@click.option("--role", metavar="ROLE", help="Only the cases that need a role.")
@click.option("--require-roles", metavar="ROLE,ROLE", help="Exit with 1 where one of these is not claimed.")
@click.option("--strict", is_flag=True, help="A broken should counts, too.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Also play fresh cases, generated from N.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes at a time. [default: the cores]")
@click.option(
    "--timeout", type=float, default=DEFAULT_TIMEOUT, show_default=True, metavar="S", help="Seconds for a case."
)
@click.option("--limit", "limit_words", multiple=True, metavar="NAME=VALUE", help=LIMIT_HELP)
@click.option("--repeat", type=click.IntRange(min=1), default=1, metavar="N", help="Play the whole selection N times.")
@click.option("--wrap", metavar="COMMAND", help=f"Put before the driver's command, such as {WRAP_EXAMPLE!r}.")
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=PATH",
    callback=report_path,
    help=f"Write a report to a file; the formats are {', '.join(FORMATS)}. Repeatable. github=- goes to the terminal.",
)
@click.option(
    "--known-failing",
    "known_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Failures that FILE names do not count for the exit status; what is no longer right in it does.",
)
@click.option("--fix", is_flag=True, help="Rewrite the known-failing file as this run, a whole one, shows it to be.")
@click.option(
    "--corpus",
    "corpus_version",
    type=click.IntRange(min=1),
    metavar="VERSION",
    help="Only the cases that this version of the corpus has. [default: the newest]",
)
@click.option(
    "--interrupt",
    is_flag=True,
    help="Also interrupt saves: each call on a file fails, or the engine is killed there, or another saves meanwhile.",
)
@click.option(
    "--envelope", is_flag=True, help="Also measure loads and saves at 1, 10 and 100 times the size of a real history."
)
@click.option("--keep", "keep_folder", type=click.Path(path_type=Path), help="Keep each failing case in this folder.")
@click.argument("command_words", metavar="-- COMMAND [ARG...]", nargs=-1, type=click.UNPROCESSED)
def command(
    python_class: str | None,
    manifest_path: Path | None,
    globs: tuple[str, ...],
    clauses: tuple[str, ...],
    role: str | None,
    require_roles: str | None,
    strict: bool,
    seed: int | None,
    jobs: int | None,
    timeout: float,
    limit_words: tuple[str, ...],
    repeat: int,
    wrap: str | None,
    reports: tuple[tuple[str, Path], ...],
    known_path: Path | None,
    fix: bool,
    corpus_version: int | None,
    interrupt: bool,
    envelope: bool,
    keep_folder: Path | None,
    command_words: tuple[str, ...],
) -> int:
    """Hold an engine to the contract: play the cases against it and say what broke.

    An engine is any command that speaks the driver protocol, version 1, on its standard input and output. It is started
    anew for each case in an empty folder, with a scrubbed environment (PATH, LC_ALL, what the manifest's env and the
    case add). It reads commands, one a line, and answers each with data lines or none, then one line that begins with
    ok, refused, error or unsupported, and flushes. The end of input ends it with exit status 0. Standard error is free.

    \b
      hello 1                        ok ROLE ROLE ...: the roles it claims, such as load or save
      init NAME N_LAYERS N_EXPERTS   ok: this identity, these dimensions, every counter zero
      drop LAYER                     ok: the layer does not route
      route LAYER ROW ID:GATE ...    ok: count one routing decision, and trace it
      endcall                        ok: the moe call is over
      add LAYER EXPERT COUNT         ok: add to a counter directly
      load PATH | trust PATH         ok TOTAL or refused: an untrusted or a trusted read into the counters
      counts                         LAYER EXPERT COUNT lines of the non-zero counters, then ok
      save PATH | dense PATH         ok or error: write the history, or IKU1
      pin VALUE                      ok PATH trusted, ok PATH untrusted or ok
      pairs TRACE OUT                ok or error: build the pairs table
      record NUMBER SECOND THIRD     ok: the next save writes this header record
      anything else                  unsupported

    \b
    Exit status:
      0  every must of the claimed roles holds
      1  a must is broken (with --strict a should, with --require-roles a role is missing) and is no known failure, the
         known-failing file is no longer right, or state leaks from case to case though the driver claims reusable
      2  wrong usage, or nothing was verified
      3  the engine did not start, did not speak the protocol or claimed no role, or the run was given up
      4  a fault of the suite itself
    """
    started = datetime.now(UTC)
    choice = chosen(command_words, python_class, manifest_path, wrap, jobs, timeout, limit_words)
    known = known_option(known_path, fix, bool(globs or clauses or role or corpus_version))
    with complaints():
        required = tuple(name.strip() for name in (require_roles or "").split(",") if name.strip())
        check_roles(required)
        whole_corpus, digest = vectors.committed() if choice.target is None else _made_for(choice.target)
        corpus = up_to(whole_corpus, corpus_version)
        if seed is not None:
            corpus += _fresh(seed)
        interrupted_alone = interrupt and means_them_alone(globs, clauses)
        corpus_globs = of_the_corpus(globs) if interrupt else globs
        cases = () if interrupted_alone else select(corpus, corpus_globs, clauses, role)
        keeper = Keeper(keep_folder) if keep_folder is not None else None
        chosen_twins = functools.partial(select_twins, () if interrupted_alone else corpus, corpus_globs, clauses, role)
        choose = functools.partial(narrowed, globs=globs, clauses=clauses, role=role) if interrupt else None
        page = any(kind == "html" for kind, _ in reports)
        play = functools.partial(_play, choice, cases, chosen_twins, bool(globs), seed, repeat, keeper, page)
        listener, whole, uninterrupted = play(choose)

    def say_more(width: int) -> None:
        if interrupt or envelope:
            from coli_conformance.cli.extra_play import extra_lines  # noqa: PLC0415 - seldom

            lines.write(extra_lines(choice, uninterrupted, width, envelope=envelope), sys.stdout)

    asked = Asked(
        choice=choice,
        arguments=_arguments(choice, globs, clauses, role, seed, corpus_version, repeat, interrupt, known_path),
        corpus_digest=digest,
        corpus_version=corpus_version or max(case.since for case in whole_corpus),
        corpus_ids=functools.partial(every_id, whole_corpus),
        seed=seed,
        required=required,
        strict=strict,
        show_all=bool(globs or clauses),
        partial=len(cases) != len(corpus),
        reports=reports,
        known=known,
        known_path=known_path if fix else None,
        started=started,
    )
    return ended(asked, listener, whole, say_more)


def _arguments(
    choice: EngineChoice,
    globs: Sequence[str],
    clauses: Sequence[str],
    role: str | None,
    seed: int | None,
    corpus_version: int | None,
    repeat: int,
    interrupt: bool,
    known_path: Path | None,
) -> list[str]:
    """Return the words after `coli-conformance run` that play the same cases against the same engine again."""
    words = [word for glob in globs for word in ("--case", glob)]
    words += [word for clause in clauses for word in ("--clause", clause)]
    valued = {"--role": role, "--seed": seed, "--corpus": corpus_version, "--known-failing": known_path}
    words += [word for name, value in valued.items() if value is not None for word in (name, str(value))]
    words += ["--repeat", str(repeat)] if repeat > 1 else []
    words += ["--interrupt"] if interrupt else []
    return [*words, *choice.words()]


def _made_for(target: Target) -> tuple[tuple[Case, ...], str]:
    from coli_conformance.corpus.for_target import made_for  # noqa: PLC0415 - committed cases need no generators

    return made_for(target)


def _fresh(seed: int) -> tuple[Case, ...]:
    from coli_conformance.corpus.fresh import fresh  # noqa: PLC0415 - a run without a seed needs no generators

    return fresh(seed)


def _play(
    choice: EngineChoice,
    cases: Sequence[Case],
    chosen_twins: Callable[[], Sequence[Case]],
    every_twin: bool,
    seed: int | None,
    repeat: int,
    keeper: Keeper | None,
    page: bool,
    choose_interrupted: Callable[[Sequence[Case]], Sequence[Case]] | None,
) -> tuple[Listener, WholeRun, str | None]:
    """Open the engine, say what is about to run, and run it.

    `choose_interrupted` is None where no saves are interrupted. The sentence returned says why they could not be.
    """
    try:
        with choice.open() as transport:
            engine = transport.description
            announced = cases or chosen_twins()
            playable = [case for case in announced if why_not(engine, case) is None]
            width = lines.width_of(sys.stdout)
            shown = playable or announced
            head = head_lines(shown, engine.roles, repeat, width, seed, engine.ignored, bool(choose_interrupted))
            lines.write([*head, lines.line()], sys.stdout)
            with RunProgress(sys.stderr, len(cases) * repeat) as progress:
                listener = Listener(keeper, progress, with_evidence=page)

                def expected_twins() -> Sequence[Case]:
                    twins = chosen_twins()
                    progress.expect(len(twins) * repeat)
                    return twins

                whole = whole_run(
                    transport,
                    cases,
                    expected_twins,
                    every_twin=every_twin,
                    repeat=repeat,
                    seed=seed or 0,
                    on_result=listener.on_result,
                    on_settled=listener.on_settled,
                )
                if choose_interrupted is None:
                    return listener, whole, None
                from coli_conformance.cli.extra_play import with_interrupted_saves  # noqa: PLC0415 - seldom

                more = with_interrupted_saves(choice, whole, choose_interrupted, progress, listener.on_result)
                return listener, *more
    except EngineUnusable as error:
        raise Complaint(str(error), NO_ENGINE) from error
