"""Engines that a manifest declares, behind the transport that fits them."""

from __future__ import annotations

from collections.abc import Sequence

from coli_conformance.engines.command import open_command
from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.engines.template import open_template
from coli_conformance.engines.transport import Transport
from coli_conformance.manifest import Manifest


def open_declared(
    manifest: Manifest,
    *,
    jobs: int = 1,
    timeout: float = 10.0,
    wrap: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Transport:
    """Return the transport to the engine of `manifest`; the other arguments are those of `open_command`.

    Raises EngineUnusable, with a sentence.
    """
    if manifest.template is not None:
        return open_template(
            manifest.template,
            name=manifest.name,
            environment=manifest.environment,
            fixed=manifest.fixed,
            jobs=jobs,
            timeout=timeout,
            wrap=wrap,
            limits=limits,
        )
    return open_command(
        manifest.command,
        name=manifest.name,
        environment=manifest.environment,
        fixed=manifest.fixed,
        jobs=jobs,
        timeout=timeout,
        wrap=wrap,
        limits=limits,
    )
