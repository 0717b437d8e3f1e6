"""Readers that malformed or out-of-range text brings down or leads astray (R17, R21)."""
# ruff: noqa: ARG002, D102 - overridden methods keep their parameters, and are described where they are first defined

import re

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.history import Record


class CrashOnAWord(Fault):
    """Converts every field of every line to a number, and ends with a traceback at one that is none."""

    breaks = ("R17",)

    def parse(self, data: bytes) -> list[Record]:
        for field in data.split():
            int(field)
        return super().parse(data)


class CrashOnBytesAboveAscii(Fault):
    """Decodes a history as ASCII, and ends with a traceback where it is not."""

    breaks = ("R17",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data.decode("ascii").encode())


class CrashOnManyDigits(Fault):
    """Has room for 4096 digits, and ends with a traceback at a longer number."""

    breaks = ("R17",)

    def parse(self, data: bytes) -> list[Record]:
        if any(len(digits) > 4096 for digits in re.findall(rb"[0-9]+", data)):
            raise OverflowError("a number of too many digits")
        return super().parse(data)


class CrashOnAHalfRecord(Fault):
    """Takes the third field of every line without asking whether there is one."""

    breaks = ("R17",)

    def parse(self, data: bytes) -> list[Record]:
        lines = [line.split() for line in data.split(b"\n")]
        thirds = [fields[2] for fields in lines if fields]
        return super().parse(data) if thirds else []


class CountersOutOfBounds(Fault):
    """Credits any layer and expert a file names: in C, a write outside the counters."""

    breaks = ("R17", "R10")

    def admits(self, layer: int, expert: int) -> bool:
        """Admit everything."""
        return True


def _wrapped(text: bytes, signed: bool) -> bytes:
    """Return the number as 32 bits hold it."""
    number = int(text[:4000]) % 2**32
    return b"%d" % ((number ^ 2**31) - 2**31 if signed else number)


class NumbersWrap(Fault):
    """Keeps the low 32 bits of every number, whatever it was."""

    breaks = ("R21",)

    def parse(self, data: bytes) -> list[Record]:
        lines = [line.split() for line in data.split(b"\n")]
        wrapped = [
            [
                _wrapped(text, signed=position < 2) if re.fullmatch(rb"-?[0-9]+", text) else text
                for position, text in line
            ]
            for line in (list(enumerate(line)) for line in lines)
        ]
        return super().parse(b"\n".join(b" ".join(line) for line in wrapped))


class CountsWrap(Fault):
    """Keeps the low 32 bits of a count, so that 4294967303 is read as 7."""

    breaks = ("R21",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(re.sub(rb"(?<= )[0-9]{10,}(?=\r?\n|$)", lambda count: _wrapped(count[0], False), data))


class LayersWrap(Fault):
    """Keeps the low 32 bits of a layer, so that 4294967296 is read as layer 0."""

    breaks = ("R21",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(re.sub(rb"(?m)^-?[0-9]{10,}(?= )", lambda layer: _wrapped(layer[0], True), data))


class NegativeIdWraps(Fault):
    """Reads -479722026 in the third field as the id 3815245270."""

    breaks = ("R21",)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(re.sub(rb"(?m)(?<= )-[0-9]+(?=\r?$)", lambda number: _wrapped(number[0], False), data))
