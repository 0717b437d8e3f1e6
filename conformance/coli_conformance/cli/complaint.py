"""A sentence that ends a command: what is wrong and what to do, with the exit status that goes with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from coli_conformance.corpus.vectors import VectorError
from coli_conformance.escape import shown_text
from coli_conformance.reports.output import OutputError
from coli_conformance.score import SUITE_FAULT, USAGE
from coli_conformance.selection import SelectionError
from coli_spec import SpecError


class Complaint(click.ClickException):
    """Ends the command with a sentence on standard error."""

    def __init__(self, sentence: str, exit_code: int = USAGE) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the sentence, with whatever came from outside escaped."""
        click.echo(f"coli-conformance: {shown_text(self.message)}", file=file, err=file is None)


@contextmanager
def complaints() -> Iterator[None]:
    """Turn the errors that are sentences for whoever typed the command into complaints."""
    try:
        yield
    except (SelectionError, OutputError, SpecError) as error:
        raise Complaint(str(error)) from error
    except VectorError as error:
        raise Complaint(str(error), SUITE_FAULT) from error
