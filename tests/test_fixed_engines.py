"""Engines built for one identity and one set of dimensions: which sessions they take, and the corpus made for them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from coli_conformance import corpus, manifest
from coli_conformance.corpus import vectors
from coli_conformance.corpus.for_target import made_for
from coli_conformance.corpus.target import Target
from coli_conformance.engines.declared import open_declared
from coli_conformance.engines.fixed import Fixed
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.runner import run

DRIVERS = Path(__file__).parent / "drivers"
CASES, DIGEST = vectors.committed()
GLM = Target("glm_moe_dsa", 78, 256)


def broken(results: Sequence[Result]) -> dict[str, Status]:
    return {
        result.case_id: result.status for result in results if result.status not in {Status.PASS, Status.UNSUPPORTED}
    }


def written(folder: Path, text: str) -> Path:
    path = folder / "coli-engine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_reader_built_for_olmoe_holds_all_that_it_claims(c_engine: Path, tmp_path: Path) -> None:
    words = f"{DRIVERS / 'one_read.sh'}, {c_engine}, olmoe, 16, 64"
    path = written(
        tmp_path,
        f'load: [{words}, load, "{{path}}"]\ntrust: [{words}, trust, "{{path}}"]\n'
        "roles: [load, bounds, identify, trusted, iku1]\nengine: olmoe\ndimensions: 16x64\n",
    )
    declared = manifest.read(path)
    cases, _ = made_for(declared.fixed.target)
    with open_declared(declared, jobs=2, timeout=30) as transport:
        results = run(transport, cases, on_result=lambda *_: None).results
    assert broken(results) == {}
    passed = {result.case_id.partition("-")[0] for result in results if result.status is Status.PASS}
    assert passed >= {"R03", "R04", "R05", "R06", "R07", "R10", "R16", "R18", "R20", "I02", "I03", "I05"}


def test_the_corpus_for_a_fixed_driver_is_made_for_it(tmp_path: Path) -> None:
    engine = (
        f"command: [{sys.executable}, -P, -m, coli_conformance.engines.serve, fixed_engine:OlmoeAlone]\n"
        f"env: {{PYTHONPATH: {DRIVERS}}}\n"
    )
    statuses = []
    for built_for in ("", "engine: olmoe\ndimensions: {n_layers: 16, n_experts: 64}\n"):
        declared = manifest.read(written(tmp_path, engine + built_for))
        cases = made_for(declared.fixed.target)[0] if declared.fixed else CASES
        about = [case for case in cases if case.clauses[0] in {"W03", "R09"}]
        with open_declared(declared, jobs=2, timeout=60) as transport:
            results = run(transport, about, on_result=lambda *_: None).results
        statuses.append({case.steps[0]: result.status for case, result in zip(about, results, strict=True)})
    unsaid, said = statuses
    assert set(unsaid.values()) == {Status.UNSUPPORTED}
    assert said == {init: Status.PASS if init == "init olmoe 16 64" else Status.UNSUPPORTED for init in said}
    assert "init olmoe 16 64" in said
    other = next(result for result in results if result.status is Status.UNSUPPORTED)
    assert "built for olmoe with 16 x 64 counters" in other.detail


@pytest.mark.parametrize("target", [GLM, Target("kimi_k3", 93, 896), Target("qwen38", 1, 1)], ids=lambda t: t.name)
def test_the_c_engine_passes_the_corpus_made_for_another_engine(c_engine: Path, target: Target) -> None:
    fixed = Fixed(target.name, (target.n_layers, target.n_experts))
    declared = manifest.Manifest(None, (str(c_engine),), {}, fixed)
    cases = [case for case in corpus.generate(target) if case.clauses[0][0] in "WRI"]
    with open_declared(declared, jobs=2, timeout=60) as transport:
        results = run(transport, cases, on_result=lambda *_: None).results
    assert broken(results) == {}
    passed = sum(result.status is Status.PASS for result in results)
    assert passed == sum(case.steps[0] == target.init for case in cases) > len(cases) // 2


def test_a_corpus_can_be_made_for_dimensions_that_a_clause_tries_anyway() -> None:
    ids = [case.id for case in corpus.generate(GLM)]
    assert len(ids) == len(set(ids))
    (corner,) = [case for case in corpus.generate(Target("mine", 78, 256)) if case.id == "R10-78x256-corners"]
    assert corner.steps[0] == "init mine 78 256"


def test_the_digest_is_that_of_the_files_that_would_be_written() -> None:
    assert made_for(Target())[1] == DIGEST
    assert made_for(Target("olmoe", 5, 8))[1] != DIGEST


@pytest.mark.parametrize(
    ("fixed", "init", "takes"),
    [
        (Fixed(), "init any 1 2", True),
        (Fixed("olmoe"), "init olmoe 3 4", True),
        (Fixed("olmoe"), "init olmoe2 3 4", False),
        (Fixed(dimensions=(3, 4)), "init any 3 4", True),
        (Fixed(dimensions=(3, 4)), "init any 4 3", False),
        (Fixed("olmoe", (3, 4)), "init olmoe 3 5", False),
    ],
)
def test_which_sessions_a_fixed_engine_takes(fixed: Fixed, init: str, takes: bool) -> None:
    assert fixed.takes(init) is takes


def test_what_is_not_built_in_is_that_of_the_committed_cases() -> None:
    assert Fixed("olmoe").target == Target("olmoe", 5, 8)
    assert Fixed(dimensions=(3, 4)).target == Target("glm_moe_dsa", 3, 4)
