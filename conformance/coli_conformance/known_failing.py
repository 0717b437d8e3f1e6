"""The known-failing file: what an engine is known to break, each entry with its reason, held to what was seen.

    failing:
      - case: W06-*                 the id of a case, or a pattern with `*`, `?` and `[...]`
        status: fail                as which it fails: fail, crash, timeout or protocol
        reason: https://...         why, with a link to where it is being dealt with
    flaky:
      - case: T07-locale            fails now and then; named apart in every report
        reason: https://...

An entry under `failing` must still be right: that a case passes, that it fails in another way, that nothing matches and
that two entries match one case are problems, each of which is exit status 1. What the file names counts as failed in
the score all the same; it only keeps the run from ending with 1 for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coli_conformance.escape import shown_text
from coli_conformance.interruption.ids import names_interrupted_save
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.score import FAILED
from coli_conformance.selection import matches, nearest
from coli_spec.yaml_source import Mapping, Source

STATUSES = tuple(s.word for s in Status if s in FAILED and s is not Status.KNOWN_FAILING)
"""The words that an entry may have as its status."""

_LINKS = ("https://", "http://")
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: a case's id or a pattern, as which `status` it fails (None: it is flaky), the reason, and its line."""

    pattern: str
    status: str | None
    reason: str
    line: int


@dataclass(frozen=True, slots=True)
class KnownFailing:
    """A known-failing file: what complaints call it, its entries in order, and the comment it begins with."""

    name: str
    entries: tuple[Entry, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Flake:
    """A case that is listed as flaky, failed `failed` times of `of`, for the `reason` of its entry."""

    case_id: str
    failed: int
    of: int
    reason: str


@dataclass(frozen=True, slots=True)
class Compared:
    """What a known-failing file came to.

    `results` are those of the run, with known-failing and unexpected-pass where the file says so. `excused` are the ids
    of the cases whose every failure it names; `reasons` are those given, by case id. `problems` are sentences, each
    with file and line.
    """

    results: tuple[Result, ...]
    excused: frozenset[str]
    reasons: dict[str, str]
    flaky: tuple[Flake, ...]
    problems: tuple[str, ...]


def read(path: Path) -> KnownFailing:
    """Return the file at `path`. Raises SpecError, naming file and line, for one that cannot be read or used."""
    source = Source(path, shown_text(str(path)))
    root = source.root
    entries = [_entry(item, flaky=False) for item in root.optional_items("failing")]
    entries += [_entry(item, flaky=True) for item in root.optional_items("flaky")]
    root.finish()
    lines = source.text.splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    return KnownFailing(source.name, tuple(entries), "".join(lines[:first]))


def _entry(item: Mapping, *, flaky: bool) -> Entry:
    pattern = item.text("case")
    status = None if flaky else item.choice("status", STATUSES)
    reason = item.text("reason")
    if not any(link in reason for link in _LINKS):
        raise item.complaint("reason", f"the reason for {pattern!r} has no link; name the issue or change, https://...")
    item.finish()
    return Entry(pattern, status, reason, item.line)


def compare(known: KnownFailing, results: Sequence[Result], corpus_ids: Callable[[], Iterable[str]]) -> Compared:
    """Hold `known` to `results`; `corpus_ids` gives the id of every case there is, selected or not.

    A pattern of which no case was selected says nothing in this run, as long as there is such a case.
    """
    by_case = group(results)
    owners = {case_id: owners_of(known.entries, case_id) for case_id in by_case}
    problems: list[tuple[int, str]] = []
    for case_id, entries in owners.items():
        if len(entries) > 1:
            first, second, *_ = entries
            sentence = f"{case_id} is matched by {second.pattern!r} and by {first.pattern!r} on line {first.line}"
            problems.append((second.line, f"{sentence}; let one entry alone match it."))
    ids: list[str] = []
    for entry in known.entries:
        matched = {case_id: by_case[case_id] for case_id, entries in owners.items() if entry in entries}
        if not matched:
            ids = ids or list(corpus_ids())
            if not is_known(entry.pattern, ids):
                problems.append((entry.line, f"{entry.pattern!r} matches no case. {nearest(entry.pattern, ids)}"))
        elif entry.status is not None:
            problems += [(entry.line, sentence) for sentence in _no_longer_right(entry, matched)]
    marked = tuple(_marked(result, owners[result.case_id]) for result in results)
    left = {result.case_id for result in marked if result.status in FAILED and result.status != Status.KNOWN_FAILING}
    known_now = {result.case_id for result in marked if result.status is Status.KNOWN_FAILING}
    return Compared(
        results=marked,
        excused=frozenset(known_now - left),
        reasons={case_id: owners[case_id][0].reason for case_id in known_now},
        flaky=tuple(
            Flake(case_id, sum(r.status in FAILED for r in by_case[case_id]), len(by_case[case_id]), entries[0].reason)
            for case_id, entries in owners.items()
            if entries and entries[0].status is None and any(r.status in FAILED for r in by_case[case_id])
        ),
        problems=tuple(f"{known.name}:{line}: {sentence}" for line, sentence in sorted(problems)),
    )


def group(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Return the results of each case by its id, in order."""
    by_case: dict[str, list[Result]] = {}
    for result in results:
        by_case.setdefault(result.case_id, []).append(result)
    return by_case


def owners_of(entries: Iterable[Entry], case_id: str) -> list[Entry]:
    """Return the entries that match a case, in their order."""
    return [entry for entry in entries if matches(case_id, entry.pattern)]


def is_known(pattern: str, ids: Iterable[str]) -> bool:
    """Tell whether `pattern` can match a case: of these ids, a fresh one of another seed, or an interrupted save."""
    return "@" in pattern or names_interrupted_save(pattern) or any(matches(case_id, pattern) for case_id in ids)


def _no_longer_right(entry: Entry, matched: dict[str, list[Result]]) -> Iterable[str]:
    """Yield what is no longer as `entry` says, in the cases that it matches."""
    passing: list[str] = []
    otherwise: dict[str, list[str]] = {}
    for case_id, results in matched.items():
        words = {result.status.word for result in results} - {Status.NOT_RUN.word}
        if Status.PASS.word in words:
            passing.append(case_id)
        for word in sorted(words - {entry.status, Status.PASS.word, Status.UNSUPPORTED.word}):
            otherwise.setdefault(word, []).append(case_id)
    if passing:
        yield f"{entry.pattern!r}: {listed(passing)} passed; remove the entry or narrow it (flaky: move it there)."
    for word, ids in otherwise.items():
        yield f"{entry.pattern!r}: {listed(ids)} came to {word}, and the entry says {entry.status}."
    if all(result.status is Status.UNSUPPORTED for results in matched.values() for result in results):
        yield f"{entry.pattern!r}: {listed(list(matched))} cannot be asked of this engine; remove the entry."


def listed(ids: Sequence[str]) -> str:
    """Return a few of `ids` by name, and how many more there are."""
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{', '.join(ids[:_NAMED])}{more}"


def _marked(result: Result, entries: Sequence[Entry]) -> Result:
    """Return `result` as the first of its entries makes it."""
    if not entries:
        return result
    entry = entries[0]
    if result.status in FAILED and entry.status in {None, result.status.word}:
        return replace(result, status=Status.KNOWN_FAILING)
    if result.status is Status.PASS and entry.status is not None:
        return replace(result, status=Status.UNEXPECTED_PASS)
    return result
