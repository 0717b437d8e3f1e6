"""A driver that knows no format: it looks its session up in the committed vectors and does what is expected there."""

import sys
from pathlib import Path

from coli_conformance.case import Case
from coli_conformance.corpus.vectors import committed

ROLES = "load bounds identify trusted iku1 save trace reusable"
FENCE = "fence"
KNOWN: dict[tuple[str, ...], list[Case]] = {}


def files_here() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def answer(steps: tuple[str, ...]) -> str:
    here = files_here()
    for case in KNOWN.get(steps, []):
        if {item.path: item.data for item in case.setup if item.data is not None} == here:
            return expected(case)
    return "ok\n" * len(steps)


def expected(case: Case) -> str:
    outcome = case.outcomes[0]
    for wanted in outcome.files:
        data = wanted.history.canonical_bytes if wanted.history is not None else wanted.data
        if data is not None:
            Path(wanted.path).parent.mkdir(parents=True, exist_ok=True)
            Path(wanted.path).write_bytes(data)
    answers = ["ok 0" if text == "any" else text.split("|")[0] for text in outcome.answers]
    return "".join(f"{text}\n" for text in answers)


def main() -> None:
    for case in committed()[0]:
        KNOWN.setdefault(case.steps, []).append(case)
    steps: list[str] = []
    for line in sys.stdin:
        command = line.rstrip("\n")
        if command.startswith("hello"):
            sys.stdout.write(f"ok {ROLES}\n")
        elif command == FENCE:
            sys.stdout.write((answer(tuple(steps)) if steps else "") + "unsupported\n")
            steps = []
        else:
            steps.append(command)
        sys.stdout.flush()
    sys.stdout.write(answer(tuple(steps)) if steps else "")


main()
