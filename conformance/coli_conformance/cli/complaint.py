"""A sentence that ends a command: what is wrong and what to do, with the exit status that goes with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Complaint(Exception):  # noqa: N818 - it is no fault of the suite
    """Ends the command: `sentence` goes to standard error, escaped, and `exit_status` to the caller.

    Lines that follow the first are shown as quoted ones, set off from what the suite says itself.
    """

    def __init__(self, sentence: str, exit_status: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.exit_status = exit_status


@contextmanager
def complaints() -> Iterator[None]:
    """Turn the errors that are sentences for whoever typed the command into complaints."""
    # Imported here: `--version` needs Complaint and nothing of these.
    from coli_conformance.corpus.vectors import VectorError  # noqa: PLC0415
    from coli_conformance.reports.output import OutputError  # noqa: PLC0415
    from coli_conformance.score import SUITE_FAULT, USAGE  # noqa: PLC0415
    from coli_conformance.selection import SelectionError  # noqa: PLC0415
    from coli_spec import SpecError  # noqa: PLC0415

    try:
        yield
    except (SelectionError, OutputError, SpecError) as error:
        raise Complaint(str(error), USAGE) from error
    except VectorError as error:
        raise Complaint(str(error), SUITE_FAULT) from error
