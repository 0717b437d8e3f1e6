"""The parts of a terminal report that are about no single clause: state that leaks, twins that were left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import coli_spec
from coli_conformance.escape import shown_text
from coli_conformance.leaks import Leak
from coli_conformance.reports.lines import Line, line, wrapped
from coli_conformance.twin_run import Twins

_SHOWN_LEAKS = 3
_INDENT = "    "


def leak_lines(leaks: Sequence[Leak], again: Callable[[str, str], str], width: int) -> Iterator[Line]:
    """Yield what a reusable driver carries from one session into the next; nothing where it has no leak.

    `again` returns the command that shows a leak again, of the earlier case and the one that changes.
    """
    if not leaks:
        return
    count = (
        "1 case depends on what came before" if len(leaks) == 1 else f"{len(leaks)} cases depend on what came before"
    )
    offer = next(role for role in coli_spec.load().roles if role.name == "reusable")
    head = f"  {offer.kind:<6}  {offer.name}  "
    yield line((head, "bad"), " " * (width - len(head) - len(count)), (count, "bad"))
    yield line("  ", ("-" * (width - 2), "faint"))
    yield from wrapped(f"A driver that claims it {offer.claims}.", width, "  ")
    why = "Every verdict here is that of a process for each case."
    remedy = "Let `init` set back all that a session leaves behind, or do not claim `reusable`."
    yield from wrapped(f"{why} {remedy}", width, "  ", "faint")
    # Leaks with an earlier case to show stand first, whatever the order of the cases.
    shown = sorted(leaks, key=lambda leak: leak.after is None)[:_SHOWN_LEAKS]
    for leak in shown:
        yield line()
        yield from wrapped(_sentence(leak), width, "  ")
        if leak.after is not None:
            yield line(_INDENT, ("Again:  ", "faint"), (shown_text(again(leak.after, leak.case_id)), "again"))
    if len(leaks) > len(shown):
        yield line()
        yield from wrapped(f"{len(leaks) - len(shown)} more: --report json=PATH names them all.", width, "  ")
    yield line()


def left_out_lines(twins: Twins, width: int) -> Iterator[Line]:
    """Yield how many twins were not played, and why; nothing where all were."""
    reasons = []
    if twins.original_failed:
        reasons.append(f"{twins.original_failed} whose originals failed")
    if twins.not_sampled:
        reasons.append(f"{twins.not_sampled} to save processes (--case '*~*' plays every one)")
    if reasons:
        yield from wrapped(f"rewritten inputs left out: {', '.join(reasons)}", width, "  ", "faint")


def _sentence(leak: Leak) -> str:
    earlier = shown_text(leak.after) if leak.after is not None else "other cases"
    together = f"After {earlier} in the same process, {shown_text(leak.case_id)}: {leak.together.word}."
    return f"{together} Alone: {leak.alone.word}."
