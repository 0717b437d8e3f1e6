"""The option `--limit NAME=VALUE`: what an engine may use in a case, beside its time."""

from __future__ import annotations

import dataclasses
import re

import click

from coli_conformance.engines.limits import CPU_TIMES, DEFAULT_LIMITS, MIB, Limits

WALL = "wall"
"""The limit that `--timeout` is the other name of."""

_UNITS = {"": 1, "K": 1024, "M": MIB, "G": 1024 * MIB}
_SIZES = ("memory", "file", "folder", "output")
_NUMBERS = ("files", "processes")
_SECONDS = (WALL, "cpu")
_SIZE = re.compile(r"([1-9][0-9]{0,11})([KMG]?)")

LIMIT_HELP = (
    "What an engine may use in a case. Repeatable. Seconds: wall, which is --timeout, and cpu, the processor time of "
    f"all its processes [{CPU_TIMES} times wall]. Bytes, with K, M or G: "
    + ", ".join(f"{name} [{getattr(DEFAULT_LIMITS, name) // MIB}M]" for name in _SIZES)
    + ". Numbers: "
    + ", ".join(f"{name} [{getattr(DEFAULT_LIMITS, name)}]" for name in _NUMBERS)
    + ". A verdict names the limit that was hit."
)


def parsed_limits(words: tuple[str, ...]) -> tuple[float | None, Limits]:
    """Return the time-out in seconds, None where no `wall` is among `words`, and the other limits.

    Each word is NAME=VALUE, the last one of a name counts. Raises click.UsageError.
    """
    seconds: dict[str, float] = {}
    amounts: dict[str, int] = {}
    for word in words:
        name, _, text = word.partition("=")
        if name in _SECONDS:
            seconds[name] = _seconds(word, text)
        elif name in _SIZES or name in _NUMBERS:
            amounts[name] = _whole(word, text, units=name in _SIZES)
        else:
            names = ", ".join((*_SECONDS, *_SIZES, *_NUMBERS))
            raise click.UsageError(f"--limit {word!r} is not NAME=VALUE with one of these names: {names}.")
    return seconds.get(WALL), dataclasses.replace(DEFAULT_LIMITS, cpu=seconds.get("cpu"), **amounts)


def _seconds(word: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise click.UsageError(f"--limit {word!r} does not say a number of seconds above 0.")
    return seconds


def _whole(word: str, text: str, *, units: bool) -> int:
    match = _SIZE.fullmatch(text)
    if match is None or (match[2] and not units):
        how = "a number of bytes above 0, such as 512M" if units else "a whole number above 0"
        raise click.UsageError(f"--limit {word!r} does not say {how}.")
    return int(match[1]) * _UNITS[match[2]]
