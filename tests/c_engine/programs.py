"""How the tests build the C programs and talk to them."""

import os
import resource
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "reference" / "c"
KITS = ROOT / "conformance" / "coli_conformance" / "kits" / "c"
STAND_IN = ROOT / "tests" / "route_trace_stand_in"
STRICT = "-std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror"
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all"

GLM = "init glm_moe_dsa 5 8"
HEADER = "-1 5 8\n-2 1 3815245270\n"
K3_HISTORY = "-1 5 8\n-2 1 1820578806\n3 2 6\n"


def build(command: Sequence[str | Path]) -> None:
    """Run a compiler or make, which must have nothing to say."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def build_engine(folder: Path, sources: Path, flags: str, compiler: str = "cc") -> Path:
    """Build the engine and the old reader into the folder and return the engine's path."""
    build(["make", "-s", "-C", sources, f"CC={compiler}", f"CFLAGS={STRICT} {flags}", f"BUILD={folder}"])
    return folder / "coli_engine"


@dataclass(frozen=True)
class Said:
    answers: list[str]
    errors: str


def converse(
    program: Path, folder: Path, *commands: str, size_limit: int = 0, environment: Mapping[str, str] | None = None
) -> Said:
    """Run one process over the commands; it must end with status 0 and within ten seconds."""

    def limit_file_size() -> None:
        if size_limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size_limit, size_limit))

    done = subprocess.run(
        [program],
        input="".join(f"{command}\n" for command in commands).encode("latin-1"),
        capture_output=True,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"} | dict(environment or {}),
        timeout=10,
        preexec_fn=limit_file_size,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return Said(done.stdout.decode().splitlines(), done.stderr.decode())


def names_in(folder: Path) -> list[str]:
    """Return the names of what the folder holds, in order: a temporary file left behind would be among them."""
    return sorted(path.name for path in folder.iterdir())


def iku1(layers: int, experts: int, counts: dict[int, int]) -> bytes:
    """The binary layout with `counts` at these words of the block, all others zero."""
    words = [counts.get(word, 0) for word in range(layers * experts)]
    return b"IKU1" + struct.pack(f"<{2 + len(words)}I", layers, experts, *words)
