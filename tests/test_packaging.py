"""What is declared for the distribution is what there is: no package left out of it, no data file."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def declared() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        tools: dict[str, Any] = tomllib.load(file)["tool"]["setuptools"]
    return tools


def folder_of(package: str) -> Path:
    top, *below = package.split(".")
    return ROOT.joinpath(declared()["package-dir"][top], *below)


def test_every_package_is_in_the_distribution() -> None:
    there = {
        ".".join((top, *init.parent.relative_to(ROOT / folder).parts))
        for top, folder in declared()["package-dir"].items()
        for init in (ROOT / folder).rglob("__init__.py")
    }
    assert set(declared()["packages"]) == there


def test_every_data_file_is_in_the_distribution() -> None:
    patterns = declared()["package-data"]
    left_out = []
    for folder in declared()["package-dir"].values():
        for file in (ROOT / folder).rglob("*"):
            if not file.is_file() or file.suffix in {".py", ".pyc"} or file.name == "py.typed":
                continue
            owners = [package for package in declared()["packages"] if folder_of(package) in file.parents]
            if not any(
                fnmatch(str(file.relative_to(folder_of(package))), pattern)
                for package in owners
                for pattern in patterns.get(package, ())
            ):
                left_out.append(str(file.relative_to(ROOT)))
    assert not left_out
