"""The known-failing file written anew from a whole run: `run --known-failing FILE --fix`.

An entry whose cases all fail as it says stays as it is. Of any other those cases stay, one entry each and with the
status they have now, that still fail. What fails and has no entry gets one whose reason is still to be written: the
file is refused until there is a link. A fresh case gets none, for the next seed makes others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from coli_conformance.judge.verdict import Result, Status
from coli_conformance.known_failing import Entry, KnownFailing, group, is_known, listed
from coli_conformance.score import FAILED
from coli_conformance.selection import matches

UNEXPLAINED = "say why, and link to where it is dealt with"
"""The reason of a new entry."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The whole text of the file, a sentence on what changed in it, and what it holds but for the new entries."""

    text: str
    sentence: str
    kept: KnownFailing


def fixed(known: KnownFailing, results: Sequence[Result], corpus_ids: Callable[[], Iterable[str]]) -> Fixed:
    """Return `known` as `results`, those of a whole run with the statuses seen, make it."""
    seen = group(results)
    ids = {*corpus_ids(), *seen}
    claimed = {case_id for case_id in seen for entry in known.entries if _is_flaky(entry) and _has(entry, case_id)}
    kept: list[Entry] = []
    for entry in known.entries:
        if _is_flaky(entry):
            kept += [entry] if is_known(entry.pattern, ids) else []
            continue
        matched = [case_id for case_id in seen if _has(entry, case_id)]
        own = [case_id for case_id in matched if case_id not in claimed]
        claimed.update(own)
        still = [case_id for case_id in own if _failing(seen[case_id])]
        if not matched:
            kept += [entry] if is_known(entry.pattern, ids) else []
        elif still == matched and all(_statuses(seen[case_id]) == {entry.status} for case_id in still):
            kept.append(entry)
        else:
            kept += [Entry(case_id, _failing(seen[case_id]), entry.reason, entry.line) for case_id in still]
    new = [
        Entry(case_id, _failing(seen[case_id]), UNEXPLAINED, 0)
        for case_id in seen
        if case_id not in claimed and "@" not in case_id and _failing(seen[case_id])
    ]
    return Fixed(
        text(known.comment, [*kept, *new]),
        _sentence(known, kept, new),
        KnownFailing(known.name, tuple(kept), known.comment),
    )


def text(comment: str, entries: Sequence[Entry]) -> str:
    """Return the text of a file of these entries."""
    return comment + "".join(f"{line}\n" for line in _lines(entries))


def _lines(entries: Sequence[Entry]) -> Iterator[str]:
    failing = [entry for entry in entries if not _is_flaky(entry)]
    flaky = [entry for entry in entries if _is_flaky(entry)]
    yield "failing:" if failing else "failing: []"
    for entry in failing:
        yield from (f"  - case: {_quoted(entry.pattern)}", f"    status: {entry.status}")
        yield f"    reason: {_quoted(entry.reason)}"
    if flaky:
        yield "flaky:"
    for entry in flaky:
        yield from (f"  - case: {_quoted(entry.pattern)}", f"    reason: {_quoted(entry.reason)}")


def _quoted(value: str) -> str:
    # What JSON writes between quotation marks YAML reads as the same text.
    return json.dumps(value, ensure_ascii=False)


def _sentence(known: KnownFailing, kept: Sequence[Entry], new: Sequence[Entry]) -> str:
    gone = [entry.pattern for entry in known.entries if entry not in kept]
    parts = []
    if gone:
        parts.append(f"{listed(gone)} removed or narrowed")
    if new:
        parts.append(f"{listed([entry.pattern for entry in new])} added: give each a reason with a link")
    return f"{known.name}: {'; '.join(parts) or 'nothing to change'}."


def _is_flaky(entry: Entry) -> bool:
    return entry.status is None


def _has(entry: Entry, case_id: str) -> bool:
    return matches(case_id, entry.pattern)


def _statuses(results: Iterable[Result]) -> set[str]:
    return {result.status.word for result in results}


def _failing(results: Iterable[Result]) -> str | None:
    """Return as which a case fails that never passes, else None; one that passes now and then is left to a person."""
    results = list(results)
    if any(result.status is Status.PASS for result in results):
        return None
    return next((result.status.word for result in results if result.status in FAILED), None)
