"""The whole matrix: engines opened, every writer and every reader played, and everything closed again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import coli_spec
from coli_conformance.engines.declared import open_declared
from coli_conformance.engines.in_process import InProcess
from coli_conformance.engines.python_class import open_python
from coli_conformance.engines.transport import EngineUnusable, Transport
from coli_conformance.matrix import gold
from coli_conformance.matrix.cells import Cell, Engine, Matrix, Written
from coli_conformance.matrix.engines_file import Entry, target
from coli_conformance.matrix.old_readers import OLD_READERS
from coli_conformance.matrix.play import cells_of, written_files
from coli_conformance.matrix.scenarios import scenarios


def play(entries: Sequence[Entry], folder: Path, jobs: int, timeout: float) -> Matrix:
    """Play every scenario of every writer, then every file and the gold files with every reader.

    An engine that claims `save` writes, one that claims `load` reads, unless its entry says otherwise. `folder` is
    where the modules of Python engines are; `jobs` processes run at a time, `timeout` is in seconds for one session.
    Raises EngineUnusable, with a sentence that names the engine.
    """
    made_for = scenarios(target(tuple(entries)))
    with ExitStack() as stack:
        opened = [(entry, stack.enter_context(_open(entry, folder, jobs, timeout))) for entry in entries]
        engines = tuple(_engine(entry, transport) for entry, transport in opened)
        files: list[Written] = []
        for engine, (_, transport) in zip(engines, opened, strict=True):
            if engine.writes:
                files += written_files(engine.name, transport, made_for)
        gold_files = gold.gold_files()
        files += gold_files
        cells: list[Cell] = []
        for engine, (_, transport) in zip(engines, opened, strict=True):
            if engine.reads:
                cells += cells_of(engine.name, transport, files)
    return Matrix(
        engines=engines,
        writers=(*(engine.name for engine in engines if engine.writes), *(written.writer for written in gold_files)),
        readers=tuple(engine.name for engine in engines if engine.reads),
        scenarios=(*((scenario.name, scenario.why) for scenario in made_for), (gold.SCENARIO, gold.WHY)),
        cells=tuple(cells),
    )


def _open(entry: Entry, folder: Path, jobs: int, timeout: float) -> Transport:
    try:
        if entry.old_reader is not None:
            return InProcess(OLD_READERS[entry.old_reader], entry.name, {})
        if entry.python is not None:
            paths = filter(None, (str(folder), str(Path.cwd()), os.environ.get("PYTHONPATH")))
            environment = {"PYTHONPATH": os.pathsep.join(paths)}
            return open_python(entry.python, name=entry.name, environment=environment, jobs=jobs, timeout=timeout)
        read = entry.manifest
        assert read is not None, f"{entry.name} has no way to be reached"
        return open_declared(replace(read, name=entry.name), jobs=jobs, timeout=timeout)
    except EngineUnusable as error:
        raise EngineUnusable(f"The engine {entry.name}: {error}") from error


def _engine(entry: Entry, transport: Transport) -> Engine:
    description = transport.description
    writes = entry.writes and "save" in description.roles
    reads = entry.reads and "load" in description.roles
    if not writes and not reads:
        claimed = " ".join(sorted(description.roles))
        raise EngineUnusable(
            f"The engine {entry.name} neither writes nor reads histories here: it claims {claimed}. Only an engine "
            "that claims save or load has a place in the matrix."
        )
    return Engine(
        name=entry.name,
        kind=description.kind if entry.old_reader is None else f"the old reader's model, {entry.old_reader}",
        command=description.command if entry.old_reader is None else (),
        roles=tuple(role.name for role in coli_spec.load().roles if role.name in description.roles),
        writes=writes,
        reads=reads,
        family=entry.family,
        version=entry.version,
    )
