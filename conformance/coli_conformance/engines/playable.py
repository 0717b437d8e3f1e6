"""Which cases can be asked of an engine: a reason in words for each that cannot, which makes it unsupported."""

from __future__ import annotations

from collections.abc import Sequence

from coli_conformance.case import Case
from coli_conformance.comma_locale import HOW_TO_INSTALL, comma_locale
from coli_conformance.engines.transport import EngineDescription


def why_not(engine: EngineDescription, case: Case) -> str | None:
    """Return a sentence where `case` cannot be played against `engine`, or None where it can.

    It cannot where it needs a role that is not claimed, an identity or dimensions the engine was not built for, a
    session that a command for one file cannot have, or a locale that this machine lacks.
    """
    missing = " ".join(role for role in case.roles if role not in engine.roles)
    if missing:
        return f"It needs roles that the engine does not claim: {missing}."
    if engine.fixed:
        init = next((step for step in case.steps if step.startswith("init ")), None)
        if init is not None and not engine.fixed.takes(init):
            return f"It is a session of `{init}`, and the engine was built for {engine.fixed.text}."
    if engine.one_read:
        step = _not_of_one_read(case.steps)
        if step is not None:
            return (
                f"It cannot be asked: `{step[:80]}` has no equivalent for a command that starts at zero, reads one "
                "file and shows its counters."
            )
    if case.decimal_comma and comma_locale() is None:
        return f"It cannot be asked: {HOW_TO_INSTALL}."
    return None


def _not_of_one_read(steps: Sequence[str]) -> str | None:
    """Return the first command that is out of place in `init`, one read, its counters; None where there is none."""
    for position, step in enumerate(steps):
        verb = step.partition(" ")[0]
        legal = {0: {"init"}, 1: {"load", "trust"}}.get(position, {"counts"})
        if verb not in legal:
            return step
    return steps[-1] if len(steps) < len(("init", "read")) else None
