"""The C engine and IKU1, on this machine and on others of another word size and byte order."""

import shutil
import subprocess
from pathlib import Path

import pytest

from .programs import GLM, SOURCES, build_engine, converse, iku1

IKU1_READS = {
    "inkling": ("inkling", iku1(5, 8, {1: 2, 30: 3}), "ok 5", ["0 1 2", "3 6 3"]),
    "another engine": ("glm_moe_dsa", iku1(5, 8, {1: 2}), "refused", []),
    "other dimensions": ("inkling", iku1(8, 5, {1: 2}), "refused", []),
    "huge dimensions": ("inkling", b"IKU1" + b"\xff" * 8, "refused", []),
    "cut in its header": ("inkling", b"IKU1\x05\0", "refused", []),
    "magic alone": ("inkling", b"IKU1", "refused", []),
    "cut in a row": ("inkling", iku1(5, 8, {1: 2})[:-1], "refused", []),
    "bytes after the block": ("inkling", iku1(5, 8, {1: 2}) + b"x", "ok 2", ["0 1 2"]),
    "a dropped row": ("inkling", iku1(5, 8, {1: 2, 16: 7}), "ok 2", ["0 1 2"]),
    "a full word": ("inkling", iku1(5, 8, {39: 4294967295}), "ok 4294967295", ["4 7 4294967295"]),
    "text with the magic": ("inkling", b"IKU1 5 8\n3 2 5\n", "refused", []),
}


@pytest.mark.parametrize("case", IKU1_READS)
def test_iku1_is_read_by_its_owner_alone(engine: Path, tmp_path: Path, case: str) -> None:
    name, block, answer, counts = IKU1_READS[case]
    (tmp_path / "h").write_bytes(block)
    said = converse(engine, tmp_path, f"init {name} 5 8", "drop 2", "load h", "counts")
    assert said.answers[2].startswith(answer)
    assert said.answers[3:] == [*counts, "ok"]
    assert (answer == "refused") == ("inkling" in said.errors)
    assert (case == "another engine") == ("PIN=h" in said.errors)


def test_a_cut_block_of_another_engine_is_not_offered_to_a_typed_path(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "h").write_bytes(iku1(5, 8, {1: 2})[:-1])
    said = converse(engine, tmp_path, GLM, "load h", "trust h", "counts")
    assert [answer.split()[0] for answer in said.answers[1:]] == ["refused", "refused", "ok"]
    assert "PIN=" not in said.errors


def test_iku1_by_a_typed_path_and_back(engine: Path, tmp_path: Path) -> None:
    block = iku1(5, 8, {1: 2, 30: 0x01020304})
    (tmp_path / "h").write_bytes(block)
    (tmp_path / "other").write_bytes(iku1(5, 9, {1: 2}))
    said = converse(engine, tmp_path, GLM, "trust other", "trust h", "add 5 0 4", "dense back")
    assert said.answers[1].startswith("refused")
    assert said.answers[2:] == [f"ok {0x01020306}", "ok", "ok"]
    assert (tmp_path / "back").read_bytes() == block


# compiler, what runs its programs here
OTHER_MACHINES = {
    "musl-gcc": "",
    "i686-linux-gnu-gcc": "",
    "s390x-linux-gnu-gcc": "qemu-s390x",
}


@pytest.mark.parametrize("compiler", OTHER_MACHINES)
def test_other_c_libraries_word_sizes_and_byte_orders(compiler: str, built: Path, tmp_path: Path) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"no `{compiler}` here")
    program = build_engine(tmp_path / "built", SOURCES, "-static", compiler)
    runner = OTHER_MACHINES[compiler]
    emulator = shutil.which(runner) or shutil.which(f"{runner}-static") if runner else None
    if runner and not emulator:
        pytest.skip(f"it compiles; running it needs `{runner}`")
    commands = "init inkling 5 8\nload h\nadd 0 0 4294967295\ndense d\nsave s\nroute 0 0 1:0.1\n"
    (tmp_path / "h").write_bytes(iku1(5, 8, {1: 2, 30: 0x01020304}))
    done = subprocess.run(
        [emulator, program] if emulator else [program],
        input=commands.encode(),
        cwd=tmp_path,
        env={"ROUTE_TRACE": "t"},
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.decode().splitlines() == ["ok", f"ok {0x01020306}", "ok", "ok", "ok", "ok"]
    assert (tmp_path / "d").read_bytes() == iku1(5, 8, {0: 4294967295, 1: 2, 30: 0x01020304})
    saved = "-1 5 8\n-2 1 2050583463\n0 0 4294967295\n0 1 2\n3 6 16909060\n"
    assert (tmp_path / "s").read_text() == saved
    assert (tmp_path / "t").read_text() == "0 0 0 1:0.1000\n"
