"""The manifest of an engine, `coli-engine.yaml`: how it is called and started, and what was built into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from coli_conformance.engines.fixed import ANYTHING, Fixed
from coli_conformance.engines.template import PATH, ROLES, ExitStatuses, Template
from coli_conformance.escape import shown_text
from coli_spec.loader import ENGINE_NAME, MOST_EXPERTS, MOST_LAYERS
from coli_spec.yaml_source import Mapping as Node
from coli_spec.yaml_source import Source

_SIZE = re.compile(r"([1-9][0-9]{0,9})x([1-9][0-9]{0,9})\Z", re.ASCII)
_LARGEST_EXIT_STATUS = 255
_NEEDS_ENGINE = frozenset({"identify", "trusted", "iku1"})
_NEEDS_DIMENSIONS = _NEEDS_ENGINE | {"bounds"}


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says. `environment` is added to the scrubbed one in which the command runs.

    An engine is either a `command`, which speaks the protocol, or a `template`; `command` is empty then. `fixed` is the
    identity and the dimensions it was built for.
    """

    name: str | None
    command: tuple[str, ...]
    environment: Mapping[str, str]
    fixed: Fixed = ANYTHING
    template: Template | None = None


def read(path: Path) -> Manifest:
    """Return the manifest at `path`, as `manifest` understands it.

    Raises coli_spec.SpecError with file and line for the first thing that cannot be used.
    """
    root = Source(path, shown_text(str(path))).root
    read_manifest = manifest(root, path.resolve().parent)
    root.finish()
    return read_manifest


def manifest(node: Node, folder: Path) -> Manifest:
    """Return what `node` says about one engine: `command` or `load`, and where given, `name`, `env` and the like.

    `command` (a list) starts a driver. `load` (a list with {path} in it) is a template; with it come `trust`, `roles`
    and `exit`. `engine` and `dimensions` say what either was built for. A word that names an existing file in `folder`
    means that file, wherever the suite is started. Raises coli_spec.SpecError with file and line; whether there are
    other keys is left to the caller.
    """
    if ("command" in node) == ("load" in node):
        for key in ("command", "load"):
            if key not in node and (typed := node.misspelt(key)) is not None:
                raise node.complaint(typed, f"{typed!r} is no key of a manifest; did you mean {key!r}?")
        how_many = "both 'command' and 'load'" if "command" in node else "neither 'command' nor 'load'"
        raise node.source.complaint(
            node.line,
            f"{node.what} has {how_many}; write the command that starts a driver, or as 'load' the command that reads "
            f"the file {PATH} and prints its counters",
        )
    for key in ("trust", "roles", "exit"):
        if key in node and "command" in node:
            raise node.complaint(key, f"{key!r} goes with 'load'; a driver says such things itself, so remove it here")
    fixed = _fixed(node)
    return Manifest(
        node.optional_text("name"),
        _words(node, "command", folder) if "command" in node else (),
        _environment(node),
        fixed,
        _template(node, folder, fixed) if "load" in node else None,
    )


def _environment(node: Node) -> dict[str, str]:
    environment: dict[str, str] = {}
    variables = node.optional_mapping("env")
    if variables is not None:
        for variable in variables.keys():  # noqa: SIM118 - no dict, and not iterable
            if not variable or "=" in variable or "\0" in variable:
                raise variables.complaint(
                    variable, f"{variable!r} cannot be the name of an environment variable; write NAME: value"
                )
            environment[variable] = variables.text(variable)
    return environment


def _fixed(node: Node) -> Fixed:
    name = node.optional_text("engine")
    if name is not None and not ENGINE_NAME.match(name):
        raise node.complaint(
            "engine", f"the engine name {name!r} must be 1 to 63 characters out of a-z, 0-9 and _ (W07)"
        )
    return Fixed(name, _dimensions(node) if "dimensions" in node else None)


def _dimensions(node: Node) -> tuple[int, int]:
    if node.holds_mapping("dimensions"):
        size = node.mapping("dimensions")
        dimensions = size.integer("n_layers", 1, MOST_LAYERS), size.integer("n_experts", 1, MOST_EXPERTS)
        size.finish()
        return dimensions
    text = node.text("dimensions")
    match = _SIZE.match(text)
    dimensions = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (1 <= dimensions[0] <= MOST_LAYERS and 1 <= dimensions[1] <= MOST_EXPERTS):
        raise node.complaint(
            "dimensions",
            f"'dimensions' is {text!r}; write layers and experts such as 78x256, up to {MOST_LAYERS}x{MOST_EXPERTS}",
        )
    return dimensions


def _template(node: Node, folder: Path, fixed: Fixed) -> Template:
    trust = _template_words(node, "trust", folder) if "trust" in node else None
    roles = node.texts("roles") if "roles" in node else ("load",)
    for role in roles:
        if role not in ROLES:
            raise node.complaint(
                "roles",
                f"{role!r} is no role of a command that reads one file; it can claim {', '.join(ROLES)}. For "
                "the others write a driver",
            )
        for key, needed, given in (
            ("engine", _NEEDS_ENGINE, fixed.name),
            ("dimensions", _NEEDS_DIMENSIONS, fixed.dimensions),
            ("trust", {"trusted"}, trust),
        ):
            if role in needed and given is None:
                raise node.complaint("roles", f"the role {role!r} needs the key {key!r}; add it, or leave out the role")
    if "load" not in roles:
        raise node.complaint("roles", "'roles' lacks load, which every reader owes; add it")
    if trust is not None and "trusted" not in roles:
        raise node.complaint("trust", "'trust' is there and the role trusted is not claimed; add it to 'roles'")
    return Template(_template_words(node, "load", folder), trust, frozenset(roles), _exit_statuses(node))


def _exit_statuses(node: Node) -> ExitStatuses:
    statuses = node.optional_mapping("exit")
    if statuses is None:
        return ExitStatuses()
    given = {
        field.name: statuses.integer(field.name, 0, _LARGEST_EXIT_STATUS)
        for field in fields(ExitStatuses)
        if field.name in statuses
    }
    exits = ExitStatuses(**given)
    statuses.finish()
    if len({exits.accepted, exits.refused, exits.unsupported}) < len(fields(ExitStatuses)):
        raise node.complaint(
            "exit",
            f"'exit' gives one status two meanings: accepted {exits.accepted}, refused {exits.refused}, unsupported "
            f"{exits.unsupported}; each needs one of its own",
        )
    return exits


def _template_words(node: Node, key: str, folder: Path) -> tuple[str, ...]:
    words = _words(node, key, folder)
    if not any(PATH in word for word in words[1:]):
        raise node.complaint(
            key,
            f"no argument of {key!r} has {PATH} in it, so no file would be read; write it where the file's name goes",
        )
    return words


def _words(node: Node, key: str, folder: Path) -> tuple[str, ...]:
    words = node.texts(key)
    if not words:
        raise node.complaint(key, f"{key!r} is empty; list the program and its arguments")
    return tuple(_beside(folder, word) for word in words)


def _beside(folder: Path, word: str) -> str:
    """Return the absolute path of the file in `folder` that `word` names, or else `word`."""
    if "\0" in word or Path(word).is_absolute():
        return word
    candidate = folder / word
    try:
        return str(candidate) if candidate.is_file() else word
    except OSError:  # such as a word that is longer than the name of a file can be
        return word
