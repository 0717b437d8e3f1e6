"""The C engine, the old reader and the C driver kits: built without a warning, held to the contract's own values."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "reference" / "c"
KITS = ROOT / "conformance" / "coli_conformance" / "kits" / "c"
STAND_IN = Path(__file__).parent / "route_trace_stand_in"
STRICT = "-std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror"
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all"

GLM = "init glm_moe_dsa 5 8"
HEADER = "-1 5 8\n-2 1 3815245270\n"
K3_HISTORY = "-1 5 8\n-2 1 1820578806\n3 2 6\n"


def build(command: Sequence[str | Path]) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def build_engine(folder: Path, sources: Path, flags: str, compiler: str = "cc") -> Path:
    arguments = ["-C", sources, f"CC={compiler}", f"CFLAGS={STRICT} {flags}", f"BUILD={folder}"]
    build(["make", "-s", *arguments])
    return folder / "coli_engine"


def sanitizers_link(folder: Path) -> bool:
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    command = ["cc", *SANITIZERS.split(), str(probe), "-o", str(folder / "probe")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the plain programs."""
    if not shutil.which("cc") or not shutil.which("make"):
        pytest.skip("building the C programs needs `cc` and `make`")
    folder = tmp_path_factory.mktemp("c")
    build_engine(folder, SOURCES, "")
    for kit in ("driver", "route_trace_driver"):
        build(["cc", *STRICT.split(), f"-I{STAND_IN}", KITS / f"{kit}.c", "-o", folder / kit])
    return folder


