"""The driver of this engine: the starter of `coli-conformance init python`, filled in.

coli-conformance run -- python3 driver.py
"""

import sys

from engine import Engine, applied
from reader import read

# `reusable` as well: an Engine is made anew by each init, and nothing outlives it but what was said once (R19).
ROLES = "load bounds identify trusted iku1 save trace reusable"


class Session:
    """One method for each command; it takes the command's words and returns the answer."""

    engine = Engine("", 0, 0)

    def hello(self, version):
        return f"ok {ROLES}" if version == "1" else "unsupported"

    def init(self, name, n_layers, n_experts):
        self.engine.close()
        self.engine = Engine(name, int(n_layers), int(n_experts))
        return "ok"

    def drop(self, layer):
        self.engine.drop(int(layer))
        return "ok"

    def route(self, layer, row, *choices):
        split = [choice.split(":") for choice in choices]
        self.engine.route(int(layer), int(row), [(int(expert), applied(float(gate))) for expert, gate in split])
        return "ok"

    def endcall(self):
        self.engine.end_call()
        return "ok"

    def add(self, layer, expert, count):
        self.engine.credit(int(layer), int(expert), int(count))
        return "ok"

    def load(self, path):
        return total_or_refused(read(self.engine, path, trusted=False))

    def trust(self, path):
        return total_or_refused(read(self.engine, path, trusted=True))

    def counts(self):
        return "\n".join([*(f"{layer} {expert} {count}" for layer, expert, count in self.engine.counts()), "ok"])

    def save(self, path):
        try:
            self.engine.save(path)
        except OSError as error:
            return f"error {error}"
        return "ok"


def total_or_refused(total):
    return "refused" if total is None else f"ok {total}"


COMMANDS = ("hello", "init", "drop", "route", "endcall", "add", "load", "trust", "counts", "save")


def main():
    session = Session()
    for line in sys.stdin:
        verb, *words = line.split()
        print(getattr(session, verb)(*words) if verb in COMMANDS else "unsupported", flush=True)


if __name__ == "__main__":
    main()
