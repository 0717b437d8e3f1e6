"""Engines that are a Python class: in a child process, which cannot take the suite down, or in this one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from coli_conformance.engines.command import open_command
from coli_conformance.engines.limits import DEFAULT_LIMITS, Limits
from coli_conformance.engines.transport import EngineUnusable, Transport


def open_python(
    target: str,
    *,
    in_process: bool = False,
    name: str | None = None,
    environment: Mapping[str, str] | None = None,
    jobs: int = 1,
    timeout: float = 10.0,
    wrap: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Transport:
    """Return the transport for the class that `target` (MODULE:CLASS) names. See `serve` for what such a
    class offers.

    In this process there is no limit but the default one for files, and `jobs`, `timeout`, `wrap` and `limits` mean
    nothing. Raises
    EngineUnusable.
    """
    if in_process:
        # Imported here: a run with a child process never needs it.
        from coli_conformance.engines.in_process import InProcess  # noqa: PLC0415
        from coli_conformance.engines.serve import UnusableClass, load_class  # noqa: PLC0415

        try:
            engine_class = load_class(target)
        except UnusableClass as error:
            raise EngineUnusable(str(error)) from error
        return InProcess(engine_class, name or target, environment or {})
    # The child starts in the folder of a case, which must not be on its path, for an engine writes there (-P);
    # the caller's folder must, for the engine's module may be there.
    paths = [str(Path.cwd()), *filter(None, [os.environ.get("PYTHONPATH")])]
    return open_command(
        (sys.executable, "-P", "-m", "coli_conformance.engines.serve", target),
        name=name or target,
        environment={"PYTHONPATH": os.pathsep.join(paths), **(environment or {})},
        jobs=jobs,
        timeout=timeout,
        wrap=wrap,
        limits=limits,
    )
