"""The first exchange with a driver: `hello`, and the roles it answers with."""

from __future__ import annotations

from collections.abc import Iterable

import coli_spec
from coli_conformance import protocol

HELLO = b"hello %d\n" % protocol.VERSION
"""The first line of every process."""


def claimed_roles(stdout: bytes) -> frozenset[str] | None:
    """Return the roles claimed by the first answer in `stdout`; None where that is not `ok ROLE ROLE ...`.

    Roles that the spec does not declare are left out.
    """
    answers, _ = protocol.split_answers(stdout)
    words = answers[0].split() if answers else []
    if not words or words[0] != b"ok":
        return None
    return known_roles(word.decode("latin-1") for word in words[1:])


def known_roles(names: Iterable[str]) -> frozenset[str]:
    """Return those of `names` that the spec declares as roles."""
    return frozenset(role.name for role in coli_spec.load().roles).intersection(names)


def after_greeting(stdout: bytes) -> bytes:
    """Return `stdout` without the answer to `hello`, or all of it, for the judge, where it does not begin with `ok`."""
    first_line, _, rest = stdout.partition(b"\n")
    return rest if protocol.is_final(first_line.rstrip(b"\r")) and first_line.startswith(b"ok") else stdout
