"""What every faulty engine is: the reference engine with one thing wrong, and the clauses that breaks."""

from typing import ClassVar

from coli_reference.engine import ReferenceEngine


class Fault(ReferenceEngine):
    """A reference engine with one fault. The class name is the fault, its docstring says what is wrong."""

    breaks: ClassVar[tuple[str, ...]]
    """The clauses the fault breaks; the first is the one it is about."""


class KnowsTrust(Fault):
    """Knows in every step of a read whether it is trusted. No fault by itself."""

    trusted = False

    def read(self, path: str, *, trusted: bool) -> int | None:
        """Remember, and read."""
        self.trusted = trusted
        return super().read(path, trusted=trusted)
