"""Reads a YAML file into typed values, so that every complaint is a sentence with the file and the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from coli_spec.model import SpecError
from coli_spec.yaml_nodes import ListNode, MappingNode, Node, ScalarNode, compose, read

_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]*)\Z", re.ASCII)
# A number of more digits than any field needs is refused before it is converted, which takes quadratic time.
_INTEGER_DIGITS = 40
_NEAR = 0.7
"""How much alike, from 0 to 1, a key has to be to a missing one to be taken for it; n_layers and n_experts are less."""
_BOOLEANS = {"true": True, "false": False}
_Choice = TypeVar("_Choice", bound=str)


class Source:
    """One YAML file; its whole `text`, its mapping at the top (`root`), and complaints about its lines."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        """Read and check the file; `name` is how complaints call it (by default its last component).

        Raises SpecError for a file that cannot be read, is above 1 MB, is not UTF-8, is not YAML, is nested
        deeper than 20 levels, holds an anchor, an alias, a tag or a key twice, or is no mapping at the top.
        """
        self.path = path
        self.name = name if name is not None else path.name
        self.text = read(path, self.name)
        """The whole file, read once, so that nothing is said of a file that has changed since."""
        self.root = Mapping(self, compose(self.text, self.name), "the file")

    def complaint(self, line: int, sentence: str) -> SpecError:
        """Return the error to raise about a line, counted from 1."""
        return SpecError(f"{self.name}:{line}: {sentence}")


class Mapping:
    """A YAML mapping whose keys are asked for by name and type; `finish` refuses what nobody asked for."""

    def __init__(self, source: Source, node: Node, what: str) -> None:
        """Wrap a node; `what` names the mapping in complaints. Raises SpecError where it is no mapping."""
        self.source = source
        self.what = what
        self.line = node.line
        if not isinstance(node, MappingNode):
            raise source.complaint(self.line, f"{what} must be a mapping of keys to values, not {node.kind}")
        self._values: dict[str, Node] = {}
        self._key_lines: dict[str, int] = {}
        self._asked: set[str] = set()
        self._known: set[str] = set()
        for key, value in node.entries:
            if not isinstance(key, ScalarNode):
                raise source.complaint(key.line, f"a key of {what} must be a word, not {key.kind}")
            if key.text in self._values:
                first = self._key_lines[key.text]
                raise source.complaint(
                    key.line,
                    f"{what} has the key {key.text!r} twice (first on line {first}); keep one of them",
                )
            self._values[key.text] = value
            self._key_lines[key.text] = key.line

    def __contains__(self, key: str) -> bool:
        """Say whether the key is there, whatever its value; it is then one of those that may stand here."""
        self._known.add(key)
        return key in self._values

    def keys(self) -> tuple[str, ...]:
        """Return the keys in the order of the file."""
        return tuple(self._values)

    def holds_mapping(self, key: str) -> bool:
        """Say whether the value of a key is a mapping."""
        return isinstance(self._values.get(key), MappingNode)

    def line_of(self, key: str) -> int:
        """Return the line of a key, or of the mapping where the key is missing."""
        return self._key_lines.get(key, self.line)

    def complaint(self, key: str, sentence: str) -> SpecError:
        """Return the error to raise about the value of a key."""
        return self.source.complaint(self.line_of(key), sentence)

    def text(self, key: str) -> str:
        """Return a non-empty text; line breaks and runs of blanks in it count as one blank."""
        node = self._scalar(key)
        text = " ".join(node.text.split())
        if not text or (node.plain and text in {"~", "null"}):
            raise self.complaint(key, f"{key!r} of {self.what} must not be empty")
        return text

    def optional_text(self, key: str) -> str | None:
        """Return the text, or None where the key is missing."""
        return self.text(key) if key in self else None

    def choice(self, key: str, allowed: tuple[_Choice, ...]) -> _Choice:
        """Return the text, which must be one of the allowed ones."""
        text = self.text(key)
        for word in allowed:
            if text == word:
                return word
        raise self.complaint(key, f"{key!r} of {self.what} is {text!r}; it must be one of {', '.join(allowed)}")

    def integer(self, key: str, minimum: int | None = None, maximum: int | None = None) -> int:
        """Return a plain decimal integer within the limits, both inclusive."""
        node = self._scalar(key)
        text = node.text
        if not node.plain or len(text) > _INTEGER_DIGITS or not _INTEGER.match(text):
            shown = text if len(text) <= _INTEGER_DIGITS else text[:_INTEGER_DIGITS] + "..."
            raise self.complaint(
                key, f"{key!r} of {self.what} must be a plain decimal integer without quotes, not {shown!r}"
            )
        value = int(text)
        if minimum is not None and value < minimum:
            raise self.complaint(key, f"{key!r} of {self.what} is {value}; it must be at least {minimum}")
        if maximum is not None and value > maximum:
            raise self.complaint(key, f"{key!r} of {self.what} is {value}; it must be at most {maximum}")
        return value

    def optional_integer(self, key: str, minimum: int | None = None, maximum: int | None = None) -> int | None:
        """Return the integer, or None where the key is missing."""
        return self.integer(key, minimum, maximum) if key in self else None

    def boolean(self, key: str) -> bool:
        """Return true or false, written in just these two ways."""
        node = self._scalar(key)
        if not node.plain or node.text not in _BOOLEANS:
            raise self.complaint(key, f"{key!r} of {self.what} must be true or false, not {node.text!r}")
        return _BOOLEANS[node.text]

    def optional_boolean(self, key: str) -> bool | None:
        """Return true or false, or None where the key is missing."""
        return self.boolean(key) if key in self else None

    def mapping(self, key: str) -> Mapping:
        """Return the mapping under a key."""
        return Mapping(self.source, self._node(key), f"{key!r} of {self.what}")

    def optional_mapping(self, key: str) -> Mapping | None:
        """Return the mapping under a key, or None where the key is missing."""
        return self.mapping(key) if key in self else None

    def items(self, key: str) -> Iterator[Mapping]:
        """Yield the mappings of the list under a key, in order; the list must be there, and may be empty."""
        for number, node in enumerate(self._sequence(key), start=1):
            yield Mapping(self.source, node, f"entry {number} of {key!r}")

    def optional_items(self, key: str) -> Iterator[Mapping]:
        """Yield the mappings of the list under a key; none where the key is missing."""
        return self.items(key) if key in self else iter(())

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of the list under a key, in order; the list must be there, and may be empty."""
        texts = []
        for number, node in enumerate(self._sequence(key), start=1):
            text = " ".join(node.text.split()) if isinstance(node, ScalarNode) else ""
            if not text:
                raise self.source.complaint(
                    node.line, f"entry {number} of {key!r} of {self.what} must be a text, not {node.kind}"
                )
            texts.append(text)
        return tuple(texts)

    def optional_texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of the list under a key; none where the key is missing."""
        return self.texts(key) if key in self else ()

    def finish(self) -> None:
        """Refuse the first key that was not asked for, naming what was probably meant and all that may stand here."""
        for key in self._values:
            if key not in self._asked:
                meant = get_close_matches(key, self._known - self._values.keys(), n=1)
                advice = f"did you mean {meant[0]!r}? " if meant else "remove it. "
                known = ", ".join(sorted(self._known))
                raise self.complaint(key, f"{self.what} has the unknown key {key!r}; {advice}The keys are: {known}")

    def misspelt(self, key: str) -> str | None:
        """Return the key that is there and was probably meant to be `key`, which is missing; None for none."""
        strangers = [other for other in self._values if other not in self._known]
        return next(iter(get_close_matches(key, strangers, n=1, cutoff=_NEAR)), None)

    def _node(self, key: str) -> Node:
        self._known.add(key)
        if key not in self._values:
            typed = self.misspelt(key)
            if typed is not None:
                raise self.complaint(typed, f"{self.what} lacks the key {key!r}; is {typed!r} meant to be it?")
            raise self.source.complaint(self.line, f"{self.what} lacks the key {key!r}; add it")
        self._asked.add(key)
        return self._values[key]

    def _scalar(self, key: str) -> ScalarNode:
        node = self._node(key)
        if not isinstance(node, ScalarNode):
            raise self.complaint(key, f"{key!r} of {self.what} must be a single value, not {node.kind}")
        return node

    def _sequence(self, key: str) -> tuple[Node, ...]:
        node = self._node(key)
        if not isinstance(node, ListNode):
            raise self.complaint(key, f"{key!r} of {self.what} must be a list, not {node.kind}")
        return node.entries
