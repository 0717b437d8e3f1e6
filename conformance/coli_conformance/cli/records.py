"""`coli-conformance records`: the registry of record types, and how a proposal becomes one of them."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

import coli_spec
from coli_conformance.cli.complaint import Complaint, complaints
from coli_conformance.escape import shown_text
from coli_conformance.score import NO_ENGINE, USAGE

if TYPE_CHECKING:
    from coli_conformance.cli.engine_choice import EngineChoice
    from coli_conformance.records.proposal import Proposal

_FAILED = 1


@click.group("records")
def command() -> None:
    """The registry of record types: list, show; a new one: new, check, accept."""


@command.command("list")
def list_records() -> None:
    """List the record types with their fields; data records have no number."""
    spec = coli_spec.load()
    for record in (spec.data, *spec.records):
        number = "" if record.number is None else str(record.number)
        fields = " ".join(field.name for field in record.fields)
        click.echo(f"{number:>4}  {record.name:<14} {record.status:<10} {fields}")
    click.echo(f"\nThe next free number is {spec.free_number()}. `records new` writes a proposal to start from.")


@command.command("show", context_settings={"ignore_unknown_options": True})
@click.argument("name", metavar="NUMBER|NAME")
def show(name: str) -> None:
    """Show everything declared about a record type, by its number or its name."""
    from coli_conformance.records.shown import record_lines  # noqa: PLC0415 - for this command alone
    from coli_conformance.reports.lines import width_of, write  # noqa: PLC0415 - as above

    spec = coli_spec.load()
    known = {record.name: record for record in (spec.data, *spec.records)}
    known |= {str(record.number): record for record in spec.records}
    if name not in known:
        raise Complaint(f"there is no record type {name!r}; there are {', '.join(known)}.", USAGE)
    write(record_lines(known[name], width_of(sys.stdout)), sys.stdout)


@command.command("new")
@click.argument("path", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
def new(path: Path | None) -> None:
    """Write a commented proposal to start from, to FILE or to standard output."""
    template = (resources.files("coli_conformance.records") / "template.yaml").read_text(encoding="utf-8")
    text = template.replace("@NUMBER@", str(coli_spec.load().free_number()))
    if path is None:
        click.echo(text, nl=False)
        return
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise Complaint(f"{path}: there is something of that name already; name another file.", USAGE) from None
    except OSError as error:
        raise Complaint(f"{path}: the proposal cannot be written ({error.strerror}).", USAGE) from error
    click.echo(f"{shown_text(str(path))}: written. Next: coli-conformance records check {shown_text(str(path))}")


@command.command("check")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--engine", "classes", multiple=True, metavar="KIND:MODULE:CLASS", help="Ask this engine too.")
@click.option(
    "--manifest", "manifests", multiple=True, metavar="FILE", type=click.Path(path_type=Path), help="Ask this one too."
)
@click.pass_context
def check(
    context: click.Context, paths: tuple[Path, ...], classes: tuple[str, ...], manifests: tuple[Path, ...]
) -> None:
    """Hold proposals to the rules G01 to G07, W02 and W03, and gather the evidence for each that keeps them.

    Several are held against one another too: no two may propose one number. The evidence is written beside each, as
    Markdown: sample files read by old readers, compiled ones where their compilers are here, by both reference engines
    and by any engine given; a load and a save by older builds; what the record costs.

    \b
    Exit status:
      0  every rule is kept and the evidence holds
      1  a rule is broken, or the evidence does not hold
      2  wrong usage, or a file that is no proposal
      3  an engine given did not start, did not speak the protocol or claimed no role
    """
    from coli_conformance.cli.engine_choice import DEFAULT_TIMEOUT, chosen  # noqa: PLC0415 - for this command alone
    from coli_conformance.records.proposal import read  # noqa: PLC0415 - as above

    engines = [chosen((), name, None, None, 1, DEFAULT_TIMEOUT) for name in classes]
    engines += [chosen((), None, path, None, 1, DEFAULT_TIMEOUT) for path in manifests]
    with complaints():
        proposals = [read(path) for path in paths]
        kept = [_keeps_the_rules(proposal, proposals) and _has_evidence(proposal, engines) for proposal in proposals]
    context.exit(0 if all(kept) else _FAILED)


@command.command("accept")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.pass_context
def accept(context: click.Context, path: Path) -> None:
    """Enter a proposal in the registry, in a checkout, and generate anew what is generated from it.

    It must keep the rules and have evidence beside it that is not stale. Both reference engines then play the new
    cases; where one does not pass, everything is put back.

    \b
    Exit status:
      0  the record type is agreed once the changed files are merged
      1  it was refused, and nothing has changed
      2  wrong usage, or no checkout
    """
    from coli_conformance.records import acceptance  # noqa: PLC0415 - for this command alone
    from coli_conformance.records.checkout import NotHereError  # noqa: PLC0415 - as above
    from coli_conformance.records.proposal import read  # noqa: PLC0415 - as above

    with complaints():
        proposal = read(path)
        if not _keeps_the_rules(proposal, [proposal]):
            context.exit(_FAILED)
        try:
            ids = acceptance.accept(proposal, coli_spec.load())
        except acceptance.RefusedError as error:
            click.echo(f"coli-conformance: not accepted. {_shown_lines(str(error))}", err=True)
            context.exit(_FAILED)
        except NotHereError as error:
            raise Complaint(f"nothing can be accepted here: {error}.", USAGE) from error
    click.echo(
        f"{proposal.number} {proposal.name} is in the registry, and both reference engines pass its {len(ids)} cases."
    )
    click.echo("Commit what changed; `self-test --write` brings the kill matrix up to date.")


def _keeps_the_rules(proposal: Proposal, others: list[Proposal]) -> bool:
    from coli_conformance.records.rules import breaches  # noqa: PLC0415 - `list` and `show` need none

    found = breaches(proposal, others, coli_spec.load())
    name = str(proposal.path)
    for breach in found:
        click.echo(shown_text(f"{name}:{breach.line}: {', '.join(breach.clauses)}: {breach.sentence}."))
    if found:
        rules = sorted({breach.clauses[0] for breach in found})
        number = "1 rule" if len(rules) == 1 else f"{len(rules)} rules"
        click.echo(shown_text(f"{name}: {number} broken: {', '.join(rules)}."))
    return not found


def _has_evidence(proposal: Proposal, choices: list[EngineChoice]) -> bool:
    from contextlib import ExitStack  # noqa: PLC0415 - for `check` alone

    from coli_conformance.corpus.session import CORPUS_VERSION  # noqa: PLC0415 - as above
    from coli_conformance.engines.transport import EngineUnusable  # noqa: PLC0415 - as above
    from coli_conformance.records import page  # noqa: PLC0415 - as above
    from coli_conformance.records.evidence import gather  # noqa: PLC0415 - as above
    from coli_conformance.records.stamp import evidence_path  # noqa: PLC0415 - as above
    from coli_conformance.reports import output  # noqa: PLC0415 - as above

    spec = coli_spec.load()
    record = proposal.record_type(spec, CORPUS_VERSION + 1)
    path = evidence_path(proposal.path)
    output.check(path)
    try:
        with ExitStack() as stack:
            evidence = gather(record, [stack.enter_context(choice.open()) for choice in choices])
    except EngineUnusable as error:
        raise Complaint(str(error), NO_ENGINE) from error
    output.write(path, page.text(proposal, record, evidence, spec))
    for failure in evidence.failures:
        click.echo(shown_text(f"{proposal.path}: {failure}"))
    verdict = page.verdict_of(evidence)
    for engine in evidence.engines:
        if engine.absent is not None:
            click.echo(shown_text(f"{proposal.path}: {engine.name} was not asked: {engine.absent}."))
    click.echo(shown_text(f"{proposal.path}: every rule is kept; the evidence {verdict}, see {path}"))
    return verdict != "fails"


def _shown_lines(text: str) -> str:
    return "\n".join(shown_text(line) for line in text.split("\n"))
