"""The command line `coli-conformance`: its commands, each imported when it is asked for, and the guard around them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from coli_conformance import __version__
from coli_conformance.cli.complaint import Complaint
from coli_conformance.interrupts import INTERRUPTED, ignore_interrupts, raise_interrupts, undisturbed

_COMMANDS = {
    "run": "coli_conformance.cli.run",
    "init": "coli_conformance.cli.init",
    "check": "coli_conformance.cli.check",
    "compat": "coli_conformance.cli.compat",
    "matrix": "coli_conformance.cli.matrix",
    "fuzz": "coli_conformance.cli.fuzz",
    "shrink": "coli_conformance.cli.shrink",
    "explain": "coli_conformance.cli.explain",
    "report": "coli_conformance.cli.report",
    "vectors": "coli_conformance.cli.vectors",
    "records": "coli_conformance.cli.records",
    "engines": "coli_conformance.cli.engines",
    "self-test": "coli_conformance.cli.self_test",
}
"""Each command and the module whose attribute `command` it is."""


class _LazyGroup(click.Group):
    """A group that imports the module of a command only to run it or to show its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order in which they are usually needed."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, or None where there is none."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(_COMMANDS[cmd_name]).command
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="coli-conformance", message="%(prog)s %(version)s")
def _coli_conformance() -> None:
    """Hold an engine's reading and writing of routing telemetry (.coli_usage) to the contract.

    Exit status: 0 what was asked for holds, 1 it does not, 2 wrong usage or nothing verified, 3 the engine could not
    be asked, 4 a fault of the suite itself.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; no exception comes out of it, and no traceback is shown.

    `arguments` are the words after the program's name, `sys.argv` where None.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    raise_interrupts()
    try:
        status = _coli_conformance.main(arguments, "coli-conformance", standalone_mode=False)
    except Complaint as error:
        from coli_conformance.escape import shown_text  # noqa: PLC0415 - only needed where this happens

        sentence, *quoted = error.sentence.split("\n")
        click.echo(f"coli-conformance: {shown_text(sentence)}", err=True)
        for text in quoted:
            click.echo(f"    | {shown_text(text)}", err=True)
        return error.exit_status
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        if arguments is None:  # the whole program ends now
            ignore_interrupts()
        else:
            undisturbed.begin()
        click.echo("Interrupted; what had been started was ended.", err=True)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the one place where whatever else goes wrong is turned into a sentence
        return _suite_fault(error)
    return status if isinstance(status, int) else 0


def _suite_fault(error: Exception) -> int:
    from coli_conformance.escape import shown_text  # noqa: PLC0415 - only needed where this happens
    from coli_conformance.score import SUITE_FAULT  # noqa: PLC0415 - as above

    if os.environ.get("COLI_DEBUG") == "1":
        import traceback  # noqa: PLC0415 - as above

        traceback.print_exception(error)
    click.echo(
        f"coli-conformance {__version__}: a fault of the suite itself, not of the engine: {type(error).__name__}: "
        f"{shown_text(str(error))}\nPlease report it on the issue tracker of the project, with what the same command "
        "says under COLI_DEBUG=1.",
        err=True,
    )
    return SUITE_FAULT
