"""Engines for which `PIN=` takes the wrong history, or trusts the wrong path (P01-P03)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference import placement

HISTORY, FALLBACK = placement.FOUND_BY_ITSELF


class FallbackFirst(Fault):
    """Takes stats.txt where there is one, before it looks for a history."""

    breaks = ("P01",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return (FALLBACK, False) if value == "auto" and placement.is_usable(FALLBACK) else super().pin(value)


class ShortHistoryIgnored(Fault):
    """Takes a history of less than 64 bytes for none."""

    breaks = ("P01",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        if found == (HISTORY, False) and Path(HISTORY).stat().st_size < 64:
            return (FALLBACK, False) if placement.is_usable(FALLBACK) else None
        return found


class EmptyHistoryTaken(Fault):
    """Asks whether there is a history, and not whether it is empty."""

    breaks = ("P02",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return (HISTORY, False) if value == "auto" and Path(HISTORY).is_file() else super().pin(value)


class FallbackIgnored(Fault):
    """Never looks at stats.txt."""

    breaks = ("P02",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        return None if found == (FALLBACK, False) else found


class EmptyFallbackTaken(Fault):
    """Takes stats.txt when there is no history, also where it is empty or absent."""

    breaks = ("P02",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return super().pin(value) or (FALLBACK, False)


class FoundPathTrusted(Fault):
    """Trusts the path that PIN=auto found."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        return found and (found[0], True)


class TypedPathUntrusted(Fault):
    """Does not trust the path that the user typed."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        found = super().pin(value)
        return found and (found[0], False)


class MissingTypedPathFallsBack(Fault):
    """Looks for a history by itself where the typed path leads nowhere."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return super().pin(value if Path(value).exists() else "auto")


class EmptyTypedFileFallsBack(Fault):
    """Looks for a history by itself where the typed file is empty."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        empty = Path(value).is_file() and not placement.is_usable(value)
        return super().pin("auto" if empty else value)


class AutoByItsFirstLetters(Fault):
    """Compares the first four letters of a path with the word auto."""

    breaks = ("P03",)

    def pin(self, value: str) -> tuple[str, bool] | None:
        return super().pin("auto" if value.startswith("auto") else value)
