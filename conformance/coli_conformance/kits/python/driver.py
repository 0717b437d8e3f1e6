"""A driver to start from: it stands between coli-conformance and your engine, one text line in, one answer out.

As it stands it claims the seven roles an engine owes and can do nothing: every case fails. Fill in one command after
another; a role whose commands are all there goes green. Take out of ROLES what your engine will never do:

  load        reads a text history                    init, load, counts
  bounds      has counters of given dimensions        drop
  identify    refuses other dimensions, identities and newer versions
  trusted     tells a typed path from a found one     trust
  iku1        reads IKU1 (inkling) or refuses it by name (any other engine)
  save        writes a text history                   route, add, save
  trace       writes the ROUTE_TRACE stream           route, endcall

Hold it to the contract:  coli-conformance run -- python3 driver.py
Try it by hand:           printf 'hello 1\\ninit my_engine 5 8\\ncounts\\n' | python3 driver.py

An answer is any data lines and then one line that begins with ok, refused, error or unsupported. Text after `refused`
or `error` is free; messages for the user go to standard error, never to standard output.
"""

import sys

ROLES = "load bounds identify trusted iku1 save trace"
UNSUPPORTED = "unsupported"


class Driver:
    """One method for each command: it takes the words of the command and returns the answer."""

    def hello(self, version: str) -> str:
        """Say which roles this engine claims."""
        return f"ok {ROLES}" if version == "1" else UNSUPPORTED

    def init(self, name: str, n_layers: str, n_experts: str) -> str:
        """Give the engine this name and these dimensions, every counter zero.

        It comes once per process (claim `reusable` if a second one starts truly fresh). An engine built for one name
        and one size answers any other with `unsupported`; the case's other commands arrive all the same.
        """
        return "ok"

    def drop(self, layer: str) -> str:
        """Drop a layer that does not route: from now on nothing may be credited to its row."""
        return UNSUPPORTED

    def route(self, layer: str, row: str, *choices: str) -> str:
        """Take one routing decision, each choice ID:GATE, in selection order.

        Count them, and trace them when ROUTE_TRACE is set. A gate is a 32-bit float: struct.pack("<f", ...) rounds it.
        """
        return UNSUPPORTED

    def endcall(self) -> str:
        """End a moe call: the trace's call number goes up by one."""
        return UNSUPPORTED

    def add(self, layer: str, expert: str, count: str) -> str:
        """Add to one counter directly; at 4294967295 it stays there."""
        return UNSUPPORTED

    def load(self, path: str) -> str:
        """Read a history that the engine found into the counters.

        The answer is `ok TOTAL`, where TOTAL is the sum of the counts that were accepted, or `refused`.
        """
        return UNSUPPORTED

    def trust(self, path: str) -> str:
        """Read one whose path the user typed: another engine's identity is accepted, and nothing else is relaxed."""
        return UNSUPPORTED

    def counts(self) -> str:
        """Return a line LAYER EXPERT COUNT for every counter that is not zero, in any order, then `ok`."""
        return UNSUPPORTED

    def save(self, path: str) -> str:
        """Write the history; `error` when it could not be written."""
        return UNSUPPORTED


COMMANDS = ("hello", "init", "drop", "route", "endcall", "add", "load", "trust", "counts", "save")


def main() -> None:
    """Answer each command of standard input; the end of it ends the driver."""
    driver = Driver()
    for line in sys.stdin:
        verb, *words = line.split()
        # The harness waits for every answer, hence the flush.
        print(getattr(driver, verb)(*words) if verb in COMMANDS else UNSUPPORTED, flush=True)


if __name__ == "__main__":
    main()
