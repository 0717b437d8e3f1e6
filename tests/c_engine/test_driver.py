"""The C engine as a driver: every verb, every malformed command, and bytes nobody meant."""

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .programs import GLM, HEADER, SOURCES, build_engine, converse, iku1, names_in


def test_which_history_pin_takes(engine: Path, tmp_path: Path) -> None:
    assert converse(engine, tmp_path, "pin auto", "pin stats.txt").answers == ["ok", "ok stats.txt trusted"]
    (tmp_path / ".coli_usage").write_text("")
    (tmp_path / "stats.txt").write_text("0 0 1\n")
    assert converse(engine, tmp_path, "pin auto").answers == ["ok stats.txt untrusted"]
    (tmp_path / ".coli_usage").write_text("\n")
    assert converse(engine, tmp_path, "pin auto").answers == ["ok .coli_usage untrusted"]


def test_only_agreed_header_records_are_written(engine: Path, built: Path, tmp_path: Path) -> None:
    said = converse(engine, tmp_path, GLM, "record -3 1 2", "record -1 5 8", "add 0 0 1", "save h")
    assert [answer.split()[0] for answer in said.answers] == ["ok", "error", "error", "ok", "ok"]
    assert (tmp_path / "h").read_text() == f"{HEADER}0 0 1\n"


def test_agreeing_a_header_record_is_one_line(built: Path, tmp_path: Path) -> None:
    copy = tmp_path / "reference" / "c"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("build"))
    shutil.copytree(SOURCES.parent / "coli_reference", copy.parent / "coli_reference")
    with (copy / "agreed_records.h").open("a") as table:
        table.write('{-900, true, "a trial"},\n')
    extended = build_engine(tmp_path / "extended", copy, "")
    steps = ["record -900 -7 4294967295", "add 0 0 1", "save h", "save second", GLM, "load h", "counts"]
    said = converse(extended, tmp_path, GLM, *steps)
    assert said.answers == ["ok"] * 6 + ["ok 1", "0 0 1", "ok"]
    assert (tmp_path / "h").read_text() == f"{HEADER}-900 -7 4294967295\n0 0 1\n"
    assert (tmp_path / "second").read_text() == f"{HEADER}0 0 1\n"


PROTOCOL = {
    "hello 1\r": "ok load bounds identify trusted iku1 save trace iku1-save pin pairs records reusable",
    "hello 2": "unsupported",
    "counts": "error",
    "init Glm 5 8": "error",
    f"init {'a' * 64} 5 8": "error",
    "init glm 0 8": "error",
    "init glm 1001 8": "error",
    "init glm 5 4097": "error",
    "init glm 5": "error",
    GLM: "ok",
    "": "unsupported",
    "countsx": "unsupported",
    "counts now": "error",
    "drop 6": "error",
    "drop -1": "error",
    "add 0 0 4294967296": "error",
    "add 0 0 -1": "error",
    "add 0 0": "error",
    "add 0 0x1 1": "error",
    "route 0 0 1": "error",
    "route 0 0 1:": "error",
    "route 0 0 1:0.5x": "error",
    "route 0 -1 1:0.5": "error",
    "route 0": "error",
    "load": "error",
    "load a b": "error",
    "save": "error",
    "pairs t": "error",
    "record 1 2": "error",
    "counts\0": "error",
    "load " + "x" * 2_000_000: "error the line is too long",
    "load missing": "ok 0",
    "load .": "refused",
    "load /dev/zero": "refused",
    "load fifo": "refused",
    "load /dev/stdin": "refused",
    "pairs fifo out": "error",
    "counts ": "ok",
}


def test_every_command_gets_one_answer(engine: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    said = converse(engine, tmp_path, *PROTOCOL)
    assert len(said.answers) == len(PROTOCOL)
    for command, answer, expected in zip(PROTOCOL, said.answers, PROTOCOL.values(), strict=True):
        assert answer.startswith(expected), command[:80]


def test_a_command_cut_short_is_not_carried_out(engine: Path, tmp_path: Path) -> None:
    commands = f"{GLM}\nadd 0 0 1\nsave h".encode()
    done = subprocess.run([engine], input=commands, capture_output=True, cwd=tmp_path, timeout=10, check=True)
    assert done.stdout.splitlines()[2].startswith(b"error")
    assert names_in(tmp_path) == []


def mutations(sound: bytes, how_many: int, seed: int) -> Iterator[bytes]:
    """Copies of `sound` with a few bytes changed, removed or put in."""
    chance = random.Random(seed)
    for _ in range(how_many):
        mutant = bytearray(sound)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(mutant))
            put_in = chance.choice([b"\n", b"-", b" ", b"9" * 20, b"\0", b"\xff", bytes([chance.randrange(256)])])
            mutant[at : at + chance.randint(0, 2)] = put_in
        yield bytes(mutant)


def test_no_mutant_crashes_or_reaches_outside_the_counters(sanitized: Path, tmp_path: Path) -> None:
    text = f"{HEADER}-3 7 12\n0 1 5\n3 2 4294967295\n5 7 1\n".encode()
    trace = b"0 0 0 1:0.5000 2:0.2500\n0 1 0 3:0.5000\n1 0 1 1:0.5000\n1 1 1 2:0.5000\n2 0 2 7:1.5000\n"
    commands = []
    for kind, sound in enumerate((text, iku1(5, 8, {1: 2, 39: 7}), trace)):
        for number, mutant in enumerate(mutations(sound, 150, seed=kind)):
            (tmp_path / f"m{kind}-{number}").write_bytes(mutant)
            name = f"m{kind}-{number}"
            commands += [GLM, f"load {name}", f"trust {name}", "counts", f"pairs {name} out"]
    said = converse(sanitized, tmp_path, *commands)
    finals = [answer for answer in said.answers if not answer[0].isdigit()]
    assert len(finals) == len(commands)
    counted = [tuple(map(int, answer.split())) for answer in said.answers if answer[0].isdigit()]
    assert counted
    assert all(layer <= 5 and expert < 8 for layer, expert, _ in counted)
