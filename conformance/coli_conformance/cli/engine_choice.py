"""Which engine a command is about: a driver command, a manifest or a Python class; how to open and to name it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coli_conformance.cli.complaint import complaints
from coli_conformance.cli.limit_option import WALL, parsed_limits
from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.interruption.ids import names_interrupted_save

if TYPE_CHECKING:
    from coli_conformance.corpus.target import Target
    from coli_conformance.engines.transport import Transport
    from coli_conformance.manifest import Manifest

KINDS = ("python", "inprocess")
CANARIES = ("hash-in-second-field", "stop-at-minus3", "call-per-row")
"""Faulty engines, a writer, a reader and one that traces, by which users see that their own CI goes red."""
WRAP_EXAMPLE = "valgrind -q --error-exitcode=99"
"""Without an exit status of its own valgrind ends as the driver does, and what it found would pass."""
DEFAULT_TIMEOUT = 10.0
"""Seconds that one case may take."""


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """The engine as it was asked for. Exactly one of `command`, `python_class` and `manifest_path` is set.

    `manifest` is what stands at `manifest_path`, `limits` what `limit_words` say.
    """

    command: tuple[str, ...]
    python_class: str | None
    manifest_path: Path | None
    wrap: tuple[str, ...]
    jobs: int
    timeout: float
    manifest: Manifest | None = None
    limit_words: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS

    @property
    def target(self) -> Target | None:
        """Whom the engine was built for, so that the corpus can be made for it; None where it says nothing of that."""
        return self.manifest.fixed.target if self.manifest is not None and self.manifest.fixed else None

    def words(self) -> list[str]:
        """Return the words of a command line that choose this engine again, to stand last in it."""
        words = ["--wrap", shlex.join(self.wrap)] if self.wrap else []
        if self.timeout != DEFAULT_TIMEOUT:
            words += ["--timeout", f"{self.timeout:g}"]
        words += [word for limit in self.limit_words for word in ("--limit", limit)]
        if self.python_class is not None:
            return [*words, "--engine", self.python_class]
        if self.manifest_path is not None:
            return [*words, "--manifest", str(self.manifest_path)]
        return [*words, "--", *self.command]

    def reproduce(self, case_id: str) -> str:
        """Return the command, quoted for a shell, that plays one case against this engine.

        The id of a fresh case says after its `@` which seed generates it.
        """
        return self._run((case_id,))

    def reproduce_together(self, earlier: str, later: str) -> str:
        """Return the command that plays two cases in one process of a reusable driver, to show a leak again."""
        return self._run((earlier, later), "--jobs", "1")

    def _run(self, case_ids: Sequence[str], *options: str) -> str:
        seeds = {case_id.partition("@")[2].partition("-")[0] for case_id in case_ids} - {""}
        words = [word for seed in seeds for word in ("--seed", seed)]
        words += ["--interrupt"] if any(map(names_interrupted_save, case_ids)) else []
        words += [word for case_id in case_ids for word in ("--case", case_id)]
        return shlex.join(["coli-conformance", "run", *options, *words, *self.words()])

    def open(self) -> Transport:
        """Return the transport to the engine, which has said which roles it claims.

        Raises coli_conformance.engines.EngineUnusable.
        """
        from coli_conformance.engines.command import open_command  # noqa: PLC0415 - not for --help
        from coli_conformance.engines.declared import open_declared  # noqa: PLC0415 - as above
        from coli_conformance.engines.python_class import open_python  # noqa: PLC0415 - as above

        if self.python_class is not None:
            kind, _, name = self.python_class.partition(":")
            if kind == "fault":
                return _opened_fault(name)
            return open_python(
                name,
                in_process=kind == "inprocess",
                jobs=self.jobs,
                timeout=self.timeout,
                wrap=self.wrap,
                limits=self.limits,
            )
        if self.manifest is not None:
            return open_declared(
                self.manifest, jobs=self.jobs, timeout=self.timeout, wrap=self.wrap, limits=self.limits
            )
        return open_command(self.command, jobs=self.jobs, timeout=self.timeout, wrap=self.wrap, limits=self.limits)


def chosen(
    command: Sequence[str],
    python_class: str | None,
    manifest_path: Path | None,
    wrap: str | None,
    jobs: int | None,
    timeout: float,
    limit_words: tuple[str, ...] = (),
) -> EngineChoice:
    """Return the choice, or raise click.UsageError where it is none, more than one, or not well formed.

    Raises Complaint for a manifest that cannot be used.
    """
    given = [bool(command), python_class is not None, manifest_path is not None].count(True)
    if given != 1:
        number = "no engine" if not given else "more than one engine"
        raise click.UsageError(
            f"{number} given; name one, as `-- COMMAND [ARG...]`, as `--engine python:MODULE:CLASS` or as "
            "`--manifest FILE`."
        )
    if python_class is not None:
        _check_python_class(python_class, wrap)
    try:
        words = tuple(shlex.split(wrap)) if wrap else ()
    except ValueError as error:
        raise click.UsageError(f"--wrap {wrap!r} is not a command line ({error}); close the quotation.") from error
    if not 0 < timeout < float("inf"):
        raise click.UsageError(f"--timeout {timeout} is no number of seconds above 0.")
    wall, limits = parsed_limits(limit_words)
    if wall is not None and timeout not in (wall, DEFAULT_TIMEOUT):
        raise click.UsageError(f"--timeout {timeout:g} and --limit wall={wall:g} say the same in two ways; give one.")
    return EngineChoice(
        tuple(command),
        python_class,
        manifest_path,
        words,
        jobs or cores(),
        wall or timeout,
        _manifest(manifest_path),
        tuple(word for word in limit_words if not word.startswith(f"{WALL}=")),
        limits,
    )


def _check_python_class(python_class: str, wrap: str | None) -> None:
    """Raise click.UsageError where `--engine` names nothing, or something that cannot be wrapped."""
    kind, _, name = python_class.partition(":")
    module, _, class_name = name.partition(":")
    if kind == "fault":
        _check_fault(name)
    elif kind not in KINDS or not module or not class_name:
        raise click.UsageError(
            f"--engine {python_class!r} names no engine; write python:MODULE:CLASS for a class in a process of its "
            "own, inprocess:MODULE:CLASS for one in this process, or fault:NAME for one that is wrong on purpose."
        )
    if kind in {"inprocess", "fault"} and wrap:
        raise click.UsageError(f"--wrap goes before a command; a {kind}: engine has none. Use python: instead.")


def _check_fault(name: str) -> None:
    from coli_conformance.faults import all_faults  # noqa: PLC0415 - only a run of a faulty engine needs them
    from coli_conformance.selection import nearest  # noqa: PLC0415 - as above

    if name not in all_faults():
        raise click.UsageError(
            f"there is no faulty engine {name!r}. {nearest(name, all_faults())} `self-test` plays and names them all."
        )


def _opened_fault(name: str) -> Transport:
    from coli_conformance.engines.in_process import InProcess  # noqa: PLC0415 - only a run of a faulty engine needs it
    from coli_conformance.faults import fault  # noqa: PLC0415 - as above

    return InProcess(fault(name), f"fault:{name}", {})


def _manifest(path: Path | None) -> Manifest | None:
    if path is None:
        return None
    from coli_conformance.manifest import read  # noqa: PLC0415 - only a run with a manifest needs it

    with complaints():
        return read(path)


def cores() -> int:
    """Return the number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
