"""The pytest plugin: `pytest --coli-engine ENGINE` makes every case of the corpus a test item of an engine's own tests.

An item is `coli::CASE-ID`; its clauses and roles can be used with -k. What a case comes to:

    a must is broken, a crash, a time-out          failed
    a should is broken                             xfailed; failed with --coli-strict
    unsupported                                    skipped, with the reason
    else, a may with no legal behaviour included   passed

Where every case is skipped nothing was verified, and the run does not pass. Each item has a process of its own unless
the engine is `inprocess:`, and workers of pytest-xdist have their own each.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from coli_conformance.case import Case
    from coli_conformance.cli.engine_choice import EngineChoice
    from coli_conformance.corpus.target import Target
    from coli_conformance.engines.transport import Transport
    from coli_conformance.reports.failure import Failure

_PREFIX = "coli"
_WIDTH = 110


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("coli-conformance", "the contract of routing telemetry (.coli_usage)")
    group.addoption(
        "--coli-engine",
        metavar="ENGINE",
        help="Play every case against this engine: python:MODULE:CLASS, inprocess:MODULE:CLASS, a manifest "
        "(coli-engine.yaml), or the command of a driver, in quotes where it has blanks.",
    )
    group.addoption("--coli-strict", action="store_true", help="A broken should fails, too.")


def pytest_configure(config: pytest.Config) -> None:
    """Take part in the run where an engine is given. Raises pytest.UsageError where it is none that can be tested."""
    engine = config.getoption("--coli-engine")
    if engine is not None:
        config.pluginmanager.register(_Contract(_choice(engine), config.getoption("--coli-strict")), "coli-contract")


class CaseFailed(Exception):  # noqa: N818 - it is no fault of the suite
    """A case that broke a must, or with --coli-strict a should."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.case.id)
        self.failure = failure


