"""The first exchange with a driver: `hello`, and the roles it answers with."""

from __future__ import annotations

import coli_spec
from coli_conformance import protocol

HELLO = b"hello %d\n" % protocol.VERSION
"""The first line of every process."""


def claimed_roles(stdout: bytes) -> frozenset[str] | None:
    """Return the roles claimed by the first answer in `stdout`; None where that is not `ok ROLE ROLE ...`.

    Words that the spec does not declare as roles are left out.
    """
    words = _words(stdout)
    return None if words is None else _roles().intersection(words)


def ignored_words(stdout: bytes) -> tuple[str, ...]:
    """Return the words of the first answer that are no roles, such as misspelt ones, in their order."""
    return tuple(word for word in dict.fromkeys(_words(stdout) or ()) if word not in _roles())


def _words(stdout: bytes) -> list[str] | None:
    answers, _ = protocol.split_answers(stdout)
    first, *rest = answers[0].split() if answers else [b""]
    return [word.decode("latin-1") for word in rest] if first == b"ok" else None


def _roles() -> frozenset[str]:
    return frozenset(role.name for role in coli_spec.load().roles)


def after_greeting(stdout: bytes) -> bytes:
    """Return `stdout` without the answer to `hello`, or all of it, for the judge, where it does not begin with `ok`."""
    first_line, _, rest = stdout.partition(b"\n")
    return rest if protocol.is_final(first_line.rstrip(b"\r")) and first_line.startswith(b"ok") else stdout
