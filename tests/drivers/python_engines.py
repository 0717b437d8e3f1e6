"""Python engines that answer by heart, for the tests of how a class is served."""

import os
import sys
from pathlib import Path


class Scripted:
    """Has an answer of every kind."""

    roles = frozenset({"load", "save"})

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        assert (name, n_layers, n_experts) == ("glm", 3, 4)

    def route(self, layer: int, row: int, choices: list[tuple[int, float]]) -> None:
        assert (layer, row, choices[0]) == (1, 0, (3, 0.5))

    def load(self, path: str) -> int | None:
        if path == "crash":
            return 1 // 0
        return 2**64 - 1 if path == "good" else None

    def counts(self) -> list[tuple[int, int, int]]:
        return [(1, 2, 3), (4, 5, 6)]

    def save(self, path: str) -> None:
        raise OSError("no space\nleft on it")

    def dense(self, path: str) -> None:
        raise NotImplementedError

    def pin(self, value: str) -> tuple[str, bool] | None:
        return {"auto": (".coli_usage", False), "other": ("other", True)}.get(value)


class Surroundings:
    """Writes down the names in its environment, and more than the limit of the test into another file."""

    roles = frozenset({"save"})

    def init(self, name: str, n_layers: int, n_experts: int) -> None:
        Path("names").write_text("\n".join(sorted(os.environ))[-100:])
        try:
            Path("large").write_bytes(b"x" * 1000)
        except OSError as error:
            print(error, file=sys.stderr)
