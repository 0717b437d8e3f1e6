"""Engines for which `PIN=` remembers what it should look at again, or takes a path for something else (P01-P03)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

import os
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import placement

HISTORY, FALLBACK = placement.FOUND_BY_ITSELF


class FirstLookKept(Fault):
    """Looks for a history once, and answers from memory after that."""

    breaks = ("P01",)
    looked = False
    found: tuple[str, bool] | None = None

    def pin(self, value: str) -> tuple[str, bool] | None:
        if value != "auto":
            return super().pin(value)
        if not self.looked:
            self.looked, self.found = True, super().pin(value)
        return self.found


class RefusedHistoryFallsBack(Fault):
    """Passes over a history that it has refused."""

    breaks = ("P01",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        if found == (HISTORY, False) and os.path.realpath(HISTORY) in self.refused_paths:
            return (FALLBACK, False) if placement.is_usable(FALLBACK) else None
        return found


class HistorySizeInAByte(Fault):
    """Keeps the size of a history in a byte."""

    breaks = ("P01",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        if found == (HISTORY, False) and Path(HISTORY).stat().st_size % 2**8 == 0:
            return (FALLBACK, False) if placement.is_usable(FALLBACK) else None
        return found


class FallbackSizeInAByte(Fault):
    """Keeps the size of stats.txt in a byte."""

    breaks = ("P02",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        return None if found == (FALLBACK, False) and Path(FALLBACK).stat().st_size % 2**8 == 0 else found


class NumberOfPinIsASwitch(Fault):
    """Takes `PIN=1` for `PIN=auto`."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return super().pin("auto" if value == "1" else value)


class TrustStaysWithPin(Fault):
    """Trusts what it finds once the user has typed a path."""

    breaks = ("P03",)
    typed = False

    def pin(self, value: str) -> tuple[str, bool] | None:
        self.typed = self.typed or value != "auto"
        found = super().pin(value)
        return found and (found[0], self.typed)


class RefusedPathUntrusted(Fault):
    """Does not trust a typed path whose history it has refused."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        return (found[0], False) if found and os.path.realpath(found[0]) in self.refused_paths else found


class UntrustedByItsName(Fault):
    """Goes by the file's name, and does not trust what is called like a history in another folder."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return (value, False) if "/" in value and Path(value).name == HISTORY else super().pin(value)


class PinCutAt63Bytes(Fault):
    """Keeps the value of PIN in a buffer of 64 bytes."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return super().pin(value[:63])


class PinCutAtASecondEqualsSign(Fault):
    """Divides `PIN=<file>` at every equals sign, and takes the part before the second one."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return super().pin(value.partition("=")[0])