class CaseItem(pytest.Item):
    """One case as a test item."""

    def __init__(self, *, case: Case, contract: _Contract, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case
        self._contract = contract
        self.extra_keyword_matches.update(case.clauses, case.roles)

    def runtest(self) -> None:
        """Play the case once and judge it."""
        self._contract.play(self)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the report of `coli-conformance run` on this case, or what pytest shows of any other exception."""
        if isinstance(excinfo.value, CaseFailed):
            return self._contract.report(excinfo.value.failure)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the item is from, which is no file of the engine's."""
        return self.path, None, self.nodeid


class _Cases(pytest.Collector):
    """The parent of every case: of the committed ones, or of those made for what the engine was built for."""

    def __init__(self, *, contract: _Contract, target: Target | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._contract = contract
        self._target = target

    def collect(self) -> Iterator[CaseItem]:
        """Yield an item for each case."""
        from coli_conformance.corpus import vectors  # noqa: PLC0415 - only a run with an engine imports the suite
        from coli_conformance.corpus.for_target import made_for  # noqa: PLC0415 - as above

        cases, _ = vectors.committed() if self._target is None else made_for(self._target)
        for case in cases:
            yield CaseItem.from_parent(self, name=case.id, case=case, contract=self._contract)


class _Contract:
    """What a session of pytest knows of the engine, and the hooks by which it takes part."""

    def __init__(self, choice: EngineChoice, strict: bool) -> None:
        self._choice = choice
        self._strict = strict
        self._transport: Transport | None = None
        self._outcomes: Counter[str] = Counter()
        self._hopeless = 0

    def pytest_report_header(self) -> str:
        """Return the line that says which engine is tested."""
        from coli_conformance import __version__  # noqa: PLC0415 - only a run with an engine imports the suite

        return f"coli-conformance {__version__}: {shlex.join(self._choice.words())}"

    def pytest_sessionstart(self) -> None:
        """Open the engine; also where xdist's workers will play the cases, so that what is wrong with it is said once.

        Raises pytest.UsageError where it cannot be tested.
        """
        from coli_conformance.engines.transport import EngineUnusable  # noqa: PLC0415 - only a run with an engine needs it

        try:
            self._transport = self._choice.open()
        except EngineUnusable as error:
            raise pytest.UsageError(f"--coli-engine: {error}") from error

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add an item for each case, before -k and --lf choose among them."""
        parent = _Cases.from_parent(session, name=_PREFIX, nodeid=_PREFIX, contract=self, target=self._choice.target)
        report = session.ihook.pytest_make_collect_report(collector=parent)
        session.ihook.pytest_collectreport(report=report)
        items += report.result

    def play(self, item: CaseItem) -> None:
        """Play the case of `item`; raise what pytest takes for failed, xfailed or skipped where it did not pass."""
        from coli_conformance.judge.verdict import Status  # noqa: PLC0415 - only a run with an engine imports the suite
        from coli_conformance.reports.failure import failure  # noqa: PLC0415 - as above
        from coli_conformance.runner import GIVE_UP_AFTER, run  # noqa: PLC0415 - as above
        from coli_conformance.score import score  # noqa: PLC0415 - as above

        assert self._transport is not None
        failures: list[Failure] = []
        played = run(
            self._transport,
            (item.case,),
            on_result=lambda case, result, observation: failures.append(failure(case, result, observation)),
        )
        (result,) = played.results
        self._hopeless = self._hopeless + 1 if result.status is Status.TIMEOUT else 0
        if self._hopeless == GIVE_UP_AFTER:
            item.session.shouldstop = f"the engine timed out in {GIVE_UP_AFTER} cases in a row; the rest was not run"
        if result.status is Status.UNSUPPORTED:
            pytest.skip(result.detail)
        scored = score((item.case,), played.results, played.engine.roles)
        if scored.musts.failed or (self._strict and scored.shoulds.failed):
            raise CaseFailed(failures[0])
        if scored.shoulds.failed:
            told = next((finding.sentence for finding in result.findings), result.detail)
            pytest.xfail(f"a should ({', '.join(scored.broken_shoulds)}): {told}")

    def report(self, failed: Failure) -> str:
        """Return the section of a report that shows one failing case."""
        from coli_conformance.escape import shown_text  # noqa: PLC0415 - only a failure is shown
        from coli_conformance.reports.broken import broken_lines  # noqa: PLC0415 - as above
        from coli_conformance.reports.lines import plain  # noqa: PLC0415 - as above

        shown = broken_lines(
            [failed], {failed.case.id: failed.case}, [failed.result], self._choice.reproduce, _WIDTH, show_all=True
        )
        about = [finding.sentence for finding in failed.result.findings if finding.clause == failed.clause]
        told = about[0] if about else failed.result.detail
        # pytest's short summary shows the first line.
        return "\n".join([shown_text(f"{failed.clause}: {told}"), "", *map(plain, shown)]).rstrip()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what the cases came to, those of xdist's workers included."""
        if report.nodeid.startswith(f"{_PREFIX}::") and report.when == "call":
            verified = not report.skipped or hasattr(report, "wasxfail")
            self._outcomes["verified" if verified else "unsupported"] += 1

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """End the engine. Where no case was verified the run does not pass."""
        if self._transport is not None:
            self._transport.close()
        if self._nothing_verified and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say so where no case was verified."""
        if self._nothing_verified:
            terminalreporter.write_line(
                f"coli-conformance: every one of {self._outcomes['unsupported']} cases is unsupported; nothing is "
                "verified, and the run does not pass."
            )

    @property
    def _nothing_verified(self) -> bool:
        return bool(self._outcomes["unsupported"]) and not self._outcomes["verified"]


def _choice(engine: str) -> EngineChoice:
    """Return the engine that the option names."""
    import click  # noqa: PLC0415 - only a run with an engine imports the suite

    from coli_conformance.cli.complaint import Complaint  # noqa: PLC0415 - as above
    from coli_conformance.cli.engine_choice import DEFAULT_TIMEOUT, KINDS, chosen  # noqa: PLC0415 - as above

    is_class = engine.partition(":")[0] in (*KINDS, "fault")
    is_manifest = not is_class and engine.endswith((".yaml", ".yml"))
    try:
        words = [] if is_class or is_manifest else shlex.split(engine)
        return chosen(
            words, engine if is_class else None, Path(engine) if is_manifest else None, None, 1, DEFAULT_TIMEOUT
        )
    except (click.UsageError, Complaint, ValueError) as error:
        sentence = error.message if isinstance(error, click.UsageError) else str(error)
        raise pytest.UsageError(f"--coli-engine {engine}: {sentence}") from error
