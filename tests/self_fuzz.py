"""Fuzzes the suite itself: what it reads from files that others wrote must end in its own sentences, never a traceback.

    python tests/self_fuzz.py --seconds 60 --seed 1

Each loader is given sound examples that were changed: bytes replaced, cut out, doubled, swapped with pieces of other
examples, and parts of the structure removed, moved or replaced by what hypothesis makes. It may return, or raise the
errors that it documents; anything else is a failure, and so is an input that takes longer than SLOW seconds. Failing
inputs are saved, one for each place in the code. pytest does not collect this program.

Exit status: 0 nothing failed, 1 something did.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from coli_conformance import known_failing, manifest, recorded, report_diff
from coli_conformance.cli import main
from coli_conformance.corpus import vectors
from coli_conformance.fuzzing import saved
from coli_conformance.matrix import engines_file
from coli_conformance.records import proposal, rules
from coli_conformance.reports.output import OutputError
from coli_spec import SpecError, load

ROOT = Path(__file__).parents[1]
SOUND = ROOT / "tests" / "data" / "sound"
SLOW = 5
"""Seconds for one input: a thousand times what any of them needs."""
STRUCTURED = 4
"""One input of so many is one whose structure was changed, the others have other bytes."""
GROWN = 1000
"""Values that hypothesis makes."""
LONGEST = 1 << 16
"""Bytes of an input; the largest ones are tests of their own."""

TOKENS = (
    *b"[ ] { } \" ' : , - # & * ! | > % @ ` ? ~ \\ \\u0000 \\ud800 \\x00 null true NaN Infinity 1e999 --- IKU1".split(),
    *(b"\n", b"\n\n", b"\r\n", b"\t", b" " * 300, b"a" * 5000, b"4294967296", b"-2147483649"),
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\x85", b"\x1b[31m"),
    *(b"9" * 50, b"9" * 5000, b"[" * 2000, b'{"a":' * 1500),
)
"""What is put into an input: what YAML and JSON give a meaning to, ends of lines, numbers at a limit, too much."""


class SlowError(Exception):
    """An input took too long."""


@dataclass
class Loader:
    """What is fuzzed: `load` takes the path of an input, and may raise `own`. From `inputs` on: what came of it."""

    name: str
    load: Callable[[Path], object]
    own: tuple[type[Exception], ...]
    examples: tuple[bytes, ...]
    suffix: str = ""
    inputs: int = 0
    refused: int = 0
    seconds: float = 0.0
    failures: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """What the first failure at each place said, and its input."""


# -- loaders ----------------------------------------------------------------------------------------------------------


def _proposal(path: Path) -> None:
    read = proposal.read(path)
    rules.breaches(read, [read], load())


def _report(path: Path) -> None:
    read = recorded.read(path)
    report_diff.difference(read, read)
    list(report_diff.unlike(read, read))


def _saved(path: Path) -> None:
    for case in saved.saved(path.parent):
        saved.asked_of(case)


def _area(path: Path) -> None:
    for case in vectors.parse_area(path.read_bytes().decode("ascii", "replace"), path.name):
        vectors.to_json(case)


def _command(*words: str) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
            status = main([*words, str(path)])
        if status not in {0, 1, 2}:
            raise RuntimeError(f"exit status {status}: {err.getvalue()}")

    return run


def _sound(folder: Path, pattern: str) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(folder.glob(pattern)))


def loaders() -> tuple[Loader, ...]:
    """Return every loader with sound examples of what it loads."""
    telemetry = _sound(SOUND, "telemetry*") + _sound(ROOT / "vectors" / "gold", "[dh]*")
    cases, reports = _vector_files(), _reports()
    return (
        Loader("manifest", manifest.read, (SpecError,), _sound(SOUND, "manifest*"), ".yaml"),
        Loader("proposal", _proposal, (SpecError,), _sound(ROOT / "docs" / "examples", "*.yaml"), ".yaml"),
        Loader("known-failing", known_failing.read, (SpecError,), _sound(SOUND, "known-failing*"), ".yaml"),
        Loader("engines", engines_file.read, (SpecError,), _sound(SOUND, "engines*"), ".yaml"),
        Loader("vectors", _area, (vectors.VectorError,), cases, ".json"),
        Loader("saved cases", _saved, (OutputError,), cases, ".json"),
        Loader("report", _report, (recorded.ReportError,), reports, ".json"),
        Loader("check", _command("check", "--summary"), (), telemetry),
        Loader("check as history", _command("check", "--kind", "history"), (), telemetry),
        Loader("check as trace", _command("check", "--kind", "trace"), (), telemetry),
        Loader("check as pairs", _command("check", "--kind", "pairs"), (), telemetry),
        Loader("compat", _command("compat"), (), telemetry),
    )


def _vector_files() -> tuple[bytes, ...]:
    cases, _ = vectors.committed()
    small = [case for case in cases if len(json.dumps(vectors.to_json(case))) < 4000]
    return tuple(vectors.area_text(case.clauses[0][0], [case]).encode() for case in random.Random(0).sample(small, 24))


def _reports() -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("r.json", "r.jsonl")]
        formats = [word for path in paths for word in ("--report", f"{path.suffix[1:]}={path}")]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(["run", "--engine", "fault:stop-at-minus3", "--case", "R01-[of]*", *formats])
        return tuple(path.read_bytes() for path in paths)


# -- inputs -----------------------------------------------------------------------------------------------------------


def changed(draw: random.Random, examples: tuple[bytes, ...]) -> bytes:
    """Return one of the examples with one to six changes, few more often than many."""
    data = bytearray(draw.choice(examples))
    for _ in range(min(draw.randint(1, 6), draw.randint(1, 6))):
        at = draw.randint(0, len(data))
        end = min(len(data), at + draw.choice((1, 1, 2, 8, 64, 1000)))
        other = draw.choice(examples)
        begin = draw.randint(0, len(other))
        piece = other[begin : begin + draw.choice((4, 40, 400))]
        repeated = bytes(data[at:end]) * draw.choice((2, 3, 50))
        put = draw.choice((b"", bytes([draw.randrange(256)]), draw.choice(TOKENS), repeated, piece))
        data[at : draw.choice((at, end, end, len(data)))] = put
    return bytes(data[:LONGEST])


def restructured(draw: random.Random, document: Any, grown: list[Any]) -> Any:
    """Return a JSON value of which one to three parts were removed, or replaced by another or by one of `grown`."""
    document = copy.deepcopy(document)
    for _ in range(draw.randint(1, 3)):
        if not (places := list(_places(document))):
            return draw.choice(grown)
        (inside, key), (other, other_key) = draw.choice(places), draw.choice(places)
        inside[key] = copy.deepcopy(draw.choice((other[other_key], *draw.choices(grown, k=2))))
        if draw.random() < 0.25:
            del inside[key]
    return document


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys: Any = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def grown_values(seed: int) -> list[Any]:
    """Return JSON values of any shape, as hypothesis makes them from `seed`."""
    import hypothesis
    from hypothesis import strategies as st

    words = st.sampled_from(["", "~", "{path}", "..", "W06-*", "fail", "R01", "must", "init x 1 1", "\0", "\ud800"])
    keys = words | st.text(max_size=4)
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | words
    grown: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(max_examples=GROWN, database=None, deadline=None, phases=[hypothesis.Phase.generate])
    @hypothesis.given(st.recursive(leaves, lambda v: st.lists(v, max_size=4) | st.dictionaries(keys, v, max_size=4)))
    def collect(value: Any) -> None:
        grown.append(value)

    collect()
    return grown


def grown_text(draw: random.Random, loader: Loader, grown: list[Any]) -> bytes | None:
    """Return an example of a YAML or JSON loader with its structure changed, or None where it has none."""
    import yaml

    if not loader.suffix:
        return None
    example = draw.choice(loader.examples)
    if example.count(b"\n{"):  # JSON Lines
        lines = restructured(draw, [json.loads(line) for line in example.splitlines()], grown)
        return b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return json.dumps(restructured(draw, yaml.load(example, Loader=yaml.CSafeLoader), grown)).encode()


# -- the loop ---------------------------------------------------------------------------------------------------------


def _too_slow(_number: int, _frame: FrameType | None) -> None:
    raise SlowError(f"longer than {SLOW} seconds")


def attempt(loader: Loader, data: bytes, path: Path) -> None:
    """Have `loader` load `data` from `path`, and note it as a failure where that ends with none of its own errors."""
    path.write_bytes(data)
    loader.inputs += 1
    began = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, SLOW)
    try:
        loader.load(path)
    except loader.own:
        loader.refused += 1
    except Exception as error:  # noqa: BLE001 - any other exception is what is looked for
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
        loader.failures.setdefault(place, (str(error)[:200], data))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        loader.seconds += time.monotonic() - began


def fuzz(all_loaders: tuple[Loader, ...], seconds: float, draw: random.Random) -> None:
    """Give each loader its turn until `seconds` are over."""
    grown = grown_values(draw.randrange(1 << 32))
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="self-fuzz-") as folder:
        paths = {loader.name: Path(folder) / loader.name / f"input{loader.suffix}" for loader in all_loaders}
        for loader in all_loaders:
            paths[loader.name].parent.mkdir()
            for example in loader.examples:
                attempt(loader, example, paths[loader.name])
            if loader.refused:
                raise RuntimeError(f"{loader.name}: a sound example was refused; correct the example")
        while time.monotonic() < end:
            for loader in all_loaders:
                turn = min(time.monotonic() + 0.5, end)
                while time.monotonic() < turn:
                    data = grown_text(draw, loader, grown) if loader.inputs % STRUCTURED == 0 else None
                    attempt(loader, data or changed(draw, loader.examples), paths[loader.name])


def report(all_loaders: tuple[Loader, ...], folder: Path) -> int:
    """Say what came of each loader, save the failing inputs in `folder`, and return the exit status."""
    for loader in all_loaders:
        rate = f"{loader.inputs / loader.seconds:8.0f}/s"
        print(f"{loader.name:18} {loader.inputs:8} inputs {rate} {loader.refused:8} refused in words")
        for number, (place, (said, data)) in enumerate(loader.failures.items(), start=1):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{loader.name.replace(' ', '-')}-{number}{loader.suffix}"
            path.write_bytes(data)
            print(f"    {place}: {said!r}\n    saved as {path}")
    failures = sum(len(loader.failures) for loader in all_loaders)
    print(f"{failures} kinds of failure")
    return int(failures > 0)


def program() -> int:
    """Run as the words of the command line say."""
    parser = argparse.ArgumentParser(description="Fuzz the loaders of the suite itself.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, default=Path("self-fuzz-failures"), help="folder for failing inputs")
    words = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_slow)
    print(f"seed {words.seed}")
    fuzz(all_loaders := loaders(), words.seconds, random.Random(words.seed))
    return report(all_loaders, words.save)


if __name__ == "__main__":
    sys.exit(program())
