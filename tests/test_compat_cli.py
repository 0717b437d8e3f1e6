"""`compat` as it is typed: exit statuses, what is shown of files, and what an engine's own histories come to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coli_conformance.cli import main
from coli_conformance.cli.engine_choice import EngineChoice
from coli_conformance.compat import given
from coli_conformance.compat.compiled import TOOLCHAINS, LoopAbsent, LoopError, build
from coli_conformance.compat.written import saving
from coli_conformance.corpus import vectors
from coli_conformance.engines.python_class import open_python
from coli_spec import iku1

HEADER = b"-1 5 8\n-2 1 3815245270\n"
Captured = pytest.CaptureFixture[str]


def compat(folder: Path, data: bytes, *options: str) -> int:
    path = folder / "history"
    path.write_bytes(data)
    return main(["compat", *options, str(path)])


def rows(out: str) -> list[str]:
    """Return the lines shown, with one blank for each run of them."""
    return [" ".join(text.split()) for text in out.splitlines()]


# -- files ------------------------------------------------------------------------------------------------------------


def test_the_invented_and_the_lost_record_stand_beside_the_lines(tmp_path: Path, capsys: Captured) -> None:
    assert compat(tmp_path, b"3 2 5\n-3 7 12 99\n4 1 8\n") == 1
    shown = rows(capsys.readouterr().out)
    assert "1 3 2 5 3 2 5" in shown
    assert "2 -3 7 12 99 -3 7 12 credits nothing: negative layer" in shown
    assert "99 4 1 <- invented, from lines 2 to 3" in shown
    assert "3 4 1 8 - <- lost" in shown
    assert "every old reader: recovered 2 records, total 6; 1 invented, 1 lost" in shown


def test_the_guards_say_what_reaches_the_counters(tmp_path: Path, capsys: Captured) -> None:
    compat(tmp_path, b"3 2 5\n-3 7 12 4\n1 3 8\n", "--dims", "5x8")
    out = " ".join(capsys.readouterr().out.split())
    assert "bounds checked (5x8, as given): credited 2 records, total 8; meant 2 records, total 13" in out
    assert "absence (a row where the file means data): credited 1 record, total 5; meant" in out


def test_a_sound_history_is_one_line(tmp_path: Path, capsys: Captured) -> None:
    assert compat(tmp_path, HEADER + b"3 2 5\n3 3 1\n") == 0
    out = capsys.readouterr().out
    assert out == f"{tmp_path}/history: every old reader recovers what is meant, 2 records, total 6\n"


def test_undefined_ground_is_called_that_and_costs_nothing(tmp_path: Path, capsys: Captured) -> None:
    assert compat(tmp_path, b"-1 5 8\n-2 3815245270 1\n3 2 5\n") == 0
    out = capsys.readouterr().out
    assert "undefined: line 2, field 2: 3815245270 does not fit int32" in out
    assert "-479722026 64-bit long, musl" in rows(out)
    assert "2147483647 32-bit long, Windows" in rows(out)


def test_what_an_older_save_erases_is_shown_and_costs_nothing(tmp_path: Path, capsys: Captured) -> None:
    assert compat(tmp_path, HEADER + b"-3 7 12\n3 2 5\n") == 0
    out = capsys.readouterr().out
    assert rows(out).count("3 - -3 7 12") == 2
    assert rows(out).count("1 - -1 5 8") == 1
    assert "a build from before the header, which leaves 1 record:" in out
    assert "a build that writes records -1 and -2 alone, which leaves 3 records:" in out


def test_a_named_engine_brings_its_dimensions_and_its_id(tmp_path: Path, capsys: Captured) -> None:
    compat(tmp_path, b"-3 7 12\n3 2 5\n", "--engine", "kimi_k3")
    shown = rows(capsys.readouterr().out)
    assert "+ -1 93 896" in shown
    assert "+ -2 1 1820578806" in shown


def test_an_iku1_file_is_lost_in_silence(tmp_path: Path, capsys: Captured) -> None:
    assert compat(tmp_path, iku1.build(5, 8, {(0, 1): 2, (3, 6): 3})) == 1
    assert "2 counters, total 5: every old reader recovers no record, in silence" in " ".join(
        capsys.readouterr().out.split()
    )


def test_one_file_of_several_that_differs_is_enough(tmp_path: Path, capsys: Captured) -> None:
    paths = [tmp_path / name for name in ("sound", "comment", "empty")]
    for path, data in zip(paths, (HEADER + b"3 2 5\n", b"# v1\n3 2 5\n", b""), strict=True):
        path.write_bytes(data)
    assert main(["compat", *map(str, paths)]) == 1
    out = capsys.readouterr().out
    assert [out.index(str(path)) for path in paths] == sorted(out.index(str(path)) for path in paths)


def test_what_a_file_holds_is_shown_escaped(tmp_path: Path, capsys: Captured) -> None:
    assert compat(tmp_path, b"3 2 5\n\x1b[31mred\r\n3 3 5\n") == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31mred\\r" in out


def test_a_file_with_many_differences_shows_the_first(tmp_path: Path, capsys: Captured) -> None:
    assert compat(tmp_path, b"# v1\n" + b"".join(b"%d 0 1\n" % layer for layer in range(500))) == 1
    out = capsys.readouterr().out
    assert "and 492 more" in out
    assert len(out.splitlines()) < 30


# -- usage and input that cannot be read ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "nothing to read; name files, or a driver command"),
        (["--"], "nothing to read; name files, or a driver command"),
        (["file", "--", "./driver"], "do not go with a driver command"),
        (["--dims", "5x8", "--", "./driver"], "do not go with a driver command"),
        (["--dims", "5", "file"], "--dims '5' are no model's; write layers, x, experts, such as 78x256."),
        (["--engine", "kimi", "file"], "Did you mean kimi_k3?"),
        (["--engine", "deepseek_v4", "file"], "deepseek_v4 has models of 43x256 or 61x384; choose one with --dims."),
    ],
)
def test_2_for_wrong_usage(arguments: list[str], sentence: str, capsys: Captured) -> None:
    assert main(["compat", *arguments]) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_2_for_what_is_no_readable_file(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"0" * 101)
    monkeypatch.setattr(given, "LARGEST", 100)
    for name, sentence in (
        ("missing", "the file cannot be read (No such file or directory)"),
        ("pipe", "this is no regular file"),
        (".", "this is a folder"),
        ("large", "the file has more than"),
    ):
        assert main(["compat", str(tmp_path / name)]) == 2
        assert sentence in capsys.readouterr().err


def test_3_for_an_engine_that_cannot_be_started(capsys: Captured) -> None:
    assert main(["compat", "--", "./no-such-driver"]) == 3
    assert "cannot be started" in capsys.readouterr().err


# -- an engine's own histories ----------------------------------------------------------------------------------------


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Leave a few cases of the corpus, so that an engine is played quickly."""
    cases, digest = vectors.committed()
    few = [case for case in saving(cases) if case.id in {"W06-glm_moe_dsa", "W08-nothing-counted"} or "W13" in case.id]
    monkeypatch.setattr(vectors, "committed", lambda: (tuple(few[:12]), digest))
    return monkeypatch


