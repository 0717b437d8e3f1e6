"""Python engines that claim `reusable`; all but the first three carry something from one session into the next."""

from typing import ClassVar

from coli_reference.engine import ReferenceEngine
from coli_reference.history import Record


class Sound(ReferenceEngine):
    """Starts truly fresh."""


class WrongInEverySession(ReferenceEngine):
    """Loses the last record of what it reads, whatever it read before: wrong, but no leak."""

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data)[:-1]


class CrashesInEverySession(ReferenceEngine):
    """Crashes on every history it loads, so that a process never plays two cases that load."""

    def parse(self, data: bytes) -> list[Record]:
        raise RuntimeError("cannot read")


class CountersKept(ReferenceEngine):
    """Leaves its counters as they are where the dimensions are the same as before."""

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        earlier = getattr(self, "counters", None)
        super().start(name, n_layers, n_experts)
        if earlier is not None and (earlier.n_layers, earlier.n_experts) == (n_layers, n_experts):
            self.counters = earlier


class DroppedRowsKept(ReferenceEngine):
    """Rows that were dropped stay dropped."""

    dropped: ClassVar[set[int]] = set()

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        super().start(name, n_layers, n_experts)
        for layer in self.dropped:
            super().drop(layer)

    def drop(self, layer: int) -> None:
        self.dropped.add(layer)
        super().drop(layer)


class RefusalRemembered(ReferenceEngine):
    """Refuses every history once it has refused one."""

    refused: ClassVar[bool] = False

    def read(self, path: str, *, trusted: bool) -> int | None:
        total = None if self.refused else super().read(path, trusted=trusted)
        if total is None:
            RefusalRemembered.refused = True
        return total


class FirstNameKept(ReferenceEngine):
    """Goes by the name of its first session for ever."""

    first_name: ClassVar[str] = ""

    def start(self, name: str, n_layers: int, n_experts: int) -> None:
        FirstNameKept.first_name = self.first_name or name
        super().start(self.first_name, n_layers, n_experts)


class RightFromTheSecondSessionOn(ReferenceEngine):
    """Reads nothing in its first session, so that only the first case of a process shows how wrong it is."""

    sessions: ClassVar[int] = 0

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        RightFromTheSecondSessionOn.sessions += 1
        super().init(name, n_layers, n_experts)

    def parse(self, data: bytes) -> list[Record]:
        return super().parse(data) if self.sessions > 1 else []


class ThirdLoadRefused(ReferenceEngine):
    """Refuses the third history that a process loads, so that no single earlier session is enough to show it."""

    loads: ClassVar[int] = 0

    def read(self, path: str, *, trusted: bool) -> int | None:
        ThirdLoadRefused.loads += 1
        return None if self.loads == 3 else super().read(path, trusted=trusted)
