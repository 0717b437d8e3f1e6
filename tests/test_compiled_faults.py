"""Faulty C engines, each one replacement away from the sound one: the real transport and the judge show every one."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import coli_spec
from coli_conformance.case import Case
from coli_conformance.comma_locale import HOW_TO_INSTALL, comma_locale
from coli_conformance.corpus import vectors
from coli_conformance.engines.command import open_command
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run

SOURCES = Path(__file__).parents[1] / "reference" / "c"
DECLARED = Path(__file__).parent / "compiled_faults" / "compiled.yaml"
ENGINE = tuple(sorted(path.name for path in SOURCES.glob("*.c") if path.name != "old_reader.c"))
COMPILE = ("cc", "-std=c11", "-O1", "-w", "-c")
PATIENCE = 1.0
"""Seconds for a case; a fault that hangs takes as long in each of the five cases after which a run is given up."""


@dataclass(frozen=True)
class CompiledFault:
    """One entry of compiled.yaml, where its keys are explained."""

    name: str
    wrong: str
    clauses: tuple[str, ...]
    seen: str
    file: str
    old: str
    new: str

    @classmethod
    def of(cls, entry: dict[str, Any]) -> "CompiledFault":
        return cls(**{**entry, "clauses": tuple(entry["clauses"])})

    def applied(self, source: str) -> str:
        """Return the source with the fault in it; AssertionError where the place is not found exactly once."""
        found = source.count(self.old)
        assert found == 1, f"{self.name}: its `old` stands {found} times in {self.file}; it must stand there once"
        return source.replace(self.old, self.new)


FAULTS = tuple(map(CompiledFault.of, yaml.safe_load(DECLARED.read_text())))


@pytest.fixture(scope="session")
def sound_objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sound engine's object files, so that a fault compiles one file of its own."""
    if not shutil.which("cc"):
        pytest.skip("building faulty C engines needs `cc`")
    folder = tmp_path_factory.mktemp("sound")
    subprocess.run([*COMPILE, *(SOURCES / name for name in ENGINE)], cwd=folder, check=True)
    return folder


def linked(objects: Path, folder: Path, fault: CompiledFault | None = None) -> Path:
    """Return the engine linked from the sound objects, the faulty file's own in place of the sound one's."""
    units = {name: objects / Path(name).with_suffix(".o") for name in ENGINE}
    if fault is not None:
        source = folder / fault.file
        source.write_text(fault.applied((SOURCES / fault.file).read_text()))
        subprocess.run([*COMPILE, f"-I{SOURCES}", source.name], cwd=folder, check=True)
        units[fault.file] = source.with_suffix(".o")
    program = folder / "engine"
    subprocess.run(["cc", "-o", program, *units.values()], check=True)
    return program


def results(program: Path, cases: tuple[Case, ...]) -> tuple[Result, ...]:
    with open_command((str(program),), timeout=PATIENCE) as transport:
        return run(transport, cases, on_result=lambda *_: None).results


def cases_about(*clauses: str) -> tuple[Case, ...]:
    return tuple(case for case in vectors.committed()[0] if case.clauses[0] in clauses)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_cases_about_its_clauses_show_a_compiled_fault(
    fault: CompiledFault, sound_objects: Path, tmp_path: Path
) -> None:
    if "T09" in fault.clauses and comma_locale() is None:
        pytest.skip(HOW_TO_INSTALL)
    seen = results(linked(sound_objects, tmp_path, fault), cases_about(*fault.clauses))
    red = [result for result in seen if result.broken]
    for clause in fault.clauses:
        assert any(clause in result.broken for result in red), f"no case about {clause} sees it broken"
    assert Status[fault.seen.upper()] in {result.status for result in red}


def test_the_engine_without_a_fault_passes_what_shows_them(sound_objects: Path, tmp_path: Path) -> None:
    clauses = {clause for fault in FAULTS for clause in fault.clauses}
    seen = results(linked(sound_objects, tmp_path), cases_about(*clauses))
    assert [result for result in seen if result.broken] == []
    assert sum(result.status is Status.PASS for result in seen) > 200


def test_compiled_faults_are_declared_in_full() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 12
    for fault in FAULTS:
        assert [coli_spec.load().clause(clause).id for clause in fault.clauses] == list(fault.clauses)
        assert fault.wrong.endswith(".")
        assert fault.applied((SOURCES / fault.file).read_text()) != (SOURCES / fault.file).read_text()


def test_a_replacement_that_is_not_found_once_is_an_error() -> None:
    fault = FAULTS[0]
    with pytest.raises(AssertionError, match=f"{fault.name}: its `old` stands 0 times"):
        fault.applied("int main(void) { return 0; }\n")
    with pytest.raises(AssertionError, match="stands 2 times"):
        fault.applied(fault.old * 2)
