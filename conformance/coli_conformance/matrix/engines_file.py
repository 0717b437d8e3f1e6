"""ENGINES.yaml: the engines of a matrix, how each is reached, and which are versions of one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from coli_conformance.corpus.target import Target
from coli_conformance.escape import shown_text
from coli_conformance.manifest import Manifest, manifest
from coli_reference.old_reader import PLATFORMS
from coli_spec.yaml_source import Mapping as Node
from coli_spec.yaml_source import Source

_WAYS = ("command", "load", "python", "old-reader")


@dataclass(frozen=True, slots=True)
class Entry:
    """One engine. Exactly one of `manifest`, `python` (MODULE:CLASS) and `old_reader` (a platform) is set.

    `writes` and `reads` are False where it is to take no part on that side. `family` and `version` come together.
    """

    name: str
    manifest: Manifest | None = None
    python: str | None = None
    old_reader: str | None = None
    writes: bool = True
    reads: bool = True
    family: str | None = None
    version: str | None = None


def read(path: Path) -> tuple[Entry, ...]:
    """Return the engines in the order of the file: a list under the key `engines`.

    Each has a `name`, and one of: `command`, a list that starts a driver; `load`, a list with {path} in it that reads
    one file (with these two, what a coli-engine.yaml has beside them); `python`, MODULE:CLASS; `old-reader`, a
    platform. Files are looked for in the folder of ENGINES.yaml. Raises coli_spec.SpecError with file and line.
    """
    root = Source(path, shown_text(str(path))).root
    entries: list[Entry] = []
    names: dict[str, int] = {}
    for node in root.items("engines"):
        entry = _entry(node, path.resolve().parent)
        if entry.name in names:
            raise node.complaint(
                "name", f"{entry.name!r} is the name of the engine on line {names[entry.name]} as well; give it another"
            )
        names[entry.name] = node.line_of("name")
        node.finish()
        entries.append(entry)
    if not entries:
        raise root.complaint(
            "engines", "'engines' is empty; list an engine, such as `- {name: mine, command: [./driver]}`"
        )
    if not any(entry.reads for entry in entries):
        raise root.complaint("engines", "every engine has 'reads: false'; leave one to read what the others write")
    root.finish()
    return tuple(entries)


def target(entries: tuple[Entry, ...]) -> Target:
    """Return whom the histories are written for: the first engine built for one identity, else the usual target."""
    fixed = (entry.manifest.fixed for entry in entries if entry.manifest is not None)
    return next((one.target for one in fixed if one), Target())


def _entry(node: Node, folder: Path) -> Entry:
    name = node.text("name")
    ways = [way for way in _WAYS if way in node]
    if len(ways) != 1:
        how_many = " and ".join(repr(way) for way in ways) or "no way to reach it"
        raise node.source.complaint(
            node.line, f"the engine {name!r} has {how_many}; write exactly one of: {', '.join(_WAYS)}"
        )
    family, version = node.optional_text("family"), node.optional_text("version")
    if (family is None) != (version is None):
        given, missing = ("family", "version") if version is None else ("version", "family")
        raise node.complaint(
            given, f"the engine {name!r} has a {given} and no {missing}; versions are compared in a family"
        )
    return Entry(
        name=name,
        manifest=manifest(node, folder) if ways[0] in {"command", "load"} else None,
        python=_python_class(node) if ways[0] == "python" else None,
        old_reader=node.choice("old-reader", PLATFORMS) if ways[0] == "old-reader" else None,
        writes=node.optional_boolean("writes") is not False,
        reads=node.optional_boolean("reads") is not False,
        family=family,
        version=version,
    )


def _python_class(node: Node) -> str:
    text = node.text("python")
    module, _, class_name = text.partition(":")
    if not module or not class_name:
        raise node.complaint("python", f"'python' is {text!r}; write MODULE:CLASS, such as my_engine:MyEngine")
    return text
