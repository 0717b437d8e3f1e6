"""Writing what a strict reader accepts of a damaged file to a new one, and remembering what was left out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from coli_conformance.check.code import Kind, Level
from coli_conformance.check.codes_records import UNKNOWN_VERSION
from coli_conformance.check.examined import Examined
from coli_conformance.check.finding import Finding
from coli_conformance.check.scan import Keeping
from coli_conformance.escape import shown_text
from coli_conformance.reports.lines import Line, line, wrapped

SALVAGED = (Kind.HISTORY, Kind.TRACE)
"""The kinds of which whole lines can be kept. IKU1 has none, and a table of pairs is built again from its trace."""
_MOST_LISTED = 100_000


class SalvageError(Exception):
    """A file that cannot be written, or nothing that may be kept; the text is a sentence to act on."""


class Salvage:
    """A new file of accepted lines. Left without an error, it is whole; with one, it is removed."""

    def __init__(self, path: Path) -> None:
        """Create the file; raise SalvageError where there is one, or where none can be created."""
        self.path = path
        self.lines = 0
        self.left_out: list[tuple[int, str]] = []
        """The line numbers that were left out, with the codes of what is wrong with each."""
        self.not_listed = 0
        self._any_data = False
        try:
            self._stream = path.open("xb")
        except FileExistsError as error:
            raise SalvageError(f"{path}: this exists, and nothing is ever overwritten; name a new file.") from error
        except OSError as error:
            raise SalvageError(f"{path}: it cannot be created ({error.strerror}); name another path.") from error

    def __enter__(self) -> Self:
        """Return the file itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file, and remove it where an error is under way."""
        with contextlib.suppress(OSError):
            self._stream.close()
        if error is not None:
            self.path.unlink(missing_ok=True)

    @property
    def keeping(self) -> Keeping:
        """What a scan hands its lines to."""
        return Keeping(self._keep, self._leave_out)

    def _keep(self, data: bytes) -> None:
        self.lines += data.count(b"\n")
        self._any_data |= not data.startswith(b"-")
        try:
            self._stream.write(data)
        except OSError as error:
            raise SalvageError(f"{self.path}: writing it failed ({error.strerror}); it was removed.") from error

    def _leave_out(self, number: int, findings: Sequence[Finding]) -> None:
        codes = [finding.code.name for finding in findings if finding.code.level is not Level.NOTE]
        if not codes:
            return
        if len(self.left_out) < _MOST_LISTED:
            self.left_out.append((number, ", ".join(dict.fromkeys(codes))))
        else:
            self.not_listed += 1

    def finish(self, examined: Examined) -> None:
        """End the file: without a count it gets zero bytes (W08).

        Raises SalvageError where nothing of it may be kept: another kind, another text than was meant to be read, or
        a version whose records may mean something else.
        """
        if examined.kind not in SALVAGED:
            raise SalvageError(
                f"{examined.name}: this is {examined.kind.value}, and only lines of histories and traces are salvaged."
            )
        version = next((finding for finding in examined.findings if finding.code is UNKNOWN_VERSION), None)
        if version is not None:
            raise SalvageError(
                f"{examined.name}: line {version.line}: {version.sentence}, and its records may mean something else; "
                "nothing was kept."
            )
        if examined.stopped:
            raise SalvageError(f"{examined.name}: {examined.findings[0].sentence}; there is no line to keep.")
        try:
            if not self._any_data:
                self._stream.truncate(0)
                self.lines = 0
            self._stream.flush()
        except OSError as error:
            raise SalvageError(f"{self.path}: writing it failed ({error.strerror}); it was removed.") from error


def salvage_lines(salvage: Salvage, width: int) -> Iterator[Line]:
    """Yield what was kept, and every line that was not."""
    kept = "1 line" if salvage.lines == 1 else f"{salvage.lines} lines"
    count = len(salvage.left_out) + salvage.not_listed
    left = "nothing was left out" if not count else f"{count} line{'' if count == 1 else 's'} left out:"
    yield line((shown_text(str(salvage.path)), "id"), f": {kept} kept, {left}")
    for number, codes in salvage.left_out:
        yield from wrapped(f"line {number}: {codes}", width, "    ")
    if salvage.not_listed:
        yield line(f"    and {salvage.not_listed} more")
