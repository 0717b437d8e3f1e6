"""Turns a YAML file into plain nodes that know their lines, and refuses what a declaration has no use for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from coli_spec.model import SpecError
from coli_spec.unblocked import without_waiting

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

MAX_BYTES = 1 << 20
MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A single value as written; `plain` is False where it stands in quotes or in a block."""

    line: int
    text: str
    plain: bool
    kind = "a single value"


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list of nodes."""

    line: int
    entries: tuple[Node, ...]
    kind = "a list"


@dataclass(frozen=True, slots=True)
class MappingNode:
    """A mapping as written: keys of any kind, repeated or not."""

    line: int
    entries: tuple[tuple[Node, Node], ...]
    kind = "a mapping"


Node = ScalarNode | ListNode | MappingNode


def compose(text: str, name: str) -> Node:
    """Return the root node of the one document in the text of a file; `name` is how complaints call the file.

    Raises SpecError, with the line, for a text that is not YAML, holds no document or several, an anchor, an alias or a
    tag, or nests deeper than 20.
    """
    import yaml  # noqa: PLC0415 - only a program that reads a declaration pays for it

    loader: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    unprintable = yaml.SafeLoader.NON_PRINTABLE.search(text)
    if unprintable:
        line = text.count("\n", 0, unprintable.start()) + 1
        code = f"U+{ord(unprintable.group()):04X}"
        raise SpecError(f"{name}:{line}: the character {code} is not allowed in YAML; remove it")
    try:
        events = yaml.parse(text, Loader=loader)
        return _document(events, name)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problem = error.problem or error.context or "no further detail"
        raise SpecError(f"{name}:{line}: this is not valid YAML ({problem}); correct the syntax here") from error


def read(path: Path, name: str) -> str:
    """Return the text of a file as it is, line ends included; `name` is how complaints call it.

    Raises SpecError for a file that cannot be read, is above 1 MB or is not UTF-8.
    """
    try:
        # Opening a pipe would wait for somebody to write to it.
        if path.exists() and not path.is_file():
            raise SpecError(f"{name}: this is not a regular file; give the path of a YAML file")
        with open(path, "rb", opener=without_waiting) as stream:
            data = stream.read(MAX_BYTES + 1) or b""  # nothing where there is nothing at once, as in /proc/kmsg
    except OSError as error:
        raise SpecError(f"{name}: the file cannot be read ({error.strerror}); check the path") from error
    if len(data) > MAX_BYTES:
        raise SpecError(f"{name}: the file is above {MAX_BYTES} bytes, too large for a declaration; split it")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SpecError(f"{name}:{line}: the file is not UTF-8 here; save it as UTF-8") from error


def _document(events: Iterator[yaml.Event], name: str) -> Node:
    import yaml  # noqa: PLC0415 - as above

    root: Node | None = None
    for event in events:
        if isinstance(event, yaml.StreamStartEvent | yaml.StreamEndEvent):
            continue
        if isinstance(event, yaml.DocumentStartEvent | yaml.DocumentEndEvent):
            continue
        if root is not None:
            raise SpecError(f"{name}:{_line(event)}: a second YAML document begins here; keep one document")
        root = _node(event, events, name, 1)
    if root is None:
        raise SpecError(f"{name}:1: the file holds no YAML document; write its keys")
    return root


def _node(event: yaml.Event, events: Iterator[yaml.Event], name: str, depth: int) -> Node:
    import yaml  # noqa: PLC0415 - as above

    line = _line(event)
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        raise SpecError(f"{name}:{line}: anchors (&) and aliases (*) are not accepted; write the value in full")
    tag = getattr(event, "tag", None)
    if tag is not None:
        raise SpecError(f"{name}:{line}: tags (!) are not accepted; write the value without {tag!r}")
    if depth > MAX_DEPTH:
        raise SpecError(f"{name}:{line}: the file nests deeper than {MAX_DEPTH} levels; flatten it")
    if isinstance(event, yaml.ScalarEvent):
        return ScalarNode(line, event.value, plain=not event.style)
    children: list[Node] = []
    for child in events:
        if isinstance(child, yaml.SequenceEndEvent):
            return ListNode(line, tuple(children))
        if isinstance(child, yaml.MappingEndEvent):
            break
        children.append(_node(child, events, name, depth + 1))
    return MappingNode(line, tuple(zip(children[::2], children[1::2], strict=True)))


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
