"""The checkout that the suite runs from, and the C engine built from it: an installed suite has neither."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import coli_spec
from coli_conformance.escape import cut, shown_bytes

_SECONDS = 300
_SHOWN = 300


class NotHereError(Exception):
    """Something this machine or this installation lacks; the text is a sentence that says what."""


def root() -> Path:
    """Return the top folder of the checkout whose declaration is in use. Raises NotHereError in an installed suite."""
    top = Path(coli_spec.__file__).resolve().parents[2]
    if not (top / "reference" / "c" / "Makefile").is_file() or not (top / "spec" / "coli_spec").is_dir():
        raise NotHereError("the suite runs from an installation, not from a checkout with reference/c in it")
    return top


@contextmanager
def c_engine() -> Iterator[Path]:
    """Yield the C engine's program, built from the checkout; it is gone afterwards.

    Raises NotHereError where there is no checkout, no `make` or no `cc`, or where it does not build.
    """
    sources = root() / "reference" / "c"
    for program in ("make", "cc"):
        if shutil.which(program) is None:
            raise NotHereError(f"the C engine cannot be built: {program} is not on this machine")
    with TemporaryDirectory(prefix="coli-records-") as folder:
        command = ["make", "-s", "-C", str(sources), f"BUILD={folder}", f"{folder}/coli_engine"]
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        if done.returncode != 0:
            said = cut(shown_bytes(done.stderr.strip()), _SHOWN)
            raise NotHereError(f"the C engine did not build; make said: {said}")
        yield Path(folder) / "coli_engine"
