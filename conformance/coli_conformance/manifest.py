"""The manifest of an engine, `coli-engine.yaml`: how it is called and started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from coli_spec.yaml_source import Source


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says. `environment` is added to the scrubbed one in which the driver runs."""

    name: str | None
    command: tuple[str, ...]
    environment: Mapping[str, str]


def read(path: Path) -> Manifest:
    """Return the manifest at `path`: `command` (a list), and where given `name` and `env` (names to values).

    An argument of `command` that names an existing file beside the manifest means that file, wherever the suite is
    started. Raises coli_spec.SpecError with file and line for the first thing that cannot be used.
    """
    source = Source(path, str(path))
    root = source.root
    name = root.optional_text("name")
    command = root.texts("command")
    if not command:
        raise root.complaint("command", "'command' is empty; list the program and its arguments")
    environment: dict[str, str] = {}
    variables = root.optional_mapping("env")
    if variables is not None:
        names = variables.keys()
        for variable in names:
            if not variable or "=" in variable or "\0" in variable:
                raise variables.complaint(
                    variable, f"{variable!r} cannot be the name of an environment variable; write NAME: value"
                )
            environment[variable] = variables.text(variable)
    root.finish()
    return Manifest(name, tuple(_beside(path, argument) for argument in command), environment)


def _beside(path: Path, argument: str) -> str:
    """Return the absolute path of the file beside the manifest that `argument` names, or else `argument`."""
    if "\0" in argument or Path(argument).is_absolute():
        return argument
    candidate = path.resolve().parent / argument
    return str(candidate) if candidate.is_file() else argument
