"""The part of a terminal report that shows what broke, clause by clause, on which bytes, and how to see it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import coli_spec
from coli_conformance.case import Case
from coli_conformance.escape import cut, shown_text
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.reports.excerpt import ShownLine
from coli_conformance.reports.failure import Failure, ShownFinding
from coli_conformance.reports.lines import Line, line, wrapped
from coli_conformance.selection import clauses_tested

_SHOWN_CASES = 2
_MANY_CLAUSES = 8
_SHOWN_FINDINGS = 2
_INDENT = "    "
_CONTINUED = 1000


def broken_lines(
    failures: Sequence[Failure],
    played: Mapping[str, Case],
    results: Iterable[Result],
    reproduce: Callable[[str], str],
    width: int,
    show_all: bool = False,
    symbols: bool = False,
) -> Iterator[Line]:
    """Yield what broke: musts before shoulds, then in the declared order of clauses.

    `played` are the cases that came to a verdict, by id. A few cases of each clause are shown, or with `show_all`
    all of them.
    """
    broke: dict[str, set[str]] = {}
    for result in results:
        for clause_id in result.broken:
            broke.setdefault(clause_id, set()).add(result.case_id)
    # An engine that breaks everything is not understood better from twice as many pages.
    few = _SHOWN_CASES if len({failure.clause for failure in failures}) <= _MANY_CLAUSES else 1
    order = {"must": 0, "should": 1, "may": 2}
    for clause in sorted(coli_spec.load().clauses, key=lambda clause: order[clause.level]):
        group = [failure for failure in failures if failure.clause == clause.id]
        if not group:
            continue
        # Cases that are about the clause show it best; the sort keeps the order otherwise.
        group.sort(key=lambda failure: clause.id not in failure.case.clauses)
        broken = broke.get(clause.id, set()) | {failure.case.id for failure in group}
        about = {case.id for case in played.values() if clause.id in clauses_tested(case)} | broken
        yield from _clause_head(clause, len(broken), len(about), width)
        shown = group if show_all else group[:few]
        for failure in shown:
            yield line()
            yield from _case(failure, reproduce, width, symbols)
        if rest := group[len(shown) :]:
            yield line()
            yield from wrapped(_more(clause.id, rest), width, "  ")
        yield line()


def _clause_head(clause: coli_spec.Clause, broken: int, about: int, width: int) -> Iterator[Line]:
    count = f"{broken} of {about} cases broken" if about != 1 else "its case broken"
    head = f"  {clause.level:<6}  {clause.id}  "
    rule, *more = wrapped(clause.rule, width - len(count) - 2, " " * len(head))
    text = rule[-1][0]
    meaning = "bad" if clause.level == "must" else "weak"
    gap = " " * (width - len(head) - len(text) - len(count))
    yield line((head, meaning), text, gap, (count, meaning))
    yield from more
    yield line("  ", ("-" * (width - 2), "faint"))
    yield from wrapped(clause.why, width, "  ", "faint")


def _more(clause_id: str, rest: Sequence[Failure]) -> str:
    about = sum(clause_id in clauses_tested(failure.case) for failure in rest)
    cases = "1 more case" if len(rest) == 1 else f"{len(rest)} more cases"
    if about == len(rest):
        all_of_them = "it" if len(rest) == 1 else "them all"
        return f"{cases} of {clause_id} like this: --clause {clause_id} shows {all_of_them}."
    shown = f"--clause {clause_id} shows the {about} that are about it, " if about else ""
    return f"{cases} broke {clause_id}: {shown}--report json=PATH names them all."


def _case(failure: Failure, reproduce: Callable[[str], str], width: int, symbols: bool) -> Iterator[Line]:
    status = failure.result.status
    mark = f"{status.symbol} " if symbols else ""
    word = "" if status is Status.FAIL else f"    {status.word}"
    times = f"    failed {failure.times} times" if failure.times > 1 else ""
    yield line("  ", (mark, "bad"), (shown_text(failure.case.id), "id"), (word + times, "bad"))
    yield from wrapped(shown_text(failure.case.why), width, _INDENT)
    own = [item for item in failure.findings if item.finding.clause == failure.clause]
    others = [item for item in failure.findings if item.finding.clause != failure.clause]
    if not own:
        own, others = others[:1], others[1:]
    for item in own[:_SHOWN_FINDINGS]:
        yield from _finding(item, width)
    if not failure.findings and failure.result.detail:
        yield from wrapped(_sentence(failure.result.detail), width, _INDENT)
    for words in failure.last_words:
        yield line(_INDENT, ("standard error | ", "faint"), words)
    yield from _others(own[_SHOWN_FINDINGS:], others, width)
    yield from _again(reproduce(failure.case.id), width)


def _finding(item: ShownFinding, width: int) -> Iterator[Line]:
    finding = item.finding
    if item.lines:
        yield line()
        yield line(_INDENT, (item.source, "faint"))
        digits = max(5, *(len(str(shown.number)) for shown in item.lines))
        for shown in item.lines:
            yield from _file_line(shown, digits)
        yield line()
        yield from wrapped(_sentence(finding.sentence), width, _INDENT)
    else:
        sentence = finding.sentence if not item.source else f"{item.source}: {finding.sentence}"
        yield from wrapped(_sentence(sentence), width, _INDENT)
    for name, value in (("expected", finding.expected), ("seen", finding.seen)):
        if value is not None:
            yield line(_INDENT, (f"{name:<8}  ", "faint"), cut(shown_text(value), width - len(_INDENT) - 10))


def _file_line(shown: ShownLine, digits: int) -> Iterator[Line]:
    yield line(_INDENT, (f"{shown.number:>{digits}} | ", "faint"), shown.text)
    if shown.caret is not None:
        offset, width = shown.caret
        yield line(_INDENT, (f"{'':>{digits}} | ", "faint"), " " * offset, ("^" * width, "caret"))


def _others(more: Sequence[ShownFinding], others: Sequence[ShownFinding], width: int) -> Iterator[Line]:
    """Yield one sentence for each other clause that the case broke."""
    if more:
        yield line(_INDENT, f"and {len(more)} more of the same clause")
    seen: set[str] = set()
    for item in others:
        if item.finding.clause not in seen:
            seen.add(item.finding.clause)
            yield from wrapped(f"also {item.finding.clause}: {_sentence(item.finding.sentence)}", width, _INDENT)


def _again(command: str, width: int) -> Iterator[Line]:
    """Yield the command, unbroken: it is there to be copied."""
    text = shown_text(command)
    yield line(_INDENT, ("Again:  ", "faint"), (cut(text, max(width, _CONTINUED)), "again"))


def _sentence(text: str) -> str:
    shown = shown_text(text)
    return shown if shown.endswith((".", "!", "?")) else f"{shown}."
