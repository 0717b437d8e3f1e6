"""The table by which the C engine knows the agreed record types: generated from the registry, never edited."""

from __future__ import annotations

from coli_spec.model import Spec

PATH = "reference/c/agreed_records.h"
"""Where the table stands, from the top of the checkout."""

_HEAD = """\
/* The header records agreed after -1 and -2, as entries of a table: number, written by request, name.
 * Generated from spec/coli_spec/records.yaml by `coli-conformance records accept`; do not edit. */
"""


def text(spec: Spec) -> str:
    """Return the whole file; a record's name has no character that C would take for anything else."""
    return _HEAD + "".join(f'{{{record.number}, true, "{record.name}"}},\n' for record in spec.agreed_later())