@pytest.fixture(scope="session")
def sanitized(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sanitized")
    if not sanitizers_link(folder):
        pytest.skip("this compiler has no address and undefined-behaviour sanitizers")
    return build_engine(folder, SOURCES, SANITIZERS)


@pytest.fixture(params=["plain", "sanitized"])
def engine(request: pytest.FixtureRequest, built: Path) -> Path:
    """The engine, once as it is shipped and once stopping at the first undefined behaviour."""
    if request.param == "plain":
        return built / "coli_engine"
    sanitized_engine = request.getfixturevalue("sanitized")
    assert isinstance(sanitized_engine, Path)
    return sanitized_engine


@dataclass(frozen=True)
class Said:
    answers: list[str]
    errors: str


def converse(program: Path, folder: Path, *commands: str, size_limit: int = 0, **environment: str) -> Said:
    """Run one process over the commands; it must end with status 0 and within ten seconds."""

    def limit_file_size() -> None:
        if size_limit:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size_limit, size_limit))

    done = subprocess.run(
        [program],
        input="".join(f"{command}\n" for command in commands).encode("latin-1"),
        capture_output=True,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"} | environment,
        timeout=10,
        preexec_fn=limit_file_size,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return Said(done.stdout.decode().splitlines(), done.stderr.decode())


def iku1(layers: int, experts: int, counts: dict[int, int]) -> bytes:
    """The binary layout with `counts` at these words of the block, all others zero."""
    words = [counts.get(word, 0) for word in range(layers * experts)]
    return b"IKU1" + struct.pack(f"<{2 + len(words)}I", layers, experts, *words)


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
    assert sorted(os.listdir(tmp_path)) == ["good", "h"]

    trusted = converse(engine, tmp_path, GLM, "trust h").answers[1]
    assert trusted.startswith("ok" if is_about_identity else "refused")


def test_trust_is_told_once_and_frees_the_path_for_saving(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "h").write_text(K3_HISTORY)
    steps = ["load h", "trust h", "trust h", GLM, "trust h", "counts", "save h"]
    said = converse(engine, tmp_path, GLM, *steps)
    assert said.answers[2:] == ["ok 6", "ok 6", "ok", "ok 6", "3 2 6", "ok", "ok"]
    assert said.errors.count("read because") == 1
    assert (tmp_path / "h").read_text() == f"{HEADER}3 2 6\n"


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


def test_iku1_by_a_typed_path_and_back(engine: Path, tmp_path: Path) -> None:
    block = iku1(5, 8, {1: 2, 30: 0x01020304})
    (tmp_path / "h").write_bytes(block)
    (tmp_path / "other").write_bytes(iku1(5, 9, {1: 2}))
    said = converse(engine, tmp_path, GLM, "trust other", "trust h", "add 5 0 4", "dense back")
    assert said.answers[1].startswith("refused")
    assert said.answers[2:] == [f"ok {0x01020306}", "ok", "ok"]
    assert (tmp_path / "back").read_bytes() == block


def test_a_save_replaces_the_file_and_leaves_its_old_bytes_alone(engine: Path, tmp_path: Path) -> None:
    old = f"{HEADER}0 1 1000\n"
    (tmp_path / "h").write_text(old)
    (tmp_path / "h").chmod(0o640)
    (tmp_path / "kept").hardlink_to(tmp_path / "h")
    converse(engine, tmp_path, GLM, "load h", "route 0 0 2:0.5", "route 0 0 2:0.5", "save h")
    assert (tmp_path / "kept").read_text() == old
    assert (tmp_path / "h").read_text() == f"{old}0 2 2\n"
    assert (tmp_path / "h").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["h", "kept"]


def test_a_save_that_fails_says_so_and_loses_nothing(engine: Path, tmp_path: Path) -> None:
    (tmp_path / "h").write_text("0 0 1\n")
    (tmp_path / "folder").mkdir()
    adds = [f"add {layer} {expert} 4000000000" for layer in range(6) for expert in range(8)]
    commands = [GLM, *adds, "save h", "dense h", "save folder", "save missing/h"]
    said = converse(engine, tmp_path, *commands, size_limit=64)
    assert [answer.split()[0] for answer in said.answers[-4:]] == ["error"] * 4
    assert (tmp_path / "h").read_text() == "0 0 1\n"
    assert sorted(os.listdir(tmp_path)) == ["folder", "h"]


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
        running.append((process, f"{GLM}\n{adds}{'save h' + chr(10)}" + "save h\n" * 200))
    for process, commands in running:
        assert process.stdin is not None
        process.stdin.write(commands.encode())
        process.stdin.flush()
    for process, _ in running:
        output, _ = process.communicate(timeout=30)
        assert set(output.split()) == {b"ok"}
    assert (tmp_path / "h").read_text() in texts
    assert os.listdir(tmp_path) == ["h"]


def test_the_trace_of_a_run(engine: Path, tmp_path: Path) -> None:
    steps = ["route 3 0 7:0.1 1:2.5", "route 3 1 0:-0.25", "endcall", "endcall", "route 5 0 2:511.99997"]
    said = converse(engine, tmp_path, GLM, *steps, "endcall", "save on", ROUTE_TRACE="t")
    assert set(said.answers) == {"ok"}
    lines = ["0 0 3 7:0.1000 1:2.5000", "0 1 3 0:-0.2500", "2 0 5 2:512.0000"]
    assert (tmp_path / "t").read_text() == "".join(f"{line}\n" for line in lines)
    converse(engine, tmp_path, GLM, *steps, "save off", ROUTE_TRACE="")
    assert (tmp_path / "off").read_bytes() == (tmp_path / "on").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["off", "on", "t"]


def test_unsound_routing_reaches_neither_trace_nor_counters(engine: Path, tmp_path: Path) -> None:
    unsound = ["route 3 0 8:0.5 -1:0.5 99999999999:0.5 1:nan 2:inf 4:0.5", "route 2 0 1:0.5", "route 6 0 1:0.5"]
    said = converse(engine, tmp_path, GLM, "drop 2", *unsound, "route -1 0 1:1", "counts", ROUTE_TRACE="t")
    assert said.answers[2:] == ["ok"] * 4 + ["3 4 1", "ok"]
    assert (tmp_path / "t").read_text() == "0 0 3 4:0.5000\n"


def test_a_second_init_starts_truly_fresh(engine: Path, tmp_path: Path) -> None:
    run = ["init olmoe 2 4", "route 1 0 1:0.5", "endcall"]
    said = converse(engine, tmp_path, GLM, "drop 1", "add 0 0 5", "endcall", *run, "counts", ROUTE_TRACE="t")
    assert said.answers[-2:] == ["1 1 1", "ok"]
    assert (tmp_path / "t").read_text() == "0 0 1 1:0.5000\n"


@pytest.mark.parametrize("path", ["missing/t", ".", "/dev/full"])
def test_a_trace_that_cannot_be_written_is_told_and_the_run_goes_on(engine: Path, tmp_path: Path, path: str) -> None:
    commands = [GLM, "route 0 0 1:0.5", "endcall", "route 0 0 1:0.5", "save h"]
    said = converse(engine, tmp_path, *commands, ROUTE_TRACE=path)
    assert said.answers == ["ok"] * 5
    assert said.errors.count(f"{path}: ") == 1
    assert (tmp_path / "h").read_text() == f"{HEADER}0 1 2\n"


def test_the_decimal_point_of_a_comma_locale(engine: Path, tmp_path: Path) -> None:
    locale = tmp_path / "locales" / "de_DE.UTF-8"
    locale.parent.mkdir()
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(locale)]
    if not shutil.which("localedef") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no `localedef`, or no sources, to make a locale with a decimal comma")
    environment = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(locale.parent), "ROUTE_TRACE": "t"}
    converse(engine, tmp_path, GLM, "route 0 0 1:0.5 2:1.75", **environment)
    assert (tmp_path / "t").read_text() == "0 0 0 1:0.5000 2:1.7500\n"


