"""The matrix as one HTML page: it stands alone, holds no script and shows what engines said inert."""

from __future__ import annotations

from typing import Any

from coli_conformance import __version__
from coli_conformance.escape import shown_text
from coli_conformance.matrix.cells import Cell, CellStatus, Engine, Matrix, Pair, Written
from coli_conformance.matrix.table import first_broken_text
from coli_conformance.matrix.versions import Family, families
from coli_conformance.reports.excerpt import excerpt

_LONGEST_LINE = 120


def html_report(matrix: Matrix) -> str:
    """Return the page. Every text that an engine or its entry supplied is escaped twice: unprintable, then markup."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - only a page pays for it

    environment = Environment(
        loader=PackageLoader("coli_conformance", "matrix"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("page.html.j2")
    return page.render(
        version=__version__,
        readers=[shown_text(reader) for reader in matrix.readers],
        rows=[_row(matrix, writer) for writer in matrix.writers],
        counts=[(status.word, status.symbol, matrix.count(status)) for status in CellStatus],
        scenarios=[{"name": name, "why": why} for name, why in matrix.scenarios],
        families=[_family(family) for family in families(matrix)],
        engines=[_engine(engine) for engine in matrix.engines],
    )


def _row(matrix: Matrix, writer: str) -> dict[str, Any]:
    return {"writer": shown_text(writer), "pairs": [_pair(matrix.pair(writer, reader)) for reader in matrix.readers]}


def _pair(pair: Pair) -> dict[str, Any]:
    supported = len(pair.cells) - len(pair.of(CellStatus.UNSUPPORTED))
    of_status = {
        CellStatus.FAIL: f"{len(pair.of(CellStatus.FAIL))} of {supported}",
        CellStatus.PASS: f"{supported}",
        CellStatus.UNSUPPORTED: "",
    }
    return {
        "writer": shown_text(pair.cells[0].writer),
        "reader": shown_text(pair.cells[0].reader),
        "status": pair.status.word,
        "symbol": pair.status.symbol,
        "text": of_status[pair.status],
        "cells": [_cell(cell) for cell in pair.cells],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    failed = cell.status is CellStatus.FAIL
    return {
        "scenario": cell.scenario,
        "status": cell.status.word,
        "symbol": cell.status.symbol,
        "reason": shown_text(cell.reason),
        "breaches": [shown_text(breach) for breach in cell.written.breaches] if failed else [],
        "file": _file(cell.written) if failed else [],
    }


def _file(written: Written) -> list[str]:
    """Return the first lines of the file, escaped and numbered."""
    shown = excerpt(written.data or b"", None, None, 1, _LONGEST_LINE)
    return [f"{one.number:>3}  {one.text}" for one in shown]


def _family(family: Family) -> dict[str, Any]:
    return {
        "name": shown_text(family.name),
        "versions": [shown_text(version) for version in family.versions],
        "rows": [
            {
                "side": row.side,
                "scenario": row.scenario,
                "statuses": [
                    {"version": shown_text(version), "status": status.word, "symbol": status.symbol}
                    for version, status in zip(family.versions, row.statuses, strict=True)
                ],
                "first_broken": first_broken_text(row),
            }
            for row in family.rows
        ],
    }


def _engine(engine: Engine) -> dict[str, Any]:
    return {
        "name": shown_text(engine.name),
        "sides": " and ".join(side for side, does in (("writes", engine.writes), ("reads", engine.reads)) if does),
        "kind": shown_text(engine.kind),
        "roles": " ".join(engine.roles),
    }
