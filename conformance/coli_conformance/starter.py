"""What `init` writes: the files of a driver to start from, in one of the languages the suite has a kit for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import coli_spec

_SHARED = {
    "coli-engine.yaml": ("project/coli-engine.yaml.j2", "the manifest: how the suite starts the engine"),
    "known-failing.yaml": ("project/known-failing.yaml", "cases that fail today, each with its reason"),
    ".github/workflows/conformance.yml": ("project/conformance.yml.j2", "the CI job"),
    "README.md": ("project/README.md.j2", "what to fill in"),
}
"""Files of every starter: the template in the kits, and what the file is."""


@dataclass(frozen=True, slots=True)
class Kit:
    """A language's driver: `sources` maps a file's name to its source in the kits, the driver's own first.

    `command` are the words that start it, and `build` the command that makes it, empty where nothing is built.
    """

    sources: Mapping[str, str]
    command: tuple[str, ...]
    build: str = ""


KITS: Mapping[str, Kit] = {
    "c": Kit({"driver.c": "c/driver.c"}, ("./driver",), "cc -O1 -o driver driver.c"),
    "cpp": Kit({"driver.cpp": "cpp/driver.cpp"}, ("./driver",), "c++ -std=c++17 -O1 -o driver driver.cpp"),
    "rust": Kit(
        {"src/main.rs": "rust/main.rs", "Cargo.toml": "rust/Cargo.toml"},
        ("target/release/driver",),
        "cargo build --release",
    ),
    "python": Kit({"driver.py": "python/driver.py"}, ("python3", "driver.py")),
}
"""The languages, by the word that names each on the command line."""


class StarterError(Exception):
    """A starter that was not written; the message is a sentence that names the file in the way."""


def texts(language: str) -> dict[str, str]:
    """Return the text of each file of a starter, by its path in the new folder, the driver first.

    `language` is a key of KITS.
    """
    kit = KITS[language]
    driver = next(iter(kit.sources))
    files = [{"name": name, "what": "the driver" if name == driver else "its build"} for name in kit.sources]
    files += [{"name": name, "what": what} for name, (_, what) in _SHARED.items() if name != "README.md"]
    facts = {
        "command": f"[{', '.join(kit.command)}]",
        "build": kit.build,
        "driver": driver,
        "files": files,
        "roles": _duties(),
    }
    sources = {**kit.sources, **{name: source for name, (source, _) in _SHARED.items()}}
    return {name: _text(source, facts) for name, source in sources.items()}


def write(language: str, folder: Path) -> tuple[str, ...]:
    """Write the starter of `language` into `folder`, which is made where it is not there; return the files' names.

    Raises StarterError where a file of that name is there already, before anything is written, and where one cannot be
    written.
    """
    written = texts(language)
    for name in written:
        if (folder / name).exists():
            raise StarterError(
                f"{folder / name} is there already, and nothing was written; name a folder without a driver in it, or "
                "move that file away."
            )
    for name, text in written.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise StarterError(f"{path}: it cannot be written ({error.strerror}); name another folder.") from error
    return tuple(written)


def _duties() -> tuple[coli_spec.Role, ...]:
    spec = coli_spec.load()
    return tuple(role for role in spec.roles if role.name in spec.duties())


def _text(source: str, facts: Mapping[str, object]) -> str:
    text = (resources.files("coli_conformance") / "kits" / source).read_text(encoding="utf-8")
    if not source.endswith(".j2"):
        return text
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - only a starter pays for it

    # A CI job's own expressions are written in the usual {{ }}.
    environment = Environment(
        variable_start_string="[[",
        variable_end_string="]]",
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(text).render(facts)