def test_pairs_of_a_trace_worked_by_hand(engine: Path, tmp_path: Path) -> None:
    # Two forwards: layers 0, 1, 3 in calls 0, 1, 4 with rows 0 and 1; then layers 1, 2, 3 in calls 7 to 9.
    first = ["0 0 0 1:.5", "0 1 0 2:.5", "1 0 1 3:.5 4:.5", "1 1 1 3:.5", "4 1 3 6:.5", "4 0 3 5:.5"]
    second = ["7 0 1 3:.5", "8 0 2 9:.5", "9 0 3 5:.5 6:.5"]
    trace = "".join(f"{line.replace(':.5', ':0.5000')}\n" for line in first + second)
    (tmp_path / "t").write_text(trace)
    assert converse(engine, tmp_path, "pairs t out").answers == ["ok"]
    table = ["0 1 1 3:1 4:1", "0 1 2 3:1", "1 1 3 9:1", "1 2 3 5:2 6:2", "1 2 4 5:1", "2 1 9 5:1 6:1"]
    assert (tmp_path / "out").read_text() == "COLIPAIRS 1 6\n" + "".join(f"{line}\n" for line in table)


def test_pairs_keep_sixteen_partners_most_frequent_first(engine: Path, tmp_path: Path) -> None:
    wide = " ".join(f"{expert}:0.1000" for expert in range(20))
    lines = ["0 0 0 7:0.5000", f"1 0 1 {wide}", "2 0 0 7:0.5000", "3 0 1 19:0.5000"]
    (tmp_path / "t").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "nothing").write_text("")
    assert converse(engine, tmp_path, "pairs t out", "pairs nothing none").answers == ["ok", "ok"]
    partners = " ".join(["19:2", *(f"{expert}:1" for expert in range(15))])
    assert (tmp_path / "out").read_text() == f"COLIPAIRS 1 1\n0 1 7 {partners}\n"
    assert (tmp_path / "none").read_text() == "COLIPAIRS 1 0\n"


