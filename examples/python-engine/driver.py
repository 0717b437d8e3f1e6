"""The driver of this engine: the starter of `coli-conformance init python`, filled in.

coli-conformance run -- python3 driver.py
"""

import sys

from engine import Engine, applied
from reader import read

# `reusable` as well: an Engine is made anew by each init, and nothing outlives it but what was said once (R19).
ROLES = "load bounds identify trusted iku1 save trace reusable"


class Driver:
    """One method for each command: it takes the words of the command and returns the answer."""

    def __init__(self) -> None:
        self.engine = Engine("", 0, 0)

    def hello(self, version: str) -> str:
        """Say which roles this engine claims."""
        return f"ok {ROLES}" if version == "1" else "unsupported"

    def init(self, name: str, n_layers: str, n_experts: str) -> str:
        """Begin a session."""
        self.engine.close()
        self.engine = Engine(name, int(n_layers), int(n_experts))
        return "ok"

    def drop(self, layer: str) -> str:
        """Take away the row of a layer that does not route."""
        self.engine.drop(int(layer))
        return "ok"

    def route(self, layer: str, row: str, *choices: str) -> str:
        """Count and trace one routing decision."""
        split = [choice.split(":") for choice in choices]
        self.engine.route(int(layer), int(row), [(int(expert), applied(float(gate))) for expert, gate in split])
        return "ok"

    def endcall(self) -> str:
        """End a moe call."""
        self.engine.end_call()
        return "ok"

    def add(self, layer: str, expert: str, count: str) -> str:
        """Add to one counter."""
        self.engine.credit(int(layer), int(expert), int(count))
        return "ok"

    def load(self, path: str) -> str:
        """Read a history that the engine found."""
        return total_or_refused(read(self.engine, path, trusted=False))

    def trust(self, path: str) -> str:
        """Read a history whose path the user typed."""
        return total_or_refused(read(self.engine, path, trusted=True))

    def counts(self) -> str:
        """Show every counter above zero."""
        return "\n".join([*(f"{layer} {expert} {count}" for layer, expert, count in self.engine.counts()), "ok"])

    def save(self, path: str) -> str:
        """Write the history."""
        try:
            self.engine.save(path)
        except OSError as error:
            return f"error {error}"
        return "ok"


def total_or_refused(total: int | None) -> str:
    """Return the answer to a read."""
    return "refused" if total is None else f"ok {total}"


COMMANDS = ("hello", "init", "drop", "route", "endcall", "add", "load", "trust", "counts", "save")


def main() -> None:
    """Answer each command of standard input; the end of it ends the driver."""
    driver = Driver()
    for line in sys.stdin:
        verb, *words = line.split()
        print(getattr(driver, verb)(*words) if verb in COMMANDS else "unsupported", flush=True)


if __name__ == "__main__":
    main()
