"""What a search says on the terminal: what is searched, each difference as a failing case, and the sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import coli_spec
from coli_conformance import __version__
from coli_conformance.escape import shown_text
from coli_conformance.fuzzing.search import Difference, Findings
from coli_conformance.fuzzing.source import KINDS
from coli_conformance.reports.broken import broken_lines
from coli_conformance.reports.failure import failure
from coli_conformance.reports.lines import Line, line, wrapped


def head_lines(roles: frozenset[str], seed: int, width: int) -> Iterator[Line]:
    """Yield what is about to be searched, and by which seed."""
    duties = " ".join(duty for duty in coli_spec.load().duties() if duty in roles)
    yield from wrapped(f"coli-conformance {__version__}, search with seed {seed} for the roles {duties or '-'}", width)
    yield line()


def difference_lines(
    differences: Sequence[Difference], again: Callable[[str], str], width: int, symbols: bool
) -> Iterator[Line]:
    """Yield every difference in the way in which `run` shows a failing case; `again` gives the command for its id."""
    failures = [
        failure(difference.answered.asked.case, difference.answered.result, difference.answered.observation)
        for difference in differences
    ]
    played = {each.case.id: each.case for each in failures}
    results = [each.result for each in failures]
    yield from broken_lines(failures, played, results, again, width, show_all=True, symbols=symbols)


def foot_lines(found: Findings, folder: Path, width: int) -> Iterator[Line]:
    """Yield how much was played, what was found, and what else there is to know."""
    inputs = found.inputs.total()
    rate = f", {inputs / found.seconds:.0f} a second" if found.seconds >= 1 and inputs else ""
    kinds = ", ".join(f"{found.inputs[kind]} {words}" for kind, words in KINDS.items() if found.inputs[kind])
    yield from wrapped(f"{inputs} inputs in {found.seconds:.0f} s{rate}" + (f": {kinds}" if kinds else ""), width, "  ")
    for sentence in _sentences(found, folder):
        yield from wrapped(shown_text(sentence), width, "  ")
    yield line()
    yield from wrapped(_verdict(found), width, "  ", "bad" if found.differences or found.in_company else "good")


def _sentences(found: Findings, folder: Path) -> Iterator[str]:
    sizes = [
        f"{difference.answered.asked.case.id} from {difference.size_before} bytes to "
        f"{difference.answered.asked.entry.size}"
        for difference in found.differences
        if not difference.kept
    ]
    if sizes:
        yield f"shrunk: {', '.join(sizes)}"
    cut_short = [difference.answered.asked.case.id for difference in found.differences if not difference.whole]
    if cut_short:
        yield f"not as small as it gets, as the time for that was over: {', '.join(cut_short)}; `shrink` goes on"
    if found.differences:
        yield f"saved in {folder}, to be tried first by the next search"
    if found.passing_again:
        names = ", ".join(case.id for case in found.passing_again)
        yield f"saved by an earlier search, and right now: {names}"
    if found.in_company:
        yield (
            f"{found.in_company} more differences were there only after other inputs in the same process: a session "
            "leaves something to the next, though the driver claims reusable. `coli-conformance run` looks for that."
        )
    if found.gave_up is not None:
        yield found.gave_up
    if found.doubtful:
        names = ", ".join(case.id for case in found.doubtful)
        yield (
            f"The reference engine does not do either what was expected of {names}: that is a fault of the suite. "
            "Please report it on the issue tracker of the project, with the seed."
        )


def _verdict(found: Findings) -> str:
    if not found.differences:
        return "nothing found" if not found.in_company else "found: state that goes from session to session"
    spec = coli_spec.load()
    clauses = sorted({difference.key[1] for difference in found.differences})
    by_level = {
        level: [clause for clause in clauses if spec.clause(clause).level == level]
        for level in ("must", "should", "may")
    }
    words = [f"{level} {' '.join(named)}" for level, named in by_level.items() if named]
    number = len(found.differences)
    return f"{number} difference{'s' if number > 1 else ''} found: {'; '.join(words)}"