@pytest.mark.parametrize(
    "line",
    [
        *("5 0 x 1:0.5", "1 0 3 :0.5", "1 0 4 2", "1 0 4", "1 0 4 ", "", "1 0 4 -1:0.5", "1 0 4 1:nan", "1 0 4 1:"),
        *("-1 0 4 1:0.5", "1  0 4 1:0.5", "1 0 4  1:0.5", "1 0 4 1:0.5 ", "1 0 4 1:0.5x", "1 0 4 1:1e3", "x" * 999),
        *("0 1 4 1:0.5", "0 0 3 1:0.5", "1 0 99999999999 1:0.5", "1 0 4 1:0x1p3", "1 0 4 \x001:0.5"),
    ],
)
def test_a_malformed_trace_line_is_told_by_its_number(engine: Path, tmp_path: Path, line: str) -> None:
    (tmp_path / "t").write_bytes(f"0 0 3 1:0.5000\n{line}\n2 0 4 1:0.5\n".encode("latin-1"))
    said = converse(engine, tmp_path, "pairs t out")
    assert said.answers[0].startswith("error line 2: ")
    assert "t: line 2: " in said.errors
    assert os.listdir(tmp_path) == ["t"]


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
    copy = tmp_path / "copy"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("build"))
    source = (copy / "history.c").read_text()
    identity = '    {IDENTITY, false, "format version and identity"},\n'
    assert source.count(identity) == 1
    (copy / "history.c").write_text(source.replace(identity, identity + '    {-900, true, "a trial"},\n'))
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
    assert os.listdir(tmp_path) == []


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


def test_the_old_reader_prints_what_the_loop_reads(built: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("3 2 5\n-3 7 12 99\n4 1 8\n")
    (tmp_path / "b").write_text("# v1\n3 2 5\n")
    command = [built / "old_reader", "a", "b"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout.splitlines() == ["# a", "3 2 5", "-3 7 12", "99 4 1", "# b"]
    frames = [(tmp_path / "a").read_bytes(), b"", b"1 1 4\n3 2", b"0 1 2\0 3 4 5\n", b"-1 5 8\r\n3 2 2\r\n"]
    stream = b"".join(struct.pack("<I", len(frame)) + frame for frame in frames)
    command = [built / "old_reader", "--batch"]
    batch = subprocess.run(command, input=stream, capture_output=True, timeout=10, check=True)
    expected = "3 2 5,-3 7 12,99 4 1,.,.,1 1 4,.,0 1 2,.,-1 5 8,3 2 2,."
    assert batch.stdout.decode().splitlines() == expected.split(",")


def test_the_starter_driver_claims_nothing_and_answers_everything(built: Path, tmp_path: Path) -> None:
    said = converse(built / "driver", tmp_path, "hello 1", GLM, "route 0 0 1:0.5", "load h", "save h", "counts")
    assert said.answers == ["ok"] + ["unsupported"] * 5


def test_the_route_trace_driver_speaks_for_its_engine(built: Path, tmp_path: Path) -> None:
    driver = built / "route_trace_driver"
    (tmp_path / "k3").write_text(K3_HISTORY)
    (tmp_path / "ink").write_bytes(iku1(5, 8, {1: 2}))
    adds = ["add 5 0 7", "add 2 0 9", "add 9 9 1", "add 0 0 4294967295", "add 0 0 3"]
    routes = ["route 3 0 1:0.5 2:0.25", "endcall", "route 3 0 1:1.5"]
    reads = ["load k3", "load ink", "trust k3", "trust ink", "counts", "save h", "save missing/h"]
    commands = ["hello 1", GLM, "drop 2", *adds, *routes, *reads, GLM, "dense h"]
    said = converse(driver, tmp_path, *commands, ROUTE_TRACE="t")
    assert said.answers[0] == "ok load bounds identify trusted iku1 save trace"
    assert said.answers[1:11] == ["ok"] * 10
    assert said.answers[11:15] == ["refused", "refused", "ok 6", "ok 2"]
    counts = ["0 0 4294967295", "0 1 2", "3 1 2", "3 2 7", "5 0 7"]
    assert said.answers[15:22] == [*counts, "ok", "ok"]
    assert [answer.split()[0] for answer in said.answers[22:]] == ["error", "unsupported", "unsupported"]
    assert (tmp_path / "h").read_text() == HEADER + "".join(f"{record}\n" for record in counts)
    assert (tmp_path / "t").read_text() == "0 0 3 1:0.5000 2:0.2500\n1 0 3 1:1.5000\n"


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
    commands = f"init inkling 5 8\nload h\nadd 0 0 4294967295\ndense d\nsave s\nroute 0 0 1:0.1\n"
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
