"""The C engine's histories: what a load credits, what it refuses, what a save writes."""

import os
import subprocess
from pathlib import Path

import pytest

from .programs import GLM, HEADER, K3_HISTORY, converse, names_in


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *(("glm_moe_dsa", 3815245270), ("inkling", 2050583463), ("olmoe", 3841822045)),
        *(("kimi_k3", 1820578806), ("akhnp9x", 0), ("aeto96", 1), ("d3ir4j_", 2147483646)),
        *(("a1zo9rv", 2147483647), ("hp4gi_", 2147483648), ("aqmd2_t", 4294967295), ("bc1i2hy", 827673417)),
    ],
)
def test_an_engine_writes_and_reads_its_own_identity(engine: Path, tmp_path: Path, name: str, number: int) -> None:
    init = f"init {name} 5 8"
    said = converse(engine, tmp_path, init, "add 5 7 9", "add 0 1 5", "save h", init, "load h", "counts")
    assert (tmp_path / "h").read_text() == f"-1 5 8\n-2 1 {number}\n0 1 5\n5 7 9\n"
    assert said.answers == ["ok", "ok", "ok", "ok", "ok", "ok 14", "0 1 5", "5 7 9", "ok"]


READS = {
    "canonical": (f"{HEADER}3 2 5\n4 1 8\n", 13, ["3 2 5", "4 1 8"]),
    "legacy": ("3 2 5\n", 5, ["3 2 5"]),
    "empty": ("", 0, []),
    "headers only": (HEADER, 0, []),
    "rejected records are no part of the total": ("3 2 5\n9 1 100\n1 99 200\n", 5, ["3 2 5"]),
    "MTP row": ("5 0 7\n6 0 9\n", 7, ["5 0 7"]),
    "dropped row": ("2 3 50\n3 4 7\n", 7, ["3 4 7"]),
    "duplicates add up": ("3 2 5\n3 2 9\n", 14, ["3 2 14"]),
    "prefix of a number": ("-15 3 4\n-20 3 4\n3 2 5\n", 5, ["3 2 5"]),
    "unknown header records": (f"{HEADER}-3 7 12\n3 2 5\n-2147483648 -7 4294967295\n", 5, ["3 2 5"]),
    "CRLF, tabs, blank lines": ("-1 5 8\r\n\r\n-2\t1  3815245270 \r\n \t\n\t3  2\t2\r\n0 1 1", 3, ["0 1 1", "3 2 2"]),
    "above INT_MAX": ("0 0 2147483648\n0 1 4294967295\n", 6442450943, ["0 0 2147483648", "0 1 4294967295"]),
    "saturation": ("0 0 4000000000\n0 0 4000000000\n", 8000000000, ["0 0 4294967295"]),
    "malformed line stops": ("0 1 7\ninvalid\n0 1 5\n", 7, ["0 1 7"]),
    "comment stops": ("0 1 10\n# note\n0 2 5\n", 10, ["0 1 10"]),
    "fourth field stops": ("3 2 5\n-3 7 12 99\n4 1 8\n", 5, ["3 2 5"]),
    "torn last record": ("1 1 4\n3 2", 4, ["1 1 4"]),
    "float": ("0 0 3.5\n0 1 5\n", 0, []),
    "layer alias": ("4294967296 0 7\n0 1 5\n", 0, []),
    "count alias": ("0 0 4294967303\n0 1 5\n", 0, []),
    "signed count": ("0 0 -1\n", 0, []),
    "NUL": ("3 2 5\n3 2\x005\n3 2 1\n", 5, ["3 2 5"]),
    "wrapped dimensions": ("-1 5 4294967304\n3 2 5\n", 0, []),
    "wrapped identity": ("-1 5 8\n-2 1 8110212566\n3 2 5\n", 0, []),
}


@pytest.mark.parametrize("case", READS)
def test_what_a_load_credits(engine: Path, tmp_path: Path, case: str) -> None:
    text, total, counts = READS[case]
    (tmp_path / "h").write_bytes(text.encode("latin-1"))
    said = converse(engine, tmp_path, GLM, "drop 2", "load h", "counts", "save out")
    assert said.answers == ["ok", "ok", f"ok {total}", *counts, "ok", "ok"]
    saved = "".join(f"{record}\n" for record in counts)
    assert (tmp_path / "out").read_text() == (HEADER + saved if counts else "")


