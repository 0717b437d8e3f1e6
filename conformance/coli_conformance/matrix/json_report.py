"""The matrix as JSON, for programs. `matrix.schema.json` beside this declares it."""

from __future__ import annotations

import json
from typing import Any

from coli_conformance import __version__
from coli_conformance.matrix.cells import Cell, Engine, Matrix
from coli_conformance.matrix.versions import families

FORMAT = 1
"""The version of the report's JSON."""


def json_report(matrix: Matrix) -> str:
    """Return the report as text, ASCII with everything else escaped, ending in a newline.

    `count` stands last and says how many cells there are, so that a report that was cut short is noticed.
    """
    document: dict[str, Any] = {
        "format": FORMAT,
        "suite": {"version": __version__},
        "engines": [_engine(engine) for engine in matrix.engines],
        "writers": list(matrix.writers),
        "readers": list(matrix.readers),
        "scenarios": [{"name": name, "why": why} for name, why in matrix.scenarios],
        "cells": [_cell(cell) for cell in matrix.cells],
        "families": [
            {
                "name": family.name,
                "versions": list(family.versions),
                "rows": [
                    {
                        "side": row.side,
                        "scenario": row.scenario,
                        "statuses": [status.word for status in row.statuses],
                        "first_broken": [
                            {"version": version, "partners": list(partners)} for version, partners in row.first_broken
                        ],
                    }
                    for row in family.rows
                ],
            }
            for family in families(matrix)
        ],
        "count": len(matrix.cells),
    }
    return json.dumps(document, indent=1) + "\n"


def _engine(engine: Engine) -> dict[str, Any]:
    return {
        "name": engine.name,
        "kind": engine.kind,
        "command": list(engine.command),
        "roles": list(engine.roles),
        "writes": engine.writes,
        "reads": engine.reads,
        "family": engine.family,
        "version": engine.version,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "writer": cell.writer,
        "reader": cell.reader,
        "scenario": cell.scenario,
        "status": cell.status.word,
        "reason": cell.reason,
        "file_breaks": list(cell.written.breaches),
    }
