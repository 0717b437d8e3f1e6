"""Writers that save in a wrong way: over old files, on full disks, after refusals (W12, W16, W17, W20, W21)."""
# ruff: noqa: D102 - overridden methods keep their parameters, and are described where they are first defined

from contextlib import suppress
from pathlib import Path

from coli_conformance.faults.faulty_engine import Fault
from coli_reference.trust import Dimensions


class SecondSaveIgnored(Fault):
    """Renames onto the old file by a call that fails, unnoticed, when that exists."""

    breaks = ("W12",)

    def replace(self, path: str, data: bytes) -> None:
        if not Path(path).exists():
            super().replace(path, data)


class SaveAppends(Fault):
    """Opens the history for appending."""

    breaks = ("W12", "W04", "W22")

    def replace(self, path: str, data: bytes) -> None:
        old = Path(path).read_bytes() if Path(path).exists() else b""
        super().replace(path, old + data)


class FirstSaveRepeated(Fault):
    """Renders the history once and writes those bytes at every later save."""

    breaks = ("W12",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.rendered = b""

    def replace(self, path: str, data: bytes) -> None:
        self.rendered = self.rendered or data
        super().replace(path, self.rendered)


class OldFileChangedInPlace(Fault):
    """Truncates the old file and writes into it."""

    breaks = ("W16", "W17")

    def replace(self, path: str, data: bytes) -> None:
        Path(path).write_bytes(data)


class CopiedOverTheOldFile(Fault):
    """Writes beside the old file, then copies the bytes into it instead of renaming."""

    breaks = ("W16",)

    def replace(self, path: str, data: bytes) -> None:
        super().replace(f"{path}.new", data)
        Path(path).write_bytes(Path(f"{path}.new").read_bytes())
        Path(f"{path}.new").unlink()


class FailedWriteReplacesTheGoodFile(Fault):
    """Never looks at what writing returned, and renames what there is over the old file."""

    breaks = ("W17",)

    def replace(self, path: str, data: bytes) -> None:
        beside = Path(f"{path}.new")
        with suppress(OSError):
            beside.write_bytes(data)
        with suppress(OSError):
            beside.replace(path)


class FailedWriteUnreported(Fault):
    """Keeps the old file when writing fails, and says that it saved."""

    breaks = ("W17",)

    def replace(self, path: str, data: bytes) -> None:
        with suppress(OSError):
            super().replace(path, data)


class TemporaryFileLeftByAFailure(Fault):
    """Gives up when writing fails, and leaves the half-written file beside the history."""

    breaks = ("W20",)

    def replace(self, path: str, data: bytes) -> None:
        beside = Path(f"{path}.new")
        beside.write_bytes(data)
        beside.replace(path)


class LockFileLeft(Fault):
    """Never removes the lock it takes for a save."""

    breaks = ("W20",)

    def replace(self, path: str, data: bytes) -> None:
        super().replace(path, data)
        Path(f"{path}.lock").touch()


class ForeignHistoryDestroyed(Fault):
    """Saves over a history that it has just refused to read."""

    breaks = ("W21",)

    def keep_refused(self, path: str) -> None:
        """Do nothing."""


class OtherDimensionsDestroyed(Fault):
    """Keeps another engine's history, but saves over one that was refused for its dimensions."""

    breaks = ("W21",)

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        self.dimensions_differed = False

    def check_dimensions(self, declared: Dimensions, writer: str) -> None:
        self.dimensions_differed = declared != self.dimensions()
        super().check_dimensions(declared, writer)

    def keep_refused(self, path: str) -> None:
        if not self.dimensions_differed:
            super().keep_refused(path)
