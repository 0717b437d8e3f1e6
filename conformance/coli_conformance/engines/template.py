"""Readers without a driver: a command template is run for one file, and its output and exit status are the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coli_conformance.case import Case
from coli_conformance.engines.children import Children
from coli_conformance.engines.fixed import ANYTHING, Fixed
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.invocation import Invocation, absolute, scrubbed
from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.engines.process_per_case import ProcessPerCase
from coli_conformance.engines.transport import EngineDescription, Transport
from coli_conformance.judge.observation import Ending, Observation
from coli_conformance.protocol import is_final

PATH = "{path}"
"""What stands in a template for the file to read."""

ROLES = ("load", "bounds", "identify", "trusted", "iku1")
"""The roles that reading one file can show. `trusted` needs a template of its own."""

_INIT = b"ok\n"
"""The answer to `init`, which is not sent: whom such an engine is, was decided when it was built."""


@dataclass(frozen=True, slots=True)
class ExitStatuses:
    """What the exit statuses (0 to 255, no two alike) of a template mean; any other one, or a signal, is a crash."""

    accepted: int = 0
    refused: int = 1
    unsupported: int = 77


@dataclass(frozen=True, slots=True)
class Template:
    """A command template that reads a file: `{path}` in its words stands for the file, relative to the working folder.

    Its standard output is `LAYER EXPERT COUNT` lines, several for one expert add up. `trust` is the template of a
    trusted read, where there is one. `roles` are those claimed for it, out of ROLES.
    """

    load: tuple[str, ...]
    trust: tuple[str, ...] | None = None
    roles: frozenset[str] = frozenset({"load"})
    exits: ExitStatuses = ExitStatuses()


class _OneRead:
    """The conversation with a template: `init` is taken as read, a load runs the command, `counts` is its output."""

    def __init__(self, template: Template, environment: Mapping[str, str], timeout: float, limits: Limits) -> None:
        self._template = template
        self._environment = environment
        self._timeout = timeout
        self._limits = limits

    def invocation(self, case: Case) -> Invocation:
        """Return the command for the file that the case reads."""
        verb, _, path = case.steps[1].partition(" ")
        words = self._template.load
        if verb == "trust":
            assert self._template.trust is not None, f"{case.id} needs the role trusted, which was not claimed"
            words = self._template.trust
        words = tuple(word.replace(PATH, path) for word in words)
        return Invocation(words, self._environment, self._timeout, self._limits)

    def sent(self, case: Case) -> bytes:
        """Return nothing: standard input is at its end from the start."""
        del case
        return b""

    def understood(self, case: Case, seen: Observation) -> Observation:
        """Return the answers that the protocol has for such an exit status and output.

        The output of a refused read is not looked at, as whoever called the command would not look at it either.
        """
        exits, counts = self._template.exits, len(case.steps) - 2
        if seen.ending is not Ending.EXITED:
            return replace(seen, stdout=_INIT, totals=False)
        if seen.exit_status == exits.accepted:
            answers = b"ok\n" + (_data_lines(seen.stdout) + b"ok\n") * counts
            return replace(seen, stdout=_INIT + answers, exit_status=0, totals=False)
        if seen.exit_status == exits.refused:
            return replace(seen, stdout=_INIT + b"refused\n" + b"ok\n" * counts, exit_status=0, totals=False)
        if seen.exit_status == exits.unsupported:
            detail = f"The command ended with exit status {exits.unsupported}, which says that it cannot be asked this."
            return replace(seen, stdout=b"unsupported\n", exit_status=0, detail=detail, totals=False)
        return replace(seen, stdout=_INIT, detail=_crash(seen.exit_status, exits), totals=False)


def open_template(
    template: Template,
    *,
    name: str | None = None,
    environment: Mapping[str, str] | None = None,
    fixed: Fixed = ANYTHING,
    jobs: int = 1,
    timeout: float = 10.0,
    wrap: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Transport:
    """Return the transport that runs `template` once for each case.

    `name` defaults to the name of the command's file. `fixed` is what was built into the command. `environment`,
    `timeout`, `wrap` and `limits` are those of `open_command`. Raises EngineUnusable where a command cannot be found.
    """
    before = absolute(wrap) if wrap else ()
    words = absolute(template.load)
    started = replace(
        template,
        load=(*before, *words),
        trust=None if template.trust is None else (*before, *absolute(template.trust)),
    )
    description = EngineDescription(
        name or Path(words[0]).name,
        started.load,
        template.roles,
        "a command for each read",
        fixed=fixed,
        one_read=True,
    )
    conversation = _OneRead(started, scrubbed(environment or {}), timeout, limits)
    return ProcessPerCase(description, conversation, jobs, Children(), CaseFolders())


def _data_lines(output: bytes) -> bytes:
    """Return the output as data lines. One that the protocol would take for the end of an answer is put in quotes."""
    lines = output.removesuffix(b"\n").split(b"\n") if output else []
    return b"".join((b"'%s'\n" if is_final(line.rstrip(b"\r")) else b"%s\n") % line for line in lines)


def _crash(exit_status: int | None, exits: ExitStatuses) -> str:
    """Return a sentence for an exit status that has no meaning; a signal's own name says more than one here could."""
    if exit_status is None or exit_status < 0:
        return ""
    return (
        f"The command ended with exit status {exit_status}; it says {exits.accepted} where it accepted the file, "
        f"{exits.refused} where it refused it and {exits.unsupported} where it cannot be asked."
    )
