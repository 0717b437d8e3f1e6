"""The head and the foot of a terminal report: what is played, the table of areas, the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import coli_spec
from coli_conformance import __version__
from coli_conformance.case import Case
from coli_conformance.corpus.session import CORPUS_VERSION
from coli_conformance.escape import cut, shown_text
from coli_conformance.reports.lines import Line, Piece, line, wrapped
from coli_conformance.score import AreaScore, Score, Tally, Verdict

_SHOWN_IDS = 4
_GAP = 2
_LONGEST_WORD = 40


def head_lines(
    cases: Sequence[Case],
    claimed: frozenset[str],
    rounds: int,
    width: int,
    seed: int | None = None,
    ignored: Sequence[str] = (),
    interrupted: bool = False,
) -> Iterator[Line]:
    """Yield what is about to run: versions, how many cases, for which roles, which duties are not claimed.

    `seed` is what fresh cases were generated from, None where there are none. `ignored` are claimed words that are no
    roles. `interrupted`: saves are interrupted after the cases, of which there may then be none.
    """
    spec = coli_spec.load()
    playable = sum(claimed.issuperset(case.roles) for case in cases)
    duties = spec.duties()
    missing = " ".join(duty for duty in duties if duty not in claimed)
    extras = " ".join(role.name for role in spec.roles if role.kind == "extra" and role.name in claimed)
    roles = " ".join(role for role in duties if role in claimed)
    corpus = max((case.since for case in cases), default=CORPUS_VERSION)
    words = f"{playable} cases" if playable != 1 else "1 case"
    if rounds > 1:
        words += f", {rounds} times each,"
    if interrupted:
        words = f"{words} and interrupted saves" if cases else "interrupted saves"
    fresh = f", seed {seed}" if seed is not None else ""
    text = f"coli-conformance {__version__}, corpus {corpus}{fresh}: {words} for "
    text += f"the roles {roles} (of {len(duties)}; not claimed: {missing})" if missing else f"all {len(duties)} duties"
    text += f" and the extras {extras}" if extras else ""
    if ignored:
        words = " ".join(cut(shown_text(word), _LONGEST_WORD) for word in ignored[:_SHOWN_IDS])
        text += f"; ignored, not roles: {words}" + (" ..." if len(ignored) > _SHOWN_IDS else "")
    yield from wrapped(text, width)


def table_lines(scored: Score, width: int) -> Iterator[Line]:
    """Yield the table of areas: verified musts and shoulds with what broke, and the behaviours seen in may cases."""
    rows = [_row(area) for area in scored.areas if area.verified]
    if scored.rewrites.verified:
        rewrites = _cell(scored.rewrites, scored.broken_rewrites, "bad")
        rows.append((("~  rewritten inputs", ""), rewrites, ("-", "faint"), ("-", "")))
    if rows:
        head = (("", ""), ("must", "faint"), ("should", "faint"), ("seen (may)", "faint"))
        columns = list(zip(head, *rows, strict=True))
        widths = [max(len(text) for text, _ in column) + _GAP for column in columns[:3]]
        for row in (head, *rows):
            cells = [(f"{text:<{room}}", meaning) for (text, meaning), room in zip(row, widths, strict=False)]
            indent = sum(widths) + _GAP
            may, *more = wrapped(row[3][0], max(width, indent + 30), " " * indent, row[3][1]) or [line()]
            yield line("  ", *cells, *may[1:])
            yield from more
    silent = [f"{area.area.letter} ({area.area.title})" for area in scored.areas if not area.verified]
    if silent:
        yield from wrapped(f"not verified: {', '.join(silent)}", width, "  ", "faint")


def verdict_lines(
    scored: Score,
    selected: int | None,
    required_missing: Sequence[str],
    strict: bool,
    gave_up: str | None,
    width: int,
    leaks: int = 0,
) -> Iterator[Line]:
    """Yield the verdict with the share of musts that were not verified.

    `selected` is the number of cases where they are not the whole corpus. `required_missing` are roles asked for and
    not claimed; `strict` says that shoulds count; `leaks` is how many cases depended on earlier ones.
    """
    word = scored.verdict.value
    if selected is not None:
        word += f", of {selected} selected case{'s' if selected != 1 else ''}"
    meaning = {Verdict.NONCONFORMANT: "bad", Verdict.CONFORMANT: "good"}.get(scored.verdict, "weak")
    sentences = [
        *_broken_sentence(scored),
        *_should_sentence(scored, strict),
        *_none_legal_sentence(scored),
        *_verified_sentence(scored),
    ]
    if required_missing:
        sentences.append(f"Required and not claimed: {' '.join(required_missing)}.")
    if leaks:
        depend = "1 case depends" if leaks == 1 else f"{leaks} cases depend"
        sentences.append(f"The offer reusable is broken: {depend} on earlier ones.")
    if gave_up is not None:
        sentences.append(shown_text(gave_up))
    if not scored.verified:
        sentences.append("Nothing was verified, so nothing is passed.")
    first, *more = wrapped(f"{word}: {' '.join(sentences)}", width - 2, "  ")
    yield line("  ", (word, meaning), first[1][0][len(word) :])
    yield from more


def _row(area: AreaScore) -> tuple[Piece, Piece, Piece, Piece]:
    return (
        (f"{area.area.letter}  {area.area.title}", ""),
        _cell(area.musts, area.broken_musts, "bad"),
        _cell(area.shoulds, area.broken_shoulds, "weak"),
        (_behaviours(area), ""),
    )


def _cell(tally: Tally, broken: Sequence[str], meaning: str) -> Piece:
    if not tally.verified:
        return "-", "faint"
    ids = " ".join(broken[:_SHOWN_IDS]) + (f" +{len(broken) - _SHOWN_IDS}" if len(broken) > _SHOWN_IDS else "")
    return f"{tally.passed}/{tally.verified}  {ids}".rstrip(), meaning if tally.failed else "good"


def _behaviours(area: AreaScore) -> str:
    """Return such as `R23 stop 12, skip-line 3; R24 refuse`: how often only where one clause showed several."""
    parts = []
    for clause, group in groupby(area.behaviours, key=lambda entry: entry[0]):
        seen = list(group)
        names = [shown_text(name) + (f" {count}" if len(seen) > 1 else "") for _, name, count in seen]
        parts.append(f"{clause} {', '.join(names)}")
    return "; ".join(parts) or "-"


def _broken_sentence(scored: Score) -> Iterator[str]:
    if scored.musts.failed:
        count = len(scored.broken_musts)
        musts = "1 must" if count == 1 else f"{count} musts"
        cases = "1 case" if scored.musts.failed == 1 else f"{scored.musts.failed} cases"
        yield f"{musts} broken ({', '.join(scored.broken_musts)}) in {cases}."
    elif not scored.musts.total:
        yield "no must among these cases."
    elif scored.musts.verified:
        yield "the must case holds." if scored.musts.verified == 1 else f"all {scored.musts.verified} must cases hold."


def _should_sentence(scored: Score, strict: bool) -> Iterator[str]:
    if scored.broken_shoulds:
        count = len(scored.broken_shoulds)
        note = ", which counts here (--strict)" if strict else ""
        yield f"{count} should{'s' if count != 1 else ''} broken ({', '.join(scored.broken_shoulds)}){note}."


def _none_legal_sentence(scored: Score) -> Iterator[str]:
    if scored.none_legal:
        listed = ", ".join(f"{clause} in {cases}" for clause, cases in scored.none_legal)
        yield f"None of the legal behaviours was seen in some may cases, which is not scored ({listed})."


def _verified_sentence(scored: Score) -> Iterator[str]:
    missing = scored.musts.total - scored.musts.verified
    if not missing:
        if scored.musts.total:
            yield "Every must was verified."
        return
    reasons = []
    if scored.unclaimed:
        reasons.append(f"roles not claimed: {' '.join(scored.unclaimed)}")
    if scored.musts.not_run:
        reasons.append(f"{scored.musts.not_run} not run")
    if scored.unasked:
        reasons.append(f"{scored.unasked} ask for an identity, dimensions or a session that the engine cannot take")
    were = "was" if missing == 1 else "were"
    yield f"{missing} of {scored.musts.total} musts {were} not verified ({'; '.join(reasons)})."
