"""Engines behind a command: started, asked for their roles, and given the transport that fits them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from coli_conformance.engines.children import Children
from coli_conformance.engines.conversation import DriverConversation
from coli_conformance.engines.events import Events
from coli_conformance.engines.fence import FENCE, passes_fence
from coli_conformance.engines.fixed import ANYTHING, Fixed
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.greeting import HELLO, claimed_roles, ignored_words
from coli_conformance.engines.invocation import Invocation, absolute, scrubbed, why_not_started
from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.engines.process import EngineProcess
from coli_conformance.engines.process_per_case import ProcessPerCase
from coli_conformance.engines.removal import remove
from coli_conformance.engines.reusable import Reusable
from coli_conformance.engines.transport import EngineDescription, EngineUnusable, Transport
from coli_conformance.escape import cut, shown_bytes
from coli_conformance.judge.observation import Ending

_SHOWN = 400
"""Characters of a line of what an engine wrote that are quoted."""
_LAST_WORDS = 8
"""Lines of standard error that are quoted: its last ones, where an interpreter says what was wrong."""


def open_command(
    command: Sequence[str],
    *,
    name: str | None = None,
    environment: Mapping[str, str] | None = None,
    fixed: Fixed = ANYTHING,
    jobs: int = 1,
    timeout: float = 10.0,
    wrap: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Transport:
    """Start `command` once, ask for its roles, and return the transport to play cases with.

    `name` defaults to the name of the command's file. `environment` is added to the scrubbed one. `fixed` is
    what the engine was built for. `timeout` is in seconds for one case. `wrap` is put before the command
    (`valgrind -q --error-exitcode=99`). `limits` are the others for one case. Raises EngineUnusable, with a sentence.
    """
    words = absolute(command)
    started_with = (*absolute(wrap), *words) if wrap else words
    invocation = Invocation(started_with, scrubbed(environment or {}), timeout, limits)
    shown = " ".join(command)
    children = Children()
    folders = CaseFolders()
    try:
        answer = _ask(invocation, shown, children, folders)
        roles = _roles(answer, shown)
    except BaseException:
        children.close()
        folders.close()
        raise
    reusable = "reusable" in roles and passes_fence(answer)
    kind = "one process for many cases" if reusable else "a process per case"
    description = EngineDescription(
        name or Path(words[0]).name, started_with, roles, kind, fixed, ignored=ignored_words(answer)
    )
    if reusable:
        return Reusable(description, invocation, jobs, children, folders, spawns=1)
    return ProcessPerCase(description, DriverConversation(invocation), jobs, children, folders, spawns=1)


def _ask(invocation: Invocation, shown: str, children: Children, folders: CaseFolders) -> bytes:
    """Return what the engine answers to `hello` and the fence; raise EngineUnusable where it does not answer."""
    events = Events()
    path = folders.make()
    try:
        process = EngineProcess(invocation, events, children, path)
    except OSError as error:
        raise EngineUnusable(f"`{shown}` cannot be started: {why_not_started(invocation.command[0], error)}") from error
    try:
        process.send(HELLO + FENCE, last=True)
        while not process.over and time.monotonic() < process.deadline:
            events.wait(process.next_look - time.monotonic())
            process.look(time.monotonic())
    finally:
        exit_status = process.end()
        remove(path)
    ending, detail = process.how_it_ended()
    if ending is not Ending.EXITED:
        when = "did not come to an end when its input did" if ending is Ending.TIMEOUT else "broke a limit at the start"
        raise EngineUnusable(f"`{shown}` {when}. {detail}{_last_words(process.err)}")
    if not process.out:
        raise EngineUnusable(
            f"`{shown}` ended with exit status {exit_status} before it answered `hello 1`.{_last_words(process.err)}"
        )
    return bytes(process.out)


def _roles(answer: bytes, shown: str) -> frozenset[str]:
    roles = claimed_roles(answer)
    if roles is None:
        raise EngineUnusable(
            f"`{shown}` does not speak the protocol: asked `hello 1` it answered `{_first_line(answer)}`. "
            "It has to answer one line, `ok ROLE ROLE ...`, and to read commands from standard input."
        )
    if not roles:
        raise EngineUnusable(
            f"`{shown}` claims no role this suite knows: asked `hello 1` it answered `{_first_line(answer)}`. "
            "Name the roles after `ok`, such as `ok load bounds save`."
        )
    return roles


def _first_line(answer: bytes) -> str:
    """Return the first line of what an engine wrote, escaped: that is what answers `hello`."""
    return cut(shown_bytes(answer.partition(b"\n")[0].rstrip(b"\r")), _SHOWN)


def _last_words(err: bytes | bytearray) -> str:
    """Return the last lines of standard error, escaped, each on a line of its own; nothing where there are none."""
    lines = [line for line in bytes(err).splitlines() if line.strip()]
    shown = [cut(shown_bytes(line), _SHOWN) for line in lines[-_LAST_WORDS:]]
    return "\n".join([" It said last:" if len(lines) > len(shown) else " It said:", *shown]) if shown else ""
