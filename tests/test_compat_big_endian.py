"""The C engine on a big-endian machine: its reader of IKU1 must not depend on the byte order of the host (I01)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from coli_conformance.case import Case
from coli_conformance.corpus import vectors
from coli_conformance.engines.command import open_command
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run

REFERENCE = Path(__file__).parents[1] / "reference"
COMPILER = "s390x-linux-gnu-gcc"
EMULATOR = "qemu-s390x"
BYTE_BY_BYTE = (
    "return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;"
)
AS_THE_HOST_HAS_IT = "uint32_t word; memcpy(&word, bytes, sizeof word); return word;"


def build(sources: Path, folder: Path, compiler: str) -> Path:
    linked = ["LDFLAGS=-static"] if compiler == COMPILER else []  # the emulator has no libraries of that machine
    subprocess.run(["make", "-s", "-C", sources, f"CC={compiler}", *linked, f"BUILD={folder}"], check=True)
    return folder / "coli_engine"


@pytest.fixture(scope="module")
def toolchain() -> None:
    for program in ("make", "cc", COMPILER, EMULATOR):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not on this machine; a big-endian engine takes make, {COMPILER} and {EMULATOR}")


@pytest.fixture(scope="module")
def engine(toolchain: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(REFERENCE / "c", tmp_path_factory.mktemp("s390x"), COMPILER)


@pytest.fixture(scope="module")
def native_endian_sources(toolchain: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of an engine that takes the words of IKU1 for the host's own."""
    folder = tmp_path_factory.mktemp("native-endian")
    not_needed = shutil.ignore_patterns("build", "*.py", "__pycache__")
    shutil.copytree(REFERENCE, folder, dirs_exist_ok=True, ignore=not_needed)
    source = folder / "c" / "iku1.c"
    text = source.read_text(encoding="utf-8")
    assert text.count(BYTE_BY_BYTE) == 1
    source.write_text(text.replace(BYTE_BY_BYTE, AS_THE_HOST_HAS_IT), encoding="utf-8")
    return folder / "c"


def cases_of(*clauses: str) -> list[Case]:
    cases, _ = vectors.committed()
    return [case for case in cases if case.clauses[0] in clauses]


def results(command: Sequence[str | Path], cases: Sequence[Case]) -> list[Result]:
    def on_result(case: Case, result: Result, observation: Observation | None) -> None:
        pass

    with open_command([str(word) for word in command], jobs=2, timeout=30.0) as transport:
        return list(run(transport, cases, on_result=on_result).results)


def test_the_c_engine_reads_and_writes_on_a_big_endian_machine(engine: Path) -> None:
    cases = cases_of("I01", "I02", "I03", "I04", "I06", "I08", "R01", "R15", "W07", "W11", "W15")
    outcome = results([EMULATOR, engine], cases)
    assert [(result.case_id, result.detail) for result in outcome if result.status is not Status.PASS] == []
    assert {result.case_id[:3] for result in outcome} >= {"I01", "W15"}


def test_a_native_endian_reader_of_iku1_is_caught_where_the_byte_order_is_the_other(
    native_endian_sources: Path, tmp_path: Path
) -> None:
    cases = cases_of("I01")
    faulty = build(native_endian_sources, tmp_path / "s390x", COMPILER)
    broken = {clause for result in results([EMULATOR, faulty], cases) for clause in result.broken}
    assert "I01" in broken


def test_the_same_reader_passes_on_a_little_endian_machine(native_endian_sources: Path, tmp_path: Path) -> None:
    if os.uname().machine not in {"x86_64", "aarch64"}:
        pytest.skip("this machine is not known to be little-endian")
    engine = build(native_endian_sources, tmp_path / "native", "cc")
    assert {result.status for result in results([engine], cases_of("I01"))} == {Status.PASS}
