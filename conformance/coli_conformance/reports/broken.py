"""The part of a terminal report that shows what broke, clause by clause, on which bytes, and how to see it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import coli_spec
from coli_conformance.broken_clauses import broken_by
from coli_conformance.case import Case
from coli_conformance.corpus.rewrites import rewrite_of
from coli_conformance.escape import cut, shown_text
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.reports.excerpt import ShownLine
from coli_conformance.reports.failure import Failure, ShownFinding
from coli_conformance.reports.lines import Line, line, wrapped
from coli_conformance.reports.sections import OnTheWay, Section, arranged

_SHOWN_CASES = 2
_MANY_CLAUSES = 8
_SHOWN_FINDINGS = 2
_INDENT = "    "
_CONTINUED = 1000
_WORTH_AN_ORDER = 3
"""So many sections and more are worth a word on where to start."""


def broken_lines(
    failures: Sequence[Failure],
    played: Mapping[str, Case],
    results: Iterable[Result],
    reproduce: Callable[[str], str],
    width: int,
    show_all: bool = False,
    symbols: bool = False,
) -> Iterator[Line]:
    """Yield what broke, a section for each clause that a case about it broke, in the order of `sections.arranged`.

    `played` are the cases that came to a verdict, by id. A few cases of each clause are shown, or with `show_all`
    all of them.
    """
    sections, on_the_way = arranged(failures, played, results, show_all)
    # An engine that breaks everything is not understood better from twice as many pages.
    few = _SHOWN_CASES if len(sections) <= _MANY_CLAUSES else 1
    if len(sections) >= _WORTH_AN_ORDER:
        first = sections[0].clause.id
        yield from wrapped(
            f"{len(sections)} clauses, the most thoroughly broken first: start with {first}.", width, "  "
        )
        yield line()
    for section in sections:
        yield from _section_head(section, width)
        shown = section.failures if show_all else section.failures[:few]
        for failure in shown:
            yield line()
            yield from _case(failure, reproduce, width, symbols)
        if more := " ".join(_more(section, section.failures[len(shown) :])):
            yield line()
            yield from wrapped(more, width, "  ")
        yield line()
    if on_the_way:
        yield from wrapped(_on_the_way(on_the_way, also=bool(sections)), width, "  ")
        yield line()


def _section_head(section: Section, width: int) -> Iterator[Line]:
    clause = section.clause
    count = _count(section)
    head = f"  {clause.level:<6}  {clause.id}  "
    rule, *more = wrapped(clause.rule, width - len(count) - 2, " " * len(head))
    text = rule[-1][0]
    meaning = "bad" if section.counts_as_must else "weak"
    gap = " " * (width - len(head) - len(text) - len(count))
    yield line((head, meaning), text, gap, (count, meaning))
    yield from more
    yield line("  ", ("-" * (width - 2), "faint"))
    yield from wrapped(clause.why, width, "  ", "faint")


def _count(section: Section) -> str:
    """Return how many of the cases about the clause broke it, or where none did, how many others."""
    if section.about.broken:
        number, of, cases = section.about.broken, section.about.of, "cases about it"
    elif section.rewritten.broken:
        number, of, cases = section.rewritten.broken, section.rewritten.of, "rewritten inputs"
    else:
        return f"broken in {_number(section.elsewhere, 'case about another clause', 'cases about other clauses')}"
    # A may clause lets several things happen and is never broken; here none of them happened.
    if section.clause.level == "may" and not section.counts_as_must:
        return f"no legal behaviour in {number} of {of} {cases}"
    return f"{number} of {of} {cases} broken"


def _more(section: Section, rest: Sequence[Failure]) -> Iterator[str]:
    """Yield a sentence on the failing cases that are not shown, and one on those that stand elsewhere."""
    clause = section.clause.id
    twins = sum(bool(rewrite_of(failure.case.id)) for failure in rest)
    words = [
        _number(len(rest) - twins, "more case", "more cases"),
        _number(twins, "rewritten input", "rewritten inputs"),
    ]
    if rest:
        shown = "it" if len(rest) == 1 else "them all"
        yield f"{' and '.join(filter(None, words))} about {clause} like this: --clause {clause} shows {shown}."
    if section.elsewhere and section.about.broken + section.rewritten.broken:
        others = _number(section.elsewhere, "case about another clause", "cases about other clauses")
        yield f"{clause} was also broken in {others}: --report json=PATH names all."


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""


def _on_the_way(entries: Sequence[OnTheWay], also: bool) -> str:
    """Return the sentence on clauses that no case about them broke."""
    listed = ", ".join(f"{entry.clause.id} in {entry.cases} (such as {shown_text(entry.example)})" for entry in entries)
    return f"{'also ' if also else ''}broken, in cases about other clauses: {listed}"


def _case(failure: Failure, reproduce: Callable[[str], str], width: int, symbols: bool) -> Iterator[Line]:
    status = failure.result.status
    mark = f"{status.symbol} " if symbols else ""
    word = "" if status is Status.FAIL else f"    {status.word}"
    times = f"    failed {failure.times} times" if failure.times > 1 else ""
    yield line("  ", (mark, "bad"), (shown_text(failure.case.id), "id"), (word + times, "bad"))
    yield from wrapped(shown_text(failure.case.why), width, _INDENT)
    yield from _none_legal(failure, width)
    own = [item for item in failure.findings if item.finding.clause == failure.clause]
    broken = broken_by(failure.case, failure.result)
    others = [item for item in failure.findings if item.finding.clause in broken and item not in own]
    if not own:
        own, others = others[:1], others[1:]
    before: ShownFinding | None = None
    for item in own[:_SHOWN_FINDINGS]:
        same_place = before is not None and (before.source, before.lines) == (item.source, item.lines)
        yield from _finding(item, width, file_too=not same_place)
        before = item
    if not failure.findings and failure.result.detail:
        yield from wrapped(_sentence(failure.result.detail), width, _INDENT)
    for words in failure.last_words:
        yield line(_INDENT, ("standard error | ", "faint"), words)
    yield from _others(own, others, width)
    yield from _again(reproduce(failure.case.id), width)


def _none_legal(failure: Failure, width: int) -> Iterator[Line]:
    """Yield what is legal where a may clause is all there is to show; the findings are those of the nearest of it."""
    clause = coli_spec.load().clause(failure.clause)
    if clause.level == "may" and failure.result.status is Status.FAIL:
        legal = ", ".join(clause.behaviours)
        text = f"None of the legal behaviours was seen ({legal}). This is what it differs in from the nearest one:"
        yield from wrapped(text, width, _INDENT)


def _finding(item: ShownFinding, width: int, file_too: bool) -> Iterator[Line]:
    """Yield a finding, with the lines of the file that it is about where these do not stand there already."""
    finding = item.finding
    if item.source and file_too:
        yield line()
        yield line(_INDENT, (item.source, "faint"))
        digits = max(5, *(len(str(shown.number)) for shown in item.lines), 0)
        for shown in item.lines:
            yield from _file_line(shown, digits)
        yield line()
    yield from wrapped(_sentence(finding.sentence), width, _INDENT)
    for name, value in (("expected", finding.expected), ("seen", finding.seen)):
        if value is not None:
            yield line(_INDENT, (f"{name:<8}  ", "faint"), cut(shown_text(value), width - len(_INDENT) - 10))


def _file_line(shown: ShownLine, digits: int) -> Iterator[Line]:
    yield line(_INDENT, (f"{shown.number:>{digits}} | ", "faint"), shown.text)
    if shown.caret is not None:
        offset, width = shown.caret
        yield line(_INDENT, (f"{'':>{digits}} | ", "faint"), " " * offset, ("^" * width, "caret"))


def _others(own: Sequence[ShownFinding], others: Sequence[ShownFinding], width: int) -> Iterator[Line]:
    """Yield a sentence for each other clause that the case broke; what stands there already is not said again."""
    if len(own) > _SHOWN_FINDINGS:
        yield line(_INDENT, f"and {len(own) - _SHOWN_FINDINGS} more of the same clause")
    told = {item.finding.sentence for item in own[:_SHOWN_FINDINGS]}
    sentences: dict[str, str] = {}
    for item in others:
        sentences.setdefault(item.finding.clause, item.finding.sentence)
    same = [clause for clause, sentence in sentences.items() if sentence in told]
    if same:
        yield from wrapped(f"that breaks {', '.join(same)} as well", width, _INDENT)
    for clause, sentence in sentences.items():
        if clause not in same:
            yield from wrapped(f"also {clause}: {_sentence(sentence)}", width, _INDENT)


def _again(command: str, width: int) -> Iterator[Line]:
    """Yield the command, unbroken: it is there to be copied."""
    text = shown_text(command)
    yield line(_INDENT, ("Again:  ", "faint"), (cut(text, max(width, _CONTINUED)), "again"))


def _sentence(text: str) -> str:
    shown = shown_text(text)
    return shown if shown.endswith((".", "!", "?")) else f"{shown}."
