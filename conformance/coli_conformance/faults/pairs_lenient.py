"""Consumers of the trace that read malformed lines as if they were sound, and say nothing (C03)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import re
from collections.abc import Iterable
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import pairs
from coli_reference import trace as traces


class _Lenient(Fault):
    """Puts lines in order before it reads them."""

    def pairs(self, trace: str, out: str) -> None:
        lines = self.mended(Path(trace).read_bytes().splitlines(keepends=True))
        Path(out).write_bytes(pairs.render(pairs.coactivations(traces.read(lines))))

    def mended(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return lines


class CrlfOfATraceRead(_Lenient):
    """Reads lines that end in CRLF like those that end in LF."""

    breaks = ("C03",)

    def mended(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return (line.replace(b"\r\n", b"\n") for line in lines)


class CutLastLineOfATraceRead(_Lenient):
    """Reads a last line without its line end, which may have been cut inside a gate or before a choice."""

    breaks = ("C03",)

    def mended(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return (line if line.endswith(b"\n") else line + b"\n" for line in lines)


class BlanksOfATraceSqueezed(_Lenient):
    """Splits lines at any run of blanks and tabs, as Python's split does, wherever they stand."""

    breaks = ("C03",)

    def mended(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return (b" ".join(re.findall(rb"[^ \t\n]+", line)) + b"\n" for line in lines)


class EmptyLinesOfATraceSkipped(_Lenient):
    """Passes over empty lines in silence."""

    breaks = ("C03",)

    def mended(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return (line for line in lines if line != b"\n")


class GatesOfFewerDecimalsRead(_Lenient):
    """Reads gates of one to three decimals."""

    breaks = ("C03",)

    def mended(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return (re.sub(rb"\.([0-9]{1,3})(?=[ \n])", rb".\g<1>000", line) for line in lines)


class GateReadUpToItsLastDigit(_Lenient):
    """Reads a gate as far as it is one, and passes over what follows it."""

    breaks = ("C03",)

    def mended(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return (re.sub(rb"(\.[0-9]+)[^ \n0-9][^ \n]*", rb"\1", line) for line in lines)
