"""The JUnit XML report: a suite for each area, a test for each case, a failure with what was seen and how to see it.

    status of the case                              element
    pass, and a may case that named its behaviour   none
    fail, in must or should                         failure
    fail in a may case that broke may clauses only  skipped, for it is not scored
    crash, timeout, protocol                        error
    known-failing, unsupported, not-run             skipped
    unexpected-pass                                 failure

A case that was repeated is one test, with the worst of its results. No time is measured: every `time` is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

import coli_spec
from coli_conformance.case import Case
from coli_conformance.escape import shown_text
from coli_conformance.judge.verdict import Result, Status
from coli_conformance.reports.reported import ReportedRun, sentence_of, unverified_words

_WORST_FIRST = (
    *(Status.CRASH, Status.TIMEOUT, Status.PROTOCOL, Status.FAIL, Status.UNEXPECTED_PASS, Status.KNOWN_FAILING),
    *(Status.NOT_RUN, Status.UNSUPPORTED, Status.PASS),
)
_ERRORS = frozenset({Status.CRASH, Status.TIMEOUT, Status.PROTOCOL})
_SKIPPED = frozenset({Status.KNOWN_FAILING, Status.NOT_RUN, Status.UNSUPPORTED})


def junit_report(run: ReportedRun) -> str:
    """Return the report as XML, ending in a newline; characters that XML cannot hold are shown escaped."""
    return "\n".join(_lines(run)) + "\n"


def worst(results: Iterable[Result]) -> dict[str, Result]:
    """Return the worst result of each case, by its id, in the order in which the cases were played."""
    found: dict[str, Result] = {}
    for result in results:
        earlier = found.get(result.case_id)
        if earlier is None or _WORST_FIRST.index(result.status) < _WORST_FIRST.index(earlier.status):
            found[result.case_id] = result
    return found


def _lines(run: ReportedRun) -> Iterator[str]:
    results = worst(run.results)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    # The common schema knows no number of skipped tests here, only in a suite.
    whole = {key: number for key, number in _counts(run, list(results.values())).items() if key != "skipped"}
    yield f"<testsuites{_attributes(name='coli-conformance', **whole)}>"
    for number, area in enumerate(coli_spec.load().areas):
        own = [result for case_id, result in results.items() if run.cases[case_id].clauses[0][0] == area.letter]
        if not own:
            continue
        name = f"{area.letter} {area.title}"
        stamp = run.started.strftime("%Y-%m-%dT%H:%M:%S")
        counts = _counts(run, own)
        yield f"  <testsuite{_attributes(name=name, id=str(number), timestamp=stamp, **counts)}>"
        yield from _properties(run)
        for result in own:
            yield from _test(run, run.cases[result.case_id], result)
        yield "  </testsuite>"
    yield "</testsuites>"


def _properties(run: ReportedRun) -> Iterator[str]:
    said = {
        "engine": run.engine_name,
        "verdict": run.scored.verdict.value,
        "musts": unverified_words(run.scored),
        "corpus": run.corpus_digest,
        **({"seed": str(run.seed)} if run.seed is not None else {}),
    }
    yield "    <properties>"
    for name, value in said.items():
        yield f"      <property{_attributes(name=name, value=value)}/>"
    yield "    </properties>"


def _counts(run: ReportedRun, results: Sequence[Result]) -> dict[str, str]:
    elements = [_element(run.cases[result.case_id], result) for result in results]
    return {
        "tests": str(len(elements)),
        "failures": str(elements.count("failure")),
        "errors": str(elements.count("error")),
        "skipped": str(elements.count("skipped")),
        "time": "0",
    }


def _element(case: Case, result: Result) -> str:
    """Return the name of the element that says what became of a case, by the table above; "" for none."""
    if result.status in _ERRORS:
        return "error"
    if result.status in _SKIPPED:
        return "skipped"
    if result.status is Status.FAIL:
        levels = {clause.id: clause.level for clause in coli_spec.load().clauses}
        scored = case.level != "may" or any(levels[clause] != "may" for clause in result.broken)
        return "failure" if scored else "skipped"
    return "failure" if result.status is Status.UNEXPECTED_PASS else ""


def _test(run: ReportedRun, case: Case, result: Result) -> Iterator[str]:
    attributes = _attributes(classname=f"coli.{case.clauses[0]}", name=case.id, time="0")
    element = _element(case, result)
    if not element:
        yield f"    <testcase{attributes}/>"
        return
    message = f"{result.status.word}: {sentence_of(result)}".removesuffix(": ")
    yield f"    <testcase{attributes}>"
    if element == "skipped":
        yield f"      <skipped{_attributes(message=message)}/>"
    else:
        text = "\n".join(_inert(line) for line in _body(run, case, result))
        yield f"      <{element}{_attributes(message=message, type=result.status.word)}>{escape(text)}</{element}>"
    yield "    </testcase>"


def _body(run: ReportedRun, case: Case, result: Result) -> Iterator[str]:
    yield case.why
    for finding in result.findings:
        yield f"{finding.clause}: {finding.sentence}"
        for word, value in (("expected", finding.expected), ("seen", finding.seen)):
            if value is not None:
                yield f"    {word:<8}  {value}"
    yield f"Again: {run.reproduce(case.id)}"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(_inert(value))}" for name, value in values.items())


def _inert(text: str) -> str:
    """Return `text` on one line; what is left out of XML 1.0, such as U+FFFE, is unprintable and so escaped as well."""
    return shown_text(text)