def played(monkeypatch: pytest.MonkeyPatch, engine_class: str) -> int:
    def opened(choice: EngineChoice) -> object:
        return open_python(engine_class, in_process=True, jobs=1, timeout=10.0, wrap=())

    monkeypatch.setattr(EngineChoice, "open", opened)
    return main(["compat", "--", "./driver"])


def test_0_when_every_history_of_an_engine_is_recovered(play: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert played(play, "coli_reference.engine:ReferenceEngine") == 0
    out = capsys.readouterr().out
    assert "Every old reader recovers exactly the records and the totals that the lines mean." in out
    assert "Read by 4 old readers: 64-bit long, musl, 32-bit long, Windows." in " ".join(out.split())


def test_1_when_an_engine_writes_a_fourth_field(play: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert played(play, "coli_conformance.faults.writer_form:FourthField") == 1
    out = capsys.readouterr().out
    assert "differ from what their lines mean." in out
    assert "<- changed: the line is no record" in out
    assert "Again:  coli-conformance run --case W" in out


def test_unknown_header_records_of_an_engine_are_told(play: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert played(play, "coli_conformance.faults.writer_header:UnregisteredRecord") == 0
    assert "hold the header record -3: every old reader steps over it" in " ".join(capsys.readouterr().out.split())


def test_2_when_an_engine_writes_nothing(play: pytest.MonkeyPatch, capsys: Captured) -> None:
    play.setattr("coli_reference.engine.ReferenceEngine.roles", frozenset({"load"}))
    assert played(play, "coli_reference.engine:ReferenceEngine") == 2
    assert "wrote no history, so nothing was verified" in capsys.readouterr().err


# -- the compiled loop ------------------------------------------------------------------------------------------------


def test_the_compiled_loop_reads_beside_the_models(tmp_path: Path, capsys: Captured) -> None:
    try:
        build(TOOLCHAINS[0], tmp_path)
    except (LoopAbsent, LoopError) as reason:
        pytest.skip(str(reason))
    assert compat(tmp_path, b"-1 5 8\n-2 3815245270 1\n3 2 5 9\n4 1 8\n", "--compiled") == 1
    captured = capsys.readouterr()
    assert "-479722026 64-bit long, musl, built by cc" in " ".join(captured.out.split())
    said = captured.err.splitlines()
    assert all(text.startswith("not compiled: ") and text.endswith(".") for text in said)


def test_a_compiler_that_is_not_here_is_said_in_words(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert compat(tmp_path, HEADER + b"3 2 5\n", "--compiled") == 0
    said = capsys.readouterr().err.splitlines()
    assert [text.split(": ")[-1] for text in said] == [
        f"{toolchain.compiler} is not on this machine." for toolchain in TOOLCHAINS
    ]