# text, the words the message must have, whether a typed path gets around the refusal
REFUSALS = {
    "identity": (K3_HISTORY, ["kimi_k3", "glm_moe_dsa"], True),
    "unregistered name": ("-1 5 8\n-2 1 12345\n3 2 5\n", ["unknown", "12345"], True),
    "identity after data": ("3 2 9\n-2 1 1820578806\n4 1 2\n", ["kimi_k3"], True),
    "layers": ("-1 99 8\n-2 1 3815245270\n3 2 6\n", ["99", "5 x 8"], False),
    "experts": ("-1 5 512\n3 2 6\n", ["512", "unknown"], False),
    "dimensions after data": ("3 2 9\n-1 4 8\n", ["4 x 8"], False),
    "a repeated header": (f"{HEADER}-1 5 9\n3 2 6\n", ["5 x 9"], False),
    "version": ("-1 5 8\n-2 2 3815245270\n3 2 6\n", ["version 2"], False),
    "version below 1": ("-1 5 8\n-2 -1 3815245270\n3 2 6\n", ["version -1"], False),
    "version of another engine": ("-1 5 8\n-2 2 1820578806\n3 2 6\n", ["version 2", "kimi_k3"], False),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_is_refused_credits_nothing_and_is_not_overwritten(engine: Path, tmp_path: Path, case: str) -> None:
    text, words, is_about_identity = REFUSALS[case]
    (tmp_path / "h").write_text(text)
    (tmp_path / "good").write_text("0 0 3\n")
    said = converse(engine, tmp_path, GLM, "load h", "counts", "add 1 1 1", "save ./h", "dense h", "load good")
    refused, counted, added, saved, dense, loaded = said.answers[1:]
    assert refused.startswith("refused")
    assert (counted, added, loaded) == ("ok", "ok", "ok 3")
    assert saved.startswith("error")
    assert dense.startswith("error")
    assert (tmp_path / "h").read_text() == text
    assert all(word in said.errors for word in [*words, " h:"])
    assert ("PIN=h" in said.errors) == is_about_identity
    assert names_in(tmp_path) == ["good", "h"]

    trusted = converse(engine, tmp_path, GLM, "trust h").answers[1]
    assert trusted.startswith("ok" if is_about_identity else "refused")


def test_trust_is_told_once_and_frees_the_path_for_saving(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "h").write_text(K3_HISTORY)
    steps = ["load h", "trust h", "trust h", GLM, "trust h", "counts", "save h"]
    said = converse(engine, tmp_path, GLM, *steps)
    assert said.answers[2:] == ["ok 6", "ok 6", "ok", "ok 6", "3 2 6", "ok", "ok"]
    assert said.errors.count("read because") == 1
    assert (tmp_path / "h").read_text() == f"{HEADER}3 2 6\n"


def test_a_save_replaces_the_file_and_leaves_its_old_bytes_alone(engine: Path, tmp_path: Path) -> None:
    old = f"{HEADER}0 1 1000\n"
    (tmp_path / "h").write_text(old)
    (tmp_path / "h").chmod(0o640)
    (tmp_path / "kept").hardlink_to(tmp_path / "h")
    converse(engine, tmp_path, GLM, "load h", "route 0 0 2:0.5", "route 0 0 2:0.5", "save h")
    assert (tmp_path / "kept").read_text() == old
    assert (tmp_path / "h").read_text() == f"{old}0 2 2\n"
    assert (tmp_path / "h").stat().st_mode & 0o777 == 0o640
    assert names_in(tmp_path) == ["h", "kept"]


def test_a_save_that_fails_says_so_and_loses_nothing(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "h").write_text("0 0 1\n")
    (tmp_path / "folder").mkdir()
    adds = [f"add {layer} {expert} 4000000000" for layer in range(6) for expert in range(8)]
    commands = [GLM, *adds, "save h", "dense h", "save folder", "save missing/h"]
    said = converse(engine, tmp_path, *commands, size_limit=64)
    assert [answer.split()[0] for answer in said.answers[-4:]] == ["error"] * 4
    assert (tmp_path / "h").read_text() == "0 0 1\n"
    assert names_in(tmp_path) == ["folder", "h"]


def test_nothing_counted_is_a_zero_byte_file(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "h").write_text("0 0 1\n")
    said = converse(engine, tmp_path, GLM, "drop 0", "add 0 0 5", "add 9 0 5", "add 1 8 5", "save h")
    assert said.answers == ["ok"] * 6
    assert (tmp_path / "h").read_bytes() == b""


def test_two_engines_saving_at_once_never_mix(built: Path, tmp_path: Path) -> None:
    texts = []
    running = []
    for count in (11, 22):
        adds = "".join(f"add {layer} {expert} {count}\n" for layer in range(6) for expert in range(8))
        texts.append(HEADER + "".join(f"{at // 8} {at % 8} {count}\n" for at in range(48)))
        process = subprocess.Popen([built / "coli_engine"], cwd=tmp_path, stdin=-1, stdout=-1)
        running.append((process, f"{GLM}\n{adds}save h\n" + "save h\n" * 200))
    for process, commands in running:
        assert process.stdin is not None
        process.stdin.write(commands.encode())
        process.stdin.flush()
    for process, _ in running:
        output, _ = process.communicate(timeout=30)
        assert set(output.split()) == {b"ok"}
    assert (tmp_path / "h").read_text() in texts
    assert names_in(tmp_path) == ["h"]


def test_a_save_never_takes_the_place_of_a_link_or_of_what_is_no_file(engine: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "real").write_text("0 0 1\n")
    (tmp_path / "link").symlink_to("real")
    said = converse(engine, tmp_path, GLM, "add 0 1 3", "save fifo", "dense fifo", "save link")
    assert [answer.split()[0] for answer in said.answers[2:]] == ["error", "error", "ok"]
    assert (tmp_path / "fifo").is_fifo()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == f"{HEADER}0 1 3\n"
