"""What was seen of an engine in one case: bytes, files and how the process ended. No opinion yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Ending(Enum):
    """How the process, or in a reusable one the session, came to its end."""

    EXITED = "exited"
    """It ended by itself, or the session went on to the next case; see `exit_status`."""
    TIMEOUT = "timeout"
    """It was killed because the time for one case was over."""
    FLOODED = "flooded"
    """It was killed because it wrote more to a stream than the suite reads of it."""
    OVER_LIMIT = "over limit"
    """It was killed because it used more of something else than time or output than it may."""
    NOT_STARTED = "not started"
    """The command could not be started at all."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything one case left behind.

    `stdout` holds the answers to the case's steps, `hello`'s answer removed; `stderr` is capped. `exit_status` is
    negative for a signal and None where the process lives on. `files` maps each path left in the working folder,
    relative to it, to its bytes; what is not a regular file, or is larger than the suite reads, is in `oddities` with
    a word on what it is.
    """

    stdout: bytes
    stderr: bytes = b""
    ending: Ending = Ending.EXITED
    exit_status: int | None = 0
    files: Mapping[str, bytes] = field(default_factory=dict)
    oddities: Mapping[str, str] = field(default_factory=dict)
    detail: str = ""
    """A sentence where the ending needs one: what could not be started and why, which limit was hit."""
    totals: bool = True
    """Whether the engine has a way to say the total of a read; where not, `ok` alone is a right answer to it."""
